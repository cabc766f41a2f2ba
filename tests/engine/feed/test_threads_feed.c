/* Feeds with real sockets: messages over UDP and a Unix socket, answers, and faulty senders.  Waits are for
** conditions, with long timeouts: only an event that must not happen gets a short time. */
#include "tests/engine/feed/sender.h"

#define CUP "{\"class\": \"cup\", \"pose\": [1, 2, 3]}"

static void detections_come_over_udp(void) {
  brio_feed *feed = open_feed("udp:0", BRIO_FEED_DETECTIONS);
  int fd = udp_sender(feed), count = 0;
  for (int i = 0; i < 10; i++)
    say(fd, "{\"seq\": %d, \"t\": %d.5, \"detections\": [" CUP ", " CUP "]}", i, i);
  say(fd, "{\"detections\": [" CUP "]}\n{\"detections\": [" CUP "]}\n"); /* two lines in a datagram */
  WAIT_FOR(count == 22 || report_of(feed).counts.refused[BRIO_FEED_OLD] +
                                  report_of(feed).counts.refused[BRIO_FEED_FUTURE] >
                              0,
           count += drain(feed));
  brio_feed_report report = report_of(feed);
  CHECK_HAS(report.sender, "127.0.0.1:");
  close(fd);
  brio_feed_close(feed);
}

static void times_are_those_of_the_run(void) {
  brio_feed *feed = open_feed("udp:0", BRIO_FEED_DETECTIONS);
  int fd = udp_sender(feed);
  const brio_feed_frame *frame = NULL;
  say(fd, "{\"t\": 1000.0, \"sent\": 1000.25, \"detections\": [" CUP "]}");
  WAIT_FOR(frame, frame = brio_feed_next(feed, 50));
  if (frame)
    CHECK(frame->sensed <= 49.75 && frame->sensed > 49.75 - PATIENCE,
          "%g: a quarter of a second before it was sent", frame->sensed);
  close(fd);
  brio_feed_close(feed);
}

static void late_and_doubled_numbers_are_passed_over(void) {
  brio_feed *feed = open_feed_that_waits("udp:0", BRIO_FEED_DETECTIONS, 1e6);
  int fd = udp_sender(feed), count = 0;
  static const int numbers[] = {5, 6, 6, 4, 7};
  for (int i = 0; i < 5; i++) say(fd, "{\"seq\": %d, \"detections\": [" CUP "]}", numbers[i]);
  WAIT_FOR(report_of(feed).counts.messages == 5 && (count += drain(feed)) >= 3, (void)0);
  CHECK(count == 3 && report_of(feed).counts.refused[BRIO_FEED_ORDER] == 2, "%d", count);
  close(fd);
  brio_feed_close(feed);
}

/* A second sender is refused while the first is there, and accepted when it is silent. */
static void one_sender_at_a_time_is_heard(void) {
  brio_feed *feed = open_feed_that_waits("udp:0", BRIO_FEED_DETECTIONS, 1e6);
  int first = udp_sender(feed), second = udp_sender(feed), count = 0;
  say(first, "{\"detections\": [" CUP "]}");
  WAIT_FOR((count += drain(feed)) == 1, (void)0);
  brio_feed_report before = report_of(feed);
  WAIT_FOR(report_of(feed).counts.refused[BRIO_FEED_STRANGER] > 0, {
    say(first, "{\"detections\": []}");
    say(second, "{\"detections\": [" CUP "]}");
    drain(feed);
  });
  CHECK(strcmp(report_of(feed).sender, before.sender) == 0, "still the first");
  close(first);
  close(second);
  brio_feed_close(feed);
  feed = open_feed("udp:0", BRIO_FEED_DETECTIONS);
  first = udp_sender(feed), second = udp_sender(feed);
  say(first, "{\"detections\": []}");
  WAIT_FOR(report_of(feed).sender[0], (void)0);
  before = report_of(feed);
  WAIT_FOR((drain(feed), strcmp(report_of(feed).sender, before.sender) != 0),
           say(second, "{\"detections\": [" CUP "]}"));
  close(first);
  close(second);
  brio_feed_close(feed);
}

static void garbage_makes_nobody_the_sender(void) {
  brio_feed *feed = open_feed("udp:0", BRIO_FEED_DETECTIONS);
  int bad = udp_sender(feed), good = udp_sender(feed), count = 0;
  say(bad, "garbage");
  WAIT_FOR(report_of(feed).counts.refused[BRIO_FEED_SYNTAX] == 1, (void)0);
  CHECK(report_of(feed).sender[0] == 0, "'%s'", report_of(feed).sender);
  say(good, "{\"detections\": [" CUP "]}");
  WAIT_FOR((count += drain(feed)) == 1, (void)0);
  close(bad);
  close(good);
  brio_feed_close(feed);
}

