/* Reads a world file into a world: lists of furniture, things and events, hands, the sensor. */
#include <stddef.h>
#include <string.h>

#include "lua/lua_args.h"
#include "lua/world/lua_world.h"
#include "world/body.h"
#include "world/doors/doors.h"
#include "world/fixture.h"
#include "world/event.h"
#include "world/furniture.h"
#include "world/things/hand.h"
#include "world/things/thing.h"

/* Raise unless the value at `index` is a table; `what` is its name. */
static void check_table(lua_State *L, int index, const char *what) {
  if (!lua_istable(L, index)) luaL_error(L, "%s must be a table, not %s", what, luaL_typename(L, index));
}

brio_vec3 brio_lua_world_place(lua_State *L, int index, const char *what) {
  /* With two numbers z remains NaN: the caller decides on the height. */
  double v[3] = {0, 0, NAN};
  size_t count = lua_istable(L, index) ? lua_rawlen(L, index) : 0;
  if (count < 2 || count > 3) luaL_error(L, "%s must be {x, y [, z]}", what);
  brio_lua_numbers(L, index, (int)count, v, what);
  return (brio_vec3){v[0], v[1], v[2]};
}

/* A field {x, y [, z]} of the table at `index`; false: it is absent. */
static bool field_place(lua_State *L, int index, const char *key, brio_vec3 *out) {
  bool there = lua_getfield(L, index, key) != LUA_TNIL;
  if (there) *out = brio_lua_world_place(L, lua_gettop(L), key);
  lua_pop(L, 1);
  return there;
}

/* Read an optional field {x, y, z} of the table at `index`; absent: `out` is unchanged. */
static void field_vec3(lua_State *L, int index, const char *key, brio_vec3 *out) {
  if (lua_getfield(L, index, key) != LUA_TNIL) *out = brio_lua_vec3(L, -1, key);
  lua_pop(L, 1);
}

void brio_lua_world_color(lua_State *L, int index, float color[3]) {
  double parts[3] = {NAN, NAN, NAN};
  /* Absent: NaN in each part, an unknown color. Comparisons with NaN are false, so it passes the check. */
  if (lua_getfield(L, index, "color") != LUA_TNIL) brio_lua_numbers(L, lua_gettop(L), 3, parts, "color");
  for (int k = 0; k < 3; k++) {
    if (parts[k] < 0 || parts[k] > 1) luaL_error(L, "color must be {red, green, blue}, each from 0 to 1");
    color[k] = (float)parts[k];
  }
  lua_pop(L, 1);
}

/* Add the piece of furniture at `index`. Lengths are in m, yaw in rad. Texts stay in the Lua table
** while the world copies them. Raises on errors. */
static void add_furniture(lua_State *L, brio_world *world, int index) {
  static const char *const keys[] = {"id",   "kind",  "shape", "at",     "yaw",
                                     "size", "board", "color", "hidden", NULL};
  brio_lua_only_keys(L, index, keys, "a piece of furniture");
  /* The shape by name; the number of shapes stands for an unknown one. */
  brio_furniture_form form = {.form = BRIO_NFURNITURE, .size = {0.8, 0.8, 0.75}};
  const char *shape = brio_lua_field_text(L, index, "shape", "table");
  for (int i = 0; i < BRIO_NFURNITURE; i++)
    if (strcmp(shape, brio_furniture_name((brio_furniture_kind)i)) == 0) form.form = (brio_furniture_kind)i;
  if (form.form == BRIO_NFURNITURE)
    luaL_error(L,
               "shape must be \"table\", \"bin\", \"chute\", \"box\", \"ramp\" or \"stairs\" of furniture, "
               "not \"%s\"",
               shape);
  /* The kind, which detections report, is the shape's name unless it is given. */
  form.id = brio_lua_field_text(L, index, "id", "");
  form.kind = brio_lua_field_text(L, index, "kind", shape);
  /* The position is required; without z it stands on the floor. */
  brio_vec3 at = {0, 0, 0};
  if (!field_place(L, index, "at", &at)) luaL_error(L, "furniture needs at = {x, y [, z]}");
  form.x = at.x;
  form.y = at.y;
  form.z = isnan(at.z) ? 0 : at.z;
  form.yaw = brio_lua_field_number(L, index, "yaw", -1e4, 1e4, 0);
  /* Its measures: the size of its box, and the thickness of its boards. */
  field_vec3(L, index, "size", &form.size);
  form.board = brio_lua_field_number(L, index, "board", 1e-3, 10, 0.02);
  form.hidden = brio_lua_field_flag(L, index, "hidden", false);
  brio_lua_world_color(L, index, form.color);
  brio_error err;
  if (!brio_world_add_furniture(world, &form, &err)) luaL_error(L, "%s", err.message);
}

