/* The functions of objectives, features and goal kinds written in Lua, as the solver calls them.
**
** An instance holds a table in the registry with all data of a call, so that a call creates no objects.  A
** function that raises, or returns a value that is not a number, fails: the solver excludes the objective
** from that solve, and reports it once.  One that uses up the time of a solve is not called again. */
#include "lua/solver/lua_objective.h"

#include <lauxlib.h>
#include <string.h>

#include "lua/lua_args.h"
#include "lua/solver/lua_goal.h"
#include "lua/solver/lua_view.h"
#include "runtime/script/script.h"

#define ROW "brio.objective_row"

/* Places in an instance's table. */
enum { SELF = 1, GOAL, STATE, ROWS, VALUE, SLOPE, UPDATE, RESET, KIND };

/* An instance in the solver; its parameters follow at brio_lua_objective_size, then `room` and `columns`. */
typedef struct term {
  const brio_lua_kind *kind; /* first: the record's context */
  brio_lua_view *view;
  const brio_solver *solver;
  brio_features *features;
  int table;                 /* reference to the table; 0: none */
  bool fresh, failed, off, said;
  bool *columns;             /* nv, and then room for three rows */
  double *room;
  char key[64];
} term;

const size_t brio_lua_objective_size = sizeof(term);

/* A call, as argument of the function that runs protected. */
typedef struct call {
  term *term;
  const brio_goal *goal;
  const brio_evaluation *at;
  double *r, *jacobian;
  int rows;                 /* out */
  const brio_robot *robot;
  uint64_t seed;
} call;

/* --- making an instance --- */

/* Set field `p` of the table on the top to the parameter's value in the instance. */
static void set_param(lua_State *L, const brio_robot *robot, const term *t, const brio_param *p) {
  /* The type of the parameter decides what is stored at its place. */
  const char *place = (const char *)t + p->offset;
  int index = *(const int *)(const void *)place;
  const double *numbers = (const double *)(const void *)place;
  switch (p->type) {
    case BRIO_PARAM_NUMBER: lua_pushnumber(L, numbers[0]); break;
    case BRIO_PARAM_LINK: lua_pushstring(L, index < 0 ? NULL : robot->links[index].name); break;
    case BRIO_PARAM_JOINT: lua_pushstring(L, index < 0 ? NULL : robot->variables[index].name); break;
    case BRIO_PARAM_FLAG: lua_pushboolean(L, *(const bool *)place); break;
    case BRIO_PARAM_VECTOR: brio_lua_push_numbers(L, numbers, 3); break;
  }
  lua_setfield(L, -2, p->name);
}

/* Push the table `self` that the functions get: name, seed and arguments. The seed is halved so that it is a
** positive integer. */
static void push_self(lua_State *L, const call *c) {
  const brio_lua_kind *kind = c->term->kind;
  lua_newtable(L);
  lua_pushstring(L, kind->record.name);
  lua_setfield(L, -2, "name");
  lua_pushinteger(L, (lua_Integer)(c->seed >> 1));
  lua_setfield(L, -2, "seed");
  for (const brio_param *p = kind->params; p->name; p++) set_param(L, c->robot, c->term, p);
}

/* A row of the Jacobian. User value 1: the state, which keeps the view. */
typedef struct row {
  brio_lua_view *view;
  int index;
} row;

/* Push the rows of the Jacobian; the state is in the table at index 2. */
static void push_rows(lua_State *L, const term *t) {
  lua_createtable(L, t->kind->rows, 0);
  for (int i = 0; i < t->kind->rows; i++) {
    row *it = lua_newuserdatauv(L, sizeof *it, 1);
    *it = (row){t->view, i};
    lua_rawgeti(L, 2, STATE);
    lua_setiuservalue(L, -2, 1);
    luaL_setmetatable(L, ROW);
    lua_rawseti(L, -2, i + 1);
  }
}

/* Put the functions of the kind's table, and that table itself, into the instance's table at index `table`.
** Raises without memory only. */
static void take_functions(lua_State *L, const brio_lua_kind *kind, int table) {
  static const struct {
    int place;
    const char *names[2];
  } functions[] = {{VALUE, {"residual", "cost"}},
                   {SLOPE, {"jacobian", "gradient"}},
                   {UPDATE, {"update", NULL}},
                   {RESET, {"reset", NULL}}};
  brio_lua_house_push(L, kind);
  lua_getiuservalue(L, -1, 1);
  /* Each function has one of two names: a residual or a cost, with a Jacobian or a gradient. */
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    for (int k = 0; k < 2 && functions[i].names[k]; k++) {
      if (lua_getfield(L, -1, functions[i].names[k]) == LUA_TFUNCTION)
        lua_rawseti(L, table, functions[i].place);
      else lua_pop(L, 1);
    }
  lua_pop(L, 1);
  lua_rawseti(L, table, KIND);
}

