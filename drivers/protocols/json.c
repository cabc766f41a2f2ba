/* Joint streaming: JSON objects, one per line, mostly one per UDP datagram: {"seq": 12,
** "positions": {"head_yaw": 0.1}}. docs/devices/joint-stream.md has the fields.  Refused is what is
** no complete JSON object (RFC 8259) on one line, or ends with a "crc" that does not match. */
#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "drivers/protocols/checksum.h"
#include "drivers/protocols/joint_stream.h"
#include "drivers/protocols/words.h"

enum {
  DEEPEST = 7 /* nesting of arrays and objects */,
  KEPT = 20 /* bytes reserved for the end of a message */,
  POLYNOMIAL = 0x1021
};

/* Views on bytes; nothing is copied. */
static brio_json json_of(const uint8_t *bytes, int count) {
  return (brio_json){.at = (const char *)bytes, .end = (const char *)bytes + count};
}

/* Whether the bytes are one complete JSON object, nested at most DEEPEST levels. */
static bool is_object(const uint8_t *bytes, int count) {
  /* Exactly one object, and nothing after it. */
  brio_json json = json_of(bytes, count);
  return count >= 2 && bytes[0] == '{' && brio_json_skip(&json, DEEPEST) && brio_json_over(&json);
}

/* ---- reading: items by field and name ---- */

/* The visitor, and what is known of the present item. */
typedef struct tour {
  void (*visit)(void *context, const brio_joint_stream_item *item);
  void *context;
  brio_joint_stream_item item;
  int count;
} tour;

/* Pass an item to the visitor, and count it. */
static void tell(tour *t, double value) {
  t->item.value = value;
  t->count++;
  t->visit(t->context, &t->item);
}

/* Read a number.  Numbers that overflow are skipped. */
static bool visit_number(brio_json *json, tour *t) {
  double value;
  if (!brio_json_number(json, &value)) return false;
  if (isfinite(value)) tell(t, value);
  return true;
}

/* A text is an item without a value. */
static bool visit_text(brio_json *json, tour *t) {
  /* Escapes are left in the text. */
  brio_json_text text;
  if (!brio_json_string(json, &text)) return false;
  t->item.text = text.bytes;
  t->item.ntext = (int)text.length;
  tell(t, NAN);
  t->item.text = NULL;
  return true;
}

static bool visit_value(brio_json *json, tour *t, int deep);

/* The items of an array have an index. */
static bool visit_list(brio_json *json, tour *t, int deep) {
  if (brio_json_take(json, ']')) return true;
  t->item.index = 0;
  do {
    if (!visit_value(json, t, deep)) return false;
    t->item.index++;
  } while (brio_json_take(json, ','));
  t->item.index = 0;
  return brio_json_take(json, ']');
}

/* The name of a member, still escaped. */
static bool take_name(brio_json *json, const char **name, int *length) {
  brio_json_text text;
  if (!brio_json_key(json, &text)) return false;
  *name = text.bytes;
  *length = (int)text.length;
  return true;
}

/* The members of an inner object have a name. */
static bool visit_members(brio_json *json, tour *t) {
  if (brio_json_take(json, '}')) return true;
  do {
    if (!take_name(json, &t->item.name, &t->item.nname) || !visit_value(json, t, 1)) return false;
  } while (brio_json_take(json, ','));
  t->item.name = NULL;
  return brio_json_take(json, '}');
}

/* Read a value.  `deep`: levels of arrays and objects that are visited; anything deeper is skipped. */
static bool visit_value(brio_json *json, tour *t, int deep) {
  /* The first character determines the kind. */
  char kind = brio_json_peek(json);
  bool flag;
  if (kind == '0') return visit_number(json, t);
  if (kind == '"') return visit_text(json, t);
  if (kind == '[' && deep > 0) return brio_json_take(json, '[') && visit_list(json, t, 0);
  if (kind == '{' && deep > 1) return brio_json_take(json, '{') && visit_members(json, t);
  /* true and false count as 1 and 0; null is skipped. */
  if (kind != 't') return brio_json_skip(json, DEEPEST);
  if (!brio_json_flag(json, &flag)) return false;
  tell(t, flag);
  return true;
}

