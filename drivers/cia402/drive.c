/* An emulated drive.  Objects that are numbers are in one table, with size, access and default;
** process data have tables of their own.  States, set-points, homing and the reaction to a missed
** heartbeat follow CiA 402 and 301 as maxon's Firmware Specification prints them.  Where drives
** differ, it behaves as is worst for a careless host: once enabled in cyclic position, it goes to
** its last target at once, however old. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "drivers/cia402/canopen.h"
#include "drivers/cia402/drive.h"

static const double COUNTS = 4096 / 6.283185307179586;  /* counts per rad */
static const double RPM = 6.283185307179586 / 60;       /* rad/s per rpm, the drive's unit of speed */
static const double RATED_TORQUE = 1; /* N m */
static const double FASTEST = 20, CONSTANT = 0.005;     /* motor: speed limit, rad/s; time constant, s */
/* rad/s, s. */
static const double HOMING_SPEED = 0.5, HOMING_TIME = 0.5;

/* Firmware version; PDO types (asynchronous, synchronous limit); the bit of an unused COB-ID. */
enum { VERSION = 0x01600000, EVENT = 254, SYNCED = 240, UNUSED = (int)0x80000000u };

/* The numbers, in the order of the table below. */
enum {
  TYPE, REGISTER, HISTORY, NAME_SYNC, GUARD_COUNT, GUARD, BEAT, IDENTITY, MAKER, PRODUCT, REVISION,
  SERIAL, NODE, GAIN_P, GAIN_I, GAIN_D, GAIN_SPEED, GAIN_UP, HOME, ERROR, LOST, CONTROL, STATUS, QUICK,
  AT_FAULT, MODE, MODE_SHOWN, DEMAND, PLACE, WINDOW, SPEED, TORQUE, TARGET, OFFSET, LIMITS, LOWER, UPPER,
  FASTEST_SPEED, PROFILE_SPEED, SPEED_UP, SLOW_DOWN, QUICK_DOWN, METHOD, PERIODS, PERIOD, EXPONENT,
  FASTEST_UP, MODES, AIM, MOST, RATED, EXTRA, ROWS
};

_Static_assert(ROWS <= (int)BRIO_DRIVE_OBJECTS, "more objects than the table holds");

/* The object dictionary: index, sub-index, bytes, access, default. */
static const struct row {
  int index, sub, size;
  bool writable;
  int32_t fresh; /* factory value */
} rows[ROWS] = {
    [TYPE] = {0x1000, 0, 4, false, 0x00020192},
    [REGISTER] = {0x1001, 0, 1, false, 0},
    [HISTORY] = {0x1003, 0, 1, true, 0},
    [NAME_SYNC] = {0x1005, 0, 4, true, 0x80},
    [GUARD_COUNT] = {0x1016, 0, 1, false, 1},
    [GUARD] = {0x1016, 1, 4, true, 0},
    [BEAT] = {0x1017, 0, 2, true, 0},
    [IDENTITY] = {0x1018, 0, 1, false, 4},
    [MAKER] = {0x1018, 1, 4, false, 0xFB},
    [PRODUCT] = {0x1018, 2, 4, false, 0x60500000},
    [REVISION] = {0x1018, 3, 4, false, VERSION},
    [SERIAL] = {0x1018, 4, 4, false, 0},
    [NODE] = {0x2000, 0, 1, true, 0},
    [GAIN_P] = {0x30A1, 1, 4, true, 1500000},
    [GAIN_I] = {0x30A1, 2, 4, true, 780000},
    [GAIN_D] = {0x30A1, 3, 4, true, 16000},
    [GAIN_SPEED] = {0x30A1, 4, 4, true, 0},
    [GAIN_UP] = {0x30A1, 5, 4, true, 0},
    [HOME] = {0x30B0, 0, 4, true, 0},
    [ERROR] = {0x603F, 0, 2, false, 0},
    [LOST] = {0x6007, 0, 2, true, 1},
    [CONTROL] = {0x6040, 0, 2, true, 0},
    [STATUS] = {0x6041, 0, 2, false, 0},
    [QUICK] = {0x605A, 0, 2, true, 6},
    [AT_FAULT] = {0x605E, 0, 2, true, 2},
    [MODE] = {0x6060, 0, 1, true, BRIO_CIA402_PROFILE},
    [MODE_SHOWN] = {0x6061, 0, 1, false, BRIO_CIA402_PROFILE},
    [DEMAND] = {0x6062, 0, 4, false, 0},
    [PLACE] = {0x6064, 0, 4, false, 0},
    [WINDOW] = {0x6065, 0, 4, true, 2000},
    [SPEED] = {0x606C, 0, 4, false, 0},
    [TORQUE] = {0x6077, 0, 2, false, 0},
    [TARGET] = {0x607A, 0, 4, true, 0},
    [OFFSET] = {0x607C, 0, 4, true, 0},
    [LIMITS] = {0x607D, 0, 1, false, 2},
    [LOWER] = {0x607D, 1, 4, true, INT32_MIN},
    [UPPER] = {0x607D, 2, 4, true, INT32_MAX},
    [FASTEST_SPEED] = {0x607F, 0, 4, true, 50000},
    [PROFILE_SPEED] = {0x6081, 0, 4, true, 1000},
    [SPEED_UP] = {0x6083, 0, 4, true, 10000},
    [SLOW_DOWN] = {0x6084, 0, 4, true, 10000},
    [QUICK_DOWN] = {0x6085, 0, 4, true, 10000},
    [METHOD] = {0x6098, 0, 1, true, 7},
    [PERIODS] = {0x60C2, 0, 1, false, 2},
    [PERIOD] = {0x60C2, 1, 1, true, 1},
    [EXPONENT] = {0x60C2, 2, 1, true, -3},
    [FASTEST_UP] = {0x60C5, 0, 4, true, -1},
    [MODES] = {0x6502, 0, 4, false, 0x2A1},
    [AIM] = {0x6071, 0, 2, true, 0},
    [MOST] = {0x6072, 0, 2, true, 1000},
    [RATED] = {0x6076, 0, 4, false, 1000000},
    [EXTRA] = {0x60B2, 0, 2, true, 0},
};

