/* The document: settings, floor, fixtures and things; the robot is in model_robot.c, doors in model_door.c.
**
** Contacts are firm for the step: a time constant of 4 ms, and an impedance near 1, which with the elliptic
** cone and the pass against slip make a block stick up to Coulomb's angle.  See MuJoCo's documentation,
** "Solver parameters". */
#include "physics/model.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "physics/model_internal.h"

#define MIN_STEP 1e-5 /* s */
#define MAX_STEP 5e-3 /* s */
#define SOFT 0.9      /* impedance of soft ground */
#define TOUGH 3.0     /* damping ratio of soft ground */

/* Rows of constraints and contacts, for which memory is taken at the start: a matrix of rows by rows. */
enum { ROWS = 1000, CONTACTS = 200, ROWS_OF_THING = 32, CONTACTS_OF_THING = 8 };

const brio_model_touch brio_model_of_links = {1, 2}, brio_model_of_fixtures = {2, 1},
                      brio_model_of_things = {2, 3};

void brio_model_numbers(brio_text *out, const char *key, const double *values, int count) {
  brio_text_format(out, " %s=\"", key);
  /* Infinity and NaN have no words in the format: callers have checked. */
  for (int i = 0; i < count; i++) {
    assert(isfinite(values[i]));
    if (i) brio_text_add(out, " ", 1);
    brio_text_number(out, values[i]);
  }
  brio_text_add(out, "\"", 1);
}

void brio_model_name(brio_text *out, const char *key, const char *name) {
  static const struct {
    char letter;
    const char *escape;
  } escapes[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};
  brio_text_format(out, " %s=\"", key);
  /* Letters that mean something in XML are written as escapes. */
  for (const char *at = name; *at; at++) {
    size_t i = 0, n = sizeof escapes / sizeof *escapes;
    while (i < n && escapes[i].letter != *at) i++;
    if (i < n)
      brio_text_add(out, escapes[i].escape, strlen(escapes[i].escape));
    else
      brio_text_add(out, at, 1);
  }
  brio_text_add(out, "\"", 1);
}

void brio_model_pose(brio_text *out, brio_pose pose) {
  /* The format has w first. */
  const double p[] = {pose.p.x, pose.p.y, pose.p.z}, q[] = {pose.q.w, pose.q.x, pose.q.y, pose.q.z};
  brio_model_numbers(out, "pos", p, 3);
  brio_model_numbers(out, "quat", q, 4);
}

/* The format's name of each kind of shape, and how many sizes it has: radius, then half the length. */
static const struct {
  const char *name;
  int sizes;
} shapes[BRIO_NSHAPE] = {
    [BRIO_SHAPE_SPHERE] = {"sphere", 1}, [BRIO_SHAPE_CAPSULE] = {"capsule", 2},
    [BRIO_SHAPE_BOX] = {"box", 3},       [BRIO_SHAPE_CYLINDER] = {"cylinder", 2},
    [BRIO_SHAPE_HULL] = {"mesh", 0},     [BRIO_SHAPE_HALF_SPACE] = {"plane", 3},
};

void brio_model_shape(brio_text *out, const brio_shape *shape, brio_pose pose, int mesh) {
  assert(shape->kind >= 0 && shape->kind < BRIO_NSHAPE && shapes[shape->kind].name);
  brio_vec3 s = shape->size;
  const double box[] = {s.x / 2, s.y / 2, s.z / 2}, round[] = {s.x, s.z / 2}, plane[] = {0, 0, 1};
  /* Half lengths of a box, radius and half length of what is round; a plane has no end. */
  brio_model_name(out, "type", shapes[shape->kind].name);
  if (shape->kind == BRIO_SHAPE_HULL)
    brio_text_format(out, " mesh=\"hull%d\"", mesh);
  else if (shape->kind == BRIO_SHAPE_BOX)
    brio_model_numbers(out, "size", box, 3);
  else if (shape->kind == BRIO_SHAPE_HALF_SPACE)
    brio_model_numbers(out, "size", plane, 3);
  else
    brio_model_numbers(out, "size", round, shapes[shape->kind].sizes);
  brio_model_pose(out, pose);
}

void brio_model_mesh(brio_text *out, const brio_shape *shape, int mesh) {
  brio_text_format(out, "    <mesh name=\"hull%d\" vertex=\"", mesh);
  /* Corners alone: the library makes the hull of them. */
  for (int i = 0; i < shape->npoint; i++) {
    const double p[] = {shape->points[i].x, shape->points[i].y, shape->points[i].z};
    for (int k = 0; k < 3; k++) {
      if (i + k) brio_text_add(out, " ", 1);
      brio_text_number(out, p[k]);
    }
  }
  brio_text_format(out, "\"/>\n");
}

