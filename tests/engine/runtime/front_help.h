/* Shared by the tests of the front: a front at a socket of this process, its clients, and a script thread
** that answers. */
#ifndef BRIO_TESTS_FRONT_HELP_H
#define BRIO_TESTS_FRONT_HELP_H

#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "runtime/front/front.h"
#include "tests/check.h"

static char path[100];

static inline brio_front *front_opened(brio_front_options options) {
  brio_error err = {0};
  snprintf(path, sizeof path, "/tmp/brio-test-%d.sock", (int)getpid());
  options.socket = path;
  brio_front *front = brio_front_open(&options, &err);
  CHECK(front, "%s", err.message);
  return front;
}

static inline int connected(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  struct timeval patience = {.tv_sec = CHECK_PATIENCE};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  memcpy(address.sun_path, path, strlen(path) + 1);
  if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
  close(fd);
  return -1;
}

static inline bool say(int fd, const char *line) {
  size_t length = strlen(line);
  return send(fd, line, length, MSG_NOSIGNAL) == (ssize_t)length;
}

/* Read a line into `line`, without its end; false: the connection ended, or nothing came. */
static inline bool hear(int fd, char *line, size_t size) {
  for (size_t n = 0; n + 1 < size;) {
    if (recv(fd, line + n, 1, 0) != 1) return false;
    line[n + 1] = 0;
    if (line[n] == '\n') {
      line[n] = 0;
      return true;
    }
    n++;
  }
  return false;
}

static inline void pause_ms(long ms) {
  struct timespec t = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&t, NULL);
}

/* Answer the waiting requests as a script thread would; return their number. */
static inline int serve(brio_front *front) {
  int count = 0;
  for (brio_front_message *m; (m = brio_front_poll(front)); count++) {
    char line[200];
    bool news = m->kind >= BRIO_FRONT_ATTACHED;
    if (news) count--;
    int length = snprintf(line, sizeof line, "{\"id\":%lld,\"text\":\"%zu bytes\"}", (long long)m->id,
                          m->length);
    CHECK(strlen(m->who) > 0 && m->client > 0 && m->received > 0, "who, client and time are there");
    CHECK(m->text[m->length] == 0, "the text ends");
    if (m->kind != BRIO_FRONT_STOP && !news) brio_front_reply(front, m->client, m->id, line, (size_t)length);
    brio_front_give_back(front, m);
  }
  return count;
}

/* Serve until `fd` has an answer. */
static inline bool ask(brio_front *front, int fd, const char *line, char *out, size_t size) {
  if (!say(fd, line)) return false;
  char peek;
  CHECK_AWAIT(recv(fd, &peek, 1, MSG_PEEK | MSG_DONTWAIT) == 1, serve(front), "no answer to %.60s", line);
  return hear(fd, out, size);
}

#endif
