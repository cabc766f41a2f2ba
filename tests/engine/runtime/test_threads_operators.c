/* Several operators at the front: tokens and roles, clients that come back, and clients
** that keep it waiting; a gamepad whose events find no room. */
#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <math.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "tests/engine/runtime/front_help.h"

static const brio_front_operator people[] = {
    {"ann", "0123456789abcdef", BRIO_FRONT_WIZARD}, {"eve", "fedcba9876543210fedc", BRIO_FRONT_OBSERVER}};

static brio_front *with_people(void) {
  return front_opened((brio_front_options){.operators = people, .noperators = 2});
}

/* Receive messages until one of a kind comes; false: none did.  Others are answered. */
static bool next_of(brio_front *front, brio_front_kind kind, brio_front_message *out) {
  for (int i = 0; i < 1000 * CHECK_PATIENCE; i++, pause_ms(1)) {
    for (brio_front_message *m; (m = brio_front_poll(front));) {
      bool found = m->kind == kind;
      if (found) *out = *m;
      else if (m->kind <= BRIO_FRONT_COMPLETE)
        brio_front_reply(front, m->client, m->id, "{\"text\":\"done\"}", 15);
      brio_front_give_back(front, m);
      if (found) return true;
    }
  }
  return false;
}

static brio_front_message message;

static void a_token_says_who_and_what(void) {
  static const struct { const char *hello, *answer; brio_front_role role; const char *who;
  } cases[] = {
      {"{\"id\":1,\"who\":\"max\"}\n", "\"role\":\"author\"", BRIO_FRONT_AUTHOR, "max ("},
      {"{\"id\":1,\"who\":\"max\",\"role\":\"observer\"}\n", "\"role\":\"observer\"", BRIO_FRONT_OBSERVER,
       "max ("},
      {"{\"id\":1,\"who\":\"max\",\"token\":\"0123456789abcdef\"}\n", "\"role\":\"wizard\"",
       BRIO_FRONT_WIZARD, "ann ("},
      {"{\"id\":1,\"device\":\"pipe\",\"token\":\"fedcba9876543210fedc\"}\n", "\"role\":\"observer\"",
       BRIO_FRONT_OBSERVER, "eve ("},
      {"{\"id\":1,\"who\":\"a\\u0000b\"}\n", "\"role\":\"author\"", BRIO_FRONT_AUTHOR, "a ("},
      {"{\"id\":1,\"who\":\"\\u001b[2J\\u009b \xff\xc3\xa9\"}\n", "\"role\":\"author\"", BRIO_FRONT_AUTHOR,
       "[2J \xc3\xa9 ("},
  };
  brio_front *front = with_people();
  if (!front) return;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char line[400] = "";
    int fd = connected();
    CHECK(say(fd, cases[i].hello) && hear(fd, line, sizeof line), "an answer");
    CHECK_HAS(line, cases[i].answer);
    CHECK(next_of(front, BRIO_FRONT_ATTACHED, &message), "it is told");
    CHECK(message.role == cases[i].role, "role %d", message.role);
    CHECK(strncmp(message.who, cases[i].who, strlen(cases[i].who)) == 0, "who: %s", message.who);
    CHECK(message.device == (i == 3 ? BRIO_FRONT_PIPE : BRIO_FRONT_PROMPT), "device %d", message.device);
    say(fd, i % 2 ? "{\"bye\":true}\n" : "{\"id\":2,\"who\":\"other\"}\n");
    if (i == 2) {
      CHECK(next_of(front, BRIO_FRONT_ATTACHED, &message) && strncmp(message.who, "ann (", 5) == 0,
            "a token's name stays");
    }
    uint32_t number = message.client;
    close(fd);
    CHECK(next_of(front, i % 2 ? BRIO_FRONT_LEFT : BRIO_FRONT_LOST, &message) && message.client == number,
          "it is gone");
  }
  brio_front_close(front);
}