/* O(bytes), without allocation. */
int brio_joint_stream_visit(const brio_packet *packet,
                            void (*visit)(void *context, const brio_joint_stream_item *item), void *context) {
  brio_json json = json_of(packet->data, packet->length);
  /* The outer object has the fields. */
  tour t = {.visit = visit, .context = context};
  /* An empty object has no items. */
  if (!brio_json_take(&json, '{') || brio_json_take(&json, '}')) return 0;
  do {
    t.item = (brio_joint_stream_item){0};
    if (!take_name(&json, &t.item.field, &t.item.nfield) || !visit_value(&json, &t, 2)) break;
  } while (brio_json_take(&json, ','));
  return t.count;
}

/* NULL is equal to nothing. */
bool brio_joint_stream_is(const char *bytes, int length, const char *word) {
  return bytes && strlen(word) == (size_t)length && memcmp(bytes, word, (size_t)length) == 0;
}

/* Positions only, for callers that want nothing else. */
typedef struct positions {
  void (*visit)(void *context, const char *name, int length, double value);
  void *context;
  int count;
} positions;

/* Pass on a number whose field is "positions"; lists and texts are skipped. */
static void visit_position(void *context, const brio_joint_stream_item *item) {
  positions *all = context;
  if (!item->name || item->text || item->index ||
      !brio_joint_stream_is(item->field, item->nfield, "positions"))
    return;
  all->visit(all->context, item->name, item->nname, item->value);
  all->count++;
}

int brio_joint_stream_positions(const brio_packet *packet,
                                void (*visit)(void *context, const char *name, int length, double value),
                                void *context) {
  /* A visitor on top of the general one. */
  positions all = {visit, context, 0};
  brio_joint_stream_visit(packet, visit_position, &all);
  return all.count;
}

/* ---- writing messages ---- */

