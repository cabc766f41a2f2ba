/* The motion of things. This is kinematic contact, not physics: nothing has mass.
**
** A ball that no hand holds falls at 9.81 m/s^2, is pushed out of solids along the shortest way (Muller and
** others, "Position based dynamics", 2007), and keeps its speed along the surface, less rolling resistance,
** but none into it. Two balls share the distance that separates them, and their speed along it. A box stays
** upright: it falls on the surface below its middle, and hands push it aside.
**
** A hand that closes with a thing's middle within reach stops at the thing's width and holds it: from then
** on the thing moves with the hand. It is released when the hand opens, and slips out when it was caught
** too far from the point of grasp (farther than friction times reach), when it is carried too fast
** (friction times 4 m/s), or is pressed into a solid.
**
** A step costs O(sub-steps x things x (things + solids)). */
#include "world/things/thing.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world/mover.h"
#include "world/things/things_internal.h"

#define GRAVITY 9.81      /* m/s^2 */
#define MAX_STEP 2.5e-3   /* s, longest sub-step */
#define MAX_SPEED 3.0     /* m/s: slow enough not to pass through boards in a sub-step */
#define TOUCH 1e-3        /* m: nearer than this is contact */
#define DEEP 0.015        /* m into a solid: farther in, a hand loses its thing */
#define HOLD_SPEED 4.0    /* m/s that a friction of 1 holds */
#define OPENS 0.004       /* m wider than the thing: the hand releases it */
#define FIST 0.3          /* share of its span below which an empty hand pushes like a fist */
#define FIST_RADIUS 0.03  /* m */
#define STEP_UP 0.03      /* m that a box may stand below the top that carries it */

enum { MAX_THINGS = 1024 };

/* Room for one more thing, not counted yet; NULL: no memory. */
static brio_things *make_things(brio_world *world) {
  brio_things *all = brio_things_of(world);
  if (!all) world->parts[BRIO_WORLD_PART_things] = all = calloc(1, sizeof *all);
  if (!all) return NULL;
  /* Doubled, so that adding n costs O(n). */
  if (all->count == all->capacity) {
    int capacity = all->capacity ? 2 * all->capacity : 8;
    brio_thing *more = realloc(all->list, (size_t)capacity * sizeof *more);
    if (!more) return NULL;
    all->list = more;
    all->capacity = capacity;
  }
  return all;
}

/* Validate a form by the fields of its shape. A comparison with NaN fails. */
static bool check_form(const brio_world *world, const brio_thing_form *form, brio_error *err) {
  bool ball = form->shape == BRIO_THING_BALL;
  /* Lengths in m, friction and rolling as coefficients. */
  const struct { const char *name; double value, lower, upper; } checks[] = {
      {"radius", ball ? form->radius : 1, 5e-3, 10},    {"size", ball ? 1 : form->size.x, 5e-3, 10},
      {"size", ball ? 1 : form->size.y, 5e-3, 10},      {"size", ball ? 1 : form->size.z, 5e-3, 10},
      {"friction", form->friction, 0, 1},               {"rolling", form->rolling, 0, 1},
      {"x", form->x, -1e4, 1e4},                        {"y", form->y, -1e4, 1e4},
      {"z", isnan(form->z) ? 0 : form->z, -1e4, 1e4},   {"yaw", form->yaw, -1e4, 1e4},
      {"from", form->from, 0, 1e9},                     {"mass", form->mass, 0, 1e4},
  };
  if (!brio_world_check_names(world, form->kind, form->id, err)) return false;
  for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
    if (!(checks[i].value >= checks[i].lower && checks[i].value <= checks[i].upper))
      return brio_fail(err, BRIO_MISUSE, "'%s': %s must be a number from %g to %g, not %g", form->id,
                       checks[i].name, checks[i].lower, checks[i].upper, checks[i].value);
  return true;
}