static void more_than_a_token_says_is_refused(void) {
  static const struct { const char *line, *answer;
  } cases[] = {
      {"{\"id\":1,\"token\":\"0123456789abcdef\",\"role\":\"author\"}\n",
       "you are here as wizard, and cannot be author"},
      {"{\"id\":1,\"role\":\"king\"}\n", "there is no such role"},
      {"{\"id\":1,\"token\":\"0123456789abcdeX\"}\n", "that is no token of this run"},
      {"{\"id\":1,\"token\":\"0123456789abcde\"}\n", "that is no token of this run"},
      {"{\"id\":1,\"token\":\"0123456789abcdef0\"}\n", "that is no token of this run"},
      {"{\"id\":1,\"token\":\"\",\"line\":\"state\"}\n", "that is no token of this run"},
  };
  brio_front *front = with_people();
  int fds[sizeof cases / sizeof *cases];
  if (!front) return;
  int64_t began = brio_clock_monotonic();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) say(fds[i] = connected(), cases[i].line);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char line[400] = "";
    CHECK(hear(fds[i], line, sizeof line), "an answer");
    CHECK_HAS(line, cases[i].answer);
    /* a stall makes it later */
    CHECK(i < 2 || brio_clock_monotonic() - began >= 1000000000, "a wrong token is answered late");
    CHECK(i < 2 || !hear(fds[i], line, sizeof line), "and ends the connection");
    close(fds[i]);
  }
  CHECK(serve(front) == 0, "none of it reached the scripts");
  brio_front_close(front);
}

/* Read whole lines, `bytes` in all: what the front did before it sent them is done. */
static void hear_bytes(int fd, size_t bytes) {
  static char heard[1 << 16];
  for (size_t at = 0; at < bytes;) {
    ssize_t n = recv(fd, heard, bytes - at < sizeof heard ? bytes - at : sizeof heard, 0);
    CHECK(n > 0, "%zu of %zu bytes were heard", at, bytes);
    if (n <= 0) return;
    at += (size_t)n;
  }
}

/* A text field of a line. */
static void field(const char *line, const char *name, char *out, size_t size) {
  const char *at = strstr(line, name);
  out[0] = 0;
  if (at) snprintf(out, size, "%.*s", (int)strcspn(at + strlen(name), "\""), at + strlen(name));
}

static void a_client_that_was_lost_comes_back(void) {
  char line[70000], id[40], hello[200];
  brio_front *front = with_people();
  if (!front) return;
  int fd = connected();
  CHECK(say(fd, "{\"id\":1,\"session\":\"\"}\n") && hear(fd, line, sizeof line), "a session");
  CHECK_HAS(line, "\"client\":1,");
  CHECK_HAS(line, "\"resumed\":false,\"missed\":0}");
  field(line, "\"session\":\"", id, sizeof id);
  CHECK(strlen(id) == 32, "id %s", id);
  CHECK(ask(front, fd, "{\"id\":2,\"line\":\"abc\"}\n", line, sizeof line), "an answer"); /* line 1 */
  CHECK(say(fd, "{\"id\":3,\"line\":\"abcd\"}\n") && next_of(front, BRIO_FRONT_SAY, &message), "asked");
  close(fd);
  CHECK(next_of(front, BRIO_FRONT_LOST, &message) && message.client == 1 && message.session, "lost");
  int watcher = connected();
  CHECK(ask(front, watcher, "{\"id\":1,\"line\":\"x\"}\n", line, sizeof line), "another client");
  brio_front_reply(front, 1, 3, "{\"id\":3,\"text\":\"late\"}", 22); /* line 2 */
  brio_front_log(front, "{\"log\":\"meanwhile\"}", 19);           /* line 3 */
  CHECK(hear(watcher, line, sizeof line) && strstr(line, "meanwhile"), "a client that is there: %s", line);
  fd = connected();
  snprintf(hello, sizeof hello, "{\"id\":4,\"session\":\"%s\",\"seen\":1}\n", id);
  CHECK(say(fd, hello) && hear(fd, line, sizeof line), "back");
  CHECK_HAS(line, "\"client\":1,");
  CHECK_HAS(line, "\"resumed\":true,\"missed\":0}");
  CHECK(hear(fd, line, sizeof line) && strstr(line, "late"), "the answer: %s", line);
  CHECK(hear(fd, line, sizeof line) && strstr(line, "meanwhile"), "the log: %s", line);
  CHECK(next_of(front, BRIO_FRONT_ATTACHED, &message) && message.client == 1,
        "it is there again, under its number");
  say(fd, "{\"id\":3,\"line\":\"abcd\"}\n{\"id\":2,\"line\":\"abc\"}\n{\"id\":3,\"stop\":true}\n{\"id\":5,"
          "\"line\":\"new\"}\n");
  CHECK(next_of(front, BRIO_FRONT_SAY, &message) && message.id == 5, "only what is new is done, not %lld",
        (long long)message.id);
  CHECK(brio_front_stops(front) == 0, "no stop under a used number");
  snprintf(hello, sizeof hello, "{\"id\":6,\"session\":\"%s\",\"seen\":3}\n",
           "0123456789abcdef0123456789abcdef");
  int other = connected();
  CHECK(say(other, hello) && hear(other, line, sizeof line), "a stranger");
  CHECK_HAS(line, "\"resumed\":false");
  CHECK(!strstr(line, id), "has a session of its own");
  close(watcher);
  close(fd);
  close(other);
  brio_front_close(front);
}

