// Runs a sketch on a host: opens a pseudo-terminal, says its name, and calls setup and loop.  What is typed:
// "pins" prints the pulse at each pin (0: none), "analog PIN VALUE" sets an input, "quit" ends.
#include "Arduino.h"
#include "Servo.h"
#include "EEPROM.h"

#include <asm/termbits.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static int master = -1, slave = -1, pulses[HOST_PINS], readings[HOST_PINS];
static long baud = 115200;
static uint8_t buffer[256];
static int first = 0, waiting = 0;

HostSerial Serial;

unsigned long millis() {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (unsigned long)now.tv_sec * 1000 + (unsigned long)now.tv_nsec / 1000000;
}

int analogRead(uint8_t pin) { return readings[pin]; }

char *itoa(int value, char *out, int base) {
  (void)base;
  sprintf(out, "%d", value);
  return out;
}

// The rate that the program at the other end speaks at.
static long rate_of_host() {
  struct termios2 line;
  return ioctl(slave, TCGETS2, &line) == 0 ? (long)line.c_ospeed : 0;
}

static bool same_rate() { return labs(rate_of_host() - baud) < baud / 25; }

void HostSerial::begin(long rate) { baud = rate; }

int HostSerial::available() {
  if (waiting > 0) return waiting;
  ssize_t got = ::read(master, buffer, sizeof buffer);
  first = 0;
  waiting = got > 0 && same_rate() ? (int)got : 0;
  return waiting;
}

int HostSerial::read() {
  if (available() == 0) return -1;
  waiting--;
  return buffer[first++];
}

void HostSerial::print(const char *text) {
  if (same_rate() && write(master, text, strlen(text)) < 0) return;
}

void HostSerial::print(char c) {
  const char text[] = {c, 0};
  print(text);
}

uint8_t Servo::attach(int where, int, int) {
  pin = where;
  pulses[pin] = pulse;
  return 0;
}
void Servo::detach() {
  pulses[pin] = 0;
  pin = 0;
}
bool Servo::attached() { return pin > 0; }
void Servo::writeMicroseconds(int us) {
  pulse = us;
  if (pin > 0) pulses[pin] = us;
}

void host_eeprom(int at, void *bytes, size_t size, bool writes) {
  const char *path = getenv("BRIO_EEPROM");
  FILE *file = path ? fopen(path, writes ? "w+b" : "rb") : NULL;
  if (!writes) memset(bytes, 0xFF, size);
  if (!file) return;
  fseek(file, at, SEEK_SET);
  if ((writes ? fwrite(bytes, 1, size, file) : fread(bytes, 1, size, file)) != size && !writes)
    memset(bytes, 0xFF, size);
  fclose(file);
}

// Do what was typed; false: the end.
static bool obey(const char *line) {
  int pin, value;
  if (strncmp(line, "pins", 4) == 0) {
    for (int i = 0; i < HOST_PINS; i++) printf("%d%s", pulses[i], i + 1 < HOST_PINS ? " " : "\n");
    fflush(stdout);
  }
  if (sscanf(line, "analog %d %d", &pin, &value) == 2 && pin >= 0 && pin < HOST_PINS) readings[pin] = value;
  return strncmp(line, "quit", 4) != 0;
}

static bool open_port() {
  struct termios2 line;
  master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
  if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) return false;
  slave = open(ptsname(master), O_RDWR | O_NOCTTY);
  if (slave < 0 || ioctl(slave, TCGETS2, &line) != 0) return false;
  line.c_iflag = line.c_oflag = line.c_lflag = 0;
  line.c_cflag = B38400 | CS8 | CREAD | CLOCAL;
  return ioctl(slave, TCSETS2, &line) == 0;
}

int main() {
  char typed[128];
  if (!open_port()) return 1;
  printf("port: %s\n", ptsname(master));
  fflush(stdout);
  setup();
  for (;;) {
    struct pollfd watched[] = {{master, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
    poll(watched, 2, 1);
    if (watched[1].revents && (!fgets(typed, sizeof typed, stdin) || !obey(typed))) return 0;
    loop();
  }
}