/* MuJoCo: two geoms touch if type1 & mask2 or type2 & mask1 is not 0. */
void brio_model_touches(brio_text *out, brio_model_touch touch) {
  brio_text_format(out, " contype=\"%d\" conaffinity=\"%d\"", touch.type, touch.mask);
}

/* Solver, integrator and the defaults of geoms. */
static void write_settings(brio_text *out, const brio_model_options *options) {
  /* Sliding friction is the option's; those of spinning and rolling are MuJoCo's defaults. */
  const double step = options->step > 0 ? options->step : BRIO_MODEL_STEP,
               gravity[] = {options->gravity.x, options->gravity.y, options->gravity.z},
               friction[] = {options->friction > 0 ? options->friction : BRIO_MODEL_FRICTION, 0.005, 1e-4};
  brio_text_format(out,
                   "  <compiler angle=\"radian\" inertiafromgeom=\"auto\" fusestatic=\"false\" "
                   "balanceinertia=\"false\"/>\n"
                   "  <option integrator=\"%s\" cone=\"elliptic\" impratio=\"10\" "
                   "noslip_iterations=\"5\"",
                   options->exact ? "RK4" : "implicit");
  /* Both integrators keep the step fixed, so that equal runs have equal bits. */
  brio_model_numbers(out, "timestep", &step, 1);
  brio_model_numbers(out, "gravity", gravity, 3);
  /* Memory does not grow while it steps. */
  int bodies = options->nthing + options->ndoor;
  brio_text_format(out, "/>\n  <size njmax=\"%d\" nconmax=\"%d\"/>\n", ROWS + ROWS_OF_THING * bodies,
                   CONTACTS + CONTACTS_OF_THING * bodies);
  brio_text_format(
      out, "  <default><geom density=\"0\" condim=\"4\" solref=\"0.004 1\" solimp=\"0.95 0.99 0.0005\"");
  brio_model_numbers(out, "friction", friction, 3);
  brio_text_format(out, "/><joint solreflimit=\"0.004 1\"/></default>\n");
}

/* On a contact of impedance d, time constant t and damping ratio z, what rests with one point is
** (1 - d) g (t z)^2 deep in it, whatever its mass; what falls into it is slowed by 2 / (d t) of its speed.
** Its priority lets the floor's numbers count, not those of what touches it. */
static void write_floor(brio_text *out, const brio_model_options *options) {
  const double impedance[] = {SOFT, SOFT, 1e-3},
               usual = options->friction > 0 ? options->friction : BRIO_MODEL_FRICTION;
  if (options->soft > 0) {
    const double reference[] = {sqrt(options->soft / ((1 - SOFT) * BRIO_MODEL_GRAVITY)) / TOUGH, TOUGH};
    brio_model_numbers(out, "solref", reference, 2);
    brio_model_numbers(out, "solimp", impedance, 3);
  }
  /* What rolls through soft ground climbs out of it: a lever of the depth. */
  const double friction[] = {options->slippery > 0 ? options->slippery : usual, 0.005,
                             fmax(1e-4, options->soft)};
  if (!(options->soft > 0 || options->slippery > 0)) return;
  brio_model_numbers(out, "friction", friction, 3);
  brio_text_format(out, " priority=\"2\" condim=\"6\"");
}

/* The floor, and what stands on it: geoms of the world's own body. */
static void write_fixtures(brio_text *out, const brio_model_options *options) {
  /* The floor is z = 0, without end. */
  const brio_shape plane = {.kind = BRIO_SHAPE_HALF_SPACE};
  if (!options->no_floor) {
    brio_text_format(out, "    <geom name=\"floor\"");
    brio_model_shape(out, &plane, BRIO_POSE_IDENTITY, 0);
    brio_model_touches(out, brio_model_of_fixtures);
    write_floor(out, options);
    brio_text_format(out, "/>\n");
  }
  /* A geom's name ends in its number: pieces consist of several, and reports leave it out. */
  for (int i = 0; i < options->nfixture; i++) {
    const brio_model_fixture *fixture = &options->fixtures[i];
    char name[160];
    snprintf(name, sizeof name, "%.120s#%d", fixture->name, i);
    brio_text_format(out, "    <geom");
    brio_model_name(out, "name", name);
    brio_model_shape(out, &fixture->shape, fixture->pose, 0);
    brio_model_touches(out, brio_model_of_fixtures);
    brio_text_format(out, "/>\n");
  }
}

