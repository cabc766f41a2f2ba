/* Several emulated drives on one line, and the commands that a person can type. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/cia402/canopen.h"
#include "drivers/cia402/drive.h"

static const double REBOOT = 0.3; /* s */

/* One line per command, as `help` prints them. */
const char brio_drives_commands[] =
    "fault NODE [CODE] an error (0x8611) until it is reset\n"
    "refuse NODE     it cannot be switched on (again: ends this)\n"
    "block NODE      block its shaft (again: release it)\n"
    "push NODE N_M   push its shaft, if its torque is controlled\n"
    "silence NODE    it does not answer (again: it does)\n"
    "twin NODE       a second node with its number (again: removes it)\n"
    "fixed NODE N    its mapping cannot be changed: 1 CiA 402's, 2 the same but not after SYNC, 3 no target "
    "in it, 0 free\n"
    "lack NODE INDEX it has no object of that index, such as 0x60B2, the torque offset (0: it has all)\n"
    "reboot NODE     it loses power for a moment, and its settings\n"
    "busoff          the host's controller is off the bus (again: it is back)\n";

/* Nodes are numbered from first_id on and must fit both the table and the protocol. */
void *brio_drives_open(const brio_emulator_options *options, brio_error *err) {
  if (options->servos > BRIO_DRIVES || options->first_id < 1 ||
      options->first_id + options->servos - 1 > BRIO_CANOPEN_NODES) {
    brio_fail(err, BRIO_MISUSE, "a line has at most %d drives here, numbered from 1 to %d; not %d from %d on",
              BRIO_DRIVES, BRIO_CANOPEN_NODES, options->servos, options->first_id);
    return NULL;
  }
  /* Drives start as out of the box, standing at 0. */
  brio_drives *self = calloc(1, sizeof *self);
  if (!self) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for %d drives", options->servos);
    return NULL;
  }
  /* Number the drives from first_id on. */
  self->count = options->servos;
  for (int i = 0; i < self->count; i++) brio_drive_start(&self->all[i], options->first_id + i);
  return self;
}

void brio_drives_close(void *device) { free(device); }

/* Silent and booting drives take no part.  O(drives). */
brio_drive *brio_drives_find(brio_drives *self, int node) {
  assert(self->count >= 0 && self->count <= BRIO_DRIVES);
  for (int i = 0; i < self->count; i++)
    if (self->all[i].node == node && !self->all[i].silent && !(self->all[i].booting > 0))
      return &self->all[i];
  return NULL;
}

/* Decimal, or hexadecimal with 0x. */
static int number_of(const char *text) { return (int)strtol(text, NULL, 0) & 0xFFFF; }

/* The commands, each of a drive and what follows; most are switches. */
static void do_fault(brio_drive *d, const char *text) {
  int code = number_of(text);
  brio_drive_fail(d, code ? code : 0x8611);
}
static void do_refuse(brio_drive *d, const char *text) { (void)text, d->refuses = !d->refuses; }
static void do_block(brio_drive *d, const char *text) { (void)text, d->shaft.blocked = !d->shaft.blocked; }
static void do_silence(brio_drive *d, const char *text) { (void)text, d->silent = !d->silent; }
static void do_twin(brio_drive *d, const char *text) { (void)text, d->twins = !d->twins; }
static void do_fix(brio_drive *d, const char *text) { brio_drive_fix(d, number_of(text) & 3); }
static void do_reboot(brio_drive *d, const char *text) { (void)text, brio_drive_reboot(d, REBOOT); }
static void do_lack(brio_drive *d, const char *text) { d->lacks = number_of(text); }
/* Written so that NaN is 0. */
static void do_push(brio_drive *d, const char *text) {
  double torque = strtod(text, NULL);
  d->shaft.push = torque > -1e3 && torque < 1e3 ? torque : 0;
}

/* Commands by name. */
static const struct {
  const char *name;
  void (*act)(brio_drive *drive, const char *text);
} acts[] = {{"fault", do_fault},     {"refuse", do_refuse}, {"block", do_block},
            {"silence", do_silence}, {"twin", do_twin},     {"reboot", do_reboot}, {"fixed", do_fix},
            {"push", do_push},       {"lack", do_lack}};

/* Return 1: done; 0: not a command of drives; -1: failed. */
int brio_drives_command(void *device, const char *const *words, int count, brio_text *out, brio_error *err) {
  brio_drives *self = device;
  const size_t most = sizeof acts / sizeof *acts;
  size_t which = 0;
  int node = count > 1 ? atoi(words[1]) : -1, i = 0;
  /* Find the command, then the drive. */
  while (which < most && strcmp(acts[which].name, words[0]) != 0) which++;
  if (which == most) return 0;
  /* The node must exist; silent ones may be commanded, too. */
  while (i < self->count && self->all[i].node != node) i++;
  if (i == self->count) {
    brio_fail(err, BRIO_MISUSE, "%s expects the number of a node: %d is none", words[0], node);
    return -1;
  }
  acts[which].act(&self->all[i], count > 2 ? words[2] : "");
  brio_text_format(out, "node %d: %s\n", node, words[0]);
  return 1;
}

/* Positions in degrees, for people. */
void brio_drives_tell(const void *device, brio_text *out) {
  const brio_drives *self = device;
  for (int i = 0; i < self->count; i++)
    brio_text_format(out, "node %d: at %.1f degrees, %s%s\n", self->all[i].node,
                     self->all[i].shaft.position * 57.29577951308232,
                     brio_cia402_state_words(self->all[i].state), self->all[i].silent ? ", silent" : "");
}
