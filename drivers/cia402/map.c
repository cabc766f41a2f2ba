/* The PDOs that carry a drive's targets and report its position.  A drive is mapped as brio needs
** it: the first received PDO has target and control word; the first sent one, after each SYNC,
** status word, position and torque.  A drive that refuses keeps its own mapping.  This is read, and
** used where it has these objects in any of its first four PDOs; other objects in them keep their
** values.  Sent PDOs must follow SYNC, so that the positions of a cycle belong to that cycle.  What
** cannot be mapped goes by SDO, one exchange per object.  Source: CiA 301 and 402 as vendors'
** manuals print them. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "drivers/cia402/axes.h"

/* COB-IDs of the first PDOs; PDOs examined in each direction; the highest synchronous type. */
enum {
  SENT = 0x180,
  RECEIVED = 0x200,
  SECOND = 0x280 /* of the second sent PDO */,
  COUNTED = 4 /* PDOs examined in each direction */,
  SYNCED = 240
};

/* Bits of a COB-ID: not in use; no remote requests. */
static const uint32_t UNUSED = 0x80000000u, NO_REMOTE = 0x40000000u;

/* An object to be written. */
typedef struct wanted {
  int index, sub;
  uint32_t value;
  int size;
} wanted;

/* Write objects in order.  Return 1; 0: the drive refuses one of them; -1: failed. */
static int write_all(brio_cia402_axes *self, int i, const wanted *rows, size_t count, brio_error *err) {
  for (size_t k = 0; k < count; k++)
    if (!self->link->write(self, i, rows[k].index, rows[k].sub, (int32_t)rows[k].value, rows[k].size, err))
      return self->refused ? 0 : -1;
  return 1;
}

/* Read an object.  Return 1; 0: the drive does not have it; -1: failed. */
static int read_one(brio_cia402_axes *self, int i, int index, int sub, uint32_t *value, brio_error *err) {
  int32_t number = 0;
  int size = 0;
  bool good = self->link->read(self, i, index, sub, &number, &size, err);
  /* Small objects are zero-extended. */
  *value = size < 4 ? (uint32_t)number & ((1u << 8 * size) - 1) : (uint32_t)number;
  return good ? 1 : self->refused ? 0 : -1;
}

/* ---- the mapping that brio wants ---- */

/* Map the first received PDO, in the order that CiA 301 requires: disable, clear, map objects, set
** the count, set the type (255: take at once), enable.  An entry is index << 16 | sub-index << 8 |
** bits. */
static int map_received(brio_cia402_axes *self, int i, brio_error *err) {
  const uint32_t node = (uint32_t)self->all[i].node;
  const wanted rows[] = {{0x1400, 1, UNUSED | (RECEIVED + node), 4},
                         {0x1600, 0, 0, 1},
                         /* before the control word, which may start the motion */
                         {0x1600, 1, 0x607A0020, 4},
                         {0x1600, 2, 0x60400010, 4},
                         {0x1600, 0, 2, 1},
                         {0x1400, 2, 255, 1},
                         {0x1400, 1, RECEIVED + node, 4}};
  /* The layout that results: the target in bytes 0 to 3, the control word in 4 and 5. */
  self->all[i].out[0] = (brio_cia402_pdo){.id = RECEIVED + (int)node, .length = 6, .target = 0, .control = 4};
  self->all[i].nout = 1;
  return write_all(self, i, rows, sizeof rows / sizeof *rows, err);
}

/* Map the first sent PDO likewise, at each SYNC (type 1). */
static int map_sent(brio_cia402_axes *self, int i, brio_error *err) {
  const uint32_t node = (uint32_t)self->all[i].node;
  const wanted rows[] = {{0x1800, 1, UNUSED | NO_REMOTE | (SENT + node), 4},
                         {0x1A00, 0, 0, 1},
                         {0x1A00, 1, 0x60410010, 4},
                         {0x1A00, 2, 0x60640020, 4},
                         {0x1A00, 3, 0x60770010, 4},
                         {0x1A00, 0, 3, 1},
                         {0x1800, 2, 1, 1},
                         {0x1800, 1, NO_REMOTE | (SENT + node), 4}};
  /* Layout: status word in bytes 0 and 1, position in 2 to 5, torque in 6 and 7. */
  self->all[i].in[0] = (brio_cia402_pdo){
      .id = SENT + (int)node, .length = 8, .status = 0, .place = 2, .torque = 6, .speed = -1};
  self->all[i].nin = 1;
  return write_all(self, i, rows, sizeof rows / sizeof *rows, err);
}