/* Protected: create the instance's table, and refer to it from the registry. Stack: 1 the call, 2 the
** table. */
static int make_term(lua_State *L) {
  const call *c = lua_touserdata(L, 1);
  const brio_lua_kind *kind = c->term->kind;
  lua_createtable(L, KIND, 0);
  push_self(L, c);
  lua_rawseti(L, 2, SELF);
  /* Features of the objective's own, by name, for the state. */
  lua_newtable(L);
  for (int i = 0; kind->features[i]; i++) {
    lua_pushlightuserdata(L, (void *)(uintptr_t)kind->features[i]);
    lua_setfield(L, -2, kind->feature_names[i]);
  }
  c->term->view = brio_lua_view_push(L, c->robot, -1);
  lua_rawseti(L, 2, STATE);
  take_functions(L, kind, 2);
  /* Rows are needed only by a function that writes derivatives. */
  if (lua_rawgeti(L, 2, SLOPE) == LUA_TFUNCTION) {
    push_rows(L, c->term);
    lua_rawseti(L, 2, ROWS);
  }
  lua_settop(L, 2);
  c->term->table = luaL_ref(L, LUA_REGISTRYINDEX);
  return 0;
}

/* Bytes of `room` and `columns`, with space to align the first. */
static size_t more(const brio_robot *robot) {
  return (size_t)robot->nv * (3 * sizeof(double) + sizeof(bool)) + sizeof(double);
}

/* Set up an instance, off the tick: place its arrays behind the parameters, and create its table. */
static bool bind(void *self, const brio_robot *robot, uint64_t seed, brio_error *err) {
  term *t = self;
  const brio_lua_kind *kind = t->kind;
  /* Doubles need their alignment; the flags follow them. */
  char *room = (char *)self + kind->record.size;
  t->room = (double *)(void *)(room + (sizeof(double) - (uintptr_t)room % sizeof(double)) % sizeof(double));
  t->columns = (bool *)(void *)(t->room + 3 * robot->nv);
  /* The solver and the key of the objective that is being added, for its faults. */
  t->solver = kind->house->solver;
  if (kind->house->key) strncpy(t->key, kind->house->key, sizeof t->key - 1);
  call c = {.term = t, .robot = robot, .seed = seed};
  if (!brio_lua_house_call(kind->house, make_term, &c)) {
    brio_fail(err, BRIO_NO_MEMORY, "%.400s", lua_tostring(kind->house->co, -1));
    lua_pop(kind->house->co, 1);
    return false;
  }
  /* The state records coordinates and writes rows in this instance's memory. */
  t->view->columns = t->columns;
  t->view->room = t->room;
  if (kind->record.needs & BRIO_NEEDS_PAIRS) t->view->solver = t->solver;
  return true;
}

/* Free what bind made, also if it failed half-way: the state may live on in a script, so the view forgets
** all pointers of the instance. */
static void end(void *self) {
  term *t = self;
  const brio_lua_kind *kind = t->kind;
  if (t->view) t->view->at = NULL, t->view->columns = NULL, t->view->room = NULL, t->view->solver = NULL;
  for (int i = 0; t->features && kind->features[i]; i++) brio_features_forget(t->features, kind->features[i]);
  if (t->table) luaL_unref(kind->house->co, LUA_REGISTRYINDEX, t->table);
}

/* The most rows that a residual of this kind returns. */
static int rows(const void *self, const brio_robot *robot) {
  return (void)robot, ((const term *)self)->kind->rows;
}

/* The coordinates that the last value depended on: nv flags. */
static const bool *columns(const void *self) { return ((const term *)self)->columns; }

/* --- calls --- */

