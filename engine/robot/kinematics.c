/* Kinematics: runs the program that program_internal.h describes, on frames as frame_internal.h has them.
**
** Forward kinematics is one pass over the movers, O(nmover + nlink). Jacobians walk from a link to
** the root, one column for each mover on the way: axis x (point - origin) and axis for a turn, axis
** and 0 for a slide (Featherstone, "Rigid Body Dynamics Algorithms", 2008, ch. 4), O(depth). The
** center of mass and its Jacobian come from one backward pass that sums mass times position over
** each subtree (Boulic, Mas, Thalmann, "A robust approach for the control of the center of mass
** with inverse kinetics", 1996). */
#include "robot/kinematics.h"

#include <assert.h>
#include <string.h>

#include "robot/frame_internal.h"
#include "robot/program_internal.h"

struct brio_state_private {
  double *values, *sines, *cosines; /* nmover + 2, by frame */
  double *frames;                   /* (nmover + 1) x BRIO_FRAME: world_from_frame */
  int *path;                        /* nmover + 1: frames on the way to a link */
  brio_vec3 *sums;                  /* nmover + 1: mass times position of a frame and all below, kg m */
  double *q;                        /* nq: the configuration that everything is placed at */
  bool placed;                      /* whether it is */
};

/* Allocate the workspace of one thread; afterwards no query allocates. */
bool brio_state_start(brio_state *state, const brio_robot *robot, brio_error *err) {
  int n = robot->program->nmover;
  memset(state, 0, sizeof *state);
  state->robot = robot;
  /* One block holds frames, values, sines and cosines: a query touches it from front to back. */
  brio_arena_start(&state->arena, 4096);
  state->links =
      BRIO_TAKE(&state->arena, brio_transform, robot->nlink + 1); /* one for frames that are no link */
  struct brio_state_private *work = BRIO_TAKE(&state->arena, struct brio_state_private, 1);
  double *numbers = BRIO_TAKE(&state->arena, double, (n + 1) * BRIO_FRAME + 3 * (n + 2));
  brio_vec3 *sums = BRIO_TAKE(&state->arena, brio_vec3, n + 1);
  int *path = BRIO_TAKE(&state->arena, int, n + 1);
  double *q = BRIO_TAKE(&state->arena, double, robot->nq);
  if (!state->links || !work || !numbers || !sums || !path || !q) {
    brio_state_end(state);
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for a state of robot '%.80s'", robot->name);
  }
  *work = (struct brio_state_private){.frames = numbers, .path = path, .sums = sums, .q = q};
  work->values = numbers + (n + 1) * BRIO_FRAME;
  work->sines = work->values + n + 2;
  /* One more of each than movers: sines and cosines are computed in pairs. */
  work->cosines = work->sines + n + 2;
  state->work = work;
  return true;
}

void brio_state_end(brio_state *state) {
  brio_arena_end(&state->arena);
  memset(state, 0, sizeof *state);
}

/* Write sine and cosine of every mover's value. For a slide, the value is in the place of the sine, and 0 in
** that of the cosine. */
static void read_values(const struct brio_robot_program *program, struct brio_state_private *work,
                        const double *q) {
  bool large = false;
  /* Values first, so that sines and cosines are computed in pairs. */
  for (int m = 1; m <= program->nmover; m++) {
    const brio_mover *mover = &program->movers[m];
    double value = mover->multiplier * q[mover->q] + mover->offset;
    work->values[m] = value;
    large |= !(fabs(value) < BRIO_SINCOS_LARGEST);
  }
  brio_sincos_list(work->values + 1, work->sines + 1, work->cosines + 1, program->nmover, large);
  /* Slides were computed like turns: overwrite them. */
  for (int k = 0; k < program->nslide; k++) {
    int m = program->slides[k];
    work->sines[m] = work->values[m];
    work->cosines[m] = 0;
  }
}

