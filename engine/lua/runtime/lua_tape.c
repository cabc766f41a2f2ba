/* brio.tape: the inputs of a run that do not follow from other records (runtime/tape/tape.h).
**
** Values are encoded as a count and, for each, a letter for its type and its content: n nil, f false, t
** true, i a whole number, d a number (8 bytes), s a text (length, bytes), T a table (the number of its list
** items, these, the number of its other fields, these as pairs, sorted by their keys, so that equal values
** are equal bytes). */
#include "lua/runtime/lua_tape.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "lua/lua_args.h"
#include "lua/store/lua_store.h"

#define CLASS "brio.tape"

enum { DEEPEST = 16 };

typedef struct tape_box {
  brio_tape *tape; /* NULL: closed */
} tape_box;

brio_tape *brio_lua_tape_check(lua_State *L, int index) {
  tape_box *box = luaL_checkudata(L, index, CLASS);
  luaL_argcheck(L, box->tape, index, "the tape was closed");
  return box->tape;
}

/* ---- writing values ---- */

/* Add a whole number with 7 bits a byte: small ones take one byte. */
static void add_whole(luaL_Buffer *out, uint64_t value) {
  unsigned char bytes[10];
  luaL_addlstring(out, (const char *)bytes, (size_t)(brio_tape_put_whole(bytes, value) - bytes));
}

/* Add a text: its letter, its length, its bytes. */
static void add_text(luaL_Buffer *out, const char *text, size_t length) {
  luaL_addchar(out, 's');
  add_whole(out, length);
  luaL_addlstring(out, text, length);
}

/* Add an integer: zigzag makes small negative numbers short too. */
static void add_integer(luaL_Buffer *out, lua_Integer value) {
  luaL_addchar(out, 'i');
  add_whole(out, brio_tape_zigzag(value));
}

/* A key of a table, as it is sorted. */
typedef struct key {
  const char *text; /* NULL: it is a whole number */
  size_t length;
  lua_Integer number;
} key;

/* Whole numbers before texts; texts by their bytes, a prefix before the longer one. */
static int compare_keys(const void *a, const void *b) {
  const key *x = a, *y = b;
  if (!x->text || !y->text)
    return x->text ? 1 : y->text ? -1 : x->number < y->number ? -1 : x->number > y->number;
  size_t shorter = x->length < y->length ? x->length : y->length;
  int order = memcmp(x->text, y->text, shorter);
  return order ? order : x->length < y->length ? -1 : x->length > y->length;
}

/* Whether the key at `index` is one of the list's items, 1 to `items`. */
static bool is_listed(lua_State *L, int index, lua_Integer items) {
  return lua_isinteger(L, index) && lua_tointeger(L, index) >= 1 && lua_tointeger(L, index) <= items;
}

/* Push a userdata with the sorted keys of the table at `index`, without those of its first `items`. */
static key *sorted_keys(lua_State *L, int index, lua_Integer items, size_t *count) {
  /* Room for every pair; the list's items do not use theirs. */
  size_t most = 0;
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) most++;
  key *keys = lua_newuserdatauv(L, (most + 1) * sizeof *keys, 0);
  *count = 0;
  /* Keys that are neither texts nor whole numbers are left out, with their values. */
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    if (is_listed(L, -2, items)) continue;
    key *k = &keys[*count];
    if (lua_type(L, -2) == LUA_TSTRING) k->text = lua_tolstring(L, -2, &k->length);
    else if (lua_isinteger(L, -2)) *k = (key){.number = lua_tointeger(L, -2)};
    else continue;
    ++*count;
  }
  qsort(keys, *count, sizeof *keys, compare_keys);
  return keys;
}

/* Push the bytes of the value at `index` as a text. */
static void push_bytes(lua_State *L, int index, int depth);

/* Add the value on top of the stack, and pop it. */
static void add_top(lua_State *L, luaL_Buffer *out, int depth) {
  push_bytes(L, lua_gettop(L), depth);
  lua_remove(L, -2);
  luaL_addvalue(out);
}

