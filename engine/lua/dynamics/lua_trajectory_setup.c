/* The table of a problem as a setup: phases, contacts, limits, terms with their arguments. */
#include <lauxlib.h>
#include <math.h>
#include <string.h>

#include "lua/dynamics/lua_dynamics.h"
#include "lua/dynamics/lua_trajectory.h"
#include "lua/lua_args.h"
#include "lua/robot/lua_robot.h"
#include "trajectory/scheme.h"
#include "trajectory/term.h"

void *brio_lua_trajectory_take(lua_State *L, brio_arena *arena, size_t size) {
  void *out = brio_arena_take(arena, size + 1);
  if (!out) luaL_error(L, "no memory for a trajectory");
  return out;
}

/* A copy of the configuration on the top of the stack, in the arena or at `out`; it stays on the stack. */
static double *configuration(lua_State *L, const brio_robot *robot, brio_arena *arena, double *out) {
  const double *q = brio_lua_robot_configuration(L, robot, lua_gettop(L));
  size_t bytes = (size_t)robot->nq * sizeof *q;
  if (!out) out = brio_lua_trajectory_take(L, arena, bytes);
  memcpy(out, q, bytes);
  lua_pop(L, 1);
  return out;
}

/* Where a contact is held: field `at`, a position or a pose. */
static brio_pose read_place(lua_State *L, int index) {
  brio_pose out = {{0, 0, 0}, {0, 0, 0, 1}};
  if (lua_getfield(L, index, "at") == LUA_TNIL) luaL_error(L, "contact needs 'at': where it is in the world");
  /* a list is a position, else it is a pose */
  if (lua_istable(L, -1) && lua_rawlen(L, -1) > 0)
    out.p = brio_lua_vec3(L, -1, "contact: at");
  else
    out = brio_lua_pose(L, -1, "contact: at");
  lua_pop(L, 1);
  return out;
}

/* The contact on the top of the stack. */
static void read_contact(lua_State *L, const brio_robot *robot, brio_trajectory_contact *out) {
  static const char *const keys[] = {"link", "point", "at", "sole", "friction", "torsion", "grips", NULL};
  int index = lua_gettop(L);
  luaL_checktype(L, index, LUA_TTABLE);
  brio_lua_only_keys(L, index, keys, "contact");
  lua_getfield(L, index, "link");
  *out = (brio_trajectory_contact){.hold.other = -1};
  out->hold.link = brio_lua_robot_find(L, robot, lua_gettop(L), brio_robot_link);
  out->hold.on_link.q = (brio_quat){0, 0, 0, 1};
  if (lua_getfield(L, index, "point") != LUA_TNIL) {
    bool position = lua_istable(L, -1) && lua_rawlen(L, -1) > 0;
    if (position)
      out->hold.on_link.p = brio_lua_vec3(L, -1, "contact: point");
    else
      out->hold.on_link = brio_lua_pose(L, -1, "contact: point");
  }
  out->hold.on_other = read_place(L, index);
  /* a sole makes the contact hold its orientation, too; halves are kept */
  out->hold.rigid = lua_getfield(L, index, "sole") != LUA_TNIL;
  if (out->hold.rigid) brio_lua_numbers(L, -1, 2, out->half, "contact: sole");
  out->half[0] /= 2, out->half[1] /= 2;
  out->friction = brio_lua_field_number(L, index, "friction", 1e-3, 1e3, 0.6);
  out->torsion = brio_lua_field_number(L, index, "torsion", 0, 1e3, 0.05);
  if (brio_lua_field_flag(L, index, "grips", false)) out->friction = HUGE_VAL;
  lua_settop(L, index);
}

