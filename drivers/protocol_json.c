/* Joint streaming: JSON objects, each a line of its own, mostly one in each UDP datagram:
** {"seq": 12, "positions": {"head_yaw": 0.1}}.  docs/joint-stream.md has the fields.  What is no whole JSON
** object (RFC 8259) on one line is refused, and one whose last member is a "crc" that does not agree. */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/checksum.h"
#include "drivers/joint_stream.h"
#include "drivers/words.h"

enum { DEEPEST = 8, KEPT = 20 /* bytes for the end of a message */, POLYNOMIAL = 0x1021 };

/* A text that is read: at[0 .. end). */
typedef struct reader {
  const uint8_t *at, *end;
} reader;

static void skip_space(reader *r) {
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r')) r->at++;
}

static bool take(reader *r, uint8_t c) {
  skip_space(r);
  if (r->at == r->end || *r->at != c) return false;
  r->at++;
  return true;
}

static bool take_string(reader *r) {
  if (!take(r, '"')) return false;
  for (; r->at < r->end && *r->at != '"'; r->at++) {
    if (*r->at < ' ') return false;
    if (*r->at != '\\') continue;
    if (++r->at == r->end || !strchr("\"\\/bfnrtu", *r->at)) return false;
    for (int i = 0; *r->at == 'u' && i < 4; i++)
      if (r->end - r->at <= i + 1 || !isxdigit(r->at[i + 1])) return false;
  }
  return take(r, '"');
}

static int take_digits(reader *r) {
  int count = 0;
  for (; r->at < r->end && isdigit(*r->at); r->at++) count++;
  return count;
}

static bool take_number(reader *r) {
  if (r->at < r->end && *r->at == '-') r->at++;
  bool zero = r->at < r->end && *r->at == '0';
  int digits = take_digits(r);
  if (digits == 0 || (zero && digits > 1)) return false;
  if (r->at < r->end && *r->at == '.') {
    r->at++;
    if (take_digits(r) == 0) return false;
  }
  if (r->at == r->end || (*r->at != 'e' && *r->at != 'E')) return true;
  r->at++;
  if (r->at < r->end && (*r->at == '+' || *r->at == '-')) r->at++;
  return take_digits(r) > 0;
}

static bool take_word(reader *r) {
  static const char *const words[] = {"true", "false", "null"};
  for (int i = 0; i < 3; i++) {
    size_t length = strlen(words[i]);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, words[i], length) != 0) continue;
    r->at += length;
    return true;
  }
  return false;
}

static bool take_value(reader *r, int deep);

/* Members of an object or items of a list, up to `close`. */
static bool take_members(reader *r, uint8_t close, bool named, int deep) {
  if (take(r, close)) return true;
  do {
    if (named && (!take_string(r) || !take(r, ':'))) return false;
    if (!take_value(r, deep)) return false;
  } while (take(r, ','));
  return take(r, close);
}

static bool take_value(reader *r, int deep) {
  skip_space(r);
  if (r->at == r->end || deep == 0) return false;
  if (take(r, '{')) return take_members(r, '}', true, deep - 1);
  if (take(r, '[')) return take_members(r, ']', false, deep - 1);
  if (*r->at == '"') return take_string(r);
  return *r->at == '-' || isdigit(*r->at) ? take_number(r) : take_word(r);
}

static bool is_object(const uint8_t *bytes, int count) {
  reader r = {bytes, bytes + count};
  if (count < 2 || bytes[0] != '{' || !take_value(&r, DEEPEST)) return false;
  skip_space(&r);
  return r.at == r.end;
}

/* ---- numbers by field and name ---- */

/* Who is told, and what is known of an item already. */
typedef struct tour {
  void (*visit)(void *context, const brio_joint_stream_item *item);
  void *context;
  brio_joint_stream_item item;
  int count;
} tour;

static void tell(tour *t, double value) {
  t->item.value = value;
  t->count++;
  t->visit(t->context, &t->item);
}

/* Read a number, and tell it when it is finite. */
static bool visit_number(reader *r, tour *t) {
  char digits[40] = "";
  const uint8_t *at = r->at;
  if (!take_number(r)) return false;
  if (r->at - at >= (long)sizeof digits) return true;
  memcpy(digits, at, (size_t)(r->at - at));
  double value = strtod(digits, NULL);
  if (isfinite(value)) tell(t, value);
  return true;
}

static bool visit_text(reader *r, tour *t) {
  const char *text = (const char *)r->at + 1;
  if (!take_string(r)) return false;
  t->item.text = text;
  t->item.ntext = (int)((const char *)r->at - 1 - text);
  tell(t, NAN);
  t->item.text = NULL;
  return true;
}

static bool visit_value(reader *r, tour *t, int deep);

