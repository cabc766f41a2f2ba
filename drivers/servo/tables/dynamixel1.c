/* The registers of Dynamixel servos that speak Protocol 1.0, as tables, and the models that have them.
**
** Sources: ROBOTIS e-Manual, control tables of AX-12A, MX-28 and EX-106+.  AX and RX divide 300 degrees into
** 1024, MX a turn into 4096; gains stand where the AX has compliance.  Both limits 0: the servo is a
** wheel. */
#include "drivers/servo/servo.h"
#include "drivers/servo/rows.def"

/* Registers: name, address, bytes, role, access, encoding, factory value, range.  AX and RX series. */
static const brio_register ax_series[] = {
    /* EEPROM: identity and line. */
    {"Model Number", 0, 2, ROLE(MODEL), R, U, 12, 0, 65535},
    {"Firmware Version", 2, 1, ROLE(FIRMWARE), R, U, 24, 0, 255},
    {"ID", 3, 1, ROLE(ID), S, U, 1, 0, 253},
    {"Baud Rate", 4, 1, ROLE(BAUD), S, U, 1, 0, 254},
    {"Return Delay Time", 5, 1, ROLE(RETURN_DELAY), S, U, 250, 0, 254},
    /* EEPROM: limits and alarms. */
    {"CW Angle Limit", 6, 2, ROLE(LOWER), S, U, 0, 0, 1023},
    {"CCW Angle Limit", 8, 2, ROLE(UPPER), S, U, 1023, 0, 1023},
    {"Temperature Limit", 11, 1, ROLE(TEMPERATURE_LIMIT), S, U, 70, 0, 150},
    {"Min Voltage Limit", 12, 1, ROLE(VOLTAGE_LOWER), S, U, 60, 50, 160},
    {"Max Voltage Limit", 13, 1, ROLE(VOLTAGE_UPPER), S, U, 140, 50, 160},
    {"Max Torque", 14, 2, ROLE(NONE), S, U, 1023, 0, 1023},
    {"Status Return Level", 16, 1, ROLE(STATUS_LEVEL), S, U, 2, 0, 2},
    {"Alarm LED", 17, 1, ROLE(NONE), S, U, 36, 0, 127},
    {"Shutdown", 18, 1, ROLE(NONE), S, U, 36, 0, 127},
    /* RAM: control. */
    {"Torque Enable", 24, 1, ROLE(TORQUE), V, U, 0, 0, 1},
    {"LED", 25, 1, ROLE(NONE), V, U, 0, 0, 1},
    {"CW Compliance Margin", 26, 1, ROLE(NONE), V, U, 1, 0, 255},
    {"CCW Compliance Margin", 27, 1, ROLE(NONE), V, U, 1, 0, 255},
    {"CW Compliance Slope", 28, 1, ROLE(NONE), V, U, 32, 0, 255},
    {"CCW Compliance Slope", 29, 1, ROLE(NONE), V, U, 32, 0, 255},
    {"Goal Position", 30, 2, ROLE(GOAL), V, U, 512, 0, 1023},
    {"Moving Speed", 32, 2, ROLE(SPEED), V, U, 0, 0, 1023},
    {"Torque Limit", 34, 2, ROLE(NONE), V, U, 1023, 0, 1023},
    /* RAM: measurements and state. */
    {"Present Position", 36, 2, ROLE(POSITION), R, U, 512, 0, 1023},
    {"Present Speed", 38, 2, ROLE(VELOCITY), R, S10, 0, -1023, 1023},
    {"Present Load", 40, 2, ROLE(LOAD), R, S10, 0, -1023, 1023},
    {"Present Voltage", 42, 1, ROLE(VOLTAGE), R, U, 120, 0, 255},
    {"Present Temperature", 43, 1, ROLE(TEMPERATURE), R, U, 35, 0, 255},
    {"Registered", 44, 1, ROLE(REGISTERED), R, U, 0, 0, 1},
    {"Moving", 46, 1, ROLE(MOVING), R, U, 0, 0, 1},
    /* RAM: protection of the EEPROM, and the smallest torque. */
    {"Lock", 47, 1, ROLE(NONE), V, U, 0, 0, 1},
    {"Punch", 48, 2, ROLE(NONE), V, U, 32, 0, 1023},
    {0},
};