/* Append text, or nothing if there is no room. */
static bool add(brio_packet *packet, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool add(brio_packet *packet, const char *format, ...) {
  va_list list;
  /* Keep room for the check code and the end. */
  int room = BRIO_PACKET_MOST - KEPT - packet->length;
  /* Without room vsnprintf only counts. */
  va_start(list, format);
  int length = vsnprintf((char *)packet->data + packet->length, (size_t)(room > 0 ? room : 0), format, list);
  va_end(list);
  if (length < 0 || length >= room) return false;
  packet->length += length;
  return true;
}

/* Members are separated by commas, except the first. */
static const char *between(const brio_packet *packet) {
  assert(packet->length > 0);
  return packet->data[packet->length - 1] == '{' ? "" : ", ";
}

/* A message starts as an open object; `end` closes it. */
void brio_joint_stream_begin(brio_packet *packet) {
  *packet = (brio_packet){.id = -1, .code = -1, .error = -1, .length = 1, .data = {'{'}};
}

/* 15 digits: integers up to 10^15 are exact. */
bool brio_joint_stream_number(brio_packet *packet, const char *field, double value) {
  return add(packet, "%s\"%s\": %.15g", between(packet), field, value);
}

/* The text is written as it is: the caller gives none that needs an escape. */
bool brio_joint_stream_text(brio_packet *packet, const char *field, const char *text) {
  return add(packet, "%s\"%s\": \"%s\"", between(packet), field, text);
}

/* An array or object that does not fit is left out as a whole. */
bool brio_joint_stream_list(brio_packet *packet, const char *field, const char *const *texts, int count) {
  int before = packet->length;
  bool good = add(packet, "%s\"%s\": [", between(packet), field);
  for (int i = 0; i < count && good; i++) good = add(packet, "%s\"%s\"", i ? ", " : "", texts[i]);
  good = good && add(packet, "]");
  if (!good) packet->length = before;
  return good;
}

/* A name and a number per member, `digits` behind the decimal point. */
bool brio_joint_stream_object(brio_packet *packet, const char *field, const char *const *names,
                              const double *values, int count, int digits) {
  int before = packet->length;
  bool good = add(packet, "%s\"%s\": {", between(packet), field);
  /* Values that are not finite are left out. */
  for (int i = 0; i < count && good; i++)
    if (isfinite(values[i]))
      good = add(packet, "%s\"%s\": %.*f", between(packet), names[i], digits, values[i]);
  good = good && add(packet, "}");
  if (!good) packet->length = before;
  return good;
}

/* CRC-16 over everything before the comma; the room was kept. */
bool brio_joint_stream_end(brio_packet *packet) {
  assert(packet->length > 0 && packet->length + KEPT <= BRIO_PACKET_MOST);
  int crc = brio_checksum_crc16(packet->data, packet->length, 0xFFFF, POLYNOMIAL);
  packet->length += snprintf((char *)packet->data + packet->length, KEPT, ", \"crc\": %d}", crc);
  return true;
}

/* Step back over at most `most` bytes that `is` accepts. */
static int back(const uint8_t *bytes, int at, int most, int (*is)(int)) {
  while (at > 0 && most-- > 0 && is(bytes[at - 1])) at--;
  return at;
}

/* Step back over a text and spaces after it.  Return its start; -1: it is not there. */
static int back_over(const uint8_t *bytes, int at, const char *text) {
  int length = (int)strlen(text);
  at = back(bytes, at, 4, isspace);
  return at >= length && memcmp(bytes + at - length, text, (size_t)length) == 0 ? at - length : -1;
}

/* Find the check code at the end of a message.  Return the count of bytes that it covers; -1: none. */
static int find_check(const uint8_t *bytes, int count, int *crc) {
  /* Backwards: }, digits, :, "crc", and a comma. */
  int at = back_over(bytes, count, "}");
  int digits = at < 0 ? -1 : back(bytes, back(bytes, at, 4, isspace), 5, isdigit);
  if (digits < 0 || digits == at || !isdigit(bytes[digits])) return -1;
  at = back_over(bytes, digits, ":");
  at = at < 0 ? -1 : back_over(bytes, at, "\"crc\"");
  at = at < 0 ? -1 : back_over(bytes, at, ",");
  /* The digits as a number; at most five, so no overflow. */
  *crc = 0;
  for (int i = digits; isdigit(bytes[i]); i++) *crc = 10 * *crc + bytes[i] - '0';
  return at;
}

bool brio_joint_stream_has_check(const brio_packet *packet) {
  int crc;
  return find_check(packet->data, packet->length, &crc) >= 0;
}

bool brio_joint_stream_make(brio_packet *packet, uint64_t sequence, const char *const *names,
                            const double *values, int count) {
  brio_joint_stream_begin(packet);
  return brio_joint_stream_number(packet, "seq", (double)sequence) &&
         brio_joint_stream_object(packet, "positions", names, values, count, 6) &&
         brio_joint_stream_end(packet);
}

/* A message ends with its line feed. */
static int parse(const uint8_t *bytes, int count, brio_direction direction, brio_packet *out) {
  (void)direction;
  if (bytes[0] != '{') return BRIO_WIRE_REFUSED(BRIO_WIRE_GARBAGE);
  /* Look for the end only within the longest message. */
  int most = count < BRIO_PACKET_MOST + 1 ? count : BRIO_PACKET_MOST + 1;
  const uint8_t *end = memchr(bytes, '\n', (size_t)most);
  /* A line that is too long is refused before its end. */
  if (!end) return count > BRIO_PACKET_MOST ? BRIO_WIRE_REFUSED(BRIO_WIRE_LENGTH) : 0;
  int length = (int)(end - bytes);
  if (!is_object(bytes, length)) return BRIO_WIRE_REFUSED(BRIO_WIRE_CONTENT);
  /* The check code is optional. */
  int crc, checked = find_check(bytes, length, &crc);
  if (checked >= 0 && brio_checksum_crc16(bytes, checked, 0xFFFF, POLYNOMIAL) != crc)
    return BRIO_WIRE_REFUSED(BRIO_WIRE_CHECK);
  *out = (brio_packet){.id = -1, .code = -1, .error = -1, .length = length};
  memcpy(out->data, bytes, (size_t)length);
  return length + 1;
}

/* Only complete objects are written. */
static int write_packet(const brio_packet *packet, uint8_t *out, int room) {
  if (packet->id >= 0 || packet->code >= 0 || packet->error >= 0) return 0;
  /* At least {}. */
  if (packet->length < 2 || packet->length > BRIO_PACKET_MOST || packet->length + 1 > room) return 0;
  if (!is_object(packet->data, packet->length)) return 0;
  memcpy(out, packet->data, (size_t)packet->length);
  out[packet->length] = '\n';
  return packet->length + 1;
}

/* A message is readable as it is. */
static void describe(const brio_packet *packet, brio_direction direction, brio_dialog *dialog,
                     brio_text *out) {
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
