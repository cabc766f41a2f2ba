/* CAN ports.  The socket that stands for a bus is the real one; SocketCAN is a mock, since test machines have
** none: this program defines socket(), bind(), ioctl(), ... for the family PF_CAN as the kernel's
** Documentation/networking/can.rst describes them, over a socket pair. */
#include <errno.h>
#include <linux/can.h>
#include <linux/can/raw.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "drivers/cia402/canopen.h"
#include "tests/check.h"

/* The mocked kernel. */
static struct {
  int bus;                /* its end of the interface's socket */
  bool up, ethernet;
  int full;               /* this many more frames find the queue full */
  int fails;              /* errno of every call; 0: none */
  int calls;              /* of sendmmsg */
  int bound;              /* number of the interface */
  can_err_mask_t errors;  /* that were requested */
  struct can_filter filters[128];
  int nfilter;
} played;

enum { NUMBER = 7 };

int socket(int family, int kind, int protocol) {
  int pair[2];
  if (family != PF_CAN) return (int)syscall(SYS_socket, family, kind, protocol);
  if (syscall(SYS_socketpair, AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) != 0)
    return -1;
  played.bus = pair[1];
  return pair[0];
}

unsigned if_nametoindex(const char *name) { return strcmp(name, "can0") == 0 ? NUMBER : 0; }

int ioctl(int fd, unsigned long request, ...) {
  va_list list;
  va_start(list, request);
  struct ifreq *about = va_arg(list, struct ifreq *);
  va_end(list);
  if (request == SIOCGIFHWADDR) about->ifr_hwaddr.sa_family = played.ethernet ? ARPHRD_ETHER : ARPHRD_CAN;
  else if (request == SIOCGIFFLAGS) about->ifr_flags = played.up ? IFF_UP : 0;
  else return (int)syscall(SYS_ioctl, fd, request, about);
  return 0;
}

int bind(int fd, const struct sockaddr *address, socklen_t size) {
  if (address->sa_family != AF_CAN) return (int)syscall(SYS_bind, fd, address, size);
  played.bound = ((const struct sockaddr_can *)(const void *)address)->can_ifindex;
  return 0;
}

int setsockopt(int fd, int level, int name, const void *value, socklen_t size) {
  if (level != SOL_CAN_RAW) return (int)syscall(SYS_setsockopt, fd, level, name, value, size);
  if (name == CAN_RAW_ERR_FILTER) memcpy(&played.errors, value, sizeof played.errors);
  if (name == CAN_RAW_FILTER) memcpy(played.filters, value, size);
  if (name == CAN_RAW_FILTER) played.nfilter = (int)(size / sizeof *played.filters);
  return 0;
}

/* The queue takes two frames at a time. */
int sendmmsg(int fd, struct mmsghdr *messages, unsigned count, int flags) {
  played.calls++;
  if (played.fails) return errno = played.fails, -1;
  if (played.full > 0) return played.full--, errno = ENOBUFS, -1;
  return (int)syscall(SYS_sendmmsg, fd, messages, count < 2 ? count : 2, flags);
}

int recvmmsg(int fd, struct mmsghdr *messages, unsigned count, int flags, struct timespec *timeout) {
  if (played.fails) return errno = played.fails, -1;
  return (int)syscall(SYS_recvmmsg, fd, messages, count, flags, timeout);
}

static brio_port *open_played(brio_error *err) {
  memset(&played, 0, sizeof played);
  played.up = true;
  brio_port *port = brio_port_open("can:can0", 1000000, err);
  CHECK(port != NULL, "%s", err->message);
  return port;
}

static void test_opening(void) {
  brio_error err = {0};
  brio_port *port = open_played(&err);
  CHECK(played.bound == NUMBER && (played.errors & 0x40), "bound to %d, errors %X", played.bound,
        played.errors);
  const uint8_t nodes[] = {3, 17};
  CHECK(brio_port_can_nodes(port, nodes, 2, &err) && played.nfilter == 2, "%s", err.message);
  CHECK(played.filters[1].can_id == 17 && played.filters[1].can_mask == (0x7F | CAN_EFF_FLAG | CAN_RTR_FLAG),
        "%X", played.filters[1].can_mask);
  CHECK(brio_port_can_nodes(port, NULL, 0, &err) && played.nfilter == 1 && played.filters[0].can_mask == 0,
        "all");
  brio_port_close(port);
  CHECK(!brio_port_open("can:can9", 1000000, &err) && err.code == BRIO_NO_FILE, "%s", err.message);
  CHECK_HAS(err.message, "there is no interface 'can9'");
  CHECK(!brio_port_open("can:", 1000000, &err), "no name is no interface");
  CHECK(!brio_port_open("can:a_name_that_is_too_long_for_any", 1000000, &err), "too long");
  played.up = false;
  CHECK(!brio_port_open("can:can0", 1000000, &err), "down");
  CHECK_HAS(err.message, "ip link set can0 up");
  played.up = played.ethernet = true;
  CHECK(!brio_port_open("can:can0", 1000000, &err), "ethernet");
  CHECK_HAS(err.message, "'can0' is no CAN interface");
}