/* ---- the motor ---- */

/* Return the reported position, counts: the sensor's, plus the offset that homing found. */
static int32_t place_of(const brio_drive *d) {
  return (int32_t)lround(d->shaft.position * COUNTS) + d->offset;
}

/* Move to a position (counts) within the software limits, at the speed of the mode. */
static void head_for(brio_drive *d, double counts) {
  double speed = d->numbers[FASTEST_SPEED] * RPM;
  if (d->numbers[MODE] == BRIO_CIA402_PROFILE) speed = fmin(speed, d->numbers[PROFILE_SPEED] * RPM);
  counts = fmax(d->numbers[LOWER], fmin(d->numbers[UPPER], counts));
  /* The shaft works in rad, without the homing offset. */
  d->shaft.target = (counts - d->offset) / COUNTS;
  d->shaft.speed = fmax(1e-3, fmin(FASTEST, speed));
}

/* In cyclic torque: target and offset, within the greatest torque; thousandths of 1 N m. */
static void push_on(brio_drive *d) {
  double torque = (int16_t)d->numbers[AIM] + (int16_t)d->numbers[EXTRA];
  d->shaft.drives = d->state == BRIO_CIA402_ENABLED && d->numbers[MODE] == BRIO_CIA402_TORQUE;
  d->shaft.impedance = (brio_impedance){.torque = torque * RATED_TORQUE / 1000,
                                        .limit = d->numbers[MOST] * RATED_TORQUE / 1000};
}

/* Within one count of the target. */
static bool is_there(const brio_drive *d) { return fabs(d->shaft.target - d->shaft.position) < 1 / COUNTS; }