/* The phase on the top of the stack. */
static void read_phase(lua_State *L, const brio_robot *robot, brio_arena *arena, brio_trajectory_phase *out) {
  static const char *const keys[] = {"nodes", "duration", "stretch", "contacts", "impact", NULL};
  int index = lua_gettop(L);
  luaL_checktype(L, index, LUA_TTABLE);
  brio_lua_only_keys(L, index, keys, "phase");
  out->nodes = (int)brio_lua_field_number(L, index, "nodes", 2, 1e6, 2);
  out->duration = brio_lua_field_number(L, index, "duration", 1e-6, 1e6, 1);
  out->stretch[0] = out->stretch[1] = 1;
  out->impact = brio_lua_field_flag(L, index, "impact", false);
  if (lua_getfield(L, index, "stretch") != LUA_TNIL) brio_lua_numbers(L, -1, 2, out->stretch, "stretch");
  if (lua_getfield(L, index, "contacts") != LUA_TNIL) {
    luaL_checktype(L, -1, LUA_TTABLE);
    int list = lua_gettop(L);
    out->ncontact = (int)lua_rawlen(L, list);
    /* contacts live as long as the trajectory */
    brio_trajectory_contact *contacts =
        brio_lua_trajectory_take(L, arena, (size_t)out->ncontact * sizeof *contacts);
    for (int i = 0; i < out->ncontact; i++, lua_settop(L, list)) {
      lua_rawgeti(L, list, i + 1);
      read_contact(L, robot, &contacts[i]);
    }
    out->contacts = contacts;
  }
  lua_settop(L, index);
}

/* How many nodes a list by node has: of its phase, or of all. */
static int nodes_of(const brio_trajectory_setup *setup, const brio_trajectory_term *term) {
  int sum = 0;
  /* of its own phase */
  if (term->phase == BRIO_TRAJECTORY_LAST) return setup->phases[setup->nphase - 1].nodes;
  if (term->phase >= 0 && term->phase < setup->nphase) return setup->phases[term->phase].nodes;
  for (int p = 0; p < setup->nphase; p++) sum += setup->phases[p].nodes;
  return sum;
}

/* A list by node on the top of the stack, each of `size` numbers: a configuration, or 1. */
static double *read_list(lua_State *L, const brio_robot *robot, brio_arena *arena, int nodes, int size,
                         const char *what) {
  int list = lua_gettop(L);
  luaL_checktype(L, list, LUA_TTABLE);
  if ((int)lua_rawlen(L, list) != nodes)
    luaL_error(L, "%s has %d items, expected one for each of the %d nodes", what, (int)lua_rawlen(L, list),
               nodes);
  double *out = brio_lua_trajectory_take(L, arena, (size_t)(nodes * size) * sizeof *out);
  /* numbers are read at once, configurations one by one */
  if (size == 1) return brio_lua_numbers(L, list, nodes, out, what), out;
  for (int k = 0; k < nodes; k++) {
    lua_rawgeti(L, list, k + 1);
    configuration(L, robot, arena, out + k * size);
    lua_settop(L, list);
  }
  return out;
}

/* One number per velocity number: those of variables by name, else the fallback. */
static double *read_joints(lua_State *L, const brio_robot *robot, brio_arena *arena,
                           const brio_trajectory_param *param, const char *what) {
  double *out = brio_lua_trajectory_take(L, arena, (size_t)robot->nv * sizeof *out);
  for (int v = 0; v < robot->nv; v++) out[v] = param->fallback;
  brio_lua_dynamics_variables(L, robot, what, param->lower, out + BRIO_BASE_NV);
  return out;
}

/* The argument on the top of the stack, or its fallback where that is nil. */
static void read_argument(lua_State *L, const brio_trajectory_setup *setup, brio_arena *arena,
                          const brio_trajectory_term *term, const brio_trajectory_param *param, char *self) {
  const brio_robot *robot = setup->robot;
  void *at = self + param->offset;
  const char *what = lua_pushfstring(L, "%s: %s", term->kind->name, param->name);
  lua_insert(L, -2);
  bool given = !lua_isnil(L, -1);
  if (!given && param->needed) luaL_error(L, "%s is needed: %s", what, param->doc);
  /* each type knows how nothing looks: a fallback, or NULL */
  switch (param->type) {
  case BRIO_TRAJECTORY_NUMBER:
    *(double *)at = given ? brio_lua_number(L, -1, param->lower, param->upper, what) : param->fallback;
    break;
  case BRIO_TRAJECTORY_LINK:
    *(int *)at = given ? brio_lua_robot_find(L, robot, lua_gettop(L), brio_robot_link) : -1;
    break;
  case BRIO_TRAJECTORY_VECTOR:
    *(brio_vec3 *)at =
        given ? brio_lua_vec3(L, -1, what) : (brio_vec3){param->fallback, param->fallback, param->fallback};
    break;
  case BRIO_TRAJECTORY_JOINTS:
    *(double **)at = given ? read_joints(L, robot, arena, param, what) : NULL;
    break;
  case BRIO_TRAJECTORY_POSE:
    *(double **)at = given ? configuration(L, robot, arena, NULL) : NULL;
    break;
  case BRIO_TRAJECTORY_POSES:
    *(double **)at = given ? read_list(L, robot, arena, nodes_of(setup, term), robot->nq, what) : NULL;
    break;
  case BRIO_TRAJECTORY_NUMBERS:
    *(double **)at = given ? read_list(L, robot, arena, nodes_of(setup, term), 1, what) : NULL;
    break;
  }
  lua_pop(L, 2);
}

