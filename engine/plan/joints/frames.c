/* Frames of planned joints.  As a robot's program (robot.h), each frame is three constant frames, blended by
** cosine and sine of its joint's value; what no planned joint moves is multiplied into them once. */
#include "plan/joints/frames.h"

#include <assert.h>
#include <string.h>

#include "math/sincos.h"

static const double BEYOND = 1e-3; /* m: a slide may be so far outside its limits */

/* Write rotation and position as the rows of a frame. */
static void set_rows(double out[BRIO_JOINT_FRAME], const double r[9], brio_vec3 p) {
  for (int i = 0; i < 3; i++) memcpy(out + 4 * i, r + 3 * i, 3 * sizeof *out);
  out[3] = p.x, out[7] = p.y, out[11] = p.z;
}

/* Return the motion of a mover by `value`: a turn about its axis, or a slide along it. */
static brio_transform moved(const brio_mover *mover, double value) {
  brio_transform out = BRIO_TRANSFORM_IDENTITY;
  if (mover->slides) {
    out.p = brio_vec3_scale(value, mover->axis);
    return out;
  }
  /* A turn as a quaternion. */
  double half = 0.5 * value, s = sin(half);
  brio_vec3 a = mover->axis;
  return brio_transform_of((brio_pose){{0, 0, 0}, {s * a.x, s * a.y, s * a.z, cos(half)}});
}

/* Write the constants of a turn about `a` behind `at`: a a^T, 1 - a a^T and [a]x (Rodrigues), or of a
** slide. */
static void set_constants(brio_joint_frame *frame, const brio_transform *at, bool slides, brio_vec3 a) {
  static const double none[9];
  if (slides) {
    set_rows(frame->constants[0], at->r, at->p);
    set_rows(frame->constants[1], none, (brio_vec3){0, 0, 0});
    set_rows(frame->constants[2], none, brio_transform_direction(at, a));
    return;
  }
  double u[3] = {a.x, a.y, a.z};
  brio_transform parts[3] = {
      {{0}, {0, 0, 0}}, {{0}, {0, 0, 0}}, {{0, -a.z, a.y, a.z, 0, -a.x, -a.y, a.x, 0}, {0, 0, 0}}};
  /* Along the axis nothing turns; across it cosine and sine do. */
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      parts[0].r[3 * i + j] = u[i] * u[j];
      parts[1].r[3 * i + j] = (i == j) - u[i] * u[j];
    }
  /* The position does not depend on the angle: it is in the first constant only. */
  for (int k = 0; k < 3; k++) {
    brio_transform product = brio_transform_mul(at, &parts[k]);
    set_rows(frame->constants[k], product.r, k == 0 ? at->p : (brio_vec3){0, 0, 0});
  }
}

/* What is known of the robot's own frames while they are gathered. */
typedef struct gathering {
  int *frame_of;         /* of the robot's movers */
  brio_transform *place; /* frame_from_mover */
  int *x_of;             /* of the robot's variables: planned one, or -1 */
} gathering;

/* Begin a frame at `at` in frame `parent`, moved by planned variable `x` of the robot. */
static int add_frame(brio_joint_frames *frames, int parent, const brio_transform *at, const brio_mover *mover,
                     int x, const brio_variable *variable) {
  int f = frames->count++;
  brio_joint_frame *frame = &frames->list[f];
  *frame = (brio_joint_frame){.parent = parent,
                              .x = x,
                              .slides = mover->slides,
                              .multiplier = mover->multiplier,
                              .offset = mover->offset,
                              .axis = mover->axis};
  set_constants(frame, at, mover->slides, mover->axis);
  /* The origin of a slide goes along its axis. */
  double range = fmax(fabs(mover->multiplier * variable->lower + mover->offset),
                      fabs(mover->multiplier * variable->upper + mover->offset));
  frame->slide = mover->slides ? range + BEYOND : 0;
  frame->length = brio_vec3_norm(at->p) + frame->slide;
  return f;
}