bool brio_world_add_thing(brio_world *world, const brio_thing_form *form, brio_error *err) {
  if (!check_form(world, form, err)) return false;
  brio_things *all = make_things(world);
  if (!all) return brio_fail(err, BRIO_NO_MEMORY, "no memory for '%s'", form->id);
  if (all->count == MAX_THINGS)
    return brio_fail(err, BRIO_LIMIT, "the world holds %d things at most", MAX_THINGS);
  if (!brio_world_reserve(world, 1, err)) return false;
  brio_thing *new = &all->list[all->count++];
  assert(all->count <= all->capacity);
  /* A ball's half lengths are its radius; a thing of a later time is absent. */
  double r = form->radius;
  bool ball = form->shape == BRIO_THING_BALL;
  *new = (brio_thing){.shape = form->shape,
                      .radius = r,
                      .friction = form->friction,
                      .rolling = form->rolling,
                      .mass = form->mass,
                      .half = ball ? (brio_vec3){r, r, r} : brio_vec3_scale(0.5, form->size),
                      .from = form->from,
                      .pose = {{form->x, form->y, form->z}, brio_quat_from_rpy(0, 0, form->yaw)},
                      .colored = isfinite(form->color[0]),
                      .hand = -1,
                      .body = -1,
                      .there = form->from <= world->time,
                      .noise = brio_world_stream(world, form->id, "noise"),
                      .dropout = brio_world_stream(world, form->id, "dropout")};
  new->waits = !new->there;
  memcpy(new->color, form->color, sizeof new->color);
  snprintf(new->kind, sizeof new->kind, "%s", form->kind);
  snprintf(new->id, sizeof new->id, "%s", form->id);
  /* Collected twice: the height at which it rests depends on the others, and others may rest on it. */
  brio_world_collect(world);
  if (new->there && isnan(form->z)) new->pose.p.z = brio_thing_rest(world, new, 100);
  brio_world_collect(world);
  return true;
}

double brio_thing_rest(const brio_world *world, const brio_thing *thing, double below) {
  assert(thing - brio_things_of(world)->list < brio_things_of(world)->count);
  int self = BRIO_WORLD_OWNER(BRIO_WORLD_PART_things, (int)(thing - brio_things_of(world)->list));
  /* The floor is at 0; what is soft takes in a ball, and less of a box. */
  double sink = thing->shape == BRIO_THING_BALL ? world->ground.soft : world->ground.soft / 4, top = -sink;
  /* The highest surface on a vertical ray from `below` down. */
  for (int i = 0; i < world->nsolid; i++) {
    const brio_solid *solid = &world->solids[i];
    /* Its own solid and hands carry nothing. */
    if (solid->hand || solid->owner == self) continue;
    double far = brio_solid_ray(solid, (brio_vec3){thing->pose.p.x, thing->pose.p.y, below},
                                (brio_vec3){0, 0, -1}, NULL);
    if (far > 0 && isfinite(far)) top = fmax(top, below - far);
  }
  return top + thing->half.z;
}

/* Separate a ball from a solid at `distance` m of its middle: position and speed. Return its depth in it,
** m. */
static double part_from(brio_thing *thing, double radius, brio_vec3 normal, double distance, double dt) {
  double depth = radius - distance;
  if (depth < -TOUCH) return depth;
  if (depth > 0) thing->pose.p = brio_vec3_add_scaled(thing->pose.p, depth, normal);
  /* No speed into the surface; rolling resistance, rolling g |n_z| dt, reduces the speed along it. */
  double into = brio_vec3_dot(thing->velocity, normal);
  if (into < 0) thing->velocity = brio_vec3_add_scaled(thing->velocity, -into, normal);
  double speed = brio_vec3_norm(thing->velocity), taken = thing->rolling * GRAVITY * fabs(normal.z) * dt;
  if (speed > 0) thing->velocity = brio_vec3_scale(fmax(0, speed - taken) / speed, thing->velocity);
  return depth;
}

/* Separate a ball from all solids but balls, and from the floor. Return the greatest depth, m. O(solids). */
static double part_from_all(const brio_world *world, brio_thing *thing, double dt) {
  double deepest =
      part_from(thing, thing->radius, (brio_vec3){0, 0, 1}, thing->pose.p.z + world->ground.soft, dt);
  for (int i = 0; i < world->nsolid; i++) {
    const brio_solid *solid = &world->solids[i];
    /* Other balls are separated by part_balls. */
    if (solid->hand || (solid->loose && solid->kind == BRIO_SOLID_BALL)) continue;
    brio_vec3 normal;
    /* Quick rejection by the surrounding balls. */
    if (brio_vec3_norm(brio_vec3_sub(thing->pose.p, solid->at.p)) > brio_solid_radius(solid) + thing->radius)
      continue;
    double distance = brio_solid_distance(solid, thing->pose.p, &normal);
    deepest = fmax(deepest, part_from(thing, thing->radius, normal, distance, dt));
  }
  return deepest;
}

