/* Walkers: position, heading and activity, stepped in small times, since the activity depends on the robot.
** O(walkers) a step. */
#include "world/people/walkers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/scalar.h"
#include "world/world_internal.h"

#define TURN_SPEED 3.0     /* rad/s */
#define HEAD_BELOW_TOP 0.1 /* m: middle of the head below its top */
#define WIDE 0.45          /* m: width of the shoulders */
#define DEEP 0.3           /* m: front to back */
#define ARRIVED 1e-3       /* m: nearer than this they have arrived */

enum { MAX_WALKERS = 256, MAX_STOPS = 4096 };

/* Activities, and the words for them. */
typedef enum doing { WAITS, WALKS, STANDS, LEAVES, SENT } doing;
static const char *const words[] = {"waits", "walks", "stands", "leaves", "is sent"};

/* A walker; `path` is its own copy, and the form's texts are not kept. */
typedef struct walker {
  brio_walker_form form;     /* its texts and path are not kept there */
  char kind[BRIO_DETECTION_KIND], id[BRIO_DETECTION_ID];
  brio_walker_stop *path;
  double x, y, yaw, speed;   /* now */
  int next;                  /* index in path: where it goes, or stands */
  double stood, pressed;     /* s at this stop; s for which the robot has been near */
  doing does;
  double to_x, to_y;         /* m: where it steps aside to, or is sent */
  brio_random noise, dropout;
} walker;

/* All walkers; the list grows by doubling. */
typedef struct walkers {
  walker *list; /* count, of capacity */
  int count, capacity;
} walkers;

/* The walkers of a world; NULL: none was added. */
static walkers *walkers_of(const brio_world *world) { return world->parts[BRIO_WORLD_PART_walkers]; }

/* Free the part's memory. */
static void free_walkers(void *memory) {
  walkers *all = memory;
  for (int i = 0; i < all->count; i++) free(all->list[i].path);
  free(all->list);
  free(all);
}

/* Validate the numbers by a table, then the path. A comparison with NaN fails. */
static bool check_form(const brio_world *world, const brio_walker_form *form, brio_error *err) {
  if (!brio_world_check_names(world, form->kind, form->id, err)) return false;
  /* Lengths in m, speed in m/s, times in s, angles in rad. */
  const struct { const char *name; double value, lower, upper;
  } rows[] = {{"height", form->height, 0.3, 3},   {"speed", form->speed, 0, 10},
              {"from", form->from, 0, 1e9},       {"yaw", form->yaw, -1e4, 1e4},
              {"near", form->near, 0, 100},       {"patience", form->patience, 0, INFINITY},
              {"keep", form->keep, 0, 100},       {"aside", form->aside_x, -1e4, 1e4},
              {"aside", form->aside_y, -1e4, 1e4}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!(rows[i].value >= rows[i].lower && rows[i].value <= rows[i].upper))
      return brio_fail(err, BRIO_MISUSE, "'%s': %s must be from %g to %g, not %g", form->id, rows[i].name,
                       rows[i].lower, rows[i].upper, rows[i].value);
  if (form->count < 1 || form->count > MAX_STOPS)
    return brio_fail(err, BRIO_MISUSE, "'%s' must have from 1 to %d places to be at, not %d", form->id,
                     MAX_STOPS, form->count);
  /* Each stop of the path. */
  for (int i = 0; i < form->count; i++)
    if (!(fabs(form->path[i].x) <= 1e4 && fabs(form->path[i].y) <= 1e4 && form->path[i].seconds >= 0))
      return brio_fail(err, BRIO_MISUSE, "'%s': place %d must be finite numbers, and seconds at least 0",
                       form->id, i + 1);
  return true;
}

/* Room for one more walker, not counted yet; NULL: no memory. */
static walker *next_walker(brio_world *world) {
  if (!walkers_of(world)) world->parts[BRIO_WORLD_PART_walkers] = calloc(1, sizeof(walkers));
  walkers *all = walkers_of(world);
  if (!all) return NULL;
  /* Doubled, so that adding n costs O(n). */
  if (all->count == all->capacity) {
    int capacity = all->capacity ? 2 * all->capacity : 8;
    walker *more = realloc(all->list, (size_t)capacity * sizeof *more);
    if (!more) return NULL;
    all->list = more;
    all->capacity = capacity;
  }
  return &all->list[all->count];
}