/* Return the status word: the state's bits, then bits 10, 12 and 13, whose meaning depends on the
** mode. */
static int32_t status_of(const brio_drive *d) {
  static const uint16_t words[] = {[BRIO_CIA402_NOT_READY] = 0x00,   [BRIO_CIA402_DISABLED] = 0x40,
                                   [BRIO_CIA402_READY] = 0x21,       [BRIO_CIA402_SWITCHED_ON] = 0x23,
                                   [BRIO_CIA402_ENABLED] = 0x37,     [BRIO_CIA402_QUICK_STOP] = 0x17,
                                   [BRIO_CIA402_FAULT_REACTION] = 0x0F, [BRIO_CIA402_FAULT] = 0x08};
  assert(d->state < BRIO_CIA402_UNKNOWN);
  /* Bit 9: remote.  Bit 15: homed. */
  int32_t word = words[d->state] | 0x0200 | (d->referenced ? 0x8000 : 0);
  int mode = d->numbers[MODE];
  /* Bit 12: follows the target (cyclic), homing attained, or set-point acknowledged. */
  bool twelve = mode == BRIO_CIA402_CYCLIC || mode == BRIO_CIA402_TORQUE ? d->state == BRIO_CIA402_ENABLED
                : mode == BRIO_CIA402_HOMING ? d->referenced && !d->homing : d->acknowledged;
  /* Bit 13: homing error, or following error. */
  bool thirteen = mode == BRIO_CIA402_HOMING ? d->home_failed : d->numbers[ERROR] == 0x8611;
  /* Bit 10: target reached. */
  if (is_there(d) && !(mode == BRIO_CIA402_HOMING && d->homing)) word |= BRIO_CIA402_REACHED;
  return word | (twelve ? BRIO_CIA402_ACKNOWLEDGED : 0) | (thirteen ? BRIO_CIA402_FOLLOWING : 0);
}

/* Update the objects that report the drive's state. */
static void refresh(brio_drive *d) {
  d->numbers[STATUS] = status_of(d);
  d->numbers[PLACE] = place_of(d);
  d->numbers[DEMAND] = (int32_t)lround(d->shaft.target * COUNTS) + d->offset;
  d->numbers[SPEED] = (int32_t)lround(d->shaft.velocity / RPM);
  double load = d->shaft.drives ? d->shaft.effort / RATED_TORQUE : brio_shaft_load(&d->shaft);
  d->numbers[TORQUE] = (int32_t)lround(1000 * load);
  d->numbers[MODE_SHOWN] = d->numbers[MODE];
  d->numbers[REGISTER] = d->numbers[ERROR] ? 1 : 0;
}

/* ---- states ---- */

/* Return the state that a control word leads to (transitions 2 to 16 of CiA 402). */
static brio_cia402_state next_state(const brio_drive *d, int control) {
  /* A fault is reset only by a rising bit. */
  bool reset = (control & BRIO_CIA402_RESET) && !(d->numbers[CONTROL] & BRIO_CIA402_RESET);
  if (d->state == BRIO_CIA402_FAULT) return reset ? BRIO_CIA402_DISABLED : BRIO_CIA402_FAULT;
  /* Bit 1 low: disable voltage. */
  if (!(control & 0x02)) return BRIO_CIA402_DISABLED;
  /* Bit 2 low: quick stop, which only an enabled drive can make. */
  if (!(control & 0x04))
    return d->state == BRIO_CIA402_ENABLED || d->state == BRIO_CIA402_QUICK_STOP ? BRIO_CIA402_QUICK_STOP
                                                                                 : BRIO_CIA402_DISABLED;
  /* Bit 0 low: shutdown. */
  if (!(control & 0x01)) return d->refuses ? BRIO_CIA402_DISABLED : BRIO_CIA402_READY;
  /* From "switch-on disabled" only a shutdown leads on. */
  if (d->state == BRIO_CIA402_DISABLED) return BRIO_CIA402_DISABLED;
  if (d->state == BRIO_CIA402_READY) return BRIO_CIA402_SWITCHED_ON;
  /* Bit 3: enable operation. */
  return control & 0x08 ? BRIO_CIA402_ENABLED : BRIO_CIA402_SWITCHED_ON;
}

/* Enter a state.  The motor stays where it is, except in cyclic position. */
static void enter(brio_drive *d, brio_cia402_state state) {
  bool enabled = state == BRIO_CIA402_ENABLED, held = enabled || state == BRIO_CIA402_QUICK_STOP;
  if (state == d->state) return;
  d->state = state;
  /* Torque is on while enabled, and after a quick stop. */
  d->shaft.torque = held;
  d->acknowledged = d->homing = false;
  d->shaft.target = d->shaft.position;
  if (enabled && d->numbers[MODE] == BRIO_CIA402_CYCLIC) head_for(d, d->numbers[TARGET]);
  push_on(d);
}

