/* Making an assembly: what the world has, as a model, with the masses that are made up for it. */
#include "physics/assembly.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world/fixture.h"

#define MAX_SPEED 50.0 /* m/s */
#define MAX_TURN 300.0 /* rad/s */
#define MAX_DEPTH 0.05 /* m */
#define FASTEST_SPRING 1.0 /* rad a step: there its frequency is 5 % too high */
#define ASIDE -100.0   /* m: the height of things that are nowhere */

enum { SENTENCE = 512 };

/* Mass of a thing, kg: the file's, or by the usual density. */
static double mass_of(const brio_world_loose *thing) {
  brio_vec3 h = thing->half;
  double volume = thing->ball ? 4 * BRIO_PI / 3 * h.x * h.x * h.x : 8 * h.x * h.y * h.z;
  return thing->mass > 0 ? thing->mass : BRIO_ASSEMBLY_DENSITY * volume;
}

/* Take the furniture and walls.  False: no memory. */
static bool take_fixtures(brio_assembly *assembly, brio_world *world) {
  int count = world ? brio_world_fixtures(world, NULL, 0) : 0;
  brio_world_fixture *list = calloc((size_t)count + 1, sizeof *list);
  assembly->fixtures = calloc((size_t)count + 1, sizeof *assembly->fixtures);
  if (world && list) brio_world_fixtures(world, list, count);
  for (int i = 0; list && assembly->fixtures && i < count; i++) {
    /* Boards are boxes; a solid has half lengths, a shape whole ones.  The world may change meanwhile. */
    const brio_solid *solid = &list[i].solid;
    assembly->fixtures[i] = (brio_model_fixture){
        .shape = {.kind = BRIO_SHAPE_BOX, .size = brio_vec3_scale(2, solid->half)},
        .pose = brio_pose_of(&solid->at)};
    snprintf(assembly->fixtures[i].name, sizeof assembly->fixtures[i].name, "%s", list[i].id);
  }
  bool good = list && assembly->fixtures;
  assembly->nfixture = good ? count : 0;
  free(list);
  return good;
}

/* One thing as a body. */
static void take_thing(brio_assembly *assembly, int number, const brio_world_loose *loose,
                       brio_text *masses) {
  brio_assembly_thing *thing = &assembly->things[number];
  snprintf(thing->id, sizeof thing->id, "%s", loose->id);
  snprintf(assembly->names[number], sizeof *assembly->names, "%s" BRIO_MODEL_THING, loose->id);
  thing->there = loose->there;
  thing->puts = loose->puts;
  /* A ball rolls from the slope whose tangent is rolling: the resistance is a lever of rolling radius. */
  brio_model_thing *body = &assembly->bodies[number];
  *body = (brio_model_thing){.name = assembly->names[number], .pose = loose->pose, .mass = mass_of(loose),
                             .friction = loose->friction,
                             .rolling = loose->ball ? loose->rolling * loose->half.x : 0};
  body->shape = loose->ball
                    ? (brio_shape){.kind = BRIO_SHAPE_SPHERE, .size = {loose->half.x, 0, 0}}
                    : (brio_shape){.kind = BRIO_SHAPE_BOX, .size = brio_vec3_scale(2, loose->half)};
  if (!loose->there) body->pose.p.z = ASIDE;
  if (!(loose->mass > 0))
    brio_text_format(masses, "%s%s (%.3g kg)", masses->length ? ", " : "", loose->id, body->mass);
}