/* Place frame 0 and the root link; the quaternion is normalized. */
static void place_base(brio_state *state, const double *q) {
  brio_transform base =
      brio_transform_of((brio_pose){{q[0], q[1], q[2]}, brio_quat_unit((brio_quat){q[3], q[4], q[5], q[6]})});
  double *frame = state->work->frames;
  brio_frame_read(&base, frame);
  state->links[0] = base;
}

/* Place frame `m`, whose parent is placed already, and the link that is this frame. */
static inline void place_frame(brio_state *state, int m, double sine, double cosine) {
  const struct brio_robot_program *program = state->robot->program;
  double *frames = state->work->frames, *frame = frames + BRIO_FRAME * m;
  /* The parent's frame has a smaller number and is placed already. */
  const double *parent = frames + BRIO_FRAME * program->movers[m].parent;
  brio_frame_place(parent, program->constants[m][0], sine, cosine, frame);
  brio_frame_write(frame, &state->links[program->link_of[m]]);
}

/* Place a link that is fixed in a frame but is not the frame. */
static inline void place_held(brio_state *state, const brio_held *held) {
  double frame[BRIO_FRAME];
  brio_frame_multiply(state->work->frames + BRIO_FRAME * held->frame, held->place, frame);
  brio_frame_write(frame, &state->links[held->link]);
}

/* O(nmover + nlink); where `q` is, to the bit, that of the last update: O(nq). */
void brio_state_update(brio_state *state, const double *q) {
  const struct brio_robot_program *program = state->robot->program;
  struct brio_state_private *work = state->work;
  size_t bytes = (size_t)state->robot->nq * sizeof *q;
  if (work->placed && memcmp(work->q, q, bytes) == 0) return;
  memcpy(work->q, q, bytes);
  work->placed = true;
  place_base(state, q);
  read_values(program, state->work, q);
  /* Parents come before their children, so one pass suffices. */
  for (int m = 1; m <= program->nmover; m++) place_frame(state, m, work->sines[m], work->cosines[m]);
  for (int i = 0; i < program->nheld; i++) place_held(state, &program->held[i]);
}

/* O(depth of the link) */
void brio_state_update_link(brio_state *state, const double *q, int link) {
  const struct brio_robot_program *program = state->robot->program;
  struct brio_state_private *work = state->work;
  int count = 0;
  bool large = false;
  work->placed = false;
  place_base(state, q);
  /* Only the frames between the root and the link are computed, listed from the link inward. */
  for (int m = program->frame_of[link]; m > 0; m = program->movers[m].parent) work->path[count++] = m;
  assert(count <= program->nmover);
  for (int k = 1; k <= count; k++) { /* from the root out */
    const brio_mover *mover = &program->movers[work->path[count - k]];
    work->values[k] = mover->multiplier * q[mover->q] + mover->offset;
    large |= !(fabs(work->values[k]) < BRIO_SINCOS_LARGEST);
  }
  brio_sincos_list(work->values + 1, work->sines + 1, work->cosines + 1, count, large);
  /* Then placed from the root outward. */
  for (int k = 1; k <= count; k++) {
    int m = work->path[count - k];
    bool slides = program->movers[m].slides;
    place_frame(state, m, slides ? work->values[k] : work->sines[k], slides ? 0 : work->cosines[k]);
  }
  /* The link may be fixed in the last frame instead of being it. */
  if (program->held_of[link] >= 0) place_held(state, &program->held[program->held_of[link]]);
}

/* O(nmover): one pass from the leaves to the root. */
brio_vec3 brio_state_update_com(brio_state *state) {
  const struct brio_robot_program *program = state->robot->program;
  const struct brio_state_private *work = state->work;
  brio_vec3 *sums = work->sums;
  /* Each frame adds its own moment and those of the frames below it to its parent's sum. */
  memset(sums, 0, (size_t)(program->nmover + 1) * sizeof *sums);
  /* The body's mass and moment are those of all links that are fixed in the frame. */
  for (int m = program->nmover; m >= 0; m--) {
    const brio_rigid_body *body = &program->bodies[m];
    const double *frame = work->frames + BRIO_FRAME * m;
    brio_vec3 moment = brio_frame_direction(frame, body->moment);
    brio_vec3 own = brio_vec3_add_scaled(moment, body->mass, brio_frame_origin(frame));
    sums[m] = brio_vec3_add(sums[m], own);
    if (m > 0) sums[program->movers[m].parent] = brio_vec3_add(sums[program->movers[m].parent], sums[m]);
  }
  /* Frame 0 carries the whole robot. */
  double mass = program->bodies[0].carried;
  /* Without mass there is no center of mass: return the root's origin. */
  state->com = mass > 0 ? brio_vec3_scale(1 / mass, sums[0]) : brio_frame_origin(work->frames);
  return state->com;
}

