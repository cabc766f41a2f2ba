/* Clouds over sockets and shared memory, whole and in pieces, and faulty segments: too small, resized,
** deleted, overwritten while they are read. */
#include "cloud/files/file.h"
#include "tests/engine/feed/sender.h"

enum { POINTS = 1000, SLOT = 64 + 64 + 20000, SLOTS = 3, SEGMENT = 64 + SLOTS * SLOT };

static unsigned char frame_bytes[64 + 19 * POINTS];

/* A raw frame of `count` points, all of them at x = `x`; return its length. */
static size_t raw_frame(int count, float x, double time) {
  brio_cloud *cloud = brio_cloud_new(NULL);
  brio_cloud_resize(cloud, count, 1, BRIO_CLOUD_COLORS, NULL);
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < 3; k++) cloud->points[i][k] = k == 0 ? x : (float)i;
    memset(cloud->colors[i], 7, 3);
  }
  cloud->time = time;
  size_t length = brio_cloud_frame_size(cloud);
  brio_cloud_frame_write(cloud, 1, frame_bytes);
  brio_cloud_free(cloud);
  return length;
}

static void put(unsigned char *at, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++, value >>= 8) at[i] = (unsigned char)value;
}

/* Send the frame in datagrams of `size` bytes, in an order given by `stride`. */
static void send_pieces(int fd, uint32_t number, size_t length, size_t size, int stride) {
  static unsigned char piece[65536];
  int pieces = (int)((length + size - 1) / size);
  for (int i = 0; i < pieces; i++) {
    size_t k = (size_t)(i * stride % pieces), at = k * size, has = length - at < size ? length - at : size;
    memcpy(piece, "BRPP", 4);
    put(piece + 4, number, 4);
    put(piece + 8, length, 4);
    put(piece + 12, size, 4);
    put(piece + 16, k, 4);
    put(piece + 20, (uint64_t)pieces, 4);
    memcpy(piece + 24, frame_bytes + at, has);
    (void)!send(fd, piece, has + 24, 0);
  }
}

static void clouds_come_in_pieces_in_any_order(void) {
  brio_feed *feed = open_feed("udp:0", BRIO_FEED_CLOUDS);
  brio_cloud *cloud = brio_cloud_new(NULL);
  int fd = udp_sender(feed);
  size_t length = raw_frame(POINTS, 2, NAN);
  send_pieces(fd, 1, length, 1000, 7);
  bool got = false;
  WAIT_FOR(got, got = brio_feed_cloud(feed, now_s(), cloud));
  CHECK(cloud->count == POINTS && cloud->points[999][0] == 2 && cloud->points[999][1] == 999 &&
            cloud->colors[3][1] == 7,
        "%d", cloud->count);
  /* a frame with a false head is refused when it is whole */
  send_pieces(fd, 2, length / 2 + 500, 1000, 1);
  WAIT_FOR(report_of(feed).counts.refused[BRIO_FEED_CUT] == 1, (void)0);
  say(fd, "BRPPtoo short");
  WAIT_FOR(report_of(feed).counts.refused[BRIO_FEED_FIELD] == 1, (void)0);
  static unsigned char one[24 + 8];
  memcpy(one, "BRPP", 4);
  put(one + 4, 3, 4), put(one + 8, 16, 4), put(one + 12, 8, 4), put(one + 16, 0, 4), put(one + 20, 2, 4);
  (void)!send(fd, one, sizeof one, 0); /* the first of two, and then another frame */
  send_pieces(fd, 4, length, 1000, 1);
  got = false;
  WAIT_FOR(got, got = brio_feed_cloud(feed, now_s(), cloud));
  CHECK(report_of(feed).counts.refused[BRIO_FEED_CUT] == 2, "the one that was overtaken");
  close(fd);
  brio_feed_close(feed);
  brio_cloud_free(cloud);
}

/* A program that sends one frame, and starts again, numbers it as before. */
static void a_sender_that_comes_back_may_count_alike(void) {
  brio_feed *feed = open_feed("udp:0", BRIO_FEED_CLOUDS);
  brio_cloud *cloud = brio_cloud_new(NULL);
  for (int i = 0; i < 3; i++) {
    int fd = udp_sender(feed);
    bool got = false;
    /* sent again if it was lost because the machine stood still */
    for (int again = 0; !got && again < 10; again++) {
      send_pieces(fd, 1, raw_frame(POINTS, (float)i, NAN), 1000, 1);
      for (int k = 0; k < 1000 && !(got = brio_feed_cloud(feed, now_s(), cloud)); k++) pause_ms(2);
    }
    CHECK(got && cloud->points[0][0] == (float)i, "start %d", i);
    close(fd);
    pause_ms(400); /* longer than a sender may be silent */
  }
  brio_feed_close(feed);
  brio_cloud_free(cloud);
}

