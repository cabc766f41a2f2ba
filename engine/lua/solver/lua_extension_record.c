/* Records of objectives, goal kinds and features, created from the tables that
** lua/brio/behavior/wants/objective.lua has checked. A record lives in a userdata; the table stays its user
** value 1, so that its texts and functions live as long. */
#include <lauxlib.h>
#include <string.h>

#include "lua/lua_args.h"
#include "lua/solver/lua_goal.h"
#include "lua/solver/lua_objective.h"
#include "lua/solver/lua_view.h"

#define OBJECTIVE "brio.objective_kind"
#define GOAL "brio.goal_kind"
#define FEATURE "brio.feature_kind"

enum { MOST_ROWS = 256, ROWS = 12 };

/* A goal kind: user value 1 the table. */
typedef struct goal_record {
  brio_goal_kind record;
  brio_lua_house *house;
  const char *fields[];
} goal_record;

/* A feature: user values: 1 the table, 2 the state that its function reads, 3 the reason why it has no
** value. */
typedef struct feature_record {
  brio_feature_kind record;
  brio_lua_house *house;
  brio_lua_view *view; /* NULL: not created yet */
} feature_record;

/* Return the userdata of a class that the value at `index` is, or has in its field `record`; NULL:
** neither. */
static const void *record_at(lua_State *L, int index, const char *class) {
  const void *record = luaL_testudata(L, index, class);
  if (record || !lua_istable(L, index)) return record;
  lua_pushliteral(L, "record");
  /* The stack is one higher now; rawget ignores metatables. */
  lua_rawget(L, index < 0 ? index - 1 : index);
  record = luaL_testudata(L, -1, class);
  lua_pop(L, 1);
  return record;
}

/* Return the text of a required field; it lives as long as the table. */
static const char *text(lua_State *L, const char *key) {
  const char *value = brio_lua_field_text(L, 1, key, NULL);
  if (!value || !value[0]) luaL_error(L, "%s must be a text that is not empty", key);
  return value;
}

/* Finish the userdata on the top: set its class and its table, and register it by its record. */
static void *keep(lua_State *L, const char *class) {
  /* User value 1 is the table, from which texts and functions are read later. */
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, -2, 1);
  luaL_newmetatable(L, class);
  lua_setmetatable(L, -2);
  brio_lua_house_remember(L, lua_touserdata(L, -1));
  return lua_touserdata(L, -1);
}

/* --- arguments of objectives --- */

/* The type in field `type` of the table at `index`; raises on another word. */
static brio_param_type type_of(lua_State *L, int index) {
  static const char *const types[] = {"number", "link", "joint", "flag", "vector", NULL};
  const char *name = brio_lua_field_text(L, index, "type", "");
  for (int i = 0; types[i]; i++)
    if (strcmp(types[i], name) == 0) return (brio_param_type)i;
  luaL_error(L, "an argument's type must be number, link, joint, flag or vector, not '%s'", name);
  return BRIO_PARAM_NUMBER;
}

/* Read one parameter, the table on the top of the stack. */
static void read_param(lua_State *L, brio_param *p, size_t offset) {
  int index = lua_gettop(L);
  *p = (brio_param){.type = type_of(L, index), .offset = offset};
  /* Texts belong to the table, which lives as long as the record. */
  p->name = brio_lua_field_text(L, index, "name", "");
  p->unit = brio_lua_field_text(L, index, "unit", "");
  p->doc = brio_lua_field_text(L, index, "doc", "");
  p->optional = brio_lua_field_flag(L, index, "optional", false);
  /* Only numbers and vectors have a range. */
  if (p->type == BRIO_PARAM_FLAG) p->fallback = brio_lua_field_flag(L, index, "default", false);
  if (p->type != BRIO_PARAM_NUMBER && p->type != BRIO_PARAM_VECTOR) return;
  p->lower = brio_lua_field_number(L, index, "lower", -HUGE_VAL, HUGE_VAL, -1e9);
  p->upper = brio_lua_field_number(L, index, "upper", -HUGE_VAL, HUGE_VAL, 1e9);
  if (p->type == BRIO_PARAM_NUMBER) {
    p->fallback = brio_lua_field_number(L, index, "default", p->lower, p->upper, 0);
  /* A vector's default; it is {0, 0, 0} otherwise. */
  } else if (lua_getfield(L, index, "default") != LUA_TNIL) {
    brio_lua_numbers(L, -1, 3, p->vector, "default");
  }
  lua_settop(L, index);
}