/* Add the ball or box at `index`, which hands can grasp. Lengths are in m, yaw in rad, `from` in s. Raises
** on errors. */
static void add_thing(lua_State *L, brio_world *world, int index) {
  static const char *const keys[] = {"id",   "kind",  "shape",    "at",      "yaw",  "radius",
                                     "size", "color", "friction", "rolling", "mass", "from", NULL};
  brio_lua_only_keys(L, index, keys, "a thing of the world");
  brio_thing_form form = {.size = {0.06, 0.06, 0.1}};
  /* The shape: anything but a box must be a ball. */
  const char *shape = brio_lua_field_text(L, index, "shape", "ball");
  form.shape = strcmp(shape, "box") == 0 ? BRIO_THING_BOX : BRIO_THING_BALL;
  if (form.shape == BRIO_THING_BALL && strcmp(shape, "ball") != 0)
    luaL_error(L, "shape must be \"ball\" or \"box\" of a thing, not \"%s\"", shape);
  form.id = brio_lua_field_text(L, index, "id", "");
  form.kind = brio_lua_field_text(L, index, "kind", shape);
  form.radius = brio_lua_field_number(L, index, "radius", 5e-3, 10, 0.035);
  /* A thing without a place is not in the world until an event puts it somewhere: `from` is far in the
  ** future. Without z it lies on top of what is there. */
  brio_vec3 at = {0, 0, NAN};
  bool placed = field_place(L, index, "at", &at);
  form.x = at.x;
  form.y = at.y;
  form.z = at.z;
  form.yaw = brio_lua_field_number(L, index, "yaw", -1e4, 1e4, 0);
  field_vec3(L, index, "size", &form.size);
  /* The surface: how it slides and how it rolls; its mass (kg) counts with physics. */
  form.friction = brio_lua_field_number(L, index, "friction", 0, 1, 1);
  form.rolling = brio_lua_field_number(L, index, "rolling", 0, 1, 0.05);
  form.mass = brio_lua_field_number(L, index, "mass", 1e-3, 1e4, 0);
  form.from = brio_lua_field_number(L, index, "from", 0, 1e9, placed ? 0 : 1e9);
  brio_lua_world_color(L, index, form.color);
  brio_error err;
  if (!brio_world_add_thing(world, &form, &err)) luaL_error(L, "%s", err.message);
}

/* Add the hand of the robot at `index`: its link, the DOF that closes it, that DOF's values open and shut,
** and the space in which it grasps (m). Raises on errors. */
static void add_hand(lua_State *L, brio_world *world, int index) {
  static const char *const keys[] = {"name", "link",  "grip",  "open", "shut",
                                     "span", "reach", "grasp", "palm", NULL};
  brio_lua_only_keys(L, index, keys, "a hand");
  brio_world_hand_form form = {.name = brio_lua_field_text(L, index, "name", "")};
  form.link = brio_lua_field_text(L, index, "link", "");
  form.grip = brio_lua_field_text(L, index, "grip", "");
  form.open = brio_lua_field_number(L, index, "open", -1e3, 1e3, 0);
  form.shut = brio_lua_field_number(L, index, "shut", -1e3, 1e3, 0);
  form.span = brio_lua_field_number(L, index, "span", 1e-3, 1, 0.1);
  form.reach = brio_lua_field_number(L, index, "reach", 1e-3, 1, 0.05);
  form.palm = brio_lua_field_number(L, index, "palm", 0, 0.2, 0);
  field_vec3(L, index, "grasp", &form.grasp);
  brio_error err;
  if (!brio_world_add_hand(world, &form, &err)) luaL_error(L, "%s", err.message);
}

