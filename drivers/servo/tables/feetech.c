/* The registers of Feetech's servos, as tables: STS and SMS have a magnetic encoder, numbers low byte first
** and a sign bit; SCS a potentiometer and numbers high byte first.
**
** Sources: Feetech's memory tables, as huggingface/lerobot lists them (Apache-2.0) and the vendor's SDK uses
** them; facts alone.  The sign bit is 15 in places and speeds, 11 in the homing offset, 10 in loads. */
#include "drivers/servo/servo.h"
#include "drivers/servo/rows.def"

/* The vendor's documents disagree about codes 5 to 7: they are left out. */
static const brio_servo_baud feetech_bauds[] = {{0, 1000000}, {1, 500000}, {2, 250000},
                                                {3, 128000},  {4, 115200}, {0, 0}};

/* Errors by bit. */
static const brio_servo_alert feetech_alerts[] = {{0, "input voltage", 0}, {1, "angle sensor", 0},
                                                  {2, "overheating", 0},   {3, "overcurrent", 0},
                                                  {5, "overload", 0},      {-1, NULL, 0}};

/* ---- STS and SMS ---- */

/* Registers: name, address, bytes, role, access, encoding, factory value, range. */
static const brio_register sts_series[] = {
    /* EEPROM: identity and line. */
    {"Firmware Major", 0, 1, ROLE(FIRMWARE), R, U, 3, 0, 255},
    {"Firmware Minor", 1, 1, ROLE(NONE), R, U, 9, 0, 255},
    {"Model Number", 3, 2, ROLE(MODEL), R, U, 777, 0, 65535},
    {"ID", 5, 1, ROLE(ID), S, U, 1, 0, 253},
    {"Baud Rate", 6, 1, ROLE(BAUD), S, U, 0, 0, 7},
    {"Return Delay Time", 7, 1, ROLE(RETURN_DELAY), S, U, 0, 0, 254},
    {"Response Level", 8, 1, ROLE(STATUS_LEVEL), S, U, 1, 0, 1},
    /* EEPROM: limits and alarms. */
    {"Min Position Limit", 9, 2, ROLE(LOWER), S, U, 0, 0, 4095},
    {"Max Position Limit", 11, 2, ROLE(UPPER), S, U, 4095, 0, 4095},
    {"Max Temperature Limit", 13, 1, ROLE(TEMPERATURE_LIMIT), S, U, 70, 0, 100},
    {"Max Voltage Limit", 14, 1, ROLE(VOLTAGE_UPPER), S, U, 140, 0, 254},
    {"Min Voltage Limit", 15, 1, ROLE(VOLTAGE_LOWER), S, U, 40, 0, 254},
    {"Max Torque Limit", 16, 2, ROLE(NONE), S, U, 1000, 0, 1000},
    {"Phase", 18, 1, ROLE(NONE), S, U, 12, 0, 254},
    {"Unloading Condition", 19, 1, ROLE(NONE), S, U, 44, 0, 254},
    {"LED Alarm Condition", 20, 1, ROLE(NONE), S, U, 47, 0, 254},
    /* EEPROM: controller. */
    {"P Coefficient", 21, 1, ROLE(GAIN_P), S, U, 32, 0, 254},
    {"D Coefficient", 22, 1, ROLE(GAIN_D), S, U, 32, 0, 254},
    {"I Coefficient", 23, 1, ROLE(GAIN_I), S, U, 0, 0, 254},
    {"Minimum Startup Force", 24, 2, ROLE(NONE), S, U, 16, 0, 1000},
    {"CW Dead Zone", 26, 1, ROLE(NONE), S, U, 1, 0, 32},
    {"CCW Dead Zone", 27, 1, ROLE(NONE), S, U, 1, 0, 32},
    /* EEPROM: mode and protection. */
    {"Protection Current", 28, 2, ROLE(NONE), S, U, 500, 0, 511},
    {"Homing Offset", 31, 2, ROLE(HOMING), S, S11, 0, -2047, 2047},
    {"Operating Mode", 33, 1, ROLE(MODE), S, U, 0, 0, 3},
    {"Protective Torque", 34, 1, ROLE(NONE), S, U, 20, 0, 100},
    {"Protection Time", 35, 1, ROLE(NONE), S, U, 200, 0, 254},
    {"Overload Torque", 36, 1, ROLE(NONE), S, U, 80, 0, 100},
    {"Over Current Protection Time", 38, 1, ROLE(NONE), S, U, 200, 0, 254},
    /* RAM: control. */
    {"Torque Enable", 40, 1, ROLE(TORQUE), V, U, 0, 0, 128},
    {"Acceleration", 41, 1, ROLE(NONE), V, U, 0, 0, 254},
    {"Goal Position", 42, 2, ROLE(GOAL), V, S15, 2048, -32767, 32767},
    {"Goal Time", 44, 2, ROLE(NONE), V, U, 0, 0, 65535},
    {"Goal Speed", 46, 2, ROLE(SPEED), V, S15, 0, -32767, 32767},
    {"Torque Limit", 48, 2, ROLE(NONE), V, U, 1000, 0, 1000},
    {"Lock", 55, 1, ROLE(LOCK), V, U, 1, 0, 1},
    /* RAM: measurements and state. */
    {"Present Position", 56, 2, ROLE(POSITION), R, S15, 2048, -32767, 32767},
    {"Present Speed", 58, 2, ROLE(VELOCITY), R, S15, 0, -32767, 32767},
    {"Present Load", 60, 2, ROLE(LOAD), R, S10, 0, -1000, 1000},
    {"Present Voltage", 62, 1, ROLE(VOLTAGE), R, U, 120, 0, 254},
    {"Present Temperature", 63, 1, ROLE(TEMPERATURE), R, U, 35, 0, 254},
    {"Asynchronous Write", 64, 1, ROLE(REGISTERED), R, U, 0, 0, 1},
    {"Status", 65, 1, ROLE(ALERT), R, U, 0, 0, 255},
    {"Moving", 66, 1, ROLE(MOVING), R, U, 0, 0, 1},
    {"Present Current", 69, 2, ROLE(CURRENT), R, S15, 0, -32767, 32767},
    {0},
};

