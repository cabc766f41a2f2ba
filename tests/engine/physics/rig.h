/* What the tests of physics share: the library, if it is there, and simulations of models. */
#ifndef BRIO_TESTS_ENGINE_PHYSICS_RIG_H
#define BRIO_TESTS_ENGINE_PHYSICS_RIG_H

#include "physics/library.h"
#include "physics/model.h"
#include "tests/check.h"

/* Bounds that nothing in a test reaches by itself. */
static const brio_physics_bounds wide = {1e3, 1e4, 10};

/* The library, or NULL with the test marked as skipped. */
static inline const brio_physics_library *the_library(void) {
  static char why[256];
  brio_error err;
  const brio_physics_library *library = brio_physics_find("mujoco", &err);
  if (library) return library;
  snprintf(why, sizeof why, "%.250s", err.message);
  check_skip = why;
  return NULL;
}

/* Open a model; NULL, and the test fails. */
static inline void *simulate(const brio_physics_library *library, const brio_model_options *options,
                             const brio_physics_bounds *bounds) {
  brio_text text = {0};
  brio_model_notes notes = {0};
  brio_error err = {0};
  char why[512] = "";
  void *simulation = NULL;
  if (brio_model_write(&text, options, &notes, &err))
    simulation = library->open(text.bytes, text.length, bounds, why, sizeof why);
  CHECK(simulation, "%s%s", err.message, why);
  brio_text_end(&text);
  brio_text_end(&notes.shapes);
  brio_text_end(&notes.masses);
  brio_text_end(&notes.inertias);
  return simulation;
}

/* A robot of a text. */
static inline brio_robot *robot_of(const char *text) {
  brio_error err = {0};
  brio_robot *robot = brio_robot_parse(text, strlen(text), "test.urdf", NULL, &err);
  CHECK(robot, "%s", err.message);
  return robot;
}

#endif
