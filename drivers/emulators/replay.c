/* An emulator that replays a recorded trace: see replay.h. */
#include "drivers/emulators/replay.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  AHEAD = 64,
  BEHIND = 64 /* requests that are searched for one that arrived */,
  MOST = 1 << 28 /* bytes of a recording */
};

/* Bytes of the device, `delay` seconds after the preceding request. */
typedef struct answer {
  double delay;
  size_t at;
  int count;
} answer;

/* A recorded request. */
typedef struct request {
  int id, code, error, length, line;
  size_t data;
  double seconds;
  int first_answer, answers;
} request;

/* Bytes, requests and replies are in growing arrays; they refer to each other by index. */
struct brio_replay {
  brio_emulator_kind kind;
  brio_wire_stream stream;
  brio_packet packet;
  uint8_t *bytes;
  request *requests; /* the first one stands for what came before any request */
  answer *replies;
  size_t nbyte, room;
  int nrequest, nreply, rooms[2];
  int next;          /* the request that is expected next */
  int rank;          /* of the first difference: 0 none, 1 values, 2 left out, 3 unexpected */
  brio_replay_report report;
};

/* ---- reading a recording ---- */

/* Report that an allocation failed.  Return false. */
static bool no_memory(brio_error *err) { return brio_fail(err, BRIO_NO_MEMORY, "no memory for a recording"); }

/* Append bytes.  Doubling the room makes this O(1) amortized. */
static bool keep_bytes(brio_replay *self, const uint8_t *bytes, int count, size_t *at, brio_error *err) {
  /* Grow by more than is needed: few reallocations. */
  if (self->nbyte + (size_t)count > self->room) {
    size_t room = 2 * self->room + 4096 + (size_t)count;
    uint8_t *grown = room < MOST ? realloc(self->bytes, room) : NULL;
    if (!grown) return no_memory(err);
    self->bytes = grown;
    self->room = room;
  }
  if (count > 0) memcpy(self->bytes + self->nbyte, bytes, (size_t)count);
  *at = self->nbyte;
  self->nbyte += (size_t)count;
  return true;
}

/* Make room for one more item of `size` bytes behind `count`. */
static bool grow(void **list, int count, int *room, size_t size, brio_error *err) {
  if (count < *room) return true;
  int more = 2 * *room + 64;
  void *grown = (size_t)more * size < MOST ? realloc(*list, (size_t)more * size) : NULL;
  if (!grown) return no_memory(err);
  *list = grown;
  *room = more;
  return true;
}

/* A request starts without replies; they follow in the array. */
static bool add_request(brio_replay *self, const brio_packet *p, double seconds, int line, brio_error *err) {
  if (!grow((void **)&self->requests, self->nrequest, &self->rooms[0], sizeof *self->requests, err))
    return false;
  request *one = &self->requests[self->nrequest];
  /* Its replies will follow in the array. */
  *one = (request){p->id, p->code, p->error, p->length, line, 0, seconds, self->nreply, 0};
  if (!keep_bytes(self, p->data, p->length, &one->data, err)) return false;
  self->nrequest++;
  return true;
}

/* Replies belong to the last request.  Before the first one there is nothing to wait for. */
static bool add_answer(brio_replay *self, double seconds, const uint8_t *bytes, int count, brio_error *err) {
  request *asked = &self->requests[self->nrequest - 1];
  if (!grow((void **)&self->replies, self->nreply, &self->rooms[1], sizeof *self->replies, err)) return false;
  answer *one = &self->replies[self->nreply];
  /* Times that run backwards count as 0. */
  double delay = self->nrequest > 1 ? seconds - asked->seconds : 0;
  *one = (answer){delay > 0 ? delay : 0, 0, count};
  if (!keep_bytes(self, bytes, count, &one->at, err)) return false;
  self->nreply++;
  asked->answers++;
  return true;
}