/* Note the failure, whose message is on the top of the stack of the house, and pop the message. */
static void fail(term *t, bool spent_before) {
  brio_lua_house *house = t->kind->house;
  t->failed = true;
  bool culprit = !spent_before && brio_script_spent();
  if (culprit) t->off = true;
  if ((spent_before && !culprit) || t->said) { /* another one used up the time, or the error was reported */
    lua_pop(house->co, 1);
    return;
  }
  t->said = true;
  brio_lua_house_fault(house, t->solver, t->key, t->kind->record.name);
}

/* Run a call; return whether it succeeded. */
static bool run(term *t, lua_CFunction fn, call *c) {
  /* The budget may be spent already by another objective of this solve. */
  bool spent = brio_script_spent() != NULL;
  if (t->failed || t->off) return false;
  /* The state can be read only during the call. */
  t->view->at = c->at;
  bool good = brio_lua_house_call(t->kind->house, fn, c);
  t->view->at = NULL;
  t->view->jacobian = NULL;
  if (!good) fail(t, spent);
  return good;
}

/* Push the function at `place` of the instance's table and its arguments self, state, goal; return whether it
** exists.  Stack: 1 the call, 2 the table. */
static bool push_call(lua_State *L, int place) {
  if (lua_rawgeti(L, 2, place) != LUA_TFUNCTION) {
    lua_pop(L, 1);
    return false;
  }
  lua_rawgeti(L, 2, SELF);
  lua_rawgeti(L, 2, STATE);
  lua_rawgeti(L, 2, GOAL);
  return true;
}

/* The call of a protected function; its table is pushed to index 2. */
static call *begin(lua_State *L) {
  call *c = lua_touserdata(L, 1);
  lua_rawgeti(L, LUA_REGISTRYINDEX, c->term->table);
  return c;
}

/* The number at `index`, which is number `i` of the results; raises when it is not a finite number. */
static double number_at(lua_State *L, int index, const char *what, int i) {
  if (lua_type(L, index) != LUA_TNUMBER)
    luaL_error(L, "%s must return numbers, but number %d is a %s", what, i, luaL_typename(L, index));
  double value = lua_tonumber(L, index);
  if (!isfinite(value)) luaL_error(L, "%s must return finite numbers, but number %d is %f", what, i, value);
  return value;
}

/* Read the results of a residual, from the stack above 2: numbers, or one list of them. */
static int read_rows(lua_State *L, const term *t, double *r) {
  int n = lua_gettop(L) - 2, most = t->kind->rows;
  /* One table is the list; its length is cut only to fit an int. */
  bool list = n == 1 && lua_istable(L, 3);
  if (list) n = (int)(lua_rawlen(L, 3) < 10000 ? lua_rawlen(L, 3) : 10000);
  if (n == 0) luaL_error(L, "the residual must return numbers, not nothing");
  if (n > most)
    luaL_error(L, "the residual returned %d numbers: set `rows = %d` for more than %d", n, n, most);
  for (int i = 0; i < n; i++) {
    if (list) lua_rawgeti(L, 3, i + 1);
    r[i] = number_at(L, list ? -1 : 3 + i, "the residual", i + 1);
    if (list) lua_pop(L, 1);
  }
  return n;
}

/* Protected: compute the residual and, if it is wanted, its Jacobian by the function of the script. */
static int call_residual(lua_State *L) {
  call *c = begin(L);
  push_call(L, VALUE);
  lua_call(L, 3, LUA_MULTRET);
  c->rows = read_rows(L, c->term, c->r);
  lua_settop(L, 2);
  if (!c->jacobian) return 0;
  /* Rows may be written from here to the end of the call; they arrive zeroed. */
  c->term->view->jacobian = c->jacobian;
  push_call(L, SLOPE);
  lua_rawgeti(L, 2, ROWS);
  lua_call(L, 4, 0);
  return 0;
}

/* Call the cost with the table at 2; return its number. Raises unless it is finite. */
static double call_cost_function(lua_State *L) {
  push_call(L, VALUE);
  lua_call(L, 3, 1);
  if (lua_isnil(L, -1)) luaL_error(L, "the cost must return a number, not nothing");
  double cost = number_at(L, -1, "the cost", 1);
  lua_settop(L, 2);
  return cost;
}

/* Protected: compute the cost alone; the solver takes differences. */
static int call_cost(lua_State *L) {
  call *c = begin(L);
  c->r[0] = call_cost_function(L);
  return 0;
}