/* Separate two balls: each moves half the overlap, or the free one all of it if a hand holds the other. */
static void part_balls(brio_thing *a, brio_thing *b) {
  brio_vec3 way = brio_vec3_sub(b->pose.p, a->pose.p);
  double distance = brio_vec3_norm(way), depth = a->radius + b->radius - distance;
  if (depth <= 0) return;
  brio_vec3 normal = brio_vec3_unit(way, (brio_vec3){1, 0, 0});
  /* The share of b: a held ball does not give way. */
  double share = a->hand >= 0 ? 1 : b->hand >= 0 ? 0 : 0.5;
  b->pose.p = brio_vec3_add_scaled(b->pose.p, share * depth, normal);
  a->pose.p = brio_vec3_add_scaled(a->pose.p, -(1 - share) * depth, normal);
  double nearing = brio_vec3_dot(brio_vec3_sub(b->velocity, a->velocity), normal);
  /* They separate already. */
  if (nearing >= 0) return;
  b->velocity = brio_vec3_add_scaled(b->velocity, -share * nearing, normal);
  a->velocity = brio_vec3_add_scaled(a->velocity, (1 - share) * nearing, normal);
}

/* Whether a thing moves freely as a ball. */
static bool is_loose_ball(const brio_thing *thing) {
  return thing->there && thing->hand < 0 && thing->shape == BRIO_THING_BALL;
}

/* One sub-step of the balls: fall, then contacts between balls, then contacts with solids. */
static void step_balls(brio_world *world, double dt) {
  brio_things *all = brio_things_of(world);
  /* Fall, with semi-implicit Euler: speed first, then position. */
  for (int i = 0; i < all->count; i++) {
    brio_thing *thing = &all->list[i];
    if (!is_loose_ball(thing)) continue;
    thing->velocity.z -= GRAVITY * dt;
    /* Also sideways: a ball pushed by a fast hand must not tunnel either. */
    double speed = brio_vec3_norm(thing->velocity);
    if (speed > MAX_SPEED) thing->velocity = brio_vec3_scale(MAX_SPEED / speed, thing->velocity);
    thing->pose.p = brio_vec3_add_scaled(thing->pose.p, dt, thing->velocity);
  }
  /* Each pair once; a pair of held balls stays. */
  for (int i = 0; i < all->count; i++)
    for (int k = i + 1; k < all->count; k++) {
      brio_thing *a = &all->list[i], *b = &all->list[k];
      bool balls = a->there && b->there && a->shape == BRIO_THING_BALL && b->shape == BRIO_THING_BALL;
      if (balls && (a->hand < 0 || b->hand < 0)) part_balls(a, b);
    }
  /* Solids last, so that no ball ends inside one. */
  for (int i = 0; i < all->count; i++)
    if (is_loose_ball(&all->list[i])) part_from_all(world, &all->list[i], dt);
}

/* One sub-step of a box: it falls on the surface below its middle; one up to STEP_UP above its bottom lifts
** it. */
static void step_box(const brio_world *world, brio_thing *box, double dt) {
  double bottom = box->pose.p.z - box->half.z, rest = brio_thing_rest(world, box, bottom + STEP_UP + TOUCH);
  box->velocity.z = fmax(box->velocity.z - GRAVITY * dt, -MAX_SPEED);
  box->pose.p.z += box->velocity.z * dt;
  if (box->pose.p.z > rest) return;
  box->pose.p.z = rest;
  box->velocity.z = 0;
}

