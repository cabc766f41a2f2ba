/* From a robot to its bodies: links that are fixed to each other become one rigid body, and body frames are
** turned so that the axis of the mover is z. */
#include <assert.h>
#include <string.h>

#include "dynamics/dynamics_internal.h"

/* Return the rotation that turns z to the unit vector `axis`, on the shortest way. */
static brio_rotation turn_to(brio_vec3 axis) {
  /* q = (z x axis, 1 + z . axis), made a unit; opposite vectors have no shortest way: half a turn about x. */
  brio_quat q = axis.z > -1 + 1e-9 ? brio_quat_unit((brio_quat){-axis.y, axis.x, 0, 1 + axis.z})
                                   : (brio_quat){1, 0, 0, 0};
  return brio_rotation_of(brio_transform_of((brio_pose){{0, 0, 0}, q}).r);
}

/* The inverse of a rotation. */
static brio_rotation transpose(const brio_rotation *r) {
  return (brio_rotation){{r->x.x, r->y.x, r->z.x}, {r->x.y, r->y.y, r->z.y}, {r->x.z, r->y.z, r->z.z}};
}

/* Return the inertia of a link about its frame's origin. */
static brio_inertia link_inertia(const brio_link *link) {
  /* The second moment about the center of mass: half the trace of the inertia less the inertia. */
  const double *i = link->inertia;
  double half = (i[0] + i[3] + i[5]) / 2;
  brio_inertia out = {link->mass, {0, 0, 0}, {half - i[0], -i[1], -i[2], half - i[3], -i[4], half - i[5]}};
  return brio_inertia_move(&out, &(brio_rotation){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, link->com);
}

/* Write the bodies of all movers, without inertia, and into `turns` (nbody) the rotation of the mover's own
** frame to the body's. */
static void list_bodies(brio_dynamics *dynamics, brio_rotation *turns) {
  struct brio_dynamics_private *work = dynamics->work;
  int count;
  const brio_mover *movers = brio_robot_movers(dynamics->robot, &count);
  /* The root has no mover: its frame stays that of its link. */
  work->bodies[0] = (brio_dynamics_body){.parent = -1, .q = -1, .v = -1};
  turns[0] = turn_to((brio_vec3){0, 0, 1});
  for (int m = 1; m <= count; m++) {
    const brio_mover *mover = &movers[m];
    brio_rotation away = turn_to(mover->axis), *parent = &turns[mover->parent];
    brio_transform at = brio_robot_mover_place(dynamics->robot, m);
    /* parent body from parent frame, from mover's frame, from body */
    brio_rotation own = brio_rotation_of(at.r), both = brio_rotation_mul(&own, &away);
    brio_rotation back = transpose(parent);
    turns[m] = away;
    work->bodies[m] = (brio_dynamics_body){.parent = mover->parent,
                                           .q = mover->q,
                                           .v = mover->v,
                                           .slides = mover->slides,
                                           .multiplier = mover->multiplier,
                                           .offset = mover->offset,
                                           .turn = brio_rotation_mul(&back, &both),
                                           .origin = brio_rotation_undo(parent, at.p)};
    assert(mover->parent < m);
  }
}

/* Add every link to the body that carries it. */
static void add_links(brio_dynamics *dynamics, const brio_rotation *turns) {
  const brio_robot *robot = dynamics->robot;
  for (int i = 0; i < robot->nlink; i++) {
    brio_transform place;
    int m = brio_robot_frame_of(robot, i, &place);
    /* body_from_link, by way of the mover's own frame. */
    brio_rotation own = brio_rotation_of(place.r), back = transpose(&turns[m]);
    brio_rotation turn = brio_rotation_mul(&back, &own);
    brio_inertia inertia = link_inertia(&robot->links[i]);
    brio_vec3 origin = brio_rotation_undo(&turns[m], place.p);
    inertia = brio_inertia_move(&inertia, &turn, origin);
    dynamics->work->links[i] = (brio_dynamics_link){m, turn, origin};
    brio_inertia_add(&dynamics->work->bodies[m].inertia, &inertia);
  }
}

/* Return whether a variable moves several movers: mimic joints. */
static bool is_coupled(const brio_dynamics *dynamics, int *moved) {
  /* `moved` counts the movers of each variable. */
  bool coupled = false;
  for (int m = 1; m < dynamics->work->nbody; m++) coupled |= moved[dynamics->work->bodies[m].v]++ > 0;
  return coupled;
}

/* Copy the numbers of an option, or leave NULL.  Errors: no_memory, misuse. */
static bool copy_option(brio_dynamics *dynamics, const double *from, const char *what, double **to,
                        brio_error *err) {
  const brio_robot *robot = dynamics->robot;
  if (!from) return true;
  *to = BRIO_TAKE(&dynamics->arena, double, robot->nvariable + 1);
  if (!*to) return brio_fail(err, BRIO_NO_MEMORY, "no memory for the dynamics of '%.80s'", robot->name);
  for (int i = 0; i < robot->nvariable; i++) {
    /* NaN fails the comparison. */
    if (!(from[i] >= 0 && isfinite(from[i])))
      return brio_fail(err, BRIO_MISUSE,
                       "the %s of variable '%.80s' of robot '%.80s' must be a number >= 0, "
                       "not %g",
                       what, robot->variables[i].name, robot->name, from[i]);
    (*to)[i] = from[i];
  }
  return true;
}

/* Take the rotors of the robot's file, if it has any. */
static bool take_rotors(brio_dynamics *dynamics, brio_error *err) {
  const brio_robot *robot = dynamics->robot;
  int j = 0;
  while (j < robot->njoint && !(robot->joints[j].armature > 0)) j++;
  if (j == robot->njoint) return true;
  double *armature = BRIO_TAKE(&dynamics->arena, double, robot->nvariable + 1);
  if (!armature) return brio_fail(err, BRIO_NO_MEMORY, "no memory for the dynamics of '%.80s'", robot->name);
  brio_dynamics_file_armature(robot, armature);
  dynamics->work->armature = armature;
  return true;
}

/* Allocate everything whose size is known from the start. */
static bool make_room(brio_dynamics *dynamics, int nbody) {
  const brio_robot *robot = dynamics->robot;
  brio_arena *arena = &dynamics->arena;
  struct brio_dynamics_private *work = dynamics->work = BRIO_TAKE(arena, struct brio_dynamics_private, 1);
  if (!work) return false;
  /* A fixed base takes no rows: six numbers fewer move. */
  int nv = robot->nv;
  work->nbody = nbody;
  work->first = robot->base == BRIO_BASE_FIXED ? BRIO_BASE_NV : 0;
  work->nfree = nv - work->first;
  work->bodies = BRIO_TAKE(arena, brio_dynamics_body, nbody);
  work->values = BRIO_TAKE(arena, double, 3 * (nbody + 1));
  work->zeros = BRIO_TAKE(arena, double, nv);
  work->places = BRIO_TAKE(arena, brio_dynamics_place, nbody);
  work->carried = BRIO_TAKE(arena, brio_inertia, nbody);
  work->momenta = BRIO_TAKE(arena, brio_spatial, nbody);
  work->links = BRIO_TAKE(arena, brio_dynamics_link, robot->nlink);
  work->mass = BRIO_TAKE(arena, double, nv *nv);
  work->columns = BRIO_TAKE(arena, double, 3 * nv * BRIO_DYNAMICS_STRIDE(nv));
  work->six = BRIO_TAKE(arena, double, 6 * nv);
  work->vector = BRIO_TAKE(arena, double, nv);
  work->tau = BRIO_TAKE(arena, double, nv);
  if (!work->bodies || !work->values || !work->zeros || !work->places || !work->carried || !work->momenta ||
      !work->links || !work->mass || !work->columns || !work->six || !work->vector || !work->tau)
    return false;
  /* Values, sines and cosines are three parts of one block. */
  work->sines = work->values + nbody + 1;
  work->cosines = work->sines + nbody + 1;
  return brio_dynamics_make_motions(dynamics) && brio_dynamics_make_flows(dynamics) &&
         brio_dynamics_make_slopes(dynamics);
}

/* Fill the workspace, with `turns` (nbody) and `moved` (nv) as scratch. */
static bool fill(brio_dynamics *dynamics, const brio_dynamics_options *options, brio_rotation *turns,
                 int *moved, brio_error *err) {
  struct brio_dynamics_private *work = dynamics->work;
  list_bodies(dynamics, turns);
  add_links(dynamics, turns);
  work->coupled = is_coupled(dynamics, moved);
  return (options->armature || take_rotors(dynamics, err)) &&
         copy_option(dynamics, options->armature, "armature", &work->armature, err) &&
         copy_option(dynamics, options->damping, "damping", &work->damping, err) &&
         brio_dynamics_make_rows(dynamics, err);
}

bool brio_dynamics_start(brio_dynamics *dynamics, const brio_robot *robot,
                         const brio_dynamics_options *options, brio_error *err) {
  static const brio_dynamics_options nothing = {0};
  int count;
  brio_robot_movers(robot, &count);
  *dynamics = (brio_dynamics){.robot = robot, .gravity = {0, 0, -9.81}};
  brio_arena scratch;
  brio_arena_start(&dynamics->arena, 16384);
  brio_arena_start(&scratch, 4096);
  /* Scratch ends with this call; the workspace stays. */
  brio_rotation *turns = BRIO_TAKE(&scratch, brio_rotation, count + 1);
  int *moved = BRIO_TAKE(&scratch, int, robot->nv);
  /* First the memory that needs no more than counts, then what is put into it. */
  bool good = turns && moved && make_room(dynamics, count + 1);
  if (!good) brio_fail(err, BRIO_NO_MEMORY, "no memory for the dynamics of robot '%.80s'", robot->name);
  good = good && fill(dynamics, options ? options : &nothing, turns, moved, err);
  brio_arena_end(&scratch);
  if (!good) brio_dynamics_end(dynamics);
  return good;
}

void brio_dynamics_end(brio_dynamics *dynamics) {
  brio_arena_end(&dynamics->arena);
  *dynamics = (brio_dynamics){0};
}
