/* Starting and ending programs: see child.h. */
#include "feed/input/child.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WORDS = 1024, BYTES = 1 << 16, STEP_MS = 5 };

/* Undo "%20" in a word, in place. */
static void decode(char *word) {
  char *to = word;
  for (const char *from = word; *from; from++) {
    char digits[3] = {0};
    if (*from == '%' && isxdigit((unsigned char)from[1]) && isxdigit((unsigned char)from[2])) {
      memcpy(digits, from + 1, 2);
      *to++ = (char)strtol(digits, NULL, 16);
      from += 2;
    } else
      *to++ = *from;
  }
  *to = 0;
}

/* Split the command in `bytes` into words; false: none, or too many. */
static bool split(char *bytes, char *words[WORDS + 1]) {
  int count = 0;
  char *rest = NULL;
  for (char *word = strtok_r(bytes, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
    if (count == WORDS) return false;
    decode(word);
    words[count++] = word;
  }
  words[count] = NULL;
  return count > 0;
}

/* Start the program with these ends of its pipes; 0, or an errno. It gets no signals of the run's
** terminal, and none of the thread's mask. */
static int spawn(brio_feed_child *child, char *words[], int in, int out) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  sigset_t none, all;
  sigemptyset(&none), sigfillset(&all);
  posix_spawn_file_actions_init(&files), posix_spawnattr_init(&how);
  posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_setsigmask(&how, &none), posix_spawnattr_setsigdefault(&how, &all);
  posix_spawnattr_setpgroup(&how, 0);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  int code = posix_spawnp(&child->pid, words[0], &files, &how, words, environ);
  posix_spawn_file_actions_destroy(&files), posix_spawnattr_destroy(&how);
  if (code != 0) child->pid = 0;
  return code;
}

/* Make the pipes, and start it. Its ends are closed here. */
static int start(brio_feed_child *child, char *words[]) {
  int to[2] = {-1, -1}, from[2] = {-1, -1}, code = 0;
  if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0) code = errno;
  if (code == 0) code = spawn(child, words, to[0], from[1]);
  child->in = to[1], child->out = from[0];
  if (to[0] >= 0) close(to[0]);
  if (from[1] >= 0) close(from[1]);
  if (child->out >= 0) fcntl(child->out, F_SETFL, O_NONBLOCK);
  if (child->in >= 0) fcntl(child->in, F_SETFL, O_NONBLOCK);
  return code;
}

bool brio_feed_child_start(brio_feed_child *child, const char *command, brio_error *err) {
  *child = (brio_feed_child){0, -1, -1};
  char *words[WORDS + 1], *bytes = strlen(command) < BYTES ? strdup(command) : NULL;
  if (!bytes || !split(bytes, words)) {
    free(bytes);
    return brio_fail(err, BRIO_MISUSE,
                     "a program and up to %d words are expected, as in program:/usr/bin/finder fast",
                     WORDS - 1);
  }
  int code = start(child, words);
  if (code != 0) {
    brio_fail(err, code == ENOENT || code == EACCES ? BRIO_NO_FILE : BRIO_IO, "%.200s cannot be started: %s",
              words[0], strerror(code));
    brio_feed_child_end(child, 0, NULL, 0);
  }
  free(bytes);
  return code == 0;
}

/* Wait for its end, at most `patience` ms. It is not reaped, so that its number still stands for its
** group. */
static void wait_for(pid_t pid, int patience) {
  for (int waited = 0;; waited += STEP_MS) {
    siginfo_t ended = {0};
    int code = waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOHANG | WNOWAIT);
    if ((code != 0 && errno != EINTR) || ended.si_pid != 0 || waited >= patience) return;
    nanosleep(&(struct timespec){0, STEP_MS * 1000000L}, NULL);
  }
}

int brio_feed_child_end(brio_feed_child *child, int patience, char *why, size_t room) {
  int status = 0;
  if (child->in >= 0) close(child->in);
  if (child->out >= 0) close(child->out);
  if (child->pid > 0) {
    wait_for(child->pid, patience);
    /* With the programs that it has started: they are of its process group. */
    kill(-child->pid, SIGKILL);
    while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR) continue;
  }
  if (why && WIFSIGNALED(status))
    snprintf(why, room, "it ended by signal %d", WTERMSIG(status));
  else if (why)
    snprintf(why, room, "it ended with exit code %d", WEXITSTATUS(status));
  *child = (brio_feed_child){0, -1, -1};
  return WIFSIGNALED(status) ? -1 : WEXITSTATUS(status);
}
