/* The registers of Dynamixel PRO servos (H, M and L, without the A of newer firmware, which are like the P
** series) and of the Y series.
**
** Sources: ROBOTIS e-Manual, control tables of H54-200-S500-R, H42-20-S300-R, M54-40-S250-R, M42-10-S260-R,
** L54-50-S500-R and, for the factors of speed, current and position of the others, the sections of their Goal
** Velocity, Goal Torque and Position Limit; of YM070-210-M001-RH, R051 and R099 with its sections on modes,
** errors, watchdog and baud rate; the DynamixelSDK's lists of models for the counts of the Y series' turn
** (facts alone).  A PRO's unit of speed is a turn of its motor a minute; it has no watchdog, and the goal's
** speed is its register next to the goal.  A Y's error is a code and not bits; its profile lies far from its
** goal, so no speed goes with a goal; a turn has 524288 counts as long as its electronic gear is left as
** delivered.  L42-10-S300-R is left out: its counts per turn are not given there. */
#include "drivers/servo/rows.def"
#include "drivers/servo/tables.h"

/* The range of a number of 32 bits. */
#define MOST 2147483647

/* ---- PRO ---- */

/* Registers of a PRO: EEPROM up to address 48, RAM from 562 on.  `half`: half the counts per turn. */
#define PRO_REGISTERS(number, half, torque, fastest) {                                            \
  {"Model Number", 0, 2, ROLE(MODEL), R, U, number, 0, 65535},                                   \
  {"Model Information", 2, 4, ROLE(NONE), R, U, 0, 0, 0},                                        \
  {"Firmware Version", 6, 1, ROLE(FIRMWARE), R, U, 20, 0, 255},                                  \
  {"ID", 7, 1, ROLE(ID), S, U, 1, 0, 252},                                                       \
  {"Baud Rate", 8, 1, ROLE(BAUD), S, U, 1, 0, 13},                                               \
  {"Return Delay Time", 9, 1, ROLE(RETURN_DELAY), S, U, 250, 0, 255},                            \
  {"Operating Mode", 11, 1, ROLE(MODE), S, U, 3, 0, 4},                                          \
  {"Homing Offset", 13, 4, ROLE(HOMING), S, T, 0, -MOST, MOST},                                  \
  {"Moving Threshold", 17, 4, ROLE(NONE), S, U, 50, 0, MOST},                                    \
  {"Temperature Limit", 21, 1, ROLE(TEMPERATURE_LIMIT), S, U, 80, 0, 100},                       \
  {"Max Voltage Limit", 22, 2, ROLE(VOLTAGE_UPPER), S, U, 400, 0, 400},                          \
  {"Min Voltage Limit", 24, 2, ROLE(VOLTAGE_LOWER), S, U, 150, 0, 400},                          \
  {"Acceleration Limit", 26, 4, ROLE(NONE), S, U, 255, 0, MOST},                                 \
  {"Torque Limit", 30, 2, ROLE(CURRENT_LIMIT), S, U, torque, 0, 3 * (torque)},                   \
  {"Velocity Limit", 32, 4, ROLE(VELOCITY_LIMIT), S, U, fastest, 0, MOST},                       \
  {"Max Position Limit", 36, 4, ROLE(UPPER), S, T, half, -MOST, MOST},                           \
  {"Min Position Limit", 40, 4, ROLE(LOWER), S, T, -(half), -MOST, MOST},                        \
  {"Shutdown", 48, 1, ROLE(NONE), S, U, 58, 0, 255},                                             \
  {"Torque Enable", 562, 1, ROLE(TORQUE), V, U, 0, 0, 1},                                        \
  {"LED Red", 563, 1, ROLE(NONE), V, U, 0, 0, 255},                                              \
  {"LED Green", 564, 1, ROLE(NONE), V, U, 0, 0, 255},                                            \
  {"LED Blue", 565, 1, ROLE(NONE), V, U, 0, 0, 255},                                             \
  {"Velocity I Gain", 586, 2, ROLE(NONE), V, U, 14, 0, 65535},                                   \
  {"Velocity P Gain", 588, 2, ROLE(NONE), V, U, 399, 0, 65535},                                  \
  {"Position P Gain", 594, 2, ROLE(GAIN_P), V, U, 32, 0, 65535},                                 \
  {"Goal Position", 596, 4, ROLE(GOAL), V, T, 0, -MOST, MOST},                                   \
  {"Goal Velocity", 600, 4, ROLE(SPEED), V, T, 0, -MOST, MOST},                                  \
  {"Goal Torque", 604, 2, ROLE(NONE), V, T, 0, -3 * (torque), 3 * (torque)},                     \
  {"Goal Acceleration", 606, 4, ROLE(NONE), V, U, 0, 0, MOST},                                   \
  {"Moving", 610, 1, ROLE(MOVING), R, U, 0, 0, 1},                                               \
  {"Present Position", 611, 4, ROLE(POSITION), R, T, 0, -MOST, MOST},                            \
  {"Present Velocity", 615, 4, ROLE(VELOCITY), R, T, 0, -MOST, MOST},                            \
  {"Present Current", 621, 2, ROLE(CURRENT), R, T, 0, -32767, 32767},                            \
  {"Present Input Voltage", 623, 2, ROLE(VOLTAGE), R, U, 240, 0, 65535},                         \
  {"Present Temperature", 625, 1, ROLE(TEMPERATURE), R, U, 35, 0, 255},                          \
  {"Registered Instruction", 890, 1, ROLE(REGISTERED), R, U, 0, 0, 1},                           \
  {"Status Return Level", 891, 1, ROLE(STATUS_LEVEL), V, U, 2, 0, 2},                            \
  {"Hardware Error Status", 892, 1, ROLE(ALERT), R, U, 0, 0, 255},                               \
  {0}}

