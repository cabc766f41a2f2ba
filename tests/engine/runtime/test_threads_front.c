/* The front: many clients at once, some of them sending rubbish, while a script thread polls. */
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/stat.h>

#include "base/random.h"
#include "runtime/front/front_internal.h"
#include "runtime/live_poses.h"
#include "runtime/motor/panic.h"
#include "tests/engine/runtime/front_help.h"

static brio_front *opened(void) { return front_opened((brio_front_options){.about = "{\"made\":1}"}); }

static void requests_are_answered(void) {
  static const struct { const char *line, *answer;
  } pairs[] = {
      {"{\"id\":7,\"line\":\"hello\"}\n", "{\"id\":7,\"text\":\"5 bytes\"}"},
      {"{\"id\":8,\"complete\":\"he\"}\r\n", "{\"id\":8,\"text\":\"2 bytes\"}"},
      {" { \"line\" : \"a\\n\\u00e9\\ud83d\\ude00\\\"\\\\\" , \"id\" : 1 } \n",
       "{\"id\":1,\"text\":\"10 bytes\"}"},
      {"{\"id\":9}\n", "{\"id\":9,\"client\":1,\"about\":{\"made\":1},\"role\":\"author\"}"},
      {"{\"id\":1,\"who\":\"ann\\u0007\"}\n", "{\"id\":1,\"client\":1,\"about\":{\"made\":1},"},
      {"rubbish\n", "{\"id\":0,\"error\":\"a JSON object was expected"},
      {"{\"id\":3,\"lin\":1}\n", "{\"id\":3,\"error\":\"there is no field 'lin'"},
      {"{\"id\":4,\"line\":\"a\",\"stop\":true}\n", "exactly one of"},
      {"{\"id\":1e300}\n", "id must be a whole number"},
      {"{\"line\":\"\\x\"}\n", "wrong escape"},
      {"{\"line\":\"\\u12\"}\n", "wrong escape"},
      {"{\"line\":\"a\n", "does not end"},
      {"{} {}\n", "there is text after"},
      {"{\"id\":5,\"stop\":true}\n", "{\"id\":5,\"text\":\"the run ends"},
  };
  brio_front *front = opened();
  if (!front) return;
  int fd = connected();
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    char line[500] = "";
    CHECK(ask(front, fd, pairs[i].line, line, sizeof line), "no answer to %s", pairs[i].line);
    CHECK_HAS(line, pairs[i].answer);
  }
  CHECK(brio_front_stops(front) == 1, "%d stops", brio_front_stops(front));
  CHECK(brio_front_clients(front) == 1, "%d clients", brio_front_clients(front));
  close(fd);
  brio_front_close(front);
  CHECK(access(path, F_OK) != 0, "the socket is gone");
}

/* Read exactly that many bytes; false: the connection ended. */
static bool read_bytes(int fd, unsigned char *out, size_t length) {
  for (size_t n = 0; n < length;) {
    ssize_t got = recv(fd, out + n, length - n, 0);
    if (got <= 0) return false;
    n += (size_t)got;
  }
  return true;
}

/* Read a frame of two axes. */
static bool read_frame(int fd, int *source, double *time, float values[2]) {
  unsigned char bytes[2 + BRIO_LIVE_HEAD + 8];
  if (!read_bytes(fd, bytes, sizeof bytes)) return false;
  CHECK(bytes[0] == BRIO_LIVE_HEAD + 8 && bytes[1] == 0, "length %d", bytes[0]);
  CHECK(bytes[2] == BRIO_LIVE_VERSION && bytes[4] == 2 && bytes[5] == 0, "version %d, axes %d", bytes[2],
        bytes[4]);
  *source = bytes[3];
  memcpy(time, bytes + 10, sizeof *time);
  memcpy(values, bytes + 18, 8);
  return true;
}

