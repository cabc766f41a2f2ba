/* Packets from a stream of bytes, for all protocols: a window over the last bytes, where the
** protocol's parser is tried at each position.  Where no packet starts, one byte is dropped, so a
** packet is found after any garbage, and within the bytes that a damaged length has claimed.  Each
** call of the parser drops a byte, finds a packet or waits for more. */
#include <assert.h>
#include <string.h>

#include "base/name.h"
#include "drivers/protocols/wire.h"

/* The protocols: declared, then listed, from protocols.def. */
#define X(name) extern const brio_protocol brio_protocol_##name;
#include "drivers/protocols.def"
#undef X

const brio_protocol *const brio_protocols[] = {
#define X(name) &brio_protocol_##name,
#include "drivers/protocols.def"
#undef X
    NULL};

/* List the protocols for a hint on misspelt names. */
static const char *name_at(const void *protocols, int i) {
  const brio_protocol *const *protocol = protocols;
  return protocol[i] ? protocol[i]->name : NULL;
}

/* By name or alias. */
const brio_protocol *brio_protocol_find(const char *name, brio_error *err) {
  for (int i = 0; brio_protocols[i]; i++) {
    const brio_protocol *one = brio_protocols[i];
    if (strcmp(one->name, name) == 0 || (one->alias && strcmp(one->alias, name) == 0)) return one;
  }
  char hint[96];
  brio_fail(err, BRIO_MISUSE, "there is no protocol '%.64s'%s", name,
            brio_name_hint(name, name_at, brio_protocols, hint));
  return NULL;
}

/* One name per reason. */
const char *brio_wire_fault_name(brio_wire_fault fault) {
  assert(fault < BRIO_NWIRE_FAULT);
  static const char *const names[BRIO_NWIRE_FAULT] = {"garbage", "length", "check", "content", "cut"};
  return names[fault];
}

/* The waiting bytes are within the window. */
static bool is_consistent(const brio_wire_stream *stream) {
  return stream->start >= 0 && stream->count >= 0 &&
         stream->start + stream->count <= (int)sizeof stream->bytes;
}

/* The window is empty; all counts are 0. */
void brio_wire_start(brio_wire_stream *stream, const brio_protocol *protocol, brio_direction direction) {
  memset(stream, 0, sizeof *stream);
  stream->protocol = protocol;
  stream->direction = direction;
}

int brio_wire_feed(brio_wire_stream *stream, const uint8_t *bytes, int count) {
  assert(count >= 0 && is_consistent(stream));
  /* Move the waiting bytes to the front; this overwrites the last frame. */
  if (stream->start > 0) memmove(stream->bytes, stream->bytes + stream->start, (size_t)stream->count);
  stream->start = 0;
  stream->frame = NULL;
  /* Bytes that do not fit are not taken: the return value is the count of those that were. */
  int room = (int)sizeof stream->bytes - stream->count;
  if (count > room) count = room;
  if (count > 0) memcpy(stream->bytes + stream->count, bytes, (size_t)count);
  stream->count += count;
  assert(is_consistent(stream));
  return count;
}

/* Drop one byte for a reason.  A run of bytes that start no packet counts as one fault. */
static void drop(brio_wire_stream *stream, brio_wire_fault fault) {
  assert(stream->count > 0 && fault < BRIO_NWIRE_FAULT);
  if (fault != BRIO_WIRE_GARBAGE || !stream->in_garbage) stream->faults[fault]++;
  stream->in_garbage = true;
  stream->dropped++;
  stream->start++;
  stream->count--;
}

int brio_wire_next(brio_wire_stream *stream, brio_packet *out) {
  assert(is_consistent(stream));
  while (stream->count > 0) {
    const uint8_t *at = stream->bytes + stream->start;
    int length = stream->protocol->parse(at, stream->count, stream->direction, out);
    assert(length <= stream->count && -1 - length < BRIO_NWIRE_FAULT);
    /* 0: more bytes are needed; below 0: the reason why no packet starts here. */
    if (length == 0) return 0;
    if (length < 0) {
      drop(stream, (brio_wire_fault)(-1 - length));
      continue;
    }
    /* A packet.  Its bytes stay in the window until the next feed. */
    assert(out->length >= 0 && out->length <= BRIO_PACKET_MOST);
    stream->in_garbage = false;
    stream->frame = at;
    stream->start += length;
    stream->count -= length;
    stream->packets++;
    return length;
  }
  return 0;
}

bool brio_wire_idle(brio_wire_stream *stream) {
  assert(is_consistent(stream));
  if (stream->count == 0) {
    stream->in_garbage = false;
    return false;
  }
  /* The packet will not be completed: continue after its first byte. */
  drop(stream, BRIO_WIRE_CUT);
  return true;
}

/* Faults and counts stay: they are statistics. */
void brio_wire_clear(brio_wire_stream *stream) {
  stream->start = stream->count = 0;
  stream->frame = NULL;
  stream->in_garbage = false;
}
