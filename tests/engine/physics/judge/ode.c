/* ODE's side: bodies, joints and shapes made of the same description by hand.
**
** Shapes: boxes, balls and the floor.  Servos are ODE's joint motors, with the softness (CFM) of a spring and
** a damper that are integrated implicitly, as in the manual of ODE:
**     J v + lambda / (h k + d) = k (target - q) / (h k + d).
** Contacts are hard; friction is a box whose first direction is that of the slip, so that what slides feels
** Coulomb's force, whichever way it slides.  Links have no rotors: scenes keep the made-up ones small. */
#include "tests/engine/physics/judge/judge.h"

#include "robot/kinematics.h"
#include "tests/check.h"

#if __has_include(<ode/ode.h>)
#include <ode/ode.h>
#include <stdarg.h>

enum { MOST = 32, CONTACTS = 8 };

#define SOFT 1e-8       /* s/kg: of constraints that repeat each other */
#define CREEP 1e-3      /* m/s: slower contacts stick, and their friction has no direction of its own */
#define ERROR_SHARE 0.2 /* of an overlap that a step takes back */

/* What a shape belongs to, and its friction; a thing's own friction counts against what is no thing. */
typedef struct surface {
  double friction;
  bool thing;
} surface;

typedef struct body {
  const char *name;
  dBodyID id;
  brio_pose com;   /* link_from_body: the body's origin is its centre of mass */
  brio_vec3 force; /* N: pushes it */
  surface surface;
} body;

/* Invariant: bodies[i] is link i for i < nlink, then things; id 0: it does not move. */
typedef struct world {
  dWorldID world;
  dSpaceID space;
  dJointGroupID contacts;
  body bodies[MOST];
  int count;
  dJointID joints[MOST]; /* nvariable */
  bool slides[MOST];
  judge_servo servos[MOST];
  double targets[MOST];
  int njoint;
  bool powered;
  dJointID door;
  double damping; /* N m s/rad of the door */
  surface ground;
} world;

static void place_body(dBodyID id, brio_pose at) {
  const dQuaternion q = {at.q.w, at.q.x, at.q.y, at.q.z};
  dBodySetPosition(id, at.p.x, at.p.y, at.p.z);
  dBodySetQuaternion(id, q);
}

static brio_pose pose_of(dBodyID id) {
  const dReal *p = dBodyGetPosition(id), *q = dBodyGetQuaternion(id);
  return (brio_pose){{p[0], p[1], p[2]}, {q[1], q[2], q[3], q[0]}};
}

/* A shape of a body (0: of the world), at body_from_shape. */
static void add_shape(world *w, dBodyID id, const brio_shape *shape, brio_pose at, surface *data) {
  dGeomID geom = NULL;
  if (shape->kind == BRIO_SHAPE_BOX) geom = dCreateBox(w->space, shape->size.x, shape->size.y, shape->size.z);
  if (shape->kind == BRIO_SHAPE_SPHERE) geom = dCreateSphere(w->space, shape->size.x);
  CHECK(geom, "a scene has a %s", brio_shape_kind_name(shape->kind));
  if (!geom) return;
  const dQuaternion q = {at.q.w, at.q.x, at.q.y, at.q.z};
  dGeomSetData(geom, data);
  dGeomSetBody(geom, id);
  if (id) {
    dGeomSetOffsetPosition(geom, at.p.x, at.p.y, at.p.z);
    dGeomSetOffsetQuaternion(geom, q);
  } else {
    dGeomSetPosition(geom, at.p.x, at.p.y, at.p.z);
    dGeomSetQuaternion(geom, q);
  }
}

/* Each link but a fixed root is a body, at its pose when all joints are 0. */
static void add_links(world *w, const judge_scene *scene, const brio_transform *links, brio_pose base) {
  const brio_robot *robot = scene->options.robot;
  for (int i = 0; i < robot->nlink; i++) {
    const brio_link *link = &robot->links[i];
    body *b = &w->bodies[w->count++];
    const double *I = link->inertia;
    *b = (body){.name = link->name, .com = {link->com, {0, 0, 0, 1}}};
    b->surface = (surface){w->ground.friction, false};
    if (link->joint >= 0 || scene->options.free_base) {
      dMass mass;
      b->id = dBodyCreate(w->world);
      dMassSetParameters(&mass, link->mass, 0, 0, 0, I[0], I[3], I[5], I[1], I[2], I[4]);
      dBodySetMass(b->id, &mass);
      place_body(b->id, brio_pose_mul(brio_pose_mul(base, brio_pose_of(&links[i])), b->com));
    }
    for (int k = 0; k < robot->ncollision; k++) {
      const brio_link_shape *shape = &robot->collisions[k];
      if (shape->link == i) /* a root that is fixed has none */
        add_shape(w, b->id, &shape->shape, brio_pose_mul(brio_pose_inverse(b->com), shape->pose),
                  &b->surface);
    }
  }
}