/* Bytes of the host are decoded into requests, bytes of the device are kept as they are. */
bool brio_replay_add(brio_replay *self, double seconds, brio_direction direction, const uint8_t *bytes,
                     int count, int line, brio_error *err) {
  if (count < 1 || count > BRIO_FRAME_MOST) return true;
  if (direction == BRIO_FROM_DEVICE) return add_answer(self, seconds, bytes, count, err);
  brio_wire_feed(&self->stream, bytes, count);
  while (brio_wire_next(&self->stream, &self->packet) > 0)
    if (!add_request(self, &self->packet, seconds, line, err)) return false;
  return true;
}

/* ---- comparing requests ---- */

/* Return how many bytes of a request's data name its subject; the rest are values. -1: not even
** their number matters. */
static int subject_of(const brio_protocol *protocol, int id) {
  /* Register address, channel or object, by protocol. */
  static const struct {
    const char *protocol;
    int bytes;
  } rows[] = {{"dynamixel2", 2}, {"dynamixel1", 1}, {"sts", 1},   {"scs", 1},  {"maestro", 1},
              {"maestro_crc", 1}, {"epos", 4},      {"line", -1}, {"json", -1}};
  /* SDO: the command and the object */
  if (strcmp(protocol->name, "canopen") == 0) return (id & 0x780) == 0x600 ? 4 : 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(rows[i].protocol, protocol->name) == 0) return rows[i].bytes;
  return 0;
}

/* Return 2: the same request; 1: with other values; 0: another one. */
static int compare(const brio_replay *self, const request *recorded, const brio_packet *p) {
  int subject = subject_of(self->kind.protocol, p->id);
  const uint8_t *data = self->bytes + recorded->data;
  if (recorded->id != p->id || recorded->code != p->code) return 0;
  if (recorded->length == p->length && memcmp(data, p->data, (size_t)p->length) == 0) return 2;
  if (subject < 0) return 1;
  if (recorded->length != p->length) return 0;
  return memcmp(data, p->data, (size_t)(subject < p->length ? subject : p->length)) == 0;
}

/* Find the request that matches, ahead of the expected one, then behind it; -1: none.  O(AHEAD +
** BEHIND). */
static int find(const brio_replay *self, const brio_packet *p, int *how) {
  for (int i = self->next; i < self->nrequest && i < self->next + AHEAD; i++)
    if ((*how = compare(self, &self->requests[i], p)) > 0) return i;
  for (int i = self->next - 1; i > 0 && i > self->next - BEHIND; i--)
    if ((*how = compare(self, &self->requests[i], p)) > 0) return i;
  return -1;
}

/* ---- differences in words ---- */

/* Describe a request; one that is too long ends in dots. */
static void words_of(const brio_replay *self, const brio_packet *p, char *out, size_t size) {
  brio_text text = {0};
  /* Words depend on nothing that came before. */
  brio_dialog dialog = {-1, -1, 0, 0};
  self->kind.protocol->describe(p, BRIO_TO_DEVICE, &dialog, &text);
  int length = snprintf(out, size, "%s", text.bytes ? text.bytes : "?");
  if (length >= (int)size) memcpy(out + size - 5, " ...", 5);
  brio_text_end(&text);
}

/* Keep a difference, unless an earlier one was at least as bad. */
static void note(brio_replay *self, int rank, const char *what, int expected, const brio_packet *came) {
  char recorded[120] = "the end", words[120];
  int line = 0;
  if (self->rank >= rank) return;
  self->rank = rank;
  /* What the trace has in its place, with its line. */
  if (expected < self->nrequest) {
    const request *one = &self->requests[expected];
    brio_packet packet = {.id = one->id, .code = one->code, .error = one->error, .length = one->length};
    memcpy(packet.data, self->bytes + one->data, (size_t)one->length);
    words_of(self, &packet, recorded, sizeof recorded);
    line = one->line;
  }
  words_of(self, came, words, sizeof words);
  snprintf(self->report.first, sizeof self->report.first, "%s: '%s' came where line %d of the trace has '%s'",
           what, words, line, recorded);
}

/* ---- the emulator ---- */

/* Replies of a request, each with its recorded delay. */
static void send_answers(const brio_replay *self, const request *asked, brio_emulator *line) {
  assert(asked->answers >= 0 && asked->first_answer + asked->answers <= self->nreply);
  for (int i = 0; i < asked->answers; i++) {
    const answer *one = &self->replies[asked->first_answer + i];
    brio_emulator_answer_bytes(line, self->bytes + one->at, one->count, one->delay, false);
  }
}

