/* Doors as a part of the world: what touches them in each step, what sensors see of them, the facts about
** them, and what is kept when a world file is read again. To a sensor a door is two objects, its panel and
** its handle; the index of the panel stands for the door.
**
** Touches of a door: the robot's hands (a ball about the point of grasp), its bodies (upright cylinders)
** and the people near the hinge, in this order, so that each keeps its index. */
#include "world/doors/doors.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world/body.h"
#include "world/doors/door_internal.h"
#include "world/fixture.h"
#include "world/mover.h"
#include "world/things/things_internal.h"
#include "world/world_internal.h"

enum { MAX_DOORS = 256, PEOPLE = 4 };

#define HAND 0.03    /* m, radius of a hand about its palm */
#define HANDLE 0.03  /* m, thickness of handles */
#define PERSON 0.22  /* m, radius of a person */

/* A door with what the world adds to it: sights, streams, and how deep touches were. */
typedef struct one_door {
  brio_door door;
  char ids[BRIO_DOOR_SEEN][BRIO_DETECTION_ID]; /* of its panel and its handle */
  float color[3];
  brio_random noise[BRIO_DOOR_SEEN], dropout[BRIO_DOOR_SEEN];
  int body;                /* of the world's mover; -1: none, its motion is kinematic */
  double pressed, deepest; /* m: depth of touches in its panel: now, and the greatest so far */
} one_door;

/* All doors; the list grows by doubling. */
typedef struct doors {
  one_door *list; /* count, of capacity */
  int count, capacity;
} doors;

/* The doors of a world; NULL: none was added. */
static doors *doors_of(const brio_world *world) { return world->parts[BRIO_WORLD_PART_doors]; }

/* Free the part's memory. */
static void free_doors(void *memory) {
  doors *all = memory;
  free(all->list);
  free(all);
}

/* Room for one more door, not counted yet; NULL with an error: the limit, or no memory. */
static one_door *next_door(brio_world *world, brio_error *err) {
  doors *all = doors_of(world);
  if (!all) all = world->parts[BRIO_WORLD_PART_doors] = calloc(1, sizeof *all);
  if (all && all->count >= MAX_DOORS) {
    brio_fail(err, BRIO_LIMIT, "the world holds %d doors at most", MAX_DOORS);
    return NULL;
  }
  /* A failure leaves the old list. */
  if (all && all->count == all->capacity) {
    int capacity = all->capacity ? 2 * all->capacity : 4;
    one_door *more = realloc(all->list, (size_t)capacity * sizeof *more);
    if (more) {
      all->list = more;
      all->capacity = capacity;
    } else {
      all = NULL;
    }
  }
  if (!all) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for a door");
    return NULL;
  }
  return &all->list[all->count];
}

bool brio_world_add_door(brio_world *world, const char *id, const brio_door_settings *settings,
                         const float color[3], brio_error *err) {
  one_door made = {.body = -1};
  brio_door_board boards[BRIO_DOOR_BOARDS];
  if (!brio_world_check_names(world, "door", id, err)) return false;
  if (!brio_door_init(&made.door, id, settings, world->seed, err) ||
      !brio_world_reserve(world, brio_door_boards(settings, boards), err))
    return false;
  /* The panel's solid is reserved; from here on only memory can be lacking. */
  one_door *place = next_door(world, err);
  if (!place) return false;
  memcpy(made.color, color, sizeof made.color);
  /* Ids of what sensors see, each with streams of its own. */
  snprintf(made.ids[0], sizeof made.ids[0], "%.23s.panel", id);
  snprintf(made.ids[1], sizeof made.ids[1], "%.23s.handle", id);
  /* The door's id names the streams, so they are the same in every run. */
  for (int i = 0; i < BRIO_DOOR_SEEN; i++) {
    made.noise[i] = brio_world_stream(world, id, i ? "handle.noise" : "panel.noise");
    made.dropout[i] = brio_world_stream(world, id, i ? "handle.dropout" : "panel.dropout");
  }
  *place = made;
  doors_of(world)->count++;
  return true;
}

/* Index of a door by its own id; -1: none. O(doors). */
static int find_one(const brio_world *world, const char *id) {
  const doors *all = doors_of(world);
  for (int i = 0; all && i < all->count; i++)
    if (strcmp(all->list[i].door.id, id) == 0) return i;
  return -1;
}