/* A frame with the pose of the base behind the values, which are left out before it has one. */
static void a_base_that_moves_is_in_the_frames(void) {
  brio_live_poses *board = brio_live_poses_new(60);
  unsigned char bytes[BRIO_LIVE_MOST];
  brio_live_pose *pose = brio_live_poses_back(board);
  for (int i = 0; i < 120; i++) pose->values[i] = (float)i;
  pose->time = 3;
  pose->number = 9;
  brio_live_poses_publish(board);
  const brio_live_pose *newest = brio_live_poses_newest(board);
  CHECK(newest && !brio_live_poses_base(board), "no base yet");
  CHECK(brio_live_pose_frame(newest, NULL, 60, BRIO_LIVE_COMMAND, bytes) == 256, "a frame of 60 axes");
  CHECK(bytes[1] == BRIO_LIVE_COMMAND, "source %d", bytes[1]);
  /* The newest of two poses; 60 axes and a base fit into 300 bytes. */
  brio_live_poses_stand(board, &(brio_pose){{9, 9, 9}, {0, 0, 0, 1}});
  brio_live_poses_stand(board, &(brio_pose){{1, -2, 0.5}, {0, 0, 0.6, 0.8}});
  const float *base = brio_live_poses_base(board), expected[] = {1, -2, 0.5F, 0, 0, 0.6F, 0.8F};
  size_t length = brio_live_pose_frame(newest, base, 60, BRIO_LIVE_MEASURED, bytes);
  CHECK(length == 284 && length <= 300, "%zu bytes", length);
  CHECK(bytes[0] == 2 && bytes[1] == (BRIO_LIVE_MEASURED | 0x80), "source %d", bytes[1]);
  CHECK(memcmp(bytes + 256, expected, sizeof expected) == 0, "the pose of the base");
  /* Nothing new: the last one holds. */
  CHECK(brio_live_poses_base(board) && brio_live_poses_base(board)[0] == 1, "the base stands");
  brio_live_poses_drop(board);
}

static void show_pose(brio_live_poses *board, double time) {
  brio_live_pose *pose = brio_live_poses_back(board);
  pose->time = time;
  pose->number = (uint32_t)time;
  for (int i = 0; i < 4; i++) pose->values[i] = (float)(time + i);
  brio_live_poses_publish(board);
}

static void frames_of_poses_are_sent(void) {
  static const char *const wrong[] = {"{\"id\":1,\"feed\":0}\n", "{\"feed\":1000}\n", "{\"feed\":\"x\"}\n",
                                      "{\"feed\":9,\"of\":\"goal\"}\n"};
  brio_front *front = opened();
  brio_live_poses *board = brio_live_poses_new(2);
  char line[300] = "";
  int source = -1;
  double time = 0;
  float values[2] = {0};
  if (!front || !board) return;
  int fd = connected();
  /* Before the run is put together, and with a wrong request. */
  CHECK(say(fd, "{\"id\":1,\"feed\":50}\n") && hear(fd, line, sizeof line), "an answer");
  CHECK_HAS(line, "no poses yet");
  brio_front_show(front, board);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    CHECK(say(fd, wrong[i]) && hear(fd, line, sizeof line), "an answer to %s", wrong[i]);
    CHECK_HAS(line, "must be");
  }
  CHECK(!brio_live_poses_watched(board), "nobody watches");
  /* The feed: measurements, then those of a second client, commands. */
  CHECK(say(fd, "{\"id\":2,\"feed\":200}\n") && hear(fd, line, sizeof line), "an answer");
  CHECK_HAS(line, "{\"id\":2,\"feed\":200,\"axes\":2}");
  CHECK(brio_live_poses_watched(board), "somebody watches");
  show_pose(board, 7);
  CHECK(read_frame(fd, &source, &time, values), "a frame");
  CHECK(source == BRIO_LIVE_MEASURED && time == 7 && values[0] == 7 && values[1] == 8, "%g: %g %g", time,
        values[0], values[1]);
  int other = connected();
  CHECK(say(other, "{\"feed\":200,\"of\":\"command\"}\n") && hear(other, line, sizeof line), "an answer");
  CHECK(read_frame(other, &source, &time, values), "a frame");
  CHECK(source == BRIO_LIVE_COMMAND && values[0] == 9 && values[1] == 10, "%g %g", values[0], values[1]);
  /* Lines to all do not come between frames. */
  brio_front_log(front, "{\"log\":1}", 9);
  show_pose(board, 8);
  for (int i = 0; i < 20 && time < 8; i++) CHECK(read_frame(other, &source, &time, values), "a frame");
  close(fd);
  close(other);
  for (int i = 0; i < 10 * CHECK_PATIENCE && brio_live_poses_watched(board); i++) pause_ms(100);
  CHECK(!brio_live_poses_watched(board), "the last one has left");
  brio_front_close(front);
  brio_live_poses_drop(board);
}

