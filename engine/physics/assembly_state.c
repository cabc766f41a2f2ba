/* The state of an assembly's things and doors: orders of the world, latches, what the world sees, and what is
** taken over from the assembly before. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "physics/assembly.h"

enum { PAIRS = 1024 }; /* bodies that touch each other at once; further ones are not noted */

int brio_assembly_find(const brio_assembly *assembly, const char *id) {
  for (int i = 0; i < assembly->nthing; i++)
    if (strcmp(assembly->things[i].id, id) == 0) return i;
  for (int i = 0; i < assembly->ndoor; i++)
    if (strcmp(assembly->doors[i].id, id) == 0) return assembly->nthing + i;
  return -1;
}

void brio_assembly_put(brio_assembly *assembly, int body, const brio_pose *pose) {
  assert(body >= 0 && body < assembly->nthing);
  brio_assembly_thing *thing = &assembly->things[body];
  /* At rest; what is gone is laid aside until it is put somewhere. */
  if (pose) {
    const brio_physics_body state = {.pose = *pose};
    assembly->library->put(assembly->simulation, thing->body, &state);
  }
  assembly->library->lay_off(assembly->simulation, thing->body, !pose);
  thing->there = pose != NULL;
  thing->puts++;
}

/* The angle or the handle's value of a door, and its speed. */
static brio_physics_joint joint_of(const brio_assembly *assembly, int joint) {
  brio_physics_joint now = {0};
  if (joint >= 0) assembly->library->read_joint(assembly->simulation, joint, &now);
  return now;
}

void brio_assembly_hold(brio_assembly *assembly, int body, double seconds) {
  int number = body - assembly->nthing;
  assert(number >= 0 && number < assembly->ndoor);
  brio_assembly_door *door = &assembly->doors[number];
  if (!(seconds > 0)) return;
  door->until = assembly->library->time(assembly->simulation) + seconds;
  door->stop = fmax(0, joint_of(assembly, door->panel).position);
}

/* A latch catches where the panel is almost shut and comes to rest, and a handle that is turned frees it. */
static void mind_latch(brio_assembly_door *door, brio_physics_joint panel, double handle) {
  const brio_door_settings *s = &door->settings;
  bool turned = handle >= s->free && !s->locked;
  if (door->latched && turned) door->latched = false;
  if (door->latched || !s->latch || turned) return;
  door->latched = panel.position <= BRIO_DOOR_CATCH && panel.velocity <= 0;
}

void brio_assembly_mind_doors(brio_assembly *assembly) {
  double time = assembly->library->time(assembly->simulation);
  for (int i = 0; i < assembly->ndoor; i++) {
    brio_assembly_door *door = &assembly->doors[i];
    brio_physics_joint panel = joint_of(assembly, door->panel);
    mind_latch(door, panel, fabs(joint_of(assembly, door->handle).position));
    /* The end of its range: shut, where a person holds it, or as far as it goes. */
    double upper = door->settings.most;
    if (time < door->until) upper = fmin(upper, door->stop);
    if (door->latched) upper = 0;
    if (upper != door->upper) assembly->library->limit(assembly->simulation, door->panel, 0, upper);
    door->upper = upper;
  }
}

/* Note in the things of a pair what the other body of it is, and in links that feel how hard it presses.
** Bodies are numbered as the model has them: robot, things, doors. */
static void mark(brio_assembly *assembly, int body, int other, double press, brio_world_moved *touches) {
  int first = assembly->root + assembly->robot->nlink, number = body - first;
  bool robot = other >= assembly->root && other < first;
  if (number >= 0 && number < assembly->nthing)
    assembly->things[number].touches |= robot ? BRIO_MOVED_BY_ROBOT : BRIO_MOVED_BY_OTHERS;
  for (int i = 0; i < assembly->about.ntouch; i++)
    if (assembly->feels[i] == body) touches[i].numbers[0] += (float)press;
}

/* What touches each thing, and each link that feels.  O(contacts) */
static void find_touches(brio_assembly *assembly, brio_world_moved *touches) {
  brio_physics_pair pairs[PAIRS];
  bool wanted = assembly->nthing > 0 || assembly->about.ntouch > 0;
  int count = wanted ? assembly->library->pairs(assembly->simulation, pairs, PAIRS) : 0;
  for (int i = 0; i < assembly->nthing; i++) assembly->things[i].touches = 0;
  for (int i = 0; i < count; i++) {
    mark(assembly, pairs[i].body, pairs[i].other, pairs[i].press, touches);
    mark(assembly, pairs[i].other, pairs[i].body, pairs[i].press, touches);
  }
}

