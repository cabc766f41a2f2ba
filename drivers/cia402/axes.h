/* CiA 402 drives as the axes of a driver, on any line: states, set-points, units, limits, faults.  A link
** transports objects and targets: bus.c (CANopen) or line.c (maxon's serial frames). */
#ifndef BRIO_DRIVERS_CIA402_AXES_H
#define BRIO_DRIVERS_CIA402_AXES_H

#include "drivers/cia402/canopen.h"
#include "drivers/cia402/cia402.h"
#include "drivers/driver.h"

enum { BRIO_CIA402_AXES = 32 };

/* A PDO: its identifier, and the offsets of numbers in its bytes; -1: not mapped. */
typedef struct brio_cia402_pdo {
  int id, length;
  int8_t target, control, status, place, torque, speed;
  uint8_t data[8]; /* of PDOs that the drive receives: the remaining bytes */
} brio_cia402_pdo;

/* One drive. */
typedef struct brio_cia402_axis {
  int node;
  double lower, upper, velocity, acceleration; /* rad, rad/s, rad/s^2 */
  uint16_t status;
  int32_t place, target, taken;   /* counts: measured; target; target last sent */
  int torque;                     /* thousandths of its rated torque */
  bool knows_torque, on, told, fresh; /* told: it has had a target since it was switched on */
  bool wanted;                    /* it was switched on, and not off since then */
  int mode;                       /* mode last written over a serial line */
  int phase;                      /* phase of the set-point handshake in profile position */
  double since;                   /* s: when the phase began */
  int emergency, complained;      /* code of the last emergency (0: cleared); code last reported */
  bool left;                      /* it booted, or left the operational state */
  bool twice;                     /* it answered more than once in this cycle */
  int doubles;                    /* evidence that two nodes have its number */
  double heard, answered;         /* s: last heartbeat; last process data */
  double velocity_at;             /* s: time of the last measurement of speed */
  int32_t velocity_from;          /* counts at that time */
  double angle, speed;            /* rad, of the newest report; rad/s */
  /* Cyclic torque: its torque is controlled from here; N m of the axis at its rated torque; whether it has an
  ** offset (60B2) for the feed-forward; the newest command. */
  bool drives, offset;
  double rated;
  brio_impedance_command command;
  bool sends_speed;               /* its own speed (606C) comes after SYNC: it came the last time */
  bool speed_fresh;               /* it has come in this cycle */
  bool fixed;                     /* its mapping cannot be changed, or only in part */
  bool same;                      /* its last SDO values need not be sent again */
  int nout, nin;                  /* count of PDOs to and from it; 0: SDOs are used */
  brio_cia402_pdo out[2], in[2];
} brio_cia402_axis;

typedef struct brio_cia402_axes brio_cia402_axes;

typedef struct brio_cia402_link {
  const char *protocol;           /* name in traces */
  bool guards;                    /* drives can monitor the host's heartbeat */
  void (*begin)(brio_cia402_axes *axes);
  /* Read or write an object of drive `i`, of 1 to 4 bytes.  When the drive refuses, axes->refused is its
  ** abort code. */
  bool (*read)(brio_cia402_axes *axes, int i, int index, int sub, int32_t *value, int *size, brio_error *err);
  bool (*write)(brio_cia402_axes *axes, int i, int index, int sub, int32_t value, int size, brio_error *err);
  /* Prepare a drive for cycles. */
  bool (*start)(brio_cia402_axes *axes, int i, brio_error *err);
  /* Send targets to the drives that are on and have one; brio_cia402_control returns the control word. */
  bool (*tell)(brio_cia402_axes *axes, brio_error *err);
  /* Read all drives: status, position, fresh. */
  bool (*ask)(brio_cia402_axes *axes, brio_error *err);
} brio_cia402_link;

struct brio_cia402_axes {
  const brio_cia402_link *link;
  brio_port *port;
  brio_canopen bus;               /* used by both links: its exchange also carries serial frames */
  int count, mode, cycle;
  uint32_t refused;               /* abort code of the last refusal; 0: none */
  double counts, speeds;          /* counts per rad; units of speed per rad/s, 0: unknown */
  double window, heartbeat, period; /* rad, 0: unchanged; s, 0: none; s */
  int homing;                     /* method; 0: none */
  double home, homing_time;       /* rad; s */
  double watchdog, beat_at;       /* s: time limit of drives for the host; its next heartbeat */
  bool guarding;                  /* drives were switched on, and monitor the host */
  bool started, after_read;       /* cycles have begun; the last exchange on a serial line was a read */
  brio_error refusal;             /* why power could not be switched; BRIO_OK: nothing to report */
  char broken[200];               /* why the device must be reopened; "": it need not be */
  brio_cia402_axis all[BRIO_CIA402_AXES];
};

/* The links. */
extern const brio_cia402_link brio_cia402_bus, brio_cia402_line;