static void the_socket_is_its_users(void) {
  struct stat about;
  brio_error err = {0};
  brio_front *front = opened();
  if (!front) return;
  CHECK(stat(path, &about) == 0 && (about.st_mode & 0777) == 0600, "mode %o", about.st_mode & 0777);
  CHECK(!brio_front_open(&(brio_front_options){.socket = path}, &err), "two engines at one socket");
  CHECK_HAS(err.message, "a running engine listens at");
  CHECK(access(path, F_OK) == 0, "the socket is still there");
  brio_front_close(front);
}

static void what_an_ended_engine_left_is_replaced(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  brio_error err = {0};
  int left = socket(AF_UNIX, SOCK_STREAM, 0);
  memcpy(address.sun_path, path, strlen(path) + 1);
  CHECK(bind(left, (struct sockaddr *)&address, sizeof address) == 0, "bind");
  close(left);
  brio_front *front = opened();
  brio_front_close(front);
  FILE *file = fopen(path, "w");
  fclose(file);
  CHECK(!brio_front_open(&(brio_front_options){.socket = path}, &err), "a file is no socket");
  CHECK_HAS(err.message, "is no socket");
  unlink(path);
  CHECK(!brio_front_open(&(brio_front_options){.socket = "/nowhere/at/all.sock"}, &err), "no folder");
  CHECK_HAS(err.message, "/nowhere/at/all.sock");
  char longer[300] = "/tmp/";
  memset(longer + 5, 'x', 200);
  CHECK(!brio_front_open(&(brio_front_options){.socket = longer}, &err), "a long path");
  CHECK_HAS(err.message, "107");
  CHECK(!brio_front_open(&(brio_front_options){.group = "root"}, &err), "a group in the user's own folder");
}

static void a_folder_of_somebody_else_is_passed_by(void) {
  char parent[] = "/tmp/brio-test-XXXXXX", usual[100], folder[200], again[200];
  brio_error err = {0}, why = {0};
  CHECK(mkdtemp(parent), "a folder");
  snprintf(usual, sizeof usual, "%s/brio", parent);
  CHECK(brio_front_folder(usual, folder, sizeof folder, &why, &err), "%s", err.message);
  CHECK(strcmp(folder, usual) == 0 && why.code == BRIO_OK, "%s", folder);
  CHECK(rmdir(usual) == 0 && symlink("/tmp", usual) == 0, "somebody else's");
  CHECK(brio_front_folder(usual, folder, sizeof folder, &why, &err), "%s", err.message);
  CHECK_HAS(why.message, "is no folder");
  CHECK(strncmp(folder, usual, strlen(usual)) == 0 && strlen(folder) == strlen(usual) + 7, "%s", folder);
  CHECK(brio_front_folder(usual, again, sizeof again, &why, &err), "%s", err.message);
  CHECK(strcmp(again, folder) == 0, "%s is used again, not %s", folder, again);
  CHECK(unlink(usual) == 0 && rmdir(folder) == 0, "they are removed");
  if (geteuid() == 0) {
    CHECK(mkdir(usual, 0700) == 0 && chown(usual, 65534, 65534) == 0, "another user's");
    CHECK(brio_front_folder(usual, folder, sizeof folder, &why, &err), "%s", err.message);
    CHECK_HAS(why.message, "belongs to another user (65534)");
    CHECK(rmdir(usual) == 0 && rmdir(folder) == 0, "they are removed");
  }
  CHECK(rmdir(parent) == 0, "nothing is left");
}