/* Add the upright cylinder at `index`, fixed to a link, to the robot's body: radius, and how far it goes
** below and above the link's origin (m). Raises on errors. */
static void add_body(lua_State *L, brio_world *world, int index) {
  static const char *const keys[] = {"link", "radius", "below", "above", NULL};
  brio_lua_only_keys(L, index, keys, "a part of the robot's body");
  brio_world_body_form form = {.link = brio_lua_field_text(L, index, "link", "")};
  form.radius = brio_lua_field_number(L, index, "radius", 0, 2, 0);
  form.below = brio_lua_field_number(L, index, "below", 0, 5, 0);
  form.above = brio_lua_field_number(L, index, "above", 0, 5, 0);
  brio_error err;
  if (!brio_world_add_body(world, &form, &err)) luaL_error(L, "%s", err.message);
}

/* Numbers of a door in a world file; the default depends on its handle. */
static const struct { const char *key; size_t offset;
} door_numbers[] = {
    {"width", offsetof(brio_door_settings, width)},
    {"height", offsetof(brio_door_settings, height)},
    {"thickness", offsetof(brio_door_settings, thickness)},
    {"most", offsetof(brio_door_settings, most)},
    {"angle", offsetof(brio_door_settings, angle)},
    {"handle_height", offsetof(brio_door_settings, handle_height)},
    {"inset", offsetof(brio_door_settings, inset)},
    {"length", offsetof(brio_door_settings, length)},
    {"off", offsetof(brio_door_settings, off)},
    {"free", offsetof(brio_door_settings, free)},
    {"handle_most", offsetof(brio_door_settings, handle_most)},
    {"inertia", offsetof(brio_door_settings, inertia)},
    {"friction", offsetof(brio_door_settings, friction)},
    {"damping", offsetof(brio_door_settings, damping)},
    {"closer", offsetof(brio_door_settings, closer)},
    {"closer_rise", offsetof(brio_door_settings, closer_rise)},
    {"grip", offsetof(brio_door_settings, grip)},
};

/* Whether the field has the word `yes`; `no`, the default: false. Raises on another word. */
static bool field_either(lua_State *L, int index, const char *key, const char *no, const char *yes) {
  const char *said = brio_lua_field_text(L, index, key, no);
  if (strcmp(said, yes) != 0 && strcmp(said, no) != 0)
    luaL_error(L, "%s must be \"%s\" or \"%s\" of a door, not \"%s\"", key, no, yes, said);
  return strcmp(said, yes) == 0;
}

/* Add the door at `index`: the pose of its doorway, directions, handle, and the numbers of `door_numbers`.
** Raises on errors. */
static void add_door(lua_State *L, brio_world *world, int index) {
  static const char *const keys[] = {
      "id",          "at",    "yaw",    "hinge",       "opens",   "handle",   "latch",         "locked",
      "color",       "width", "height", "thickness",   "most",    "angle",    "handle_height", "inset",
      "length",      "off",   "free",   "handle_most", "inertia", "friction", "damping",       "closer",
      "closer_rise", "grip",  NULL};
  brio_lua_only_keys(L, index, keys, "a door");
  /* The handle first: the other defaults depend on it. */
  const char *said = brio_lua_field_text(L, index, "handle", "lever");
  brio_door_handle handle = BRIO_DOOR_NHANDLE;
  for (int i = 0; i < BRIO_DOOR_NHANDLE; i++)
    if (strcmp(said, brio_door_handle_name((brio_door_handle)i)) == 0) handle = (brio_door_handle)i;
  if (handle == BRIO_DOOR_NHANDLE)
    luaL_error(L, "handle must be \"lever\", \"knob\", \"push_bar\" or \"pull\" of a door, not \"%s\"", said);
  brio_door_settings settings = brio_door_defaults(handle);
  /* The pose is the middle of the doorway on the floor, turned about the vertical. */
  brio_vec3 at = {0, 0, 0};
  if (!field_place(L, index, "at", &at)) luaL_error(L, "a door needs at = {x, y [, z]}");
  settings.pose.p = (brio_vec3){at.x, at.y, isnan(at.z) ? 0 : at.z};
  settings.pose.q = brio_quat_from_rpy(0, 0, brio_lua_field_number(L, index, "yaw", -1e4, 1e4, 0));
  /* The words and flags that give the direction and the lock. */
  settings.left = field_either(L, index, "hinge", "right", "left");
  settings.toward = field_either(L, index, "opens", "away", "toward");
  settings.latch = brio_lua_field_flag(L, index, "latch", settings.latch);
  settings.locked = brio_lua_field_flag(L, index, "locked", false);
  /* Each number is at its offset in the settings, with the handle's default. */
  for (size_t i = 0; i < sizeof door_numbers / sizeof *door_numbers; i++) {
    double *number = (double *)((char *)&settings + door_numbers[i].offset);
    *number = brio_lua_field_number(L, index, door_numbers[i].key, 0, 1e4, *number);
  }
  float color[3];
  brio_lua_world_color(L, index, color);
  brio_error err;
  if (!brio_world_add_door(world, brio_lua_field_text(L, index, "id", ""), &settings, color, &err))
    luaL_error(L, "%s", err.message);
}

