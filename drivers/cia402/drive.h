/* An emulated CiA 402 drive: its objects, states and motor, on any line.  The emulators of CAN buses and
** of serial lines contain such drives. */
#ifndef BRIO_DRIVERS_CIA402_DRIVE_H
#define BRIO_DRIVERS_CIA402_DRIVE_H

#include "drivers/cia402/cia402.h"
#include "drivers/emulators/emulator.h"
#include "drivers/emulators/shaft.h"

enum {
  BRIO_DRIVE_PDOS = 4,
  BRIO_DRIVE_MAPPED = 8,
  BRIO_DRIVE_OBJECTS = 56,
  BRIO_DRIVE_SHEET = 256,
  BRIO_DRIVES = 32
};

/* Mappings of a drive's own. */
enum { BRIO_DRIVE_SYNCED = 1, BRIO_DRIVE_UNSYNCED, BRIO_DRIVE_WORDS };

/* One process data object: its identifier (bit 31: not in use), kind and what is mapped into it. */
typedef struct brio_drive_pdo {
  int32_t identifier, kind, count;
  int32_t mapped[BRIO_DRIVE_MAPPED];
  uint8_t waiting[8]; /* bytes that wait for SYNC; their number */
  int nwaiting;
} brio_drive_pdo;

typedef struct brio_drive {
  int node, nmt;
  brio_cia402_state state;
  int32_t numbers[BRIO_DRIVE_OBJECTS];   /* the objects that are numbers, in the order of their table */
  uint8_t sheet[BRIO_DRIVE_SHEET];       /* object 1021, of any length */
  int nsheet;
  brio_drive_pdo received[BRIO_DRIVE_PDOS], sent[BRIO_DRIVE_PDOS];
  brio_shaft shaft;
  int32_t offset;                        /* counts at 0 rad */
  bool acknowledged, referenced, homing, home_failed, followed; /* bits of the status word */
  double homed_in;                       /* s until homing is finished */
  double silence, unheard;               /* s since its own heartbeat; since the master's */
  bool guarded;                          /* it has received a heartbeat of the master */
  double booting;                        /* s until it has booted */
  bool boots;                            /* a boot-up message is due */
  int warning;                           /* emergency to send; -1: none */
  bool refuses, silent, slow_homing;     /* faults: cannot be enabled; neither receives nor sends */
  int twins;                             /* count of further drives with its number */
  /* its mapping: 0 free; else one of its own, which cannot be changed */
  int fixed;
  int lacks;                             /* an object that it does not have; 0: none */
} brio_drive;

/* Drives on one line. */
typedef struct brio_drives {
  int count;
  bool off;                              /* the bus is off */
  brio_drive all[BRIO_DRIVES];
} brio_drives;

/* Start a drive with factory settings, at position 0. */
void brio_drive_start(brio_drive *drive, int node);

/* Advance by `dt` s: the motor, missed heartbeats, homing. */
void brio_drive_step(brio_drive *drive, double dt);

/* Read an object.  Return its length, at most `room`; 0, with an abort code: refused. */
int brio_drive_read(brio_drive *drive, int index, int sub, uint8_t *out, int room, uint32_t *refused);

/* Write an object.  Return 0, or an abort code. */
uint32_t brio_drive_write(brio_drive *drive, int index, int sub, const uint8_t *data, int length);

/* Raise an error that lasts until it is reset. */
void brio_drive_fail(brio_drive *drive, int code);

/* Follow a command of network management. */
void brio_drive_manage(brio_drive *drive, int command);

/* Reboot, as after a loss of power; the shaft keeps its position. */
void brio_drive_reboot(brio_drive *drive, double seconds);

/* Give the drive a fixed mapping: 0 free, 1 as CiA 402 has it, sent after SYNC, 2 the same, sent on
** change, 3 control and status words only. */
void brio_drive_fix(brio_drive *drive, int how);

/* Process a heartbeat of a node. */
void brio_drive_hear(brio_drive *drive, int node);

/* Return its heartbeat period, ms. */
int brio_drive_heartbeat(const brio_drive *drive);

/* Create the drives of an emulator, run commands, describe the drives: see brio_emulator_kind. */
void *brio_drives_open(const brio_emulator_options *options, brio_error *err);
int brio_drives_command(void *device, const char *const *words, int count, brio_text *out, brio_error *err);
void brio_drives_tell(const void *device, brio_text *out);
void brio_drives_close(void *device);
extern const char brio_drives_commands[];

/* Return the drive of a number that takes part, or NULL. */
brio_drive *brio_drives_find(brio_drives *drives, int node);

#endif
