/* The `state` of objectives and features written in Lua: a view of an evaluation.
**
** Fields are computed when they are read, and recorded: the coordinates that a value can depend on are
** marked, so that differences are computed along those alone.  Tables are created once and filled again for
** each evaluation, so that reading allocates nothing; a script must copy values that it keeps. */
#include "lua/solver/lua_view.h"

#include <string.h>

#include "lua/lua_args.h"
#include "lua/solver/lua_objective.h"

#define STATE "brio.objective_state"
#define PART "brio.objective_state_part"

enum { NOW = -1, MOST_PAST = 3 };

/* A state: now, or one of the past. User values: 1 tables that are filled when they are read, 2 its parts by
** name, 3 the view. */
typedef struct window {
  brio_lua_view *view;
  int past; /* NOW, 0, 1, 2 */
} window;

/* One of its parts that are read by name. User values: 1 the window, 2 indices by name, 3 tables by index. */
typedef struct part {
  window *window;
  lua_CFunction read;
  uint64_t filled[]; /* frames: when each table was filled */
} part;

const brio_evaluation *brio_lua_view_at(lua_State *L, const brio_lua_view *view) {
  if (!view->at)
    luaL_error(L, "a state can only be read during the solver's call: copy values that you keep");
  return view->at;
}

int brio_lua_view_link(lua_State *L, const brio_lua_view *view, int arg) {
  brio_error err;
  int link = brio_robot_link(view->robot, luaL_checkstring(L, arg), &err);
  if (link < 0) luaL_error(L, "%s", err.message);
  return link;
}

/* --- parts of a state --- */

/* The value may depend on everything: mark all coordinates. */
static void mark_all(const brio_lua_view *view) {
  for (int i = 0; view->columns && i < view->robot->nv; i++) view->columns[i] = true;
}

/* The configuration (q) that the window shows: the present one, or one of the past. */
static const double *configuration(const window *w, const brio_evaluation *at) {
  return w->past == NOW ? at->q : at->past[w->past];
}

/* The transforms of the links that the window shows, in the world. */
static const brio_transform *links(const window *w, const brio_evaluation *at) {
  return w->past == NOW ? at->state->links : at->past_links[w->past];
}

/* A number that differs whenever a table must be filled again. */
static uint64_t stamp(const window *w, const brio_evaluation *at) {
  return w->past == NOW ? at->serial : w->view->solves;
}

/* Fill the list on the top of the stack. */
static void fill(lua_State *L, const double *numbers, int count) {
  for (int i = 0; i < count; i++) {
    lua_pushnumber(L, numbers[i]);
    lua_rawseti(L, -2, i + 1);
  }
}

/* Fill the field `key` of the table on the top, a list that is created if it is absent. */
static void fill_field(lua_State *L, const char *key, const double *numbers, int count) {
  if (lua_getfield(L, -1, key) != LUA_TTABLE) {
    lua_pop(L, 1);
    lua_createtable(L, count, 0);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, key);
  }
  fill(L, numbers, count);
  lua_pop(L, 1);
}

/* Fill the pose table on the top of the stack: its lists are reused. */
static void fill_pose(lua_State *L, brio_pose pose) {
  fill_field(L, "position", &pose.p.x, 3);
  fill_field(L, "orientation", (double[]){pose.q.x, pose.q.y, pose.q.z, pose.q.w}, 4);
}

/* Push the table at `index` of user value `n` of argument 1, created if it is absent. */
static void push_kept(lua_State *L, int n, int index) {
  lua_getiuservalue(L, 1, n);
  if (lua_rawgeti(L, -1, index) != LUA_TTABLE) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_rawseti(L, -3, index);
  }
}

/* frames[link]: push the pose of a link in the world, {position, orientation}. Stack: 1 the part, 2 the
** name. Raises when there is no such link, and outside of an evaluation. */
static int read_frame(lua_State *L) {
  part *p = lua_touserdata(L, 1);
  const window *w = p->window;
  const brio_evaluation *at = brio_lua_view_at(L, w->view);
  /* The index by name; the slower lookup only words the error. */
  lua_getiuservalue(L, 1, 2);
  lua_pushvalue(L, 2);
  int link = lua_rawget(L, -2) == LUA_TNUMBER ? (int)lua_tointeger(L, -1) : brio_lua_view_link(L, w->view, 2);
  /* Only the base and the joints between it and this link move it. */
  if (w->past == NOW && w->view->columns) brio_robot_mark_columns(w->view->robot, link, w->view->columns);
  push_kept(L, 3, link + 1);
  /* The table is filled once for each evaluation, however often it is read. */
  if (p->filled[link] != stamp(w, at)) {
    fill_pose(L, brio_pose_of(&links(w, at)[link]));
    p->filled[link] = stamp(w, at);
  }
  return 1;
}