static void what_no_longer_fits_is_counted(void) {
  enum { LINES = 300, BYTES = 4000 };
  char line[70000], id[40], hello[200];
  brio_front *front = with_people();
  if (!front) return;
  int fd = connected(), count = 0;
  CHECK(say(fd, "{\"id\":1,\"session\":\"\"}\n") && hear(fd, line, sizeof line), "a session");
  field(line, "\"session\":\"", id, sizeof id);
  close(fd);
  CHECK(next_of(front, BRIO_FRONT_LOST, &message), "lost");
  int watcher = connected();
  CHECK(ask(front, watcher, "{\"id\":1,\"line\":\"x\"}\n", line, sizeof line), "another client");
  memset(line, 'x', BYTES);
  for (int i = 0; i < LINES; i++) {
    while (!brio_front_log(front, line, BYTES)) pause_ms(1);
    hear_bytes(watcher, BYTES + 1);
  }
  close(watcher);
  fd = connected();
  snprintf(hello, sizeof hello, "{\"id\":4,\"session\":\"%s\",\"seen\":0}\n", id);
  CHECK(say(fd, hello) && hear(fd, line, sizeof line), "back");
  const char *at = strstr(line, "\"missed\":");
  int missed = at ? atoi(at + 9) : -1;
  CHECK(missed == LINES - 256 * 1024 / (BYTES + 1), "%d missed", missed);
  while (count < LINES - missed && hear(fd, line, sizeof line)) count++;
  CHECK(count == LINES - missed && strlen(line) == BYTES, "%d lines", count);
  close(fd);
  brio_front_close(front);
}

static void the_newer_connection_of_a_client_counts(void) {
  char line[1000], id[40], hello[200];
  brio_front *front = with_people();
  if (!front) return;
  int fd = connected();
  CHECK(say(fd, "{\"id\":1,\"session\":\"\"}\n") && hear(fd, line, sizeof line), "a session");
  field(line, "\"session\":\"", id, sizeof id);
  int newer = connected();
  snprintf(hello, sizeof hello, "{\"id\":2,\"session\":\"%s\",\"seen\":0}\n", id);
  CHECK(say(newer, hello) && hear(newer, line, sizeof line) && strstr(line, "\"resumed\":true"),
        "taken over: %s", line);
  CHECK(!hear(fd, line, sizeof line), "the older one is dropped");
  CHECK(ask(front, newer, "{\"id\":3,\"line\":\"x\"}\n", line, sizeof line), "it goes on");
  CHECK(brio_front_clients(front) == 1, "%d clients", brio_front_clients(front));
  CHECK(say(newer, "{\"bye\":true}\n"), "it leaves");
  close(newer);
  CHECK(next_of(front, BRIO_FRONT_LEFT, &message), "left");
  fd = connected();
  CHECK(say(fd, hello) && hear(fd, line, sizeof line) && strstr(line, "\"resumed\":false"),
        "who left has no session: %s", line);
  close(fd);
  brio_front_close(front);
}

