/* brio.physics: the robot simulated with mass, motors and contact. */
#include <stdlib.h>
#include <string.h>

#include "lua/lua_args.h"
#include "lua/lua_box.h"
#include "lua/robot/lua_robot.h"
#include "lua/world/lua_world.h"
#include "physics/physics.h"
#include "runtime/job.h"

#define CLASS "brio.physics"
#define CHANGE "brio.physics.change"

static brio_physics *physics_at(lua_State *L, int arg) {
  return brio_lua_box_check(L, arg, CLASS);
}

/* __gc: the devices are closed by now. */
static int collect(lua_State *L) {
  brio_physics_free(brio_lua_box_empty(L, CLASS));
  return 0;
}

/* physics.find(name) -> {name =, release =} | nil, sentence, code
** Loads a physics library ("mujoco"); release is the version of the library that is installed. */
static int find_library(lua_State *L) {
  brio_error err;
  const brio_physics_library *library = brio_physics_find(luaL_checkstring(L, 1), &err);
  if (!library) return brio_lua_failed(L, &err);
  lua_createtable(L, 0, 2);
  lua_pushstring(L, library->name);
  lua_setfield(L, -2, "name");
  lua_pushinteger(L, library->release());
  lua_setfield(L, -2, "release");
  return 1;
}

/* The list of links in the field `touches`, which the table at 1 keeps alive. */
static int read_touches(lua_State *L, const char *links[BRIO_ASSEMBLY_TOUCHES]) {
  int count = 0;
  if (lua_getfield(L, 1, "touches") == LUA_TTABLE)
    for (; count < BRIO_ASSEMBLY_TOUCHES && lua_rawgeti(L, -1, count + 1) != LUA_TNIL; count++) {
      links[count] = luaL_checkstring(L, -1);
      lua_pop(L, 1);
    }
  return count;
}

/* Read the transmission of a joint from the table at `row`. */
static brio_model_transmission read_transmission(lua_State *L, int row) {
  static const char *const keys[] = {"rotor", "stiffness", "damping", "backlash", NULL};
  brio_lua_only_keys(L, row, keys, "transmissions");
  /* Fields without a value are 0: they are not there. */
  return (brio_model_transmission){.rotor = brio_lua_field_number(L, row, "rotor", 0, 1e4, 0),
                                   .stiffness = brio_lua_field_number(L, row, "stiffness", 0, 1e9, 0),
                                   .damping = brio_lua_field_number(L, row, "damping", 0, 1e6, 0),
                                   .backlash = brio_lua_field_number(L, row, "backlash", 0, 1, 0)};
}

/* The field `transmissions`, a table by joint, as a list by variable on top of the stack, which lives as
** long as that; NULL, and nil there: there are none. */
static const brio_model_transmission *read_transmissions(lua_State *L, const brio_robot *robot) {
  if (lua_getfield(L, 1, "transmissions") == LUA_TNIL) return NULL;
  luaL_argcheck(L, lua_istable(L, -1), 1, "transmissions must be a table by joint");
  int table = lua_gettop(L), row = table + 3; /* the list, the key, the value */
  size_t size = ((size_t)robot->nvariable + 1) * sizeof(brio_model_transmission);
  brio_model_transmission *list = lua_newuserdatauv(L, size, 0);
  memset(list, 0, size);
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    brio_error err;
    /* A key that is a number would be changed by lua_tostring, and the loop with it. */
    luaL_argcheck(L, lua_type(L, row - 1) == LUA_TSTRING && lua_istable(L, row), 1,
                  "transmissions must be tables by names of joints");
    int variable = brio_robot_variable(robot, lua_tostring(L, row - 1), &err);
    if (variable < 0) luaL_error(L, "transmissions: %s", err.message);
    list[variable] = read_transmission(L, row);
  }
  return list;
}