static brio_feed_request request_of(int64_t number, const char *text) {
  brio_feed_request request = {.number = number, .length = strlen(text)};
  memcpy(request.text, text, request.length);
  return request;
}

static void a_request_is_sent_until_it_is_acknowledged(void) {
  brio_feed *feed = open_feed("udp:0", BRIO_FEED_DETECTIONS);
  int fd = udp_sender(feed);
  brio_feed_request request = request_of(7, "{\"request\": 7}\n");
  brio_feed_ask(feed, &request);
  say(fd, "{\"detections\": []}"); /* from now on it is known where to */
  for (int i = 0; i < 3; i++) CHECK_HAS(hear_back(fd, (int)(PATIENCE * 1000)), "\"request\": 7");
  WAIT_FOR(brio_feed_asked(feed)->sends >= 3, (void)0);
  CHECK(brio_feed_asked(feed)->acknowledged == 0, "not yet");
  say(fd, "{\"ack\": 6}");
  say(fd, "{\"ack\": 7, \"refused\": \"there is no model 'x'\"}");
  WAIT_FOR(brio_feed_asked(feed)->acknowledged == 7, (void)0);
  CHECK_HAS(brio_feed_asked(feed)->refused, "no model");
  while (*hear_back(fd, 0)) {}
  CHECK(*hear_back(fd, 300) == 0, "no more is sent");
  close(fd);
  brio_feed_close(feed);
}

/* A sender that crashed and came back has no memory of the requests. */
static void a_new_sender_is_asked_again(void) {
  brio_feed *feed = open_feed("udp:0", BRIO_FEED_DETECTIONS);
  int fd = udp_sender(feed);
  brio_feed_request request = request_of(1, "{\"request\": 1}\n");
  brio_feed_ask(feed, &request);
  say(fd, "{\"detections\": []}");
  CHECK_HAS(hear_back(fd, (int)(PATIENCE * 1000)), "\"request\": 1");
  say(fd, "{\"ack\": 1}");
  WAIT_FOR(brio_feed_asked(feed)->acknowledged == 1, (void)0);
  close(fd);
  fd = udp_sender(feed);
  const char *back = "";
  double end = now_s() + PATIENCE;
  while (!*back && now_s() < end) {
    say(fd, "{\"detections\": []}");
    back = hear_back(fd, 20);
    drain(feed);
  }
  CHECK_HAS(back, "\"request\": 1");
  close(fd);
  brio_feed_close(feed);
}

/* A sender that starts again at the same address counts anew, and does not know the request: after a silence,
** or at once, when its numbers stay behind. */
static void a_sender_that_starts_again_counts_anew(void) {
  for (int quick = 0; quick < 2; quick++) {
    brio_feed *feed = open_feed_that_waits("udp:0", BRIO_FEED_DETECTIONS, quick ? 1e6 : 0.3);
    int fd = udp_sender(feed), count = 0, number = 0;
    brio_feed_request request = request_of(1, "{\"request\": 1}\n");
    brio_feed_ask(feed, &request);
    say(fd, "{\"seq\": 100000, \"detections\": [" CUP "]}");
    CHECK_HAS(hear_back(fd, (int)(PATIENCE * 1000)), "\"request\": 1");
    say(fd, "{\"ack\": 1}");
    WAIT_FOR((count += drain(feed)) == 1 && brio_feed_asked(feed)->acknowledged == 1, (void)0);
    while (*hear_back(fd, 20)) continue; /* what was asked before the answer */
    if (!quick) pause_ms(400);
    WAIT_FOR((count += drain(feed)) > 1, say(fd, "{\"seq\": %d, \"detections\": [" CUP "]}", ++number));
    int refused = (int)report_of(feed).counts.refused[BRIO_FEED_ORDER];
    CHECK(refused == (quick ? 50 : 0), "%d of %d were refused", refused, number);
    CHECK_HAS(hear_back(fd, (int)(PATIENCE * 1000)), "\"request\": 1");
    close(fd);
    brio_feed_close(feed);
  }
}

