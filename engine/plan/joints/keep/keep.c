/* Keeps: set-up, the numbers that they bound, and sentences about these. */
#include "plan/joints/keep/keep.h"

#include <stdio.h>
#include <string.h>

#include "plan/joints/keep/keep_internal.h"

const double brio_keep_least[2] = {1e-4, 1e-3};

static const double FARTHEST = 2.9;                 /* rad: a rotation vector's bounds reach no farther */
static const double MARGINS[3] = {0.01, 0.1, 0.05}; /* at most, by kind: m, rad, rad */

brio_joint_keep brio_joint_keep_of(int link) {
  brio_joint_keep out = {.link = link,
                         .frame = BRIO_POSE_IDENTITY,
                         .reference = BRIO_POSE_IDENTITY,
                         .axis = {0, 0, 1},
                         .along = {0, 0, 1},
                         .angle = INFINITY};
  for (int i = 0; i < 3; i++) {
    out.lower[i] = out.turn_lower[i] = -INFINITY;
    out.upper[i] = out.turn_upper[i] = INFINITY;
  }
  return out;
}

/* --- set-up --- */

/* Whether a range may be kept: it has room, or none of its ends. */
static bool check_range(double lower, double upper, double least, const char *what, const char *name,
                        brio_error *err) {
  /* NaN fails this test, too. */
  if (upper - lower >= least) return true;
  return brio_fail(err, BRIO_MISUSE, "what '%.60s' keeps: %s from %g to %g has no room: %g at least", name,
                   what, lower, upper, least);
}

/* Check the rotation vector's bounds; `turned` gets whether there are any. */
static bool check_turn(const brio_joint_keep *said, const char *name, bool *turned, brio_error *err) {
  int bounded = 0;
  double far = 0;
  for (int i = 0; i < 3; i++) {
    if (!check_range(said->turn_lower[i], said->turn_upper[i], brio_keep_least[1], "a turn", name, err))
      return false;
    double most = fmax(fabs(said->turn_lower[i]), fabs(said->turn_upper[i]));
    bounded += isfinite(most);
    far += most * most;
  }
  *turned = bounded > 0;
  if (bounded == 0 || (bounded == 3 && far <= FARTHEST * FARTHEST)) return true;
  /* Behind half a turn the vector jumps, so bounds of one number alone mean little. */
  return brio_fail(
      err, BRIO_MISUSE,
      "what '%.60s' keeps: bounds of its turn are three ranges that reach no farther than %g rad "
      "together; an axis and an angle leave one turn free",
      name, FARTHEST);
}

/* Check the other bounds, poses and axes. */
static bool check_one(const brio_joint_keep *said, const char *name, brio_error *err) {
  for (int i = 0; i < 3; i++)
    if (!check_range(said->lower[i], said->upper[i], brio_keep_least[0], "a coordinate", name, err))
      return false;
  if (!(said->angle >= brio_keep_least[1]))
    return brio_fail(err, BRIO_MISUSE, "what '%.60s' keeps: an angle is %g rad at least, not %g", name,
                     brio_keep_least[1], said->angle);
  if (!brio_pose_finite(said->frame) || !brio_pose_finite(said->reference))
    return brio_fail(err, BRIO_MISUSE, "what '%.60s' keeps: its poses must be finite numbers", name);
  if (!(brio_vec3_norm(said->axis) > 1e-9 && brio_vec3_norm(said->along) > 1e-9))
    return brio_fail(err, BRIO_MISUSE, "what '%.60s' keeps: an axis has a length", name);
  return true;
}

/* Make one ready. */
static bool add(brio_keeps *keeps, brio_arena *arena, const brio_joint_frames *frames,
                const brio_robot *robot, const brio_joint_keep *said, brio_error *err) {
  if (said->link < 0 || said->link >= robot->nlink)
    return brio_fail(err, BRIO_MISUSE, "what is kept: there is no link %d", said->link);
  const char *name = said->name ? said->name : robot->links[said->link].name;
  brio_kept *kept = &keeps->list[keeps->count];
  *kept = (brio_kept){.said = *said, .frame = frames->frame_of[said->link]};
  if (kept->frame == 0)
    return brio_fail(err, BRIO_MISUSE, "what '%.60s' keeps: no planned joint moves it", name);
  if (!check_one(said, name, err) || !check_turn(said, name, &kept->turned, err)) return false;
  /* Directions of length 1, and the frame in what planned joints move as one. */
  brio_vec3 z = {0, 0, 1};
  kept->said.axis = brio_vec3_unit(said->axis, z), kept->said.along = brio_vec3_unit(said->along, z);
  kept->said.frame.q = brio_quat_unit(said->frame.q);
  kept->said.reference.q = brio_quat_unit(said->reference.q);
  kept->reference = brio_transform_of(kept->said.reference);
  brio_transform own = brio_transform_of(kept->said.frame);
  kept->place = brio_transform_mul(&frames->link_places[said->link], &own);
  kept->said.name = brio_arena_text(arena, name, strlen(name));
  if (!kept->said.name) return brio_fail(err, BRIO_NO_MEMORY, "no memory for what is kept");
  keeps->count++;
  return true;
}

