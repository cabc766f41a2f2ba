/* The checker at one configuration: spheres first, then exact distances. */
#include <assert.h>
#include <stdio.h>

#include "plan/joints/checker_internal.h"

/* m: while pieces are longer than this, a solid whose cover is clear of an obstacle counts as near, without
** an exact distance: the halves of the piece ask again, for less. */
static const double LAZY = 0.01;

void brio_checker_place(brio_joint_checker *checker, const double *x) {
  brio_joint_frames_place(&checker->frames, x);
  for (int i = 0; i < checker->nmoving; i++) {
    const brio_checked_link *link = &checker->links[i];
    checker->centers[i] = brio_joint_place_point(checker->frames.places[link->frame].world, link->center);
    checker->placed[i] = false;
  }
  checker->last_body = -1;
}

/* Place the spheres of a link, once. */
static void place_spheres(brio_joint_checker *checker, int i) {
  if (checker->placed[i]) return;
  const brio_checked_link *link = &checker->links[i];
  const double *world = checker->frames.places[link->frame].world;
  /* Whole groups of four, those that fill them up as well. */
  for (int s = link->first; s < link->first + link->count; s++) {
    brio_vec3 p = brio_joint_place_point(world, checker->spheres[s].center);
    checker->at[0][s] = (float)p.x, checker->at[1][s] = (float)p.y, checker->at[2][s] = (float)p.z;
  }
  checker->placed[i] = true;
}

brio_transform brio_checker_body_pose(const brio_joint_checker *checker, int body) {
  const brio_checked_body *own = &checker->bodies[body];
  brio_transform frame = brio_joint_place_transform(checker->frames.places[own->frame].world);
  return brio_transform_mul(&frame, &own->pose);
}

double brio_checker_obstacle_distance(brio_joint_checker *checker, int body, int obstacle) {
  /* The spheres of one body ask for the same obstacle one after another. */
  if (checker->last_body == body && checker->last_obstacle == obstacle) return checker->last_distance;
  brio_transform pose = brio_checker_body_pose(checker, body);
  checker->last_body = body, checker->last_obstacle = obstacle;
  checker->last_distance =
      brio_shape_distance(checker->bodies[body].shape, &pose, &checker->field.obstacles[obstacle].shape,
                          &checker->field.poses[obstacle], NULL)
          .distance;
  return checker->last_distance;
}

double brio_checker_body_distance(brio_joint_checker *checker, int a, int b) {
  brio_transform pose_a = brio_checker_body_pose(checker, a), pose_b = brio_checker_body_pose(checker, b);
  return brio_shape_distance(checker->bodies[a].shape, &pose_a, checker->bodies[b].shape, &pose_b, NULL)
      .distance;
}

/* Whether the distance `d` of a filter decides by itself that two solids are apart but near. */
static bool decided(const brio_joint_checker *checker, double d, bool exact, double need) {
  return d > checker->clearance + checker->slack && (exact || need > LAZY);
}

/* The result of an exact distance. */
static brio_checked judged(const brio_joint_checker *checker, double distance, double need) {
  distance -= checker->clearance;
  /* What is not a number is no proof. */
  return distance > need ? BRIO_CHECKED_FREE : distance > 0 ? BRIO_CHECKED_NEAR : BRIO_CHECKED_HIT;
}

/* Judge one sphere against the four obstacles of a group, of which `bits` are near, at distances `d`. */
static brio_checked judge_four(brio_joint_checker *checker, int sphere, const brio_field_four *four,
                               unsigned bits, const float d[4], double need) {
  const brio_checked_sphere *own = &checker->spheres[sphere];
  brio_checked most = BRIO_CHECKED_FREE;
  for (int i = 0; i < 4; i++) {
    if (!(bits >> i & 1)) continue;
    brio_checked one = BRIO_CHECKED_NEAR;
    if (!decided(checker, d[i], own->exact && four->exact >> i & 1, need))
      one = judged(checker, brio_checker_obstacle_distance(checker, own->body, four->obstacle[i]), need);
    if (one > most) most = one;
    if (most == BRIO_CHECKED_HIT) break;
  }
  return most;
}

