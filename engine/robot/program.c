/* The compiler from a tree of joints to the program of program_internal.h. O(joints + links), once for each
** robot. */
#include "robot/program_internal.h"

#include <assert.h>
#include <string.h>

/* The state of the compiler. */
typedef struct compiler {
  const brio_robot *robot;
  struct brio_robot_program *program;
  brio_transform *place; /* nlink: frame_from_link */
} compiler;

/* Write rotation and position as the rows of a frame. */
static void set_frame(double out[BRIO_FRAME], const double r[9], brio_vec3 p) {
  for (int i = 0; i < 3; i++) memcpy(out + 4 * i, r + 3 * i, 3 * sizeof *out);
  out[3] = p.x, out[7] = p.y, out[11] = p.z;
}

/* Write the three constants of a turn about the unit vector `a` behind `at`: a a^T, 1 - a a^T and [a]x, each
** with the rotation of `at` multiplied in. */
static void set_turn(double constants[3][BRIO_FRAME], const brio_transform *at, brio_vec3 a) {
  double u[3] = {a.x, a.y, a.z};
  /* along: a a^T; across: 1 - a a^T; out: the cross product matrix [a]x. */
  brio_transform along = {{0}, {0, 0, 0}}, across = along,
                 out = {{0, -a.z, a.y, a.z, 0, -a.x, -a.y, a.x, 0}, {0, 0, 0}};
  const brio_transform *parts[3] = {&along, &across, &out};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      along.r[3 * i + j] = u[i] * u[j];
      across.r[3 * i + j] = (i == j) - u[i] * u[j];
    }
  for (int k = 0; k < 3; k++) {
    brio_transform product = brio_transform_mul(at, parts[k]);
    /* The position does not depend on the angle, so it is in the first constant only. */
    set_frame(constants[k], product.r, k == 0 ? at->p : (brio_vec3){0, 0, 0});
  }
}

/* Write the three constants of a slide along `a` behind `at`: the position moves along the rotated axis, the
** rotation is constant. */
static void set_slide(double constants[3][BRIO_FRAME], const brio_transform *at, brio_vec3 a) {
  static const double nothing[9];
  set_frame(constants[0], at->r, at->p);
  set_frame(constants[1], nothing, (brio_vec3){0, 0, 0});
  set_frame(constants[2], nothing, brio_transform_direction(at, a));
}

/* Add a mover at `at` in frame `parent`; return the number of its frame. `part`: which variable of the joint
** moves it. */
static int add_mover(compiler *c, int parent, const brio_transform *at, bool slides, brio_vec3 axis,
                     const brio_joint *joint, int part) {
  struct brio_robot_program *program = c->program;
  assert(parent >= 0 && parent <= program->nmover);
  int m = ++program->nmover;
  program->movers[m] = (brio_mover){parent, BRIO_BASE_NQ + joint->variable + part,
                                    BRIO_BASE_NV + joint->variable + part, slides, joint->multiplier,
                                    joint->offset, axis};
  if (slides) set_slide(program->constants[m], at, axis);
  else set_turn(program->constants[m], at, axis);
  if (slides) program->slides[program->nslide++] = m;
  /* No link yet: add_joint sets it if the joint's child is the frame itself. */
  program->link_of[m] = c->robot->nlink;
  return m;
}

/* The elementary motions of a joint, in its frame. Planar: x, y and the turn about the normal. Floating: x,
** y, z, then yaw, pitch and roll, each about the axis as rotated by the ones before. */
typedef struct motion {
  int part; /* which of the joint's variables */
  bool slides;
  brio_vec3 axis;
} motion;

/* Write the motions of a joint; return their number: 0, 1, 3 or 6. */
static int list_motions(const brio_joint *joint, motion out[BRIO_BASE_NV]) {
  static const motion space[] = {{0, true, {1, 0, 0}},  {1, true, {0, 1, 0}},  {2, true, {0, 0, 1}},
                                 {5, false, {0, 0, 1}}, {4, false, {0, 1, 0}}, {3, false, {1, 0, 0}}};
  if (joint->type == BRIO_JOINT_FLOATING) return memcpy(out, space, sizeof space), 6;
  if (joint->type == BRIO_JOINT_PLANAR) {
    /* the plane's x and y: the joint's, turned the shortest way from z to the normal */
    brio_vec3 n = joint->axis;
    brio_quat q =
        n.z > -1 + 1e-9 ? brio_quat_unit((brio_quat){-n.y, n.x, 0, 1 + n.z}) : (brio_quat){1, 0, 0, 0};
    out[0] = (motion){0, true, brio_quat_rotate(q, (brio_vec3){1, 0, 0})};
    out[1] = (motion){1, true, brio_quat_rotate(q, (brio_vec3){0, 1, 0})};
    out[2] = (motion){2, false, n};
    return 3;
  }
  out[0] = (motion){0, joint->type == BRIO_JOINT_PRISMATIC, joint->axis};
  return joint->type == BRIO_JOINT_FIXED ? 0 : 1;
}