/* Take the things.  False: no memory. */
static bool take_things(brio_assembly *assembly, const brio_world *world, int count) {
  brio_world_loose *list = calloc((size_t)count + 1, sizeof *list);
  brio_text masses = {0};
  assembly->nthing = count;
  assembly->things = calloc((size_t)count + 1, sizeof *assembly->things);
  assembly->bodies = calloc((size_t)count + 1, sizeof *assembly->bodies);
  assembly->names = calloc((size_t)count + 1, sizeof *assembly->names);
  bool good = list && assembly->things && assembly->bodies && assembly->names;
  if (good && world) brio_world_loose_things(world, list, count);
  for (int i = 0; good && i < count; i++) take_thing(assembly, i, &list[i], &masses);
  /* What was made up is listed. */
  if (masses.length)
    brio_text_format(&assembly->notes, "physics: things without a mass have %g kg/m^3: %s\n",
                     BRIO_ASSEMBLY_DENSITY, masses.bytes);
  good = good && !masses.failed;
  brio_text_end(&masses);
  free(list);
  return good;
}

/* Take the doors as they stand.  False: no memory. */
static bool take_doors(brio_assembly *assembly, const brio_world *world, int count) {
  const brio_door *list[BRIO_ASSEMBLY_DOORS];
  assert(count <= BRIO_ASSEMBLY_DOORS);
  assembly->ndoor = count;
  assembly->doors = calloc((size_t)count + 1, sizeof *assembly->doors);
  if (!assembly->doors) return false;
  if (world) brio_world_panels(world, list, count);
  for (int i = 0; i < count; i++) {
    brio_assembly_door *door = &assembly->doors[i];
    snprintf(door->id, sizeof door->id, "%s", list[i]->id);
    door->settings = list[i]->settings;
    door->angle = list[i]->angle;
    door->turned = list[i]->handle;
    door->latched = list[i]->latched;
    door->upper = door->settings.most;
  }
  return true;
}

brio_assembly *brio_assembly_new(const brio_physics_library *library, const brio_assembly_robot *about,
                                 brio_world *world, brio_error *err) {
  int nthing = world ? brio_world_loose_things(world, NULL, 0) : 0,
      ndoor = world ? brio_world_panels(world, NULL, 0) : 0;
  if (nthing > BRIO_ASSEMBLY_THINGS || ndoor > BRIO_ASSEMBLY_DOORS) {
    brio_fail(err, BRIO_MISUSE,
              "physics simulates at most %d things and %d doors, and the world has %d and %d",
              BRIO_ASSEMBLY_THINGS, BRIO_ASSEMBLY_DOORS, nthing, ndoor);
    return NULL;
  }
  brio_assembly *assembly = calloc(1, sizeof *assembly);
  size_t variables = (size_t)about->robot->nvariable + 1;
  if (assembly) {
    *assembly = (brio_assembly){.robot = about->robot, .about = *about};
    assembly->library = library;
    if (world) assembly->ground = brio_world_ground_of(world);
    assembly->joints = calloc(variables, sizeof *assembly->joints);
    assembly->servos = calloc(variables, sizeof *assembly->servos);
    assembly->rotors = calloc(variables, sizeof *assembly->rotors);
  }
  if (assembly && assembly->joints && assembly->servos && assembly->rotors &&
      take_fixtures(assembly, world) && take_things(assembly, world, nthing) &&
      take_doors(assembly, world, ndoor))
    return assembly;
  brio_assembly_free(assembly);
  brio_fail(err, BRIO_NO_MEMORY, "no memory for a model of physics");
  return NULL;
}

/* What the model is made from is needed no more. */
static void drop_sources(brio_assembly *assembly) {
  free(assembly->fixtures);
  free(assembly->bodies);
  free(assembly->names);
  assembly->fixtures = NULL;
  assembly->bodies = NULL;
  assembly->names = NULL;
}

void brio_assembly_free(brio_assembly *assembly) {
  if (!assembly) return;
  if (assembly->simulation) assembly->library->close(assembly->simulation);
  drop_sources(assembly);
  brio_text_end(&assembly->notes);
  free(assembly->joints);
  free(assembly->servos);
  free(assembly->rotors);
  free(assembly->things);
  free(assembly->doors);
  free(assembly);
}