static bool visit_list(reader *r, tour *t, int deep) {
  if (take(r, ']')) return true;
  t->item.index = 0;
  do {
    if (!visit_value(r, t, deep)) return false;
    t->item.index++;
  } while (take(r, ','));
  t->item.index = 0;
  return take(r, ']');
}

static bool take_name(reader *r, const char **name, int *length) {
  skip_space(r);
  *name = (const char *)r->at + 1;
  if (!take_string(r)) return false;
  *length = (int)((const char *)r->at - 1 - *name);
  return take(r, ':');
}

/* `deep`: levels of lists and objects whose numbers are told; what is below is passed over. */
static bool visit_value(reader *r, tour *t, int deep) {
  skip_space(r);
  if (r->at == r->end) return false;
  if (*r->at == '-' || isdigit(*r->at)) return visit_number(r, t);
  if (*r->at == '"') return visit_text(r, t);
  if (deep > 0 && take(r, '[')) return visit_list(r, t, 0);
  if (deep > 1 && take(r, '{')) {
    if (take(r, '}')) return true;
    do {
      if (!take_name(r, &t->item.name, &t->item.nname) || !visit_value(r, t, 1)) return false;
    } while (take(r, ','));
    t->item.name = NULL;
    return take(r, '}');
  }
  bool word = *r->at == 't' || *r->at == 'f', truth = *r->at == 't';
  if (!take_value(r, DEEPEST)) return false;
  if (word) tell(t, truth);
  return true;
}

int brio_joint_stream_visit(const brio_packet *packet, void (*visit)(void *context, const brio_joint_stream_item *item),
                            void *context) {
  reader r = {packet->data, packet->data + packet->length};
  tour t = {.visit = visit, .context = context};
  if (!take(&r, '{') || take(&r, '}')) return 0;
  do {
    t.item = (brio_joint_stream_item){0};
    if (!take_name(&r, &t.item.field, &t.item.nfield) || !visit_value(&r, &t, 2)) break;
  } while (take(&r, ','));
  return t.count;
}

bool brio_joint_stream_is(const char *bytes, int length, const char *word) {
  return bytes && strlen(word) == (size_t)length && memcmp(bytes, word, (size_t)length) == 0;
}

typedef struct positions {
  void (*visit)(void *context, const char *name, int length, double value);
  void *context;
  int count;
} positions;

static void visit_position(void *context, const brio_joint_stream_item *item) {
  positions *all = context;
  if (!item->name || item->text || item->index || !brio_joint_stream_is(item->field, item->nfield, "positions")) return;
  all->visit(all->context, item->name, item->nname, item->value);
  all->count++;
}

int brio_joint_stream_positions(const brio_packet *packet,
                                void (*visit)(void *context, const char *name, int length, double value),
                                void *context) {
  positions all = {visit, context, 0};
  brio_joint_stream_visit(packet, visit_position, &all);
  return all.count;
}

/* ---- making messages ---- */

