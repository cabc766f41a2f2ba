/* brio.pattern: string.find, match, gmatch and gsub of Lua 5.4, except that the script budget
** (runtime/script/script.h) can interrupt them, however long a pattern backtracks; and string.format, except
** that it shows no addresses.  Behaviors get these. */
#include <lauxlib.h>
#include <lua.h>
#include <string.h>

#include "lua/base/pattern.h"
#include "lua/lua_args.h"
#include "runtime/script/script.h"

/* Whether to stop matching: the script's budget is spent. */
static bool spent(void *context) {
  (void)context;
  return brio_script_spent() != NULL;
}

/* Begin with a text and a pattern; remove an anchor if it is supported, and return true then. */
static bool begin(lua_State *L, brio_pattern *m, int text_arg, int pattern_arg, bool anchors) {
  size_t length, pattern_length;
  m->text = luaL_checklstring(L, text_arg, &length);
  m->pattern = luaL_checklstring(L, pattern_arg, &pattern_length);
  m->text_end = m->text + length;
  m->pattern_end = m->pattern + pattern_length;
  m->stop = spent;
  m->context = NULL;
  m->steps = 0;
  m->depth = m->count = 0;
  m->stopped = m->failed = false;
  /* An anchored match begins at one place only, so no first character is searched. */
  bool anchored = anchors && pattern_length > 0 && *m->pattern == '^';
  if (anchored) m->pattern++;
  m->first = anchored ? 0 : brio_pattern_first(m);
  return anchored;
}

/* Raise the error of the matching, if there was one. */
static void check(lua_State *L, const brio_pattern *m) {
  /* The message of the budget comes before that of the pattern. */
  const char *why = m->stopped ? brio_script_spent() : NULL;
  if (m->failed) luaL_error(L, "%s", why ? why : m->err.message);
}

/* Push capture `index`, from 0; when the pattern has none, the first is the whole match. */
static void push_capture(lua_State *L, const brio_pattern *m, int index, const char *start, const char *end) {
  if (index >= m->count) {
    if (index > 0) luaL_error(L, "invalid capture index %%%d", index + 1);
    lua_pushlstring(L, start, (size_t)(end - start));
    return;
  }
  const brio_pattern_capture *held = &m->capture[index];
  if (held->length == BRIO_PATTERN_OPEN) luaL_error(L, "unfinished capture");
  /* Positions count from 1; a text is copied. */
  if (held->length == BRIO_PATTERN_POSITION) lua_pushinteger(L, held->start - m->text + 1);
  else lua_pushlstring(L, held->start, (size_t)held->length);
}

/* Push all captures, or the whole match when there are none; return how many. */
static int push_captures(lua_State *L, const brio_pattern *m, const char *start, const char *end) {
  int count = m->count > 0 ? m->count : 1;
  luaL_checkstack(L, count, "too many captures");
  for (int i = 0; i < count; i++) push_capture(L, m, i, start, end);
  return count;
}

/* Return the offset, from 0, where a search that begins at argument `arg` (1) begins; negative counts from
** the end. */
static size_t begin_at(lua_State *L, int arg, size_t length) {
  lua_Integer at = luaL_optinteger(L, arg, 1);
  if (at > 0) return (size_t)at - 1;
  if (at == 0 || at < -(lua_Integer)length) return 0;
  return (size_t)((lua_Integer)length + at);
}

/* Return nil, as string.find and string.match do without a match. */
static int push_none(lua_State *L) {
  lua_pushnil(L);
  return 1;
}

/* Push the positions of [start, end) in the text. */
static int push_span(lua_State *L, const brio_pattern *m, const char *start, const char *end) {
  lua_pushinteger(L, start - m->text + 1);
  lua_pushinteger(L, end - m->text);
  return 2;
}

/* Search for the pattern as plain text from `from` on; the results of find. */
static int find_plain(lua_State *L, const brio_pattern *m, const char *from) {
  size_t length = (size_t)(m->pattern_end - m->pattern);
  const char *found = length == 0 ? from : memmem(from, (size_t)(m->text_end - from), m->pattern, length);
  return found ? push_span(L, m, found, found + length) : push_none(L);
}

/* pattern.find(text, pattern, [init, plain]) -> first, last, captures... | nil
** The positions of the first match, as from string.find. */
static int find(lua_State *L) {
  brio_pattern m;
  /* A position behind the end finds nothing, not even an empty match. */
  begin(L, &m, 1, 2, false);
  size_t length = (size_t)(m.text_end - m.text), init = begin_at(L, 3, length);
  if (init > length) return push_none(L);
  /* A pattern without special characters is found much faster by memmem. */
  if (lua_toboolean(L, 4) || brio_pattern_plain(m.pattern, (size_t)(m.pattern_end - m.pattern)))
    return find_plain(L, &m, m.text + init);
  bool anchored = begin(L, &m, 1, 2, true);
  const char *end = NULL, *start = brio_pattern_find(&m, m.text + init, anchored, &end);
  check(L, &m);
  if (!start) return push_none(L);
  push_span(L, &m, start, end);
  return 2 + (m.count > 0 ? push_captures(L, &m, start, end) : 0);
}