static void key_presses_and_clocks_are_passed_on(void) {
  char line[300];
  brio_front *front = with_people();
  if (!front) return;
  int fd = connected();
  double before = (double)brio_clock_monotonic() * 1e-9;
  CHECK(say(fd, "{\"id\":1,\"ping\":true}\n") && hear(fd, line, sizeof line), "the time");
  const char *at = strstr(line, "\"now\":");
  double now = at ? atof(at + 6) : NAN, after = (double)brio_clock_monotonic() * 1e-9;
  /* as it is rounded */
  CHECK(now > before - 1e-3 && now < after + 1e-3, "%s, between %.6f and %.6f", line, before, after);
  say(fd, "{\"id\":2,\"who\":\"a\",\"offset\":-1.5,\"offset_error\":0.25}\n{\"id\":3,\"line\":\"x\",\"t\":12."
          "5,\"t_error\":0.001}\n");
  CHECK(next_of(front, BRIO_FRONT_ATTACHED, &message) && message.offset == -1.5 &&
            message.offset_error == 0.25,
        "the offset");
  CHECK(next_of(front, BRIO_FRONT_SAY, &message) && message.input == 12.5 && message.input_error == 0.001,
        "the key press");
  say(fd, "{\"id\":4,\"line\":\"x\"}\n");
  CHECK(next_of(front, BRIO_FRONT_SAY, &message) && isnan(message.input), "none was said");
  close(fd);
  brio_front_close(front);
}

static void who_keeps_it_waiting_is_sent_away(void) {
  char line[300];
  brio_front *front = front_opened(
      (brio_front_options){.operators = people, .noperators = 2, .patience_ms = 200});
  if (!front) return;
  int slow = connected(), idle = connected(), half = connected();
  CHECK(ask(front, idle, "{\"id\":1,\"line\":\"x\"}\n", line, sizeof line), "an answer");
  say(slow, "{\"id\":1,");
  CHECK(hear(slow, line, sizeof line), "it is told");
  CHECK_HAS(line, "the end of a line was waited for");
  CHECK(!hear(slow, line, sizeof line), "and dropped");
  CHECK(shutdown(half, SHUT_WR) == 0 && !hear(half, line, sizeof line), "who says no more is gone");
  CHECK(ask(front, idle, "{\"id\":2,\"line\":\"x\"}\n", line, sizeof line), "who only waits is left alone");
  close(slow);
  close(idle);
  close(half);
  brio_front_close(front);
}

static void who_says_too_much_is_held_off(void) {
  enum { LINES = 400 };
  static char flood[LINES * 24 + 1], line[300];
  brio_front *front = with_people();
  if (!front) return;
  int fd = connected(), other = connected(), answered = 0;
  for (int i = 0; i < LINES; i++) strcat(flood, "{\"id\":1,\"ping\":true}\n");
  int64_t began = brio_clock_monotonic();
  CHECK(say(fd, flood), "said");
  CHECK(ask(front, other, "{\"id\":2,\"line\":\"x\"}\n", line, sizeof line),
        "another one is heard meanwhile");
  while (answered < LINES && hear(fd, line, sizeof line)) answered++;
  double seconds = (double)(brio_clock_monotonic() - began) * 1e-9;
  CHECK(answered == LINES, "%d are answered", answered);
  CHECK(seconds > 0.4, /* a stall makes it longer */ "200 at once and 400 a second: it took %g s", seconds);
  close(fd);
  close(other);
  brio_front_close(front);
}

/* Connections that were opened one after the other: whether exactly the first `count` were told to go. */
static bool only_first_told(const int *fds, int total, int count) {
  char peek, line[300];
  CHECK_AWAIT(count == 0 || recv(fds[count - 1], &peek, 1, MSG_PEEK | MSG_DONTWAIT) == 1, (void)0,
              "nothing is said to connection %d", count);
  for (int i = 0; i < count; i++)
    if (!hear(fds[i], line, sizeof line) || !strstr(line, "\"again\":true") || !strstr(line, "it made way"))
      return false;
  for (int i = count; i < total; i++)
    if (recv(fds[i], &peek, 1, MSG_PEEK | MSG_DONTWAIT) != -1) return false;
  return true;
}