static void a_group_needs_the_token(void) {
  brio_error err = {0};
  struct stat about;
  char line[500], hello[200];
  snprintf(path, sizeof path, "/tmp/brio-test-%d.sock", (int)getpid());
  brio_front *front = brio_front_open(&(brio_front_options){.socket = path, .group = "root"}, &err);
  if (!front && geteuid() != 0) SKIP("this user may not give a socket to a group");
  CHECK(front, "%s", err.message);
  if (!front) return;
  CHECK(stat(path, &about) == 0 && (about.st_mode & 0777) == 0660, "mode %o", about.st_mode & 0777);
  CHECK(stat(brio_front_token_file(front), &about) == 0 && (about.st_mode & 0777) == 0600, "token's mode");
  int fd = connected();
  CHECK(ask(front, fd, "{\"id\":1,\"line\":\"state\"}\n", line, sizeof line), "no answer");
  CHECK_HAS(line, "token");
  CHECK(!hear(fd, line, sizeof line) && brio_front_clients(front) == 0, "it is sent away");
  close(fd);
  fd = connected();
  snprintf(hello, sizeof hello, "{\"id\":1,\"token\":\"%s\",\"line\":\"state\"}\n", brio_front_token(front));
  CHECK(ask(front, fd, hello, line, sizeof line), "no answer");
  CHECK_HAS(line, "5 bytes");
  close(fd);
  char token[200];
  snprintf(token, sizeof token, "%s", brio_front_token_file(front));
  brio_front_close(front);
  CHECK(access(token, F_OK) != 0, "the token's file is gone");
}

static void long_lines_are_refused_and_the_next_is_heard(void) {
  enum { LONG = 200000 };
  brio_front *front = opened();
  if (!front) return;
  int fd = connected();
  char *text = malloc(LONG), line[300];
  memset(text, 'x', LONG - 1);
  text[LONG - 2] = '\n';
  text[LONG - 1] = 0;
  CHECK(ask(front, fd, text, line, sizeof line), "no answer");
  CHECK_HAS(line, "65536 bytes at most");
  CHECK(ask(front, fd, "{\"id\":2,\"line\":\"x\"}\n", line, sizeof line), "no answer");
  CHECK_HAS(line, "1 bytes");
  memset(text, 'y', BRIO_FRONT_LINE);
  memcpy(text, "{\"id\":3,\"line\":\"", 16);
  memcpy(text + BRIO_FRONT_LINE - 2, "\"}\n", 4);
  CHECK(ask(front, fd, text, line, sizeof line), "no answer");
  CHECK_HAS(line, "65518 bytes");
  free(text);
  close(fd);
  brio_front_close(front);
}

static void seventeenth_is_told_so(void) {
  brio_front *front = opened();
  int fds[BRIO_FRONT_CLIENTS + 1];
  char line[300];
  if (!front) return;
  for (int i = 0; i < BRIO_FRONT_CLIENTS; i++) {
    fds[i] = connected();
    CHECK(ask(front, fds[i], "{\"id\":1,\"line\":\"x\"}\n", line, sizeof line), "client %d", i + 1);
  }
  CHECK(brio_front_clients(front) == BRIO_FRONT_CLIENTS, "%d clients", brio_front_clients(front));
  fds[BRIO_FRONT_CLIENTS] = connected();
  CHECK(hear(fds[BRIO_FRONT_CLIENTS], line, sizeof line), "it is told");
  CHECK_HAS(line, "as many prompts");
  for (int i = 0; i <= BRIO_FRONT_CLIENTS; i++) close(fds[i]);
  CHECK_AWAIT(brio_front_clients(front) == 0, (void)0, "%d clients", brio_front_clients(front));
  int fd = connected();
  CHECK(ask(front, fd, "{\"id\":1,\"line\":\"x\"}\n", line, sizeof line), "there is room again");
  close(fd);
  brio_front_close(front);
}

static void a_client_that_does_not_read_is_dropped(void) {
  brio_front *front = opened();
  if (!front) return;
  char *line = malloc(BRIO_FRONT_LINE), *heard = malloc(BRIO_FRONT_LINE);
  int fd = connected(), quiet = connected();
  CHECK_AWAIT(brio_front_clients(front) == 2, (void)0, "%d clients", brio_front_clients(front));
  memset(line, 'x', BRIO_FRONT_LINE);
  for (int i = 0; i < 200 && brio_front_clients(front) == 2; i++) { /* 13 MB */
    while (!brio_front_log(front, line, BRIO_FRONT_LINE)) sched_yield();
    /* without its end */
    CHECK(recv(fd, heard, BRIO_FRONT_LINE, MSG_WAITALL) == BRIO_FRONT_LINE, "line %d does not come", i);
    CHECK(recv(fd, heard, 1, MSG_WAITALL) == 1, "line %d does not end", i);
  }
  CHECK_AWAIT(brio_front_clients(front) == 1, (void)0, "%d clients", brio_front_clients(front));
  free(line);
  free(heard);
  close(fd);
  close(quiet);
  brio_front_close(front);
}