/* Write pose and velocity of a body. */
static void read_body(const brio_assembly *assembly, int number, brio_world_moved *out) {
  brio_physics_body body;
  assembly->library->read_body(assembly->simulation, number, &body);
  const double numbers[BRIO_WORLD_MOVED] = {body.pose.p.x, body.pose.p.y, body.pose.p.z,  body.pose.q.x,
                                            body.pose.q.y, body.pose.q.z, body.pose.q.w,  body.linear.x,
                                            body.linear.y, body.linear.z, body.angular.x, body.angular.y,
                                            body.angular.z};
  for (int i = 0; i < BRIO_WORLD_MOVED; i++) out->numbers[i] = (float)numbers[i];
}

/* What the world sees of a thing. */
static void read_thing(const brio_assembly *assembly, const brio_assembly_thing *thing,
                       brio_world_moved *out) {
  read_body(assembly, thing->body, out);
  /* How it turns is nobody's concern. */
  memset(out->numbers + 10, 0, 3 * sizeof *out->numbers);
  out->touches = thing->touches;
  out->puts = thing->puts;
}

/* What an inertial unit measures. */
static void read_imu(const brio_assembly *assembly, brio_world_moved *out) {
  double turn[3], acceleration[3], q[4]; /* w x y z */
  assembly->library->sense(assembly->simulation, assembly->imu[0], acceleration, 3);
  assembly->library->sense(assembly->simulation, assembly->imu[1], turn, 3);
  assembly->library->sense(assembly->simulation, assembly->imu[2], q, 4);
  /* Acceleration, turn, then the quaternion as x y z w. */
  for (int i = 0; i < 3; i++) out->numbers[i] = (float)acceleration[i], out->numbers[3 + i] = (float)turn[i];
  for (int i = 0; i < 4; i++) out->numbers[6 + i] = (float)q[(i + 1) % 4];
}

/* Rows of what moved: things, doors, the base if it floats, the inertial unit if there is one, links that
** feel. */
int brio_assembly_base_row(const brio_assembly *assembly) {
  return assembly->nthing + assembly->ndoor;
}

int brio_assembly_imu_row(const brio_assembly *assembly) {
  return brio_assembly_base_row(assembly) + assembly->about.floats;
}

int brio_assembly_touch_row(const brio_assembly *assembly) {
  return brio_assembly_imu_row(assembly) + (assembly->about.imu[0] != 0);
}

int brio_assembly_rows(const brio_assembly *assembly) {
  return brio_assembly_touch_row(assembly) + assembly->about.ntouch;
}

void brio_assembly_read(brio_assembly *assembly, brio_world_moved *rows) {
  memset(rows, 0, (size_t)brio_assembly_rows(assembly) * sizeof *rows);
  find_touches(assembly, rows + brio_assembly_touch_row(assembly));
  for (int i = 0; i < assembly->nthing; i++) read_thing(assembly, &assembly->things[i], &rows[i]);
  /* A door: angle and speed of its panel, its handle, and whether it is latched. */
  for (int i = 0; i < assembly->ndoor; i++) {
    const brio_assembly_door *door = &assembly->doors[i];
    brio_physics_joint panel = joint_of(assembly, door->panel);
    double handle = fabs(joint_of(assembly, door->handle).position);
    const double numbers[] = {panel.position, panel.velocity, handle, door->latched};
    for (int k = 0; k < 4; k++) rows[assembly->nthing + i].numbers[k] = (float)numbers[k];
  }
  if (assembly->about.floats) read_body(assembly, assembly->root, &rows[brio_assembly_base_row(assembly)]);
  if (assembly->about.imu[0]) read_imu(assembly, &rows[brio_assembly_imu_row(assembly)]);
}

bool brio_assembly_match(brio_assembly *assembly, const brio_assembly *before, brio_error *err) {
  assert(assembly->simulation && before->simulation);
  return assembly->library->match(assembly->simulation, before->simulation) ||
         brio_fail(err, BRIO_NO_MEMORY, "no memory for a model of physics");
}

/* Things that are in both stay there, or away; latches, and who holds a door, too.  O(things^2) */
static void take_over_bodies(brio_assembly *assembly, const brio_assembly *before) {
  for (int i = 0; i < assembly->nthing; i++) {
    brio_assembly_thing *thing = &assembly->things[i];
    int same = brio_assembly_find(before, thing->id);
    if (same < 0 || same >= before->nthing) continue;
    thing->there = before->things[same].there;
    thing->puts = before->things[same].puts;
    assembly->library->lay_off(assembly->simulation, thing->body, !thing->there);
  }
  /* A door has its number behind the things. */
  for (int i = 0; i < assembly->ndoor; i++) {
    brio_assembly_door *door = &assembly->doors[i];
    int same = brio_assembly_find(before, door->id) - before->nthing;
    if (same < 0) continue;
    door->latched = before->doors[same].latched;
    door->until = before->doors[same].until;
    door->stop = before->doors[same].stop;
  }
}

void brio_assembly_take_over(brio_assembly *assembly, const brio_assembly *before) {
  assembly->library->take_over(assembly->simulation, before->simulation);
  take_over_bodies(assembly, before);
  brio_assembly_mind_doors(assembly);
  assembly->library->settle(assembly->simulation);
}