/* Split a joint into movers, each in the frame of the one before, and place its child. */
static void add_joint(compiler *c, const brio_joint *joint) {
  motion motions[BRIO_BASE_NV];
  /* A fixed joint has no motion: its child gets the parent's frame. */
  int count = list_motions(joint, motions), frame = c->program->frame_of[joint->parent];
  /* Fixed transforms are multiplied into the first mover behind them. */
  brio_transform at = brio_transform_mul(&c->place[joint->parent], &joint->origin);
  for (int k = 0; k < count; k++) {
    /* The first mover is at `at`; each later one at the origin of the one before. */
    frame = add_mover(c, frame, &at, motions[k].slides, motions[k].axis, joint, motions[k].part);
    at = BRIO_TRANSFORM_IDENTITY;
  }
  /* A reversed joint has a tail: its child is fixed in the last frame. */
  bool turned = memcmp(&joint->tail, &BRIO_TRANSFORM_IDENTITY, sizeof joint->tail) != 0;
  if (count && !turned) c->program->link_of[frame] = joint->child;
  c->program->frame_of[joint->child] = frame;
  c->place[joint->child] = turned ? brio_transform_mul(&at, &joint->tail) : at;
}

/* Sum up the masses that are fixed in each frame, and list the links that are not frames themselves. */
static void gather(compiler *c) {
  struct brio_robot_program *program = c->program;
  for (int i = 0; i < c->robot->nlink; i++) {
    const brio_link *link = &c->robot->links[i];
    brio_rigid_body *body = &program->bodies[program->frame_of[i]];
    /* Mass times center of mass, in the frame's axes: moments add up. */
    body->mass += link->mass;
    body->moment =
        brio_vec3_add_scaled(body->moment, link->mass, brio_transform_point(&c->place[i], link->com));
    program->held_of[i] = -1;
    /* The link is the frame: it needs no product of its own. */
    if (program->link_of[program->frame_of[i]] == i) continue;
    program->held_of[i] = program->nheld;
    brio_held *held = &program->held[program->nheld++];
    held->link = i;
    held->frame = program->frame_of[i];
    set_frame(held->place, c->place[i].r, c->place[i].p);
  }
  /* From the leaves inward: the mass that each frame carries. */
  for (int m = program->nmover; m >= 0; m--) {
    program->bodies[m].carried += program->bodies[m].mass;
    if (m > 0) program->bodies[program->movers[m].parent].carried += program->bodies[m].carried;
  }
}

/* Allocate all arrays; there are at most as many movers as variables of joints. False: no memory. */
static bool make_room(compiler *c, brio_robot *robot) {
  int most = 1, nlink = robot->nlink;
  for (int j = 0; j < robot->njoint; j++) most += robot->joints[j].nvariable;
  struct brio_robot_program *program = BRIO_TAKE(&robot->arena, struct brio_robot_program, 1);
  if (!program) return false;
  program->movers = BRIO_TAKE(&robot->arena, brio_mover, most);
  program->constants = brio_arena_take(&robot->arena, (size_t)most * sizeof *program->constants);
  program->slides = BRIO_TAKE(&robot->arena, int, most);
  program->link_of = BRIO_TAKE(&robot->arena, int, most);
  program->frame_of = BRIO_TAKE(&robot->arena, int, nlink);
  program->held = BRIO_TAKE(&robot->arena, brio_held, nlink);
  program->held_of = BRIO_TAKE(&robot->arena, int, nlink);
  program->bodies = BRIO_TAKE(&robot->arena, brio_rigid_body, most);
  robot->program = c->program = program;
  return program->movers && program->constants && program->slides && program->link_of && program->frame_of &&
         program->held && program->held_of && program->bodies;
}

bool brio_robot_compile(brio_robot *robot, brio_error *err) {
  brio_arena scratch;
  brio_arena_start(&scratch, 4096);
  compiler c = {.robot = robot, .place = BRIO_TAKE(&scratch, brio_transform, robot->nlink)};
  bool good = c.place && make_room(&c, robot);
  if (good) {
    /* The root link is frame 0. */
    c.place[0] = BRIO_TRANSFORM_IDENTITY;
    /* Parents first: a joint's parent link has its frame when the joint is compiled. */
    for (int k = 0; k < robot->njoint; k++) add_joint(&c, &robot->joints[robot->order[k]]);
    assert(c.program->nmover <= BRIO_BASE_NV * robot->njoint);
    gather(&c);
  } else {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for the robot in %s", robot->file);
  }
  brio_arena_end(&scratch);
  return good;
}

const brio_mover *brio_robot_movers(const brio_robot *robot, int *count) {
  *count = robot->program->nmover;
  return robot->program->movers;
}

/* Read the rows of a frame as rotation and position. */
static brio_transform read_frame(const double frame[BRIO_FRAME]) {
  brio_transform out = {.p = {frame[3], frame[7], frame[11]}};
  for (int i = 0; i < 3; i++) memcpy(out.r + 3 * i, frame + 4 * i, 3 * sizeof *frame);
  return out;
}

/* The constants at cosine 1 and sine 0; a slide has no second one. */
brio_transform brio_robot_mover_place(const brio_robot *robot, int m) {
  const struct brio_robot_program *program = robot->program;
  assert(m > 0 && m <= program->nmover);
  double frame[BRIO_FRAME];
  for (int i = 0; i < BRIO_FRAME; i++) frame[i] = program->constants[m][0][i] + program->constants[m][1][i];
  return read_frame(frame);
}

int brio_robot_frame_of(const brio_robot *robot, int link, brio_transform *place) {
  const struct brio_robot_program *program = robot->program;
  assert(link >= 0 && link < robot->nlink);
  int held = program->held_of[link];
  /* A link that is the frame itself is not in the list of held ones. */
  if (place) *place = held < 0 ? BRIO_TRANSFORM_IDENTITY : read_frame(program->held[held].place);
  return program->frame_of[link];
}