/* Push line `number`, of 1000 bytes. */
static void push_numbered(brio_front *front, int number) {
  char line[1000];
  memset(line, ' ', sizeof line);
  line[snprintf(line, sizeof line, "{\"push\":%d", number)] = ' ';
  line[sizeof line - 1] = '}';
  while (!brio_front_push(front, 1, line, sizeof line)) sched_yield();
}

static void what_a_subscriber_does_not_read_is_dropped_and_counted(void) {
  enum { LINES = 3000 }; /* 3 MB: more than a socket and the front hold */
  brio_front *front = opened();
  if (!front) return;
  int fd = connected(), heard = 0, lost = 0, number = -1, dropped;
  CHECK_AWAIT(brio_front_clients(front) == 1, (void)0, "%d clients", brio_front_clients(front));
  for (int i = 0; i < LINES; i++) push_numbered(front, i);
  CHECK(brio_front_clients(front) == 1, "the client was sent away");
  /* whatever is heard: what came and what is said to be dropped are all up to it */
  for (int next = LINES; number < LINES; next++) {
    char line[2000];
    push_numbered(front, next);
    if (!hear(fd, line, sizeof line)) break;
    if (sscanf(line, "{\"dropped\":%d}", &dropped) == 1) lost += dropped;
    else if (sscanf(line, "{\"push\":%d", &number) == 1)
      CHECK(++heard + lost == number + 1, "%d came, %d were dropped up to %d", heard, lost, number);
  }
  CHECK(number >= LINES && lost > 0, "line %d is the last, %d were dropped", number, lost);
  char line[BRIO_FRONT_LINE + 1] = "{}";
  CHECK(!brio_front_push(front, 1, line, sizeof line), "a line that is too long is taken");
  CHECK_AWAIT(brio_front_push(front, 99, line, 2), (void)0, "nobody there is no failure");
  close(fd);
  brio_front_close(front);
}

/* ---- many at once ---- */

static atomic_int answers, talking;

/* A random line; returns whether it is certain to be answered. */
static bool make_line(brio_random *random, char *line, size_t size) {
  static const char letters[] = "{}[]\":,\\ulinestopcmd0123456789 \t\r\n\x01\xff";
  size_t length = brio_random_below(random, 60);
  if (brio_random_below(random, 3) > 0) {
    snprintf(line, size, "{\"id\":%d,\"line\":\"word\"}\n", (int)brio_random_below(random, 1000));
    return true;
  }
  for (size_t i = 0; i < length; i++) line[i] = letters[brio_random_below(random, sizeof letters - 1)];
  line[length] = '\n';
  line[length + 1] = 0;
  return false;
}

/* An accepted connection: it got an answer.  Closed ones may still count for a while. */
static int let_in(void) {
  char answer[2000];
  for (;;) {
    int fd = connected();
    if (fd < 0) return -1;
    say(fd, "{\"id\":1,\"line\":\"word\"}\n");
    if (hear(fd, answer, sizeof answer) && !strstr(answer, "as many prompts")) return fd;
    close(fd);
    pause_ms(1);
  }
}

static void *talk(void *context) {
  brio_random random = brio_random_stream(*(uint64_t *)context, "client");
  int rounds = (int)(40 * check_scale());
  for (int round = 0; round < rounds; round++) {
    int fd = let_in();
    for (int i = 0; i < 20 && fd >= 0; i++) {
      char line[200];
      bool word = make_line(&random, line, sizeof line);
      say(fd, line);
      struct pollfd answer = {.fd = fd, .events = POLLIN};
      bool waits = brio_random_below(&random, 4) == 0 && word && poll(&answer, 1, 1000 * CHECK_PATIENCE) == 1;
      if (waits && recv(fd, (char[2000]){0}, 2000, MSG_DONTWAIT) > 0) atomic_fetch_add(&answers, 1);
    }
    if (fd >= 0) close(fd); /* often with answers unread */
  }
  atomic_fetch_sub(&talking, 1);
  return NULL;
}