/* The joints, at 0. */
static void add_joints(world *w, const judge_scene *scene, const brio_transform *links, brio_pose base) {
  const brio_robot *robot = scene->options.robot;
  for (int i = 0; i < robot->nvariable; i++) {
    const brio_joint *joint = &robot->joints[robot->variables[i].joint];
    dBodyID child = w->bodies[joint->child].id, parent = w->bodies[joint->parent].id;
    /* The joint's frame is that of its child, in robots without turned joints. */
    brio_pose at = brio_pose_mul(base, brio_pose_of(&links[joint->child]));
    brio_vec3 axis = brio_quat_rotate(at.q, joint->axis);
    w->slides[i] = joint->type == BRIO_JOINT_PRISMATIC;
    dJointID made = w->slides[i] ? dJointCreateSlider(w->world, 0) : dJointCreateHinge(w->world, 0);
    dJointAttach(made, child, parent);
    if (w->slides[i]) {
      dJointSetSliderAxis(made, axis.x, axis.y, axis.z);
    } else {
      dJointSetHingeAnchor(made, at.p.x, at.p.y, at.p.z);
      dJointSetHingeAxis(made, axis.x, axis.y, axis.z);
    }
    w->joints[w->njoint++] = made;
  }
}

/* Put the robot where the scene begins, and take its servos over. */
static void begin_joints(world *w, const judge_scene *scene, brio_state *state, double *q, brio_pose base) {
  const brio_robot *robot = scene->options.robot;
  w->powered = scene->servos != NULL;
  for (int i = 0; i < robot->nvariable; i++) {
    q[BRIO_BASE_NQ + i] = w->targets[i] = scene->start ? scene->start[i] : 0;
    if (w->powered) w->servos[i] = scene->servos[i];
  }
  brio_state_update(state, q);
  for (int i = 0; i < robot->nlink; i++) {
    brio_pose at = brio_pose_mul(base, brio_pose_of(&state->links[i]));
    if (w->bodies[i].id) place_body(w->bodies[i].id, brio_pose_mul(at, w->bodies[i].com));
  }
}

static void add_robot(world *w, const judge_scene *scene) {
  const brio_robot *robot = scene->options.robot;
  double q[BRIO_BASE_NQ + MOST] = {[6] = 1};
  brio_pose base = scene->options.base ? *scene->options.base : BRIO_POSE_IDENTITY;
  brio_state state;
  brio_error err;
  CHECK(robot->nlink < MOST && brio_state_start(&state, robot, &err), "no state");
  brio_state_update(&state, q);
  add_links(w, scene, state.links, base);
  add_joints(w, scene, state.links, base);
  begin_joints(w, scene, &state, q, base);
  brio_state_end(&state);
}

static void add_thing(world *w, const brio_model_thing *thing) {
  body *b = &w->bodies[w->count++];
  dMass mass;
  brio_vec3 s = thing->shape.size;
  *b = (body){.name = thing->name, .com = BRIO_POSE_IDENTITY, .id = dBodyCreate(w->world)};
  b->surface = (surface){thing->friction, true};
  if (thing->shape.kind == BRIO_SHAPE_BOX)
    dMassSetBoxTotal(&mass, thing->mass, s.x, s.y, s.z);
  else
    dMassSetSphereTotal(&mass, thing->mass, s.x);
  dBodySetMass(b->id, &mass);
  place_body(b->id, thing->pose);
  add_shape(w, b->id, &thing->shape, BRIO_POSE_IDENTITY, &b->surface);
}