/* Numbers of a drawer in a world file, most of them under the names of a door's. */
static const struct { const char *key; size_t offset;
} drawer_numbers[] = {
    {"thickness", offsetof(brio_door_settings, thickness)},
    {"most", offsetof(brio_door_settings, most)},
    {"open", offsetof(brio_door_settings, angle)},
    {"handle_height", offsetof(brio_door_settings, handle_height)},
    {"length", offsetof(brio_door_settings, length)},
    {"off", offsetof(brio_door_settings, off)},
    {"mass", offsetof(brio_door_settings, inertia)},
    {"friction", offsetof(brio_door_settings, friction)},
    {"damping", offsetof(brio_door_settings, damping)},
    {"closer", offsetof(brio_door_settings, closer)},
    {"grip", offsetof(brio_door_settings, grip)},
};

/* Add the drawer at `index`: where the middle of its front's lower edge is, and the numbers.  Raises on
** errors. */
static void add_drawer(lua_State *L, brio_world *world, int index) {
  static const char *const keys[] = {"id",     "at",    "yaw",       "locked",   "color",   "width",
                                     "height", "depth", "thickness", "most",     "open",    "handle_height",
                                     "length", "off",   "mass",      "friction", "damping", "closer",
                                     "grip",   NULL};
  brio_lua_only_keys(L, index, keys, "a drawer");
  /* Its size first: other defaults depend on it. */
  brio_door_settings settings = brio_drawer_defaults(brio_lua_field_number(L, index, "width", 0, 1e4, 0.4),
                                                     brio_lua_field_number(L, index, "height", 0, 1e4, 0.15),
                                                     brio_lua_field_number(L, index, "depth", 0, 1e4, 0.45));
  brio_vec3 at = {0, 0, 0};
  if (!field_place(L, index, "at", &at)) luaL_error(L, "a drawer needs at = {x, y [, z]}");
  settings.pose.p = (brio_vec3){at.x, at.y, isnan(at.z) ? 0 : at.z};
  settings.pose.q = brio_quat_from_rpy(0, 0, brio_lua_field_number(L, index, "yaw", -1e4, 1e4, 0));
  /* A lock is a latch that nothing frees. */
  settings.latch = settings.locked = brio_lua_field_flag(L, index, "locked", false);
  for (size_t i = 0; i < sizeof drawer_numbers / sizeof *drawer_numbers; i++) {
    double *number = (double *)((char *)&settings + drawer_numbers[i].offset);
    *number = brio_lua_field_number(L, index, drawer_numbers[i].key, 0, 1e4, *number);
  }
  float color[3];
  brio_lua_world_color(L, index, color);
  brio_error err;
  if (!brio_world_add_door(world, brio_lua_field_text(L, index, "id", ""), &settings, color, &err))
    luaL_error(L, "%s", err.message);
}

/* `bit` if the table at `index` has the field `key`, else 0. */
static unsigned given(lua_State *L, int index, const char *key, unsigned bit) {
  bool there = lua_getfield(L, index, key) != LUA_TNIL;
  lua_pop(L, 1);
  return there ? bit : 0;
}

