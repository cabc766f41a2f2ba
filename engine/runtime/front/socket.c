/* The front's socket: its path, and who may use it.
**
** The socket is bound, given its mode and owner, and only then listens: nobody can connect in between. A
** socket that an ended engine left behind refuses connections, and is replaced; one that answers is left
** alone. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "runtime/front/front_internal.h"

/* Whether a path is a folder that only this user may enter; `mode`: correct its mode if needed. False: with
** the reason. */
static bool is_own(const char *path, bool mode, brio_error *err) {
  /* lstat: a link could lead to another user's folder. */
  struct stat about;
  if (lstat(path, &about) != 0 || !S_ISDIR(about.st_mode))
    return brio_fail(err, BRIO_NO_FILE, "%s is no folder", path);
  if (about.st_uid != geteuid())
    return brio_fail(err, BRIO_NO_FILE, "%s belongs to another user (%u)", path, (unsigned)about.st_uid);
  /* A mode that lets others in is corrected in the usual folder only. */
  bool open = (about.st_mode & 077) != 0;
  if (!open || (mode && chmod(path, 0700) == 0)) return true;
  return brio_fail(err, BRIO_NO_FILE, "others can access %s", path);
}

/* Find a folder "<usual>.XXXXXX" of this user, made by an earlier run. False: none. */
static bool find_other(const char *usual, char *folder, size_t size) {
  const char *slash = strrchr(usual, '/');
  size_t length = strlen(slash + 1);
  char parent[512];
  bool found = false;
  /* The folder that contains the usual one. */
  snprintf(parent, sizeof parent, "%.*s", (int)(slash - usual), usual);
  DIR *list = opendir(parent[0] ? parent : "/");
  if (!list) return false;
  for (struct dirent *entry; !found && (entry = readdir(list));) {
    /* Only the names that mkdtemp makes from the usual one. */
    if (strncmp(entry->d_name, slash + 1, length) != 0 || entry->d_name[length] != '.') continue;
    bool fits = (size_t)snprintf(folder, size, "%s/%s", parent, entry->d_name) < size;
    found = fits && is_own(folder, false, NULL);
  }
  closedir(list);
  return found;
}

bool brio_front_folder(const char *usual, char *folder, size_t size, brio_error *why, brio_error *err) {
  snprintf(folder, size, "%s", usual);
  /* An existing folder is examined below. */
  if (mkdir(usual, 0700) != 0 && errno != EEXIST)
    return brio_fail(err, BRIO_NO_FILE, "cannot make the folder %s for the prompt's socket: %s", usual,
                     strerror(errno));
  /* The usual folder, one from an earlier run, or a new one. */
  if (is_own(usual, true, why) || find_other(usual, folder, size)) return true;
  snprintf(folder, size, "%s.XXXXXX", usual); /* a name that nobody can have taken before */
  if (mkdtemp(folder)) return true;
  return brio_fail(err, BRIO_NO_FILE, "cannot make a folder %s for the prompt's socket: %s", folder,
                   strerror(errno));
}

/* Set the socket's path. The kernel limits it to 107 bytes. */
static bool set_path(brio_front_socket *s, const char *path, brio_error *err) {
  int length = snprintf(s->path, sizeof s->path, "%s", path);
  if (length <= 0 || (size_t)length >= sizeof s->path)
    return brio_fail(err, BRIO_LIMIT, "the path of the prompt's socket must have 1 to %zu bytes: %s",
                     sizeof s->path - 1, path);
  return true;
}

/* Choose <pid>.sock in $XDG_RUNTIME_DIR/brio, or in /tmp/brio-<uid>; if that folder is another user's, in
** one beside it, with a warning. */
static bool set_own_path(brio_front_socket *s, brio_error *err) {
  char usual[500], folder[512], path[600];
  brio_error why = {0};
  const char *runtime = getenv("XDG_RUNTIME_DIR");
  /* The specification demands an absolute path. */
  bool given = runtime && runtime[0] == '/' && access(runtime, W_OK) == 0;
  if (given) snprintf(usual, sizeof usual, "%s/brio", runtime);
  else snprintf(usual, sizeof usual, "/tmp/brio-%u", (unsigned)geteuid());
  if (!brio_front_folder(usual, folder, sizeof folder, &why, err)) return false;
  /* Another user made a folder of the usual name. */
  if (why.code != BRIO_OK)
    snprintf(s->warning, sizeof s->warning, "somebody may want to keep people from the prompt: %.300s; "
             "the prompt's socket is in %.100s instead, where `brio attach` finds it", why.message, folder);
  snprintf(path, sizeof path, "%s/%d.sock", folder, (int)getpid());
  return set_path(s, path, err);
}

