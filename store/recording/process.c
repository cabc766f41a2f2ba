/* The system reuses process numbers; together with the time at which the process began, in clock ticks since
** boot, a number is unique. The id of the boot and the namespace of process numbers tell whether the number
** means anything on this machine. Source: proc(5), fields 1 and 22 of stat. */
#include "store/recording/process.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Write "boot-id pid:[namespace]" of this process; "?" for a part that cannot be read. */
static void read_place(char place[96]) {
  char boot[48] = "?", space[40] = "?";
  FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
  if (file && fscanf(file, "%47s", boot) != 1) strcpy(boot, "?");
  if (file) fclose(file);
  /* The link's text is "pid:[number]". */
  ssize_t length = readlink("/proc/self/ns/pid", space, sizeof space - 1);
  if (length > 0) space[length] = 0;
  snprintf(place, 96, "%s %s", boot, space);
}

/* Return when the process began, in clock ticks since boot; 0: no process has the number, or only a
** zombie. */
static unsigned long long began(long number) {
  char path[64], line[1024];
  unsigned long long start = 0;
  snprintf(path, sizeof path, "/proc/%ld/stat", number);
  FILE *file = fopen(path, "r");
  size_t length = file ? fread(line, 1, sizeof line - 1, file) : 0;
  if (file) fclose(file);
  line[length] = 0;
  const char *state = strrchr(line, ')'); /* the program's name, which may hold anything, ends here */
  /* Z: the process has ended, and its parent has not waited for it yet. */
  if (!state || strncmp(state, ") Z", 3) == 0) return 0;
  /* Field 22, the 20th behind the name. */
  const char *skip = ") %*c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu";
  return sscanf(state, skip, &start) == 1 ? start : 0;
}

void brio_process_self(char name[BRIO_PROCESS_SIZE]) {
  char place[96];
  read_place(place);
  snprintf(name, BRIO_PROCESS_SIZE, "%.*s %ld %llu", 80, place, (long)getpid(), began(getpid()));
}

bool brio_process_ended(const char *name) {
  char boot[48], space[40], here[96], there[96];
  long number;
  unsigned long long start;
  /* A name that cannot be read belongs to an unknown process, which counts as running. */
  if (!name || sscanf(name, "%47s %39s %ld %llu", boot, space, &number, &start) != 4) return false;
  read_place(here);
  snprintf(there, sizeof there, "%s %s", boot, space);
  /* A process of another boot or namespace is not known to have ended. */
  return start != 0 && strcmp(here, there) == 0 && began(number) != start;
}