/* Go over the robot's movers, parents first: planned ones begin a frame, others are rigid in their
** parent's. */
static void gather(brio_joint_frames *frames, const brio_robot *robot, const double *q, gathering *g) {
  int count;
  const brio_mover *movers = brio_robot_movers(robot, &count);
  g->frame_of[0] = 0;
  g->place[0] = brio_transform_of((brio_pose){{q[0], q[1], q[2]}, {q[3], q[4], q[5], q[6]}});
  for (int m = 1; m <= count; m++) {
    const brio_mover *mover = &movers[m];
    assert(mover->parent < m);
    /* Where it stands at the value 0, in the frame of its parent. */
    brio_transform place = brio_robot_mover_place(robot, m);
    brio_transform at = brio_transform_mul(&g->place[mover->parent], &place);
    int variable = mover->q - BRIO_BASE_NQ, parent = g->frame_of[mover->parent];
    if (g->x_of[variable] >= 0) {
      g->frame_of[m] = add_frame(frames, parent, &at, mover, g->x_of[variable], &robot->variables[variable]);
      g->place[m] = BRIO_TRANSFORM_IDENTITY;
    } else {
      brio_transform by = moved(mover, mover->multiplier * q[mover->q] + mover->offset);
      g->frame_of[m] = parent;
      g->place[m] = brio_transform_mul(&at, &by);
    }
  }
  /* The links hang in the movers' frames. */
  for (int i = 0; i < robot->nlink; i++) {
    brio_transform place;
    int m = brio_robot_frame_of(robot, i, &place);
    frames->frame_of[i] = g->frame_of[m];
    frames->link_places[i] = brio_transform_mul(&g->place[m], &place);
  }
}

bool brio_joint_frames_start(brio_joint_frames *frames, brio_arena *arena, const brio_robot *robot,
                             const double *q, const int *variables, int nx, brio_error *err) {
  int count;
  brio_robot_movers(robot, &count);
  *frames = (brio_joint_frames){.count = 1, .nx = nx};
  gathering g = {BRIO_TAKE(arena, int, count + 1), BRIO_TAKE(arena, brio_transform, count + 1),
                 BRIO_TAKE(arena, int, robot->nvariable + 1)};
  frames->list = BRIO_TAKE(arena, brio_joint_frame, count + 1);
  frames->places = BRIO_TAKE(arena, brio_joint_place, count + 1);
  frames->bounds = BRIO_TAKE(arena, brio_joint_bound, count + 1);
  frames->values = BRIO_TAKE(arena, double, 3 * (count + 3));
  frames->frame_of = BRIO_TAKE(arena, int, robot->nlink);
  frames->link_places = BRIO_TAKE(arena, brio_transform, robot->nlink);
  if (!g.frame_of || !g.place || !g.x_of || !frames->list || !frames->places || !frames->bounds ||
      !frames->values || !frames->frame_of || !frames->link_places)
    return brio_fail(err, BRIO_NO_MEMORY, "no memory to plan with robot '%.80s'", robot->name);
  frames->sines = frames->values + count + 3;
  frames->cosines = frames->sines + count + 3;
  /* Which of the robot's variables are planned. */
  for (int i = 0; i < robot->nvariable; i++) g.x_of[i] = -1;
  for (int i = 0; i < nx; i++) g.x_of[variables[i]] = i;
  gather(frames, robot, q, &g);
  set_rows(frames->places[0].world, BRIO_TRANSFORM_IDENTITY.r, (brio_vec3){0, 0, 0});
  return true;
}

/* Write frame `parent` times the blend of the constants of `frame`. */
static void place_one(const brio_joint_frame *frame, const double *parent, double sine, double cosine,
                      double *restrict out) {
  /* The frame in its parent, then in the world: rows times columns. */
  double local[BRIO_JOINT_FRAME];
  for (int i = 0; i < BRIO_JOINT_FRAME; i++)
    local[i] = frame->constants[0][i] + cosine * frame->constants[1][i] + sine * frame->constants[2][i];
  for (int i = 0; i < 3; i++) {
    const double *row = parent + 4 * i;
    for (int j = 0; j < 4; j++)
      out[4 * i + j] = row[0] * local[j] + row[1] * local[4 + j] + row[2] * local[8 + j];
    out[4 * i + 3] += row[3];
  }
}

