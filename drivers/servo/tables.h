/* Layouts of Dynamixel servos whose registers have a file of their own, for the list of models in
** tables/dynamixel2.c. */
#ifndef BRIO_DRIVERS_SERVO_TABLES_H
#define BRIO_DRIVERS_SERVO_TABLES_H

#include "drivers/servo/servo.h"

/* PRO series: layouts that differ in counts per turn and currents. */
extern const brio_servo_family brio_servo_pro_h54, brio_servo_pro_h42, brio_servo_pro_m54, brio_servo_pro_m42;
extern const brio_servo_family brio_servo_pro_l54_290, brio_servo_pro_l54_400, brio_servo_pro_l54_500;

/* Y series: layouts that differ in their speed limit. */
extern const brio_servo_family brio_servo_y_direct, brio_servo_y_51, brio_servo_y_99;

#endif