/* Find the request, count how it compares, send its replies. */
static void handle(void *device, const brio_packet *packet, int baud, brio_emulator *line) {
  brio_replay *self = device;
  assert(self->next >= 1 && self->next <= self->nrequest);
  int how = 0, found = find(self, packet, &how);
  (void)baud;
  /* What the device sent before any request. */
  if (self->report.asked == 0 && self->report.unexpected == 0) send_answers(self, &self->requests[0], line);
  if (found < 0) {
    self->report.unexpected++;
    note(self, 3, "not recorded", self->next, packet);
    return;
  }
  /* Before the expected one: the host repeated a request. */
  if (found < self->next) self->report.again++;
  else self->report.asked++;
  if (how == 2) self->report.exact++;
  else self->report.values++;
  if (found > self->next) note(self, 2, "left out", self->next, packet);
  else if (how == 1) note(self, 1, "other values", found, packet);
  /* Requests that were skipped count as left out. */
  if (found >= self->next) {
    self->report.left_out += found - self->next;
    self->next = found + 1;
  }
  send_answers(self, &self->requests[found], line);
}

/* The report, in one sentence or two. */
static void tell(const void *device, brio_text *out) {
  const brio_replay_report *r = &((const brio_replay *)device)->report;
  brio_text_format(out,
                   "%d of %d recorded requests came: %d in the same bytes, %d with other values, %d again; "
                   "%d were left out, %d came that were not recorded\n",
                   r->asked, r->recorded, r->exact, r->values, r->again, r->left_out, r->unexpected);
  if (r->first[0]) brio_text_format(out, "first difference: %s\n", r->first);
}

/* Free a replay that was opened as an emulator. */
static void close_replay(void *device) { brio_replay_free(device); }

/* Request 0 stands for the start of the trace. */
brio_replay *brio_replay_new(const brio_protocol *protocol, brio_error *err) {
  brio_replay *self = calloc(1, sizeof *self);
  /* It has no data, so nothing compares equal to it. */
  const brio_packet before = {.id = -1, .code = -1, .error = -1};
  if (!self || !add_request(self, &before, 0, 0, err)) {
    brio_replay_free(self);
    no_memory(err);
    return NULL;
  }
  self->next = 1;
  /* A kind of its own, with the protocol of the trace. */
  self->kind = (brio_emulator_kind){.name = "replay",
                                    .doc = "A recorded trace.",
                                    .protocol = protocol,
                                    .baud = 115200,
                                    .servos = 1,
                                    .udp = strcmp(protocol->name, "json") == 0,
                                    .handle = handle,
                                    .tell = tell,
                                    .close = close_replay};
  brio_wire_start(&self->stream, protocol, BRIO_TO_DEVICE);
  return self;
}

/* NULL is allowed. */
void brio_replay_free(brio_replay *self) {
  if (!self) return;
  free(self->bytes);
  free(self->requests);
  free(self->replies);
  free(self);
}

/* The emulator owns the replay, on failure, too. */
brio_emulator *brio_replay_emulator(brio_replay *self, int baud, brio_error *err) {
  brio_emulator_options options = {.servos = 1, .baud = baud};
  self->report.recorded = self->nrequest - 1;
  /* Without requests nothing could ever be replayed. */
  if (self->report.recorded == 0) {
    brio_fail(err, BRIO_FORMAT, "the recording has no requests, so it cannot answer (is %s the protocol?)",
              self->kind.protocol->name);
    brio_replay_free(self);
    return NULL;
  }
  brio_emulator *line = brio_emulator_around(&self->kind, self, &options, err);
  /* the recorded times include those of the wire */
  if (line) brio_emulator_set(line, BRIO_LINE_PACED, 0);
  return line;
}

/* Only for emulators of this kind. */
bool brio_replay_look(brio_emulator *line, brio_replay_report *out) {
  if (brio_emulator_kind_of(line)->handle != handle) return false;
  *out = ((const brio_replay *)brio_emulator_device(line))->report;
  return true;
}
