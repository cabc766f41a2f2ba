/* Messages over a Unix socket of this machine: a stream of lines and binary messages, from one program at a
** time. brio listens; a program that connects is the sender until it disconnects. Only the socket's owner
** may connect. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "feed/feed_internal.h"

/* Reads in one round, and bytes per read: one sender must not occupy the thread. */
enum {
  AT_ONCE = 16,           /* pieces that are read in one go */
  PIECE = 1 << 16,
};

/* The listening socket, and the one connection. */
typedef struct stream {
  int door, fd;           /* listening socket; the connection; -1: none */
  bool greeted; /* its name was reported: its first valid message has come */
  char path[sizeof((struct sockaddr_un *)0)->sun_path];
  bool made;              /* the path was created by this feed, which removes it */
  dev_t device;           /* with the inode: the file at the path, in case another program replaces it */
  ino_t inode;
  brio_feed_lines lines;
} stream;

/* The path as the kernel's address. */
static struct sockaddr_un address_of(const stream *link) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  memcpy(address.sun_path, link->path, sizeof address.sun_path);
  return address;
}

/* Whether a program listens at the path; a full queue (EAGAIN) counts, too. */
static bool is_taken(const stream *link) {
  struct sockaddr_un address = address_of(link);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  bool taken = fd >= 0 &&
               (connect(fd, (const struct sockaddr *)&address, sizeof address) == 0 || errno == EAGAIN);
  if (fd >= 0) close(fd);
  return taken;
}

/* Remove a socket that an earlier run left behind; never anything else. */
static void clear_path(const stream *link) {
  struct stat about;
  if (lstat(link->path, &about) == 0 && S_ISSOCK(about.st_mode) && !is_taken(link)) unlink(link->path);
}

/* Listen at the path, with a mode that keeps other users out from the beginning. False: with the error. */
static bool listen_at(brio_feed *feed, stream *link, brio_error *err) {
  struct sockaddr_un address = address_of(link);
  clear_path(link);
  link->door = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  /* fchmod before bind: the file is created with that mode. */
  bool good = link->door >= 0 && fchmod(link->door, 0600) == 0 &&
              bind(link->door, (const struct sockaddr *)&address, sizeof address) == 0;
  struct stat about;
  link->made = good && lstat(link->path, &about) == 0;
  if (link->made) link->device = about.st_dev, link->inode = about.st_ino;
  if (good && listen(link->door, 4) == 0) return true;
  return brio_fail(err, BRIO_IO, "%.100s cannot be heard: %s", feed->where, strerror(errno));
}

/* Open the socket. The buffer has one byte more than the longest message, for its newline. */
static bool unix_open(brio_feed *feed, const char *rest, brio_error *err) {
  stream *link = calloc(1, sizeof *link);
  if (!link) return brio_fail(err, BRIO_NO_MEMORY, "no memory for a feed");
  /* No descriptor yet, so that closing is safe. */
  feed->link = link;
  link->door = link->fd = -1;
  if (!*rest || strlen(rest) >= sizeof link->path)
    return brio_fail(err, BRIO_MISUSE, "the path of a socket has from 1 to %zu bytes, not %zu",
                     sizeof link->path - 1, strlen(rest));
  snprintf(link->path, sizeof link->path, "%s", rest);
  if (!brio_feed_lines_start(&link->lines, brio_feed_longest(feed) + 1, brio_feed_binary_of(feed)))
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for a feed");
  return listen_at(feed, link, err);
}

/* Whether the file at the path is still the one that this feed made. */
static bool is_own(const stream *link) {
  struct stat about;
  return link->made && lstat(link->path, &about) == 0 && about.st_dev == link->device &&
         about.st_ino == link->inode;
}

/* Close everything, and remove the path if this feed made it. */
static void unix_close(brio_feed *feed) {
  stream *link = feed->link;
  if (is_own(link)) unlink(link->path);
  if (link->fd >= 0) close(link->fd);
  if (link->door >= 0) close(link->door);
  brio_feed_lines_end(&link->lines);
  free(link);
}