/* Say what was made up for the model. */
static void take_notes(brio_assembly *assembly, const brio_model_notes *notes) {
  /* One line for each kind, with the links that it is about. */
  brio_text *out = &assembly->notes;
  if (notes->nshape)
    brio_text_format(out, "physics: %d links without a shape have a box of their mass's extent: %s\n",
                     notes->nshape, notes->shapes.bytes);
  if (notes->ninertia)
    brio_text_format(out, "physics: %d links have the inertia of a ball, as theirs is that of no body: %s\n",
                     notes->ninertia, notes->inertias.bytes);
  if (notes->nmass)
    brio_text_format(out, "physics: %d links that move without a mass have %g kg: %s\n", notes->nmass,
                     assembly->about.massless, notes->masses.bytes);
}

/* Look up the robot's root, its inertial unit, and the links that feel. */
static void find_sensors(brio_assembly *assembly) {
  static const char *const names[] = {BRIO_MODEL_ACCELERATION, BRIO_MODEL_TURN, BRIO_MODEL_ORIENTATION};
  const brio_assembly_robot *about = &assembly->about;
  const brio_physics_library *library = assembly->library;
  assembly->root = library->body(assembly->simulation, brio_model_body(about->robot->links[0].name));
  for (int i = 0; i < 3; i++) assembly->imu[i] = library->sensor(assembly->simulation, names[i]);
  for (int i = 0; i < about->ntouch; i++)
    assembly->feels[i] = library->body(assembly->simulation, brio_model_body(about->touches[i]));
}

/* Look up what is in the simulation. */
static void find_all(brio_assembly *assembly) {
  const brio_physics_library *library = assembly->library;
  void *simulation = assembly->simulation;
  static_assert((int)BRIO_MODEL_NAME >= (int)BRIO_MODEL_ROTOR_NAME, "a rotor's name has room");
  char name[BRIO_MODEL_NAME];
  for (int i = 0; i < assembly->robot->nvariable; i++) {
    /* A joint of one variable has the variable's name, and so has its servo. */
    const char *joint = assembly->robot->variables[i].name;
    assembly->joints[i] = library->joint(simulation, joint);
    assembly->servos[i] = library->servo(simulation, joint);
    brio_model_rotor_of(joint, name);
    assembly->rotors[i] = library->joint(simulation, name);
    if (assembly->rotors[i] < 0) assembly->rotors[i] = assembly->joints[i];
  }
  find_sensors(assembly);
  for (int i = 0; i < assembly->nthing; i++) {
    brio_assembly_thing *thing = &assembly->things[i];
    thing->body = library->body(simulation, assembly->names[i]);
    if (!thing->there) library->lay_off(simulation, thing->body, true);
  }
  for (int i = 0; i < assembly->ndoor; i++) {
    brio_assembly_door *door = &assembly->doors[i];
    snprintf(name, sizeof name, "%s" BRIO_MODEL_PANEL, door->id);
    door->panel = library->joint(simulation, name);
    snprintf(name, sizeof name, "%s" BRIO_MODEL_HANDLE, door->id);
    door->handle = library->joint(simulation, name);
    library->place(simulation, door->panel, door->angle);
    if (door->handle >= 0) library->place(simulation, door->handle, door->turned);
  }
}

/* Check the links that sensors are on; the model's writer checks that of the inertial unit. */
static bool check_touches(const brio_assembly_robot *about, brio_error *err) {
  for (int i = 0; i < about->ntouch; i++)
    if (brio_robot_link(about->robot, about->touches[i], err) < 0)
      return brio_fail_in(err, "a sensor of touch");
  return true;
}