bool brio_world_add_walker(brio_world *world, const brio_walker_form *form, brio_error *err) {
  if (!check_form(world, form, err) || !brio_world_reserve(world, 1, err)) return false;
  if (walkers_of(world) && walkers_of(world)->count == MAX_WALKERS)
    return brio_fail(err, BRIO_LIMIT, "the world holds %d walkers at most", MAX_WALKERS);
  /* Both allocations before the walker counts. */
  walker *new = next_walker(world);
  brio_walker_stop *path = calloc((size_t)form->count, sizeof *path);
  if (!new || !path) {
    free(path);
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for '%s'", form->id);
  }
  memcpy(path, form->path, (size_t)form->count * sizeof *path);
  /* It stands at the first place of its path, from the beginning. */
  *new = (walker){.form = *form,
                  .path = path,
                  .x = path[0].x,
                  .y = path[0].y,
                  .yaw = form->yaw,
                  .does = STANDS,
                  .noise = brio_world_stream(world, form->id, "noise"),
                  .dropout = brio_world_stream(world, form->id, "dropout")};
  snprintf(new->kind, sizeof new->kind, "%s", form->kind);
  snprintf(new->id, sizeof new->id, "%s", form->id);
  /* The caller's texts and path do not outlive this call. */
  new->form.kind = new->form.id = NULL, new->form.path = NULL;
  walkers_of(world)->count++;
  brio_world_collect(world);
  return true;
}

/* --- activities --- */

/* An angle within half a turn, rad. */
static double wrap(double angle) { return remainder(angle, 2 * BRIO_PI); }

/* Horizontal distance to the robot, m; INFINITY: there is no robot. */
static double robot_from(const brio_world *world, const walker *who) {
  return world->body_known ? hypot(world->body.x - who->x, world->body.y - who->y) : INFINITY;
}

/* Whether the robot is within `keep` m, and within 60 degrees of the direction `yaw`. */
static bool is_blocked(const brio_world *world, const walker *who, double yaw) {
  if (who->form.keep <= 0 || robot_from(world, who) > who->form.keep) return false;
  return fabs(wrap(atan2(world->body.y - who->y, world->body.x - who->x) - yaw)) < BRIO_PI / 3;
}

/* Turn and walk towards a point for dt s. Return whether the walker has arrived. */
static bool go(const brio_world *world, walker *who, double x, double y, double dt) {
  double far = hypot(x - who->x, y - who->y), yaw = atan2(y - who->y, x - who->x);
  who->speed = 0;
  if (far <= ARRIVED) return true;
  /* At most TURN_SPEED, the shorter way round. */
  double turn = wrap(yaw - who->yaw), most = TURN_SPEED * dt;
  who->yaw = wrap(who->yaw + fmin(most, fmax(-most, turn)));
  if (fabs(turn) > BRIO_PI / 3) return false; /* they turn first */
  if (is_blocked(world, who, yaw)) return false;
  /* At most as far as the point, so that it is not passed. */
  double way = fmin(far, who->form.speed * dt);
  who->x += way * cos(yaw), who->y += way * sin(yaw);
  who->speed = dt > 0 ? way / dt : 0;
  return way >= far - ARRIVED;
}

/* Follow the path: walk to the next stop, and stand there for its seconds. */
static void go_on(const brio_world *world, walker *who, double dt) {
  const brio_walker_stop *stop = &who->path[who->next];
  if (world->time < who->form.from) return;
  if (who->does == STANDS) {
    who->stood += dt;
    /* A path without a loop ends at its last stop. */
    bool last = who->next == who->form.count - 1 && !who->form.loop;
    if (last || who->form.count == 1 || who->stood < stop->seconds) return;
    who->next = (who->next + 1) % who->form.count;
    who->does = WALKS;
    return;
  }
  /* Without speed the walker waits: for the robot, or while turning. */
  bool there = go(world, who, stop->x, stop->y, dt);
  who->does = there ? STANDS : who->speed > 0 ? WALKS : WAITS;
  if (there) who->stood = 0;
}

/* Begin to step aside. */
static void leave(walker *who) {
  who->does = LEAVES;
  who->to_x = who->form.aside_x, who->to_y = who->form.aside_y;
}

/* One step: the requested motion, or the path; then how long the robot has been near. */
static void step_walker(const brio_world *world, walker *who, double dt) {
  who->speed = 0;
  if (who->does == LEAVES || who->does == SENT) {
    go(world, who, who->to_x, who->to_y, dt);
    /* A walker that stepped aside stays there. */
    if (who->does == LEAVES) return;
  } else {
    go_on(world, who, dt);
  }
  who->pressed = robot_from(world, who) <= who->form.near ? who->pressed + dt : 0;
  if (who->form.has_aside && who->pressed > who->form.patience) leave(who);
}

/* Step all walkers, in the order in which they were added. */
static void step_walkers(brio_world *world, double dt) {
  walkers *all = walkers_of(world);
  for (int i = 0; i < all->count; i++) step_walker(world, &all->list[i], dt);
}

/* --- requests --- */