/* A cost c with its gradient g, as one residual: sqrt(2 c), whose half square is c, and g / sqrt(2 c). */
static int call_cost_with_gradient(lua_State *L) {
  static const double least = 1e-150;
  call *c = begin(L);
  double cost = call_cost_function(L);
  /* The square root needs a cost that is not negative. */
  if (!(cost >= 0)) return luaL_error(L, "a cost that has a gradient must not be negative, as %f is", cost);
  c->r[0] = sqrt(2 * cost);
  c->rows = 1;
  if (!c->jacobian) return 0;
  /* The gradient has one row, which is passed in place of the list. */
  c->term->view->jacobian = c->jacobian;
  push_call(L, SLOPE);
  lua_rawgeti(L, 2, ROWS);
  lua_rawgeti(L, -1, 1);
  lua_remove(L, -2);
  lua_call(L, 4, 0);
  /* The chain rule; at a cost of 0, where the root has no derivative, the row is 0. */
  double share = c->r[0] > least ? 1 / c->r[0] : 0;
  for (int i = 0; i < c->at->robot->nv; i++) c->jacobian[i] *= share;
  return 0;
}

/* Run a residual in any of its forms: return its rows, or -1 if it failed. */
static int residual_by(lua_CFunction fn, const void *self, const brio_goal *goal, const brio_evaluation *at,
                       double *r, double *jacobian) {
  call c = {.term = (term *)(uintptr_t)self, .goal = goal, .at = at, .r = r, .jacobian = jacobian};
  return run(c.term, fn, &c) ? c.rows : -1;
}

/* The solver's residual of an objective with a residual. */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  return residual_by(call_residual, self, goal, at, r, jacobian);
}

/* The solver's residual of a cost with a gradient. */
static int root_of_cost(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                        double *jacobian) {
  return residual_by(call_cost_with_gradient, self, goal, at, r, jacobian);
}

/* The solver's cost of a cost without a gradient; NaN: it failed. */
static double cost(const void *self, const brio_goal *goal, const brio_evaluation *at, double *gradient,
                   double *bend) {
  (void)gradient, (void)bend; /* the solver computes them by differences */
  double value = NAN;
  call c = {.term = (term *)(uintptr_t)self, .goal = goal, .at = at, .r = &value};
  return run(c.term, call_cost, &c) ? value : NAN;
}

/* Store the goal of this solve; call reset(self, state, goal) and update(self, time, state, goal). */
static int call_update(lua_State *L) {
  call *c = begin(L);
  /* The goal is converted once for each solve, not at each call. */
  brio_lua_goal_push(L, c->goal);
  lua_rawseti(L, 2, GOAL);
  /* After a reset the script sets its anchors again, before its update. */
  if (c->term->fresh && push_call(L, RESET)) lua_call(L, 3, 0);
  c->term->fresh = false;
  if (!push_call(L, UPDATE)) return 0;
  /* Stack: function, self, state, goal; the time goes before the state. */
  lua_pushnumber(L, c->at->time);
  lua_insert(L, -3);
  lua_call(L, 4, 0);
  return 0;
}

/* The solver calls this once per solve: the objective joins the budget, and earlier failures are
** forgotten. */
static void update(void *self, const brio_goal *goal, const brio_evaluation *last) {
  term *t = self;
  brio_lua_house_enter(t->kind->house);
  t->failed = false;
  t->features = last->features;
  t->view->solves++;
  call c = {.term = t, .goal = goal, .at = last};
  run(t, call_update, &c);
}

/* The end of a solve, also after failures: the objective leaves the budget. */
static void finish(void *self) { brio_lua_house_leave(((term *)self)->kind->house); }

/* The script's own reset is called at the next update, protected. */
static void reset(void *self) { ((term *)self)->fresh = true; }

/* --- rows of a Jacobian --- */

/* Return the view whose row argument 1 is, and the row's numbers. */
static const brio_lua_view *check_row(lua_State *L, double **numbers) {
  const row *it = luaL_checkudata(L, 1, ROW);
  const brio_lua_view *view = it->view;
  if (!view->jacobian) luaL_error(L, "a row can only be written while its Jacobian is computed");
  *numbers = view->jacobian + it->index * view->robot->nv;
  return view;
}

/* The scale at `arg`; absent: 1. */
static double scale_at(lua_State *L, int arg) {
  return lua_isnoneornil(L, arg) ? 1 : brio_lua_number(L, arg, -HUGE_VAL, HUGE_VAL, "scale");
}