static void many_clients_talk_rubbish(void) {
  enum { TALKERS = 8 };
  pthread_t threads[TALKERS];
  uint64_t seeds[TALKERS];
  brio_front *front = opened();
  int served = 0;
  char line[300];
  if (!front) return;
  atomic_store(&talking, TALKERS);
  for (int i = 0; i < TALKERS; i++) {
    seeds[i] = (uint64_t)i + 1;
    CHECK(pthread_create(&threads[i], NULL, talk, &seeds[i]) == 0, "thread");
  }
  while (atomic_load(&talking) > 0) {
    served += serve(front);
    brio_front_log(front, "{\"log\":\"x\"}", 11);
    pause_ms(1);
  }
  for (int i = 0; i < TALKERS; i++) pthread_join(threads[i], NULL);
  CHECK_AWAIT(brio_front_clients(front) == 0, served += serve(front), "%d clients",
              brio_front_clients(front));
  CHECK(served > 100 && atomic_load(&answers) > 100, "%d served, %d answers", served, atomic_load(&answers));
  int fd = connected();
  CHECK(fd >= 0 && say(fd, "{\"id\":77,\"line\":\"x\"}\n"), "one more");
  bool found = false;
  for (int i = 0; i < 200 && !found; i++)
    found = ask(front, fd, "{\"id\":77,\"line\":\"x\"}\n", line, sizeof line) && strstr(line, "\"id\":77");
  CHECK(found, "the front is well: %s", line);
  printf("#   seeds 1 to %d, scale %g: %d messages served\n", TALKERS, check_scale(), served);
  close(fd);
  brio_front_close(front);
}

/* A named input that means the panic stop raises it even when no thread polls. */
static void a_named_input_is_the_panic_stop(void) {
  static const char *const names[] = {"stop_button", "mat"};
  static const struct { const char *line; bool panics;
  } cases[] = {
      {"{\"id\":1,\"line\":\"input stop_button true\"}\n", true},
      {"{\"id\":2,\"line\":\"  input  mat  true \"}\n", true},
      {"{\"id\":3,\"line\":\"input stop_button false\"}\n", false},
      {"{\"id\":4,\"line\":\"input stop_butto true\"}\n", false},
      {"{\"id\":5,\"line\":\"input stop_button true or\"}\n", false},
      {"{\"id\":6,\"line\":\"input stop_button\"}\n", false},
      {"{\"id\":7,\"complete\":\"input stop_button true\"}\n", false},
  };
  brio_error err = {0};
  snprintf(path, sizeof path, "/tmp/brio-test-%d.sock", (int)getpid());
  brio_front *front = brio_front_open(&(brio_front_options){.socket = path, .panic = names, .npanic = 2},
                                      &err);
  CHECK(front, "%s", err.message);
  int fd = connected(), served = 0;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    unsigned before = brio_panic_count();
    CHECK(say(fd, cases[i].line), "said");
    /* no thread polls */
    if (cases[i].panics) CHECK_AWAIT(brio_panic_count() != before, (void)0, "%s", cases[i].line);
    CHECK_AWAIT(served == (int)i + 1, served += serve(front), "line %d does not wait for the scripts, too",
                (int)i + 1);
    CHECK((brio_panic_count() != before) == cases[i].panics, "%s", cases[i].line);
  }
  close(fd);
  brio_front_close(front);
  const char *long_name[] = {"a_name_of_more_than_sixty_three_letters_which_is_too_long_for_an_input"};
  CHECK(!brio_front_open(&(brio_front_options){.socket = path, .panic = long_name, .npanic = 1}, &err),
        "too long");
  CHECK_HAS(err.message, "is too long");
}

CHECK_SUITE(CHECK_TEST(a_named_input_is_the_panic_stop), CHECK_TEST(requests_are_answered),
            CHECK_TEST(a_base_that_moves_is_in_the_frames), CHECK_TEST(frames_of_poses_are_sent),
            CHECK_TEST(the_socket_is_its_users), CHECK_TEST(what_an_ended_engine_left_is_replaced),
            CHECK_TEST(a_folder_of_somebody_else_is_passed_by), CHECK_TEST(a_group_needs_the_token),
            CHECK_TEST(long_lines_are_refused_and_the_next_is_heard), CHECK_TEST(seventeenth_is_told_so),
            CHECK_TEST(a_client_that_does_not_read_is_dropped),
            CHECK_TEST(what_a_subscriber_does_not_read_is_dropped_and_counted),
            CHECK_TEST(many_clients_talk_rubbish))