/* Read the list of parameters; return the size of an instance. */
static size_t read_params(lua_State *L, brio_lua_kind *kind) {
  size_t size = brio_lua_objective_size;
  lua_getfield(L, 1, "params");
  luaL_checktype(L, -1, LUA_TTABLE);
  lua_Unsigned count = lua_rawlen(L, -1);
  if (count > BRIO_LUA_PARAMS) luaL_error(L, "an objective has at most %d arguments", BRIO_LUA_PARAMS);
  /* Each parameter lies behind the one before it in the instance. */
  for (int i = 0; i < (int)count; i++) {
    lua_rawgeti(L, -1, i + 1);
    read_param(L, &kind->params[i], size);
    size += kind->params[i].type == BRIO_PARAM_VECTOR ? sizeof(brio_vec3) : sizeof(double);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return size;
}

/* Read the field `features`, {name = feature}: features that are not built in. */
static void read_features(lua_State *L, brio_lua_kind *kind) {
  int count = 0;
  if (lua_getfield(L, 1, "features") != LUA_TTABLE) {
    lua_pop(L, 1);
    return;
  }
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
    if (count == BRIO_LUA_OWN_FEATURES)
      luaL_error(L, "an objective reads at most %d features of its own", BRIO_LUA_OWN_FEATURES);
    /* A value that is not a feature, or a list item, is refused. */
    kind->features[count] = brio_lua_feature_kind(L, -1);
    if (!kind->features[count] || lua_type(L, -2) != LUA_TSTRING)
      luaL_error(L, "features must be features, by name");
    kind->feature_names[count++] = lua_tostring(L, -2);
  }
  lua_pop(L, 1);
}

/* --- objectives --- */

/* The loss of that name, or NULL. */
static const brio_loss_kind *find_loss(const char *name) {
  for (int i = 0; brio_loss_kinds[i]; i++)
    if (strcmp(brio_loss_kinds[i]->name, name) == 0) return brio_loss_kinds[i];
  return NULL;
}

/* Lively's loss that corresponds to a loss of brio's. */
static const brio_loss_kind *lively_of(const brio_loss_kind *loss) {
  if (loss == &brio_loss_cartesian) return &brio_loss_groove_cartesian;
  return loss == &brio_loss_joint ? &brio_loss_groove_joint : loss;
}

/* Whether field `key` of the table at 1 is a function; raises when it is anything else but nil. */
static bool has_function(lua_State *L, const char *key) {
  int type = lua_getfield(L, 1, key);
  lua_pop(L, 1);
  if (type != LUA_TNIL && type != LUA_TFUNCTION) luaL_error(L, "%s must be a function", key);
  return type == LUA_TFUNCTION;
}

/* The kind in the field `goal` of the table at 1, by name or as a record; NULL: the objective takes no
** goal. */
static const brio_goal_kind *read_goal_kind(lua_State *L) {
  const brio_goal_kind *kind = NULL;
  if (lua_getfield(L, 1, "goal") != LUA_TNIL) {
    brio_error err = {0};
    /* A name that is unknown has the nearest one in its error. */
    kind = lua_isstring(L, -1) ? brio_goal_kind_find(lua_tostring(L, -1), &err) : brio_lua_goal_kind(L, -1);
    if (!kind)
      luaL_error(L, "%s", err.message[0] ? err.message : "goal must be the name of a goal kind, or one");
  }
  lua_pop(L, 1);
  return kind;
}

/* extension.objective{name=, doc=, example=, category=, params=, residual= | cost=, [jacobian= | gradient=,
** update=, reset=, goal=, features=, proximity=, loss=, rows=, step=]} -> kind
** Creates the record of an objective written in Lua. */
int brio_lua_new_objective(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  /* All zeros: lists are ended by a NULL that nothing overwrites. */
  brio_lua_kind *kind = lua_newuserdatauv(L, sizeof *kind, 1);
  memset(kind, 0, sizeof *kind);
  kind->house = brio_lua_house_of(L);
  kind->rows = (int)brio_lua_field_number(L, 1, "rows", 1, MOST_ROWS, ROWS);
  /* Check which functions there are: a residual or a cost, not both; derivatives by a Jacobian or a
  ** gradient. */
  bool cost = has_function(L, "cost"), slope = has_function(L, "jacobian") || has_function(L, "gradient");
  has_function(L, "update"), has_function(L, "reset");
  if (has_function(L, "residual") == cost) luaL_error(L, "an objective has a residual or a cost");
  /* A cost is one row: the root of twice the cost, whose quadratic loss is the cost. */
  if (cost) kind->rows = 1;
  const char *loss = cost ? "quadratic" : brio_lua_field_text(L, 1, "loss", "cartesian");
  brio_objective_kind *record = &kind->record;
  *record = (brio_objective_kind){.name = text(L, "name"),
                                  .doc = text(L, "doc"),
                                  .example = text(L, "example"),
                                  .category = text(L, "category"),
                                  .params = kind->params,
                                  .context = kind,
                                  .needs = BRIO_NEEDS_COM,
                                  .loss = find_loss(loss)};
  /* The loss, and the one that Lively uses in its place. */
  if (!record->loss) luaL_error(L, "there is no loss '%s': see solver.losses()", loss);
  record->lively = lively_of(record->loss);
  if (brio_lua_field_flag(L, 1, "proximity", false)) record->needs |= BRIO_NEEDS_PAIRS;
  /* The goal and the arguments; these give the size of an instance. */
  record->goal = read_goal_kind(L);
  record->size = read_params(L, kind);
  /* Without derivatives: central differences with this step (rad and m), larger for a cost. */
  if (!slope) record->step = brio_lua_field_number(L, 1, "step", 1e-9, 0.1, cost ? 1e-4 : 1e-5);
  brio_lua_objective_functions(record, cost, slope);
  read_features(L, kind);
  /* The solver's own check comes last, over the complete record. */
  brio_error err;
  if (!brio_objective_kind_check(record, &err)) return brio_lua_failed(L, &err);
  keep(L, OBJECTIVE);
  return 1;
}