/* row:point(link, point, direction [, scale])
** Adds the velocity of a point of a link, given in the world, along a direction. */
static int row_point(lua_State *L) {
  double *numbers;
  const brio_lua_view *view = check_row(L, &numbers);
  const brio_evaluation *at = brio_lua_view_at(L, view);
  int link = brio_lua_view_link(L, view, 2);
  brio_vec3 point = brio_lua_vec3(L, 3, "point"), direction = brio_lua_vec3(L, 4, "direction");
  brio_state_add_point_row(at->state, link, point, direction, scale_at(L, 5), numbers);
  return 0;
}

/* row:turn(link, axis [, scale])
** Adds the angular velocity of a link about an axis of the world: computed from two points a unit apart. */
static int row_turn(lua_State *L) {
  double *numbers;
  const brio_lua_view *view = check_row(L, &numbers);
  const brio_evaluation *at = brio_lua_view_at(L, view);
  int link = brio_lua_view_link(L, view, 2);
  brio_vec3 axis = brio_lua_vec3(L, 3, "axis"), p = at->state->links[link].p;
  /* The direction need not be a unit vector: its length scales the row. */
  double length = brio_vec3_norm(axis), scale = scale_at(L, 4) * length;
  if (!(length > 0)) return 0;
  /* An arm of unit length at a right angle to the axis: crossed with a coordinate axis that is not
  ** near it. */
  brio_vec3 unit = brio_vec3_scale(1 / length, axis), aside = {0, 0, 0};
  *(fabs(unit.x) < 0.6 ? &aside.x : &aside.y) = 1;
  brio_vec3 along = brio_vec3_cross(unit, aside), arm = brio_vec3_scale(1 / brio_vec3_norm(along), along);
  /* (w x arm) . direction = w . (arm x direction) = w . unit */
  brio_vec3 direction = brio_vec3_cross(unit, arm);
  brio_state_add_point_row(at->state, link, brio_vec3_add(p, arm), direction, scale, numbers);
  brio_state_add_point_row(at->state, link, p, direction, -scale, numbers);
  return 0;
}

/* row:joint(name, slope)
** Adds a derivative by one joint's value. */
static int row_joint(lua_State *L) {
  double *numbers;
  const brio_lua_view *view = check_row(L, &numbers);
  brio_error err;
  /* A mimic joint has no coordinate of its own, so it is refused here. */
  int variable = brio_robot_variable(view->robot, luaL_checkstring(L, 2), &err);
  if (variable < 0) return luaL_error(L, "%s", err.message);
  numbers[BRIO_BASE_NV + variable] += brio_lua_number(L, 3, -HUGE_VAL, HUGE_VAL, "slope");
  return 0;
}

/* row:center_of_mass(direction [, scale])
** Adds the velocity of the center of mass along a direction. */
static int row_center_of_mass(lua_State *L) {
  double *numbers;
  const brio_lua_view *view = check_row(L, &numbers);
  const brio_evaluation *at = brio_lua_view_at(L, view);
  brio_vec3 direction = brio_vec3_scale(scale_at(L, 3), brio_lua_vec3(L, 2, "direction"));
  int nv = at->robot->nv;
  /* The Jacobian of the center of mass has 3 rows of nv numbers, which the view keeps as scratch. */
  double *room = view->room;
  memset(room, 0, 3 * (size_t)nv * sizeof *room);
  brio_state_com_jacobian(at->state, room);
  for (int i = 0; i < nv; i++)
    numbers[i] += direction.x * room[i] + direction.y * room[nv + i] + direction.z * room[2 * nv + i];
  return 0;
}

void brio_lua_objective_classes(lua_State *L) {
  static const luaL_Reg methods[] = {{"point", row_point}, {"turn", row_turn}, {"joint", row_joint},
                                     {"center_of_mass", row_center_of_mass}, {NULL, NULL}};
  brio_lua_class(L, ROW, methods, NULL);
}

void brio_lua_objective_functions(brio_objective_kind *record, bool by_cost, bool jacobian) {
  record->more = more;
  record->bind = bind;
  record->update = update;
  record->reset = reset;
  record->finish = finish;
  record->end = end;
  record->columns = columns;
  /* A cost without a gradient goes in as it is; everything else is a residual. */
  if (by_cost && !jacobian) {
    record->cost = cost;
  } else {
    record->rows = rows;
    record->residual = by_cost ? root_of_cost : residual;
  }
}
