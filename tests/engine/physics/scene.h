/* A robot in its simulated world with physics and a simulated device, stepped as a run steps them. */
#ifndef BRIO_TESTS_ENGINE_PHYSICS_SCENE_H
#define BRIO_TESTS_ENGINE_PHYSICS_SCENE_H

#include "drivers/driver.h"
#include "physics/physics.h"
#include "tests/engine/physics/rig.h"
#include "world/furniture.h"
#include "world/things/hand.h"
#include "world/things/thing.h"

enum { SCENE_SETTINGS = 10, SCENE_AXES = 8 };

typedef struct scene {
  brio_robot *robot;
  brio_world *world;
  brio_physics *physics;
  const brio_driver_kind *kind;
  void *device;
  double time; /* s */
} scene;

/* Open the device on all joints of the robot, which begin at `start` (NULL: 0). */
static inline bool scene_plug(scene *s, const double *start, brio_error *err) {
  double settings[SCENE_SETTINGS];
  brio_axis axes[SCENE_AXES];
  s->kind = brio_driver_find("sim", err);
  for (int i = 0; i < SCENE_SETTINGS; i++) settings[i] = s->kind->settings[i].fallback;
  for (int i = 0; i < s->robot->nvariable; i++) {
    const brio_variable *v = &s->robot->variables[i];
    axes[i] = (brio_axis){v->name, v->lower, v->upper, v->velocity, 50, start ? start[i] : 0};
  }
  s->device = s->kind->open(axes, s->robot->nvariable, settings, 1, s->world, err);
  return s->device != NULL;
}

static inline void scene_end(scene *s) {
  if (s->device) s->kind->close(s->device);
  brio_physics_free(s->physics);
  brio_world_free(s->world);
  brio_robot_free(s->robot);
}

/* A robot among what `fill` puts into the world, with what `options` say of its base and sensors.  False: the
** test is skipped, or failed. */
static inline bool scene_begin_with(scene *s, const char *robot, void (*fill)(brio_world *world),
                                    const double *start, brio_physics_options options) {
  const brio_physics_library *library = the_library();
  brio_error err = {0};
  *s = (scene){0};
  if (!library) return false;
  s->robot = robot_of(robot);
  s->world = brio_world_new(1, &err);
  if (fill) fill(s->world);
  options.simulator = library;
  options.robot = s->robot;
  options.world = s->world;
  s->physics = brio_physics_new(&options, &err);
  bool good = s->physics && scene_plug(s, start, &err);
  CHECK(good, "%s", err.message);
  if (!good) scene_end(s);
  return good;
}

static inline bool scene_begin(scene *s, const char *robot, void (*fill)(brio_world *world),
                               const double *start) {
  return scene_begin_with(s, robot, fill, start, (brio_physics_options){0});
}

/* A tick of 5 ms: the device, then the world, as the engine has it. */
static inline void scene_tick(scene *s) {
  const brio_world_mover *mover = brio_physics_mover(s->physics);
  for (int k = 0; k < 5; k++) s->kind->step(s->device, 1e-3);
  s->time += 5e-3;
  brio_world_advance(s->world, s->time);
  mover->look(mover->context);
  brio_world_step(s->world, NULL, NULL);
}

/* Let time pass with targets for the joints (NULL: as they are). */
static inline void scene_go(scene *s, const double *targets, double seconds) {
  brio_error err;
  if (targets) s->kind->write(s->device, targets, &err);
  for (int i = (int)lround(seconds / 5e-3); i > 0; i--) scene_tick(s);
}

/* The middle of a thing as the world has it. */
static inline brio_pose scene_pose(const scene *s, const char *id) {
  brio_pose pose = BRIO_POSE_IDENTITY;
  CHECK(brio_world_pose(s->world, id, &pose), "there is no '%s'", id);
  return pose;
}

/* A fact of a thing or door: its text, or "" with the number in `value`. */
static inline const char *scene_fact(const scene *s, const char *id, const char *name, double *value) {
  brio_world_fact facts[16];
  int count = brio_world_state(s->world, id, facts, 16);
  for (int i = 0; i < count; i++) {
    if (strcmp(facts[i].name, name) != 0) continue;
    if (value) *value = facts[i].number;
    return facts[i].text ? facts[i].text : "";
  }
  CHECK(false, "'%s' has no '%s'", id, name);
  return "";
}

static inline void scene_thing(brio_world *world, const brio_thing_form *form) {
  brio_error err;
  CHECK(brio_world_add_thing(world, form, &err), "%s", err.message);
}

/* A box without a color; `z` NAN: on what is below. */
static inline brio_thing_form scene_box(const char *id, brio_vec3 size, double x, double y, double z,
                                        double mass) {
  return (brio_thing_form){.kind = "box", .id = id, .shape = BRIO_THING_BOX, .size = size,
                           .color = {NAN, NAN, NAN}, .x = x, .y = y, .z = z, .friction = 0.6, .mass = mass};
}

#endif