static void a_hundred_connections_harm_nobody(void) {
  enum { MANY = 100 };
  int fds[MANY];
  char line[300];
  brio_front *front = with_people();
  if (!front) return;
  int first = connected();
  CHECK(ask(front, first, "{\"id\":1,\"line\":\"x\"}\n", line, sizeof line), "an answer");
  for (int i = 0; i < MANY; i++) fds[i] = connected();
  CHECK(ask(front, first, "{\"id\":2,\"line\":\"x\"}\n", line, sizeof line), "who was there is heard");
  /* None of the others has sent a line: the oldest of them make way for those that come. */
  CHECK(only_first_told(fds, MANY, MANY - (BRIO_FRONT_CLIENTS - 1)), "the oldest ones, in words");
  CHECK(brio_front_clients(front) == BRIO_FRONT_CLIENTS, "%d clients", brio_front_clients(front));
  for (int i = 0; i < MANY; i++) close(fds[i]);
  CHECK_AWAIT(brio_front_clients(front) == 1, (void)0, "%d clients", brio_front_clients(front));
  int fd = connected();
  CHECK(ask(front, fd, "{\"id\":1,\"line\":\"x\"}\n", line, sizeof line), "there is room again");
  close(fd);
  close(first);
  brio_front_close(front);
}

/* Leave `count` sessions whose clients may come back. */
static void leave_sessions(brio_front *front, int count) {
  char line[500];
  int before = brio_front_clients(front);
  for (int i = 0; i < count; i++) {
    int fd = connected();
    CHECK(say(fd, "{\"id\":1,\"session\":\"\"}\n") && hear(fd, line, sizeof line), "a session");
    close(fd);
  }
  CHECK_AWAIT(brio_front_clients(front) == before, serve(front), "%d clients", brio_front_clients(front));
}

/* In a process of its own: connect, report that, and send `line` once told to. Return 0 if the answer has
** `expected`. */
static pid_t one_of_another_process(uid_t uid, int told, int tells, const char *line, const char *expected) {
  char byte = 'x', answer[500] = "";
  pid_t child = fork();
  if (child != 0) return child;
  if (uid != geteuid() && setresuid(uid, uid, uid) != 0) _exit(2);
  int fd = connected();
  bool good = write(tells, &byte, 1) == 1 && read(told, &byte, 1) == 1 && say(fd, line) &&
              hear(fd, answer, sizeof answer);
  _exit(good && strstr(answer, expected) ? 0 : 1);
}

/* Who makes way: connections that never sent a line, those of the process with most of them first, and of
** these the oldest. Never one that has sent a line, is in the middle of one, or is the only one of its
** process while another process has several. */
static void who_never_spoke_makes_way(void) {
  enum { SILENT = 60, KNOWN = 4 };
  int silent[SILENT], known[KNOWN], to[2], from[2], status = -1;
  char line[500], byte = 'x';
  brio_front *front = with_people();
  if (!front) return;
  CHECK(pipe(to) == 0 && pipe(from) == 0, "%s", strerror(errno));
  /* The oldest ones: one in the middle of a line, and a silent one of another process. */
  int half = connected();
  say(half, "{\"id\":7,");
  pid_t child = one_of_another_process(geteuid(), to[0], from[1], "{\"id\":3,\"ping\":true}\n", "\"now\"");
  CHECK(read(from[0], &byte, 1) == 1, "it is connected");
  CHECK_AWAIT(brio_front_clients(front) == 2, (void)0, "%d clients", brio_front_clients(front));
  /* Places are kept for these. */
  leave_sessions(front, KNOWN);
  for (int i = 0; i < SILENT; i++) silent[i] = connected();
  /* All that speak are heard, beside the silent ones. */
  for (int i = 0; i < KNOWN; i++) {
    known[i] = connected();
    CHECK(ask(front, known[i], "{\"id\":1,\"line\":\"x\"}\n", line, sizeof line), "client %d", i);
    CHECK_HAS(line, "1 bytes");
  }
  CHECK(only_first_told(silent, SILENT, SILENT - (BRIO_FRONT_CLIENTS - 2 - KNOWN)), "the oldest ones");
  CHECK(ask(front, half, "\"line\":\"xy\"}\n", line, sizeof line), "the half line is heard to its end");
  CHECK_HAS(line, "\"id\":7,\"text\":\"2 bytes\"");
  CHECK(write(to[1], &byte, 1) == 1 && waitpid(child, &status, 0) == child && status == 0,
        "the one of another process has its place: %d", status);
  for (int i = 0; i < SILENT; i++) close(silent[i]);
  for (int i = 0; i < KNOWN; i++) close(known[i]);
  for (int i = 0; i < 2; i++) close(to[i]), close(from[i]);
  close(half);
  brio_front_close(front);
}