/* Find the joint that argument 2 names: return its variable, with factor and offset (1 and 0, unless the
** joint copies another one). */
static int find_variable(lua_State *L, const brio_robot *robot, double *factor, double *offset) {
  const char *name = luaL_checkstring(L, 2);
  brio_error err;
  /* Names of joints that copy another one have indices below -1: -2 - joint. */
  lua_getiuservalue(L, 1, 2);
  lua_pushvalue(L, 2);
  int index = lua_rawget(L, -2) == LUA_TNUMBER ? (int)lua_tointeger(L, -1)
                                               : brio_robot_variable(robot, name, &err);
  const brio_joint *mimic = index < -1 ? &robot->joints[-2 - index] : NULL;
  if (index == -1) luaL_error(L, "%s", err.message);
  *factor = mimic ? mimic->multiplier : 1;
  *offset = mimic ? mimic->offset : 0;
  return mimic ? mimic->variable : index;
}

/* joints[name]: push the value (rad or m) of a joint; a mimic joint's follows from the joint that it
** copies. */
static int read_joint(lua_State *L) {
  const window *w = ((part *)lua_touserdata(L, 1))->window;
  const brio_evaluation *at = brio_lua_view_at(L, w->view);
  double factor, offset;
  int variable = find_variable(L, w->view->robot, &factor, &offset);
  if (w->past == NOW && w->view->columns) w->view->columns[BRIO_BASE_NV + variable] = true;
  lua_pushnumber(L, factor * configuration(w, at)[BRIO_BASE_NQ + variable] + offset);
  return 1;
}

/* step[name]: push by how much a joint moves from the last solve to this one (rad or m). */
static int read_step(lua_State *L) {
  const window *w = ((part *)lua_touserdata(L, 1))->window;
  const brio_evaluation *at = brio_lua_view_at(L, w->view);
  double factor, offset;
  int variable = find_variable(L, w->view->robot, &factor, &offset);
  if (w->view->columns) w->view->columns[BRIO_BASE_NV + variable] = true;
  /* No offset: a difference has none. */
  lua_pushnumber(L, factor * at->step[BRIO_BASE_NV + variable]);
  return 1;
}

/* Raise the reason why a feature has no value. */
static int raise_feature(lua_State *L, const brio_feature_kind *kind) {
  brio_lua_house_push(L, kind);
  if (lua_isuserdata(L, -1) && lua_getiuservalue(L, -1, 3) == LUA_TSTRING) return lua_error(L);
  return luaL_error(L, "the feature '%s' has no value now", kind->name);
}

/* features[name]: push a number, or a list of them. Stack: 1 the part, 2 the name. Raises when there is no
** such feature, or it fails. */
static int read_feature(lua_State *L) {
  const window *w = ((part *)lua_touserdata(L, 1))->window;
  const brio_evaluation *at = brio_lua_view_at(L, w->view);
  const char *name = luaL_checkstring(L, 2);
  brio_error err;
  /* Features of the objective's own are in the table by name; all others are built in. */
  lua_getiuservalue(L, 1, 2);
  lua_pushvalue(L, 2);
  const brio_feature_kind *kind = lua_rawget(L, -2) == LUA_TLIGHTUSERDATA
                                      ? lua_touserdata(L, -1)
                                      : brio_feature_kind_find(name, &err);
  if (!kind)
    return luaL_error(L, "%s: an objective lists those that are not built in in its `features`", err.message);
  /* Reads of a feature are not recorded: its value may depend on every coordinate. */
  mark_all(w->view);
  const double *v = brio_feature_value(at, kind);
  if (!v) return raise_feature(L, kind);
  if (kind->count == 1) lua_pushnumber(L, v[0]);
  else brio_lua_push_numbers(L, v, kind->count);
  return 1;
}

/* --- a state's fields --- */

/* Push the pose of the robot's base in the world, as a new table. */
static int get_origin(lua_State *L, const window *w, const brio_evaluation *at) {
  const double *q = configuration(w, at);
  /* It depends on the six coordinates of the base alone. */
  if (w->past == NOW && w->view->columns)
    for (int i = 0; i < BRIO_BASE_NV; i++) w->view->columns[i] = true;
  brio_lua_push_pose(L, (brio_pose){{q[0], q[1], q[2]}, {q[3], q[4], q[5], q[6]}});
  return 1;
}

