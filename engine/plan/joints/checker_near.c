/* What is near at one configuration, with the slopes of the distances: for those who push things apart.
**
** A distance d of two solids has the slope of their nearest points along the normal n from the first to the
** second: dd/dx_k = n . (v_b - v_a), where v is the velocity of such a point when x_k changes at rate 1. */
#include <assert.h>
#include <string.h>

#include "plan/joints/checker_internal.h"

/* The list that is being filled. */
typedef struct near_list {
  brio_joint_checker *checker;
  double limit;
  int most, count;
  brio_joint_contact *contacts;
  double *slopes; /* most x nx; NULL: not wanted */
} near_list;

/* Add `sign` times the rate of the point `p` (world) of a frame along `n` to `row`, for each joint that
** carries it. */
static void add_slope(const brio_joint_frames *frames, int frame, brio_vec3 p, brio_vec3 n, double sign,
                      double *row) {
  for (int f = frame; f > 0; f = frames->list[f].parent) {
    const brio_joint_frame *own = &frames->list[f];
    const double *w = frames->places[f].world;
    brio_vec3 rate = brio_joint_place_direction(w, own->axis);
    /* A turn moves the point across its arm. */
    if (!own->slides) rate = brio_vec3_cross(rate, (brio_vec3){p.x - w[3], p.y - w[7], p.z - w[11]});
    row[own->x] += sign * own->multiplier * brio_vec3_dot(n, rate);
  }
}

/* Return the place of a contact at this distance: a new one, or that of the farthest; -1: there is none. */
static int place_for(near_list *list, double distance) {
  if (list->count < list->most) return list->count++;
  int farthest = 0;
  for (int i = 1; i < list->count; i++)
    if (list->contacts[i].distance > list->contacts[farthest].distance) farthest = i;
  return distance < list->contacts[farthest].distance ? farthest : -1;
}

/* Keep a contact with its slopes, where it is near enough.  `frame_b` -1: the second solid stands. */
static void keep(near_list *list, brio_joint_contact contact, const brio_distance *d, int frame_a,
                 int frame_b) {
  /* What is not a number is no distance to push away from. */
  if (!(d->distance < list->limit)) return;
  int at = place_for(list, d->distance);
  if (at < 0) return;
  contact.distance = d->distance;
  list->contacts[at] = contact;
  if (!list->slopes) return;
  const brio_joint_checker *checker = list->checker;
  double *row = list->slopes + (size_t)at * (size_t)checker->nx;
  memset(row, 0, (size_t)checker->nx * sizeof *row);
  add_slope(&checker->frames, frame_a, d->point_a, d->normal, -1, row);
  if (frame_b >= 0) add_slope(&checker->frames, frame_b, d->point_b, d->normal, 1, row);
}

/* Measure the bodies of a link against one obstacle. */
static void measure_obstacle(near_list *list, const brio_checked_link *link, int obstacle) {
  const brio_joint_checker *checker = list->checker;
  for (int b = link->first_body; b < link->first_body + link->nbody; b++) {
    brio_transform pose = brio_checker_body_pose(checker, b);
    brio_distance d =
        brio_shape_distance(checker->bodies[b].shape, &pose, &checker->field.obstacles[obstacle].shape,
                            &checker->field.poses[obstacle], NULL);
    keep(list, (brio_joint_contact){link->link, -1, obstacle, 0}, &d, link->frame, -1);
  }
}

/* Measure a moving link against the obstacles that are near the sphere around it. */
static void measure_link(near_list *list, int i) {
  brio_joint_checker *checker = list->checker;
  const brio_checked_link *link = &checker->links[i];
  if (brio_checker_link(checker, i, list->limit - checker->clearance) == BRIO_CHECKED_FREE) return;
  brio_vec3 p = checker->centers[i];
  brio_four limit = brio_four_of((float)(link->radius + list->limit) + checker->slack);
  for (int g = 0; g < checker->field.nfour; g++) {
    const brio_field_four *four = &checker->field.fours[g];
    brio_four d = brio_field_distance(four, (float)p.x, (float)p.y, (float)p.z);
    unsigned bits = brio_four_bits(brio_four_at_most(d, limit));
    for (int k = 0; bits >> k; k++)
      if (bits >> k & 1 && four->obstacle[k] >= 0) measure_obstacle(list, link, four->obstacle[k]);
  }
}

/* Measure all bodies of a pair of links. */
static void measure_pair(near_list *list, const brio_checked_pair *pair) {
  brio_joint_checker *checker = list->checker;
  const brio_checked_link *a = &checker->links[pair->a], *b = &checker->links[pair->b];
  if (brio_checker_pair(checker, pair, list->limit - checker->clearance) == BRIO_CHECKED_FREE) return;
  for (int i = a->first_body; i < a->first_body + a->nbody; i++)
    for (int j = b->first_body; j < b->first_body + b->nbody; j++) {
      brio_transform pose_a = brio_checker_body_pose(checker, i), pose_b = brio_checker_body_pose(checker, j);
      brio_distance d =
          brio_shape_distance(checker->bodies[i].shape, &pose_a, checker->bodies[j].shape, &pose_b, NULL);
      keep(list, (brio_joint_contact){a->link, b->link, -1, 0}, &d, a->frame, b->frame);
    }
}

/* O(links x groups of obstacles + pairs), and exact distances of what is near. */
int brio_joint_checker_near(brio_joint_checker *checker, const double *x, double limit, int most,
                            brio_joint_contact *contacts, double *slopes) {
  assert(most > 0 && limit >= checker->clearance);
  near_list list = {checker, limit, most, 0, contacts, slopes};
  brio_checker_place(checker, x);
  for (int i = 0; i < checker->nmoving; i++) measure_link(&list, i);
  for (int k = 0; k < checker->npair; k++) measure_pair(&list, &checker->pairs[k]);
  return list.count;
}