brio_door *brio_world_door(const brio_world *world, const char *id) {
  int i = find_one(world, id);
  return i < 0 ? NULL : &doors_of(world)->list[i].door;
}

/* Index of a sight by its id: the door's own, its panel's or its handle's; -1: none. O(doors). */
static int find_door(const brio_world *world, const char *id) {
  const doors *all = doors_of(world);
  for (int i = 0; i < all->count; i++) {
    if (strcmp(all->list[i].door.id, id) == 0) return BRIO_DOOR_SEEN * i;
    for (int k = 0; k < BRIO_DOOR_SEEN; k++)
      if (strcmp(all->list[i].ids[k], id) == 0) return BRIO_DOOR_SEEN * i + k;
  }
  return -1;
}

/* ---- stepping ---- */

/* Append people of one part of the world, those within 4 m of a door's hinge, until the touches have `last`
** entries. Return the new number. O(people). */
static int add_people_of(brio_world *world, int which, brio_vec3 hinge, brio_door_touch *touches, int n,
                         int last) {
  const brio_world_part *people = brio_world_part_table[which];
  int count = world->parts[which] ? people->count(world) : 0;
  for (int i = 0; i < count && n < last; i++) {
    brio_world_sight seen;
    if (!people->sight(world, i, &seen) || strcmp(seen.kind, "person") != 0) continue;
    if (hypot(seen.pose.p.x - hinge.x, seen.pose.p.y - hinge.y) > 4) continue;
    /* A person's pose is that of the head: the cylinder begins at the floor. */
    seen.pose.p.z = fmax(0, seen.pose.p.z - 1.6);
    touches[n++] = (brio_door_touch){.pose = seen.pose, .radius = PERSON, .above = 1.7};
  }
  return n;
}

/* Append the first PEOPLE people near a door: actors, then walkers, in the order in which they were added. */
static int add_people(brio_world *world, const brio_door *door, brio_door_touch *touches, int n) {
  assert(n >= 0 && n <= BRIO_DOOR_TOUCHES);
  static const int parts[] = {BRIO_WORLD_PART_actors, BRIO_WORLD_PART_walkers};
  int last = n + PEOPLE < BRIO_DOOR_TOUCHES ? n + PEOPLE : BRIO_DOOR_TOUCHES;
  for (int i = 0; i < 2; i++)
    n = add_people_of(world, parts[i], brio_door_hinge(door), touches, n, last);
  return n;
}

/* List what may touch a door. Hands and bodies always have an entry (NaN if unknown), so that indices are
** stable. */
static int find_touches(brio_world *world, const brio_door *door, brio_door_touch *touches) {
  int n = 0;
  /* Hands, closed in proportion to their opening.  One without a pose keeps its index, at NaN. */
  for (int i = 0; i < world->nhand && n < BRIO_DOOR_TOUCHES; i++) {
    const brio_world_hand *hand = &world->hands[i];
    double shut = hand->span > 0 ? 1 - hand->width / hand->span : 0;
    touches[n] = (brio_door_touch){.pose = hand->pose, .radius = HAND, .hand = true, .grasp = hand->point,
                                   .reach = hand->reach, .shut = shut};
    if (!hand->known) touches[n].pose.p.x = NAN;
    n++;
  }
  /* Bodies likewise: cylinders from their feet up. */
  for (int i = 0; i < world->nbody && n < BRIO_DOOR_TOUCHES; i++) {
    const brio_world_body *body = &world->bodies[i];
    touches[n] = (brio_door_touch){
        .pose = {body->foot, {0, 0, 0, 1}}, .radius = body->radius, .above = body->height};
    if (!body->known) touches[n].pose.p.x = NAN;
    n++;
  }
  return add_people(world, door, touches, n);
}

/* Limit the grip of hands that hold a handle to its thickness. O(hands x doors). */
static void stop_hands(brio_world *world) {
  const doors *all = doors_of(world);
  static_assert((int)BRIO_WORLD_MOST_HANDS <= (int)BRIO_DOOR_TOUCHES, "a door knows every hand");
  assert(world->nhand >= 0 && world->nhand <= BRIO_WORLD_MOST_HANDS);
  for (int i = 0; i < world->nhand; i++) {
    brio_world_hand *hand = &world->hands[i];
    bool holds = false;
    for (int k = 0; k < all->count; k++) holds = holds || all->list[k].door.contacts[i].holds;
    /* A hand that has released a handle, and holds nothing else, is free again. */
    if (holds || (hand->handle && hand->thing < 0)) brio_world_stop_grip(world, hand, holds ? HANDLE : 0);
    hand->handle = holds;
  }
}