static void messages_come_over_a_unix_socket_in_any_pieces(void) {
  char where[64];
  snprintf(where, sizeof where, "unix:/tmp/%s.sock", check_own);
  brio_feed *feed = open_feed(where, BRIO_FEED_DETECTIONS);
  if (!feed) return;
  int fd = unix_sender(where + 5), count = 0;
  static char bytes[1 << 16];
  size_t length = (size_t)sprintf(bytes,
                                  "{\"detections\": [" CUP "]}\n\nnot JSON\n{\"detections\": [" CUP "]}\r\n");
  static brio_feed_message message;
  brio_feed_message_start(&message);
  message.frame.count = 1;
  message.number = 1;
  message.frame.seen[0] = (brio_feed_seen){.detection = BRIO_DETECTION_BLANK, .has = BRIO_FEED_HAS_POSE};
  strcpy(message.frame.seen[0].detection.kind, "bin");
  length += brio_feed_write_binary(&message, bytes + length, sizeof bytes - length);
  length += (size_t)sprintf(bytes + length, "{\"detections\": [" CUP "]}\n");
  for (size_t at = 0; at < length; at += 3)
    (void)!send(fd, bytes + at, length - at < 3 ? length - at : 3, MSG_NOSIGNAL);
  WAIT_FOR((count += drain(feed)) >= 4, (void)0);
  CHECK(count == 4 && report_of(feed).counts.refused[BRIO_FEED_SYNTAX] == 1, "%d", count);
  brio_feed_request request = request_of(2, "{\"request\": 2}\n");
  brio_feed_ask(feed, &request);
  CHECK_HAS(hear_back(fd, (int)(PATIENCE * 1000)), "\"request\": 2");
  say(fd, "{\"detections\": [");
  close(fd);
  WAIT_FOR(report_of(feed).counts.refused[BRIO_FEED_CUT] == 1, (void)0);
  fd = unix_sender(where + 5); /* it returns at once */
  say(fd, "{\"detections\": [" CUP "]}\n");
  WAIT_FOR((count += drain(feed)) == 5, (void)0);
  say(fd, "{\"detections\": [" CUP "]}"); /* whole, without its newline */
  close(fd);
  WAIT_FOR((count += drain(feed)) == 6, (void)0);
  CHECK(report_of(feed).counts.refused[BRIO_FEED_CUT] == 1, "it is not cut off");
  brio_feed_close(feed);
  CHECK(access(where + 5, F_OK) != 0, "the socket is taken away");
}

/* A path that another program has taken meanwhile is left to it. */
static void another_programs_socket_stays(void) {
  char where[64];
  snprintf(where, sizeof where, "unix:/tmp/%s.taken", check_own);
  brio_feed *feed = open_feed(where, BRIO_FEED_DETECTIONS);
  if (!feed) return;
  CHECK(unlink(where + 5) == 0, "%s", where);
  FILE *other = fopen(where + 5, "w");
  CHECK(other, "%s", where + 5);
  if (other) fclose(other);
  brio_feed_close(feed);
  CHECK(access(where + 5, F_OK) == 0, "what another program made is gone");
  unlink(where + 5);
}

/* A line of 100 MB is skipped, whatever it contains; the next line is read. */
static void a_hundred_megabytes_without_an_end_are_passed_over(void) {
  enum { PIECE = 1 << 16 };
  char where[64];
  static char piece[PIECE];
  snprintf(where, sizeof where, "unix:/tmp/%s.sock", check_own);
  brio_feed *feed = open_feed(where, BRIO_FEED_DETECTIONS);
  if (!feed) return;
  int fd = unix_sender(where + 5), count = 0, pieces = check_scale() > 1 ? 1600 : 160;
  memset(piece, '[', sizeof piece);
  say(fd, "{\"detections\": [" CUP "]}\n");
  for (int i = 0; i < pieces; i++)
    for (size_t at = 0; at < PIECE;) {
      ssize_t sent = send(fd, piece + at, PIECE - at, MSG_NOSIGNAL);
      if (sent <= 0) break;
      at += (size_t)sent;
    }
  say(fd, "\n{\"detections\": [" CUP "]}\n");
  WAIT_FOR((count += drain(feed)) == 2, (void)0);
  CHECK(report_of(feed).counts.refused[BRIO_FEED_LENGTH] == 1, "said once");
  close(fd);
  brio_feed_close(feed);
}