/* Add the velocity v to column `column` of three rows of `nv` numbers. */
static inline void add_column(double *rows, int nv, int column, brio_vec3 v) {
  rows[column] += v.x;
  rows[nv + column] += v.y;
  rows[2 * nv + column] += v.z;
}

/* Zero three rows and write the columns of the base for a point at `arm` from its origin: velocity = linear +
** angular x arm. */
static void start_point_rows(double *rows, int nv, brio_vec3 arm) {
  memset(rows, 0, 3 * (size_t)nv * sizeof *rows);
  /* Translation: the identity; rotation: minus the cross product matrix of `arm`. */
  rows[0] = rows[nv + 1] = rows[2 * nv + 2] = 1;
  rows[4] = arm.z, rows[5] = -arm.y;
  rows[nv + 3] = -arm.z, rows[nv + 5] = arm.x;
  rows[2 * nv + 3] = arm.y, rows[2 * nv + 4] = -arm.x;
}

/* O(nv + depth): the rows are cleared, then each mover between the link and the root adds to its column. */
void brio_state_jacobian(const brio_state *state, int link, brio_vec3 point, double *jacobian) {
  const struct brio_robot_program *program = state->robot->program;
  const double *frames = state->work->frames;
  int nv = state->robot->nv;
  double *angular = jacobian + 3 * nv;
  start_point_rows(jacobian, nv, brio_vec3_sub(point, brio_frame_origin(frames)));
  memset(angular, 0, 3 * (size_t)nv * sizeof *angular);
  /* The base turns every link by its own angular velocity. */
  angular[3] = angular[nv + 4] = angular[2 * nv + 5] = 1;
  assert(link >= 0 && link < state->robot->nlink);
  for (int m = program->frame_of[link]; m > 0; m = program->movers[m].parent) {
    /* Several movers may share a column: a joint and its mimic joints. */
    const brio_mover *mover = &program->movers[m];
    const double *frame = frames + BRIO_FRAME * m;
    brio_vec3 axis = brio_vec3_scale(mover->multiplier, brio_frame_direction(frame, mover->axis));
    if (mover->slides) {
      add_column(jacobian, nv, mover->v, axis);
    } else {
      brio_vec3 arm = brio_vec3_sub(point, brio_frame_origin(frame));
      add_column(jacobian, nv, mover->v, brio_vec3_cross(axis, arm));
      add_column(angular, nv, mover->v, axis);
    }
  }
}

/* O(nv + depth), the upper three rows of brio_state_jacobian. */
void brio_state_point_jacobian(const brio_state *state, int link, brio_vec3 point, double *jacobian) {
  const struct brio_robot_program *program = state->robot->program;
  const double *frames = state->work->frames;
  int nv = state->robot->nv;
  start_point_rows(jacobian, nv, brio_vec3_sub(point, brio_frame_origin(frames)));
  assert(link >= 0 && link < state->robot->nlink);
  for (int m = program->frame_of[link]; m > 0; m = program->movers[m].parent) {
    const brio_mover *mover = &program->movers[m];
    const double *frame = frames + BRIO_FRAME * m;
    brio_vec3 axis = brio_vec3_scale(mover->multiplier, brio_frame_direction(frame, mover->axis));
    brio_vec3 turned = brio_vec3_cross(axis, brio_vec3_sub(point, brio_frame_origin(frame)));
    add_column(jacobian, nv, mover->v, mover->slides ? axis : turned);
  }
}

