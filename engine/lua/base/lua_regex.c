/* brio.regex: regular expressions in the syntax of Perl (PCRE2), for answers of language models and other
** texts from outside.
**
** A search is bounded: PCRE2's own limits on steps, depth and memory end one that would backtrack for long,
** so that no pattern and no text can delay a tick.  Texts are UTF-8; invalid bytes match nothing. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <lauxlib.h>
#include <lua.h>
#include <pcre2.h>

#include "lua/lua_args.h"

#define CLASS "brio.regex"

enum {
  LONGEST = 10000,        /* bytes of a pattern */
  MOST_STEPS = 200000,    /* of one search: some ms */
  MOST_DEPTH = 2000,      /* of backtracking */
  MOST_MEMORY = 4096      /* KiB */
};

typedef struct regex {
  pcre2_code *code;
  pcre2_match_data *found;
  pcre2_match_context *limits;
} regex;

/* __gc: PCRE2 accepts NULL for what was not created. */
static int collect(lua_State *L) {
  regex *self = luaL_checkudata(L, 1, CLASS);
  pcre2_match_context_free(self->limits);
  pcre2_match_data_free(self->found);
  pcre2_code_free(self->code);
  *self = (regex){0};
  return 0;
}

/* Fill `err` with PCRE2's message for error `number`. */
static void tell(brio_error *err, brio_code code, const char *what, int number, size_t place) {
  PCRE2_UCHAR words[160] = "";
  pcre2_get_error_message(number, words, sizeof words);
  if (place) brio_fail(err, code, "%s: %s (at byte %zu)", what, (const char *)words, place);
  else brio_fail(err, code, "%s: %s", what, (const char *)words);
}

/* regex.new(pattern) -> regex | nil, sentence, code
** Compiles a pattern, UTF-8, of at most 10,000 bytes: the syntax of Perl, `man pcre2syntax`; `(?i)` at its
** beginning ignores case. Code: format (not a valid pattern). */
static int new_regex(lua_State *L) {
  size_t length;
  const char *pattern = luaL_checklstring(L, 1, &length);
  brio_error err;
  /* The length of a pattern is bounded: compilation takes time and memory in proportion to it. */
  if (length > LONGEST) {
    brio_fail(&err, BRIO_FORMAT, "a pattern has at most %d bytes, not %zu", LONGEST, length);
    return brio_lua_failed(L, &err);
  }
  /* The userdata first: everything below is then freed by __gc. */
  regex *self = lua_newuserdatauv(L, sizeof *self, 0);
  *self = (regex){0};
  luaL_setmetatable(L, CLASS);
  int number;
  PCRE2_SIZE place;
  /* Invalid UTF-8 in a text matches nothing instead of being an error; \C could split characters. */
  self->code = pcre2_compile((PCRE2_SPTR)pattern, length,
                             PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C, &number, &place,
                             NULL);
  if (!self->code) {
    tell(&err, BRIO_FORMAT, "no regular expression", number, place);
    return brio_lua_failed(L, &err);
  }
  /* Memory for the matches and the limits is allocated once, not in each search. */
  self->found = pcre2_match_data_create_from_pattern(self->code, NULL);
  self->limits = pcre2_match_context_create(NULL);
  if (!self->found || !self->limits) return luaL_error(L, "out of memory");
  pcre2_set_match_limit(self->limits, MOST_STEPS);
  pcre2_set_depth_limit(self->limits, MOST_DEPTH);
  pcre2_set_heap_limit(self->limits, MOST_MEMORY);
  return 1;
}

/* regex:find(text) -> first, last, captures | nil [, sentence, code]
** Searches a text. Returns the first and last byte of the first match, and a list of its captures, false for
** a group that did not participate. nil alone: no match. Code: limit (the search was interrupted). */
static int find(lua_State *L) {
  regex *self = luaL_checkudata(L, 1, CLASS);
  size_t length;
  const char *text = luaL_checklstring(L, 2, &length);
  /* A search from the beginning, with the limits. */
  int count = pcre2_match(self->code, (PCRE2_SPTR)text, length, 0, 0, self->found, self->limits);
  if (count == PCRE2_ERROR_NOMATCH) {
    lua_pushnil(L);
    return 1;
  }
  /* Every other error comes from a limit, of steps, depth or memory. */
  if (count < 0) {
    brio_error err;
    tell(&err, BRIO_LIMIT, "the search was given up", count, 0);
    return brio_lua_failed(L, &err);
  }
  /* Offsets come in pairs, begin and end; pair 0 is the whole match. */
  const PCRE2_SIZE *at = pcre2_get_ovector_pointer(self->found);
  uint32_t groups = pcre2_get_ovector_count(self->found);
  lua_pushinteger(L, (lua_Integer)at[0] + 1);
  lua_pushinteger(L, (lua_Integer)at[1]);
  lua_createtable(L, (int)groups - 1, 0);
  for (uint32_t i = 1; i < groups; i++) {
    /* false stands for a group that did not take part in the match. */
    if ((int)i >= count || at[2 * i] == PCRE2_UNSET || at[2 * i] > at[2 * i + 1]) lua_pushboolean(L, false);
    else lua_pushlstring(L, text + at[2 * i], at[2 * i + 1] - at[2 * i]);
    lua_rawseti(L, -2, i);
  }
  return 3;
}

int luaopen_brio_regex(lua_State *L) {
  static const luaL_Reg methods[] = {{"find", find}, {NULL, NULL}};
  static const luaL_Reg functions[] = {{"new", new_regex}, {NULL, NULL}};
  brio_lua_class(L, CLASS, methods, collect);
  luaL_newlib(L, functions);
  return 1;
}