/* Models by half their counts per turn, greatest torque and speed. */
static const brio_register h54_registers[] = PRO_REGISTERS(54024, 250961, 620, 17000);
static const brio_register h42_registers[] = PRO_REGISTERS(51200, 151875, 465, 10300);
static const brio_register m54_registers[] = PRO_REGISTERS(46096, 125708, 120, 8000);
static const brio_register m42_registers[] = PRO_REGISTERS(43288, 131593, 300, 8000);
static const brio_register l54_290_registers[] = PRO_REGISTERS(38176, 103846, 120, 8000);
static const brio_register l54_400_registers[] = PRO_REGISTERS(37928, 144197, 120, 8000);
static const brio_register l54_500_registers[] = PRO_REGISTERS(38152, 180692, 120, 8000);

/* Codes of baud rates, then errors by bit. */
static const brio_servo_baud pro_bauds[] = {{0, 9600},     {1, 57600},   {2, 115200},  {3, 1000000},
                                            {4, 2000000},  {5, 3000000}, {6, 4000000}, {7, 4500000},
                                            {8, 10500000}, {0, 0}};
static const brio_servo_alert pro_alerts[] = {
    {0, "input voltage", 0},    {1, "hall sensor", 0}, {2, "overheating", 0}, {3, "motor encoder", 0},
    {4, "electrical shock", 0}, {5, "overload", 0},    {-1, NULL, 0}};
static const brio_servo_model no_models[] = {{-1, NULL, NULL}};

/* Common to all layouts of this file. */
#define COMMON                                                                                               \
  .name = "dynamixel", .doc = "", .protocol = "dynamixel2", .models = no_models, .address_bytes = 2,         \
  .status_packets = true, .sync_read = true, .bulk = true, .stored_needs_torque_off = true,                  \
  .speed_bounded = true, .homing = 1, .turn = TURN, .baud = 57600

