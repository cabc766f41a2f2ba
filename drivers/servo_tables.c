/* The registers of the bus servo families, as tables.
**
** Sources: ROBOTIS e-Manual, control tables of XM430-W350 and AX-12A; Feetech memory tables as
** huggingface/lerobot lists them (Apache-2.0).  Limits are what the vendors give; where they give
** none, what the bytes can say. */
#include "drivers/servo.h"

#define X(name) extern const brio_protocol brio_protocol_##name;
#include "drivers/protocols.def"
#undef X

#define R BRIO_READ_ONLY
#define V BRIO_VOLATILE
#define S BRIO_STORED
#define U BRIO_UNSIGNED
#define T BRIO_TWOS_COMPLEMENT
#define S10 BRIO_SIGN_BIT_10
#define S15 BRIO_SIGN_BIT_15
#define ROLE(name) BRIO_ROLE_##name

/* ---- Dynamixel X series, Protocol 2.0 ---- */

static const brio_register x_series[] = {
    {"Model Number", 0, 2, ROLE(MODEL), R, U, 1020, 0, 65535},
    {"Model Information", 2, 4, ROLE(NONE), R, U, 0, 0, 0},
    {"Firmware Version", 6, 1, ROLE(FIRMWARE), R, U, 45, 0, 255},
    {"ID", 7, 1, ROLE(ID), S, U, 1, 0, 252},
    {"Baud Rate", 8, 1, ROLE(BAUD), S, U, 1, 0, 7},
    {"Return Delay Time", 9, 1, ROLE(RETURN_DELAY), S, U, 250, 0, 254},
    {"Drive Mode", 10, 1, ROLE(NONE), S, U, 0, 0, 13},
    {"Operating Mode", 11, 1, ROLE(MODE), S, U, 3, 0, 16},
    {"Secondary ID", 12, 1, ROLE(NONE), S, U, 255, 0, 255},
    {"Protocol Type", 13, 1, ROLE(NONE), S, U, 2, 1, 2},
    {"Homing Offset", 20, 4, ROLE(NONE), S, T, 0, -1044479, 1044479},
    {"Moving Threshold", 24, 4, ROLE(NONE), S, U, 10, 0, 1023},
    {"Temperature Limit", 31, 1, ROLE(TEMPERATURE_LIMIT), S, U, 80, 0, 100},
    {"Max Voltage Limit", 32, 2, ROLE(VOLTAGE_UPPER), S, U, 160, 95, 160},
    {"Min Voltage Limit", 34, 2, ROLE(VOLTAGE_LOWER), S, U, 95, 95, 160},
    {"PWM Limit", 36, 2, ROLE(NONE), S, U, 885, 0, 885},
    {"Current Limit", 38, 2, ROLE(NONE), S, U, 1193, 0, 1193},
    {"Velocity Limit", 44, 4, ROLE(VELOCITY_LIMIT), S, U, 200, 0, 1023},
    {"Max Position Limit", 48, 4, ROLE(UPPER), S, U, 4095, 0, 4095},
    {"Min Position Limit", 52, 4, ROLE(LOWER), S, U, 0, 0, 4095},
    {"Startup Configuration", 60, 1, ROLE(NONE), S, U, 0, 0, 3},
    {"Shutdown", 63, 1, ROLE(NONE), S, U, 52, 0, 255},
    {"Torque Enable", 64, 1, ROLE(TORQUE), V, U, 0, 0, 1},
    {"LED", 65, 1, ROLE(NONE), V, U, 0, 0, 1},
    {"Status Return Level", 68, 1, ROLE(STATUS_LEVEL), V, U, 2, 0, 2},
    {"Registered Instruction", 69, 1, ROLE(REGISTERED), R, U, 0, 0, 1},
    {"Hardware Error Status", 70, 1, ROLE(ALERT), R, U, 0, 0, 255},
    {"Velocity I Gain", 76, 2, ROLE(NONE), V, U, 1920, 0, 16383},
    {"Velocity P Gain", 78, 2, ROLE(NONE), V, U, 100, 0, 16383},
    {"Position D Gain", 80, 2, ROLE(NONE), V, U, 0, 0, 16383},
    {"Position I Gain", 82, 2, ROLE(NONE), V, U, 0, 0, 16383},
    {"Position P Gain", 84, 2, ROLE(NONE), V, U, 800, 0, 16383},
    {"Feedforward 2nd Gain", 88, 2, ROLE(NONE), V, U, 0, 0, 16383},
    {"Feedforward 1st Gain", 90, 2, ROLE(NONE), V, U, 0, 0, 16383},
    {"Bus Watchdog", 98, 1, ROLE(NONE), V, U, 0, 0, 255},
    {"Goal PWM", 100, 2, ROLE(NONE), V, T, 885, -885, 885},
    {"Goal Current", 102, 2, ROLE(NONE), V, T, 1193, -1193, 1193},
    {"Goal Velocity", 104, 4, ROLE(NONE), V, T, 0, -1023, 1023},
    {"Profile Acceleration", 108, 4, ROLE(NONE), V, U, 0, 0, 32767},
    {"Profile Velocity", 112, 4, ROLE(SPEED), V, U, 0, 0, 32767},
    {"Goal Position", 116, 4, ROLE(GOAL), V, T, 2048, -1048575, 1048575},
    {"Realtime Tick", 120, 2, ROLE(NONE), R, U, 0, 0, 32767},
    {"Moving", 122, 1, ROLE(MOVING), R, U, 0, 0, 1},
    {"Moving Status", 123, 1, ROLE(NONE), R, U, 0, 0, 255},
    {"Present PWM", 124, 2, ROLE(NONE), R, T, 0, -885, 885},
    {"Present Current", 126, 2, ROLE(LOAD), R, T, 0, -1193, 1193},
    {"Present Velocity", 128, 4, ROLE(VELOCITY), R, T, 0, -1023, 1023},
    {"Present Position", 132, 4, ROLE(POSITION), R, T, 2048, -1048575, 1048575},
    {"Velocity Trajectory", 136, 4, ROLE(NONE), R, T, 0, -1023, 1023},
    {"Position Trajectory", 140, 4, ROLE(NONE), R, T, 2048, -1048575, 1048575},
    {"Present Input Voltage", 144, 2, ROLE(VOLTAGE), R, U, 120, 0, 65535},
    {"Present Temperature", 146, 1, ROLE(TEMPERATURE), R, U, 35, 0, 100},
    {0},
};

static const brio_servo_baud x_bauds[] = {{0, 9600},    {1, 57600},   {2, 115200},  {3, 1000000},
                                          {4, 2000000}, {5, 3000000}, {6, 4000000}, {7, 4500000}, {0, 0}};

static const brio_servo_alert x_alerts[] = {{0, "input voltage"},    {2, "overheating"}, {3, "motor encoder"},
                                            {4, "electrical shock"}, {5, "overload"},    {-1, NULL}};

const brio_servo_family brio_servo_dynamixel2 = {
    .name = "dynamixel",
    .doc = "Dynamixel X series by Protocol 2.0 (XM430 registers).",
    .protocol = &brio_protocol_dynamixel2,
    .registers = x_series,
    .bauds = x_bauds,
    .alerts = x_alerts,
    .model = 1020,
    .model_name = "XM430-W350",
    .table = 256,
    .address_bytes = 2,
    .status_packets = true,
    .sync_read = true,
    .bulk = true,
    .fast = true,
    .stored_needs_torque_off = true,
    .steps = 4096,
    .center = 2048,
    .turn = 6.283185307179586,
    .speed = 0.229 * 6.283185307179586 / 60,
    .volt = 0.1,
    .baud = 57600,
};