/* physics.new{library =, robot =, world =, massless =, bare =, floats =, base =, down =, imu =, touches =,
** transmissions =} -> physics | nil, sentence, code
** Simulates a robot among the furniture, walls, things and doors of a world
** (docs/behaviors/physics.md), by a library ("mujoco").  Simulators that are opened with this world
** afterwards move its joints.  massless is the mass of links that move and have none (kg); 0: they are
** refused.  bare: links without a shape touch nothing; otherwise a box is made up for them.  floats: its base
** is free, and begins at the pose `base`, or set down on the floor; with down, set down from that pose.
** imu is a link with an inertial unit, touches a list of links that feel what presses on them.  transmissions
** has for names of joints {rotor =, stiffness =, damping =, backlash =}: kg m^2, N m/rad, N m s/rad and rad,
** or kg, N/m, N s/m and m. */
static int new_physics(lua_State *L) {
  static const char *const keys[] = {"library", "robot", "world", "massless", "bare", "floats",
                                     "base",    "down",  "imu",   "touches",  "transmissions",
                                     NULL};
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  brio_lua_only_keys(L, 1, keys, "physics.new");
  brio_error err;
  brio_physics_options options = {.massless = brio_lua_field_number(L, 1, "massless", 0, 10, 0)};
  options.simulator = brio_physics_find(brio_lua_field_text(L, 1, "library", "mujoco"), &err);
  if (!options.simulator) return brio_lua_failed(L, &err);
  const char *links[BRIO_ASSEMBLY_TOUCHES], *imu = brio_lua_field_text(L, 1, "imu", "");
  brio_pose base;
  options.floats = brio_lua_field_flag(L, 1, "floats", false);
  options.bare = brio_lua_field_flag(L, 1, "bare", false);
  options.down = brio_lua_field_flag(L, 1, "down", false);
  options.imu = *imu ? imu : NULL;
  options.ntouch = read_touches(L, links);
  options.touches = links;
  if (lua_getfield(L, 1, "base") != LUA_TNIL) {
    base = brio_lua_pose(L, -1, "base");
    options.base = &base;
  }
  lua_settop(L, 1);
  brio_lua_box *box = brio_lua_box_new(L, CLASS);
  lua_getfield(L, 1, "robot");
  options.robot = brio_lua_robot_check(L, -1);
  lua_getfield(L, 1, "world");
  options.world = brio_lua_world_check(L, -1);
  options.transmissions = read_transmissions(L, options.robot);
  /* The table keeps robot and world alive. */
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, 2, 1);
  box->thing = brio_physics_new(&options, &err);
  if (!box->thing) return brio_lua_failed(L, &err);
  lua_settop(L, 2);
  return 1;
}

/* Push `count` numbers as a list. */
static void push_numbers(lua_State *L, const float *numbers, int count) {
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_pushnumber(L, (lua_Number)numbers[i]);
    lua_rawseti(L, -2, i + 1);
  }
}

/* physics:look()
** Takes the newest state of base, things, doors and sensors, as each tick of a run does: for those who step
** the devices themselves (actuator:step).  What has hardly moved since (20 um, 0.2 mrad, 1 cm/s) stays. */
static int look(lua_State *L) {
  const brio_world_mover *mover = brio_physics_mover(physics_at(L, 1));
  mover->look(mover->context);
  return 0;
}

/* physics:base() -> {position, orientation, velocity, turn} | nil
** The base as of the newest tick, if it is free: m, x y z w, m/s, rad/s, in the world. */
static int get_base(lua_State *L) {
  static const struct {
    const char *name;
    int first, count;
  } fields[] = {{"position", 0, 3}, {"orientation", 3, 4}, {"velocity", 7, 3}, {"turn", 10, 3}};
  const brio_world_mover *mover = brio_physics_mover(physics_at(L, 1));
  const brio_world_moved *row = mover->base(mover->context);
  if (!row) return 0;
  lua_createtable(L, 0, 4);
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    push_numbers(L, row->numbers + fields[i].first, fields[i].count);
    lua_setfield(L, -2, fields[i].name);
  }
  return 1;
}

/* physics:sensed() -> imu | nil, {[index] = force}
** What the newest tick changed: the inertial unit's acceleration (m/s^2), rate (rad/s) and orientation; and
** the forces on links that feel (N), by their index in `touches`. */
static int get_sensed(lua_State *L) {
  const brio_physics *physics = physics_at(L, 1);
  const brio_world_moved *imu = brio_physics_sensed(physics, -1);
  lua_pushnil(L);
  if (imu) {
    lua_createtable(L, 0, 3);
    push_numbers(L, imu->numbers, 3);
    lua_setfield(L, -2, "acceleration");
    push_numbers(L, imu->numbers + 3, 3);
    lua_setfield(L, -2, "rate");
    push_numbers(L, imu->numbers + 6, 4);
    lua_setfield(L, -2, "orientation");
  }
  lua_newtable(L);
  for (int i = 0; i < BRIO_ASSEMBLY_TOUCHES; i++) {
    const brio_world_moved *row = brio_physics_sensed(physics, i);
    if (!row) continue;
    lua_pushnumber(L, (lua_Number)row->numbers[0]);
    lua_rawseti(L, -2, i + 1);
  }
  return 2;
}