const brio_objective_kind *brio_lua_objective_kind(lua_State *L, int index) {
  const brio_lua_kind *kind = record_at(L, index, OBJECTIVE);
  return kind ? &kind->record : NULL;
}

/* --- goal kinds --- */

/* Read the names in the list `key` to `fields`; return how many. */
static int read_names(lua_State *L, const char *key, const char **fields, int room) {
  int count = 0;
  if (lua_getfield(L, 1, key) == LUA_TTABLE) {
    count = (int)lua_rawlen(L, -1);
    if (count > room) luaL_error(L, "%s are at most %d", key, room);
    for (int i = 0; i < count; i++) {
      if (lua_rawgeti(L, -1, i + 1) != LUA_TSTRING) luaL_error(L, "%s must be a list of names", key);
      fields[i] = lua_tostring(L, -1);
      lua_pop(L, 1);
    }
  }
  lua_pop(L, 1);
  return count;
}

/* extension.goal_kind{name=, doc=, example=, fields=, [items=, least=, most=, check=]} -> kind
** Creates the record of a goal kind: `fields` names its numbers, `items` those of each item of its list. */
int brio_lua_new_goal_kind(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  /* Behind the record there is room for the names of all numbers that a goal can have. */
  goal_record *goal = lua_newuserdatauv(L, sizeof *goal + BRIO_GOAL_NUMBERS * sizeof *goal->fields, 1);
  goal->house = brio_lua_house_of(L);
  goal->record = (brio_goal_kind){
      .name = text(L, "name"), .doc = text(L, "doc"), .example = text(L, "example"), .fields = goal->fields};
  /* Names of the fixed numbers, then those of one item. */
  brio_goal_kind *record = &goal->record;
  record->count = read_names(L, "fields", goal->fields, BRIO_GOAL_NUMBERS);
  record->item = read_names(L, "items", goal->fields + record->count, BRIO_GOAL_NUMBERS - record->count);
  /* Bounds of the list: no more items than numbers of a goal have room for. */
  if (record->item) {
    record->least = (int)brio_lua_field_number(L, 1, "least", 0, BRIO_GOAL_ITEMS, 1);
    int room = (BRIO_GOAL_NUMBERS - record->count) / record->item;
    record->most = (int)brio_lua_field_number(L, 1, "most", 1, BRIO_GOAL_ITEMS,
                                              room < BRIO_GOAL_ITEMS ? room : BRIO_GOAL_ITEMS);
  }
  if (has_function(L, "check")) record->check = brio_lua_goal_check;
  brio_error err;
  if (!brio_goal_kind_check(record, &err)) return brio_lua_failed(L, &err);
  keep(L, GOAL);
  return 1;
}

const brio_goal_kind *brio_lua_goal_kind(lua_State *L, int index) {
  const goal_record *goal = record_at(L, index, GOAL);
  return goal ? &goal->record : NULL;
}

/* Call check(value): the error that it raises, or returns after false, is the message. */
static int call_check(lua_State *L) {
  const brio_goal *goal = lua_touserdata(L, 1);
  /* Stack: 1 the goal, then the record, its table, the function. */
  brio_lua_house_push(L, goal->kind);
  lua_getiuservalue(L, -1, 1);
  lua_getfield(L, -1, "check");
  brio_lua_goal_push(L, goal);
  lua_call(L, 1, 2);
  /* Any other result accepts the goal. */
  if (lua_isboolean(L, -2) && !lua_toboolean(L, -2))
    return luaL_error(L, "%s", lua_isstring(L, -1) ? lua_tostring(L, -1) : "it is refused");
  return 0;
}