bool brio_keeps_add(brio_keeps *keeps, brio_arena *arena, const brio_joint_frames *frames,
                    const brio_robot *robot, const brio_joint_keep *list, int count, brio_error *err) {
  if (count < 0 || count > BRIO_JOINT_KEEPS || keeps->count + count > BRIO_KEPT)
    return brio_fail(err, BRIO_LIMIT, "%d frames to keep: at most %d", count, BRIO_JOINT_KEEPS);
  for (int i = 0; i < count; i++)
    if (!add(keeps, arena, frames, robot, &list[i], err)) return false;
  return true;
}

/* --- rows --- */

brio_transform brio_kept_place(const brio_kept *kept, const brio_joint_frames *frames) {
  brio_transform frame = brio_joint_place_transform(frames->places[kept->frame].world);
  return brio_transform_mul(&frame, &kept->place);
}

/* Jl(r)^-1 v = v - r x v / 2 + c r x (r x v),  c = 1/a^2 - (1 + cos a) / (2 a sin a),  a = |r|.
** Source: Barfoot, "State Estimation for Robotics", 2017, eq. 7.76. */
brio_vec3 brio_keep_left_inverse(brio_vec3 r, brio_vec3 v) {
  double a2 = brio_vec3_dot(r, r), a = sqrt(a2);
  double c = a < 1e-3 ? 1.0 / 12 + a2 / 720 : 1 / a2 - (1 + cos(a)) / (2 * a * sin(a));
  brio_vec3 once = brio_vec3_cross(r, v), twice = brio_vec3_cross(r, once);
  return brio_vec3_add_scaled(brio_vec3_add_scaled(v, -0.5, once), c, twice);
}

/* The room that a projection leaves to a bound of a range. */
static double margin_of(brio_keep_kind kind, double lower, double upper) {
  return fmin((upper - lower) / (kind == BRIO_KEEP_ANGLE ? 2 : 4), MARGINS[kind]);
}

/* Write what all rows have. */
static void add_row(brio_keep_row *row, brio_keep_kind kind, int kept, int part, double value, double lower,
                    double upper) {
  row->kind = kind, row->kept = kept, row->part = part, row->value = value;
  row->lower = lower, row->upper = upper;
  row->margin = margin_of(kind, kind == BRIO_KEEP_ANGLE ? 0 : lower, upper);
}

/* Return axis number `i` of a transform. */
static brio_vec3 axis_of(const brio_transform *t, int i) {
  return (brio_vec3){t->r[i], t->r[3 + i], t->r[6 + i]};
}

/* The angle g between the axis a and the direction d: with e the unit vector across d towards a, its rate is
** a' . (cos g e - sin g d) = w . (a x (cos g e - sin g d)). */
static void angle_row(const brio_kept *kept, const brio_transform *place, int k, brio_keep_row *row) {
  brio_vec3 a = brio_transform_direction(place, kept->said.axis);
  brio_vec3 d = brio_transform_direction(&kept->reference, kept->said.along);
  double c = brio_vec3_dot(a, d);
  brio_vec3 across = brio_vec3_add_scaled(a, -c, d);
  double s = brio_vec3_norm(across), angle = atan2(s, c);
  /* Along d, or against it, any direction across will do. */
  brio_vec3 other = fabs(d.x) < 0.7 ? (brio_vec3){1, 0, 0} : (brio_vec3){0, 1, 0};
  brio_vec3 e = s > 1e-9 ? brio_vec3_scale(1 / s, across)
                         : brio_vec3_unit(brio_vec3_cross(d, other), (brio_vec3){0, 0, 1});
  add_row(row, BRIO_KEEP_ANGLE, k, 0, angle, -INFINITY, kept->said.angle);
  row->n = brio_vec3_cross(a, brio_vec3_add_scaled(brio_vec3_scale(cos(angle), e), -sin(angle), d));
}