/* Unit of current, mA: 33000 / 2048 in a 54, 8250 / 2048 in a 42. */
#define PRO(table_of, number, half, factor, full)                                                            \
  {                                                                                                          \
    COMMON, .registers = table_of, .bauds = pro_bauds, .alerts = pro_alerts, .model = number, .table = 893,  \
            .places = MODE(3) | MODE(4), .turns = MODE(4), .steps = 2 * (half), .speed = (factor)*RPM,       \
            .volt = 0.1, .ampere = (full) / 2048.0                                                           \
  }

/* Layouts: registers, model, half the counts, unit of speed in rpm, full scale of current in A. */
const brio_servo_family brio_servo_pro_h54 = PRO(h54_registers, 54024, 250961, 0.00199234, 33);
const brio_servo_family brio_servo_pro_h42 = PRO(h42_registers, 51200, 151875, 0.00329218, 8.25);
const brio_servo_family brio_servo_pro_m54 = PRO(m54_registers, 46096, 125708, 0.00397746, 33);
const brio_servo_family brio_servo_pro_m42 = PRO(m42_registers, 43288, 131593, 0.00389076, 8.25);
const brio_servo_family brio_servo_pro_l54_290 = PRO(l54_290_registers, 38176, 103846, 0.00346667, 33);
const brio_servo_family brio_servo_pro_l54_400 = PRO(l54_400_registers, 37928, 144197, 0.00249657, 33);
const brio_servo_family brio_servo_pro_l54_500 = PRO(l54_500_registers, 38152, 180692, 0.00199234, 33);

/* ---- Y ---- */

/* Half the counts per turn, as delivered. */
enum { Y_HALF = 262144 };