void brio_lua_world_event(lua_State *L, brio_world *world, int index) {
  static const char *const keys[] = {"at",   "what", "every", "seconds", "id",
                                     "kind", "to",   "by",    "force",   NULL};
  brio_error err;
  brio_event event = {0};
  check_table(L, index, "an event of the world");
  brio_lua_only_keys(L, index, keys, "an event of the world");
  /* The kind of event by name; the error lists those that exist. */
  event.what = brio_disturbance_find(brio_lua_field_text(L, index, "what", ""), &err);
  if (!event.what) luaL_error(L, "%s", err.message);
  /* Times in s: when it happens, its period, and how long it lasts. */
  event.at = brio_lua_field_number(L, index, "at", 0, 1e9, 0);
  event.every = brio_lua_field_number(L, index, "every", 0, 1e9, 0);
  event.seconds = brio_lua_field_number(L, index, "seconds", 0, 1e9, 0);
  event.by = brio_lua_field_number(L, index, "by", -1e4, 1e4, 0);
  /* The texts are copied into the event, which outlives the table. */
  const char *id = brio_lua_field_text(L, index, "id", ""), *kind = brio_lua_field_text(L, index, "kind", "");
  if (strlen(id) >= sizeof event.id || strlen(kind) >= sizeof event.kind)
    luaL_error(L, "an event's id must have at most %d letters and its kind at most %d",
               (int)sizeof event.id - 1, (int)sizeof event.kind - 1);
  strcpy(event.id, id);
  strcpy(event.kind, kind);
  field_place(L, index, "to", &event.to);
  field_vec3(L, index, "force", &event.force);
  /* Note which fields were given: each kind of event needs some and refuses others. */
  event.given = given(L, index, "id", BRIO_EVENT_ID) | given(L, index, "kind", BRIO_EVENT_KIND) |
                given(L, index, "to", BRIO_EVENT_TO) | given(L, index, "seconds", BRIO_EVENT_SECONDS) |
                given(L, index, "by", BRIO_EVENT_BY) | given(L, index, "force", BRIO_EVENT_FORCE);
  if (!brio_world_add_event(world, &event, &err)) luaL_error(L, "%s", err.message);
}

/* Adapters: people and objects differ only in the default kind. */
static void add_person(lua_State *L, brio_world *world, int index) {
  brio_lua_world_add(L, world, index, "person");
}
static void add_object(lua_State *L, brio_world *world, int index) {
  brio_lua_world_add(L, world, index, "object");
}

/* The lists of a world file, in the order in which they are read. */
static const struct {
  const char *key;
  void (*add)(lua_State *L, brio_world *world, int index);
} lists[] = {
    {"hands", add_hand},   {"bodies", add_body},            {"people", add_person},
    {"objects", add_object}, {"furniture", add_furniture},  {"doors", add_door},
    {"drawers", add_drawer},
    {"things", add_thing}, {"walls", brio_lua_world_wall},  {"rooms", brio_lua_world_room},
    {"walkers", brio_lua_world_walker}, {"events", brio_lua_world_event},
};

lua_Integer brio_lua_world_list(lua_State *L, int index, const char *key) {
  if (lua_getfield(L, index, key) == LUA_TNIL) return 0;
  /* Only lists without holes: any other key would be ignored in silence. */
  if (!lua_istable(L, -1)) luaL_error(L, "%s must be a list, not %s", key, luaL_typename(L, -1));
  lua_Integer count = (lua_Integer)lua_rawlen(L, -1), there = 0;
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) there++;
  if (there != count) luaL_error(L, "%s must be a list: {..., ...}, without names or gaps", key);
  return count;
}

/* Add every item of the list in field `key` of the table at `index`, if it is there. */
static void add_list(lua_State *L, brio_world *world, int index, const char *key,
                     void (*one)(lua_State *L, brio_world *world, int index)) {
  lua_Integer count = brio_lua_world_list(L, index, key);
  /* Read the items in order, each at the top of the stack. */
  for (lua_Integer i = 1; i <= count; i++) {
    lua_rawgeti(L, -1, i);
    if (!lua_istable(L, -1))
      luaL_error(L, "each of the world's %s must be a table, not %s", key, luaL_typename(L, -1));
    one(L, world, lua_gettop(L));
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/* sensor.confusion = {kind = {other = share}}. */
static void read_confusion(lua_State *L, int index, brio_world_sensor *sensor) {
  /* Outer loop: the true kind. Inner loop: the kind reported instead, with the probability of that. */
  check_table(L, index, "confusion");
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING || !lua_istable(L, -1))
      luaL_error(L, "confusion must be {kind = {other = share}}");
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
      if (sensor->nconfusion == BRIO_WORLD_CONFUSIONS)
        /* Both names are copied into the sensor: the stack holds kind, table, other kind, share. */
        luaL_error(L, "confusion has at most %d shares", BRIO_WORLD_CONFUSIONS);
      if (lua_type(L, -2) != LUA_TSTRING) luaL_error(L, "confusion must be {kind = {other = share}}");
      brio_world_confusion *one = &sensor->confusion[sensor->nconfusion++];
      const char *kind = lua_tostring(L, -4), *as = lua_tostring(L, -2);
      if (strlen(kind) >= sizeof one->kind || strlen(as) >= sizeof one->as)
        luaL_error(L, "confusion: kinds have at most %d letters", (int)sizeof one->kind - 1);
      strcpy(one->kind, kind);
      strcpy(one->as, as);
      one->share = brio_lua_number(L, lua_gettop(L), 0, 1, "a share of confusion");
    }
  }
}