/* The rotation vector r from the reference: its number i has the rate Jl(-r)^-1 e_i . w, in the reference. */
static int turn_rows(const brio_kept *kept, const brio_transform *place, int k, brio_keep_row *rows) {
  brio_quat turn = brio_quat_mul(brio_quat_conj(kept->said.reference.q), brio_quat_from_matrix(place->r));
  brio_vec3 r = brio_quat_log(turn), back = brio_vec3_scale(-1, r);
  double value[3] = {r.x, r.y, r.z};
  for (int i = 0; i < 3; i++) {
    brio_vec3 e = {i == 0, i == 1, i == 2};
    add_row(&rows[i], BRIO_KEEP_TURN, k, i, value[i], kept->said.turn_lower[i], kept->said.turn_upper[i]);
    rows[i].n = brio_transform_direction(&kept->reference, brio_keep_left_inverse(back, e));
  }
  return 3;
}

/* Write the rows of one keep; return their number. */
static int rows_of(const brio_kept *kept, const brio_joint_frames *frames, int k, brio_keep_row *rows) {
  brio_transform place = brio_kept_place(kept, frames);
  brio_vec3 at = brio_transform_undirection(&kept->reference, brio_vec3_sub(place.p, kept->reference.p));
  double value[3] = {at.x, at.y, at.z};
  int n = 0;
  /* Coordinates with a bound, then the angle, then the rotation vector. */
  for (int i = 0; i < 3; i++) {
    if (!isfinite(kept->said.lower[i]) && !isfinite(kept->said.upper[i])) continue;
    add_row(&rows[n], BRIO_KEEP_PLACE, k, i, value[i], kept->said.lower[i], kept->said.upper[i]);
    rows[n++].n = axis_of(&kept->reference, i);
  }
  if (isfinite(kept->said.angle)) angle_row(kept, &place, k, &rows[n++]);
  if (kept->turned) n += turn_rows(kept, &place, k, rows + n);
  for (int i = 0; i < n; i++) rows[i].point = place.p;
  return n;
}

int brio_keep_rows(const brio_keeps *keeps, const brio_joint_frames *frames,
                   brio_keep_row rows[BRIO_KEEP_ROWS]) {
  int n = 0;
  for (int k = 0; k < keeps->count; k++) n += rows_of(&keeps->list[k], frames, k, rows + n);
  return n;
}

/* --- what is said of them --- */

/* Return by how much a value is beyond its bounds; above 0 where it is. */
static double beyond(const brio_keep_row *row) {
  return fmax(row->lower - row->value, row->value - row->upper);
}

bool brio_keeps_hold(const brio_keeps *keeps, const brio_joint_frames *frames) {
  brio_keep_row rows[BRIO_KEEP_ROWS];
  int n = brio_keep_rows(keeps, frames, rows);
  /* What is not a number does not hold. */
  for (int i = 0; i < n; i++)
    if (!(beyond(&rows[i]) <= 0)) return false;
  return true;
}

bool brio_keeps_explain(const brio_keeps *keeps, const brio_joint_frames *frames, const char *what,
                        brio_error *err) {
  static const char parts[] = "xyz";
  brio_keep_row rows[BRIO_KEEP_ROWS];
  int n = brio_keep_rows(keeps, frames, rows), worst = 0;
  if (n == 0) return brio_fail(err, BRIO_UNREACHABLE, "%s keeps nothing", what);
  /* Of bounds of different units, the one farthest exceeded in relation to its room. */
  for (int i = 1; i < n; i++)
    if (beyond(&rows[i]) / rows[i].margin > beyond(&rows[worst]) / rows[worst].margin) worst = i;
  /* An angle is said as a tilt, the others by the axis of the reference. */
  const brio_keep_row *row = &rows[worst];
  const char *name = keeps->list[row->kept].said.name;
  if (row->kind == BRIO_KEEP_ANGLE)
    return brio_fail(err, BRIO_UNREACHABLE, "%s: '%.60s' is tilted by %.3f rad, and %.3f are kept", what,
                     name, row->value, row->upper);
  return brio_fail(err, BRIO_UNREACHABLE, "%s: %s%c of '%.60s' is %.4f %s, and %.4f to %.4f is kept", what,
                   row->kind == BRIO_KEEP_TURN ? "the turn about " : "", parts[row->part], name, row->value,
                   row->kind == BRIO_KEEP_TURN ? "rad" : "m", row->lower, row->upper);
}
