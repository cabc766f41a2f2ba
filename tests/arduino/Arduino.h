// What a sketch sees of an Arduino, on a host: for tests of drivers/arduino.  Serial is a pseudo-terminal,
// time the machine's, and pins are what the test says (host.cpp).
#ifndef BRIO_TESTS_ARDUINO_H
#define BRIO_TESTS_ARDUINO_H

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t byte;
enum { A0 = 14, A1, A2, A3, A4, A5, HOST_PINS };

unsigned long millis();
int analogRead(uint8_t pin);
char *itoa(int value, char *out, int base);

struct HostSerial {
  void begin(long baud);
  void flush() {}
  int available();
  int read();
  void print(char c);
  void print(const char *text);
};
extern HostSerial Serial;

void setup();
void loop();

#endif
