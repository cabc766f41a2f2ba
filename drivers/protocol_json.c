/* Joint streaming: JSON objects, each a line of its own, mostly one in each UDP datagram:
** {"seq": 12, "positions": {"head_yaw": 0.1}}.  docs/devices.md has the fields.  What is no whole JSON
** object (RFC 8259) on one line is refused. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/joint_stream.h"
#include "drivers/words.h"

enum { DEEPEST = 8 };

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

/* ---- positions by name ---- */

/* Take `"name": number` and tell it. */
static bool take_position(reader *r, void (*visit)(void *, const char *, int, double), void *context, int *count) {
  char digits[40] = "";
  skip_space(r);
  const uint8_t *name = r->at + 1;
  if (!take_string(r)) return false;
  int length = (int)(r->at - 1 - name);
  if (!take(r, ':')) return false;
  skip_space(r);
  const uint8_t *at = r->at;
  if (!take_number(r) || r->at - at >= (long)sizeof digits) return false;
  memcpy(digits, at, (size_t)(r->at - at));
  double value = strtod(digits, NULL);
  if (!isfinite(value)) return true;
  visit(context, (const char *)name, length, value);
  ++*count;
  return true;
}

int brio_joint_stream_positions(const brio_packet *packet,
                                void (*visit)(void *context, const char *name, int length, double value),
                                void *context) {
  static const char wanted[] = "positions";
  reader r = {packet->data, packet->data + packet->length};
  int count = 0;
  if (!take(&r, '{')) return 0;
  do {
    skip_space(&r);
    const uint8_t *name = r.at + 1;
    if (!take_string(&r)) return count;
    bool here = (size_t)(r.at - 1 - name) == strlen(wanted) && memcmp(name, wanted, strlen(wanted)) == 0;
    if (!take(&r, ':')) return count;
    if (!here || !take(&r, '{')) {
      if (!take_value(&r, DEEPEST)) return count;
      continue;
    }
    while (take_position(&r, visit, context, &count) && take(&r, ',')) continue;
    if (!take(&r, '}')) return count;
  } while (take(&r, ','));
  return count;
}

bool brio_joint_stream_make(brio_packet *packet, uint64_t sequence, const char *const *names, const double *values,
                            int count) {
  char *out = (char *)packet->data;
  const int most = BRIO_PACKET_MOST;
  packet->id = packet->code = packet->error = -1;
  int length = snprintf(out, (size_t)most, "{\"seq\": %llu, \"positions\": {", (unsigned long long)sequence);
  const char *between = "";
  for (int i = 0; i < count && length < most; i++) {
    if (!isfinite(values[i])) continue;
    length += snprintf(out + length, (size_t)(most - length), "%s\"%s\": %.6f", between, names[i], values[i]);
    between = ", ";
  }
  if (length + 2 >= most) return false;
  memcpy(out + length, "}}", 2);
  packet->length = length + 2;
  return true;
}

static int parse(const uint8_t *bytes, int count, brio_direction direction, brio_packet *out) {
  (void)direction;
  if (bytes[0] != '{') return BRIO_WIRE_REFUSED(BRIO_WIRE_GARBAGE);
  int most = count < BRIO_PACKET_MOST + 1 ? count : BRIO_PACKET_MOST + 1;
  const uint8_t *end = memchr(bytes, '\n', (size_t)most);
  if (!end) return count > BRIO_PACKET_MOST ? BRIO_WIRE_REFUSED(BRIO_WIRE_LENGTH) : 0;
  int length = (int)(end - bytes);
  if (!is_object(bytes, length)) return BRIO_WIRE_REFUSED(BRIO_WIRE_CONTENT);
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
    .check = "none of its own; UDP has a sum of 16 bits",
    .accepts = 1,
    .longest = BRIO_PACKET_MOST + 1,
    .datagrams = true,
    .parse = parse,
    .write = write_packet,
    .describe = describe,
};