static void test_frames(void) {
  static brio_canopen bus;
  brio_error err = {0};
  brio_port *port = open_played(&err);
  uint8_t out[16 * 8] = {0}, in[16 * 8];
  struct can_frame frame = {.can_id = 0x182, .can_dlc = 6, .data = {0x37, 0x16, 1}}, back;
  for (int i = 0; i < 8; i++) out[16 * i] = (uint8_t)i;
  played.full = 5;
  CHECK(brio_port_write(port, out, sizeof out, &err), "%s", err.message);
  CHECK(played.calls == 4 + 5, "a full queue is tried again: %d calls", played.calls);
  for (int i = 0; i < 8; i++)
    CHECK(read(played.bus, &back, sizeof back) == 16 && back.can_id == (canid_t)i, "in order");
  CHECK(write(played.bus, &frame, sizeof frame) == 16 && write(played.bus, "odd", 3) == 3 &&
            write(played.bus, &frame, 16) == 16,
        "sent");
  CHECK(brio_port_read(port, in, sizeof in, 0.1, &err) == 32 && in[16] == 0x82,
        "two frames, and what is none is passed over");
  CHECK(brio_port_read(port, in, sizeof in, 0.001, &err) == 0, "no more");
  brio_canopen_start(&bus, port, 0.02);
  frame = (struct can_frame){.can_id = CAN_ERR_FLAG | 0x04, .can_dlc = 8, .data = {0, 0x20}};
  CHECK(write(played.bus, &frame, 16) == 16 && brio_canopen_drain(&bus, &err) && bus.unheard,
        "error passive");
  frame = (struct can_frame){.can_id = CAN_ERR_FLAG | 0x40, .can_dlc = 8};
  CHECK(write(played.bus, &frame, 16) == 16 && !brio_canopen_drain(&bus, &err) && bus.off, "bus off");
  CHECK_HAS(err.message, "off the bus");
  frame.can_id = CAN_ERR_FLAG | 0x100;
  CHECK(write(played.bus, &frame, 16) == 16 && brio_canopen_drain(&bus, &err) && bus.was_off && !bus.off,
        "restarted");
  brio_port_close(port);
  close(played.bus);
}

static void test_failures(void) {
  brio_error err = {0};
  uint8_t bytes[16] = {0};
  brio_port *port = open_played(&err);
  played.full = 1 << 30;
  CHECK(!brio_port_write(port, bytes, 16, &err) && err.code == BRIO_DEVICE, "%s", err.message);
  CHECK_HAS(err.message, "is anybody else on the bus");
  played.full = 0;
  played.fails = ENETDOWN;
  CHECK(!brio_port_write(port, bytes, 16, &err) && err.code == BRIO_IO, "%s", err.message);
  CHECK_HAS(err.message, "can:can0 is down: `ip link set can0 up`");
  CHECK(brio_port_read(port, bytes, 16, 0.01, &err) == -1, "reading, too");
  played.fails = ENODEV;
  CHECK(brio_port_read(port, bytes, 16, 0.01, &err) == -1, "pulled out");
  CHECK_HAS(err.message, "can:can0 is gone");
  played.fails = 0;
  CHECK(brio_port_read(port, bytes, 16, 0, &err) == 0, "and back");
  brio_port_close(port);
  close(played.bus);
}

/* The CAN support of this machine's own kernel. */
static void test_kernel(void) {
  int fd = (int)syscall(SYS_socket, PF_CAN, SOCK_RAW, CAN_RAW);
  if (fd < 0) SKIP("this kernel has no SocketCAN");
  can_err_mask_t errors = CAN_ERR_MASK;
  struct sockaddr_can all = {.can_family = AF_CAN};
  CHECK(syscall(SYS_setsockopt, fd, SOL_CAN_RAW, CAN_RAW_ERR_FILTER, &errors, sizeof errors) == 0,
        "error frames");
  CHECK(syscall(SYS_bind, fd, &all, sizeof all) == 0, "bound to all interfaces");
  close(fd);
}

CHECK_SUITE(CHECK_TEST(test_opening), CHECK_TEST(test_frames), CHECK_TEST(test_failures),
            CHECK_TEST(test_kernel))