bool brio_assembly_write(const brio_assembly *assembly, brio_text *out, brio_model_notes *notes,
                         brio_error *err) {
  const brio_assembly_robot *about = &assembly->about;
  brio_model_door doors[BRIO_ASSEMBLY_DOORS];
  for (int i = 0; i < assembly->ndoor; i++)
    doors[i] = (brio_model_door){assembly->doors[i].id, &assembly->doors[i].settings};
  const brio_model_options model = {.robot = about->robot,
                                    .transmissions = about->transmissions,
                                    .free_base = about->floats,
                                    .imu = about->imu[0] ? about->imu : NULL,
                                    .massless = about->massless,
                                    .bare = about->bare,
                                    .gravity = {0, 0, -BRIO_MODEL_GRAVITY},
                                    .soft = assembly->ground.soft,
                                    .slippery = assembly->ground.friction,
                                    .fixtures = assembly->fixtures,
                                    .nfixture = assembly->nfixture,
                                    .things = assembly->bodies,
                                    .nthing = assembly->nthing,
                                    .doors = doors,
                                    .ndoor = assembly->ndoor};
  return check_touches(about, err) && brio_model_write(out, &model, notes, err);
}

/* Write the model and open it. */
static bool open_model(brio_assembly *assembly, brio_model_notes *notes, brio_error *err) {
  /* Faster or deeper than anything that a robot of this kind does on purpose. */
  static const brio_physics_bounds bounds = {MAX_SPEED, MAX_TURN, MAX_DEPTH};
  brio_text text = {0};
  char why[SENTENCE];
  bool good = brio_assembly_write(assembly, &text, notes, err);
  if (good) {
    assembly->simulation = assembly->library->open(text.bytes, text.length, &bounds, why, sizeof why);
    brio_code code = strncmp(why, "no memory", strlen("no memory")) == 0 ? BRIO_NO_MEMORY : BRIO_FORMAT;
    good = assembly->simulation || brio_fail(err, code, "robot '%s': physics refuses its model: %s",
                                             assembly->robot->name, why);
  }
  /* The text is needed only until the library has compiled it. */
  brio_text_end(&text);
  return good;
}

/* Check that springs between rotors and joints swing slowly enough for the steps. */
static bool check_springs(const brio_assembly *assembly, brio_error *err) {
  const brio_physics_library *library = assembly->library;
  const brio_model_transmission *list = assembly->about.transmissions;
  for (int i = 0; list && i < assembly->robot->nvariable; i++) {
    if (!(list[i].stiffness > 0) || assembly->rotors[i] == assembly->joints[i]) continue;
    double link = library->inertia(assembly->simulation, assembly->joints[i], false),
           rotor = library->inertia(assembly->simulation, assembly->rotors[i], false),
           w = sqrt(list[i].stiffness * (1 / link + 1 / rotor));
    /* Two bodies on a spring: w^2 = k (1 / I + 1 / J).  Steps of h are unstable from w h = 2 on. */
    if (w * BRIO_MODEL_STEP > FASTEST_SPRING)
      return brio_fail(
          err, BRIO_MISUSE,
          "the transmission of '%s': with a rotor of %.3g and a link of %.3g kg m^2 or kg its spring "
          "swings with %.0f Hz, and steps of %g ms allow %.0f: give it less stiffness, or a heavier "
          "rotor",
          assembly->robot->variables[i].name, rotor, link, w / (2 * BRIO_PI), 1e3 * BRIO_MODEL_STEP,
          FASTEST_SPRING / BRIO_MODEL_STEP / (2 * BRIO_PI));
  }
  return true;
}

bool brio_assembly_compile(brio_assembly *assembly, brio_error *err) {
  assert(!assembly->simulation);
  brio_model_notes notes = {0};
  bool good = open_model(assembly, &notes, err);
  if (good) {
    take_notes(assembly, &notes);
    find_all(assembly);
    /* A door that begins latched has no range. */
    brio_assembly_mind_doors(assembly);
    assembly->library->settle(assembly->simulation);
    good = check_springs(assembly, err);
  }
  drop_sources(assembly);
  brio_text_end(&notes.shapes);
  brio_text_end(&notes.masses);
  brio_text_end(&notes.inertias);
  return good;
}
