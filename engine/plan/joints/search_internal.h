/* Shared by the files of the search, and private to them.
**
** A search is in a phase, and a phase is a row: `begin` chooses the next straight motion to check, `end`
** learns whether it is clear, and both may go on to another phase. */
#ifndef BRIO_PLAN_JOINTS_SEARCH_INTERNAL_H
#define BRIO_PLAN_JOINTS_SEARCH_INTERNAL_H

#include "base/random.h"
#include "plan/joints/keep/region.h"
#include "plan/joints/search.h"
#include "plan/joints/tree.h"

enum { BRIO_JOINTS_CORNERS = 1024 }; /* of a path, at most */

typedef struct brio_joint_phase {
  bool (*begin)(brio_joint_search *search); /* false: there is no motion to check this time */
  void (*end)(brio_joint_search *search, bool clear);
  bool partly; /* a walk that does not get to its end is clear as far as it got */
} brio_joint_phase;

/* A motion of several straight steps (walk.c), where something is kept; else of one. */
typedef struct brio_joint_walk {
  double begin[BRIO_JOINTS_PLANNED], target[BRIO_JOINTS_PLANNED];
  double left, length, step; /* that it may still go; gone; of a step, as it went last */
  bool exact, last;          /* it leads to the target itself; its step at hand does */
  bool moves, arrived;       /* a step is being checked; it is there */
  int count;
  double *corners; /* BRIO_JOINTS_CORNERS x n: behind the beginning */
} brio_joint_walk;

struct brio_joint_search {
  brio_joint_checker *checker;
  brio_joint_space space;
  brio_joint_search_settings settings;
  brio_random random;
  const brio_joint_phase *phase; /* NULL: over */
  brio_search_status status;
  brio_error why;
  brio_joint_search_effort effort;
  int64_t spent;   /* checks, and beginnings of phases */
  uint64_t number; /* of the motion; another search may have begun one since */
  bool moving;     /* a motion is being checked: from `from` by `delta` to `to` */
  double from[BRIO_JOINTS_PLANNED], delta[BRIO_JOINTS_PLANNED], to[BRIO_JOINTS_PLANNED];
  bool keeps;           /* something is kept: motions are walks */
  brio_joint_walk walk; /* behind a motion that was checked: its corners, the last of which is `to` */
  /* growth: tree `turn` grows at random, the other one towards its node `target` */
  brio_joint_tree trees[2]; /* of the start, and of the goals, whose roots are its first nodes */
  int *goal_of;             /* number of the goal of each root */
  brio_joint_region region; /* from which roots are drawn at first; no keeps: none */
  int ngoal;                /* of the request */
  int turn, near, target;
  bool arrives; /* the motion ends at the target */
  /* the path */
  int count, goal;      /* of the path at hand: corners (0: none yet), and the number of its goal */
  double *path, *shown; /* BRIO_JOINTS_CORNERS x n each */
  int left, right;      /* shortening: the motion leads from behind corner `left` to before `right` */
  bool corners_only;    /* the ends of the motion are corners */
  int attempts;
  double gap; /* length of what a cut would replace */
  /* further paths: the best so far, and bridges between both, which lead from corner `left` of the best
  ** (side 0) or of the path at hand (1) to corner `right` of the other one */
  int nbest, best_goal, nroot[2], others, bridges, side;
  bool bridged; /* the path at hand has been joined with the best, or cannot be */
  double *best, *lengths[2], tried;
  /* improvement */
  double bound;  /* a path must be shorter */
  int rounds;    /* since the best path was cut last */
  bool polishes; /* it is being cut */
};

/* Begin to check the motion from `from`, by `share` of the way to `to`: straight, unless something is kept.
 */
void brio_joint_search_move(brio_joint_search *search, const double *from, const double *to, double share);

/* Begin to check a straight step from `from` to `to`, which is `delta` away (as the search has them). */
void brio_joint_search_step(brio_joint_search *search);

/* Return node `i` of a tree. */
const double *brio_joint_search_node(const brio_joint_search *search, const brio_joint_tree *tree, int i);

/* Begin a motion from node `near` of a tree towards `to`, at most a range long.  Return whether it
** arrives. */
bool brio_joint_search_towards(brio_joint_search *search, const brio_joint_tree *tree, const double *to);

/* Begin a walk that keeps what is to be kept, as brio_joint_search_move says. */
void brio_joint_walk_begin(brio_joint_search *search, const double *from, const double *to, double share);

/* The step at hand is decided: go on with the next one, and return true; or false at the walk's end. */
bool brio_joint_walk_next(brio_joint_search *search, bool clear);

/* Add the first `count` corners of a walk to a tree behind node `near`, as far as there is room.  Return the
** last node. */
int brio_joint_walk_plant(brio_joint_search *search, brio_joint_tree *tree, int near, int count);

/* End the search without a path. */
void brio_joint_search_fail(brio_joint_search *search, const char *reason);

/* Begin to shorten the path that was just found. */
void brio_joint_search_shorten(brio_joint_search *search);

/* Go on from a path that gets no shorter. */
void brio_joint_search_shortened(brio_joint_search *search);

/* Return the length of a path of `count` corners: the sum of its steps. */
double brio_joint_search_length(const brio_joint_search *search, const double *path, int count);

/* Goals are drawn from the region; then the trees grow. */
extern const brio_joint_phase brio_joint_draw;

/* Begin to search a path that is shorter than the best one; the same with new trees. */
void brio_joint_search_improve(brio_joint_search *search);
extern const brio_joint_phase brio_joint_improve;

/* Cut the best path once more, then go on to improve it. */
void brio_joint_search_polish(brio_joint_search *search);

/* Reset the trees to their roots. */
void brio_joint_search_plant_again(brio_joint_search *search);

/* A connection has come to the end of its motion: keep what was gained, and go on, by `grow` where the way is
** not clear, or with the path if it has arrived. */
void brio_joint_search_join(brio_joint_search *search, bool clear, const brio_joint_phase *grow);

/* The trees grow: towards each other, which is the first phase, and at random. */
extern const brio_joint_phase brio_joint_connect, brio_joint_grow;

#endif