/* Registers of a Y: EEPROM up to address 108, except for the watchdog; RAM from 152 on. */
#define Y_REGISTERS(number, fastest, most_speed, gear) {                                          \
  {"Model Number", 0, 2, ROLE(MODEL), R, U, number, 0, 65535},                                   \
  {"Model Information", 2, 4, ROLE(NONE), R, U, 0, 0, 0},                                        \
  {"Firmware Version", 6, 1, ROLE(FIRMWARE), R, U, 10, 0, 255},                                  \
  {"ID", 7, 1, ROLE(ID), S, U, 1, 0, 252},                                                       \
  {"Bus Watchdog", 8, 2, ROLE(WATCHDOG), V, T, 0, 0, 127},                                       \
  {"Secondary ID", 10, 1, ROLE(NONE), S, U, 255, 0, 255},                                        \
  {"Protocol Type", 11, 1, ROLE(NONE), S, U, 2, 2, 2},                                           \
  {"Baud Rate", 12, 1, ROLE(BAUD), S, U, 1, 0, 9},                                               \
  {"Return Delay Time", 13, 1, ROLE(RETURN_DELAY), S, U, 250, 0, 254},                           \
  {"Status Return Level", 15, 1, ROLE(STATUS_LEVEL), V, U, 2, 0, 2},                             \
  {"Registered Instruction", 16, 1, ROLE(REGISTERED), R, U, 0, 0, 1},                            \
  {"Drive Mode", 32, 1, ROLE(DRIVE_MODE), S, U, 0, 0, 77},                                       \
  {"Operating Mode", 33, 1, ROLE(MODE), S, U, 3, 0, 3},                                          \
  {"Startup Configuration", 34, 1, ROLE(NONE), S, U, 0, 0, 1},                                   \
  {"Position Limit Threshold", 38, 2, ROLE(NONE), S, U, 0, 0, 32767},                            \
  {"In-Position Threshold", 40, 4, ROLE(NONE), S, U, 19, 0, MOST},                               \
  {"Following Error Threshold", 44, 4, ROLE(NONE), S, U, 0, 0, MOST},                            \
  {"Moving Threshold", 48, 4, ROLE(NONE), S, U, 19, 0, MOST},                                    \
  {"Homing Offset", 52, 4, ROLE(HOMING), S, T, 0, -MOST, MOST},                                  \
  {"Inverter Temperature Limit", 56, 1, ROLE(NONE), S, U, 80, 0, 100},                           \
  {"Motor Temperature Limit", 57, 1, ROLE(TEMPERATURE_LIMIT), S, U, 80, 0, 100},                 \
  {"Max Voltage Limit", 60, 2, ROLE(VOLTAGE_UPPER), S, U, 320, 240, 400},                        \
  {"Min Voltage Limit", 62, 2, ROLE(VOLTAGE_LOWER), S, U, 160, 160, 400},                        \
  {"PWM Limit", 64, 2, ROLE(NONE), S, U, 1000, 0, 1000},                                         \
  {"Current Limit", 66, 2, ROLE(CURRENT_LIMIT), S, U, 2080, 0, 2080},                            \
  {"Acceleration Limit", 68, 4, ROLE(NONE), S, U, 44000, 0, 38520000},                           \
  {"Velocity Limit", 72, 4, ROLE(VELOCITY_LIMIT), S, U, fastest, 0, most_speed},                 \
  {"Max Position Limit", 76, 4, ROLE(UPPER), S, T, Y_HALF, -MOST, MOST},                         \
  {"Min Position Limit", 84, 4, ROLE(LOWER), S, T, -Y_HALF, -MOST, MOST},                        \
  {"Electronic GearRatio Numerator", 96, 4, ROLE(NONE), S, U, gear, 1, 1045576},                 \
  {"Electronic GearRatio Denominator", 100, 4, ROLE(NONE), S, U, 1, 1, 1045576},                 \
  {"Safe Stop Time", 104, 2, ROLE(NONE), S, U, 200, 0, 32767},                                   \
  {"Brake Delay", 106, 2, ROLE(NONE), S, U, 0, 0, 32767},                                        \
  {"Goal Update Delay", 108, 2, ROLE(NONE), S, U, 0, 0, 32767},                                  \
  {"Controller State", 152, 1, ROLE(NONE), R, U, 0, 0, 255},                                     \
  {"Error Code", 153, 1, ROLE(ALERT), R, U, 0, 0, 255},                                          \
  {"Hybrid Save", 170, 1, ROLE(NONE), V, U, 0, 0, 2},                                            \
  {"Velocity I Gain", 212, 4, ROLE(NONE), V, U, 2446559, 0, MOST},                               \
  {"Velocity P Gain", 216, 4, ROLE(NONE), V, U, 24778, 0, MOST},                                 \
  {"Velocity FF Gain", 220, 4, ROLE(NONE), V, U, 0, 0, MOST},                                    \
  {"Position D Gain", 224, 4, ROLE(GAIN_D), V, U, 9090, 0, MOST},                                \
  {"Position I Gain", 228, 4, ROLE(GAIN_I), V, U, 0, 0, MOST},                                   \
  {"Position P Gain", 232, 4, ROLE(GAIN_P), V, U, 6283185, 0, MOST},                             \
  {"Position FF Gain", 236, 4, ROLE(GAIN_VELOCITY), V, U, 0, 0, MOST},                           \
  {"Profile Acceleration", 240, 4, ROLE(NONE), V, U, 44000, 0, 38520000},                        \
  {"Profile Velocity", 244, 4, ROLE(SPEED), V, U, fastest, 0, most_speed},                       \
  {"Profile Acceleration Time", 248, 4, ROLE(NONE), V, U, 400, 0, 262144},                       \
  {"Profile Time", 252, 4, ROLE(NONE), V, U, 800, 0, 524288},                                    \
  {"Torque Enable", 512, 1, ROLE(TORQUE), V, U, 0, 0, 1},                                        \
  {"LED", 513, 1, ROLE(NONE), V, U, 0, 0, 1},                                                    \
  {"PWM Offset", 516, 2, ROLE(NONE), V, T, 0, -1000, 1000},                                      \
  {"Current Offset", 518, 2, ROLE(NONE), V, T, 0, -2080, 2080},                                  \
  {"Velocity Offset", 520, 4, ROLE(NONE), V, T, 0, -(most_speed), most_speed},                   \
  {"Goal PWM", 524, 2, ROLE(NONE), V, T, 0, -1000, 1000},                                        \
  {"Goal Current", 526, 2, ROLE(NONE), V, T, 0, -2080, 2080},                                    \
  {"Goal Velocity", 528, 4, ROLE(GOAL_VELOCITY), V, T, 0, -(most_speed), most_speed},            \
  {"Goal Position", 532, 4, ROLE(GOAL), V, T, 0, -MOST, MOST},                                   \
  {"Moving Status", 541, 1, ROLE(NONE), R, U, 0, 0, 255},                                        \
  {"Realtime Tick", 542, 2, ROLE(NONE), R, U, 0, 0, 32767},                                      \
  {"Present PWM", 544, 2, ROLE(NONE), R, T, 0, -1000, 1000},                                     \
  {"Present Current", 546, 2, ROLE(CURRENT), R, T, 0, -2080, 2080},                              \
  {"Present Velocity", 548, 4, ROLE(VELOCITY), R, T, 0, -MOST, MOST},                            \
  {"Present Position", 552, 4, ROLE(POSITION), R, T, 0, -MOST, MOST},                            \
  {"Position Trajectory", 560, 4, ROLE(NONE), R, T, 0, -MOST, MOST},                             \
  {"Velocity Trajectory", 564, 4, ROLE(NONE), R, T, 0, -MOST, MOST},                             \
  {"Present Input Voltage", 568, 2, ROLE(VOLTAGE), R, U, 2400, 0, 65535},                        \
  {"Present Inverter Temperature", 570, 1, ROLE(NONE), R, U, 35, 0, 255},                        \
  {"Present Motor Temperature", 571, 1, ROLE(TEMPERATURE), R, U, 35, 0, 255},                    \
  {0}}