/* Take the motion of a door from the mover: hands and the robot's body push it by contact alone. */
static void follow(const brio_world *world, brio_door *door, int body, double dt) {
  const float *now = world->mover->moved(world->mover->context, body)->numbers;
  door->held = fmax(0, door->held - dt);
  if (!isnan(now[0])) brio_door_follow(door, (double)now[0], (double)now[1], (double)now[2], now[3] > 0);
}

void brio_world_hold_door(brio_world *world, const char *id, double seconds) {
  int i = find_one(world, id);
  if (i < 0) return;
  one_door *one = &doors_of(world)->list[i];
  brio_door_hold(&one->door, seconds);
  if (one->body >= 0) world->mover->hold(world->mover->context, one->body, seconds);
}

/* What lies in a drawer goes with it.  O(things) */
static void carry(brio_world *world, const brio_door *door, double before) {
  brio_things *things = brio_things_of(world);
  if (!things || !door->settings.slides || door->angle == before) return;
  brio_vec3 way = brio_quat_rotate(door->settings.pose.q, (brio_vec3){door->angle - before, 0, 0});
  brio_door was = *door;
  was.angle = before;
  for (int i = 0; i < things->count; i++) {
    brio_thing *thing = &things->list[i];
    bool free = thing->there && thing->hand < 0 && thing->body < 0;
    if (free && brio_drawer_has(&was, thing->pose.p, thing->half.z))
      thing->pose.p = brio_vec3_add(thing->pose.p, way);
  }
}

/* Step all doors, with what touches each of them now. */
static void step_doors(brio_world *world, double dt) {
  doors *all = doors_of(world);
  brio_door_touch touches[BRIO_DOOR_TOUCHES];
  for (int i = 0; i < all->count; i++) {
    one_door *one = &all->list[i];
    if (one->body >= 0) {
      follow(world, &one->door, one->body, dt);
      continue;
    }
    int n = find_touches(world, &one->door, touches);
    /* The depth in the panel that did not yield, now and at most so far. */
    double before = one->door.angle;
    brio_door_step(&one->door, dt, touches, n);
    carry(world, &one->door, before);
    one->pressed = 0;
    for (int k = 0; k < n; k++) one->pressed = fmax(one->pressed, one->door.contacts[k].depth);
    one->deepest = fmax(one->deepest, one->pressed);
  }
  stop_hands(world);
}

/* Add the panels as solids: they hide others, and things are pushed out of them. */
static void put_panels(brio_world *world) {
  const doors *all = doors_of(world);
  for (int i = 0; i < all->count; i++) {
    /* A box in the panel's present pose; of a drawer five. */
    brio_door_board boards[BRIO_DOOR_BOARDS];
    brio_pose panel = brio_door_panel(&all->list[i].door);
    int count = brio_door_boards(&all->list[i].door.settings, boards);
    for (int k = 0; k < count; k++) {
      brio_solid solid = {.kind = BRIO_SOLID_BOX,
                          .at = brio_transform_of(brio_pose_mul(panel, boards[k].pose)),
                          .half = brio_vec3_scale(0.5, boards[k].size), .loose = true,
                          .owner = BRIO_WORLD_OWNER(BRIO_WORLD_PART_doors, BRIO_DOOR_SEEN * i)};
      memcpy(solid.color, all->list[i].color, sizeof solid.color);
      brio_world_put_solid(world, &solid);
    }
  }
}

/* ---- looking ---- */

/* Two sights for each door. */
static int count_sights(const brio_world *world) { return BRIO_DOOR_SEEN * doors_of(world)->count; }

/* The position of the sensor. */
static brio_vec3 eye_of(const brio_world *world) {
  return world->sensor.link[0] ? world->eye.p : world->sensor.pose.p;
}