/* Models with these registers. */
static const brio_servo_model sts_models[] = {
    {777, "STS3215", NULL}, {2825, "STS3250", NULL}, {11272, "SM8512BL", NULL}, {-1, NULL, NULL}};

const brio_servo_family brio_servo_sts = {
    .name = "sts",
    .doc = "Feetech STS and SMS servos (STS3215 registers).",
    .protocol = "sts",
    .registers = sts_series,
    .bauds = feetech_bauds,
    .alerts = feetech_alerts,
    .models = sts_models,
    .model = 777,
    .table = 71,
    .address_bytes = 1,
    .sync_read = true,
    .goal_switches_on = true,
    .places = MODE(0),
    .steps = 4096,
    .center = 2048,
    .homing = -1,
    .turn = TURN,
    .speed = TURN / 4096,
    .volt = 0.1,
    .ampere = 0.0065,
    .baud = 1000000,
};

/* ---- SCS ---- */

/* Likewise, with a smaller range. */
static const brio_register scs_series[] = {
    /* EEPROM: identity and line. */
    {"Firmware Major", 0, 1, ROLE(FIRMWARE), R, U, 1, 0, 255},
    {"Firmware Minor", 1, 1, ROLE(NONE), R, U, 5, 0, 255},
    {"Model Number", 3, 2, ROLE(MODEL), R, U, 1284, 0, 65535},
    {"ID", 5, 1, ROLE(ID), S, U, 1, 0, 253},
    {"Baud Rate", 6, 1, ROLE(BAUD), S, U, 0, 0, 7},
    {"Return Delay Time", 7, 1, ROLE(RETURN_DELAY), S, U, 0, 0, 254},
    {"Response Level", 8, 1, ROLE(STATUS_LEVEL), S, U, 1, 0, 1},
    /* EEPROM: limits and alarms. */
    {"Min Position Limit", 9, 2, ROLE(LOWER), S, U, 0, 0, 1023},
    {"Max Position Limit", 11, 2, ROLE(UPPER), S, U, 1023, 0, 1023},
    {"Max Temperature Limit", 13, 1, ROLE(TEMPERATURE_LIMIT), S, U, 80, 0, 100},
    {"Max Voltage Limit", 14, 1, ROLE(VOLTAGE_UPPER), S, U, 90, 0, 254},
    {"Min Voltage Limit", 15, 1, ROLE(VOLTAGE_LOWER), S, U, 40, 0, 254},
    {"Max Torque Limit", 16, 2, ROLE(NONE), S, U, 1000, 0, 1000},
    {"Unloading Condition", 19, 1, ROLE(NONE), S, U, 37, 0, 254},
    {"LED Alarm Condition", 20, 1, ROLE(NONE), S, U, 37, 0, 254},
    /* EEPROM: controller. */
    {"P Coefficient", 21, 1, ROLE(GAIN_P), S, U, 15, 0, 254},
    {"D Coefficient", 22, 1, ROLE(GAIN_D), S, U, 15, 0, 254},
    {"I Coefficient", 23, 1, ROLE(GAIN_I), S, U, 0, 0, 254},
    {"CW Dead Zone", 26, 1, ROLE(NONE), S, U, 1, 0, 32},
    {"CCW Dead Zone", 27, 1, ROLE(NONE), S, U, 1, 0, 32},
    /* RAM: control. */
    {"Torque Enable", 40, 1, ROLE(TORQUE), V, U, 0, 0, 1},
    {"Goal Position", 42, 2, ROLE(GOAL), V, U, 512, 0, 1023},
    {"Goal Time", 44, 2, ROLE(NONE), V, U, 0, 0, 65535},
    {"Goal Speed", 46, 2, ROLE(SPEED), V, U, 0, 0, 65535},
    {"Lock", 48, 1, ROLE(LOCK), V, U, 1, 0, 1},
    /* RAM: measurements and state. */
    {"Present Position", 56, 2, ROLE(POSITION), R, U, 512, 0, 1023},
    {"Present Speed", 58, 2, ROLE(VELOCITY), R, S15, 0, -32767, 32767},
    {"Present Load", 60, 2, ROLE(LOAD), R, S10, 0, -1000, 1000},
    {"Present Voltage", 62, 1, ROLE(VOLTAGE), R, U, 60, 0, 254},
    {"Present Temperature", 63, 1, ROLE(TEMPERATURE), R, U, 35, 0, 254},
    {"Asynchronous Write", 64, 1, ROLE(REGISTERED), R, U, 0, 0, 1},
    {"Status", 65, 1, ROLE(ALERT), R, U, 0, 0, 255},
    {"Moving", 66, 1, ROLE(MOVING), R, U, 0, 0, 1},
    {0},
};

/* Models with these registers. */
static const brio_servo_model scs_models[] = {{1284, "SCS0009", NULL}, {-1, NULL, NULL}};

const brio_servo_family brio_servo_scs = {
    .name = "scs",
    .doc = "Feetech SCS servos (SCS0009 registers).",
    .protocol = "scs",
    .registers = scs_series,
    .bauds = feetech_bauds,
    .alerts = feetech_alerts,
    .models = scs_models,
    .model = 1284,
    .table = 67,
    .address_bytes = 1,
    .big_endian = true,
    .goal_switches_on = true,
    .wheel_unlimited = true,
    .steps = 1024,
    .center = 512,
    .turn = 300 * TURN / 360,
    .speed = 300 * TURN / 360 / 1024,
    .volt = 0.1,
    .baud = 1000000,
};