/* physics:contacts() -> {{body, other, position, force, press, shear}, ...} | nil
** What touches what as of the newest step: names of links, things, "floor" and others, m and N in the world;
** `force` acts on `other`, `press` is its part along the normal, `shear` that across it.  nil: not known yet,
** ask again in the next tick.  Of a crowd the first 128. */
static int get_contacts(lua_State *L) {
  int count;
  const brio_physics_contact *list = brio_physics_contacts(physics_at(L, 1), &count);
  if (!list) return 0;
  lua_createtable(L, count, 0);
  for (int i = 0, made = 0; i < count; i++) {
    const brio_physics_contact *contact = &list[i];
    /* What is only near presses nothing. */
    if (!(contact->press > 0)) continue;
    lua_createtable(L, 0, 6);
    lua_pushstring(L, contact->body);
    lua_setfield(L, -2, "body");
    lua_pushstring(L, contact->other);
    lua_setfield(L, -2, "other");
    brio_lua_push_vec3(L, contact->at);
    lua_setfield(L, -2, "position");
    brio_lua_push_vec3(L, contact->force);
    lua_setfield(L, -2, "force");
    lua_pushnumber(L, contact->press);
    lua_setfield(L, -2, "press");
    lua_pushnumber(L, contact->shear);
    lua_setfield(L, -2, "shear");
    lua_rawseti(L, -2, ++made);
  }
  return 1;
}

/* physics:push(link, seconds, force [, torque]) -> true | nil, sentence, code
** Pushes a link at its centre of mass for that time: N and N m, in world axes.  Pushes add up. */
static int push(lua_State *L) {
  brio_error err;
  brio_physics *physics = physics_at(L, 1);
  const char *link = luaL_checkstring(L, 2);
  double seconds = luaL_checknumber(L, 3);
  brio_vec3 force = brio_lua_vec3(L, 4, "force"), torque = {0, 0, 0};
  if (!lua_isnoneornil(L, 5)) torque = brio_lua_vec3(L, 5, "torque");
  if (!brio_physics_push(physics, link, force, torque, seconds, &err)) return brio_lua_failed(L, &err);
  lua_pushboolean(L, true);
  return 1;
}

/* physics:model() -> text | nil, sentence, code
** The model in MJCF, with the world as it is now: what MuJoCo itself opens. */
static int get_model(lua_State *L) {
  brio_text text = {0};
  brio_error err;
  bool good = brio_physics_write(physics_at(L, 1), &text, &err);
  if (good) lua_pushlstring(L, text.bytes, text.length);
  brio_text_end(&text);
  return good ? 1 : brio_lua_failed(L, &err);
}

/* A model of other contents, which a thread compiles: shared by the change and the thread. */
typedef struct change_task {
  const brio_physics *physics;
  brio_assembly *assembly; /* NULL: it was handed over */
  bool good;
  brio_error err;
} change_task;

typedef struct change_box {
  change_task *task;
  brio_job *job; /* NULL: nobody compiles it */
} change_box;

static void compile_task(void *of) {
  change_task *task = of;
  task->good = brio_physics_compile(task->physics, task->assembly, &task->err);
}

static void end_task(void *of) {
  change_task *task = of;
  brio_assembly_free(task->assembly);
  free(task);
}

/* __gc: wait for the thread, as it reads the physics. */
static int collect_change(lua_State *L) {
  change_box *box = luaL_checkudata(L, 1, CHANGE);
  if (box->job) brio_job_wait(box->job);
  if (box->job) brio_job_free(box->job);
  else if (box->task) end_task(box->task);
  *box = (change_box){NULL, NULL};
  return 0;
}