/* A panel on a hinge as world files describe it: with an inertia about the hinge, and friction and damping.
** The hinge is on the right of a person who looks along x, and the panel opens away: docs/behaviors/world.md.
*/
static void add_door(world *w, const brio_model_door *door) {
  const brio_door_settings *s = door->settings;
  const brio_shape board = {.kind = BRIO_SHAPE_BOX, .size = {s->thickness, s->width, s->height}};
  brio_vec3 hinge = brio_pose_point(s->pose, (brio_vec3){0, -s->width / 2, 0});
  body *b = &w->bodies[w->count++];
  dMass mass;
  CHECK(!s->left && !s->toward && !s->latch && s->closer == 0, "a scene has another door");
  *b = (body){.name = door->name, .com = BRIO_POSE_IDENTITY, .id = dBodyCreate(w->world)};
  b->surface = (surface){w->ground.friction, false};
  /* About its middle, the inertia is less by mass times the square of half the width. */
  double kg = s->inertia / (s->width * s->width / 3), middle = s->inertia - kg * s->width * s->width / 4;
  dMassSetParameters(&mass, kg, 0, 0, 0, middle, middle, middle, 0, 0, 0);
  dBodySetMass(b->id, &mass);
  place_body(b->id, brio_pose_mul(s->pose, (brio_pose){{0, 0, s->height / 2}, {0, 0, 0, 1}}));
  add_shape(w, b->id, &board, BRIO_POSE_IDENTITY, &b->surface);
  w->door = dJointCreateHinge(w->world, 0);
  dJointAttach(w->door, b->id, 0);
  dJointSetHingeAnchor(w->door, hinge.x, hinge.y, hinge.z);
  dJointSetHingeAxis(w->door, 0, 0, -1);
  w->damping = s->damping;
  /* Dry friction is a motor that wants to stand still, and has that torque. */
  dJointSetHingeParam(w->door, dParamVel, 0);
  dJointSetHingeParam(w->door, dParamFMax, s->friction);
  dJointSetHingeParam(w->door, dParamLoStop, 0);
  dJointSetHingeParam(w->door, dParamHiStop, s->most);
}

/* Fixtures, floor and gravity. */
static void add_ground(world *w, const brio_model_options *options) {
  w->ground = (surface){options->friction > 0 ? options->friction : BRIO_MODEL_FRICTION, false};
  dWorldSetGravity(w->world, options->gravity.x, options->gravity.y, options->gravity.z);
  dWorldSetCFM(w->world, SOFT);
  dWorldSetERP(w->world, ERROR_SHARE);
  if (!options->no_floor) dGeomSetData(dCreatePlane(w->space, 0, 0, 1, 0), &w->ground);
  for (int i = 0; i < options->nfixture; i++)
    add_shape(w, NULL, &options->fixtures[i].shape, options->fixtures[i].pose, &w->ground);
}

static void *open_world(const judge_scene *scene) {
  const brio_model_options *options = &scene->options;
  world *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->world = dWorldCreate();
  w->space = dSimpleSpaceCreate(NULL);
  w->contacts = dJointGroupCreate(0);
  add_ground(w, options);
  if (options->robot) add_robot(w, scene);
  for (int i = 0; i < options->nthing; i++) add_thing(w, &options->things[i]);
  if (options->ndoor) add_door(w, &options->doors[0]);
  return w;
}

static void close_world(void *context) {
  world *w = context;
  dJointGroupDestroy(w->contacts);
  dSpaceDestroy(w->space);
  dWorldDestroy(w->world);
  free(w);
}

/* The velocity of a point of a body; 0 of the world's. */
static brio_vec3 velocity_at(dBodyID id, const dReal *at) {
  dVector3 v = {0, 0, 0};
  if (id) dBodyGetPointVel(id, at[0], at[1], at[2], v);
  return (brio_vec3){v[0], v[1], v[2]};
}

/* The first direction of friction is that of the slip, if there is any. */
static void set_slip(dContact *contact, dBodyID a, dBodyID b) {
  const dReal *n = contact->geom.normal;
  const brio_vec3 normal = {n[0], n[1], n[2]};
  brio_vec3 v = brio_vec3_sub(velocity_at(a, contact->geom.pos), velocity_at(b, contact->geom.pos));
  v = brio_vec3_add_scaled(v, -brio_vec3_dot(v, normal), normal);
  double speed = brio_vec3_norm(v);
  if (speed < CREEP) return;
  contact->surface.mode |= dContactFDir1;
  contact->fdir1[0] = v.x / speed, contact->fdir1[1] = v.y / speed, contact->fdir1[2] = v.z / speed;
}

