// Arduino's servo library, as far as the sketch uses it.
#ifndef BRIO_TESTS_ARDUINO_SERVO_H
#define BRIO_TESTS_ARDUINO_SERVO_H

#include "Arduino.h"

class Servo {
 public:
  uint8_t attach(int pin, int least, int most);
  void detach();
  bool attached();
  void writeMicroseconds(int pulse);

 private:
  int pin = 0, pulse = 0;
};

#endif