/* Another user needs a token to take a silent one's place: at the door it takes none. */
static void only_a_token_takes_a_place(void) {
  enum { SILENT = 40, FIRST = SILENT - BRIO_FRONT_CLIENTS };
  int silent[SILENT], to[2], from[2], status = -1;
  char byte = 'x', peek;
  brio_front *front = with_people();
  if (!front) return;
  if (geteuid() != 0) {
    brio_front_close(front);
    SKIP("only root becomes another user");
  }
  CHECK(chmod(path, 0666) == 0 && pipe(to) == 0 && pipe(from) == 0, "%s", strerror(errno));
  for (int i = 0; i < SILENT; i++) silent[i] = connected();
  CHECK(only_first_told(silent, SILENT, FIRST), "the oldest ones");
  pid_t child = one_of_another_process(65534, to[0], from[1],
                                       "{\"id\":1,\"who\":\"a\",\"token\":\"0123456789abcdef\"}\n",
                                       "\"role\":\"wizard\"");
  CHECK(read(from[0], &byte, 1) == 1, "it is connected");
  CHECK(recv(silent[FIRST], &peek, 1, MSG_PEEK | MSG_DONTWAIT) == -1, "nobody went for it yet");
  CHECK(write(to[1], &byte, 1) == 1 && waitpid(child, &status, 0) == child && status == 0,
        "with its token it has a place: %d", status);
  CHECK(only_first_told(silent + FIRST, SILENT - FIRST, 1), "the next one went");
  for (int i = 0; i < SILENT; i++) close(silent[i]);
  for (int i = 0; i < 2; i++) close(to[i]), close(from[i]);
  brio_front_close(front);
}

/* A front that a group shares; NULL where this user may not give a socket to a group. */
static brio_front *with_a_group(char *hello, size_t size) {
  brio_error err = {0};
  snprintf(path, sizeof path, "/tmp/brio-test-%d.sock", (int)getpid());
  brio_front *front = brio_front_open(&(brio_front_options){.socket = path, .group = "root"}, &err);
  if (front) snprintf(hello, size, "{\"id\":1,\"who\":\"ann\",\"token\":\"%s\"}\n", brio_front_token(front));
  return front;
}

static void silent_connections_keep_nobody_out(void) {
  enum { SILENT = 60, KNOWN = 4 };
  int silent[SILENT], known[KNOWN];
  char line[500], hello[200];
  brio_front *front = with_a_group(hello, sizeof hello);
  if (!front) SKIP("this user may not give a socket to a group");
  for (int i = 0; i < SILENT; i++) silent[i] = connected();
  for (int i = 0; i < KNOWN; i++) {
    known[i] = connected();
    CHECK(say(known[i], hello) && hear(known[i], line, sizeof line), "an answer to client %d", i);
    CHECK_HAS(line, "\"role\":\"author\"");
  }
  CHECK(hear(silent[0], line, sizeof line), "the first silent one is told");
  CHECK_HAS(line, "this one was silent for the longest");
  for (int i = 0; i < SILENT; i++) close(silent[i]);
  for (int i = 0; i < KNOWN; i++) close(known[i]);
  brio_front_close(front);
}

/* As another user: fill the queue of connections, then attach `count` times with a token; the exit code is
** the number of accepted ones. */
static int attach_as_nobody(const char *hello, int count) {
  char line[500];
  int in = 0;
  if (setresuid(65534, 65534, 65534) != 0) return 255;
  for (int i = 0; i < 30; i++) connected();
  for (int i = 0; i < count; i++) {
    int fd = connected();
    if (say(fd, hello) && hear(fd, line, sizeof line) && strstr(line, "\"role\"")) in++;
  }
  return in;
}

static void one_user_has_not_all_places(void) {
  enum { TRIED = 20, MAY = 16 };
  char line[500], hello[200];
  int status = 0;
  if (geteuid() != 0) SKIP("only root becomes another user");
  brio_front *front = with_a_group(hello, sizeof hello);
  CHECK(front && chmod(path, 0666) == 0, "the socket is for all");
  if (!front) return;
  pid_t child = fork();
  if (child == 0) _exit(attach_as_nobody(hello, TRIED));
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status), "the other user's process ends");
  CHECK(WEXITSTATUS(status) == MAY, "%d of its clients are let in", WEXITSTATUS(status));
  int fd = connected();
  CHECK(say(fd, hello) && hear(fd, line, sizeof line), "an answer to its user");
  CHECK_HAS(line, "\"role\":\"author\"");
  close(fd);
  brio_front_close(front);
}