/* From transforms alone, O(nlink), as the sums of the program belong to a state. */
brio_vec3 brio_robot_com(const brio_robot *robot, const brio_transform *links) {
  brio_vec3 sum = {0, 0, 0};
  /* As in brio_state_update_com. */
  if (!(robot->mass > 0)) return links[0].p;
  for (int i = 0; i < robot->nlink; i++)
    if (robot->links[i].mass > 0)
      sum = brio_vec3_add_scaled(sum, robot->links[i].mass / robot->mass,
                                 brio_transform_point(&links[i], robot->links[i].com));
  return sum;
}

/* O(nv + nmover), from the sums of brio_state_update_com. */
void brio_state_com_jacobian(const brio_state *state, double *jacobian) {
  const struct brio_robot_program *program = state->robot->program;
  const struct brio_state_private *work = state->work;
  int nv = state->robot->nv;
  /* The center moves with the share of the mass that a mover carries. */
  double mass = program->bodies[0].carried, share = mass > 0 ? 1 / mass : 0;
  start_point_rows(jacobian, nv, brio_vec3_sub(state->com, brio_frame_origin(work->frames)));
  for (int m = 1; m <= program->nmover; m++) {
    const brio_mover *mover = &program->movers[m];
    const double *frame = work->frames + BRIO_FRAME * m;
    double carried = program->bodies[m].carried;
    brio_vec3 axis = brio_vec3_scale(mover->multiplier * share, brio_frame_direction(frame, mover->axis));
    brio_vec3 moment = brio_vec3_add_scaled(work->sums[m], -carried, brio_frame_origin(frame));
    add_column(jacobian, nv, mover->v,
               mover->slides ? brio_vec3_scale(carried, axis) : brio_vec3_cross(axis, moment));
  }
}

/* As the Jacobian times the rates, without forming it. O(nmover) */
brio_vec3 brio_state_com_velocity(const brio_state *state, const double *rates) {
  const struct brio_robot_program *program = state->robot->program;
  const struct brio_state_private *work = state->work;
  double mass = program->bodies[0].carried, share = mass > 0 ? 1 / mass : 0;
  /* The base moves all mass. */
  brio_vec3 arm = brio_vec3_sub(state->com, brio_frame_origin(work->frames));
  brio_vec3 turn = {rates[3], rates[4], rates[5]};
  brio_vec3 sum = brio_vec3_add((brio_vec3){rates[0], rates[1], rates[2]}, brio_vec3_cross(turn, arm));
  for (int m = 1; m <= program->nmover; m++) {
    const brio_mover *mover = &program->movers[m];
    const double *frame = work->frames + BRIO_FRAME * m;
    double carried = program->bodies[m].carried, rate = mover->multiplier * share * rates[mover->v];
    brio_vec3 axis = brio_frame_direction(frame, mover->axis);
    brio_vec3 moment = brio_vec3_add_scaled(work->sums[m], -carried, brio_frame_origin(frame));
    sum = brio_vec3_add_scaled(sum, rate, mover->slides ? brio_vec3_scale(carried, axis)
                                                        : brio_vec3_cross(axis, moment));
  }
  return sum;
}

/* The base moves every link. */
void brio_robot_mark_columns(const brio_robot *robot, int link, bool *columns) {
  const struct brio_robot_program *program = robot->program;
  for (int i = 0; i < BRIO_BASE_NV; i++) columns[i] = true;
  for (int m = program->frame_of[link]; m > 0; m = program->movers[m].parent)
    columns[program->movers[m].v] = true;
}