/* Judge a placed sphere against the groups that are near its link. */
static brio_checked judge_sphere(brio_joint_checker *checker, int s, int nnear, double need) {
  brio_checked most = BRIO_CHECKED_FREE;
  float x = checker->at[0][s], y = checker->at[1][s], z = checker->at[2][s];
  brio_four radius = brio_four_of(checker->radii[s]);
  brio_four limit = brio_four_of((float)(need + checker->clearance) + checker->slack);
  for (int k = 0; k < nnear; k++) {
    const brio_field_four *four = &checker->field.fours[checker->near[k]];
    brio_four d = brio_four_sub(brio_field_distance(four, x, y, z), radius);
    unsigned bits = brio_four_bits(brio_four_at_most(d, limit));
    if (!bits) continue;
    /* Rare: an obstacle is near this very sphere. */
    float distances[4];
    brio_four_store(distances, d);
    brio_checked one = judge_four(checker, s, four, bits, distances, need);
    if (one > most) most = one;
    if (most == BRIO_CHECKED_HIT) break;
  }
  return most;
}

/* O(groups of obstacles), and those near the link for each of its spheres. */
brio_checked brio_checker_link(brio_joint_checker *checker, int i, double need) {
  assert(i < checker->nmoving && need >= 0);
  const brio_checked_link *link = &checker->links[i];
  brio_vec3 p = checker->centers[i];
  brio_four limit = brio_four_of((float)(link->radius + need + checker->clearance) + checker->slack);
  int nnear = 0;
  /* The sphere around the link, against all groups. */
  for (int g = 0; g < checker->field.nfour; g++) {
    brio_four d = brio_field_distance(&checker->field.fours[g], (float)p.x, (float)p.y, (float)p.z);
    if (brio_four_bits(brio_four_at_most(d, limit))) checker->near[nnear++] = g;
  }
  if (!nnear) return BRIO_CHECKED_FREE;
  /* Sphere by sphere, but only against those groups. */
  place_spheres(checker, i);
  brio_checked most = BRIO_CHECKED_FREE;
  for (int s = link->first; s < link->first + link->count && most != BRIO_CHECKED_HIT; s++) {
    if (checker->spheres[s].body < 0) continue;
    brio_checked one = judge_sphere(checker, s, nnear, need);
    if (one > most) most = one;
  }
  return most;
}

/* Judge sphere `s` of the first link against all of the second's. */
static brio_checked judge_spheres(brio_joint_checker *checker, int s, const brio_checked_link *b,
                                  double need) {
  brio_checked most = BRIO_CHECKED_FREE;
  double rim = need + checker->clearance + checker->slack;
  brio_four x = brio_four_of(checker->at[0][s]), y = brio_four_of(checker->at[1][s]),
            z = brio_four_of(checker->at[2][s]), radius = brio_four_of(checker->radii[s]);
  for (int t = b->first; t < b->first + b->count; t += 4) {
    brio_four dx = brio_four_sub(brio_four_load(checker->at[0] + t), x);
    brio_four dy = brio_four_sub(brio_four_load(checker->at[1] + t), y);
    brio_four dz = brio_four_sub(brio_four_load(checker->at[2] + t), z);
    brio_four square =
        brio_four_add(brio_four_add(brio_four_mul(dx, dx), brio_four_mul(dy, dy)), brio_four_mul(dz, dz));
    brio_four d =
        brio_four_sub(brio_four_sqrt(square), brio_four_add(brio_four_load(checker->radii + t), radius));
    unsigned bits = brio_four_bits(brio_four_at_most(d, brio_four_of((float)rim)));
    float distances[4];
    brio_four_store(distances, d);
    /* Those of the four that are near. */
    for (int i = 0; bits >> i; i++) {
      if (!(bits >> i & 1)) continue;
      const brio_checked_sphere *one = &checker->spheres[s], *other = &checker->spheres[t + i];
      brio_checked result = BRIO_CHECKED_NEAR;
      if (!decided(checker, distances[i], one->exact && other->exact, need))
        result = judged(checker, brio_checker_body_distance(checker, one->body, other->body), need);
      if (result > most) most = result;
      if (most == BRIO_CHECKED_HIT) return most;
    }
  }
  return most;
}