/* MX series: gains in place of compliance, and multi-turn positions. */
static const brio_register mx_series[] = {
    /* EEPROM: identity and line. */
    {"Model Number", 0, 2, ROLE(MODEL), R, U, 29, 0, 65535},
    {"Firmware Version", 2, 1, ROLE(FIRMWARE), R, U, 41, 0, 255},
    {"ID", 3, 1, ROLE(ID), S, U, 1, 0, 252},
    {"Baud Rate", 4, 1, ROLE(BAUD), S, U, 34, 0, 254},
    {"Return Delay Time", 5, 1, ROLE(RETURN_DELAY), S, U, 250, 0, 254},
    /* EEPROM: limits and alarms. */
    {"CW Angle Limit", 6, 2, ROLE(LOWER), S, U, 0, 0, 4095},
    {"CCW Angle Limit", 8, 2, ROLE(UPPER), S, U, 4095, 0, 4095},
    {"Temperature Limit", 11, 1, ROLE(TEMPERATURE_LIMIT), S, U, 80, 0, 100},
    {"Min Voltage Limit", 12, 1, ROLE(VOLTAGE_LOWER), S, U, 60, 50, 160},
    {"Max Voltage Limit", 13, 1, ROLE(VOLTAGE_UPPER), S, U, 160, 50, 160},
    {"Max Torque", 14, 2, ROLE(NONE), S, U, 1023, 0, 1023},
    {"Status Return Level", 16, 1, ROLE(STATUS_LEVEL), S, U, 2, 0, 2},
    {"Alarm LED", 17, 1, ROLE(NONE), S, U, 36, 0, 127},
    {"Shutdown", 18, 1, ROLE(NONE), S, U, 36, 0, 127},
    /* EEPROM: multi-turn mode. */
    {"Multi Turn Offset", 20, 2, ROLE(HOMING), S, T, 0, -24576, 24576},
    {"Resolution Divider", 22, 1, ROLE(NONE), S, U, 1, 1, 4},
    /* RAM: control. */
    {"Torque Enable", 24, 1, ROLE(TORQUE), V, U, 0, 0, 1},
    {"LED", 25, 1, ROLE(NONE), V, U, 0, 0, 1},
    {"D Gain", 26, 1, ROLE(GAIN_D), V, U, 0, 0, 254},
    {"I Gain", 27, 1, ROLE(GAIN_I), V, U, 0, 0, 254},
    {"P Gain", 28, 1, ROLE(GAIN_P), V, U, 32, 0, 254},
    {"Goal Position", 30, 2, ROLE(GOAL), V, T, 2048, -28672, 28672},
    {"Moving Speed", 32, 2, ROLE(SPEED), V, U, 0, 0, 1023},
    {"Torque Limit", 34, 2, ROLE(NONE), V, U, 1023, 0, 1023},
    /* RAM: measurements and state. */
    {"Present Position", 36, 2, ROLE(POSITION), R, T, 2048, -28672, 28672},
    {"Present Speed", 38, 2, ROLE(VELOCITY), R, S10, 0, -1023, 1023},
    {"Present Load", 40, 2, ROLE(LOAD), R, S10, 0, -1023, 1023},
    {"Present Voltage", 42, 1, ROLE(VOLTAGE), R, U, 120, 0, 255},
    {"Present Temperature", 43, 1, ROLE(TEMPERATURE), R, U, 35, 0, 255},
    {"Registered", 44, 1, ROLE(REGISTERED), R, U, 0, 0, 1},
    {"Moving", 46, 1, ROLE(MOVING), R, U, 0, 0, 1},
    /* RAM: protection of the EEPROM, the smallest torque, and later additions. */
    {"Lock", 47, 1, ROLE(NONE), V, U, 0, 0, 1},
    {"Punch", 48, 2, ROLE(NONE), V, U, 0, 0, 1023},
    {"Realtime Tick", 50, 2, ROLE(NONE), R, U, 0, 0, 32767},
    {"Goal Acceleration", 73, 1, ROLE(NONE), V, U, 0, 0, 254},
    {0},
};