/* Models by greatest speed and gear ratio. */
static const brio_register y_direct_registers[] = Y_REGISTERS(4000, 550000, 642200, 1);
static const brio_register y_51_registers[] = Y_REGISTERS(4020, 3921, 12592, 51);
static const brio_register y_99_registers[] = Y_REGISTERS(4030, 2020, 6486, 99);

/* Codes of baud rates. */
static const brio_servo_baud y_bauds[] = {{0, 9600},    {1, 57600},    {2, 115200},  {3, 1000000},
                                          {4, 2000000}, {5, 3000000},  {6, 4000000}, {7, 4500000},
                                          {8, 6000000}, {9, 10500000}, {0, 0}};

/* Error codes.  With those that stay the servo holds its position and accepts no goals. */
static const brio_servo_alert y_alerts[] = {{1, "input voltage too high", 0},
                                            {2, "input voltage too low", 0},
                                            {3, "overheating of the inverter", 0},
                                            {4, "overheating of the motor", 0},
                                            {5, "overload", 0},
                                            {7, "inverter", 0},
                                            {9, "its battery is low", 0},
                                            {10, "its battery is empty", 0},
                                            {11, "its turns are lost", 0},
                                            {12, "counter of turns", 0},
                                            {13, "encoder", 0},
                                            {14, "hall sensor", 0},
                                            {15, "calibration", 0},
                                            {17, "following error", true},
                                            {18, "bus watchdog", true},
                                            {19, "too fast", true},
                                            {20, "beyond its limits", true},
                                            {-1, NULL, 0}};

/* A layout of the Y series: one error code at a time. */
#define Y(table_of, number)                                                                                  \
  {                                                                                                          \
    COMMON, .registers = table_of, .bauds = y_bauds, .alerts = y_alerts, .alert_codes = true,                \
            .model = number, .table = 572, .places = MODE(3), .speeds = MODE(1), .steps = 2 * Y_HALF,        \
            .speed = 0.01 * RPM, .volt = 0.01, .ampere = 0.01                                                \
  }

/* Layouts by gear. */
const brio_servo_family brio_servo_y_direct = Y(y_direct_registers, 4000);
const brio_servo_family brio_servo_y_51 = Y(y_51_registers, 4020);
const brio_servo_family brio_servo_y_99 = Y(y_99_registers, 4030);