/* pattern.match(text, pattern, [init]) -> captures... | nil
** The captures of the first match, or the whole match, as from string.match. */
static int match(lua_State *L) {
  brio_pattern m;
  bool anchored = begin(L, &m, 1, 2, true);
  size_t length = (size_t)(m.text_end - m.text), init = begin_at(L, 3, length);
  if (init > length) return push_none(L);
  const char *end = NULL, *start = brio_pattern_find(&m, m.text + init, anchored, &end);
  check(L, &m);
  return start ? push_captures(L, &m, start, end) : push_none(L);
}

/* Find the next match from `from` on that does not end where the last one did; NULL: none. */
static const char *find_next(lua_State *L, brio_pattern *m, const char *from, const char *last,
                             const char **end) {
  for (;; from++) {
    const char *start = brio_pattern_find(m, from, false, end);
    check(L, m);
    if (!start || *end != last) return start;
    from = start;
  }
}

/* One step of gmatch.  Upvalues: text, pattern, where to go on from 0, the end of the last match or -1. */
static int next_match(lua_State *L) {
  brio_pattern m;
  begin(L, &m, lua_upvalueindex(1), lua_upvalueindex(2), false);
  /* The state is in upvalues, so that the iterator needs no object. */
  lua_Integer from = lua_tointeger(L, lua_upvalueindex(3)), last = lua_tointeger(L, lua_upvalueindex(4));
  if (from > m.text_end - m.text) return 0;
  const char *end = NULL;
  const char *start = find_next(L, &m, m.text + from, last < 0 ? NULL : m.text + last, &end);
  if (!start) return 0;
  /* Continue at the end of this match; the next one may not be empty there. */
  lua_pushinteger(L, end - m.text);
  lua_copy(L, -1, lua_upvalueindex(3));
  lua_replace(L, lua_upvalueindex(4));
  return push_captures(L, &m, start, end);
}

/* pattern.gmatch(text, pattern, [init]) -> iterator
** An iterator over the captures of each match, as from string.gmatch; a ^ is not an anchor. */
static int gmatch(lua_State *L) {
  size_t length;
  /* Check the arguments here, so that an error names gmatch and not the iterator. */
  luaL_checklstring(L, 1, &length);
  luaL_checkstring(L, 2);
  size_t init = begin_at(L, 3, length);
  lua_settop(L, 2);
  /* A start behind the end gives no matches. */
  lua_pushinteger(L, (lua_Integer)(init > length ? length + 1 : init));
  lua_pushinteger(L, -1);
  lua_pushcclosure(L, next_match, 4);
  return 1;
}

/* Add the replacement text, argument 3, with its %0 to %9 and %%. */
static void add_text(lua_State *L, brio_pattern *m, luaL_Buffer *out, const char *start, const char *end) {
  size_t length;
  const char *p = lua_tolstring(L, 3, &length), *last = p + length;
  for (const char *sign; (sign = memchr(p, '%', (size_t)(last - p))); p = sign + 2) {
    /* Add the text before the %, then the expansion of the escape. */
    luaL_addlstring(out, p, (size_t)(sign - p));
    char what = sign[1]; /* a zero at the end */
    if (what == '%') {
      luaL_addchar(out, '%');
    } else if (what == '0') {
      luaL_addlstring(out, start, (size_t)(end - start));
    } else if (what >= '1' && what <= '9') {
      /* A position capture is a number: it is added as text. */
      push_capture(L, m, what - '1', start, end);
      luaL_tolstring(L, -1, NULL);
      lua_remove(L, -2);
      luaL_addvalue(out);
    } else {
      luaL_error(L, "invalid use of '%%' in replacement string");
    }
  }
  luaL_addlstring(out, p, (size_t)(last - p));
}

/* Add what replaces a match: argument 3 is a text, a table or a function. */
static void add_replacement(lua_State *L, brio_pattern *m, luaL_Buffer *out, const char *start,
                            const char *end) {
  int kind = lua_type(L, 3);
  /* Call the function with the captures, or look the first one up. */
  if (kind == LUA_TFUNCTION) {
    lua_pushvalue(L, 3);
    lua_call(L, push_captures(L, m, start, end), 1);
  } else if (kind == LUA_TTABLE) {
    push_capture(L, m, 0, start, end);
    lua_gettable(L, 3);
  } else {
    add_text(L, m, out, start, end);
    return;
  }
  /* false and nil keep the match; a text or a number replaces it. */
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    luaL_addlstring(out, start, (size_t)(end - start));
  } else if (lua_isstring(L, -1)) {
    luaL_addvalue(out);
  } else {
    luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
  }
}