/* Push the bytes of the table at `index`: its list items, then its other fields in the order of their keys.
** `depth` is at least 1; deeper tables become nil. O(n log n). */
static void push_table(lua_State *L, int index, int depth) {
  luaL_Buffer out;
  size_t count;
  lua_Integer items = (lua_Integer)lua_rawlen(L, index);
  luaL_checkstack(L, 12, "a value for the tape");
  const key *keys = sorted_keys(L, index, items, &count);
  luaL_buffinit(L, &out);
  luaL_addchar(&out, 'T');
  /* The items of the list need no keys. */
  add_whole(&out, (uint64_t)items);
  for (lua_Integer i = 1; i <= items; i++) {
    lua_rawgeti(L, index, i);
    add_top(L, &out, depth - 1);
  }
  /* The other fields: the key, then the value, found by that key. */
  add_whole(&out, count);
  for (size_t i = 0; i < count; i++) {
    if (keys[i].text) {
      add_text(&out, keys[i].text, keys[i].length);
      lua_pushlstring(L, keys[i].text, keys[i].length);
      lua_rawget(L, index);
    } else {
      add_integer(&out, keys[i].number);
      lua_rawgeti(L, index, keys[i].number);
    }
    add_top(L, &out, depth - 1);
  }
  luaL_pushresult(&out);
  lua_remove(L, -2); /* the keys */
}

/* Push the bytes of the number at `index`: an integer, or the 8 bytes of a double, so that no bit
** changes. */
static void push_number(lua_State *L, int index) {
  luaL_Buffer out;
  luaL_buffinit(L, &out);
  if (lua_isinteger(L, index)) {
    add_integer(&out, lua_tointeger(L, index));
  } else {
    double number = lua_tonumber(L, index);
    luaL_addchar(&out, 'd');
    luaL_addlstring(&out, (const char *)&number, sizeof number);
  }
  luaL_pushresult(&out);
}

static void push_bytes(lua_State *L, int index, int depth) {
  luaL_Buffer out;
  size_t length;
  const char *text;
  switch (lua_type(L, index)) {
    case LUA_TBOOLEAN: lua_pushstring(L, lua_toboolean(L, index) ? "t" : "f"); return;
    case LUA_TNUMBER: push_number(L, index); return;
    case LUA_TSTRING:
      text = lua_tolstring(L, index, &length);
      luaL_buffinit(L, &out);
      add_text(&out, text, length);
      luaL_pushresult(&out);
      return;
    case LUA_TTABLE:
      if (depth > 0) {
        push_table(L, index, depth);
        return;
      /* A table that is nested too deep, or contains itself, becomes nil like any other value. */
      } /* fall through */
    default: lua_pushliteral(L, "n"); return;
  }
}

/* Push the bytes of the `count` values on top, which stay. */
static void push_packed(lua_State *L, int count) {
  luaL_Buffer out;
  /* The buffer uses the stack above the values, so their indices stay valid. */
  int first = lua_gettop(L) - count + 1;
  luaL_checkstack(L, 12, "a value for the tape");
  luaL_buffinit(L, &out);
  add_whole(&out, (uint64_t)count);
  for (int i = 0; i < count; i++) {
    push_bytes(L, first + i, DEEPEST);
    luaL_addvalue(&out);
  }
  luaL_pushresult(&out);
}

bool brio_lua_tape_note(lua_State *L, brio_tape *tape, int channel, int count) {
  size_t length;
  push_packed(L, count);
  const char *bytes = lua_tolstring(L, -1, &length);
  bool good = brio_tape_note(tape, channel, bytes, length);
  lua_pop(L, 1);
  return good;
}

/* ---- reading values ---- */

/* A position in bytes that come from outside: every length is checked against the end. */
typedef struct reader {
  const unsigned char *at, *end;
} reader;

/* Read a number with 7 bits a byte; false, and nothing is consumed: it is cut off. */
static bool take_whole(reader *r, uint64_t *value) {
  const unsigned char *at = brio_tape_take_whole(r->at, r->end, value);
  if (at) r->at = at;
  return at != NULL;
}

/* Read one value and push it; false: invalid bytes, and the stack may hold extra values. */
static bool take_value(lua_State *L, reader *r, int depth);