/* Settings and texts of the drivers. */
#define BRIO_CIA402_SETTINGS(baud_doc, baud, latency, heartbeat_doc, heartbeat)                             \
  {{"baud", "1/s", baud_doc, baud, 9600, 1e7},                                                              \
   {"first_id", "1", "Node number of the first axis, unless `ids` lists them.", 1, 1, 127},                 \
   {"latency", "s", "How long an answer may take.", latency, 0.0005, 1},                                    \
   {"counts_per_turn", "1", "Counts of a turn of the axis: those of the encoder (all edges) times the "     \
    "gear.", 4096, 1, 1e9},                                                                                 \
   {"speed_per_turn", "1", "What the drive calls a speed of one turn of the axis a second: 60 times the "   \
    "gear where it counts in rpm of its motor, as an EPOS does. 0: speeds are left as they are set in "     \
    "it.", 60, 0, 1e9},                                                                                     \
   {"following_error", "rad", "How far an axis may be from where it should be until the drive faults. "     \
    "0: as it is set in it.", 0, 0, 1e3},                                                                   \
   {"period", "s", "Time between two targets, between which the drive interpolates: the motor side's, as "  \
    "a rule.", 0.001, 0.001, 0.255},                                                                        \
   {"heartbeat", "s", heartbeat_doc, heartbeat, 0, 60},                                                     \
   {"homing", "1", "Homing method when a drive is switched on and has no reference: 37 takes the place "    \
    "where it stands, others MOVE it. 0: none.", 0, -128, 127},                                             \
   {"home", "rad", "What the place that homing finds is called.", 0, -1e4, 1e4},                            \
   {"homing_time", "s", "How long homing may take.", 30, 0.1, 600},                                         \
   {0}}
extern const brio_driver_text brio_cia402_texts[];

/* The functions of brio_driver_kind, for a link. */
void *brio_cia402_open(const brio_cia402_link *link, const brio_axis *axes, int count, const double *settings,
                       void *context, brio_error *err);
/* The same on an open port, which the device owns from then on, also if this fails. */
void *brio_cia402_open_at(const brio_cia402_link *link, brio_port *port, const brio_axis *axes, int count,
                          const double *settings, const char *const *texts, brio_error *err);
bool brio_cia402_configure(void *device, const brio_driver_config *config, brio_error *err);
bool brio_cia402_write(void *device, const double *targets, brio_error *err);
bool brio_cia402_power(void *device, const bool *on, brio_error *err);
bool brio_cia402_read(void *device, brio_axis_state *states, brio_error *err);
int brio_cia402_delay(const void *device);
void brio_cia402_describe(void *device, char *out, size_t size);
void brio_cia402_count(void *device, brio_driver_counts *counts);
void brio_cia402_close(void *device);

/* Scan for drives on a CAN bus or a serial line: see brio_driver_scan (scan.c). */
struct brio_driver_scan;
struct brio_scan_found;
int brio_cia402_look_bus(const struct brio_driver_scan *row, brio_port *port, int first, int last,
                         double latency, struct brio_scan_found *found, int most, brio_error *err);
int brio_cia402_look_line(const struct brio_driver_scan *row, brio_port *port, int first, int last,
                          double latency, struct brio_scan_found *found, int most, brio_error *err);

/* For links: read an object of at most 4 bytes from a node over a serial line, in one try. */
bool brio_cia402_line_read(brio_exchange *x, int node, int index, int sub, int32_t *value, brio_error *err);

/* For links: map a drive's PDOs, or read their mapping (map.c); append to `out` a description of what
** could not be mapped. */
bool brio_cia402_map(brio_cia402_axes *axes, int i, brio_error *err);
void brio_cia402_map_words(const brio_cia402_axes *axes, char *out, size_t size);

/* Drives whose torque is controlled (torque.c).  Take the text `torques`; check it against what the robot's
** file wants, and set the greatest torque in the drives; let a drive that is not enabled yet begin with none;
** return the mode of operation (6060) of an axis's targets. */
bool brio_cia402_take_torques(brio_cia402_axes *axes, const char *text, brio_error *err);
bool brio_cia402_set_torques(brio_cia402_axes *axes, const brio_driver_config *config, brio_error *err);
bool brio_cia402_rest_torque(brio_cia402_axes *axes, int i, brio_error *err);
int brio_cia402_mode(const brio_cia402_axes *axes, const brio_cia402_axis *axis);
bool brio_cia402_write_impedances(void *device, const brio_impedance_command *commands, brio_error *err);
/* Write the process data of such a drive: target torque, offset if it has one, and the control word.  Return
** their length. */
int brio_cia402_torque_data(const brio_cia402_axis *axis, int control, uint8_t *data);
/* Append to `out` which drives they are. */
void brio_cia402_torque_words(const brio_cia402_axes *axes, char *out, size_t size);

/* Set the mode of operation of drive `i` at opening (objects.c).  One that is left enabled then follows
** neither an old torque, as it is disabled, nor an old target in another mode, as it gets its present
** position. */
bool brio_cia402_set_mode(brio_cia402_axes *axes, int i, brio_error *err);

/* For links: send drive `i` its target, and read its position and status, by SDOs (objects.c). */
bool brio_cia402_tell_object(brio_cia402_axes *axes, int i, brio_error *err);
bool brio_cia402_ask_object(brio_cia402_axes *axes, int i, brio_error *err);

/* For links: return the control word that makes a drive accept its target at the time `now` (s). */
int brio_cia402_control(const brio_cia402_axes *axes, brio_cia402_axis *axis, double now);

/* For links: mark the device as broken, so that it must be reopened, with a reason (as for printf). */
void brio_cia402_break(brio_cia402_axes *axes, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