void brio_joint_frames_place(brio_joint_frames *frames, const double *x) {
  /* The values of all joints; those that turn then need sine and cosine. */
  bool large = false;
  for (int f = 1; f < frames->count; f++) {
    const brio_joint_frame *frame = &frames->list[f];
    double value = frame->multiplier * x[frame->x] + frame->offset;
    frames->values[f] = value;
    large |= !(fabs(value) < BRIO_SINCOS_LARGEST);
  }
  brio_sincos_list(frames->values + 1, frames->sines + 1, frames->cosines + 1, frames->count - 1, large);
  /* A slide has its value in the place of the sine. */
  for (int f = 1; f < frames->count; f++) {
    const brio_joint_frame *frame = &frames->list[f];
    place_one(frame, frames->places[frame->parent].world,
              frame->slides ? frames->values[f] : frames->sines[f], frame->slides ? 0 : frames->cosines[f],
              frames->places[f].world);
  }
}

bool brio_joint_frames_bounded(const brio_joint_frames *frames, const double *x) {
  for (int i = 0; i < frames->nx; i++)
    /* Limits of turns do not matter: their levers are the same anywhere. */
    if (!isfinite(x[i])) return false;
  for (int f = 1; f < frames->count; f++) {
    const brio_joint_frame *frame = &frames->list[f];
    if (frame->slides && fabs(frame->multiplier * x[frame->x] + frame->offset) > frame->slide) return false;
  }
  return true;
}

void brio_joint_frames_move(brio_joint_frames *frames, const double *delta) {
  for (int f = 1; f < frames->count; f++) {
    const brio_joint_frame *frame = &frames->list[f];
    const brio_joint_place *parent = &frames->places[frame->parent];
    brio_joint_place *place = &frames->places[f];
    const double *w = place->world, *pw = parent->world;
    /* The origin moves with the parent. */
    brio_vec3 arm = {w[3] - pw[3], w[7] - pw[7], w[11] - pw[11]};
    brio_vec3 axis = brio_joint_place_direction(w, frame->axis);
    double rate = frame->multiplier * delta[frame->x];
    place->velocity = brio_vec3_add(parent->velocity, brio_vec3_cross(parent->spin, arm));
    place->spin = parent->spin;
    /* The joint adds its own part. */
    if (frame->slides)
      place->velocity = brio_vec3_add_scaled(place->velocity, rate, axis);
    else
      place->spin = brio_vec3_add_scaled(place->spin, rate, axis);
  }
}

/* With T the sum of turns so far: a longer chain adds length T to the speed and length `bend` to the
** curvature; a turn by d adds d (d + 2 T) to `bend`; a slide by d is turned by T alone, which curves its path
** by 2 d T. */
void brio_joint_bound_add(brio_joint_bound *bound, const brio_joint_frame *frame, double length,
                          const double *delta) {
  double d = fabs(frame->multiplier * delta[frame->x]);
  bound->base += length * bound->turn;
  bound->bend_base += length * bound->bend;
  if (frame->slides) {
    bound->base += d;
    bound->bend_base += 2 * d * bound->turn;
  } else {
    bound->bend += d * (d + 2 * bound->turn);
    bound->turn += d;
  }
}

void brio_joint_frames_bound(brio_joint_frames *frames, const double *delta) {
  for (int f = 1; f < frames->count; f++) {
    const brio_joint_frame *frame = &frames->list[f];
    frames->bounds[f] = frames->bounds[frame->parent];
    brio_joint_bound_add(&frames->bounds[f], frame, frame->length, delta);
  }
}