/* The connected program becomes the feed's sender, named by its process id. */
static void unix_greet(brio_feed *feed) {
  stream *link = feed->link;
  char name[BRIO_FEED_SENDER];
  /* Credentials are set by the kernel: they cannot be forged. */
  struct ucred who = {0};
  socklen_t size = sizeof who;
  getsockopt(link->fd, SOL_SOCKET, SO_PEERCRED, &who, &size);
  snprintf(name, sizeof name, "process %ld", (long)who.pid);
  link->greeted = true;
  brio_feed_greet(feed, name);
}

/* End the connection: the sender closed it, or is cut off. */
static void hang_up(brio_feed *feed, stream *link) {
  const char *bytes;
  size_t length;
  /* The last line may lack its newline; an incomplete message is lost with its connection. */
  if (brio_feed_lines_last(&link->lines, &bytes, &length))
    brio_feed_hear(feed, bytes, length, brio_clock_monotonic(), link->greeted);
  else if (brio_feed_lines_cut(&link->lines))
    brio_feed_refuse(&feed->meter, BRIO_FEED_CUT, "the sender went away within a message");
  close(link->fd);
  link->fd = -1;
  link->greeted = false;
  feed->last_at = 0; /* the next one may come at once */
  brio_feed_lines_clear(&link->lines);
}

/* Accept a connection, or close it while another one is open. */
static void answer_door(brio_feed *feed, stream *link) {
  /* One program at a time: a second one is disconnected at once. */
  int fd = accept4(link->door, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (fd < 0) return;
  if (link->fd >= 0) {
    brio_feed_refuse(&feed->meter, BRIO_FEED_STRANGER, "a second program has connected");
    close(fd);
    return;
  }
  link->fd = fd;
}

/* Read up to PIECE bytes. Return whether there may be more. */
static bool read_some(brio_feed *feed, stream *link) {
  size_t room;
  char *back = brio_feed_lines_back(&link->lines, &room);
  ssize_t count = recv(link->fd, back, room < PIECE ? room : PIECE, 0);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  /* 0 bytes: the sender closed its end. */
  if (count <= 0) {
    hang_up(feed, link);
    return false;
  }
  brio_feed_lines_add(&link->lines, (size_t)count);
  brio_feed_hear_lines(feed, &link->lines, &link->greeted);
  return true;
}

/* One round of the thread: wait up to BRIO_FEED_WAIT_MS for a connection or for bytes, then read. */
static void unix_work(brio_feed *feed) {
  stream *link = feed->link;
  struct pollfd wait[2] = {{.fd = link->door, .events = POLLIN}, {.fd = link->fd, .events = POLLIN}};
  if (poll(wait, 2, BRIO_FEED_WAIT_MS) <= 0) return;
  if (wait[0].revents) answer_door(feed, link);
  /* A connection that came now is read in the next round. */
  if (!wait[1].revents || link->fd < 0) return;
  for (int i = 0; i < AT_ONCE; i++)
    if (!read_some(feed, link)) return;
  /* The sender is faster than it is read: pause, so that others get the processor. */
  brio_feed_rest(2);
}

/* Send a request without waiting: a sender that does not read loses requests. False: it was not sent
** whole. */
static bool unix_send(brio_feed *feed, const char *bytes, size_t length) {
  stream *link = feed->link;
  if (link->fd < 0 || !link->greeted) return false;
  ssize_t count = send(link->fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT);
  /* Part of a line was sent: the stream is unusable, so the connection ends; the sender may connect again. */
  if (count > 0 && count < (ssize_t)length) hang_up(feed, link);
  return count == (ssize_t)length;
}

const brio_feed_place brio_feed_place_unix = {
    .name = "unix",
    .live = true,
    .two_way = true,
    .contents = {true, true},
    .open = unix_open,
    .work = unix_work,
    .greet = unix_greet,
    .send = unix_send,
    .close = unix_close,
};