/* Push the center of mass in the world (m). A past one is computed here, O(links). */
static int get_center_of_mass(lua_State *L, const window *w, const brio_evaluation *at) {
  if (w->past == NOW) mark_all(w->view);
  brio_vec3 com = w->past == NOW ? at->state->com : brio_robot_com(w->view->robot, at->past_links[w->past]);
  push_kept(L, 1, 1);
  fill(L, &com.x, 3);
  return 1;
}

/* Push the time (s) of the window: dt before the evaluation's for each step back. */
static int get_time(lua_State *L, const window *w, const brio_evaluation *at) {
  double time = at->time;
  if (w->past != NOW) time -= at->dt;
  for (int i = 0; i < w->past; i++) time -= at->past_dt[i];
  lua_pushnumber(L, time);
  return 1;
}

/* Push the time (s) between this state and the one before it; nil at the last past one, which has none. */
static int get_dt(lua_State *L, const window *w, const brio_evaluation *at) {
  if (w->past == MOST_PAST - 1) lua_pushnil(L);
  else lua_pushnumber(L, w->past == NOW ? at->dt : at->past_dt[w->past]);
  return 1;
}

static const struct {
  const char *name;
  int (*get)(lua_State *L, const window *w, const brio_evaluation *at);
} fields[] = {
    {"center_of_mass", get_center_of_mass}, {"origin", get_origin}, {"time", get_time}, {"dt", get_dt}};

/* Whether a and b are the two names, in either order. */
static bool is_pair(const char *a, const char *b, const char *one, const char *other) {
  return (strcmp(a, one) == 0 && strcmp(b, other) == 0) || (strcmp(a, other) == 0 && strcmp(b, one) == 0);
}

/* state:distance(a, b) -> number | nil
** Returns the smallest distance (m) between shapes of two links, or of a link and a shape of the solver, by
** their names: negative where they touch; nil if they are too far apart to be measured. Only for the present,
** and for objectives with `proximity = true`. */
static int state_distance(lua_State *L) {
  const window *w = luaL_checkudata(L, 1, STATE);
  const brio_evaluation *at = brio_lua_view_at(L, w->view);
  const char *one = luaL_checkstring(L, 2), *other = luaL_checkstring(L, 3), *a, *b;
  if (w->past != NOW || !w->view->solver)
    return luaL_error(L, "distances exist only in the current state of an objective with `proximity = true`");
  /* The nearest of all measured pairs with these two names: links may have several shapes. O(pairs). */
  double least = INFINITY;
  mark_all(w->view);
  for (int i = 0; i < at->npair; i++) {
    if (!at->pairs[i].within) continue;
    brio_solver_pair_names(w->view->solver, &at->pairs[i], &a, &b);
    if (is_pair(a, b, one, other)) least = fmin(least, brio_evaluation_distance(at, &at->pairs[i]));
  }
  /* No pair was near enough to be measured. */
  if (isfinite(least)) lua_pushnumber(L, least);
  else lua_pushnil(L);
  return 1;
}

/* __index of a state: upvalue 1 has the index in `fields` by name, and the methods. */
static int read_state(lua_State *L) {
  const window *w = lua_touserdata(L, 1);
  /* Parts come first: they are the ones that are read most. */
  lua_getiuservalue(L, 1, 2);
  lua_pushvalue(L, 2);
  if (lua_rawget(L, -2) != LUA_TNIL) return 1;
  /* Else a method, or a field that is computed at each reading. */
  lua_pushvalue(L, 2);
  int kind = lua_rawget(L, lua_upvalueindex(1));
  if (kind == LUA_TFUNCTION) return 1;
  if (kind == LUA_TNIL)
    return luaL_error(
        L,
        "a state has no '%s': it has frames, joints, step, origin, center_of_mass, features, past, "
        "time, dt and distance",
        luaL_tolstring(L, 2, NULL));
  return fields[lua_tointeger(L, -1)].get(L, w, brio_lua_view_at(L, w->view));
}

/* __index of a part: each part has a reader of its own. */
static int read_part(lua_State *L) { return ((part *)lua_touserdata(L, 1))->read(L); }

/* __newindex: a state cannot be written. */
static int read_only(lua_State *L) { return luaL_error(L, "a state is not to be changed"); }

/* --- creation --- */

/* Set the metatable of the userdata on the top, created at the first use: `read` becomes __index with the
** table of fields as upvalue 1. */
static void set_class(lua_State *L, const char *name, lua_CFunction read) {
  if (luaL_newmetatable(L, name)) {
    /* Fields by name, as indices in `fields`; a function is a method. */
    lua_newtable(L);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
      lua_pushinteger(L, (lua_Integer)i);
      lua_setfield(L, -2, fields[i].name);
    }
    lua_pushcfunction(L, state_distance);
    lua_setfield(L, -2, "distance");
    lua_pushcclosure(L, read, 1);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, read_only);
    lua_setfield(L, -2, "__newindex");
  }
  lua_setmetatable(L, -2);
}