/* What a sensor sees of a panel or handle; false: the handle is on the far face. */
static bool door_sight(brio_world *world, int index, brio_world_sight *out) {
  one_door *one = &doors_of(world)->list[index / BRIO_DOOR_SEEN];
  int which = index % BRIO_DOOR_SEEN;
  brio_detection seen[BRIO_DOOR_SEEN];
  /* The door computes its true detections; the sensor adds noise. */
  if (which >= brio_door_see(&one->door, eye_of(world), seen)) return false;
  *out = (brio_world_sight){.kind = brio_door_kind(&one->door, which),
                            .id = world->sensor.identity ? one->ids[which] : "",
                            .pose = seen[which].pose,
                            .size = seen[which].size,
                            .oriented = true,
                            .owner = BRIO_WORLD_OWNER(BRIO_WORLD_PART_doors, index - which),
                            .noise = &one->noise[which],
                            .dropout = &one->dropout[which]};
  return true;
}

/* The true pose of the panel, or of the handle on the sensor's side. */
static bool door_pose(const brio_world *world, int index, brio_pose *pose) {
  const brio_door *door = &doors_of(world)->list[index / BRIO_DOOR_SEEN].door;
  *pose = brio_door_panel(door);
  if (index % BRIO_DOOR_SEEN) pose->p = brio_door_handle_at(door, eye_of(world));
  return true;
}

/* Facts for queries of the world's state; the first `most` of them. */
static int door_state(const brio_world *world, int index, brio_world_fact *facts, int most) {
  const one_door *one = &doors_of(world)->list[index / BRIO_DOOR_SEEN];
  const brio_door *door = &one->door;
  /* Angles in rad, speeds in rad/s, times in s, depths in m. */
  brio_world_fact all[] = {
      {.name = "angle", .number = door->angle},
      {.name = "speed", .number = door->speed},
      {.name = "latched", .text = door->latched ? "yes" : "no"},
      {.name = "handle", .number = door->handle},
      {.name = "held", .number = door->held},
      {.name = "opened", .number = door->opened},
      {.name = "slips", .number = door->slips},
      {.name = "passed", .number = door->passed},
      {.name = "pressed", .number = one->pressed},
      {.name = "deepest", .number = one->deepest},
  };
  int n = 0;
  for (size_t i = 0; i < sizeof all / sizeof *all && n < most; i++) facts[n++] = all[i];
  return n;
}

/* Doors that are in both worlds keep their state; settings are the new ones. */
static void keep_doors(brio_world *now, const brio_world *before) {
  doors *all = doors_of(now);
  for (int i = 0; i < all->count; i++) {
    one_door *one = &all->list[i];
    int same = find_one(before, one->door.id);
    if (same < 0) continue;
    const one_door *was = &doors_of(before)->list[same];
    /* All of the old state but the settings and the color. */
    brio_door_settings settings = one->door.settings;
    one->door = was->door;
    one->door.settings = settings;
    /* The new settings may end earlier, and have no latch that holds it. */
    one->door.angle = fmin(was->door.angle, settings.most);
    one->door.handle = fmin(was->door.handle, settings.handle_most);
    one->door.latched = was->door.latched && settings.latch;
    one->pressed = was->pressed;
    one->deepest = was->deepest;
    memcpy(one->noise, was->noise, sizeof one->noise);
    memcpy(one->dropout, was->dropout, sizeof one->dropout);
  }
}

int brio_world_panels(const brio_world *world, const brio_door **out, int most) {
  const doors *all = doors_of(world);
  int count = all ? all->count : 0;
  for (int i = 0; i < count && i < most; i++) out[i] = &all->list[i].door;
  return count;
}

/* Look up the bodies of all doors in the world's mover. */
static void find_bodies(brio_world *world) {
  doors *all = doors_of(world);
  for (int i = 0; i < all->count; i++)
    all->list[i].body =
        world->mover ? world->mover->body(world->mover->context, all->list[i].door.id) : -1;
}

/* The door's own id, also for its handle. */
static const char *name_of_door(const brio_world *world, int index) {
  return doors_of(world)->list[index / BRIO_DOOR_SEEN].door.id;
}

const brio_world_part brio_world_part_doors = {
    .name = "door",
    .step = step_doors,
    .solids = put_panels,
    .count = count_sights,
    .sight = door_sight,
    .find = find_door,
    .pose = door_pose,
    .state = door_state,
    .name_of = name_of_door,
    .keep = keep_doors,
    .find_bodies = find_bodies,
    .free = free_doors,
};