/* O(spheres of both), where the spheres around them are near each other. */
brio_checked brio_checker_pair(brio_joint_checker *checker, const brio_checked_pair *pair, double need) {
  const brio_checked_link *a = &checker->links[pair->a], *b = &checker->links[pair->b];
  double rim = need + checker->clearance + checker->slack;
  if (brio_checker_apart(checker, pair, need)) return BRIO_CHECKED_FREE;
  place_spheres(checker, pair->a);
  place_spheres(checker, pair->b);
  brio_checked most = BRIO_CHECKED_FREE;
  brio_vec3 middle = checker->centers[pair->b];
  for (int s = a->first; s < a->first + a->count && most != BRIO_CHECKED_HIT; s++) {
    if (checker->spheres[s].body < 0) continue;
    /* Spheres that are far from the one around the second link need no look at its own. */
    double dx = checker->at[0][s] - middle.x, dy = checker->at[1][s] - middle.y,
           dz = checker->at[2][s] - middle.z, near = checker->radii[s] + b->radius + rim;
    if (dx * dx + dy * dy + dz * dz > near * near) continue;
    brio_checked one = judge_spheres(checker, s, b, need);
    if (one > most) most = one;
  }
  return most;
}

bool brio_joint_checker_clear(brio_joint_checker *checker, const double *x) {
  /* The filter takes what is not a number for far. */
  for (int i = 0; i < checker->nx; i++)
    if (!isfinite(x[i])) return false;
  /* A hit ends it; what is near does not matter here. */
  brio_checker_place(checker, x);
  if (checker->keeps.count && !brio_keeps_hold(&checker->keeps, &checker->frames)) return false;
  for (int i = 0; i < checker->nmoving; i++)
    if (brio_checker_link(checker, i, 0) == BRIO_CHECKED_HIT) return false;
  for (int k = 0; k < checker->npair; k++)
    if (brio_checker_pair(checker, &checker->pairs[k], 0) == BRIO_CHECKED_HIT) return false;
  return true;
}

/* Keep the nearer contact. */
static void nearer(brio_joint_contact *best, double distance, int link, int other, int obstacle) {
  if (best->link >= 0 && !(distance < best->distance)) return;
  *best = (brio_joint_contact){link, other, obstacle, distance};
}

/* O(bodies x obstacles + bodies of pairs), each an exact distance. */
brio_joint_contact brio_joint_checker_nearest(brio_joint_checker *checker, const double *x) {
  /* Every body of what moves against every obstacle, then the pairs. */
  brio_joint_contact best = {-1, -1, -1, INFINITY};
  brio_checker_place(checker, x);
  for (int i = 0; i < checker->nmoving; i++) {
    const brio_checked_link *link = &checker->links[i];
    for (int b = link->first_body; b < link->first_body + link->nbody; b++)
      for (int o = 0; o < checker->field.count; o++)
        nearer(&best, brio_checker_obstacle_distance(checker, b, o), link->link, -1, o);
  }
  for (int k = 0; k < checker->npair; k++) {
    const brio_checked_link *a = &checker->links[checker->pairs[k].a],
                            *b = &checker->links[checker->pairs[k].b];
    for (int i = a->first_body; i < a->first_body + a->nbody; i++)
      for (int j = b->first_body; j < b->first_body + b->nbody; j++)
        nearer(&best, brio_checker_body_distance(checker, i, j), a->link, b->link, -1);
  }
  return best;
}

bool brio_joint_checker_explain(brio_joint_checker *checker, const double *x, const char *what,
                                brio_error *err) {
  brio_joint_contact at = brio_joint_checker_nearest(checker, x);
  if (checker->keeps.count && !brio_keeps_hold(&checker->keeps, &checker->frames))
    return brio_keeps_explain(&checker->keeps, &checker->frames, what, err);
  if (at.link < 0) return brio_fail(err, BRIO_UNREACHABLE, "%s is blocked", what);
  /* An obstacle may have no name, but has a number. */
  char other[BRIO_OBSTACLE_NAME + 80];
  if (at.other >= 0)
    snprintf(other, sizeof other, "link '%.80s'", checker->robot->links[at.other].name);
  else
    snprintf(other, sizeof other, "obstacle %d '%.80s'", at.obstacle + 1,
             checker->field.obstacles[at.obstacle].name);
  const char *link = checker->robot->links[at.link].name;
  if (at.distance <= 0)
    return brio_fail(err, BRIO_UNREACHABLE, "%s collides: link '%.80s' is %.1f mm inside %s", what, link,
                     -1e3 * at.distance, other);
  return brio_fail(err, BRIO_UNREACHABLE,
                   "%s is too near: link '%.80s' is %.2f mm from %s, and %.2f mm are to be kept", what, link,
                   1e3 * at.distance, other, 1e3 * checker->clearance);
}