/* Set the sensor from the table at `at`. */
static void read_sensor(lua_State *L, brio_world *world, int at) {
  static const char *const keys[] = {"pose", "range",     "view",     "noise",       "dropout",   "rate",
                                     "link", "occlusion", "identity", "color_noise", "confusion", NULL};
  check_table(L, at, "the world's sensor");
  brio_lua_only_keys(L, at, keys, "the world's sensor");
  /* Begin with the plain sensor and set its numbers: m, rad, and reports per s (0: one each tick). */
  brio_world_sensor sensor = brio_world_sensor_plain();
  sensor.range = brio_lua_field_number(L, at, "range", 0, HUGE_VAL, HUGE_VAL);
  sensor.view = brio_lua_field_number(L, at, "view", 0, 2 * BRIO_PI, 2 * BRIO_PI);
  sensor.noise = brio_lua_field_number(L, at, "noise", 0, 1e3, 0);
  sensor.dropout = brio_lua_field_number(L, at, "dropout", 0, 1, 0);
  sensor.rate = brio_lua_field_number(L, at, "rate", 0, 1e6, 0);
  sensor.color_noise = brio_lua_field_number(L, at, "color_noise", 0, 1, 0);
  sensor.occlusion = brio_lua_field_flag(L, at, "occlusion", true);
  sensor.identity = brio_lua_field_flag(L, at, "identity", false);
  /* The link it is mounted on, and its pose there. */
  const char *link = brio_lua_field_text(L, at, "link", "");
  if (strlen(link) >= sizeof sensor.link) luaL_error(L, "the sensor's link has too long a name");
  strcpy(sensor.link, link);
  if (lua_getfield(L, at, "pose") != LUA_TNIL) sensor.pose = brio_lua_pose(L, -1, "the sensor's pose");
  lua_pop(L, 1);
  if (lua_getfield(L, at, "confusion") != LUA_TNIL) read_confusion(L, lua_gettop(L), &sensor);
  lua_pop(L, 1);
  brio_error err;
  if (!brio_world_set_sensor(world, &sensor, &err)) luaL_error(L, "%s", err.message);
}

/* Set the ground from the table at `at`. */
static void read_ground(lua_State *L, brio_world *world, int at) {
  static const char *const keys[] = {"soft", "friction", NULL};
  check_table(L, at, "the world's ground");
  brio_lua_only_keys(L, at, keys, "the world's ground");
  const brio_world_ground ground = {brio_lua_field_number(L, at, "soft", 0, BRIO_WORLD_SOFTEST, 0),
                                    brio_lua_field_number(L, at, "friction", 0, 10, 0)};
  brio_error err;
  if (!brio_world_set_ground(world, &ground, &err)) luaL_error(L, "%s", err.message);
}

void brio_lua_world_read(lua_State *L, brio_world *world, int index) {
  static const char *const keys[] = {"seed",  "sensor", "people",  "objects", "furniture",
                                     "doors", "things", "events",  "hands",   "bodies",
                                     "walls", "rooms",  "walkers", "depth",   "drawers",
                                     "ground", NULL};
  brio_lua_only_keys(L, index, keys, "world.new");
  /* The sensors first, then the lists, whose order is the table's. */
  if (lua_getfield(L, index, "sensor") != LUA_TNIL) read_sensor(L, world, lua_gettop(L));
  lua_pop(L, 1);
  if (lua_getfield(L, index, "ground") != LUA_TNIL) read_ground(L, world, lua_gettop(L));
  lua_pop(L, 1);
  if (lua_getfield(L, index, "depth") != LUA_TNIL) brio_lua_world_depth(L, world, lua_gettop(L));
  lua_pop(L, 1);
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    add_list(L, world, index, lists[i].key, lists[i].add);
}
