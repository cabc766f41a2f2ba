// Arduino's EEPROM library, as far as the sketch uses it: memory that lasts as long as the file named by the
// variable BRIO_EEPROM.
#ifndef BRIO_TESTS_ARDUINO_EEPROM_H
#define BRIO_TESTS_ARDUINO_EEPROM_H

#include "Arduino.h"

void host_eeprom(int at, void *bytes, size_t size, bool write);

struct HostEeprom {
  template <typename T> void get(int at, T &value) { host_eeprom(at, &value, sizeof value, false); }
  template <typename T> void put(int at, const T &value) {
    host_eeprom(at, const_cast<T *>(&value), sizeof value, true);
  }
};
static HostEeprom EEPROM __attribute__((unused));

#endif