/* physics:prepare(world) -> change | nil, sentence, code
** Begins a model of the contents of another world, which change:compile makes. */
static int prepare(lua_State *L) {
  brio_error err;
  const brio_physics *physics = physics_at(L, 1);
  brio_world *contents = brio_lua_world_check(L, 2);
  change_box *box = lua_newuserdatauv(L, sizeof *box, 1);
  *box = (change_box){NULL, NULL};
  luaL_setmetatable(L, CHANGE);
  /* The physics outlives the change. */
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, -2, 1);
  box->task = calloc(1, sizeof *box->task);
  if (!box->task) return luaL_error(L, "no memory for a model of physics");
  box->task->physics = physics;
  box->task->assembly = brio_physics_prepare(physics, contents, &err);
  if (!box->task->assembly) return brio_lua_failed(L, &err);
  return 1;
}

/* change:compile() -> true | nil, sentence, code
** Begins to compile the model, in a thread of its own. */
static int compile_change(lua_State *L) {
  change_box *box = luaL_checkudata(L, 1, CHANGE);
  brio_error err;
  if (box->job) return luaL_error(L, "the model is being compiled already");
  box->job = brio_job_begin(compile_task, end_task, box->task, &err);
  if (!box->job) return brio_lua_failed(L, &err);
  lua_pushboolean(L, true);
  return 1;
}

/* change:result([wait]) -> true | false, sentence | nil
** Whether the model was compiled; nil: not yet.  With `wait` it blocks until then. */
static int change_result(lua_State *L) {
  change_box *box = luaL_checkudata(L, 1, CHANGE);
  if (box->job && lua_toboolean(L, 2)) brio_job_wait(box->job);
  if (!box->job || !brio_job_over(box->job)) return 0;
  lua_pushboolean(L, box->task->good);
  if (box->task->good) return 1;
  lua_pushstring(L, box->task->err.message);
  return 2;
}

/* physics:change(change) -> true | nil, sentence, code
** Simulates that model from the next step on, in the state of the present one; the world's contents are to be
** exchanged next (world:exchange).  One that was not compiled is for replays, whose bodies are on the
** tape. */
static int change_contents(lua_State *L) {
  brio_physics *physics = physics_at(L, 1);
  change_box *box = luaL_checkudata(L, 2, CHANGE);
  brio_error err;
  if (!box->task || !box->task->assembly || (box->job && !brio_job_over(box->job)))
    return luaL_error(L, "there is no model to change to");
  if (!brio_physics_change(physics, box->task->assembly, &err)) return brio_lua_failed(L, &err);
  box->task->assembly = NULL;
  lua_pushboolean(L, true);
  return 1;
}

/* physics:fault() -> sentence | nil Why the simulation has stopped: a motion that is no number, too fast, or
** bodies deep in each other, with the body and the time.  nil: it goes on. */
static int fault(lua_State *L) {
  lua_pushstring(L, brio_physics_fault_of(physics_at(L, 1)));
  return 1;
}

/* physics:notes() -> {sentence, ...}
** What was made up for the model: masses and shapes of links that have none. */
static int notes(lua_State *L) {
  const char *at = brio_physics_notes(physics_at(L, 1));
  lua_newtable(L);
  /* One a line. */
  for (int n = 1; *at; n++) {
    size_t length = strcspn(at, "\n");
    lua_pushlstring(L, at, length);
    lua_rawseti(L, -2, n);
    at += length + (at[length] == '\n');
  }
  return 1;
}

int luaopen_brio_physics(lua_State *L);

/* Create the class and the module. */
int luaopen_brio_physics(lua_State *L) {
  static const luaL_Reg methods[] = {{"fault", fault},
                                     {"notes", notes},
                                     {"look", look},
                                     {"base", get_base},
                                     {"sensed", get_sensed},
                                     {"contacts", get_contacts},
                                     {"push", push},
                                     {"model", get_model},
                                     {"prepare", prepare},
                                     {"change", change_contents},
                                     {NULL, NULL}};
  static const luaL_Reg of_changes[] = {{"compile", compile_change}, {"result", change_result}, {NULL, NULL}};
  brio_lua_class(L, CHANGE, of_changes, collect_change);
  static const luaL_Reg functions[] = {{"find", find_library}, {"new", new_physics}, {NULL, NULL}};
  brio_lua_class(L, CLASS, methods, collect);
  luaL_newlib(L, functions);
  return 1;
}
