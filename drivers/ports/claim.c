/* Access to serial ports: permission, and a lock against other programs.  The lock is on the opened
** file, as pyserial and others take it, and ends with the process.  Two programs on one line
** corrupt each other's packets, and one that only listens could take answers that another waits
** for. */
#include <errno.h>
#include <grp.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "drivers/ports/port_internal.h"

/* For a missing permission name the group that has it. */
bool brio_port_permitted(const brio_port *port, const char *path, brio_error *err) {
  struct stat about;
  if (access(path, R_OK | W_OK) == 0) return true;
  if (errno != EACCES || stat(path, &about) != 0)
    return brio_fail(err, BRIO_DEVICE, "%s cannot be opened: %s", port->name, strerror(errno));
  /* Serial ports belong to a group, on Debian dialout: name it in the message. */
  const struct group *group = getgrgid(about.st_gid);
  const char *name = group ? group->gr_name : "dialout";
  return brio_fail(err, BRIO_DEVICE,
                   "%s may be opened by root and members of the group '%s' only: run `sudo usermod -a -G %s "
                   "$USER`, then log in again",
                   port->name, name, name);
}

/* Return the process that holds a lock on a file; 0: unknown. /proc/locks names it by device and
** inode. */
static int holder_of(const struct stat *file) {
  char line[256];
  int found = 0, pid;
  unsigned major_number, minor_number;
  unsigned long inode;
  FILE *locks = fopen("/proc/locks", "re");
  if (!locks) return 0;
  /* A line of /proc/locks: "1: FLOCK ADVISORY WRITE PID MAJOR:MINOR:INODE START END", device in hex. */
  while (!found && fgets(line, sizeof line, locks))
    if (sscanf(line, "%*s FLOCK %*s %*s %d %x:%x:%lu", &pid, &major_number, &minor_number, &inode) == 4 &&
        inode == file->st_ino && major_number == major(file->st_dev) && minor_number == minor(file->st_dev))
      found = pid;
  fclose(locks);
  return found;
}

enum { TRIES = 10, BETWEEN_US = 20000 }; /* time for a process that is about to end to release the port */

bool brio_port_claim(const brio_port *port, brio_error *err) {
  struct stat about;
  for (int i = 0; i < TRIES; i++) {
    /* not every file supports locks */
    if (flock(port->fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return true;
    usleep(BETWEEN_US);
  }
  /* Still locked after TRIES x BETWEEN_US = 0.2 s: report who has it. */
  int pid = fstat(port->fd, &about) == 0 ? holder_of(&about) : 0;
  if (pid > 0)
    return brio_fail(err, BRIO_DEVICE, "%s is in use by process %d: end that one first", port->name, pid);
  return brio_fail(err, BRIO_DEVICE, "%s is in use by another program: end that one first", port->name);
}