/* Push a thing horizontally out of a ball of a hand, of radius m about `middle`. */
static void push(brio_thing *thing, brio_vec3 middle, double radius) {
  brio_solid solid = {.kind = thing->shape == BRIO_THING_BALL ? BRIO_SOLID_BALL : BRIO_SOLID_BOX,
                      .at = brio_transform_of(thing->pose), .half = thing->half};
  brio_vec3 normal;
  /* The normal points out of the thing, so the thing moves against it. */
  double depth = radius - brio_solid_distance(&solid, middle, &normal);
  if (depth <= 0) return;
  thing->pose.p.x -= depth * normal.x;
  thing->pose.p.y -= depth * normal.y;
}

/* Push a thing with all hands: with their palms, and with empty ones that are closed as fists. O(hands). */
static void push_with_hands(brio_world *world, brio_thing *thing) {
  for (int h = 0; h < world->nhand; h++) {
    const brio_world_hand *hand = &world->hands[h];
    if (!hand->known) continue;
    if (hand->palm > 0) push(thing, hand->pose.p, hand->palm);
    /* A closing hand must not push the thing that it is about to grasp. */
    if (hand->thing < 0 && hand->width < FIST * hand->span && !hand->closes)
      push(thing, hand->point, FIST_RADIUS);
  }
}

/* Move the loose things, in n equal sub-steps of MAX_STEP at most. */
static void move(brio_world *world, double dt) {
  brio_things *all = brio_things_of(world);
  int n = (int)ceil(dt / MAX_STEP - 1e-9);
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < all->count; i++) {
      brio_thing *thing = &all->list[i];
      /* Held things move with their hands. */
      if (!thing->there || thing->hand >= 0) continue;
      push_with_hands(world, thing);
      if (thing->shape == BRIO_THING_BOX) step_box(world, thing, dt / n);
    }
    step_balls(world, dt / n);
  }
}

/* The opening of a hand around a thing, m: a ball's diameter, a box's shorter side. */
static double width_of(const brio_thing *thing) {
  return thing->shape == BRIO_THING_BALL ? 2 * thing->radius : 2 * fmin(thing->half.x, thing->half.y);
}

/* Index of the nearest free thing that a hand would hold if it closed now; -1: none. O(things). */
static int within_reach(const brio_world *world, const brio_world_hand *hand) {
  const brio_things *all = brio_things_of(world);
  int nearest = -1;
  double least = hand->reach;
  for (int i = 0; i < all->count; i++) {
    const brio_thing *thing = &all->list[i];
    /* The nearest one that is free and fits into the hand. */
    double distance = brio_vec3_norm(brio_vec3_sub(thing->pose.p, hand->point));
    if (!thing->there || thing->hand >= 0 || width_of(thing) > hand->span || distance > least) continue;
    nearest = i;
    least = distance;
  }
  return nearest;
}

/* Release the held thing at the hand's speed, MAX_SPEED at most, so that things can be thrown. */
static void let_go(brio_world *world, brio_world_hand *hand) {
  brio_thing *thing = &brio_things_of(world)->list[hand->thing];
  assert(thing->hand >= 0);
  double speed = brio_vec3_norm(hand->velocity);
  thing->velocity = speed > MAX_SPEED ? brio_vec3_scale(MAX_SPEED / speed, hand->velocity) : hand->velocity;
  thing->hand = -1;
  hand->thing = -1;
}

/* Move the held thing with the hand, or release it. */
static void carry(brio_world *world, brio_world_hand *hand) {
  /* A copy is used to measure how deep it is in solids, without moving it. */
  brio_thing *thing = &brio_things_of(world)->list[hand->thing], there = *thing;
  thing->pose = brio_pose_mul(hand->pose, hand->hand_from_thing);
  there.pose = thing->pose;
  double off = brio_vec3_norm(brio_vec3_sub(thing->pose.p, hand->point));
  bool deep = thing->shape == BRIO_THING_BALL && part_from_all(world, &there, 0) > DEEP;
  /* Slips: caught too far from the point of grasp, or moved too fast. */
  bool slips = off > thing->friction * hand->reach ||
               brio_vec3_norm(hand->velocity) > thing->friction * HOLD_SPEED;
  if (hand->width > width_of(thing) + OPENS || slips || deep) let_go(world, hand);
  if (slips || deep) hand->slipped = world->time;
}