/* The path as the kernel's address; it fits, as set_path checked. */
static struct sockaddr_un address_of(const brio_front_socket *s) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  memcpy(address.sun_path, s->path,
         sizeof address.sun_path < sizeof s->path ? sizeof address.sun_path : sizeof s->path);
  return address;
}

/* Whether the path is taken: by an engine that listens there, or by a file (with an error). A socket that
** refuses connections is stale, and is removed. */
static bool in_use(const brio_front_socket *s, brio_error *err) {
  struct stat about;
  if (lstat(s->path, &about) != 0) return false;
  if (!S_ISSOCK(about.st_mode))
    return !brio_fail(err, BRIO_IO, "%s is there already and is no socket", s->path);
  /* Non-blocking: a listening engine that does not accept must not stall this one. */
  int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  struct sockaddr_un address = address_of(s);
  bool refused = connect(probe, (struct sockaddr *)&address, sizeof address) != 0 && errno == ECONNREFUSED;
  close(probe);
  if (!refused) return !brio_fail(err, BRIO_IO, "a running engine listens at %s", s->path);
  unlink(s->path);
  return false;
}

/* Set the socket's mode, and the group that may connect, if one is given. */
static bool let_in(const brio_front_socket *s, const char *group, brio_error *err) {
  struct group *found = group ? getgrnam(group) : NULL;
  if (group && !found) return brio_fail(err, BRIO_NO_FILE, "there is no group '%s' on this machine", group);
  /* The group first: a mode of 0660 would admit the present group. */
  if (group && chown(s->path, (uid_t)-1, found->gr_gid) != 0)
    return brio_fail(err, BRIO_IO, "%s cannot be given to the group '%s': %s", s->path, group,
                     strerror(errno));
  if (chmod(s->path, group ? 0660 : 0600) != 0)
    return brio_fail(err, BRIO_IO, "the mode of %s cannot be set: %s", s->path, strerror(errno));
  return true;
}

/* Make a random token, and write it to a file beside the socket that only this user may read. */
static bool make_token(brio_front_socket *s, brio_error *err) {
  unsigned char bytes[16];
  snprintf(s->token_path, sizeof s->token_path, "%s.token", s->path);
  if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
    return brio_fail(err, BRIO_LIMIT, "the system gives no random bytes for the prompt's token");
  for (size_t i = 0; i < sizeof bytes; i++) snprintf(s->token + 2 * i, 3, "%02x", bytes[i]);
  /* O_EXCL after unlink: the file is a new one of this user. */
  unlink(s->token_path);
  /* 33: the token's 32 digits and a newline. */
  int file = open(s->token_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  bool good = file >= 0 && dprintf(file, "%s\n", s->token) == 33;
  if (file >= 0) close(file);
  return good || brio_fail(err, BRIO_IO, "the prompt's token cannot be written to %s: %s", s->token_path,
                           strerror(errno));
}

bool brio_front_bind(brio_front_socket *s, const brio_front_options *options, brio_error *err) {
  struct stat about;
  s->fd = -1;
  if (options->group && !options->socket)
    return brio_fail(err, BRIO_MISUSE, "a group needs a socket outside the user's own folder: give its path");
  /* Path and mode before `listen`: until then nobody can connect. */
  if (!(options->socket ? set_path(s, options->socket, err) : set_own_path(s, err)) || in_use(s, err))
    return false;
  /* Non-blocking: the front thread must not wait in accept. */
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  struct sockaddr_un address = address_of(s);
  if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) != 0) {
    brio_fail(err, errno == ENOENT ? BRIO_NO_FILE : BRIO_IO, "the prompt's socket cannot be made at %s: %s",
              s->path, strerror(errno));
    if (fd >= 0) close(fd);
    return false;
  }
  s->fd = fd;
  /* Device and inode identify the socket at the end, in case another engine has replaced it. */
  if (lstat(s->path, &about) == 0) {
    s->device = about.st_dev;
    s->inode = about.st_ino;
  }
  bool shared = options->group && options->noperators == 0; /* else each has a token of their own */
  return let_in(s, options->group, err) && (!shared || make_token(s, err));
}

void brio_front_unbind(brio_front_socket *s) {
  struct stat about;
  /* Remove only what is still this engine's. */
  bool ours = s->inode && lstat(s->path, &about) == 0 && about.st_dev == s->device &&
              about.st_ino == s->inode;
  if (ours) unlink(s->path);
  if (ours && s->token[0]) unlink(s->token_path);
  if (s->fd >= 0) close(s->fd);
  s->fd = -1;
}
