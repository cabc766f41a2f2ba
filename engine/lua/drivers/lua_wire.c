/* brio.wire: protocols of devices: packets to bytes, bytes to packets (drivers/protocols/wire.h). */
#include <lauxlib.h>
#include <lua.h>
#include <string.h>

#include "drivers/ports/trace.h"
#include "drivers/protocols/wire.h"
#include "lua/lua_args.h"

#define CLASS "brio.wire.decoder"

/* A stream for each direction; bytes without one go through the third. */
typedef struct decoder {
  const brio_protocol *protocol;
  brio_dialog dialog;
  brio_wire_stream streams[3];
  uint64_t fed[3]; /* bytes that each has received so far */
  brio_packet packet;
  brio_text words;
} decoder;

static const char *const directions[] = {"to", "from", "either", NULL};

/* The decoder at argument `arg`, or raise. */
static decoder *decoder_at(lua_State *L, int arg) { return luaL_checkudata(L, arg, CLASS); }

/* wire.protocols() -> {protocol, ...}
** All protocols: {name, alias, doc, check, accepts, datagrams}; `accepts` is the share of random corruptions
** that the check code does not detect. */
static int protocols(lua_State *L) {
  lua_newtable(L);
  for (int i = 0; brio_protocols[i]; i++) {
    const brio_protocol *one = brio_protocols[i];
    lua_createtable(L, 0, 6);
    lua_pushstring(L, one->name);
    lua_setfield(L, -2, "name");
    lua_pushstring(L, one->alias);
    lua_setfield(L, -2, "alias");
    lua_pushstring(L, one->doc);
    lua_setfield(L, -2, "doc");
    lua_pushstring(L, one->check);
    lua_setfield(L, -2, "check");
    lua_pushnumber(L, one->accepts);
    lua_setfield(L, -2, "accepts");
    lua_pushboolean(L, one->datagrams);
    lua_setfield(L, -2, "datagrams");
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* wire.decoder(protocol) -> decoder
** Create a decoder of packets from bytes. */
static int new_decoder(lua_State *L) {
  brio_error err = {0};
  const brio_protocol *protocol = brio_protocol_find(luaL_checkstring(L, 1), &err);
  if (!protocol) return brio_lua_failed(L, &err);
  decoder *self = lua_newuserdatauv(L, sizeof *self, 1);
  memset(self, 0, sizeof *self);
  luaL_setmetatable(L, CLASS);
  /* User value 1: the rejected bytes that decoder:refused() returns. */
  lua_newtable(L);
  lua_setiuservalue(L, -2, 1); /* rejected bytes that were not reported yet */
  self->protocol = protocol;
  /* No request has been seen yet, to which an answer could belong. */
  self->dialog = (brio_dialog){-1, -1, 0, 0};
  for (int i = 0; i < 3; i++) brio_wire_start(&self->streams[i], protocol, (brio_direction)i);
  return 1;
}

/* Set an integer field of the table on top; negative values mean that the protocol has no such field. */
static void set_integer(lua_State *L, const char *key, int value) {
  if (value < 0) return;
  lua_pushinteger(L, value);
  lua_setfield(L, -2, key);
}

/* The offset, among the bytes of its direction, of the first pending byte. */
static lua_Integer offset_of(const decoder *self, const brio_wire_stream *stream) {
  return (lua_Integer)self->fed[stream->direction] - stream->count;
}

/* Push {id, code, error, data, bytes, words, offset}. */
static void push_packet(lua_State *L, decoder *self, const brio_wire_stream *stream, int length) {
  const brio_packet *packet = &self->packet;
  lua_createtable(L, 0, 7);
  /* The stream has consumed the packet already, so its first byte is `length` back. */
  lua_pushinteger(L, offset_of(self, stream) - length);
  lua_setfield(L, -2, "offset");
  /* Fields that the protocol does not have are absent. */
  set_integer(L, "id", packet->id);
  set_integer(L, "code", packet->code);
  set_integer(L, "error", packet->error);
  lua_pushlstring(L, (const char *)packet->data, (size_t)packet->length);
  lua_setfield(L, -2, "data");
  lua_pushlstring(L, (const char *)stream->frame, (size_t)length);
  lua_setfield(L, -2, "bytes");
  /* The description depends on the request before it, which the dialog remembers. */
  brio_text_clear(&self->words);
  self->protocol->describe(packet, stream->direction, &self->dialog, &self->words);
  lua_pushlstring(L, self->words.bytes ? self->words.bytes : "", self->words.length);
  lua_setfield(L, -2, "words");
}

/* Note `count` rejected bytes, from `bytes` on, for the decoder at argument 1: {offset, direction, bytes,
** [fault] = count}. */
static void note_refused(lua_State *L, lua_Integer offset, const uint8_t *bytes, int count,
                         const brio_wire_stream *stream, const uint64_t before[BRIO_NWIRE_FAULT]) {
  lua_getiuservalue(L, 1, 1);
  lua_createtable(L, 0, 4);
  lua_pushinteger(L, offset);
  lua_setfield(L, -2, "offset");
  lua_pushstring(L, directions[stream->direction]);
  lua_setfield(L, -2, "direction");
  lua_pushlstring(L, (const char *)bytes, (size_t)count);
  lua_setfield(L, -2, "bytes");
  /* The reasons: by how much each count has grown. */
  for (int k = 0; k < BRIO_NWIRE_FAULT; k++) {
    if (stream->faults[k] == before[k]) continue;
    lua_pushinteger(L, (lua_Integer)(stream->faults[k] - before[k]));
    lua_setfield(L, -2, brio_wire_fault_name((brio_wire_fault)k));
  }
  lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
  lua_pop(L, 1);
}

/* Fetch the next packet, and note the bytes rejected before it; `silent`: first drop an incomplete one. */
static int next_packet(lua_State *L, decoder *self, brio_wire_stream *stream, bool silent) {
  /* Remember where the bytes begin and what was counted, to see what is rejected on the way. */
  uint64_t dropped = stream->dropped, faults[BRIO_NWIRE_FAULT];
  lua_Integer offset = offset_of(self, stream);
  const uint8_t *at = stream->bytes + stream->start;
  memcpy(faults, stream->faults, sizeof faults);
  if (silent && !brio_wire_idle(stream)) return -1;
  int length = brio_wire_next(stream, &self->packet);
  if (stream->dropped > dropped)
    note_refused(L, offset, at, (int)(stream->dropped - dropped), stream, faults);
  return length;
}

/* Append the complete packets to the list at the top. */
static void push_packets(lua_State *L, decoder *self, brio_wire_stream *stream) {
  for (int length; (length = next_packet(L, self, stream, false)) > 0;) {
    push_packet(L, self, stream, length);
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
  }
}

/* decoder:feed(bytes, [direction]) -> {packet, ...}
** Feed bytes, in any pieces; `direction`: "to" the device, "from" it, or "either" (unknown). Return the
** complete packets: {id, code, error, data, bytes, words, offset}, `offset` counting the bytes of that
** direction from 0. */
static int feed(lua_State *L) {
  decoder *self = decoder_at(L, 1);
  size_t length;
  const char *bytes = luaL_checklstring(L, 2, &length);
  brio_wire_stream *stream = &self->streams[luaL_checkoption(L, 3, "either", directions)];
  lua_newtable(L);
  /* Feed as much as the stream has room for; taking packets out makes room again. */
  for (size_t at = 0; at < length;) {
    int most = length - at < BRIO_FRAME_MOST ? (int)(length - at) : BRIO_FRAME_MOST;
    int taken = brio_wire_feed(stream, (const uint8_t *)bytes + at, most);
    self->fed[stream->direction] += (uint64_t)taken;
    at += (size_t)taken;
    push_packets(L, self, stream);
  }
  return 1;
}

/* decoder:idle([direction]) -> {packet, ...}
** Report a pause of the line: an incomplete packet is dropped. Return the packets inside its bytes. */
static int idle(lua_State *L) {
  decoder *self = decoder_at(L, 1);
  brio_wire_stream *stream = &self->streams[luaL_checkoption(L, 2, "either", directions)];
  lua_newtable(L);
  /* Each pause may free bytes that contain further packets, so it is repeated until nothing is left. */
  for (int length; (length = next_packet(L, self, stream, true)) >= 0;) {
    if (length == 0) continue;
    push_packet(L, self, stream, length);
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    push_packets(L, self, stream);
  }
  return 1;
}

/* decoder:refused() -> {run, ...}
** The bytes rejected since the last call: {offset, direction, bytes} with a count for each reason: garbage,
** length, check, content, cut (see counts).  Runs are in the order of each direction's bytes. */
static int refused(lua_State *L) {
  decoder_at(L, 1);
  /* Hand the list over, and begin an empty one. */
  lua_getiuservalue(L, 1, 1);
  lua_newtable(L);
  lua_setiuservalue(L, 1, 1);
  return 1;
}

/* decoder:counts() -> {name = count, ...}
** Statistics: packets, bytes dropped, and faults by kind: garbage, length, check, content, cut. */
static int counts(lua_State *L) {
  /* Statistics of the three streams together. */
  const decoder *self = decoder_at(L, 1);
  uint64_t packets = 0, dropped = 0, faults[BRIO_NWIRE_FAULT] = {0};
  for (int i = 0; i < 3; i++) {
    packets += self->streams[i].packets;
    dropped += self->streams[i].dropped;
    for (int k = 0; k < BRIO_NWIRE_FAULT; k++) faults[k] += self->streams[i].faults[k];
  }
  lua_createtable(L, 0, 2 + BRIO_NWIRE_FAULT);
  lua_pushinteger(L, (lua_Integer)packets);
  lua_setfield(L, -2, "packets");
  lua_pushinteger(L, (lua_Integer)dropped);
  lua_setfield(L, -2, "dropped");
  for (int k = 0; k < BRIO_NWIRE_FAULT; k++) {
    lua_pushinteger(L, (lua_Integer)faults[k]);
    lua_setfield(L, -2, brio_wire_fault_name((brio_wire_fault)k));
  }
  return 1;
}

/* __gc: the words are the only memory outside of the userdata. */
static int end_decoder(lua_State *L) {
  brio_text_end(&decoder_at(L, 1)->words);
  return 0;
}

/* wire.encode(protocol, packet) -> bytes | nil, sentence, code
** Encode a packet {id, code, error, data} as bytes; fields that the protocol does not have are ignored. */
static int encode(lua_State *L) {
  static const char *const keys[] = {"id", "code", "error", "data", NULL};
  brio_error err = {0};
  const brio_protocol *protocol = brio_protocol_find(luaL_checkstring(L, 1), &err);
  if (!protocol) return brio_lua_failed(L, &err);
  luaL_checktype(L, 2, LUA_TTABLE);
  brio_lua_only_keys(L, 2, keys, "a packet");
  /* Absent fields are -1, which the protocol's writer checks. */
  brio_packet packet = {0};
  uint8_t bytes[BRIO_FRAME_MOST];
  packet.id = (int)brio_lua_field_number(L, 2, "id", 0, 0x1FFFFFFF, -1);
  packet.code = (int)brio_lua_field_number(L, 2, "code", 0, 65535, -1);
  packet.error = (int)brio_lua_field_number(L, 2, "error", 0, 255, -1);
  size_t length = 0;
  /* The data may contain any bytes. */
  if (lua_getfield(L, 2, "data") != LUA_TNIL) {
    const char *data = luaL_checklstring(L, -1, &length);
    luaL_argcheck(L, length <= BRIO_PACKET_MOST, 2, "the data is too long for a packet");
    memcpy(packet.data, data, length);
  }
  packet.length = (int)length;
  int count = protocol->write(&packet, bytes, sizeof bytes);
  if (count > 0) {
    lua_pushlstring(L, (const char *)bytes, (size_t)count);
    return 1;
  }
  /* Write gave nothing: the packet has no form in this protocol. */
  brio_fail(&err, BRIO_FORMAT, "%s has no packet of id %d, code %d with %d bytes", protocol->name, packet.id,
            packet.code, packet.length);
  return brio_lua_failed(L, &err);
}

/* wire.trace_line(line) -> seconds, direction, bytes, bus
** Read one line of a trace: its time, "to" or "from", the bytes, and the bus ("" in traces of version 1).
** nil: not a line of a trace; a remark gives 0 bytes. */
static int trace_line(lua_State *L) {
  brio_trace_piece piece = {.direction = BRIO_EITHER_WAY};
  if (brio_trace_line(luaL_checkstring(L, 1), &piece) < 0) return 0;
  lua_pushnumber(L, piece.seconds);
  lua_pushstring(L, directions[piece.direction]);
  lua_pushlstring(L, (const char *)piece.bytes, (size_t)piece.count);
  lua_pushstring(L, piece.bus);
  return 4;
}

/* wire.trace_remark(line) -> protocol, bus, baud
** Read a remark of a trace that begins a bus: its protocol ("raw" if unknown), name and baud rate. nil:
** another line. */
static int trace_remark(lua_State *L) {
  char bus[BRIO_TRACE_BUS], protocol[BRIO_TRACE_BUS];
  int baud = 0;
  if (!brio_trace_remark(luaL_checkstring(L, 1), bus, protocol, &baud)) return 0;
  lua_pushstring(L, protocol);
  lua_pushstring(L, bus);
  lua_pushinteger(L, baud);
  return 3;
}

int luaopen_brio_wire(lua_State *L) {
  static const luaL_Reg methods[] = {{"feed", feed}, {"idle", idle}, {"counts", counts},
                                     {"refused", refused}, {NULL, NULL}};
  static const luaL_Reg functions[] = {
      {"protocols", protocols},   {"decoder", new_decoder},       {"encode", encode},
      {"trace_line", trace_line}, {"trace_remark", trace_remark}, {NULL, NULL}};
  brio_lua_class(L, CLASS, methods, end_decoder);
  luaL_newlib(L, functions);
  return 1;
}
