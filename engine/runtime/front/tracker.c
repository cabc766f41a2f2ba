/* Datagrams of trackers on the front thread: a UDP port whose datagrams go to the script thread through a
** ring of their own, each with its time of arrival. They are parsed there
** (lua/brio/character/control/tracker.lua); here only datagrams that are too long, or find no room, are
** dropped and counted. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#include "base/clock.h"
#include "runtime/front/front_internal.h"

enum {
  WAITING = 64, /* datagrams that may wait for the script thread */
};

struct brio_front_tracker {
  uv_udp_t socket;
  brio_ring ring;       /* of brio_front_datagram */
  atomic_int_fast64_t lost;
  brio_front_datagram datagram; /* the datagram being received */
  char room[BRIO_FRONT_DATAGRAM + 1]; /* one byte more than allowed, to detect longer ones */
};

/* libuv receives into the one buffer: datagrams come one at a time. */
static void give_room(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer) {
  brio_front_tracker *self = handle->data;
  (void)suggested;
  *buffer = uv_buf_init(self->room, sizeof self->room);
}

/* A datagram came. Without a sender libuv only reports that nothing more waits. */
static void on_datagram(uv_udp_t *socket, ssize_t count, const uv_buf_t *buffer, const struct sockaddr *from,
                        unsigned flags) {
  brio_front_tracker *self = socket->data;
  if (!from || count < 0) return;
  /* Longer than the limit, or cut by the kernel: not whole. */
  bool whole = count <= BRIO_FRONT_DATAGRAM && !(flags & UV_UDP_PARTIAL);
  /* Received in order, with the time at which it came. */
  if (whole) {
    self->datagram.received = brio_clock_monotonic();
    self->datagram.length = (size_t)count;
    memcpy(self->datagram.text, buffer->base, (size_t)count);
  }
  if (!whole || !brio_ring_put(&self->ring, &self->datagram)) atomic_fetch_add(&self->lost, 1);
}

/* A UDP socket bound to the options' address, by default on the loopback interface; -1, with an error:
** none. */
static int bound(const brio_front_tracker_options *options, brio_error *err) {
  const char *host = options->host[0] ? options->host : "127.0.0.1";
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)options->port)};
  /* Only numeric addresses: no name look-up can block. */
  if (inet_pton(AF_INET, host, &address.sin_addr) != 1) {
    brio_fail(err, BRIO_MISUSE, "'%.60s' is no IPv4 address", host);
    return -1;
  }
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd >= 0 && bind(fd, (const struct sockaddr *)&address, sizeof address) == 0) return fd;
  brio_fail(err, BRIO_IO, "trackers cannot be heard at port %d of %.60s: %s", options->port, host,
            strerror(errno));
  if (fd >= 0) close(fd);
  return -1;
}

/* Bind first: a port in use must be an error here, not a silent tracker. */
brio_front_tracker *brio_front_tracker_new(const brio_front_tracker_options *options, struct uv_loop_s *loop,
                                           brio_error *err) {
  /* Aligned for the ring's counters, which stand on cache lines of their own. */
  brio_front_tracker *self = aligned_alloc(64, (sizeof *self + 63) / 64 * 64);
  if (self) memset(self, 0, sizeof *self);
  if (!self || !brio_ring_start(&self->ring, sizeof(brio_front_datagram), WAITING)) {
    free(self);
    brio_fail(err, BRIO_NO_MEMORY, "no memory for trackers");
    return NULL;
  }
  int fd = bound(options, err);
  if (fd < 0) {
    brio_front_tracker_free(self);
    return NULL;
  }
  /* The loop owns the socket from here on, and closes it. */
  uv_udp_init(loop, &self->socket);
  self->socket.data = self;
  uv_udp_open(&self->socket, fd); /* the loop closes it */
  uv_udp_recv_start(&self->socket, give_room, on_datagram);
  return self;
}

bool brio_front_tracker_next(brio_front_tracker *self, brio_front_datagram *datagram) {
  return brio_ring_get(&self->ring, datagram);
}

int64_t brio_front_tracker_lost(brio_front_tracker *self) { return atomic_load(&self->lost); }

void brio_front_tracker_free(brio_front_tracker *self) {
  if (!self) return;
  brio_ring_end(&self->ring);
  free(self);
}