/* A fault has a code, an emergency and a state. */
void brio_drive_fail(brio_drive *d, int code) {
  d->numbers[ERROR] = code;
  d->warning = code;
  enter(d, BRIO_CIA402_FAULT);
}

/* Take a new set-point on the rising bit; withdraw the acknowledgement on the falling one. */
static void take_set_point(brio_drive *d, int before, int control) {
  bool rises = (control & ~before & BRIO_CIA402_SET_POINT) != 0;
  if (!(control & BRIO_CIA402_SET_POINT)) d->acknowledged = false;
  if (!rises || d->state != BRIO_CIA402_ENABLED) return;
  /* wait: the previous one is not finished */
  if (!(control & BRIO_CIA402_AT_ONCE) && !is_there(d)) return;
  /* Bit 6: relative to the last target. */
  double from = control & BRIO_CIA402_RELATIVE ? d->shaft.target * COUNTS + d->offset : 0;
  head_for(d, from + d->numbers[TARGET]);
  d->acknowledged = true;
}

/* Start homing: a fixed time at low speed.  Methods 35 and 37 take the present position at once. */
static void begin_homing(brio_drive *d) {
  int method = d->numbers[METHOD];
  d->homing = true;
  d->home_failed = false;
  d->homed_in = method == 35 || method == 37 ? 0 : HOMING_TIME;
  if (d->homed_in > 0) d->shaft.target = d->shaft.position - HOMING_SPEED * HOMING_TIME;
  d->shaft.speed = HOMING_SPEED;
}

/* Advance homing.  At its end the offset makes the present position the home position; a blocked
** shaft fails. */
static void step_homing(brio_drive *d, double dt) {
  if (!d->homing || d->state != BRIO_CIA402_ENABLED || d->numbers[MODE] != BRIO_CIA402_HOMING) return;
  d->homed_in -= dt;
  if (d->homed_in > 0) return;
  d->homing = false;
  d->home_failed = d->shaft.blocked;
  /* A failed homing removes an earlier reference, too. */
  d->referenced = !d->home_failed;
  d->shaft.target = d->shaft.position;
  if (d->referenced) d->offset += d->numbers[HOME] + d->numbers[OFFSET] - place_of(d);
}

/* Apply a control word.  Rising bits are compared with the last word, so keep it until the state is
** decided. */
static void take_control(brio_drive *d, int before, int control) {
  brio_cia402_state after;
  d->numbers[CONTROL] = before;
  after = next_state(d, control);
  d->numbers[CONTROL] = control;
  /* Leaving the fault state clears the error. */
  if (d->state == BRIO_CIA402_FAULT && after != BRIO_CIA402_FAULT) {
    d->numbers[ERROR] = 0;
    d->warning = 0;
  }
  enter(d, after);
  /* What the new-set-point bit means depends on the mode. */
  if (d->numbers[MODE] == BRIO_CIA402_PROFILE) take_set_point(d, before, control);
  if (d->numbers[MODE] == BRIO_CIA402_HOMING && (control & ~before & BRIO_CIA402_SET_POINT) &&
      d->state == BRIO_CIA402_ENABLED)
    begin_homing(d);
}

/* React to a missed heartbeat according to object 6007: 1: fault, 2: disable voltage, 3: quick stop. */
static void miss(brio_drive *d) {
  d->guarded = false;
  d->warning = 0x8130;
  if (d->nmt == BRIO_NMT_OPERATIONAL) d->nmt = BRIO_NMT_PREPARING;
  if (d->numbers[LOST] == 1) brio_drive_fail(d, 0x8130);
  else if (d->numbers[LOST] == 2) enter(d, BRIO_CIA402_DISABLED);
  else if (d->numbers[LOST] == 3 && d->state == BRIO_CIA402_ENABLED) enter(d, BRIO_CIA402_QUICK_STOP);
}

void brio_drive_hear(brio_drive *d, int node) {
  /* 1016:01 holds the producer's node in bits 16 to 22, and its time in ms in bits 0 to 15. */
  if (node != (d->numbers[GUARD] >> 16 & 0x7F) || (d->numbers[GUARD] & 0xFFFF) == 0) return;
  d->guarded = true;
  d->unheard = 0;
}

