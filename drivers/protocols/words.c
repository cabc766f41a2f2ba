/* Shared by several protocols: data in words, and the small frame with an 8-bit sum, which
** Dynamixel 1.0, Feetech and LX-16A have in common except for the mark and what the length counts. */
#include <string.h>

#include "drivers/protocols/checksum.h"
#include "drivers/protocols/words.h"

enum { AROUND = 6 /* bytes of a frame without data: two marks, id, length, code, sum */ };

/* At most 64 bytes are printed. */
void brio_words_hex(const uint8_t *data, int length, brio_text *out) {
  for (int i = 0; i < length && i < 64; i++) brio_text_format(out, i ? " %02X" : "%02X", data[i]);
  if (length > 64) brio_text_format(out, " ... (%d bytes)", length);
}

/* B, b: 8 bits; H, h: 16 bits, small letters with sign; c, d: hundredths, tenths; q: 2 x 7 bits; i:
** 32 bits. */
static int size_of(char type) { return type == 'B' || type == 'b' ? 1 : type == 'i' ? 4 : 2; }

/* Print one value. */
static void add_value(char type, bool big_endian, const uint8_t *data, brio_text *out) {
  /* Assemble the bytes, then interpret them by the type. */
  uint32_t raw = 0;
  int size = size_of(type);
  for (int i = 0; i < size; i++) raw |= (uint32_t)data[big_endian ? size - 1 - i : i] << (8 * i);
  switch (type) {
    case 'B': brio_text_format(out, "%u", raw); break;
    case 'b': brio_text_format(out, "%d", (int8_t)raw); break;
    case 'H': brio_text_format(out, "%u", raw); break;
    case 'h': brio_text_format(out, "%d", (int16_t)raw); break;
    case 'c': brio_text_format(out, "%.2f", (int16_t)raw / 100.0); break;
    case 'd': brio_text_format(out, "%.1f", (int16_t)raw / 10.0); break;
    case 'q': brio_text_format(out, "%d", data[0] | data[1] << 7); break;
    default: brio_text_format(out, "%d", (int32_t)raw);
  }
}

/* `fields` is a list of TYPES NAME; data that are missing or left over are shown as such. */
void brio_words_fields(const char *fields, bool big_endian, const uint8_t *data, int length, brio_text *out) {
  int at = 0;
  for (const char *field = fields; *field;) {
    /* Letters of the types, then the name. */
    int letters = (int)strcspn(field, " "), rest = (int)strcspn(field, ",");
    brio_text_format(out, "%s%.*s ", field == fields ? "" : ", ", rest - letters - 1, field + letters + 1);
    for (int i = 0; i < letters; i++) {
      if (at + size_of(field[i]) > length) {
        brio_text_format(out, "(missing)");
        at = length;
        break;
      }
      if (i) brio_text_format(out, " ");
      add_value(field[i], big_endian, data + at, out);
      at += size_of(field[i]);
    }
    field += rest + (field[rest] == ',');
  }
  /* Bytes that no field describes. */
  if (at == length) return;
  brio_text_format(out, *fields ? ", then " : "");
  brio_words_hex(data + at, length - at, out);
}

/* Return the count of bytes; 0: more are needed; below 0: refused.  `counted`: what the length
** counts besides the data. */
int brio_sum_frame_parse(uint8_t mark, int counted, const uint8_t *bytes, int count, brio_packet *out) {
  for (int i = 0; i < 2 && i < count; i++)
    if (bytes[i] != mark) return BRIO_WIRE_REFUSED(BRIO_WIRE_GARBAGE);
  /* one mark too many, or no id */
  if (count > 2 && bytes[2] == 0xFF) return BRIO_WIRE_REFUSED(BRIO_WIRE_GARBAGE);
  if (count < 4) return 0;
  /* Byte 3: the length; data plus the frame around them fit one length byte. */
  int data = bytes[3] - counted;
  if (data < 0 || data + AROUND > 255) return BRIO_WIRE_REFUSED(BRIO_WIRE_LENGTH);
  if (count < data + AROUND) return 0;
  /* The sum covers id to data. */
  if (brio_checksum_sum(bytes + 2, data + 3) != bytes[data + 5]) return BRIO_WIRE_REFUSED(BRIO_WIRE_CHECK);
  out->id = bytes[2];
  out->code = bytes[4];
  out->error = -1;
  out->length = data;
  memcpy(out->data, bytes + 5, (size_t)data);
  return data + AROUND;
}

/* The inverse; packets that have no frame are refused (0). */
int brio_sum_frame_write(uint8_t mark, int counted, const brio_packet *packet, uint8_t *out, int room) {
  int data = packet->length;
  if (packet->id < 0 || packet->id > 254 || packet->code < 0 || packet->code > 255 || packet->error >= 0)
    return 0;
  if (data < 0 || data + AROUND > 255 || data + AROUND > room) return 0;
  out[0] = out[1] = mark;
  out[2] = (uint8_t)packet->id;
  out[3] = (uint8_t)(data + counted);
  out[4] = (uint8_t)packet->code;
  memcpy(out + 5, packet->data, (size_t)data);
  out[5 + data] = brio_checksum_sum(out + 2, data + 3);
  return data + AROUND;
}