/* Read the pairs of a table, or the items of a list, into the table on top. */
static bool take_items(lua_State *L, reader *r, int depth, bool pairs) {
  uint64_t count;
  /* Each item has a byte at least: a count beyond the end is invalid, and allocates nothing. */
  if (!take_whole(r, &count) || count > (uint64_t)(r->end - r->at)) return false;
  for (uint64_t i = 1; i <= count; i++) {
    /* A list counts its keys itself; a table's keys must be integers or texts. */
    if (!pairs) lua_pushinteger(L, (lua_Integer)i);
    else if (!take_value(L, r, 0) || !(lua_isinteger(L, -1) || lua_type(L, -1) == LUA_TSTRING)) return false;
    if (!take_value(L, r, depth - 1)) return false;
    lua_rawset(L, -3);
  }
  return true;
}

/* Read a text's length and bytes, and push it. */
static bool take_text(lua_State *L, reader *r) {
  uint64_t length;
  if (!take_whole(r, &length) || length > (uint64_t)(r->end - r->at)) return false;
  lua_pushlstring(L, (const char *)r->at, (size_t)length);
  r->at += length;
  return true;
}

/* Read the 8 bytes of a double, and push it; they may be unaligned. */
static bool take_number(lua_State *L, reader *r) {
  double number;
  if ((size_t)(r->end - r->at) < sizeof number) return false;
  memcpy(&number, r->at, sizeof number);
  lua_pushnumber(L, number);
  r->at += sizeof number;
  return true;
}

static bool take_value(lua_State *L, reader *r, int depth) {
  uint64_t whole;
  if (r->at >= r->end || !lua_checkstack(L, 6)) return false;
  switch (*r->at++) {
    case 'n': lua_pushnil(L); return true;
    case 't': lua_pushboolean(L, 1); return true;
    case 'f': lua_pushboolean(L, 0); return true;
    case 'd': return take_number(L, r);
    case 's': return take_text(L, r);
    case 'i':
      if (!take_whole(r, &whole)) return false;
      lua_pushinteger(L, brio_tape_zagzig(whole));
      return true;
    /* A table has its list items first, then its other fields. */
    case 'T':
      if (depth <= 0) return false;
      lua_newtable(L);
      return take_items(L, r, depth, false) && take_items(L, r, depth, true);
    default: return false;
  }
}

int brio_lua_tape_push(lua_State *L, const void *bytes, size_t length) {
  reader r = {bytes, (const unsigned char *)bytes + length};
  uint64_t count;
  int top = lua_gettop(L);
  /* The bound limits the stack that invalid bytes could claim. */
  if (!take_whole(&r, &count) || count > 200) return -1;
  for (uint64_t i = 0; i < count; i++)
    if (!take_value(L, &r, DEEPEST)) {
      lua_settop(L, top);
      return -1;
    }
  return (int)count;
}

/* ---- the module ---- */

/* The channel at argument `arg`, by number or by name; raises when there is none. */
static int channel_at(lua_State *L, int arg) {
  int channel = lua_isinteger(L, arg) ? (int)lua_tointeger(L, arg)
                                      : brio_channel_find(luaL_checkstring(L, arg));
  luaL_argcheck(L, channel >= 0 && channel < BRIO_CHANNELS, arg, "the tape has no such channel");
  return channel;
}

/* Return a tape as the result of a binding, with one user value for what it needs; NULL: the failure. */
static int push_box(lua_State *L, brio_tape *tape, const brio_error *err) {
  if (!tape) return brio_lua_failed(L, err);
  tape_box *box = lua_newuserdatauv(L, sizeof *box, 1);
  box->tape = tape;
  luaL_setmetatable(L, CLASS);
  return 1;
}

/* tape.record(writer) -> tape | nil, sentence, code
** A tape that notes into the run that a store's writer (store.record) has begun; close it before the
** writer. */
static int record(lua_State *L) {
  brio_error err = {0};
  brio_store *store = brio_lua_store_writer_check(L, 1);
  int count = push_box(L, brio_tape_record(store, &err), &err);
  if (count != 1) return count;
  lua_pushvalue(L, 1); /* keeps the writer alive */
  lua_setiuservalue(L, -2, 1);
  return 1;
}

