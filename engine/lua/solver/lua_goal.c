/* Goals as natural Lua values.  The names of the numbers in the goal's record determine the form:
**   one number: the number alone;
**   x, y, z, ...: a list;
**   "orientation.x", ...: a list in the field "orientation"; four are a quaternion, which may be left out;
**   any other name: a field.
** A kind with items is a list of such values; if it has other numbers too, this list is the field that begins
** the names of the items' numbers.  No kind is named here, so a new one needs no change of this file. */
#include "lua/solver/lua_goal.h"

#include <string.h>

#include "base/name.h"
#include "lua/lua_args.h"

enum { NAME = 48 }; /* bytes of a field's name */

/* Consecutive numbers of a goal, and the part of their names that is not yet used. */
typedef struct part {
  const brio_goal_kind *kind; /* for messages */
  const char *const *names;
  int count;
  size_t skip; /* letters at the beginning of each name that are consumed */
} part;

/* The rest of the name of number `i`. */
static const char *name_of(const part *p, int i) { return p->names[i] + p->skip; }

/* Write the part of name `i` before its dot; return its length, 0: there is no dot. */
static size_t group_name(const part *p, int i, char name[NAME]) {
  const char *full = name_of(p, i), *dot = strchr(full, '.');
  size_t length = dot ? (size_t)(dot - full) : 0;
  if (length >= NAME) length = NAME - 1;
  memcpy(name, full, length);
  name[length] = 0;
  return length;
}

/* Return how many numbers from `i` on belong to one list ("position.x", ...); 0: a single number.  Write the
** field's name. */
static int group(const part *p, int i, char name[NAME]) {
  size_t length = group_name(p, i, name);
  /* Without a dot the name is the field, and the number stands alone. */
  if (length == 0) {
    strncpy(name, name_of(p, i), NAME - 1);
    name[NAME - 1] = 0;
    return 0;
  }
  /* The list ends where the names before the dot differ, the dot included. */
  int count = 1;
  while (i + count < p->count && strncmp(name_of(p, i + count), name_of(p, i), length + 1) == 0) count++;
  return count;
}

/* Whether the numbers are a list of their own, {x, y, ...}, without fields. */
static bool is_list(const part *p) { return strcmp(name_of(p, 0), "x") == 0; }

/* Raise that the value at `index` does not have the form of the kind's example. */
static int not_so(lua_State *L, int index, const brio_goal_kind *kind, const char *what) {
  return luaL_error(L, "%s must be written as in %s, not as a %s", what, kind->example,
                    luaL_typename(L, index));
}

/* Names of fields, ended by an empty one. */
typedef char field_name[NAME];

/* Name `i` of a list that ends at an empty one, for brio_name_hint. */
static const char *field_at(const void *list, int i) {
  const char *name = ((const field_name *)list)[i];
  return name[0] ? name : NULL;
}

/* Raise when the table at `index` has a field that is neither one of `p`'s nor `list`. */
static void only_fields(lua_State *L, int index, const part *p, const char *list, const char *what) {
  /* Collect the names: one for each group, and that of the list of items. */
  field_name names[BRIO_GOAL_NUMBERS + 2] = {{0}};
  char hint[96];
  int n = 0;
  for (int i = 0, count; i < p->count; i += count ? count : 1) count = group(p, i, names[n++]);
  if (list) memcpy(names[n++], list, NAME);
  /* Any key that is not a text is an item of a list, which has no place here. */
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING) not_so(L, index, p->kind, what);
    const char *key = lua_tostring(L, -2);
    int i = 0;
    while (i < n && strcmp(names[i], key) != 0) i++;
    if (i == n)
      luaL_error(L, "%s has no field '%s'%s", what, key, brio_name_hint(key, field_at, names, hint));
  }
}

/* Read the fields of a table of lists and numbers. */
static void read_fields(lua_State *L, int index, const part *p, double *v, const char *what) {
  char name[NAME];
  for (int i = 0, count; i < p->count; i += count ? count : 1) {
    count = group(p, i, name);
    bool given = lua_getfield(L, index, name) != LUA_TNIL;
    /* Only a quaternion may be left out: it is no rotation then. */
    if (!given && count != 4)
      luaL_error(L, "%s needs the field '%s', as in %s", what, name, p->kind->example);
    if (!given) memcpy(v + i, (double[]){0, 0, 0, 1}, 4 * sizeof *v);
    else if (count) brio_lua_numbers(L, -1, count, v + i, name);
    else v[i] = brio_lua_number(L, -1, -HUGE_VAL, HUGE_VAL, name);
    lua_pop(L, 1);
  }
}