/* A place in a list: a number from 1, "last", or nil: all. */
static int read_index(lua_State *L, int index, const char *key) {
  int out = BRIO_TRAJECTORY_ALL, type = lua_getfield(L, index, key);
  if (type == LUA_TSTRING && strcmp(lua_tostring(L, -1), "last") == 0)
    out = BRIO_TRAJECTORY_LAST;
  else if (type != LUA_TNIL)
    out = (int)brio_lua_number(L, -1, 1, 1e6, key) - 1;
  lua_pop(L, 1);
  return out;
}

/* Raise unless each field is an argument of the kind or common to all. */
static void check_fields(lua_State *L, int index, const brio_trajectory_term_kind *kind) {
  static const char *const common[] = {"weight", "per", "phase", "node"};
  const char *keys[24];
  int count = 0;
  /* constraints have no weight */
  for (int i = kind->cost ? 0 : 2; i < 4; i++) keys[count++] = common[i];
  for (const brio_trajectory_param *p = kind->params; p->name && count < 23; p++) keys[count++] = p->name;
  keys[count] = NULL;
  brio_lua_only_keys(L, index, keys, kind->name);
}

/* The term on the top of the stack. */
static void read_term(lua_State *L, const brio_trajectory_setup *setup, brio_arena *arena,
                      brio_trajectory_term *out) {
  brio_error err;
  int index = lua_gettop(L);
  luaL_checktype(L, index, LUA_TTABLE);
  lua_rawgeti(L, index, 1);
  out->kind = brio_trajectory_term_find(lua_isstring(L, -1) ? lua_tostring(L, -1) : "", &err);
  if (!out->kind) luaL_error(L, "%s", err.message);
  check_fields(L, index, out->kind);
  /* counted from 1 in Lua */
  out->phase = read_index(L, index, "phase"), out->node = read_index(L, index, "node");
  out->weight = brio_lua_field_number(L, index, "weight", 0, 1e15, 1);
  const char *per = brio_lua_field_text(L, index, "per", "node");
  if (strcmp(per, "node") != 0 && strcmp(per, "time") != 0)
    luaL_error(L, "%s: per must be 'node' or 'time', not '%s'", out->kind->name, per);
  out->per_time = strcmp(per, "time") == 0;
  char *self = brio_lua_trajectory_take(L, arena, out->kind->size);
  out->arguments = self;
  for (const brio_trajectory_param *p = out->kind->params; p->name; p++) {
    lua_getfield(L, index, p->name);
    read_argument(L, setup, arena, out, p, self);
  }
  lua_settop(L, index);
}

/* Push field `key` of the problem, a list, and return how many items it has; nil: 0, if it may be. */
static int open_list(lua_State *L, const char *key, bool needed) {
  int type = lua_getfield(L, 2, key);
  if (type == LUA_TNIL && !needed) return 0;
  if (type != LUA_TTABLE) luaL_error(L, "a problem needs '%s', a list", key);
  return (int)lua_rawlen(L, -1);
}

/* Limits {variable = number} in field `key` of the table on the top; variables without have the robot's. */
static const double *read_limit(lua_State *L, const brio_robot *robot, brio_arena *arena, const char *key,
                                size_t offset) {
  double *out = NULL;
  if (lua_getfield(L, -1, key) != LUA_TNIL) {
    out = brio_lua_trajectory_take(L, arena, (size_t)robot->nvariable * sizeof *out);
    /* variables that are not named keep the file's limit */
    for (int v = 0; v < robot->nvariable; v++)
      memcpy(&out[v], (const char *)&robot->variables[v] + offset, sizeof *out);
    brio_lua_dynamics_variables(L, robot, key, -HUGE_VAL, out);
  }
  lua_pop(L, 1);
  return out;
}