/* Add text; what has no room is not added. */
static bool add(brio_packet *packet, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool add(brio_packet *packet, const char *format, ...) {
  va_list list;
  int room = BRIO_PACKET_MOST - KEPT - packet->length;
  va_start(list, format);
  int length = vsnprintf((char *)packet->data + packet->length, (size_t)(room > 0 ? room : 0), format, list);
  va_end(list);
  if (length < 0 || length >= room) return false;
  packet->length += length;
  return true;
}

static const char *between(const brio_packet *packet) { return packet->data[packet->length - 1] == '{' ? "" : ", "; }

void brio_joint_stream_begin(brio_packet *packet) {
  *packet = (brio_packet){.id = -1, .code = -1, .error = -1, .length = 1, .data = {'{'}};
}

bool brio_joint_stream_number(brio_packet *packet, const char *field, double value) {
  return add(packet, "%s\"%s\": %.15g", between(packet), field, value);
}

bool brio_joint_stream_text(brio_packet *packet, const char *field, const char *text) {
  return add(packet, "%s\"%s\": \"%s\"", between(packet), field, text);
}

bool brio_joint_stream_list(brio_packet *packet, const char *field, const char *const *texts, int count) {
  int before = packet->length;
  bool good = add(packet, "%s\"%s\": [", between(packet), field);
  for (int i = 0; i < count && good; i++) good = add(packet, "%s\"%s\"", i ? ", " : "", texts[i]);
  good = good && add(packet, "]");
  if (!good) packet->length = before;
  return good;
}

bool brio_joint_stream_object(brio_packet *packet, const char *field, const char *const *names, const double *values,
                              int count, int digits) {
  int before = packet->length;
  bool good = add(packet, "%s\"%s\": {", between(packet), field);
  for (int i = 0; i < count && good; i++)
    if (isfinite(values[i])) good = add(packet, "%s\"%s\": %.*f", between(packet), names[i], digits, values[i]);
  good = good && add(packet, "}");
  if (!good) packet->length = before;
  return good;
}

bool brio_joint_stream_end(brio_packet *packet) {
  int crc = brio_checksum_crc16(packet->data, packet->length, 0xFFFF, POLYNOMIAL);
  packet->length += snprintf((char *)packet->data + packet->length, KEPT, ", \"crc\": %d}", crc);
  return true;
}

/* Step back over bytes that `is` accepts, at most `most`. */
static int back(const uint8_t *bytes, int at, int most, int (*is)(int)) {
  while (at > 0 && most-- > 0 && is(bytes[at - 1])) at--;
  return at;
}

/* Step back over one of these texts and spaces before it; -1: it is not there. */
static int back_over(const uint8_t *bytes, int at, const char *text) {
  int length = (int)strlen(text);
  at = back(bytes, at, 4, isspace);
  return at >= length && memcmp(bytes + at - length, text, (size_t)length) == 0 ? at - length : -1;
}

/* Where the bytes end that a check code at the end of a message is about, and the code; -1: it has none. */
static int find_check(const uint8_t *bytes, int count, int *crc) {
  int at = back_over(bytes, count, "}");
  int digits = at < 0 ? -1 : back(bytes, back(bytes, at, 4, isspace), 5, isdigit);
  if (digits < 0 || digits == at || !isdigit(bytes[digits])) return -1;
  at = back_over(bytes, digits, ":");
  at = at < 0 ? -1 : back_over(bytes, at, "\"crc\"");
  at = at < 0 ? -1 : back_over(bytes, at, ",");
  *crc = 0;
  for (int i = digits; isdigit(bytes[i]); i++) *crc = 10 * *crc + bytes[i] - '0';
  return at;
}

bool brio_joint_stream_has_check(const brio_packet *packet) {
  int crc;
  return find_check(packet->data, packet->length, &crc) >= 0;
}

bool brio_joint_stream_make(brio_packet *packet, uint64_t sequence, const char *const *names, const double *values,
                            int count) {
  brio_joint_stream_begin(packet);
  return brio_joint_stream_number(packet, "seq", (double)sequence) &&
         brio_joint_stream_object(packet, "positions", names, values, count, 6) && brio_joint_stream_end(packet);
}

static int parse(const uint8_t *bytes, int count, brio_direction direction, brio_packet *out) {
  (void)direction;
  if (bytes[0] != '{') return BRIO_WIRE_REFUSED(BRIO_WIRE_GARBAGE);
  int most = count < BRIO_PACKET_MOST + 1 ? count : BRIO_PACKET_MOST + 1;
  const uint8_t *end = memchr(bytes, '\n', (size_t)most);
  if (!end) return count > BRIO_PACKET_MOST ? BRIO_WIRE_REFUSED(BRIO_WIRE_LENGTH) : 0;
  int length = (int)(end - bytes);
  if (!is_object(bytes, length)) return BRIO_WIRE_REFUSED(BRIO_WIRE_CONTENT);
  int crc, checked = find_check(bytes, length, &crc);
  if (checked >= 0 && brio_checksum_crc16(bytes, checked, 0xFFFF, POLYNOMIAL) != crc) return BRIO_WIRE_REFUSED(BRIO_WIRE_CHECK);
  *out = (brio_packet){.id = -1, .code = -1, .error = -1, .length = length};
  memcpy(out->data, bytes, (size_t)length);
  return length + 1;
}

static int write_packet(const brio_packet *packet, uint8_t *out, int room) {
  if (packet->id >= 0 || packet->code >= 0 || packet->error >= 0) return 0;
  if (packet->length < 2 || packet->length > BRIO_PACKET_MOST || packet->length + 1 > room) return 0;
  if (!is_object(packet->data, packet->length)) return 0;
  memcpy(out, packet->data, (size_t)packet->length);
  out[packet->length] = '\n';
  return packet->length + 1;
}

static void describe(const brio_packet *packet, brio_direction direction, brio_dialog *dialog, brio_text *out) {
  *dialog = (brio_dialog){-1, -1, 0, 0};
  brio_text_format(out, "%s %.*s", direction == BRIO_FROM_DEVICE ? "report" : "message", packet->length,
                   (const char *)packet->data);
}

const brio_protocol brio_protocol_json = {
    .name = "json",
    .doc = "Joint streaming: JSON lines, mostly in UDP datagrams.",
    .check = "CRC of 16 bits where a message ends with one; UDP has a sum of 16 bits",
    .accepts = 1,
    .longest = BRIO_PACKET_MOST + 1,
    .datagrams = true,
    .parse = parse,
    .write = write_packet,
    .describe = describe,
};