/* Two shapes are near each other. */
static void meet(void *context, dGeomID one, dGeomID other) {
  world *w = context;
  dBodyID a = dGeomGetBody(one), b = dGeomGetBody(other);
  const surface *s = dGeomGetData(one), *t = dGeomGetData(other);
  dContact contacts[CONTACTS];
  /* What does not move, and links of the robot among each other, do not touch; a door, and so all that moves
  ** beside it, does not touch floor and walls. */
  if ((!a && !b) || (!s->thing && !t->thing && a && b && !w->door) || (w->door && (!a || !b))) return;
  double friction = s->thing && !t->thing   ? s->friction
                    : t->thing && !s->thing ? t->friction
                                            : fmax(s->friction, t->friction);
  int count = dCollide(one, other, CONTACTS, &contacts[0].geom, sizeof *contacts);
  for (int i = 0; i < count; i++) {
    contacts[i].surface = (dSurfaceParameters){.mode = dContactApprox1, .mu = friction};
    set_slip(&contacts[i], a, b);
    dJointAttach(dJointCreateContact(w->world, w->contacts, &contacts[i]), a, b);
  }
}

static double joint(void *context, int variable) {
  world *w = context;
  dJointID id = w->joints[variable];
  return w->slides[variable] ? dJointGetSliderPosition(id) : dJointGetHingeAngle(id);
}

static void set_motor(const world *w, int i, int parameter, double value) {
  if (w->slides[i])
    dJointSetSliderParam(w->joints[i], parameter, value);
  else
    dJointSetHingeParam(w->joints[i], parameter, value);
}

/* Servos, pushes and damping, before each step. */
static void act(world *w) {
  const double h = BRIO_MODEL_STEP;
  for (int i = 0; w->powered && i < w->njoint; i++) {
    const judge_servo *s = &w->servos[i];
    double stiff = h * s->stiffness + s->damping;
    set_motor(w, i, dParamVel, s->stiffness * (w->targets[i] - joint(w, i)) / stiff);
    set_motor(w, i, dParamCFM, 1 / stiff);
    set_motor(w, i, dParamFMax, s->torque);
  }
  for (int i = 0; i < w->count; i++)
    if (w->bodies[i].id)
      dBodyAddForce(w->bodies[i].id, w->bodies[i].force.x, w->bodies[i].force.y, w->bodies[i].force.z);
  if (w->door) dJointAddHingeTorque(w->door, -w->damping * dJointGetHingeAngleRate(w->door));
}

static void step(void *context, int count) {
  world *w = context;
  for (int i = 0; i < count; i++) {
    act(w);
    dSpaceCollide(w->space, w, meet);
    dWorldStep(w->world, BRIO_MODEL_STEP);
    dJointGroupEmpty(w->contacts);
  }
}

static void aim(void *context, int variable, double target) {
  ((world *)context)->targets[variable] = target;
}

static double door(void *context) {
  world *w = context;
  return dJointGetHingeAngle(w->door);
}

static body *find(world *w, const char *name) {
  for (int i = 0; i < w->count; i++)
    if (strcmp(w->bodies[i].name, name) == 0) return &w->bodies[i];
  CHECK(false, "there is no '%s'", name);
  return &w->bodies[0];
}

static void push(void *context, const char *name, brio_vec3 force) {
  find(context, name)->force = force;
}

static void start(void *context, const char *thing, brio_vec3 linear) {
  dBodySetLinearVel(find(context, thing)->id, linear.x, linear.y, linear.z);
}

static brio_pose pose(void *context, const char *name) {
  const body *b = find(context, name);
  return brio_pose_mul(pose_of(b->id), brio_pose_inverse(b->com));
}

static const judge_side ode = {"ODE", open_world, close_world, step, aim, joint, door, push, start, pose};

/* ODE says on the terminal when it leaves a degenerate contact (a face on a face) to the next step. */
static void be_quiet(int number, const char *format, va_list arguments) {
  (void)number, (void)format, (void)arguments;
}

const judge_side *judge_ode(void) {
  static bool begun;
  /* It is never closed: tests end with their process. */
  if (!begun) dInitODE2(0);
  dSetMessageHandler(be_quiet);
  begun = true;
  if (dCheckConfiguration("ODE_double_precision")) return &ode;
  check_skip = "ODE (libode-dev) is built for single precision";
  return NULL;
}
#else
const judge_side *judge_ode(void) {
  check_skip = "libode-dev is not installed (scripts/packages-bench.txt)";
  return NULL;
}
#endif