/* A thing: a body with one shape, whose inertia is that of the shape. */
static void write_thing(brio_text *out, const brio_model_thing *thing) {
  /* A thing touches everything: links, fixtures, and other things.  Its own friction counts against what is
  ** no thing; what rolls has rows for that. */
  const double friction[] = {thing->friction, 0.005, thing->rolling > 0 ? thing->rolling : 1e-4};
  brio_text_format(out, "    <body");
  brio_model_name(out, "name", thing->name);
  brio_model_pose(out, thing->pose);
  /* Its frame is that of its shape, and the library finds its inertia from shape and mass. */
  brio_text_format(out, "><freejoint");
  brio_model_name(out, "name", thing->name);
  brio_text_format(out, "/><geom");
  brio_model_shape(out, &thing->shape, BRIO_POSE_IDENTITY, 0);
  brio_model_numbers(out, "mass", &thing->mass, 1);
  brio_model_numbers(out, "friction", friction, 3);
  brio_model_touches(out, brio_model_of_things);
  brio_text_format(out, " priority=\"1\" condim=\"%d\"/></body>\n", thing->rolling > 0 ? 6 : 4);
}

/* Whether the options are in range: names are the caller's affair, and unique. */
static bool check(const brio_model_options *options, brio_error *err) {
  /* Longer steps make servos unstable; shorter ones only cost time. */
  if (options->step != 0 && !(options->step >= MIN_STEP && options->step <= MAX_STEP))
    return brio_fail(err, BRIO_MISUSE, "a step of the physics must be from %g to %g s, not %g", MIN_STEP,
                     MAX_STEP, options->step);
  if (!(options->friction >= 0 && options->friction <= 100))
    return brio_fail(err, BRIO_MISUSE,
                     "the friction of links, fixtures and floor must be from 0 to 100, not %g",
                     options->friction);
  if (!(options->soft >= 0 && options->soft <= 0.1 && options->slippery >= 0 && options->slippery <= 100))
    return brio_fail(err, BRIO_MISUSE,
                     "the floor must be from 0 to 0.1 m soft, with a friction from 0 to 100, not %g and %g",
                     options->soft, options->slippery);
  /* The sum of all numbers is finite only if each of them is. */
  brio_vec3 g = options->gravity;
  if (!isfinite(g.x + g.y + g.z))
    return brio_fail(err, BRIO_MISUSE, "gravity must be three finite numbers, m/s^2, not %g %g %g", g.x, g.y,
                     g.z);
  /* 0 stands for "refuse such links". */
  if (!(options->massless >= 0 && options->massless <= 10))
    return brio_fail(err, BRIO_MISUSE, "the mass of links without one must be from 0 to 10 kg, not %g",
                     options->massless);
  brio_error unknown;
  if (options->imu && (!options->robot || brio_robot_link(options->robot, options->imu, &unknown) < 0))
    return brio_fail(err, BRIO_MISUSE, "an inertial unit must be on a link of the robot, not on '%.64s'",
                     options->imu);
  if (options->robot && !brio_model_transmissions_check(options, err)) return false;
  /* Things need a mass, as gravity acts on them. */
  for (int i = 0; i < options->nthing; i++) {
    const brio_model_thing *thing = &options->things[i];
    if (!(thing->mass > 0 && thing->mass <= 1e5))
      return brio_fail(err, BRIO_MISUSE, "'%s': its mass must be above 0 and at most 1e5 kg, not %g",
                       thing->name, thing->mass);
    if (!(thing->friction >= 0 && thing->friction <= 100))
      return brio_fail(err, BRIO_MISUSE, "'%s': its friction must be from 0 to 100, not %g", thing->name,
                       thing->friction);
    if (!(thing->rolling >= 0 && thing->rolling <= 10))
      return brio_fail(err, BRIO_MISUSE, "'%s': its rolling resistance must be from 0 to 10 m, not %g",
                       thing->name, thing->rolling);
  }
  return true;
}

bool brio_model_write(brio_text *out, const brio_model_options *options, brio_model_notes *notes,
                     brio_error *err) {
  const brio_robot *robot = options->robot;
  if (!check(options, err)) return false;
  /* The document in the order in which its parts refer to each other. */
  brio_text_format(out, "<mujoco");
  brio_model_name(out, "model", robot ? robot->name : "world");
  brio_text_format(out, ">\n");
  write_settings(out, options);
  /* Meshes come first: geoms name them. */
  if (robot) brio_model_robot_meshes(out, robot);
  brio_text_format(out, "  <worldbody>\n");
  write_fixtures(out, options);
  if (robot && !brio_model_robot_bodies(out, options, notes, err)) return false;
  for (int i = 0; i < options->nthing; i++) write_thing(out, &options->things[i]);
  for (int i = 0; i < options->ndoor; i++) brio_model_door_write(out, &options->doors[i]);
  brio_text_format(out, "  </worldbody>\n");
  /* What acts between bodies, and on joints. */
  if (robot) brio_model_robot_couplings(out, robot);
  if (robot) brio_model_transmissions(out, options);
  if (robot) brio_model_robot_servos(out, options);
  if (robot && options->imu) brio_model_robot_sensors(out, options->imu);
  brio_text_format(out, "</mujoco>\n");
  return !out->failed ||
         brio_fail(err, BRIO_NO_MEMORY, "no memory for a model of %d links", robot ? robot->nlink : 0);
}
