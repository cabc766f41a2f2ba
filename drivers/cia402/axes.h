/* Drives by CiA 402 as a driver's axes, whatever line they hang on: states, set-points, units, limits,
** faults.  A link says how objects and targets reach them: bus.c (CANopen) or line.c
** (maxon's serial frames). */
#ifndef BRIO_DRIVERS_CIA402_AXES_H
#define BRIO_DRIVERS_CIA402_AXES_H

#include "drivers/cia402/canopen.h"
#include "drivers/cia402/cia402.h"
#include "drivers/driver.h"

enum { BRIO_CIA402_AXES = 32 };

/* Process data: an identifier, and where in its bytes numbers lie; -1: it has them not. */
typedef struct brio_cia402_pdo {
  int id, length;
  int8_t target, control, status, place, torque;
  uint8_t data[8]; /* of received ones: the rest of what is told */
} brio_cia402_pdo;

/* One drive. */
typedef struct brio_cia402_axis {
  int node;
  double lower, upper, velocity, acceleration; /* rad, rad/s, rad/s^2 */
  uint16_t status;
  int32_t place, target, taken;   /* counts: measured; wanted; as the drive was told last */
  int torque;                     /* thousandths of its rated torque */
  bool knows_torque, on, told, fresh; /* told: it has a target since it is on */
  bool wanted;                    /* it was switched on, and not off since */
  int mode;                       /* as it was told last over a serial line */
  int phase;                      /* of a set-point in profile position */
  double since;                   /* s: when the phase began */
  int emergency, complained;      /* code of the last emergency (0: over); what was said of it */
  bool left;                      /* it booted, or is operational no more */
  bool twice;                     /* it answered more than once in this cycle */
  int doubles;                    /* how much it seems that two have its number */
  double heard, answered;         /* s: newest heartbeat; newest process data */
  double velocity_at;             /* s: when its speed was measured last */
  int32_t velocity_from;          /* counts, then */
  double speed;                   /* rad/s */
  bool fixed;                     /* its mapping cannot be changed, wholly or in part */
  bool same;                      /* what it was told by service data needs not be told again */
  int nout, nin;                  /* process data that it is told and asked by; 0: by service data */
  brio_cia402_pdo out[2], in[2];
} brio_cia402_axis;

typedef struct brio_cia402_axes brio_cia402_axes;

typedef struct brio_cia402_link {
  const char *protocol;           /* as traces name it */
  bool guards;                    /* drives can hear whether the host is there */
  void (*begin)(brio_cia402_axes *axes);
  /* Read or write an object of drive `i`, of 1 to 4 bytes.  When the drive refuses, axes->refused is its
  ** abort code. */
  bool (*read)(brio_cia402_axes *axes, int i, int index, int sub, int32_t *value, int *size, brio_error *err);
  bool (*write)(brio_cia402_axes *axes, int i, int index, int sub, int32_t value, int size, brio_error *err);
  /* Make the drive ready for cycles. */
  bool (*start)(brio_cia402_axes *axes, int i, brio_error *err);
  /* Tell the drives that are on and have a target: brio_cia402_control says the control word. */
  bool (*tell)(brio_cia402_axes *axes, brio_error *err);
  /* Ask all: status, place, fresh. */
  bool (*ask)(brio_cia402_axes *axes, brio_error *err);
} brio_cia402_link;

struct brio_cia402_axes {
  const brio_cia402_link *link;
  brio_port *port;
  brio_canopen bus;               /* of either link: its exchange serves serial frames, too */
  int count, mode, cycle;
  uint32_t refused;               /* abort code of the last refusal; 0: none */
  double counts, speeds;          /* for a rad; units of speed for 1 rad/s, 0: not known */
  double window, heartbeat, period; /* rad, 0: as it is; s, 0: none; s */
  int homing;                     /* method; 0: none */
  double home, homing_time;       /* rad; s */
  double watchdog, beat_at;       /* s: what the drives wait for the host; when it says the next word */
  bool guarding;                  /* drives were switched on, and wait for it */
  bool started, after_read;       /* cycles have begun; the last exchange on a serial line was a read */
  brio_error refusal;             /* why power could not be switched; BRIO_OK: it could, or it was told */
  char broken[200];               /* why the device must be opened anew; "": it need not */
  brio_cia402_axis all[BRIO_CIA402_AXES];
};

/* The links that there are. */
extern const brio_cia402_link brio_cia402_bus, brio_cia402_line;

/* What drivers say of themselves. */
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
/* The same at a port that is open, which is closed with the device, even when this fails. */
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

/* Look for drives, on a CAN bus and at a serial line: see brio_driver_scan (scan.c). */
struct brio_driver_scan;
struct brio_scan_found;
int brio_cia402_look_bus(const struct brio_driver_scan *row, brio_port *port, int first, int last,
                         double latency, struct brio_scan_found *found, int most, brio_error *err);
int brio_cia402_look_line(const struct brio_driver_scan *row, brio_port *port, int first, int last,
                          double latency, struct brio_scan_found *found, int most, brio_error *err);

/* For links: ask a node over a serial line for an object of at most 4 bytes, once. */
bool brio_cia402_line_read(brio_exchange *x, int node, int index, int sub, int32_t *value, brio_error *err);

/* For links: map a drive's process data, or find out how they are mapped (map.c); say what could not be
** mapped, behind what stands in `out`. */
bool brio_cia402_map(brio_cia402_axes *axes, int i, brio_error *err);
void brio_cia402_map_words(const brio_cia402_axes *axes, char *out, size_t size);

/* For links: tell drive `i` its target, and ask where and how it is, by its objects (objects.c). */
bool brio_cia402_tell_object(brio_cia402_axes *axes, int i, brio_error *err);
bool brio_cia402_ask_object(brio_cia402_axes *axes, int i, brio_error *err);

/* For links: the control word that brings a drive's target to it now, at the time `now` (s). */
int brio_cia402_control(const brio_cia402_axes *axes, brio_cia402_axis *axis, double now);

/* For links: the device must be opened anew, for a reason (printf's). */
void brio_cia402_break(brio_cia402_axes *axes, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
