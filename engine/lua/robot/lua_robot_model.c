/* What a robot model is made of: links, joints, shapes, loops. */
#include "lua/lua_args.h"
#include "lua/robot/lua_robot.h"

/* Set a field of the table on top to a pose. */
static void set_pose(lua_State *L, const char *key, brio_pose value) {
  brio_lua_push_pose(L, value);
  lua_setfield(L, -2, key);
}

/* robot:links() -> list of texts
** The names of all links, parents before children, the root first. */
static int links(lua_State *L) {
  const brio_robot *robot = brio_lua_robot_check(L, 1);
  lua_createtable(L, robot->nlink, 0);
  for (int i = 0; i < robot->nlink; i++) {
    lua_pushstring(L, robot->links[i].name);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* robot:link(name) -> table
** name, parent and joint (absent for the root), mass (kg), com (centre of mass in the link, m),
** inertia (about it: xx xy xz yy yz zz, kg m^2). */
static int link(lua_State *L) {
  const brio_robot *robot = brio_lua_robot_check(L, 1);
  const brio_link *one = &robot->links[brio_lua_robot_find(L, robot, 2, brio_robot_link)];
  lua_createtable(L, 0, 6);
  brio_lua_set_text(L, "name", one->name);
  /* The root has neither a parent nor a joint. */
  if (one->parent >= 0) brio_lua_set_text(L, "parent", robot->links[one->parent].name);
  if (one->joint >= 0) brio_lua_set_text(L, "joint", robot->joints[one->joint].name);
  brio_lua_set_number(L, "mass", one->mass);
  brio_lua_set_vec3(L, "com", one->com);
  brio_lua_push_numbers(L, one->inertia, 6);
  lua_setfield(L, -2, "inertia");
  return 1;
}

/* robot:joints() -> list of texts
** The names of all joints, in the order of the file. */
static int joints(lua_State *L) {
  const brio_robot *robot = brio_lua_robot_check(L, 1);
  lua_createtable(L, robot->njoint, 0);
  for (int i = 0; i < robot->njoint; i++) {
    lua_pushstring(L, robot->joints[i].name);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* robot:joint(name) -> table
** name, type, parent, child, origin (pose in the parent), axis (in the joint), damping, friction, armature
** (inertia of the rotor behind the gear, kg m^2 or kg), stiffness (of a spring, N m/rad or N/m), springref
** (where that rests, rad or m), variables (names of what moves it), mimic ({joint, multiplier, offset},
** absent without). */
static int joint(lua_State *L) {
  const brio_robot *robot = brio_lua_robot_check(L, 1);
  const brio_joint *one = &robot->joints[brio_lua_robot_find(L, robot, 2, brio_robot_joint)];
  lua_createtable(L, 0, 13);
  brio_lua_set_text(L, "name", one->name);
  brio_lua_set_text(L, "type", brio_joint_type_name(one->type));
  brio_lua_set_text(L, "parent", robot->links[one->parent].name);
  brio_lua_set_text(L, "child", robot->links[one->child].name);
  set_pose(L, "origin", brio_pose_of(&one->origin));
  brio_lua_set_vec3(L, "axis", one->axis);
  brio_lua_set_number(L, "damping", one->damping);
  brio_lua_set_number(L, "friction", one->friction);
  brio_lua_set_number(L, "armature", one->armature);
  brio_lua_set_number(L, "stiffness", one->stiffness);
  brio_lua_set_number(L, "springref", one->springref);
  /* Variables: none for a fixed joint, several for a planar or a floating one. */
  lua_createtable(L, one->nvariable, 0);
  for (int k = 0; k < one->nvariable; k++) {
    lua_pushstring(L, robot->variables[one->variable + k].name);
    lua_rawseti(L, -2, k + 1);
  }
  lua_setfield(L, -2, "variables");
  /* A mimic joint follows another one's value. */
  if (one->mimic < 0) return 1;
  lua_createtable(L, 0, 3);
  brio_lua_set_text(L, "joint", robot->joints[one->mimic].name);
  brio_lua_set_number(L, "multiplier", one->multiplier);
  brio_lua_set_number(L, "offset", one->offset);
  lua_setfield(L, -2, "mimic");
  return 1;
}

/* Set field "points" of the table on top: the corners of a hull, each {x, y, z}. */
static void set_points(lua_State *L, const brio_shape *shape) {
  lua_createtable(L, shape->npoint, 0);
  for (int i = 0; i < shape->npoint; i++) {
    brio_lua_push_vec3(L, shape->points[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "points");
}

/* Push a list with a table for each shape of a link: see robot:collisions. */
static int push_shapes(lua_State *L, const brio_robot *robot, const brio_link_shape *shapes, int count) {
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_createtable(L, 0, 8);
    brio_lua_set_text(L, "name", shapes[i].name);
    brio_lua_set_text(L, "link", robot->links[shapes[i].link].name);
    set_pose(L, "pose", shapes[i].pose);
    brio_lua_set_text(L, "kind", brio_shape_kind_name(shapes[i].shape.kind));
    brio_lua_set_vec3(L, "size", shapes[i].shape.size);
    brio_lua_set_number(L, "corners", shapes[i].shape.npoint);
    if (shapes[i].mesh) brio_lua_set_text(L, "mesh", shapes[i].mesh);
    if (shapes[i].shape.npoint) set_points(L, &shapes[i].shape);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* robot:collisions() -> list of tables
** The shapes for collisions: name, link, pose (in the link), kind ("sphere", "capsule", "box",
** "cylinder", "hull"), size (m, by kind), corners (how many a hull has), points (a hull's corners,
** m, in the shape's frame), mesh (its file, absent without). */
static int collisions(lua_State *L) {
  const brio_robot *robot = brio_lua_robot_check(L, 1);
  return push_shapes(L, robot, robot->collisions, robot->ncollision);
}

/* robot:visuals() -> list of tables
** The shapes for drawing, with the fields of `collisions`. */
static int visuals(lua_State *L) {
  const brio_robot *robot = brio_lua_robot_check(L, 1);
  return push_shapes(L, robot, robot->visuals, robot->nvisual);
}

/* Push {links = names of two, ...}; the caller adds fields. */
static void push_pair(lua_State *L, const brio_robot *robot, const int links[2], int fields) {
  lua_createtable(L, 0, fields);
  lua_createtable(L, 2, 0);
  for (int k = 0; k < 2; k++) {
    lua_pushstring(L, robot->links[links[k]].name);
    lua_rawseti(L, -2, k + 1);
  }
  lua_setfield(L, -2, "links");
}

/* robot:loops() -> list of tables
** What closes loops of the robot, which kinematics and the solver leave open: name, type ("point": the
** origins of both frames are one point; "pose": both frames are one), links (the names of two), frames (a
** pose in each of them). */
static int loops(lua_State *L) {
  const brio_robot *robot = brio_lua_robot_check(L, 1);
  lua_createtable(L, robot->nloop, 0);
  for (int i = 0; i < robot->nloop; i++) {
    const brio_loop *one = &robot->loops[i];
    push_pair(L, robot, one->links, 4);
    brio_lua_set_text(L, "name", one->name);
    brio_lua_set_text(L, "type", brio_loop_type_name(one->type));
    lua_createtable(L, 2, 0);
    for (int k = 0; k < 2; k++) {
      brio_lua_push_pose(L, one->frames[k]);
      lua_rawseti(L, -2, k + 1);
    }
    lua_setfield(L, -2, "frames");
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* robot:excludes() -> list of tables
** The links that the file lets touch each other: links (the names of two). The solver does not keep them
** apart. */
static int excludes(lua_State *L) {
  const brio_robot *robot = brio_lua_robot_check(L, 1);
  lua_createtable(L, robot->nexclude, 0);
  for (int i = 0; i < robot->nexclude; i++) {
    push_pair(L, robot, robot->excludes[i].links, 1);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* robot:poses() -> list of tables
** The configurations that the file names (key frames of an MJCF): name, base, joints. */
static int poses(lua_State *L) {
  const brio_robot *robot = brio_lua_robot_check(L, 1);
  lua_createtable(L, robot->npose, 0);
  for (int i = 0; i < robot->npose; i++) {
    brio_lua_robot_push_configuration(L, robot, robot->poses[i].q);
    brio_lua_set_text(L, "name", robot->poses[i].name);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* robot:warnings() -> list of texts
** Warnings about the file: sentences with file and line. */
static int warnings(lua_State *L) {
  const brio_robot *robot = brio_lua_robot_check(L, 1);
  lua_createtable(L, robot->nwarning, 0);
  for (int i = 0; i < robot->nwarning; i++) {
    lua_pushstring(L, robot->warnings[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

const luaL_Reg brio_lua_robot_model[] = {
    {"links", links},           {"link", link},       {"joints", joints},
    {"joint", joint},           {"loops", loops},     {"excludes", excludes},
    {"collisions", collisions}, {"visuals", visuals}, {"warnings", warnings},
    {"poses", poses},           {NULL, NULL}};