/* Let dt s pass.  A set-point too far away in cyclic position is a following error (8611). */
void brio_drive_step(brio_drive *d, double dt) {
  double window = d->numbers[WINDOW] < 0 ? INFINITY : d->numbers[WINDOW];
  if (d->booting > 0 && (d->booting -= dt) <= 0) d->boots = true;
  /* The shaft, then homing, then the following error. */
  brio_shaft_step(&d->shaft, dt);
  step_homing(d, dt);
  if (d->state == BRIO_CIA402_ENABLED && d->numbers[MODE] == BRIO_CIA402_CYCLIC &&
      fabs(d->shaft.target - d->shaft.position) * COUNTS > window)
    brio_drive_fail(d, 0x8611);
  /* Clocks of its own messages, and of the host's heartbeat. */
  d->silence += dt;
  d->unheard += dt;
  if ((d->numbers[GUARD] & 0xFFFF) == 0) d->guarded = false;
  /* The heartbeat time is in ms, in the low half of 1016:01. */
  if (d->guarded && d->unheard * 1000 > (d->numbers[GUARD] & 0xFFFF)) miss(d);
}

/* ---- objects ---- */

/* Return the PDO that an index belongs to, and whether it is its mapping; NULL: none.  1400 and
** 1600: received, 1800 and 1A00: sent. */
static brio_drive_pdo *find_pdo(brio_drive *d, int index, bool *mapping) {
  int which = index & 0x1FF, kind = index & ~0x1FF;
  *mapping = kind == 0x1600 || kind == 0x1A00;
  if (which >= BRIO_DRIVE_PDOS) return NULL;
  return kind == 0x1400 || kind == 0x1600   ? &d->received[which]
         : kind == 0x1800 || kind == 0x1A00 ? &d->sent[which]
                                            : NULL;
}

/* Return the row of an object, or -1.  `known`: the index exists.  O(rows). */
static int find_row(int index, int sub, bool *known) {
  *known = false;
  for (int i = 0; i < ROWS; i++) {
    if (rows[i].index != index) continue;
    *known = true;
    if (rows[i].sub == sub) return i;
  }
  return -1;
}

/* Return the number at a sub-index of a PDO, and its size; NULL: none. */
static int32_t *pdo_number(brio_drive_pdo *pdo, bool mapping, int sub, int *size) {
  *size = sub == 1 ? 4 : 1;
  /* Communication: 1: COB-ID, 2: transmission type.  Mapping: 0: count, then the objects. */
  if (!mapping) return sub == 1 ? &pdo->identifier : sub == 2 ? &pdo->kind : NULL;
  *size = sub == 0 ? 1 : 4;
  return sub == 0 ? &pdo->count : sub <= BRIO_DRIVE_MAPPED ? &pdo->mapped[sub - 1] : NULL;
}

/* Objects that are texts. */
static const char *text_of(int index) {
  return index == 0x1008   ? "EPOS4 Compact 50/8 CAN, emulated"
         : index == 0x1009 ? "6050"
         : index == 0x100A ? "0160"
                           : NULL;
}

/* Read an object: texts and the data sheet first, then numbers.  Return its size; *refused: the
** abort code. */
int brio_drive_read(brio_drive *d, int index, int sub, uint8_t *out, int room, uint32_t *refused) {
  bool mapping, known;
  int size = 0, row = find_row(index, sub, &known);
  brio_drive_pdo *pdo = find_pdo(d, index, &mapping);
  const char *text = sub == 0 ? text_of(index) : NULL;
  const int32_t *number = pdo ? pdo_number(pdo, mapping, sub, &size) : row >= 0 ? &d->numbers[row] : NULL;
  *refused = 0;
  /* A text is cut to the room. */
  if (text || (index == 0x1021 && sub == 0)) {
    size = text ? (int)strlen(text) : d->nsheet;
    if (size > room) size = room;
    if (size > 0) memcpy(out, text ? (const uint8_t *)text : d->sheet, (size_t)size);
    if (size == 0) *refused = 0x08000024;
    return size;
  }
  /* Unknown: no such sub-index, or no such object. */
  if (!number) {
    *refused = known || pdo ? 0x06090011 : 0x06020000;
    return 0;
  }
  /* Numbers that report a state are computed when they are read. */
  refresh(d);
  if (!pdo) size = rows[row].size;
  brio_cia402_put(out, *number, size);
  return size;
}