bool brio_lua_goal_check(brio_goal *goal, brio_error *err) {
  /* The record is the first member of the userdata's content. */
  brio_lua_house *house = ((const goal_record *)(const void *)goal->kind)->house;
  brio_lua_house_enter(house);
  bool good = brio_lua_house_call(house, call_check, goal);
  brio_lua_house_leave(house);
  if (good) return true;
  /* A goal's error is shown to the author without the traceback. */
  const char *message = lua_tostring(house->co, -1), *trace = strstr(message, "\nstack traceback:");
  brio_fail(err, BRIO_MISUSE, "a %s goal: %.*s", goal->kind->name, trace ? (int)(trace - message) : 400,
            message);
  lua_pop(house->co, 1);
  return false;
}

/* --- features --- */

/* extension.feature{name=, doc=, unit=, count=, compute=} -> kind
** Creates the record of a feature written in Lua. */
int brio_lua_new_feature(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  feature_record *feature = lua_newuserdatauv(L, sizeof *feature, 3);
  *feature = (feature_record){.house = brio_lua_house_of(L)};
  /* A feature may read the center of mass, so that is always computed for it. */
  feature->record = (brio_feature_kind){.name = text(L, "name"),
                                        .doc = text(L, "doc"),
                                        .unit = brio_lua_field_text(L, 1, "unit", ""),
                                        .needs = BRIO_NEEDS_COM,
                                        .compute = brio_lua_feature_compute};
  feature->record.count = (int)brio_lua_field_number(L, 1, "count", 1, BRIO_FEATURE_NUMBERS, 1);
  if (!has_function(L, "compute")) luaL_error(L, "a feature needs the function compute");
  brio_error err;
  if (!brio_feature_kind_check(&feature->record, &err)) return brio_lua_failed(L, &err);
  keep(L, FEATURE);
  return 1;
}

const brio_feature_kind *brio_lua_feature_kind(lua_State *L, int index) {
  const feature_record *feature = record_at(L, index, FEATURE);
  return feature ? &feature->record : NULL;
}

/* A computation, as argument of the function that runs protected. */
typedef struct computing {
  feature_record *feature;
  const brio_evaluation *at;
  double *out;
} computing;

/* Push the state that the feature, at index 2, reads: created again for another robot. */
static void push_state(lua_State *L, feature_record *feature, const brio_evaluation *at) {
  if (!feature->view || feature->view->robot != at->robot) {
    feature->view = NULL;
    lua_newtable(L);
    feature->view = brio_lua_view_push(L, at->robot, -1);
    lua_remove(L, -2);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, 2, 2);
  } else {
    lua_getiuservalue(L, 2, 2);
  }
}

/* Protected: compute the feature into `out`. Stack: 1 the computation, 2 the record, 3 its table, results
** from 4 on. */
static int call_compute(lua_State *L) {
  computing *c = lua_touserdata(L, 1);
  brio_lua_house_push(L, &c->feature->record);
  lua_getiuservalue(L, 2, 1);
  lua_getfield(L, -1, "compute");
  /* The state is valid during this call only; a new count makes past tables be filled again. */
  push_state(L, c->feature, c->at);
  c->feature->view->at = c->at;
  c->feature->view->solves++;
  lua_call(L, 1, LUA_MULTRET);
  /* The number of results is fixed; each must be finite. */
  int count = c->feature->record.count, n = lua_gettop(L) - 3;
  if (n != count)
    return luaL_error(L, "the feature '%s' must return %d numbers, not %d", c->feature->record.name, count,
                      n);
  for (int i = 0; i < count; i++)
    c->out[i] = brio_lua_number(L, 4 + i, -HUGE_VAL, HUGE_VAL, "what a feature returns");
  return 0;
}

bool brio_lua_feature_compute(const brio_feature_kind *kind, const brio_evaluation *at, double *out) {
  computing c = {(feature_record *)(uintptr_t)kind, at, out};
  brio_lua_house *house = c.feature->house;
  bool good = brio_lua_house_call(house, call_compute, &c);
  if (c.feature->view) c.feature->view->at = NULL;
  if (good) return true;
  /* Keep the message as the feature's reason, for those who read it. */
  brio_lua_house_push(house->co, kind);
  lua_insert(house->co, -2);
  lua_setiuservalue(house->co, -2, 3);
  lua_pop(house->co, 1);
  return false;
}