/* Push the indices of links, or of joints, by name. */
static void push_links(lua_State *L, const brio_robot *robot) {
  lua_createtable(L, 0, robot->nlink);
  for (int i = 0; i < robot->nlink; i++) {
    lua_pushinteger(L, i);
    lua_setfield(L, -2, robot->links[i].name);
  }
}

/* Push the indices of variables by name; joints that copy another one get -2 - joint. */
static void push_joints(lua_State *L, const brio_robot *robot) {
  lua_createtable(L, 0, robot->njoint);
  for (int i = 0; i < robot->njoint; i++) {
    if (robot->joints[i].mimic < 0 || robot->joints[i].variable < 0) continue;
    lua_pushinteger(L, -2 - i);
    lua_setfield(L, -2, robot->joints[i].name);
  }
  for (int i = 0; i < robot->nvariable; i++) {
    lua_pushinteger(L, i);
    lua_setfield(L, -2, robot->variables[i].name);
  }
}

/* Put the part `name` into the table on the top, for the view at index `state`; the indices by name are below
** that table. */
static void add_part(lua_State *L, int state, const char *name, lua_CFunction read, int nfilled) {
  size_t size = sizeof(part) + (size_t)nfilled * sizeof(uint64_t);
  part *p = lua_newuserdatauv(L, size, 3);
  memset(p, 0, size);
  /* The reader finds the window through the part: no lookup at each access. */
  p->window = lua_touserdata(L, state);
  p->read = read;
  lua_pushvalue(L, state);
  lua_setiuservalue(L, -2, 1);
  lua_pushvalue(L, -3);
  lua_setiuservalue(L, -2, 2);
  /* Tables by index, which are filled when they are read. */
  lua_newtable(L);
  lua_setiuservalue(L, -2, 3);
  set_class(L, PART, read_part);
  lua_setfield(L, -2, name);
}

/* Push a window of the view, now or of the past. From index `tables` on there are: indices of links by name,
** those of joints, features by name, and the view's userdata. */
static void push_window(lua_State *L, brio_lua_view *view, int past, int tables) {
  window *w = lua_newuserdatauv(L, sizeof *w, 3);
  int state = lua_gettop(L);
  *w = (window){view, past};
  /* User value 1: tables of the window itself; 3: the view, which stays alive with it. */
  lua_newtable(L);
  lua_setiuservalue(L, state, 1);
  lua_pushvalue(L, tables + 3);
  lua_setiuservalue(L, state, 3);
  lua_newtable(L);
  /* The parts; a past state has neither a step nor features. */
  static const struct {
    const char *name;
    lua_CFunction read;
    int table;
    bool only_now;
  } parts[] = {{"frames", read_frame, 0, false},
               {"joints", read_joint, 1, false},
               {"step", read_step, 1, true},
               {"features", read_feature, 2, true}};
  /* Each part gets its table of indices below the table of parts, as add_part expects. */
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    if (parts[i].only_now && past != NOW) continue;
    lua_pushvalue(L, tables + parts[i].table);
    lua_insert(L, -2);
    add_part(L, state, parts[i].name, parts[i].read, parts[i].read == read_frame ? view->robot->nlink : 0);
    lua_remove(L, -2);
  }
  /* The present state holds the past ones; they hold nothing of that kind. */
  if (past == NOW) {
    lua_createtable(L, MOST_PAST, 0);
    for (int i = 0; i < MOST_PAST; i++) {
      push_window(L, view, i, tables);
      lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "past");
  }
  lua_setiuservalue(L, state, 2);
  set_class(L, STATE, read_state);
}

brio_lua_view *brio_lua_view_push(lua_State *L, const brio_robot *robot, int features) {
  features = lua_absindex(L, features);
  luaL_checkstack(L, 40, "no room for a state");
  int tables = lua_gettop(L) + 1;
  /* Shared by all windows of this view: links, joints, features, and the view itself. */
  push_links(L, robot);
  push_joints(L, robot);
  lua_pushvalue(L, features);
  brio_lua_view *view = lua_newuserdatauv(L, sizeof *view, 0);
  *view = (brio_lua_view){.robot = robot};
  push_window(L, view, NOW, tables);
  /* Only the state remains on the stack; it keeps all the others. */
  lua_replace(L, tables);
  lua_settop(L, tables);
  return view;
}
