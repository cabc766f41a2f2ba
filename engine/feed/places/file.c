/* Messages from a file of JSON lines (or binary messages), as they were once sent, at the recorded speed:
** the first one counts at the beginning, each further one at its `sent` (or else its t) after the first; so
** late messages are late again. On the fast clock a tick gets all messages that are due, however fast the
** machine is, so that a run repeats bit for bit. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "feed/feed_internal.h"
#include "feed/input/recording.h"

enum { PIECE = 1 << 16 };

/* The state of reading a file. */
typedef struct file {
  int fd;
  brio_feed_recording recording;
  brio_feed_lines lines;
} file;

/* Open a file for reading. False: file_close frees what there is. */
static bool file_open(brio_feed *feed, const char *rest, brio_error *err) {
  struct stat about;
  file *link = calloc(1, sizeof *link);
  if (!link) return brio_fail(err, BRIO_NO_MEMORY, "no memory for a feed");
  feed->link = link;
  brio_feed_recording_start(&link->recording, feed);
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

/* The end of the file. Return whether it is read again from its beginning. */
static bool end_of_file(brio_feed *feed, file *link) {
  const char *bytes;
  size_t length;
  if (brio_feed_lines_last(&link->lines, &bytes, &length))
    brio_feed_recording_hear(feed, &link->recording, bytes, length);
  else if (brio_feed_lines_cut(&link->lines))
    brio_feed_refuse(&feed->meter, BRIO_FEED_CUT, "the file ends within a line");
  /* A round without a message would repeat for ever. */
  if (!feed->options.again || link->recording.frames == 0 || lseek(link->fd, 0, SEEK_SET) != 0) return false;
  brio_feed_lines_clear(&link->lines);
  brio_feed_recording_again(&link->recording);
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
  else if (piece == BRIO_FEED_WHOLE) brio_feed_recording_hear(feed, &link->recording, bytes, length);
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
