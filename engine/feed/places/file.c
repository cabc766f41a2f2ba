/* Messages from a file of JSON lines (or binary messages), as they were once sent, at the recorded speed:
** the first one counts at the beginning, each further one at its `sent` (or else its t) after the first; so
** late messages are late again. On the fast clock a tick gets all messages that are due, however fast the
** machine is, so that a run repeats bit for bit. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "feed/feed_internal.h"

enum { PIECE = 1 << 16 };

/* The state of reading a file. */
typedef struct file {
  int fd;
  double first, newest; /* t of the messages, s; NaN: none yet */
  double begin;         /* s of the run: when this round began */
  double due;           /* s of the run: of the message before */
  int64_t frames;       /* messages of this round */
  brio_feed_lines lines;
} file;

/* Open a file for reading. False: file_close frees what there is. */
static bool file_open(brio_feed *feed, const char *rest, brio_error *err) {
  struct stat about;
  file *link = calloc(1, sizeof *link);
  if (!link) return brio_fail(err, BRIO_NO_MEMORY, "no memory for a feed");
  feed->link = link;
  link->first = link->newest = NAN;
  link->begin = link->due = feed->options.begin;
  /* Non-blocking, so that opening a pipe by mistake does not wait. */
  link->fd = open(rest, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (link->fd < 0 || fstat(link->fd, &about) != 0)
    return brio_fail(err, BRIO_NO_FILE, "%.200s cannot be read: %s", rest, strerror(errno));
  if (!S_ISREG(about.st_mode)) return brio_fail(err, BRIO_NO_FILE, "%.200s is no file", rest);
  return brio_feed_lines_start(&link->lines, brio_feed_longest(feed) + 1, brio_feed_binary_of(feed)) ||
         brio_fail(err, BRIO_NO_MEMORY, "no memory for a feed");
}

/* Close the file; part of it may be missing after a failed opening. */
static void file_close(brio_feed *feed) {
  file *link = feed->link;
  if (link->fd >= 0) close(link->fd);
  brio_feed_lines_end(&link->lines);
  free(link);
}

/* When a message counts, s of the run; one without a time counts with the one before. Times never
** decrease. */
static double due_of(brio_feed *feed, file *link, double t) {
  if (isnan(t)) return link->due;
  /* The first message is the origin of the file's time. */
  if (isnan(link->first)) link->first = t;
  if (t < link->newest)
    brio_feed_refuse(&feed->meter, BRIO_FEED_ORDER, "t = %.3f comes after %.3f: it counts with that", t,
                     link->newest);
  link->newest = fmax(t, link->newest);
  /* At the recorded speed, or `speed` times as fast. */
  return fmax(link->due, link->begin + (t - link->first) / feed->options.speed);
}

/* Read one message, and hand its detections over, with the time at which they count. */
static void hear(brio_feed *feed, file *link, const char *bytes, size_t length) {
  brio_feed_message *message = &feed->message;
  brio_feed_meter_came(&feed->meter, length);
  if (!brio_feed_read(bytes, length, &feed->reading, message, &feed->meter) || !message->seen) return;
  double t = message->frame.sensed, late = message->sent - t; /* NaN: one of them is not given */
  if (!(late > 0)) late = 0;
  link->due = message->frame.due = due_of(feed, link, t + late);
  /* It was seen before it was sent: by the recorded delay, scaled. */
  message->frame.sensed = link->due - late / feed->options.speed;
  link->frames++;
  brio_feed_hand_over(feed, &message->frame, true);
}

/* The end of the file. Return whether it is read again from its beginning. */
static bool end_of_file(brio_feed *feed, file *link) {
  const char *bytes;
  size_t length;
  if (brio_feed_lines_last(&link->lines, &bytes, &length)) hear(feed, link, bytes, length);
  else if (brio_feed_lines_cut(&link->lines))
    brio_feed_refuse(&feed->meter, BRIO_FEED_CUT, "the file ends within a line");
  /* A round without a message would repeat for ever. */
  if (!feed->options.again || link->frames == 0 || lseek(link->fd, 0, SEEK_SET) != 0) return false;
  brio_feed_lines_clear(&link->lines);
  link->begin = link->due + 0.001; /* a round takes time, even if its messages have equal times */
  link->first = link->newest = NAN;
  link->frames = 0;
  return true;
}

/* Read up to PIECE bytes. False: the end, or an error (counted). */
static bool read_some(brio_feed *feed, file *link) {
  size_t room;
  char *back = brio_feed_lines_back(&link->lines, &room);
  ssize_t count = read(link->fd, back, room < PIECE ? room : PIECE);
  /* An error ends the file; it is counted. */
  if (count < 0)
    return brio_feed_refuse(&feed->meter, BRIO_FEED_READ, "%s: %s", feed->where, strerror(errno));
  if (count == 0) return end_of_file(feed, link);
  brio_feed_lines_add(&link->lines, (size_t)count);
  return true;
}

/* One round of the thread: one message, or one read; after the end, a pause. */
static void file_work(brio_feed *feed) {
  file *link = feed->link;
  const char *bytes;
  size_t length;
  brio_feed_piece piece = brio_feed_lines_next(&link->lines, &bytes, &length);
  /* After the end of the file: pause; else one message, or one more read. */
  if (atomic_load_explicit(&feed->over, memory_order_relaxed)) brio_feed_rest(BRIO_FEED_WAIT_MS);
  else if (piece == BRIO_FEED_WHOLE) hear(feed, link, bytes, length);
  else if (piece == BRIO_FEED_TOO_LONG)
    brio_feed_refuse(&feed->meter, BRIO_FEED_LENGTH, "a message of more than %zu bytes",
                     brio_feed_longest(feed));
  else if (!read_some(feed, link)) atomic_store_explicit(&feed->over, true, memory_order_release);
}

const brio_feed_place brio_feed_place_file = {
    .name = "file",
    .contents = {true, false},
    .open = file_open,
    .work = file_work,
    .close = file_close,
};