static void read_limits(lua_State *L, const brio_robot *robot, brio_arena *arena,
                        brio_trajectory_limits *out) {
  static const char *const keys[] = {"lower", "upper", "velocity", "effort", NULL};
  if (lua_getfield(L, 2, "limits") != LUA_TNIL) {
    luaL_checktype(L, -1, LUA_TTABLE);
    brio_lua_only_keys(L, lua_gettop(L), keys, "limits");
    out->lower = read_limit(L, robot, arena, "lower", offsetof(brio_variable, lower));
    out->upper = read_limit(L, robot, arena, "upper", offsetof(brio_variable, upper));
    out->velocity = read_limit(L, robot, arena, "velocity", offsetof(brio_variable, velocity));
    out->effort = read_limit(L, robot, arena, "effort", offsetof(brio_variable, effort));
  }
  lua_pop(L, 1);
}

/* Variables with motors, by name. */
static void read_motors(lua_State *L, const brio_robot *robot, brio_arena *arena,
                        brio_trajectory_setup *setup) {
  setup->nmotor = open_list(L, "motors", false);
  if (!lua_isnil(L, -1)) {
    int *motors = brio_lua_trajectory_take(L, arena, (size_t)(setup->nmotor + 1) * sizeof *motors);
    for (int m = 0; m < setup->nmotor; m++, lua_pop(L, 1)) {
      lua_rawgeti(L, -1, m + 1);
      motors[m] = brio_lua_robot_find(L, robot, lua_gettop(L), brio_robot_variable);
    }
    setup->motors = motors;
  }
  lua_pop(L, 1);
}

/* How far a cycle leads: {base = {x, y, z} (m), joints = {variable = rad or m}}. */
static const double *read_cycle(lua_State *L, const brio_robot *robot, brio_arena *arena) {
  static const char *const keys[] = {"base", "joints", NULL};
  double *out = NULL;
  if (lua_getfield(L, 2, "cycle") != LUA_TNIL) {
    int index = lua_gettop(L);
    luaL_checktype(L, index, LUA_TTABLE);
    brio_lua_only_keys(L, index, keys, "cycle");
    out = brio_lua_trajectory_take(L, arena, (size_t)robot->nv * sizeof *out);
    memset(out, 0, (size_t)robot->nv * sizeof *out);
    if (lua_getfield(L, index, "base") != LUA_TNIL) brio_lua_numbers(L, -1, 3, out, "cycle: base");
    if (lua_getfield(L, index, "joints") != LUA_TNIL)
      brio_lua_dynamics_variables(L, robot, "cycle: joints", -HUGE_VAL, out + BRIO_BASE_NV);
    lua_settop(L, index);
  }
  lua_pop(L, 1);
  return out;
}

void brio_lua_trajectory_read(lua_State *L, const brio_robot *robot, brio_arena *arena,
                              brio_trajectory_setup *setup) {
  static const char *const keys[] = {"scheme", "phases",    "terms",   "motors", "limits",
                                     "cycle",  "stiffness", "damping", NULL};
  brio_error err;
  luaL_checktype(L, 2, LUA_TTABLE);
  brio_lua_only_keys(L, 2, keys, "problem");
  *setup = (brio_trajectory_setup){.robot = robot};
  setup->scheme = brio_trajectory_scheme_find(brio_lua_field_text(L, 2, "scheme", "hermite_simpson"), &err);
  if (!setup->scheme) luaL_error(L, "%s", err.message);
  setup->stiffness = brio_lua_field_number(L, 2, "stiffness", 0, 1e6, 100);
  setup->damping = brio_lua_field_number(L, 2, "damping", 0, 1e6, 20);
  read_limits(L, robot, arena, &setup->limits);
  read_motors(L, robot, arena, setup);
  setup->cycle = read_cycle(L, robot, arena);
  /* phases before terms, whose lists are checked against them */
  setup->nphase = open_list(L, "phases", true);
  brio_trajectory_phase *phases = brio_lua_trajectory_take(L, arena, (size_t)setup->nphase * sizeof *phases);
  for (int p = 0; p < setup->nphase; p++, lua_pop(L, 1)) {
    lua_rawgeti(L, -1, p + 1);
    read_phase(L, robot, arena, &phases[p]);
  }
  setup->phases = phases;
  setup->nterm = open_list(L, "terms", true);
  brio_trajectory_term *terms = brio_lua_trajectory_take(L, arena, (size_t)setup->nterm * sizeof *terms);
  for (int i = 0; i < setup->nterm; i++, lua_pop(L, 1)) {
    lua_rawgeti(L, -1, i + 1);
    read_term(L, setup, arena, &terms[i]);
  }
  setup->terms = terms;
}
