/* The proof that a straight motion keeps its bounds, piece by piece: the formulas are in keep.h. */
#include <assert.h>

#include "plan/joints/checker.h"
#include "plan/joints/keep/keep_internal.h"

enum { WAITING = 40, MOST = 128 }; /* pieces that wait; pieces of a motion */
static const double SHORTEST =
    1.0 / 1024; /* of the motion: half of a piece that is not proven is no shorter */

typedef enum verdict { BROKEN, OPEN, PROVEN } verdict;

/* Return a bound of the second derivative of a row's value along the motion. */
static double bend_of(const brio_keep_row *row, const brio_kept *kept, const brio_joint_bound *bound) {
  if (row->kind == BRIO_KEEP_PLACE) return bound->bend_base + brio_vec3_norm(kept->place.p) * bound->bend;
  return 2.7 * bound->bend;
}

/* A coordinate, or a number of the rotation vector. */
static verdict test_range(const brio_keep_row *row, double rate, double bend, double half) {
  if (!(row->value >= row->lower && row->value <= row->upper)) return BROKEN;
  double far = fabs(rate) * half + 0.5 * bend * half * half;
  return row->value - far >= row->lower && row->value + far <= row->upper ? PROVEN : OPEN;
}

/* The angle: the unit axis a goes at w x a, and bends by at most `bend`; what lies across the direction d is
** longest at an end of the piece. */
static verdict test_angle(const brio_keep_row *row, const brio_kept *kept, const brio_transform *place,
                          brio_vec3 spin, double bend, double half) {
  if (!(row->value <= row->upper)) return BROKEN;
  brio_vec3 a = brio_transform_direction(place, kept->said.axis);
  brio_vec3 d = brio_transform_direction(&kept->reference, kept->said.along);
  brio_vec3 rate = brio_vec3_cross(spin, a);
  double c = brio_vec3_dot(a, d), c_rate = brio_vec3_dot(rate, d), curve = 0.5 * bend * half * half;
  double least = c - fabs(c_rate) * half - curve;
  if (row->upper >= BRIO_PI || least >= cos(row->upper)) return PROVEN;
  brio_vec3 across = brio_vec3_add_scaled(a, -c, d), goes = brio_vec3_add_scaled(rate, -c_rate, d);
  double most = fmax(brio_vec3_norm(brio_vec3_add_scaled(across, half, goes)),
                     brio_vec3_norm(brio_vec3_add_scaled(across, -half, goes)));
  /* Its sine says the angle only on the side of d. */
  return least > 0 && (row->upper >= BRIO_PI / 2 || most + curve <= sin(row->upper)) ? PROVEN : OPEN;
}

/* Test a piece at whose middle the frames are placed and moved. */
static verdict test_piece(const brio_keeps *keeps, const brio_joint_frames *frames, double half) {
  brio_keep_row rows[BRIO_KEEP_ROWS];
  int n = brio_keep_rows(keeps, frames, rows);
  verdict least = PROVEN;
  for (int i = 0; i < n; i++) {
    /* How the kept frame moves: with its own frame, and turned with it. */
    const brio_kept *kept = &keeps->list[rows[i].kept];
    const brio_joint_place *at = &frames->places[kept->frame];
    const brio_joint_bound *bound = &frames->bounds[kept->frame];
    brio_transform place = brio_kept_place(kept, frames);
    brio_vec3 arm = {place.p.x - at->world[3], place.p.y - at->world[7], place.p.z - at->world[11]};
    brio_vec3 velocity = brio_vec3_add(at->velocity, brio_vec3_cross(at->spin, arm));
    double rate = brio_vec3_dot(rows[i].n, rows[i].kind == BRIO_KEEP_PLACE ? velocity : at->spin);
    verdict one = rows[i].kind == BRIO_KEEP_ANGLE
                      ? test_angle(&rows[i], kept, &place, at->spin, bound->bend, half)
                      : test_range(&rows[i], rate, bend_of(&rows[i], kept, bound), half);
    if (one < least) least = one;
    if (least == BROKEN) break;
  }
  return least;
}

/* O(pieces x (frames + rows)). */
bool brio_keeps_motion(const brio_keeps *keeps, brio_joint_frames *frames, const double *x,
                       const double *delta) {
  double waiting[WAITING][2] = {{0.5, 0.5}}, at[BRIO_JOINTS_PLANNED];
  int n = 1;
  assert(frames->nx <= BRIO_JOINTS_PLANNED);
  /* The bounds hold for all of the motion; places and rates for the middle of a piece. */
  brio_joint_frames_bound(frames, delta);
  for (int pieces = 0; n > 0; pieces++) {
    double t = waiting[--n][0], half = waiting[n][1];
    for (int i = 0; i < frames->nx; i++) at[i] = x[i] + t * delta[i];
    brio_joint_frames_place(frames, at);
    brio_joint_frames_move(frames, delta);
    verdict one = test_piece(keeps, frames, half);
    if (one == PROVEN) continue;
    /* Deep rather than wide, so few wait. */
    if (one == BROKEN || half < SHORTEST || pieces == MOST || n + 2 > WAITING) return false;
    waiting[n][0] = t + half / 2, waiting[n++][1] = half / 2;
    waiting[n][0] = t - half / 2, waiting[n++][1] = half / 2;
  }
  return true;
}