/* Write process data.  Return an abort code or 0.  A mapping may be changed only while the PDO is
** unused, and only to existing objects of 8 bytes in total. */
static uint32_t write_pdo(brio_drive *d, brio_drive_pdo *pdo, bool mapping, int sub, int32_t value,
                          int length) {
  int size, bits = 0;
  int32_t *number = pdo_number(pdo, mapping, sub, &size);
  /* Sub-index and size first, then access. */
  if (!number) return 0x06090011;
  if (length != size) return 0x06070010;
  if (d->nmt == BRIO_NMT_OPERATIONAL) return 0x08000022;
  /* Drives with fixed process data refuse. */
  if (d->fixed && (mapping || (sub == 2 && d->fixed == BRIO_DRIVE_UNSYNCED))) return 0x06010002;
  if (mapping && (!(pdo->identifier & UNUSED) || (sub > 0 && pdo->count > 0))) return 0x06010000;
  /* All objects must exist and fit together. */
  for (int i = 0; mapping && sub == 0 && i < value; i++) {
    bool known;
    if (i >= BRIO_DRIVE_MAPPED || (d->lacks && (pdo->mapped[i] >> 16 & 0xFFFF) == d->lacks) ||
        find_row(pdo->mapped[i] >> 16 & 0xFFFF, pdo->mapped[i] >> 8 & 0xFF, &known) < 0)
      return 0x06040041;
    bits += pdo->mapped[i] & 0xFF;
  }
  if (bits > 64 || (mapping && sub == 0 && (value < 0 || value > BRIO_DRIVE_MAPPED))) return 0x06040042;
  *number = value;
  return 0;
}

/* Return the abort code of an invalid value; 0: it is valid. */
static uint32_t check_value(int row, int32_t value) {
  if (row == MODE && value != BRIO_CIA402_PROFILE && value != BRIO_CIA402_HOMING &&
      value != BRIO_CIA402_CYCLIC && value != BRIO_CIA402_TORQUE)
    return 0x06090030;
  if (row == LOST && (value < 0 || value > 3)) return 0x06090030;
  return (row == PROFILE_SPEED || row == FASTEST_SPEED) && value < 1 ? 0x06090032 : 0;
}

uint32_t brio_drive_write(brio_drive *d, int index, int sub, const uint8_t *data, int length) {
  assert(length >= 0);
  bool mapping, known;
  int row = find_row(index, sub, &known);
  brio_drive_pdo *pdo = find_pdo(d, index, &mapping);
  int32_t value = brio_cia402_number(data, length < 4 ? length : 4), before;
  /* The data sheet is any bytes. */
  if (index == 0x1021 && sub == 0) {
    if (length > BRIO_DRIVE_SHEET) return 0x06070012;
    memcpy(d->sheet, data, (size_t)length);
    d->nsheet = length;
    return 0;
  }
  /* Process data first, then numbers: existence, access, size. */
  if (row < 0 && pdo) return write_pdo(d, pdo, mapping, sub, value, length);
  if (row < 0) return known ? 0x06090011 : text_of(index) ? 0x06010002 : 0x06020000;
  if (d->lacks && index == d->lacks) return 0x06020000;
  if (!rows[row].writable) return 0x06010002;
  if (length != rows[row].size) return 0x06070010;
  if (rows[row].size == 1) value = ((value & 0xFF) ^ 0x80) - 0x80; /* sign extension of a byte */
  uint32_t wrong = check_value(row, value);
  if (wrong) return wrong;
  /* Store the number; some have an effect at once. */
  before = d->numbers[row];
  d->numbers[row] = value;
  if (row == CONTROL) take_control(d, before, value);
  if (row == MODE && value != before) d->acknowledged = d->homing = false;
  /* Targets of cyclic position are valid at once, an old one as well. */
  if (row == MODE && value != before && value == BRIO_CIA402_CYCLIC && d->state == BRIO_CIA402_ENABLED)
    head_for(d, d->numbers[TARGET]);
  if (row == MODE || row == AIM || row == EXTRA || row == MOST) push_on(d);
  if (row == TARGET && d->state == BRIO_CIA402_ENABLED && d->numbers[MODE] == BRIO_CIA402_CYCLIC)
    head_for(d, value);
  return 0;
}