/* Index of a walker by id; -1: none. O(walkers). */
static int find_walker(const brio_world *world, const char *id) {
  const walkers *all = walkers_of(world);
  for (int i = 0; i < all->count; i++)
    if (strcmp(all->list[i].id, id) == 0) return i;
  return -1;
}

/* A walker by id; NULL: none. */
static walker *walker_of(brio_world *world, const char *id) {
  int index = walkers_of(world) ? find_walker(world, id) : -1;
  return index < 0 ? NULL : &walkers_of(world)->list[index];
}

bool brio_world_ask_walker(brio_world *world, const char *id) {
  walker *who = walker_of(world, id);
  if (!who || !who->form.has_aside) return false;
  leave(who);
  return true;
}

bool brio_world_send_walker(brio_world *world, const char *id, double x, double y) {
  walker *who = walker_of(world, id);
  if (!who) return false;
  who->does = SENT;
  who->to_x = x, who->to_y = y;
  return true;
}

void brio_world_let_walker_go(brio_world *world, const char *id) {
  walker *who = walker_of(world, id);
  if (who && who->does == SENT) who->does = WALKS;
}

/* --- a part of the world --- */

/* Add the walkers to the solids: boxes, which hide others and are seen by depth cameras. */
static void put_walkers(brio_world *world) {
  const walkers *all = walkers_of(world);
  for (int i = 0; i < all->count; i++) {
    const walker *who = &all->list[i];
    /* A box that stands on the floor. */
    brio_pose at = {{who->x, who->y, who->form.height / 2}, brio_quat_from_rpy(0, 0, who->yaw)};
    brio_solid body = {.kind = BRIO_SOLID_BOX,
                       .at = brio_transform_of(at),
                       .half = {DEEP / 2, WIDE / 2, who->form.height / 2},
                       .color = {NAN, NAN, NAN},
                       .owner = BRIO_WORLD_OWNER(BRIO_WORLD_PART_walkers, i),
                       .loose = true};
    brio_world_put_solid(world, &body);
  }
}

/* The number of walkers, for sensors. */
static int count_walkers(const brio_world *world) { return walkers_of(world)->count; }

/* The pose of a walker's head. */
static bool walker_pose(const brio_world *world, int index, brio_pose *pose) {
  const walker *who = &walkers_of(world)->list[index];
  *pose = (brio_pose){{who->x, who->y, who->form.height - HEAD_BELOW_TOP},
                      brio_quat_from_rpy(0, 0, who->yaw)};
  return true;
}

/* What a sensor sees of a walker. */
static bool walker_sight(brio_world *world, int index, brio_world_sight *out) {
  walker *who = &walkers_of(world)->list[index];
  *out = (brio_world_sight){.kind = who->kind,
                            .id = who->id,
                            .size = {WIDE, WIDE, who->form.height},
                            .oriented = true,
                            .owner = BRIO_WORLD_OWNER(BRIO_WORLD_PART_walkers, index),
                            .noise = &who->noise,
                            .dropout = &who->dropout};
  return walker_pose(world, index, &out->pose);
}

/* Facts for queries of the world's state; the first `most` of them. */
static int walker_state(const brio_world *world, int index, brio_world_fact *facts, int most) {
  const walker *who = &walkers_of(world)->list[index];
  /* Activity, speed in m/s, distance to the robot in m. */
  const brio_world_fact all[] = {{.name = "does", .text = words[who->does]},
                                 {.name = "speed", .number = who->speed},
                                 {.name = "robot", .number = fmin(robot_from(world, who), 1e9)}};
  int count = most < 3 ? most : 3;
  memcpy(facts, all, (size_t)count * sizeof *facts);
  return count;
}

/* Walkers that are in both worlds stay where they are, on the new path. */
static void keep_walkers(brio_world *now, const brio_world *before) {
  for (int i = 0; i < walkers_of(now)->count; i++) {
    walker *who = &walkers_of(now)->list[i];
    int same = find_walker(before, who->id);
    if (same < 0) continue;
    const walker *was = &walkers_of(before)->list[same];
    who->x = was->x, who->y = was->y, who->yaw = was->yaw, who->does = was->does, who->to_x = was->to_x,
    who->to_y = was->to_y;
    /* The new path may be shorter. */
    who->next = was->next < who->form.count ? was->next : 0;
    who->noise = was->noise, who->dropout = was->dropout;
  }
}

const brio_world_part brio_world_part_walkers = {
    .name = "walkers",
    .step = step_walkers,
    .solids = put_walkers,
    .count = count_walkers,
    .sight = walker_sight,
    .find = find_walker,
    .pose = walker_pose,
    .state = walker_state,
    .keep = keep_walkers,
    .free = free_walkers,
};