/* Likewise for a drive whose torque is controlled: target torque, its offset where the drive has one, control
** word. */
static int map_torque(brio_cia402_axes *self, int i, bool offset, brio_error *err) {
  const uint32_t node = (uint32_t)self->all[i].node;
  const wanted begin[] = {
      {0x1400, 1, UNUSED | (RECEIVED + node), 4}, {0x1600, 0, 0, 1}, {0x1600, 1, 0x60710010, 4}};
  const wanted middle = {0x1600, 2, 0x60B20010, 4};
  const int count = offset ? 3 : 2;
  const wanted end[] = {{0x1600, count, 0x60400010, 4},
                        {0x1600, 0, (uint32_t)count, 1},
                        {0x1400, 2, 255, 1},
                        {0x1400, 1, RECEIVED + node, 4}};
  int got = write_all(self, i, begin, sizeof begin / sizeof *begin, err);
  if (got > 0 && offset) got = write_all(self, i, &middle, 1, err);
  if (got > 0) got = write_all(self, i, end, sizeof end / sizeof *end, err);
  self->all[i].out[0] = (brio_cia402_pdo){.id = RECEIVED + (int)node, .length = 2 * count + 2};
  self->all[i].nout = 1;
  self->all[i].offset = offset;
  return got;
}

/* Map the second sent PDO: the drive's own speed, at each SYNC.  Only where its unit is known. */
static int map_speed(brio_cia402_axes *self, int i, brio_error *err) {
  brio_cia402_axis *axis = &self->all[i];
  const uint32_t id = SECOND + (uint32_t)axis->node;
  const wanted rows[] = {{0x1801, 1, UNUSED | NO_REMOTE | id, 4},
                         {0x1A01, 0, 0, 1},
                         {0x1A01, 1, 0x606C0020, 4},
                         {0x1A01, 0, 1, 1},
                         {0x1801, 2, 1, 1},
                         {0x1801, 1, NO_REMOTE | id, 4}};
  axis->sends_speed = false;
  if (!(self->speeds > 0)) return 1;
  int got = write_all(self, i, rows, sizeof rows / sizeof *rows, err);
  if (got <= 0) return got;
  axis->in[axis->nin++] = (brio_cia402_pdo){
      .id = (int)id, .length = 4, .target = -1, .control = -1, .status = -1, .place = -1, .torque = -1};
  axis->sends_speed = true;
  return 1;
}

/* A drive whose torque is controlled must take the mapping: its own has no torque.  Without a speed of
** its own it is measured by positions. */
static bool map_drive(brio_cia402_axes *self, int i, brio_error *err) {
  brio_cia402_axis *axis = &self->all[i];
  int got = map_torque(self, i, true, err);
  if (got == 0) got = map_torque(self, i, false, err);
  if (got > 0) got = map_sent(self, i, err);
  if (got == 0)
    return brio_fail(err, BRIO_DEVICE,
                     "node %d takes no mapping with its torque (6071, 6077), so it cannot be one of "
                     "`torques`",
                     axis->node);
  return got > 0 && map_speed(self, i, err) >= 0;
}

/* ---- the mapping of the drive ---- */

/* Note the offset of a mapped object in a PDO; objects that are not known keep their present
** values. */
static int note(brio_cia402_axes *self, int i, brio_cia402_pdo *pdo, uint32_t entry, bool received,
                brio_error *err) {
  assert(pdo->length >= 0 && pdo->length <= 8);
  /* The objects that are used, with their sizes, and where to note their offsets. */
  const struct {
    uint32_t entry;
    int8_t *at;
  } known[] = {{0x607A0020, &pdo->target}, {0x60400010, &pdo->control}, {0x60410010, &pdo->status},
               {0x60640020, &pdo->place},  {0x60770010, &pdo->torque}};
  int size = (int)(entry & 0xFF) / 8, index = (int)(entry >> 16), sub = (int)(entry >> 8 & 0xFF);
  /* Objects must be of whole bytes, at most 8 in all. */
  if (entry % 8 != 0 || pdo->length + size > 8) return 0;
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (known[k].entry == entry) *known[k].at = (int8_t)pdo->length;
  /* The present value of an object that is received: sent back unchanged in each cycle. */
  uint32_t value = 0;
  if (received && index >= 0x1000 && size <= 4 && read_one(self, i, index, sub, &value, err) < 0) return -1;
  if (size <= 4) brio_cia402_put(pdo->data + pdo->length, (int32_t)value, size);
  /* The next object follows this one. */
  pdo->length += size;
  return 1;
}

