/* Messages in UDP datagrams, each with one or more complete lines, or a binary message. Requests go to the
** sender's address. */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "feed/feed_internal.h"

/* The largest datagram; limits per round and in the system. */
enum {
  DATAGRAM = 65536,
  AT_ONCE = 64,        /* datagrams per round; then it pauses, and the system drops those that find no room */
  BUFFER = 1 << 20,    /* bytes that may wait in the system */
};

/* A socket, and the sender that it listens to. */
typedef struct udp {
  int fd;
  bool known;                       /* the sender */
  struct sockaddr_in sender, from;  /* the sender that is heard; the sender of the datagram being judged */
  char bytes[DATAGRAM];
} udp;

/* Read "[HOST:]PORT", by default on the loopback interface; port 0: the system chooses one. */
static bool read_address(const char *rest, struct sockaddr_in *address, brio_error *err) {
  char host[64] = "127.0.0.1", *end;
  const char *colon = strrchr(rest, ':'), *digits = colon ? colon + 1 : rest;
  /* A host that is too long is refused below, not cut. */
  if (colon && (size_t)(colon - rest) < sizeof host)
    snprintf(host, sizeof host, "%.*s", (int)(colon - rest), rest);
  long port = strtol(digits, &end, 10);
  *address = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  /* The whole text must be consumed, and the port be in range. */
  bool good = end > digits && !*end && port >= 0 && port <= 65535 &&
              (!colon || (size_t)(colon - rest) < sizeof host);
  if (good && inet_pton(AF_INET, host, &address->sin_addr) == 1) return true;
  return brio_fail(err, BRIO_MISUSE,
                   "udp: expects a port from 1 to 65535, or an IPv4 address of this machine and a port, as "
                   "in udp:7001, not '%.100s'",
                   rest);
}

/* Open and bind the socket, and set the feed's name to the address that it got. False: with the error. */
static bool bind_socket(brio_feed *feed, udp *link, const struct sockaddr_in *address, brio_error *err) {
  struct sockaddr_in bound;
  socklen_t size = sizeof bound;
  int room = BUFFER;
  char host[INET_ADDRSTRLEN];
  link->fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (link->fd < 0 || bind(link->fd, (const struct sockaddr *)address, sizeof *address) != 0)
    return brio_fail(err, BRIO_IO, "%.100s cannot be heard: %s", feed->where, strerror(errno));
  /* Room for bursts; a smaller buffer works, too, so failure does not matter. */
  setsockopt(link->fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
  /* Report the port that the system chose. */
  if (getsockname(link->fd, (struct sockaddr *)&bound, &size) != 0)
    return brio_fail(err, BRIO_IO, "%.100s: %s", feed->where, strerror(errno));
  inet_ntop(AF_INET, &bound.sin_addr, host, sizeof host);
  snprintf(feed->where, sizeof feed->where, "udp:%s:%d", host, ntohs(bound.sin_port));
  return true;
}

/* Open the socket; udp_close frees what there is after a failure. */
static bool udp_open(brio_feed *feed, const char *rest, brio_error *err) {
  struct sockaddr_in address;
  if (!read_address(rest, &address, err)) return false;
  udp *link = calloc(1, sizeof *link);
  if (!link) return brio_fail(err, BRIO_NO_MEMORY, "no memory for a feed");
  feed->link = link;
  return bind_socket(feed, link, &address, err);
}

static void udp_close(brio_feed *feed) {
  udp *link = feed->link;
  if (link->fd >= 0) close(link->fd);
  free(link);
}

/* The sender of this datagram becomes the feed's sender, named by address and port. */
static void udp_greet(brio_feed *feed) {
  udp *link = feed->link;
  char host[INET_ADDRSTRLEN], name[BRIO_FEED_SENDER];
  /* Its address is where requests go. */
  link->sender = link->from;
  link->known = true;
  inet_ntop(AF_INET, &link->sender.sin_addr, host, sizeof host);
  snprintf(name, sizeof name, "%s:%d", host, ntohs(link->sender.sin_port));
  brio_feed_greet(feed, name);
}

/* Whether the datagram came from the feed's sender: address and port. */
static bool is_sender(const udp *link) {
  return link->known && link->from.sin_port == link->sender.sin_port &&
         link->from.sin_addr.s_addr == link->sender.sin_addr.s_addr;
}

/* Process a datagram: a binary message, or lines, the last of which may lack its newline. */
static void hear(brio_feed *feed, udp *link, size_t length) {
  int64_t now = brio_clock_monotonic();
  const char *at = link->bytes, *end = at + length;
  if (length > 0 && at[0] == BRIO_FEED_BINARY_BEGINS) {
    brio_feed_hear(feed, at, length, now, is_sender(link));
    return;
  }
  /* The first valid line of a stranger makes it the sender for the others. */
  while (at < end) {
    const char *line = memchr(at, '\n', (size_t)(end - at)), *stop = line ? line : end;
    if (stop > at) brio_feed_hear(feed, at, (size_t)(stop - at), now, is_sender(link));
    at = stop + 1;
  }
}

/* One round of the thread: wait up to BRIO_FEED_WAIT_MS, then read up to AT_ONCE datagrams. */
static void udp_work(brio_feed *feed) {
  udp *link = feed->link;
  struct pollfd wait = {.fd = link->fd, .events = POLLIN};
  if (poll(&wait, 1, BRIO_FEED_WAIT_MS) <= 0) return;
  /* Without a further datagram the round ends. */
  for (int i = 0; i < AT_ONCE; i++) {
    socklen_t size = sizeof link->from;
    ssize_t length = recvfrom(link->fd, link->bytes, sizeof link->bytes, 0, (struct sockaddr *)&link->from,
                              &size);
    if (length < 0) return;
    hear(feed, link, (size_t)length);
  }
  /* More than AT_ONCE waited: pause. */
  brio_feed_rest(2);
}

/* Send a request to the feed's sender. False: there is none yet, or the system has no room. */
static bool udp_send(brio_feed *feed, const char *bytes, size_t length) {
  udp *link = feed->link;
  if (!link->known) return false;
  return sendto(link->fd, bytes, length, MSG_NOSIGNAL, (const struct sockaddr *)&link->sender,
                sizeof link->sender) == (ssize_t)length;
}

const brio_feed_place brio_feed_place_udp = {
    .name = "udp",
    .live = true,
    .two_way = true,
    .datagrams = true,
    .contents = {true, true},
    .open = udp_open,
    .work = udp_work,
    .greet = udp_greet,
    .send = udp_send,
    .close = udp_close,
};
