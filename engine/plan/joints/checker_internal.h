/* Shared by the files of the checker, and private to them. */
#ifndef BRIO_PLAN_JOINTS_CHECKER_INTERNAL_H
#define BRIO_PLAN_JOINTS_CHECKER_INTERNAL_H

#include "plan/joints/checker.h"
#include "plan/joints/cover.h"
#include "plan/joints/field.h"
#include "plan/joints/frames.h"

enum { BRIO_CHECKED_WORDS = 64 }; /* of 64 items each, at most */

/* A collision shape of the robot. */
typedef struct brio_checked_body {
  const brio_shape *shape;
  int link, frame;
  brio_transform pose; /* frame_from_shape */
} brio_checked_body;

/* A sphere of a cover, in its frame. */
typedef struct brio_checked_sphere {
  brio_vec3 center;
  double radius;
  int body;   /* -1: fills a group of four, and is near nothing */
  bool exact; /* the body is this sphere */
} brio_checked_sphere;

/* A link with shapes: its spheres, and one around them. */
typedef struct brio_checked_link {
  int link, frame;
  int first, count; /* of the spheres: whole groups of four */
  int first_body, nbody;
  brio_vec3 center;      /* in the frame */
  double radius, extent; /* m: of the sphere around; of the farthest point from the frame's origin */
} brio_checked_link;

/* A joint on the way from the first to the second link of a pair. */
typedef struct brio_checked_step {
  int frame;
  double length; /* m: behind the joint before it, at most */
} brio_checked_step;

/* The joints between two frames; pairs of links in the same two frames share them. */
typedef struct brio_checked_chain {
  int frames[2];          /* first and last */
  int first, count;       /* of the steps */
  double behind;          /* m: of the last frame's origin behind the last joint */
  brio_joint_bound bound; /* along the motion at hand */
} brio_checked_chain;

/* Two links that must not touch, as the second moves in the frame of the first. */
typedef struct brio_checked_pair {
  int a, b; /* indices of checked links */
  int chain;
} brio_checked_pair;

/* What a test of a link or pair gave, with a distance d behind the clearance. */
typedef enum brio_checked {
  BRIO_CHECKED_FREE, /* d > need */
  BRIO_CHECKED_NEAR, /* d > 0 */
  BRIO_CHECKED_HIT   /* d <= 0 */
} brio_checked;

/* Bounds of an item along the motion, per unit of t, and of t^2. */
typedef struct brio_checked_bound {
  double speed, curvature; /* m */
} brio_checked_bound;

/* Items: the links that move, each against all obstacles, then the pairs; a piece has a bit for each. */
struct brio_joint_checker {
  const brio_robot *robot;
  brio_arena arena;
  brio_joint_frames frames;
  brio_field field;
  brio_keeps keeps;
  int ncarried;
  brio_link_shape *carried; /* ncarried: copies, with their points */
  int nx, variables[BRIO_JOINTS_PLANNED];
  double clearance, resolution;
  float slack; /* m: the error of single precision */
  int nlink, nmoving, nbody, nsphere, npair, nchain, nitem, nword;
  brio_checked_link *links; /* nlink: those that move first, from the tips to the base */
  brio_checked_body *bodies;
  brio_checked_sphere *spheres;
  brio_checked_pair *pairs;
  brio_checked_chain *chains;
  brio_checked_step *steps;
  /* of one configuration */
  brio_vec3 *centers; /* nlink: world */
  bool *placed;       /* nlink: its spheres are */
  float *at[3];       /* nsphere each: world */
  float *radii;       /* nsphere */
  int *near;          /* groups of obstacles near a link */
  int last_body, last_obstacle;
  double last_distance; /* of these two */
  /* of one motion */
  double from[BRIO_JOINTS_PLANNED], delta[BRIO_JOINTS_PLANNED];
  uint64_t number;            /* counts motions */
  bool probed;                /* its end is clear, and the pieces are there */
  brio_checked_bound *bounds; /* nitem */
  int first, waiting;         /* pieces: a ring */
  double (*pieces)[2];        /* t of the middle, half the length */
  uint64_t *masks;            /* nword each */
  brio_joint_verdict verdict;
};

/* Place the frames for `x` and the spheres around the links. */
void brio_checker_place(brio_joint_checker *checker, const double *x);

/* Test a moving link against all obstacles, or a pair, where placed: `need` is the distance asked for, m. */
brio_checked brio_checker_link(brio_joint_checker *checker, int link, double need);
brio_checked brio_checker_pair(brio_joint_checker *checker, const brio_checked_pair *pair, double need);

/* Return whether the spheres around both links of a pair are farther apart than `need`, and the clearance. */
static inline bool brio_checker_apart(const brio_joint_checker *checker, const brio_checked_pair *pair,
                                      double need) {
  brio_vec3 gap = brio_vec3_sub(checker->centers[pair->b], checker->centers[pair->a]);
  double reach = checker->links[pair->a].radius + checker->links[pair->b].radius + need + checker->clearance +
                 checker->slack;
  return brio_vec3_dot(gap, gap) > reach * reach;
}

/* Return world_from_shape of a body, where placed. */
brio_transform brio_checker_body_pose(const brio_joint_checker *checker, int body);

/* Return the exact distance of a body from an obstacle, or from another body, m. */
double brio_checker_obstacle_distance(brio_joint_checker *checker, int body, int obstacle);
double brio_checker_body_distance(brio_joint_checker *checker, int a, int b);

#endif