/* 2000000 / (code + 1), rounded to the vendor's names; codes from 250 on have rates of their own. */
static const brio_servo_baud ax_bauds[] = {{1, 1000000}, {3, 500000},  {4, 400000}, {7, 250000}, {9, 200000},
                                           {16, 115200}, {34, 57600}, {103, 19200}, {207, 9600}, {0, 0}};
static const brio_servo_baud mx_bauds[] = {
    {1, 1000000}, {3, 500000}, {4, 400000},    {7, 250000},    {9, 200000},    {16, 115200}, {34, 57600},
    {103, 19200}, {207, 9600}, {250, 2250000}, {251, 2500000}, {252, 3000000}, {0, 0}};

/* Errors by bit of the error byte. */
static const brio_servo_alert ax_alerts[] = {
    {0, "input voltage", 0}, {1, "angle limit", 0}, {2, "overheating", 0}, {3, "range", 0},
    {4, "checksum", 0},      {5, "overload", 0},    {6, "instruction", 0}, {-1, NULL, 0}};

static const brio_servo_model no_models[] = {{-1, NULL, NULL}};

/* Common to all layouts.  `refusals`: the bits that refuse an instruction. */
#define COMMON                                                                                          \
  .protocol = "dynamixel1", .alerts = ax_alerts, .address_bytes = 1, .refusals = 0x5A,     \
  .goal_switches_on = true, .wheel_unlimited = true, .volt = 0.1

/* A layout of the MX series, by model, unit of speed and range in degrees. */
#define MX_LAYOUT(number, rpm, arc)                                                                     \
  {.name = "dynamixel1", .doc = "", COMMON, .registers = mx_series, .bauds = mx_bauds, .models = no_models, \
   .model = number, .table = 74, .bulk = true, .steps = 4096, .center = 2048, .turn = (arc) * TURN / 360, \
   .speed = (rpm) * RPM, .baud = 57600}

/* Layouts that differ in unit of speed or range. */
static const brio_servo_family mx = MX_LAYOUT(29, 0.114, 360);
static const brio_servo_family mx12 = MX_LAYOUT(360, 0.916, 360);
static const brio_servo_family ex106 = MX_LAYOUT(107, 0.111, 250.92);

/* Models; NULL: the registers of the AX. */
static const brio_servo_model models[] = {
    {12, "AX-12A", NULL},  {18, "AX-18A", NULL},  {300, "AX-12W", NULL}, {10, "RX-10", NULL},
    {24, "RX-24F", NULL},  {28, "RX-28", NULL},   {64, "RX-64", NULL},   {113, "DX-113", NULL},
    {116, "DX-116", NULL}, {117, "DX-117", NULL}, {29, "MX-28", &mx},    {310, "MX-64", &mx},
    {320, "MX-106", &mx},  {360, "MX-12W", &mx12}, {107, "EX-106+", &ex106}, {-1, NULL, NULL}};

const brio_servo_family brio_servo_dynamixel1 = {
    .name = "dynamixel1",
    .doc = "Dynamixel AX, RX and MX series by Protocol 1.0.",
    COMMON,
    .registers = ax_series,
    .bauds = ax_bauds,
    .models = models,
    .model = 12,
    .table = 50,
    .steps = 1024,
    .center = 512,
    .turn = 300 * TURN / 360,
    .speed = 0.111 * RPM,
    .baud = 1000000,
};