/* ---- a gamepad, through a pipe, while the script thread stands still ---- */

enum { TOO_MANY = 3000 /* events: more than may wait */ };

/* What the script thread knows. */
typedef struct pad_state {
  bool there, pressed;
  int anew;
} pad_state;

static void send_event(int fd, int type, int code, int value) {
  struct input_event event = {0};
  event.type = (unsigned short)type, event.code = (unsigned short)code, event.value = value;
  CHECK(write(fd, &event, sizeof event) == (ssize_t)sizeof event, "%s", strerror(errno));
}

/* Press a button, and move a stick until no event finds room. */
static void send_too_much(int fd) {
  send_event(fd, EV_KEY, BTN_SOUTH, 1);
  for (int i = 0; i < TOO_MANY; i++) send_event(fd, EV_ABS, ABS_X, i);
}

/* Bytes that the front has not read yet. */
static int pipe_holds(int fd) {
  int left = 0;
  return ioctl(fd, FIONREAD, &left) == 0 ? left : 0;
}

/* Take what waits, as the script thread does. */
static void take_presses(brio_front *front, pad_state *k) {
  brio_gamepad_event event;
  while (brio_front_gamepad_poll(front, &event)) {
    if (event.kind == BRIO_GAMEPAD_FOUND) k->there = true;
    if (event.kind == BRIO_GAMEPAD_LOST) k->there = false;
    if (event.kind == BRIO_GAMEPAD_BUTTON) k->pressed = event.value == 1;
    else if (event.kind != BRIO_GAMEPAD_AXIS) k->pressed = false;
    k->anew += event.kind == BRIO_GAMEPAD_ANEW;
  }
}

/* What found no room is made up for, even if the gamepad sends nothing more. */
static void lost_presses_are_made_up_for(void) {
  brio_front_gamepad_options options = {.npanic = 0};
  pad_state k = {0};
  char folder[] = "/tmp/brio-pad-XXXXXX", pad[80];
  int fd = -1;
  CHECK(mkdtemp(folder), "%s", folder);
  snprintf(pad, sizeof pad, "%s/pad", folder);
  snprintf(options.path, sizeof options.path, "%s", pad);
  CHECK(mkfifo(pad, 0600) == 0, "%s", pad);
  brio_front *front = front_opened((brio_front_options){.gamepad = &options});
  if (!front) return;
  CHECK_AWAIT(fd >= 0, fd = open(pad, O_WRONLY | O_NONBLOCK), "nobody reads the pipe");
  fcntl(fd, F_SETFL, 0); /* writing waits for the front */
  send_too_much(fd);
  send_event(fd, EV_KEY, BTN_SOUTH, 0); /* this one, at least, is lost */
  CHECK_AWAIT(pipe_holds(fd) == 0, (void)0, "%d bytes are left", pipe_holds(fd));
  pause_ms(20);
  CHECK_AWAIT(k.there && !k.pressed && k.anew > 0, take_presses(front, &k), "pressed: %d", k.pressed);
  /* The end finds no room either. */
  send_too_much(fd);
  close(fd);
  pause_ms(200);
  CHECK_AWAIT(!k.there && !k.pressed, take_presses(front, &k), "there: %d", k.there);
  brio_front_close(front);
  unlink(pad);
  rmdir(folder);
}

CHECK_SUITE(CHECK_TEST(a_token_says_who_and_what), CHECK_TEST(more_than_a_token_says_is_refused),
            CHECK_TEST(a_client_that_was_lost_comes_back), CHECK_TEST(what_no_longer_fits_is_counted),
            CHECK_TEST(the_newer_connection_of_a_client_counts),
            CHECK_TEST(key_presses_and_clocks_are_passed_on), CHECK_TEST(who_keeps_it_waiting_is_sent_away),
            CHECK_TEST(who_says_too_much_is_held_off), CHECK_TEST(a_hundred_connections_harm_nobody),
            CHECK_TEST(silent_connections_keep_nobody_out), CHECK_TEST(one_user_has_not_all_places),
            CHECK_TEST(who_never_spoke_makes_way), CHECK_TEST(only_a_token_takes_a_place),
            CHECK_TEST(lost_presses_are_made_up_for))