/* Messages beyond the limit are counted as unread, the sender is still served, and a flood from one sender
** does not keep the thread from ending. */
static void a_flood_is_counted(void) {
  brio_feed *feed = open_feed("udp:0", BRIO_FEED_DETECTIONS);
  int fd = udp_sender(feed), count = 0;
  say(fd, "{\"detections\": [" CUP "]}");
  WAIT_FOR((count += drain(feed)) == 1, (void)0);
  for (int i = 0; i < 5000; i++) say(fd, "garbage {[%d", i);
  WAIT_FOR(report_of(feed).counts.refused[BRIO_FEED_RATE] > 0, say(fd, "garbage"));
  brio_feed_note note;
  int notes = 0;
  while (brio_feed_next_note(feed, &note)) notes++;
  CHECK(notes <= 4, "%d sentences", notes);
  WAIT_FOR((count += drain(feed)) > 1, say(fd, "{\"detections\": [" CUP "]}"));
  close(fd);
  brio_feed_close(feed);
}

/* Frames wait for a run that does not read them, up to a bound. */
static void what_nobody_takes_is_refused(void) {
  brio_feed *feed = open_feed("udp:0", BRIO_FEED_DETECTIONS);
  int fd = udp_sender(feed);
  int said = 0;
  WAIT_FOR(report_of(feed).counts.refused[BRIO_FEED_ROOM] > 0,
           (said++, say(fd, "{\"detections\": [" CUP "]}")));
  WAIT_FOR(report_of(feed).counts.messages == said, (void)0); /* none comes while they are taken */
  CHECK(drain(feed) <= 16, "no more than there is room for");
  close(fd);
  brio_feed_close(feed);
}

/* A file may end without a newline: its last message counts, unless it is cut off. */
static void the_last_line_of_a_file_counts(void) {
  static const char *const ends[] = {"\n", "", " \r", ",", "\n{\"detections\": ["};
  for (int i = 0; i < 5; i++) {
    char where[64];
    snprintf(where, sizeof where, "file:/tmp/%s.jsonl", check_own);
    FILE *file = fopen(where + 5, "w");
    fprintf(file, "{\"detections\": [" CUP "]}\n{\"t\": 1, \"detections\": [" CUP "]}%s", ends[i]);
    fclose(file);
    brio_feed *feed = open_feed(where, BRIO_FEED_DETECTIONS);
    int count = 0, seen = i == 3 ? 1 : 2;
    WAIT_FOR((count += drain(feed)) == seen && report_of(feed).over, (void)0);
    CHECK(report_of(feed).counts.refused[BRIO_FEED_CUT] == (i >= 3), "end %d", i);
    brio_feed_close(feed);
    unlink(where + 5);
  }
}

static void places_that_are_none_are_refused(void) {
  static const char *const bad[] = {"",
                                    "udp",
                                    "udp:",
                                    "udp:70000",
                                    "udp:x:1",
                                    "udp:1.2.3.4.5:1",
                                    "udp:203.0.113.9:7001",
                                    "unix:",
                                    "unix:/nowhere/at/all",
                                    "file:/nowhere",
                                    "file:/",
                                    "shm:x",
                                    "tcp:1",
                                    "udp:7001x"};
  brio_error err;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    brio_feed_options options = {.where = bad[i], .detector = 1};
    err.message[0] = 0;
    CHECK(!brio_feed_open(&options, &err) && err.message[0], "'%s' was opened", bad[i]);
  }
  brio_feed_options live = {.where = "udp:0", .detector = 1, .lockstep = true};
  CHECK(!brio_feed_open(&live, &err), "live in lockstep");
  CHECK_HAS(err.message, "real clock");
}

CHECK_SUITE(CHECK_TEST(detections_come_over_udp), CHECK_TEST(times_are_those_of_the_run),
            CHECK_TEST(late_and_doubled_numbers_are_passed_over),
            CHECK_TEST(a_sender_that_starts_again_counts_anew), CHECK_TEST(one_sender_at_a_time_is_heard),
            CHECK_TEST(garbage_makes_nobody_the_sender),
            CHECK_TEST(a_request_is_sent_until_it_is_acknowledged), CHECK_TEST(a_new_sender_is_asked_again),
            CHECK_TEST(messages_come_over_a_unix_socket_in_any_pieces),
            CHECK_TEST(another_programs_socket_stays),
            CHECK_TEST(a_hundred_megabytes_without_an_end_are_passed_over), CHECK_TEST(a_flood_is_counted),
            CHECK_TEST(what_nobody_takes_is_refused),
            CHECK_TEST(the_last_line_of_a_file_counts), CHECK_TEST(places_that_are_none_are_refused))