static void small_clouds_come_as_lines(void) {
  char where[64];
  snprintf(where, sizeof where, "unix:/tmp/%s.sock", check_own);
  brio_feed *feed = open_feed(where, BRIO_FEED_CLOUDS);
  if (!feed) return;
  brio_cloud *cloud = brio_cloud_new(NULL);
  int fd = unix_sender(where + 5);
  bool got = false;
  say(fd, "{\"t\": 3, \"frame\": \"eye\", \"width\": 2, \"points\": [[1, 2, 3], [null, null, null], [4, 5, "
          "6], [1e30, 0, 0]], "
          "\"colors\": [[255, 0, 0], [0, 0, 0], [1, 2, 3], [0, 0, 0]]}\n");
  WAIT_FOR(got, got = brio_feed_cloud(feed, now_s(), cloud));
  CHECK(cloud->width == 2 && cloud->height == 2 && cloud->missing == 2 && strcmp(cloud->frame, "eye") == 0,
        "%d x %d", cloud->width, cloud->height);
  CHECK(cloud->points[2][1] == 5 && cloud->colors[0][0] == 255 && !brio_cloud_has(cloud, 1),
        "points and colors");
  static const char *const bad[] = {"{\"points\": 3}",
                                    "{\"points\": [[1, 2]]}",
                                    "{\"colors\": []}",
                                    "{\"points\": [[1,2,3]], \"colors\": [[1,2,3],[1,2,3]]}",
                                    "{\"points\": [[1,2,3],[1,2,3],[1,2,3]], \"width\": 2}",
                                    "{\"points\": [[1,2,3]], \"colors\": [[1,2,300]]}",
                                    "[]"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) say(fd, "%s\n", bad[i]);
  size_t length = raw_frame(POINTS, 5, NAN);
  (void)!send(fd, frame_bytes, length, MSG_NOSIGNAL); /* a whole frame behind them, on the same stream */
  got = false;
  WAIT_FOR(got, got = brio_feed_cloud(feed, now_s(), cloud));
  CHECK(cloud->count == POINTS && cloud->points[0][0] == 5, "%d", cloud->count);
  brio_feed_counts counts = report_of(feed).counts;
  CHECK(counts.refused[BRIO_FEED_SYNTAX] == 2 && counts.refused[BRIO_FEED_CUT] == 1 &&
            counts.refused[BRIO_FEED_FIELD] == 3 && counts.refused[BRIO_FEED_NUMBER] == 1,
        "%lld %lld", (long long)counts.refused[BRIO_FEED_SYNTAX], (long long)counts.refused[BRIO_FEED_FIELD]);
  close(fd);
  brio_feed_close(feed);
  brio_cloud_free(cloud);
}

/* ---- shared memory ---- */

typedef struct segment {
  char name[64];
  int fd;
  uint64_t newest, slot;
} segment;

static void make_segment(segment *s, size_t size) {
  unsigned char head[64] = {'B', 'R', 'P', 'S'};
  snprintf(s->name, sizeof s->name, "/%s", check_own);
  s->fd = shm_open(s->name, O_RDWR | O_CREAT | O_TRUNC, 0600);
  CHECK(s->fd >= 0 && ftruncate(s->fd, (off_t)size) == 0, "%s", strerror(errno));
  put(head + 4, 1, 2), put(head + 6, SLOTS, 2), put(head + 8, SLOT, 8);
  CHECK(size < sizeof head || pwrite(s->fd, head, sizeof head, 0) == sizeof head, "%s", strerror(errno));
  s->newest = 0;
}

static void write_at(const segment *s, const void *bytes, size_t count, size_t at) {
  CHECK(pwrite(s->fd, bytes, count, (off_t)at) == (ssize_t)count, "%s", strerror(errno));
}

static void write_number(const segment *s, uint64_t value, size_t at) {
  unsigned char bytes[8];
  put(bytes, value, 8);
  write_at(s, bytes, 8, at);
}

/* Write the frame of `length` bytes as the next one. */
static void write_frame(segment *s, size_t length) {
  size_t at = 64 + s->newest % SLOTS * SLOT;
  s->newest++;
  write_number(s, 2 * s->newest - 1, at);
  write_number(s, length, at + 8);
  if (length <= sizeof frame_bytes) write_at(s, frame_bytes, length, at + 64);
  write_number(s, 2 * s->newest, at);
  write_number(s, s->newest, 16);
}

static void end_segment(segment *s) {
  close(s->fd);
  shm_unlink(s->name);
}

static brio_feed *open_segment(const segment *s) {
  char where[96];
  snprintf(where, sizeof where, "shm:%s", s->name + 1);
  return open_feed(where, BRIO_FEED_CLOUDS);
}

static void clouds_come_over_shared_memory(void) {
  segment s;
  brio_cloud *cloud = brio_cloud_new(NULL);
  make_segment(&s, SEGMENT);
  brio_feed *feed = open_segment(&s);
  for (int i = 1; i <= 10; i++) {
    bool got = false;
    write_frame(&s, raw_frame(POINTS - i, (float)i, 100 + i * 0.1));
    WAIT_FOR(got, got = brio_feed_cloud(feed, now_s(), cloud));
    CHECK(cloud->count == POINTS - i && cloud->points[0][0] == (float)i, "frame %d has %d", i, cloud->count);
  }
  brio_feed_close(feed);
  brio_cloud_free(cloud);
  end_segment(&s);
}