/* Read the k-th PDO of a direction.  Return 1; 0: it does not exist or is unused; -1: failed. */
static int read_pdo(brio_cia402_axes *self, int i, int base, int k, brio_cia402_pdo *pdo, brio_error *err) {
  bool received = base == 0x1400;
  uint32_t id, kind, count, entry;
  int got;
  /* -1: not mapped. */
  *pdo = (brio_cia402_pdo){.target = -1, .control = -1, .status = -1, .place = -1, .torque = -1, .speed = -1};
  if ((got = read_one(self, i, base + k, 1, &id, err)) <= 0) return got;
  if (k == 0 && (id & UNUSED)) { /* the failed mapping has disabled it */
    const wanted back = {base, 1, id & ~UNUSED, 4};
    if ((got = write_all(self, i, &back, 1, err)) <= 0) return got;
    id &= ~UNUSED;
  }
  /* Disabled: not usable. */
  if (id & UNUSED) return 0;
  if ((got = read_one(self, i, base + k, 2, &kind, err)) <= 0) return got;
  /* Sent PDOs of other types are set to follow SYNC. */
  if (!received && (kind == 0 || kind > SYNCED)) {
    const wanted row = {base + k, 2, 1, 1};
    if ((got = write_all(self, i, &row, 1, err)) <= 0) return got;
  }
  /* The mapping of PDO k is 200 (hex) above its communication object. */
  if ((got = read_one(self, i, base + 0x200 + k, 0, &count, err)) <= 0) return got;
  pdo->id = (int)(id & 0x7FF);
  for (uint32_t n = 1; n <= count && n <= 8; n++)
    if ((got = read_one(self, i, base + 0x200 + k, (int)n, &entry, err)) <= 0 ||
        (got = note(self, i, pdo, entry, received, err)) <= 0)
      return got;
  return 1;
}

/* Return true if the PDO has both objects of its direction. */
static bool has_both(const brio_cia402_pdo *pdo, bool received) {
  return received ? pdo->target >= 0 && pdo->control >= 0 : pdo->place >= 0 && pdo->status >= 0;
}

/* Likewise, if it has either of them. */
static bool has_one(const brio_cia402_pdo *pdo, bool received) {
  return received ? pdo->target >= 0 || pdo->control >= 0 : pdo->place >= 0 || pdo->status >= 0;
}

/* Choose from the mappings found: one PDO with both objects, or two with one each.  Return how
** many; 0: SDO must be used. */
static int choose(const brio_cia402_pdo *found, int count, bool received, brio_cia402_pdo *out) {
  assert(count >= 0 && count <= COUNTED);
  int n = 0;
  /* One PDO with both is best. */
  for (int k = 0; k < count; k++) {
    if (!has_both(&found[k], received)) continue;
    out[0] = found[k];
    return 1;
  }
  /* Otherwise the first PDO with each of the two. */
  bool first = false, second = false;
  for (int k = 0; k < count; k++) {
    const brio_cia402_pdo *pdo = &found[k];
    bool is_first = received ? pdo->target >= 0 : pdo->place >= 0;
    if (!has_one(pdo, received) || (is_first ? first : second)) continue;
    out[n++] = *pdo;
    first = first || is_first;
    second = second || !is_first;
  }
  if (n == 2 && received && out[0].target < 0) { /* the target must precede the control word */
    brio_cia402_pdo aside = out[0];
    out[0] = out[1];
    out[1] = aside;
  }
  return first && second ? n : 0;
}

/* Use the drive's own mapping.  Return how many PDOs; -1: failed. */
static int adopt(brio_cia402_axes *self, int i, int base, brio_cia402_pdo *out, brio_error *err) {
  brio_cia402_pdo found[COUNTED];
  int count = 0;
  for (int k = 0; k < COUNTED; k++) {
    int got = read_pdo(self, i, base, k, &found[count], err);
    if (got < 0) return -1;
    count += got;
  }
  return choose(found, count, base == 0x1400, out);
}

/* Map both directions, independently: as wanted, or by the drive's own mapping. */
bool brio_cia402_map(brio_cia402_axes *self, int i, brio_error *err) {
  brio_cia402_axis *axis = &self->all[i];
  axis->fixed = axis->same = false;
  if (axis->drives) return map_drive(self, i, err);
  int got = map_received(self, i, err);
  if (got == 0) {
    axis->fixed = true;
    axis->nout = adopt(self, i, 0x1400, axis->out, err);
  }
  if (got < 0 || axis->nout < 0) return false;
  /* Without a received PDO an unchanged target need not be sent again. */
  axis->same = axis->nout == 0;
  got = map_sent(self, i, err);
  if (got == 0) {
    axis->fixed = true;
    axis->nin = adopt(self, i, 0x1800, axis->in, err);
  }
  return got >= 0 && axis->nin >= 0;
}

/* Mention only drives that keep a mapping of their own. */
void brio_cia402_map_words(const brio_cia402_axes *self, char *out, size_t size) {
  for (int i = 0; i < self->count; i++) {
    const brio_cia402_axis *axis = &self->all[i];
    size_t used = strlen(out);
    /* No room: leave it out. */
    if (!axis->fixed || used + 1 >= size) continue;
    const char *how = axis->nout > 0 && axis->nin > 0 ? "which is used"
                      : axis->nout > 0
                          ? "which sends no position after SYNC: it is read by service data, slowly"
                      : axis->nin > 0 ? "which takes no target: its target is sent by service data, slowly"
                                      : "which has neither target nor place: it goes by service data, slowly";
    snprintf(out + used, size - used, "; node %d keeps a mapping of its own, %s", axis->node, how);
  }
}