/* ---- start, reset, network management ---- */

/* Factory mappings: control word received, status word sent; only the first PDO is in use. */
static void make_pdos(brio_drive *d) {
  for (int i = 0; i < BRIO_DRIVE_PDOS; i++) {
    int32_t unused = i == 0 ? 0 : UNUSED;
    /* COB-IDs are 200, 300, ... and 180, 280, ..., each plus the node. */
    d->received[i] = (brio_drive_pdo){.identifier = (0x200 + 0x100 * i + d->node) | unused,
                                      .kind = 255,
                                      .count = 1,
                                      .mapped = {0x60400010}};
    d->sent[i] = (brio_drive_pdo){.identifier = (0x180 + 0x100 * i + d->node) | unused,
                                  .kind = 255,
                                  .count = 1,
                                  .mapped = {0x60410010}};
  }
}

/* Process data as CiA 402 predefines them: the control word alone, with the mode, with the target;
** status words likewise. */
static void make_own_pdos(brio_drive *d) {
  static const int32_t second[2][BRIO_DRIVE_PDOS] = {{0, 0x60600008, 0x607A0020, 0},
                                                     {0, 0x60610008, 0x60640020, 0x606C0020}};
  for (int i = 0; i < BRIO_DRIVE_PDOS; i++) {
    brio_drive_pdo *both[] = {&d->received[i], &d->sent[i]};
    for (int k = 0; k < 2; k++) {
      /* Some drives have the words only. */
      bool has = second[k][i] != 0 && d->fixed != BRIO_DRIVE_WORDS;
      both[k]->identifier &= ~UNUSED;
      both[k]->mapped[1] = second[k][i];
      both[k]->count = has ? 2 : 1;
      /* Transmission type 255: on change; 1: at each SYNC. */
      if (k == 1) both[k]->kind = d->fixed == BRIO_DRIVE_UNSYNCED ? 255 : 1;
    }
  }
}

void brio_drive_fix(brio_drive *d, int how) {
  d->fixed = how;
  make_pdos(d);
  if (d->fixed) make_own_pdos(d);
}

/* Reset all settings except the node's number and how its process data are fixed. */
static void forget(brio_drive *d) {
  for (int i = 0; i < ROWS; i++) d->numbers[i] = rows[i].fresh;
  d->numbers[NODE] = d->node;
  d->numbers[SERIAL] = 0x1000 + d->node;
  d->nmt = BRIO_NMT_PREPARING;
  /* After boot it is pre-operational and not homed. */
  d->acknowledged = d->homing = d->home_failed = d->guarded = d->referenced = false;
  brio_drive_fix(d, d->fixed);
}

void brio_drive_start(brio_drive *d, int node) {
  /* Out of the box it is disabled; -1: nothing to send. */
  *d = (brio_drive){.node = node, .warning = -1, .shaft = {.speed = FASTEST, .constant = CONSTANT}};
  d->state = BRIO_CIA402_DISABLED;
  forget(d);
}

/* A reboot takes time; then it sends a boot message. */
void brio_drive_reboot(brio_drive *d, double seconds) {
  enter(d, BRIO_CIA402_DISABLED);
  forget(d);
  d->warning = -1;
  d->booting = seconds;
  d->boots = seconds <= 0;
}

/* Commands of network management, CiA 301. */
void brio_drive_manage(brio_drive *d, int command) {
  if (command == BRIO_NMT_START) d->nmt = BRIO_NMT_OPERATIONAL;
  else if (command == BRIO_NMT_STOP) d->nmt = BRIO_NMT_STOPPED;
  else if (command == BRIO_NMT_PREPARE) d->nmt = BRIO_NMT_PREPARING;
  else if (command == BRIO_NMT_RESET) brio_drive_reboot(d, 0);
  /* Reset communication: only what concerns the link. */
  else if (command == BRIO_NMT_RESET_LINK) {
    brio_drive_fix(d, d->fixed);
    d->numbers[BEAT] = d->numbers[GUARD] = 0;
    d->nmt = BRIO_NMT_PREPARING;
    d->boots = true;
  }
}

/* The period of its heartbeat, ms; 0: none. */
int brio_drive_heartbeat(const brio_drive *d) { return d->numbers[BEAT] & 0xFFFF; }