/* One step of a hand: it carries its thing, or grasps one. */
static void handle(brio_world *world, brio_world_hand *hand, int number) {
  brio_things *all = brio_things_of(world);
  if (hand->thing >= 0) carry(world, hand);
  if (hand->thing >= 0) return;
  /* For 0.5 s after a slip the hand must not grasp again. */
  bool slipped = world->time - hand->slipped < 0.5 && hand->slipped > 0;
  int near = slipped ? -1 : within_reach(world, hand);
  double width = near >= 0 ? width_of(&all->list[near]) : 0;
  bool around = near >= 0 && hand->width >= width - TOUCH;
  /* The grip stops at the thing's width, if the hand is around it. */
  brio_world_stop_grip(world, hand, around ? width : 0);
  /* It is not around the thing, or not closed far enough yet. */
  if (!around || hand->width > width + TOUCH) return;
  /* From now on the thing keeps its pose in the hand. */
  hand->thing = near;
  hand->hand_from_thing = brio_pose_mul(brio_pose_inverse(hand->pose), all->list[near].pose);
  all->list[near].hand = number;
  all->list[near].velocity = (brio_vec3){0, 0, 0};
}

/* Add the things whose time has come to the scene; without a height on top of the highest surface there. */
static void arrive(brio_world *world) {
  brio_things *all = brio_things_of(world);
  for (int i = 0; i < all->count; i++) {
    brio_thing *thing = &all->list[i];
    if (!thing->waits || world->time < thing->from) continue;
    thing->waits = false;
    thing->there = true;
    if (isnan(thing->pose.p.z)) thing->pose.p.z = brio_thing_rest(world, thing, 100);
    brio_thing_tell(world, thing);
  }
}

void brio_thing_tell(brio_world *world, brio_thing *thing) {
  if (thing->body < 0) return;
  thing->puts++;
  world->mover->put(world->mover->context, thing->body, thing->there ? &thing->pose : NULL);
}

/* The hand that holds a body: it touches the robot and nothing else, and its middle is within the hand's
** reach; -1: none.  O(hands) */
static int hand_of(const brio_world *world, const brio_thing *thing, unsigned touches) {
  if (touches != BRIO_MOVED_BY_ROBOT) return -1;
  for (int h = 0; h < world->nhand; h++) {
    const brio_world_hand *hand = &world->hands[h];
    if (hand->known && brio_vec3_norm(brio_vec3_sub(thing->pose.p, hand->point)) <= hand->reach) return h;
  }
  return -1;
}

/* Take the motion of a thing from the mover. */
static void follow(brio_world *world, brio_thing *thing) {
  const brio_world_moved *now = world->mover->moved(world->mover->context, thing->body);
  /* It was put somewhere, and the simulation does not know yet. */
  if (now->puts != thing->puts) return;
  const float *v = now->numbers;
  thing->pose =
      (brio_pose){{(double)v[0], (double)v[1], (double)v[2]},
                  brio_quat_unit((brio_quat){(double)v[3], (double)v[4], (double)v[5], (double)v[6]})};
  thing->velocity = (brio_vec3){(double)v[7], (double)v[8], (double)v[9]};
  thing->hand = hand_of(world, thing, now->touches);
  if (thing->hand >= 0) world->hands[thing->hand].thing = (int)(thing - brio_things_of(world)->list);
}

/* All things move by the mover: hands hold them by contact alone. */
static void follow_all(brio_world *world) {
  brio_things *all = brio_things_of(world);
  for (int h = 0; h < world->nhand; h++) world->hands[h].thing = -1;
  for (int i = 0; i < all->count; i++)
    if (all->list[i].there) follow(world, &all->list[i]);
}

/* Hands come first, so that a thing that is held from this step on is not pushed. */
void brio_things_step(brio_world *world, double dt) {
  arrive(world);
  /* With a mover all of them are bodies, else none is. */
  if (brio_things_of(world)->count > 0 && brio_things_of(world)->list[0].body >= 0) {
    follow_all(world);
    return;
  }
  for (int h = 0; h < world->nhand; h++)
    if (world->hands[h].known) handle(world, &world->hands[h], h);
  move(world, dt);
}