/* Add the derivatives of a point's position along `d` by the movers from `m` inward to `stop`, which is
** excluded. O(depth) */
static void add_movers(const brio_state *state, int m, int stop, brio_vec3 point, brio_vec3 d, double *row) {
  const struct brio_robot_program *program = state->robot->program;
  const double *frames = state->work->frames;
  for (; m > stop; m = program->movers[m].parent) {
    const brio_mover *mover = &program->movers[m];
    const double *frame = frames + BRIO_FRAME * m;
    brio_vec3 axis = brio_frame_direction(frame, mover->axis);
    brio_vec3 by = mover->slides ? d : brio_vec3_cross(brio_vec3_sub(point, brio_frame_origin(frame)), d);
    row[mover->v] += mover->multiplier * brio_vec3_dot(axis, by);
  }
}

/* A row of the transposed Jacobian times d: one dot product for each mover instead of three columns.
** O(depth) */
void brio_state_add_point_row(const brio_state *state, int link, brio_vec3 point,
                              brio_vec3 direction, double scale, double *row) {
  /* The base's six columns, then those of the movers. */
  brio_vec3 d = brio_vec3_scale(scale, direction);
  brio_vec3 turn = brio_vec3_cross(brio_vec3_sub(point, brio_frame_origin(state->work->frames)), d);
  row[0] += d.x, row[1] += d.y, row[2] += d.z;
  row[3] += turn.x, row[4] += turn.y, row[5] += turn.z;
  add_movers(state, state->robot->program->frame_of[link], 0, point, d, row);
}

void brio_state_add_gap_row(const brio_state *state, int link_a, brio_vec3 point_a, int link_b,
                            brio_vec3 point_b, brio_vec3 direction, double scale, double *row) {
  const struct brio_robot_program *program = state->robot->program;
  int a = program->frame_of[link_a], b = program->frame_of[link_b], i = a, j = b;
  /* The first common frame: parents have smaller numbers, so the larger of both climbs. O(depth) */
  while (i != j) { /* parents come before their children */
    if (i > j) i = program->movers[i].parent;
    else j = program->movers[j].parent;
  }
  assert(i >= 0);
  /* Movers of both links move both points alike: only those below the common frame count. */
  add_movers(state, a, i, point_a, brio_vec3_scale(-scale, direction), row);
  add_movers(state, b, i, point_b, brio_vec3_scale(scale, direction), row);
}

/* Only the rotation of the base is not a sum: it is turned by the exponential of the step, in world axes. */
void brio_robot_integrate(const brio_robot *robot, const double *q, const double *step, double *out) {
  /* World axes: the step's rotation is applied from the left. */
  brio_quat turn = brio_quat_exp((brio_vec3){step[3], step[4], step[5]});
  brio_quat base = brio_quat_unit(brio_quat_mul(turn, (brio_quat){q[3], q[4], q[5], q[6]}));
  for (int i = 0; i < 3; i++) out[i] = q[i] + step[i];
  out[3] = base.x, out[4] = base.y, out[5] = base.z, out[6] = base.w;
  for (int i = 0; i < robot->nvariable; i++)
    out[BRIO_BASE_NQ + i] = q[BRIO_BASE_NQ + i] + step[BRIO_BASE_NV + i];
}

/* The inverse of brio_robot_integrate; logarithm and remainder choose the short way round. */
void brio_robot_difference(const brio_robot *robot, const double *from, const double *to, double *out) {
  brio_quat a = brio_quat_unit((brio_quat){from[3], from[4], from[5], from[6]});
  brio_quat b = brio_quat_unit((brio_quat){to[3], to[4], to[5], to[6]});
  brio_vec3 turn = brio_quat_log(brio_quat_mul(b, brio_quat_conj(a)));
  for (int i = 0; i < 3; i++) out[i] = to[i] - from[i];
  out[3] = turn.x, out[4] = turn.y, out[5] = turn.z;
  for (int i = 0; i < robot->nvariable; i++) {
    double change = to[BRIO_BASE_NQ + i] - from[BRIO_BASE_NQ + i];
    out[BRIO_BASE_NV + i] = robot->variables[i].circular ? remainder(change, 2 * BRIO_PI) : change;
  }
}

const double *brio_state_frames(const brio_state *state) { return state->work->frames; }
const brio_vec3 *brio_state_moments(const brio_state *state) { return state->work->sums; }
