/* Shared by the files of the search, and private to them.
**
** A search is in a phase, and a phase is a row: `begin` chooses the next straight motion to check, `end`
** learns whether it is clear, and both may go on to another phase. */
#ifndef BRIO_PLAN_JOINTS_SEARCH_INTERNAL_H
#define BRIO_PLAN_JOINTS_SEARCH_INTERNAL_H

#include "base/random.h"
#include "plan/joints/search.h"
#include "plan/joints/tree.h"

enum { BRIO_JOINTS_CORNERS = 1024 }; /* of a path, at most */

typedef struct brio_joint_phase {
  bool (*begin)(brio_joint_search *search); /* false: there is no motion to check this time */
  void (*end)(brio_joint_search *search, bool clear);
} brio_joint_phase;

struct brio_joint_search {
  brio_joint_checker *checker;
  brio_joint_space space;
  brio_joint_search_settings settings;
  brio_random random;
  const brio_joint_phase *phase; /* NULL: over */
  brio_search_status status;
  brio_error why;
  brio_joint_search_effort effort;
  int64_t spent; /* checks, and beginnings of phases */
  uint64_t number; /* of the motion; another search may have begun one since */
  bool moving;   /* a motion is being checked: from `from` by `delta` to `to` */
  double from[BRIO_JOINTS_PLANNED], delta[BRIO_JOINTS_PLANNED], to[BRIO_JOINTS_PLANNED];
  /* growth: tree `turn` grows at random, the other one towards its node `target` */
  brio_joint_tree trees[2]; /* of the start, and of the goals, whose roots are its first nodes */
  int *goal_of;             /* number of the goal of each root */
  int turn, near, target;
  bool arrives; /* the motion ends at the target */
  /* the path */
  int count, goal;      /* of the path at hand: corners (0: none yet), and the number of its goal */
  double *path, *shown; /* BRIO_JOINTS_CORNERS x n each */
  int left, right;      /* shortening: the motion leads from behind corner `left` to before `right` */
  bool corners_only;    /* the ends of the motion are corners */
  int attempts;
  /* further paths: the best so far, and bridges between both, which lead from corner `left` of the best
  ** (side 0) or of the path at hand (1) to corner `right` of the other one */
  int nbest, best_goal, nroot[2], others, bridges, side;
  bool bridged; /* the path at hand has been joined with the best, or cannot be */
  double *best, *lengths[2], tried;
};

/* Begin to check the straight motion from `from`, by `share` of the way to `to`. */
void brio_joint_search_move(brio_joint_search *search, const double *from, const double *to, double share);

/* End the search without a path. */
void brio_joint_search_fail(brio_joint_search *search, const char *reason);

/* Begin to shorten the path that was just found. */
void brio_joint_search_shorten(brio_joint_search *search);

/* Go on from a path that gets no shorter. */
void brio_joint_search_shortened(brio_joint_search *search);

/* Return the length of a path of `count` corners: the sum of its steps. */
double brio_joint_search_length(const brio_joint_search *search, const double *path, int count);

/* The trees grow: towards each other, which is the first phase, and at random. */
extern const brio_joint_phase brio_joint_connect, brio_joint_grow;

#endif