/* tape.replay() -> tape
** A tape for a replay; tape:feed adds its rows. */
static int replay(lua_State *L) {
  brio_error err = {0};
  return push_box(L, brio_tape_replay(&err), &err);
}

/* tape.channels() -> list of {name, words}
** The channels of inputs, in the order of their numbers, which begin at 0. */
static int list_channels(lua_State *L) {
  lua_createtable(L, BRIO_CHANNELS, 0);
  for (int i = 0; i < BRIO_CHANNELS; i++) {
    lua_createtable(L, 0, 2);
    brio_lua_set_text(L, "name", brio_channel_name(i));
    brio_lua_set_text(L, "words", brio_channel_words(i));
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

#if defined __x86_64__
#define MACHINE "x86_64"
#elif defined __aarch64__
#define MACHINE "aarch64"
#else
#define MACHINE "another machine"
#endif

/* tape.machine() -> text
** The machine type and the compiler of this program: results differ in bits between them. */
static int machine(lua_State *L) {
  /* The bits of floating-point results depend on both. */
  lua_pushliteral(L, MACHINE ", " __VERSION__);
  return 1;
}

/* tape.pack(...) -> text
** Encodes plain values as on a tape: equal values give equal texts. */
static int pack(lua_State *L) {
  push_packed(L, lua_gettop(L));
  return 1;
}

/* tape.unpack(text) -> values...
** Decodes a text of tape.pack; no values if it is not one. */
static int unpack(lua_State *L) {
  size_t length;
  const char *bytes = luaL_checklstring(L, 1, &length);
  int count = brio_lua_tape_push(L, bytes, length);
  return count > 0 ? count : 0;
}

/* tape:feed(id, tick, bytes)
** Feed row number `id` of the table `tapes`, which begins at `tick`. */
static int feed(lua_State *L) {
  brio_error err = {0};
  size_t length;
  brio_tape *tape = brio_lua_tape_check(L, 1);
  const char *bytes = luaL_checklstring(L, 4, &length);
  if (brio_tape_feed(tape, luaL_checkinteger(L, 2), luaL_checkinteger(L, 3), bytes, length, &err)) return 0;
  return luaL_error(L, "%s", err.message);
}

/* tape:replays() -> true or false
** Whether it is for a replay. */
static int replays(lua_State *L) {
  lua_pushboolean(L, brio_tape_replays(brio_lua_tape_check(L, 1)));
  return 1;
}

/* tape:tick(number, time)
** Begins a tick; the engine calls this for its own tape. */
static int tick(lua_State *L) {
  brio_tape_tick(brio_lua_tape_check(L, 1), luaL_checkinteger(L, 2), luaL_checknumber(L, 3));
  return 0;
}

/* tape:note(channel, ...) -> whether it is kept
** Note the input on a channel: plain values, and tables of them. */
static int note(lua_State *L) {
  brio_tape *tape = brio_lua_tape_check(L, 1);
  lua_pushboolean(L, brio_lua_tape_note(L, tape, channel_at(L, 2), lua_gettop(L) - 2));
  return 1;
}

/* tape:pass(channel)
** Noting: the request was empty. */
static int pass(lua_State *L) {
  brio_tape_pass(brio_lua_tape_check(L, 1), channel_at(L, 2));
  return 0;
}

typedef bool look_fn(brio_tape *tape, int channel, const void **bytes, size_t *length);

/* The result of a request to the tape: true and the values, or nothing. A record that cannot be decoded is
** reported as a difference. */
static int look_up(lua_State *L, look_fn *look) {
  brio_tape *tape = brio_lua_tape_check(L, 1);
  const void *bytes;
  size_t length;
  int channel = channel_at(L, 2);
  /* true is below the values, so that a record without values is an answer too. */
  lua_settop(L, 2);
  lua_pushboolean(L, 1);
  if (!look(tape, channel, &bytes, &length)) return 0;
  int count = brio_lua_tape_push(L, bytes, length);
  if (count >= 0) return count + 1;
  brio_tape_deny(tape, channel);
  return 0;
}

/* tape:ask(channel) -> true, values... or nothing
** Replaying: the answer to this request, if there was one. */
static int ask(lua_State *L) { return look_up(L, brio_tape_ask); }

/* tape:must(channel) -> true, values... or nothing
** Replaying: an answer that always exists; nothing: the replay differs from the tape. */
static int must(lua_State *L) { return look_up(L, brio_tape_must); }

/* tape:loosen()
** Replaying: from now on requests may come in any order within their tick, or not at all. */
static int loosen(lua_State *L) {
  brio_tape_loosen(brio_lua_tape_check(L, 1));
  return 0;
}

/* tape:deny(channel)
** Report that a record is invalid: the replay differs from the tape here. */
static int deny(lua_State *L) {
  brio_tape_deny(brio_lua_tape_check(L, 1), channel_at(L, 2));
  return 0;
}

/* tape:over() -> true or false
** Replaying: whether no readable record is left. */
static int over(lua_State *L) {
  lua_pushboolean(L, brio_tape_over(brio_lua_tape_check(L, 1)));
  return 1;
}

/* tape:parted() -> {fault, tick, found_tick, wanted, found} or nil
** The first difference between replay and tape: fault "other" (`wanted` was requested, and `found` came
** next), "unheard" (`found` was not requested), "over", "hole", "damaged", "changed" (a record has invalid
** content); channels by name. */
static int parted(lua_State *L) {
  static const char *const faults[] = {"same", "other", "unheard", "over", "hole", "damaged", "changed"};
  const brio_tape_difference *d = brio_tape_parted(brio_lua_tape_check(L, 1));
  if (d->fault == BRIO_TAPE_SAME) return 0;
  /* Channels are absent where the difference has none. */
  lua_createtable(L, 0, 5);
  brio_lua_set_text(L, "fault", faults[d->fault]);
  brio_lua_set_integer(L, "tick", d->tick);
  brio_lua_set_integer(L, "found_tick", d->found_tick);
  if (d->wanted >= 0) brio_lua_set_text(L, "wanted", brio_channel_name(d->wanted));
  if (d->found >= 0) brio_lua_set_text(L, "found", brio_channel_name(d->found));
  return 1;
}

/* tape:counts() -> {records, bytes, rows, lost, lost_at}
** Statistics so far; lost: records that found no room, the first in tick lost_at. */
static int counts(lua_State *L) {
  brio_tape_counts c = brio_tape_count(brio_lua_tape_check(L, 1));
  lua_createtable(L, 0, 5);
  brio_lua_set_integer(L, "records", c.records);
  brio_lua_set_integer(L, "bytes", c.bytes);
  brio_lua_set_integer(L, "rows", c.rows);
  brio_lua_set_integer(L, "lost", c.lost);
  if (c.lost > 0) brio_lua_set_integer(L, "lost_at", c.lost_at);
  return 1;
}

/* __gc, and close: hands over the notes and frees the tape. A second call finds NULL. */
static int collect(lua_State *L) {
  tape_box *box = luaL_checkudata(L, 1, CLASS);
  brio_tape_free(box->tape);
  box->tape = NULL;
  return 0;
}

/* tape:close()
** Hand over the notes, and close; may be called again. */
static int close_tape(lua_State *L) { return collect(L); }

int luaopen_brio_tape(lua_State *L) {
  static const luaL_Reg methods[] = {
      {"feed", feed},     {"replays", replays}, {"tick", tick},        {"note", note},     {"pass", pass},
      {"ask", ask},       {"must", must},       {"deny", deny},        {"loosen", loosen}, {"over", over},
      {"parted", parted}, {"counts", counts},   {"close", close_tape}, {NULL, NULL}};
  static const luaL_Reg functions[] = {{"record", record},   {"replay", replay}, {"channels", list_channels},
                                       {"machine", machine}, {"pack", pack},     {"unpack", unpack},
                                       {NULL, NULL}};
  brio_lua_class(L, CLASS, methods, collect);
  luaL_newlib(L, functions);
  return 1;
}