/* pattern.gsub(text, pattern, replacement, [most]) -> text, count
** Replace matches, at most `most`, by a text, from a table or by a function, as string.gsub does. */
static int gsub(lua_State *L) {
  brio_pattern m;
  bool anchored = begin(L, &m, 1, 2, true);
  int kind = lua_type(L, 3);
  if (kind != LUA_TSTRING && kind != LUA_TNUMBER && kind != LUA_TTABLE && kind != LUA_TFUNCTION)
    return luaL_typeerror(L, 3, "string/function/table");
  /* There are at most as many matches as places in the text, with its end. */
  lua_Integer most = luaL_optinteger(L, 4, m.text_end - m.text + 1), count = 0;
  const char *at = m.text, *last = NULL;
  luaL_Buffer out;
  luaL_buffinit(L, &out);
  while (count < most) {
    /* Copy the text before the next place where a match may begin. */
    const char *next = brio_pattern_seek(&m, at);
    check(L, &m);
    if (!next) break;
    luaL_addlstring(&out, at, (size_t)(next - at));
    const char *end = brio_pattern_match(&m, at = next);
    check(L, &m);
    /* An empty match directly after another one does not count. */
    if (end && end != last) {
      count++;
      add_replacement(L, &m, &out, at, end);
      at = last = end;
    /* No match here: copy one character and go on. */
    } else if (at < m.text_end) {
      luaL_addchar(&out, *at++);
    } else {
      break;
    }
    if (anchored) break;
  }
  luaL_addlstring(&out, at, (size_t)(m.text_end - at));
  luaL_pushresult(&out);
  lua_pushinteger(L, count);
  return 2;
}

/* Whether a format has the conversion %p, which shows an address. */
static bool shows_address(const char *text, size_t length) {
  const char *end = text + length;
  for (const char *p = text; (p = memchr(p, '%', (size_t)(end - p))); p++) {
    /* Skip the flags, the width and the precision. */
    p += 1 + strspn(p + 1, "-+ #0123456789.");
    if (*p == 'p') return true; /* the text ends with a zero */
    if (p == end) return false;
  }
  return false;
}

/* Push the result of getmetatable for the value at `index`; return whether that is a table. */
static bool push_metatable(lua_State *L, int index) {
  if (!lua_getmetatable(L, index)) {
    lua_pushnil(L);
    return false;
  }
  /* As in getmetatable, a field __metatable hides the metatable. */
  lua_pushliteral(L, "__metatable");
  if (lua_rawget(L, -2) == LUA_TNIL) lua_pop(L, 1);
  else lua_remove(L, -2);
  return lua_istable(L, -1);
}

/* Replace the value at `index` by its text: the result of its __tostring, its __name, or its type. */
static void show_plainly(lua_State *L, int index) {
  int top = lua_gettop(L), type = lua_type(L, index);
  bool has_fields = type != LUA_TFUNCTION && type != LUA_TTHREAD && push_metatable(L, index);
  /* Its own __tostring comes first, then its __name, then its type. */
  if (has_fields && lua_getfield(L, -1, "__tostring") != LUA_TNIL) {
    lua_pushvalue(L, index);
    lua_call(L, 1, 1);
  } else if (!has_fields || lua_getfield(L, top + 1, "__name") != LUA_TSTRING) {
    lua_pushstring(L, luaL_typename(L, index));
  }
  lua_replace(L, index);
  lua_settop(L, top);
}

/* pattern.format(format, ...) -> text
** string.format, except that tables, functions, threads and objects are shown by their __tostring, __name or
** type, and that %p is refused: an address differs from run to run. */
static int format(lua_State *L) {
  size_t length;
  int count = lua_gettop(L);
  const char *text = lua_type(L, 1) == LUA_TSTRING ? lua_tolstring(L, 1, &length) : NULL;
  if (text && shows_address(text, length))
    return luaL_error(L, "%%p would show an address, which differs from run to run");
  /* Replace each value that string.format would show as an address. */
  for (int i = 2; i <= count; i++)
    if (lua_type(L, i) >= LUA_TTABLE || lua_islightuserdata(L, i)) show_plainly(L, i);
  /* The original string.format is the upvalue. */
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  if (lua_pcall(L, count, 1, 0) == LUA_OK) return 1;
  /* Raise at the caller's line. */
  if (lua_type(L, -1) == LUA_TSTRING) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

int luaopen_brio_pattern(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"find", find}, {"match", match}, {"gmatch", gmatch}, {"gsub", gsub}, {NULL, NULL}};
  luaL_newlib(L, functions);
  /* string.format as it is when the module opens. */
  lua_getglobal(L, "string");
  lua_getfield(L, -1, "format");
  lua_pushcclosure(L, format, 1);
  lua_setfield(L, -3, "format");
  lua_pop(L, 1);
  return 1;
}
