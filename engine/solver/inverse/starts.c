/* The starts of inverse kinematics: the seed; then a table of configurations, drawn once within the limits
** and ordered by how near they bring the links to the goals; then new random ones. */
#include <assert.h>
#include <string.h>

#include "solver/inverse/inverse_internal.h"

static const double RADIAN = 0.4; /* weight of a radian, relative to the spread of the links */

/* Draw a configuration uniformly within the finite ranges. */
static void draw(const brio_inverse *inverse, brio_random *stream, double *x) {
  for (int i = 0; i < inverse->n; i++)
    x[i] = brio_random_uniform(stream, inverse->reach_lower[i], inverse->reach_upper[i]);
}

/* Return the distance of the links from their mean position, m, root mean square over the table. */
static double spread(const brio_inverse *inverse) {
  int nlink = inverse->chain.nlink;
  double sum = 0, count = BRIO_INVERSE_TABLE;
  for (int k = 0; k < nlink; k++) {
    /* The mean first, then the squares of the distances from it. */
    brio_vec3 middle = {0, 0, 0};
    for (int s = 0; s < BRIO_INVERSE_TABLE; s++)
      middle = brio_vec3_add_scaled(middle, 1 / count, inverse->starts[s].ends[k].p);
    for (int s = 0; s < BRIO_INVERSE_TABLE; s++) {
      brio_vec3 away = brio_vec3_sub(inverse->starts[s].ends[k].p, middle);
      sum += brio_vec3_dot(away, away) / count;
    }
  }
  return sqrt(sum / nlink);
}

/* Draw the table once, with the poses of the links for each entry. O(BRIO_INVERSE_TABLE * chain). */
bool brio_inverse_make_starts(brio_inverse *inverse) {
  int n = inverse->n, nlink = inverse->chain.nlink;
  double *x = BRIO_TAKE(&inverse->arena, double, BRIO_INVERSE_TABLE *n);
  brio_pose *ends = BRIO_TAKE(&inverse->arena, brio_pose, BRIO_INVERSE_TABLE * nlink);
  if (!x || !ends) return false;
  for (int s = 0; s < BRIO_INVERSE_TABLE; s++, x += n, ends += nlink) {
    draw(inverse, &inverse->stream, x);
    brio_transform base = brio_transform_of(brio_inverse_base(inverse, x));
    brio_chain_update(&inverse->chain, &base, x + inverse->nbase);
    for (int k = 0; k < nlink; k++) ends[k] = brio_pose_of(&inverse->chain.ends[k]);
    inverse->starts[s] = (brio_inverse_start){x, ends, 0, false};
  }
  /* The larger the robot, the more metres a radian counts for. */
  inverse->radian = fmax(RADIAN * spread(inverse), 0.01);
  return true;
}

/* Return the squared distance of a link at `end` from its goal; `pose` is the goal as the table
** sees it. Rotations count by chords, which need no trigonometry. */
static double distance(const brio_inverse_target *target, double radian, const brio_pose *pose,
                       const brio_pose *end) {
  /* Position, m: in the goal's own axes where its tolerances differ. */
  brio_vec3 p = target->has_tool ? brio_pose_point(*end, target->tool.p) : end->p;
  brio_vec3 away = brio_vec3_sub(p, pose->p);
  if (target->own_axes) away = brio_quat_rotate(brio_quat_conj(pose->q), away);
  double x = target->weight[0] * away.x, y = target->weight[1] * away.y, z = target->weight[2] * away.z;
  double sum = x * x + y * y + z * z;
  if (!target->turns) return sum;
  brio_quat now = target->has_tool ? brio_quat_mul(end->q, target->tool_turn) : end->q;
  /* Pointing: only the axis counts, |a - b|^2 = 2 (1 - cosine). */
  if (target->pointing >= 0) {
    brio_vec3 axis = {target->pointing == 0, target->pointing == 1, target->pointing == 2};
    double cosine = brio_vec3_dot(brio_quat_rotate(now, axis), brio_quat_rotate(pose->q, axis));
    return sum + 2 * radian * radian * (1 - cosine);
  }
  /* All of the rotation: by the chord between the two quaternions, which have two signs. */
  double same = now.x * pose->q.x + now.y * pose->q.y + now.z * pose->q.z + now.w * pose->q.w;
  return sum + 4 * radian * radian * (1 - same * same); /* (2 sin(angle / 2))^2 */
}

/* Score the table for the goals at hand. O(BRIO_INVERSE_TABLE * nlink), once a solve. */
static void score(brio_inverse *inverse) {
  /* The table was drawn with the base at its origin: goals are moved there instead. */
  brio_pose back = inverse->nbase ? BRIO_POSE_IDENTITY : brio_pose_inverse(inverse->base_pose);
  for (int s = 0; s < BRIO_INVERSE_TABLE; s++) inverse->starts[s].score = 0, inverse->starts[s].used = false;
  for (int k = 0; k < inverse->chain.nlink; k++) {
    const brio_inverse_target *target = &inverse->targets[k];
    brio_pose pose = brio_pose_mul(back, brio_pose_of(&target->pose));
    for (int s = 0; s < BRIO_INVERSE_TABLE; s++)
      inverse->starts[s].score += distance(target, inverse->radian, &pose, &inverse->starts[s].ends[k]);
  }
  inverse->scored = true;
}

/* Copy the numbers of `from` that are free; held ones keep their value. */
static void take(brio_inverse *inverse, const double *from) {
  for (int i = 0; i < inverse->n; i++)
    if (!inverse->held[i]) inverse->x[i] = from[i];
}

void brio_inverse_take_start(brio_inverse *inverse, int k, const double *from) {
  assert(k >= 0);
  memcpy(inverse->x, from, (size_t)inverse->n * sizeof *from);
  /* Start 0 is the seed itself. */
  if (k == 0) return;
  if (!inverse->scored) score(inverse);
  /* The best start not used yet; a linear search, as a descent costs far more. */
  brio_inverse_start *best = NULL;
  for (int s = 0; s < BRIO_INVERSE_TABLE; s++) {
    brio_inverse_start *start = &inverse->starts[s];
    if (!start->used && (!best || start->score < best->score)) best = start;
  }
  /* The table is used up: draw. */
  if (best)
    best->used = true;
  else
    draw(inverse, &inverse->fresh, inverse->nearby);
  take(inverse, best ? best->x : inverse->nearby);
}