/* Read a value: a number, a list, or a table of fields. */
static void read_part(lua_State *L, int index, const part *p, double *v, const char *what) {
  index = lua_absindex(L, index);
  if (p->count == 1) v[0] = brio_lua_number(L, index, -HUGE_VAL, HUGE_VAL, what);
  else if (is_list(p)) brio_lua_numbers(L, index, p->count, v, what);
  else if (!lua_istable(L, index)) not_so(L, index, p->kind, what);
  else {
    only_fields(L, index, p, NULL, what);
    read_fields(L, index, p, v, what);
  }
}

/* Read the items of the list at the top of the stack; return how many. */
static int read_items(lua_State *L, const part *item, double *v, const char *what) {
  const brio_goal_kind *kind = item->kind;
  int index = lua_gettop(L);
  if (!lua_istable(L, index)) not_so(L, index, kind, what);
  lua_Unsigned items = lua_rawlen(L, index);
  /* The kind bounds how many items there are. */
  if (items < (lua_Unsigned)kind->least || items > (lua_Unsigned)kind->most)
    luaL_error(L, "%s must have %d to %d items, as in %s, not %I", what, kind->least, kind->most,
               kind->example, (LUAI_UACINT)items);
  /* Items lie in `v` one after the other; each message names its item. */
  for (int i = 0; i < (int)items; i++) {
    lua_rawgeti(L, index, i + 1);
    read_part(L, index + 1, item, v + i * item->count, lua_pushfstring(L, "item %d of %s", i + 1, what));
    lua_settop(L, index);
  }
  return (int)items;
}

int brio_lua_goal_read(lua_State *L, int index, const brio_goal_kind *kind, double *v) {
  /* First the numbers that every goal of the kind has, then those of each item. */
  part fixed = {kind, kind->fields, kind->count, 0}, item = {kind, kind->fields + kind->count, kind->item, 0};
  index = lua_absindex(L, index);
  int top = lua_gettop(L), items;
  const char *what = lua_pushfstring(L, "a %s goal", kind->name);
  /* No list: the value is all there is. */
  if (kind->item == 0) {
    read_part(L, index, &fixed, v, what);
    items = 0;
  /* Nothing but a list: the value is the list. */
  } else if (kind->count == 0) {
    lua_pushvalue(L, index);
    items = read_items(L, &item, v, what);
  } else {
    /* Both: the list is the field whose name begins the items' names. */
    char list[NAME] = {0};
    size_t length = group_name(&item, 0, list);
    if (!lua_istable(L, index)) not_so(L, index, kind, what);
    only_fields(L, index, &fixed, list, what);
    read_fields(L, index, &fixed, v, what);
    item.skip = length + 1;
    what = lua_pushfstring(L, "a %s goal's %s", kind->name, list);
    lua_getfield(L, index, list);
    items = read_items(L, &item, v + kind->count, what);
  }
  lua_settop(L, top);
  return kind->count + items * kind->item;
}

/* Push a table of lists and numbers, the inverse of read_fields. */
static void push_fields(lua_State *L, const part *p, const double *v) {
  char name[NAME];
  lua_createtable(L, 0, 4);
  for (int i = 0, count; i < p->count; i += count ? count : 1) {
    count = group(p, i, name);
    if (count) brio_lua_push_numbers(L, v + i, count);
    else lua_pushnumber(L, v[i]);
    lua_setfield(L, -2, name);
  }
}

/* Push a number, a list, or a table of fields, the inverse of read_part. */
static void push_part(lua_State *L, const part *p, const double *v) {
  if (p->count == 1) lua_pushnumber(L, v[0]);
  else if (is_list(p)) brio_lua_push_numbers(L, v, p->count);
  else push_fields(L, p, v);
}

/* Push the list of the goal's items. */
static void push_items(lua_State *L, const brio_goal *goal, const part *item) {
  lua_createtable(L, goal->items, 0);
  for (int i = 0; i < goal->items; i++) {
    push_part(L, item, brio_goal_item(goal, i));
    lua_rawseti(L, -2, i + 1);
  }
}

void brio_lua_goal_push(lua_State *L, const brio_goal *goal) {
  const brio_goal_kind *kind = goal->kind;
  if (!kind) {
    lua_pushnil(L);
    return;
  }
  part fixed = {kind, kind->fields, kind->count, 0}, item = {kind, kind->fields + kind->count, kind->item, 0};
  /* The three forms of brio_lua_goal_read. */
  if (kind->item == 0) push_part(L, &fixed, goal->v);
  else if (kind->count == 0) push_items(L, goal, &item);
  else {
    char list[NAME] = {0};
    push_fields(L, &fixed, goal->v);
    item.skip = group_name(&item, 0, list) + 1;
    push_items(L, goal, &item);
    lua_setfield(L, -2, list);
  }
}
