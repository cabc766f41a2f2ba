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

static const brio_servo_model x_models[] = {
    {1020, "XM430-W350"}, {1030, "XM430-W210"}, {1000, "XH430-W350"}, {1010, "XH430-W210"},
    {1060, "XL430-W250"}, {1070, "XC430-W150"}, {1080, "XC430-W240"}, {1090, "2XL430-W250"},
    {1100, "XH540-W270"}, {1110, "XH540-W150"}, {1120, "XM540-W270"}, {1130, "XM540-W150"},
    {1190, "XL330-M077"}, {1200, "XL330-M288"}, {-1, NULL}};

const brio_servo_family brio_servo_dynamixel2 = {
    .name = "dynamixel",
    .doc = "Dynamixel X series by Protocol 2.0 (XM430 registers).",
    .protocol = &brio_protocol_dynamixel2,
    .registers = x_series,
    .bauds = x_bauds,
    .alerts = x_alerts,
    .model = 1020,
    .models = x_models,
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

/* ---- Dynamixel AX series, Protocol 1.0 ---- */

static const brio_register ax_series[] = {
    {"Model Number", 0, 2, ROLE(MODEL), R, U, 12, 0, 65535},
    {"Firmware Version", 2, 1, ROLE(FIRMWARE), R, U, 24, 0, 255},
    {"ID", 3, 1, ROLE(ID), S, U, 1, 0, 253},
    {"Baud Rate", 4, 1, ROLE(BAUD), S, U, 1, 0, 254},
    {"Return Delay Time", 5, 1, ROLE(RETURN_DELAY), S, U, 250, 0, 254},
    {"CW Angle Limit", 6, 2, ROLE(LOWER), S, U, 0, 0, 1023},
    {"CCW Angle Limit", 8, 2, ROLE(UPPER), S, U, 1023, 0, 1023},
    {"Temperature Limit", 11, 1, ROLE(TEMPERATURE_LIMIT), S, U, 70, 0, 150},
    {"Min Voltage Limit", 12, 1, ROLE(VOLTAGE_LOWER), S, U, 60, 50, 160},
    {"Max Voltage Limit", 13, 1, ROLE(VOLTAGE_UPPER), S, U, 140, 50, 160},
    {"Max Torque", 14, 2, ROLE(NONE), S, U, 1023, 0, 1023},
    {"Status Return Level", 16, 1, ROLE(STATUS_LEVEL), S, U, 2, 0, 2},
    {"Alarm LED", 17, 1, ROLE(NONE), S, U, 36, 0, 127},
    {"Shutdown", 18, 1, ROLE(NONE), S, U, 36, 0, 127},
    {"Torque Enable", 24, 1, ROLE(TORQUE), V, U, 0, 0, 1},
    {"LED", 25, 1, ROLE(NONE), V, U, 0, 0, 1},
    {"CW Compliance Margin", 26, 1, ROLE(NONE), V, U, 1, 0, 255},
    {"CCW Compliance Margin", 27, 1, ROLE(NONE), V, U, 1, 0, 255},
    {"CW Compliance Slope", 28, 1, ROLE(NONE), V, U, 32, 0, 255},
    {"CCW Compliance Slope", 29, 1, ROLE(NONE), V, U, 32, 0, 255},
    {"Goal Position", 30, 2, ROLE(GOAL), V, U, 512, 0, 1023},
    {"Moving Speed", 32, 2, ROLE(SPEED), V, U, 0, 0, 2047},
    {"Torque Limit", 34, 2, ROLE(NONE), V, U, 1023, 0, 1023},
    {"Present Position", 36, 2, ROLE(POSITION), R, U, 512, 0, 1023},
    {"Present Speed", 38, 2, ROLE(VELOCITY), R, S10, 0, -1023, 1023},
    {"Present Load", 40, 2, ROLE(LOAD), R, S10, 0, -1023, 1023},
    {"Present Voltage", 42, 1, ROLE(VOLTAGE), R, U, 120, 0, 255},
    {"Present Temperature", 43, 1, ROLE(TEMPERATURE), R, U, 35, 0, 255},
    {"Registered", 44, 1, ROLE(REGISTERED), R, U, 0, 0, 1},
    {"Moving", 46, 1, ROLE(MOVING), R, U, 0, 0, 1},
    {"Lock", 47, 1, ROLE(NONE), V, U, 0, 0, 1},
    {"Punch", 48, 2, ROLE(NONE), V, U, 32, 0, 1023},
    {0},
};

/* 2000000 / (code + 1), as vendors name them. */
static const brio_servo_baud ax_bauds[] = {{1, 1000000}, {3, 500000},  {4, 400000},  {7, 250000}, {9, 200000},
                                           {16, 115200}, {34, 57600}, {103, 19200}, {207, 9600}, {0, 0}};

static const brio_servo_alert ax_alerts[] = {{0, "input voltage"}, {1, "angle limit"}, {2, "overheating"},
                                             {3, "range"},         {4, "checksum"},    {5, "overload"},
                                             {6, "instruction"},   {-1, NULL}};

static const brio_servo_model ax_models[] = {
    {12, "AX-12A"}, {18, "AX-18A"}, {300, "AX-12W"}, {29, "MX-28"}, {310, "MX-64"}, {320, "MX-106"},
    {360, "MX-12W"}, {24, "RX-24F"}, {28, "RX-28"}, {64, "RX-64"}, {-1, NULL}};

const brio_servo_family brio_servo_dynamixel1 = {
    .name = "dynamixel1",
    .doc = "Dynamixel AX and MX series by Protocol 1.0 (AX-12A registers).",
    .protocol = &brio_protocol_dynamixel1,
    .registers = ax_series,
    .bauds = ax_bauds,
    .alerts = ax_alerts,
    .model = 12,
    .models = ax_models,
    .table = 50,
    .address_bytes = 1,
    .refusals = 0x5A,
    .steps = 1024,
    .center = 512,
    .turn = 300 * 6.283185307179586 / 360,
    .speed = 0.111 * 6.283185307179586 / 60,
    .volt = 0.1,
    .baud = 1000000,
};

/* ---- Feetech STS and SMS ---- */

static const brio_register sts_series[] = {
    {"Firmware Major", 0, 1, ROLE(FIRMWARE), R, U, 3, 0, 255},
    {"Firmware Minor", 1, 1, ROLE(NONE), R, U, 9, 0, 255},
    {"Model Number", 3, 2, ROLE(MODEL), R, U, 777, 0, 65535},
    {"ID", 5, 1, ROLE(ID), S, U, 1, 0, 253},
    {"Baud Rate", 6, 1, ROLE(BAUD), S, U, 0, 0, 7},
    {"Return Delay Time", 7, 1, ROLE(RETURN_DELAY), S, U, 0, 0, 254},
    {"Response Level", 8, 1, ROLE(NONE), S, U, 1, 0, 1},
    {"Min Position Limit", 9, 2, ROLE(LOWER), S, U, 0, 0, 4095},
    {"Max Position Limit", 11, 2, ROLE(UPPER), S, U, 4095, 0, 4095},
    {"Max Temperature Limit", 13, 1, ROLE(TEMPERATURE_LIMIT), S, U, 70, 0, 100},
    {"Max Voltage Limit", 14, 1, ROLE(VOLTAGE_UPPER), S, U, 140, 0, 254},
    {"Min Voltage Limit", 15, 1, ROLE(VOLTAGE_LOWER), S, U, 40, 0, 254},
    {"Max Torque Limit", 16, 2, ROLE(NONE), S, U, 1000, 0, 1000},
    {"Unloading Condition", 19, 1, ROLE(NONE), S, U, 44, 0, 254},
    {"LED Alarm Condition", 20, 1, ROLE(NONE), S, U, 47, 0, 254},
    {"P Coefficient", 21, 1, ROLE(NONE), S, U, 32, 0, 254},
    {"D Coefficient", 22, 1, ROLE(NONE), S, U, 32, 0, 254},
    {"I Coefficient", 23, 1, ROLE(NONE), S, U, 0, 0, 254},
    {"Protection Current", 28, 2, ROLE(NONE), S, U, 500, 0, 511},
    {"Homing Offset", 31, 2, ROLE(NONE), S, U, 0, 0, 4095},
    {"Operating Mode", 33, 1, ROLE(MODE), S, U, 0, 0, 3},
    {"Torque Enable", 40, 1, ROLE(TORQUE), V, U, 0, 0, 128},
    {"Acceleration", 41, 1, ROLE(NONE), V, U, 0, 0, 254},
    {"Goal Position", 42, 2, ROLE(GOAL), V, S15, 2048, -32767, 32767},
    {"Goal Time", 44, 2, ROLE(NONE), V, U, 0, 0, 65535},
    {"Goal Speed", 46, 2, ROLE(SPEED), V, S15, 0, -32767, 32767},
    {"Torque Limit", 48, 2, ROLE(NONE), V, U, 1000, 0, 1000},
    {"Lock", 55, 1, ROLE(LOCK), V, U, 1, 0, 1},
    {"Present Position", 56, 2, ROLE(POSITION), R, S15, 2048, -32767, 32767},
    {"Present Speed", 58, 2, ROLE(VELOCITY), R, S15, 0, -32767, 32767},
    {"Present Load", 60, 2, ROLE(LOAD), R, S10, 0, -1000, 1000},
    {"Present Voltage", 62, 1, ROLE(VOLTAGE), R, U, 120, 0, 254},
    {"Present Temperature", 63, 1, ROLE(TEMPERATURE), R, U, 35, 0, 254},
    {"Asynchronous Write", 64, 1, ROLE(REGISTERED), R, U, 0, 0, 1},
    {"Status", 65, 1, ROLE(ALERT), R, U, 0, 0, 255},
    {"Moving", 66, 1, ROLE(MOVING), R, U, 0, 0, 1},
    {"Present Current", 69, 2, ROLE(NONE), R, S15, 0, -32767, 32767},
    {0},
};

/* Codes 5 to 7 differ between the vendor's own papers: they are left out. */
static const brio_servo_baud feetech_bauds[] = {{0, 1000000}, {1, 500000}, {2, 250000},
                                                {3, 128000},  {4, 115200}, {0, 0}};

static const brio_servo_alert feetech_alerts[] = {{0, "input voltage"}, {1, "angle sensor"}, {2, "overheating"},
                                                  {3, "overcurrent"},   {5, "overload"},     {-1, NULL}};

static const brio_servo_model sts_models[] = {
    {777, "STS3215"}, {2825, "STS3250"}, {-1, NULL}};

const brio_servo_family brio_servo_sts = {
    .name = "sts",
    .doc = "Feetech STS and SMS servos (STS3215 registers).",
    .protocol = &brio_protocol_sts,
    .registers = sts_series,
    .bauds = feetech_bauds,
    .alerts = feetech_alerts,
    .model = 777,
    .models = sts_models,
    .table = 71,
    .address_bytes = 1,
    .sync_read = true,
    .steps = 4096,
    .center = 2048,
    .turn = 6.283185307179586,
    .speed = 6.283185307179586 / 4096,
    .volt = 0.1,
    .baud = 1000000,
};

/* ---- Feetech SCS ---- */

static const brio_register scs_series[] = {
    {"Firmware Major", 0, 1, ROLE(FIRMWARE), R, U, 1, 0, 255},
    {"Firmware Minor", 1, 1, ROLE(NONE), R, U, 5, 0, 255},
    {"Model Number", 3, 2, ROLE(MODEL), R, U, 1284, 0, 65535},
    {"ID", 5, 1, ROLE(ID), S, U, 1, 0, 253},
    {"Baud Rate", 6, 1, ROLE(BAUD), S, U, 0, 0, 7},
    {"Return Delay Time", 7, 1, ROLE(RETURN_DELAY), S, U, 0, 0, 254},
    {"Response Level", 8, 1, ROLE(NONE), S, U, 1, 0, 1},
    {"Min Position Limit", 9, 2, ROLE(LOWER), S, U, 0, 0, 1023},
    {"Max Position Limit", 11, 2, ROLE(UPPER), S, U, 1023, 0, 1023},
    {"Max Temperature Limit", 13, 1, ROLE(TEMPERATURE_LIMIT), S, U, 80, 0, 100},
    {"Max Voltage Limit", 14, 1, ROLE(VOLTAGE_UPPER), S, U, 90, 0, 254},
    {"Min Voltage Limit", 15, 1, ROLE(VOLTAGE_LOWER), S, U, 40, 0, 254},
    {"Max Torque Limit", 16, 2, ROLE(NONE), S, U, 1000, 0, 1000},
    {"Torque Enable", 40, 1, ROLE(TORQUE), V, U, 0, 0, 1},
    {"Goal Position", 42, 2, ROLE(GOAL), V, U, 512, 0, 1023},
    {"Goal Time", 44, 2, ROLE(NONE), V, U, 0, 0, 65535},
    {"Goal Speed", 46, 2, ROLE(SPEED), V, U, 0, 0, 65535},
    {"Lock", 48, 1, ROLE(LOCK), V, U, 1, 0, 1},
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

static const brio_servo_model scs_models[] = {
    {1284, "SCS0009"}, {-1, NULL}};

const brio_servo_family brio_servo_scs = {
    .name = "scs",
    .doc = "Feetech SCS servos (SCS0009 registers).",
    .protocol = &brio_protocol_scs,
    .registers = scs_series,
    .bauds = feetech_bauds,
    .alerts = feetech_alerts,
    .model = 1284,
    .models = scs_models,
    .table = 67,
    .address_bytes = 1,
    .big_endian = true,
    .steps = 1024,
    .center = 512,
    .turn = 300 * 6.283185307179586 / 360,
    .speed = 300 * 6.283185307179586 / 360 / 1024,
    .volt = 0.1,
    .baud = 1000000,
};