/* While a writer writes at full speed, no frame that is read mixes two. */
static void no_frame_is_made_of_two(void) {
  segment s;
  brio_cloud *cloud = brio_cloud_new(NULL);
  make_segment(&s, SEGMENT);
  brio_feed *feed = open_segment(&s);
  int taken = 0, torn = 0;
  for (int i = 1; i <= 3000 || (taken < 5 && i < 200000); i++) {
    write_frame(&s, raw_frame(POINTS, (float)(i % 1000), NAN));
    if (!brio_feed_cloud(feed, now_s(), cloud)) continue;
    taken++;
    for (int k = 1; k < cloud->count; k++) torn += cloud->points[k][0] != cloud->points[0][0];
  }
  CHECK(taken >= 5 && torn == 0, "%d taken, %d torn", taken, torn);
  brio_feed_close(feed);
  brio_cloud_free(cloud);
  end_segment(&s);
}

static void a_segment_that_is_not_right_is_refused_and_may_become_right(void) {
  segment s;
  brio_cloud *cloud = brio_cloud_new(NULL);
  bool got = false;
  make_segment(&s, 10); /* too small for its head */
  brio_feed *feed = open_segment(&s);
  WAIT_FOR(report_of(feed).counts.refused[BRIO_FEED_SEGMENT] > 0, (void)0);
  CHECK(ftruncate(s.fd, 100) == 0, "%s", strerror(errno));
  write_at(&s, "something else altogether, of 64 bytes or more, which is no head", 64, 0);
  int64_t before = report_of(feed).counts.refused[BRIO_FEED_SEGMENT];
  WAIT_FOR(report_of(feed).counts.refused[BRIO_FEED_SEGMENT] > before + 1, (void)0);
  make_segment(&s, SEGMENT); /* in the same place, as it should be */
  write_frame(&s, raw_frame(POINTS, 3, NAN));
  WAIT_FOR(got, got = brio_feed_cloud(feed, now_s(), cloud));
  write_frame(&s, 1 << 30); /* a frame longer than its slot */
  WAIT_FOR(report_of(feed).counts.refused[BRIO_FEED_LENGTH] > 0, (void)0);
  CHECK(ftruncate(s.fd, 64 + 200) == 0, "%s", strerror(errno)); /* it shrinks while it is in use */
  write_number(&s, 4, 16); /* the slot where the first one was */
  write_number(&s, 2000, 64 + 8);
  write_number(&s, 2, 64);
  before = report_of(feed).counts.refused[BRIO_FEED_SEGMENT];
  WAIT_FOR(report_of(feed).counts.refused[BRIO_FEED_SEGMENT] > before, (void)0);
  brio_feed_close(feed);
  brio_cloud_free(cloud);
  end_segment(&s);
}

static void a_segment_that_vanishes_may_come_back(void) {
  segment s;
  brio_cloud *cloud = brio_cloud_new(NULL);
  bool got = false;
  snprintf(s.name, sizeof s.name, "/%s", check_own);
  brio_feed *feed = open_segment(&s); /* before anybody has made it */
  make_segment(&s, SEGMENT);
  write_frame(&s, raw_frame(POINTS, 3, NAN));
  WAIT_FOR(got, got = brio_feed_cloud(feed, now_s(), cloud));
  end_segment(&s);
  make_segment(&s, SEGMENT); /* another one of the same name */
  write_frame(&s, raw_frame(POINTS, 4, NAN));
  got = false;
  WAIT_FOR(got, got = brio_feed_cloud(feed, now_s(), cloud));
  CHECK(cloud->points[0][0] == 4, "%g", (double)cloud->points[0][0]);
  brio_feed_close(feed);
  brio_cloud_free(cloud);
  end_segment(&s);
}

/* More clouds than the run reads are dropped, and the memory of the recycled ones is bounded. */
static void a_run_that_does_not_take_them_holds_up_nobody(void) {
  segment s;
  make_segment(&s, SEGMENT);
  brio_feed *feed = open_segment(&s);
  WAIT_FOR(report_of(feed).counts.refused[BRIO_FEED_ROOM] > 0, write_frame(&s, raw_frame(POINTS, 3, NAN)));
  brio_feed_close(feed);
  end_segment(&s);
}

CHECK_SUITE(CHECK_TEST(clouds_come_in_pieces_in_any_order),
            CHECK_TEST(a_sender_that_comes_back_may_count_alike), CHECK_TEST(small_clouds_come_as_lines),
            CHECK_TEST(clouds_come_over_shared_memory), CHECK_TEST(no_frame_is_made_of_two),
            CHECK_TEST(a_segment_that_is_not_right_is_refused_and_may_become_right),
            CHECK_TEST(a_segment_that_vanishes_may_come_back),
            CHECK_TEST(a_run_that_does_not_take_them_holds_up_nobody))
