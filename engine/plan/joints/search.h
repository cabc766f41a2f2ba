/* Paths of a robot's joints from a configuration to one of several goals: RRT-Connect, then a shorter path.
**
** Two trees grow, from the start and from all goals: the smaller one towards a random configuration, then the
** other towards what was gained, until they meet.  A node that could not grow draws no samples from afar (a
** dynamic domain).  The path found is shortened as long as work is given to it: corners are left out, pieces
** are replaced by straight lines, and corners are cut; then further paths are made and joined with it
** (hybrid.c), and, if wanted, such that are shorter for sure (improve.c).  Where the checker keeps something,
** straight motions become walks that keep it (walk.c).  Sources: Kuffner and LaValle, "RRT-Connect", 2000;
** Yershova, Jaillet, Simeon and LaValle, "Dynamic-domain RRTs", 2005; Geraerts and Overmars, "Creating
** high-quality paths for motion planning", 2007.
**
** A search is made with all its memory and works in slices: a slice checks at most so many configurations and
** allocates nothing, so it may run in a tick or on a thread.  The same request gives the same path, whatever
** the slices. */
#ifndef BRIO_PLAN_JOINTS_SEARCH_H
#define BRIO_PLAN_JOINTS_SEARCH_H

#include "plan/body_path.h"
#include "plan/joints/checker.h"

typedef struct brio_joint_search brio_joint_search;

enum { BRIO_JOINTS_GOALS = 1000, BRIO_JOINTS_NODES = 1000000 }; /* at most */

typedef struct brio_joint_search_settings {
  double range;     /* length of an edge at most: square root of the sum of squares, rad and m */
  int nodes;        /* of each tree, at most */
  int64_t checks;   /* configurations that are checked before the search gives up; 0: no limit */
  int shortenings;  /* attempts to make a path shorter */
  int alternatives; /* further paths that are searched, shortened, and joined with the best by a bridge */
  bool optimal;     /* then paths are searched that are shorter still, until all checks are used up */
  int drawn; /* goals that are drawn from the region at first, at most; 30 times as often it is tried */
} brio_joint_search_settings;

/* Return range 1, 50,000 nodes, 5,000,000 checks, 100 shortenings, 1 alternative, not optimal, 16 drawn. */
brio_joint_search_settings brio_joint_search_settings_default(void);

typedef struct brio_joint_search_request {
  brio_joint_checker *checker; /* must outlive the search; see brio_joint_search_work */
  const double *start;         /* as many numbers as the checker plans */
  const double *goals; /* ngoal x that: any of them will do, such as all answers of inverse kinematics */
  int ngoal;
  const brio_joint_keep *region; /* bounds of frames: a configuration within all of them will do, too */
  int nregion;                   /* 0: no region */
  uint64_t seed;
  brio_joint_search_settings settings;
} brio_joint_search_request;

/* Make a search.  Errors: misuse (a number or setting out of range), unreachable (the start, or every goal,
** collides or is outside the limits, or does not keep what is kept; the sentence has the two solids and the
** depth), limit, no_memory. */
brio_joint_search *brio_joint_search_new(const brio_joint_search_request *request, brio_error *err);
/* Free it.  NULL is allowed. */
void brio_joint_search_free(brio_joint_search *search);

/* Search, with at most `budget` checks.  Once it has been found, a path may be read, and further slices make
** it shorter.  Failed: `err` has the reason (unreachable: nodes or checks are used up).  Of searches that
** take turns with one checker, each begins the motion again in which another one has interrupted it: their
** slices must have room for a whole one, some hundred checks. */
brio_search_status brio_joint_search_work(brio_joint_search *search, int budget, brio_error *err);

/* Return how many numbers a configuration has. */
int brio_joint_search_size(const brio_joint_search *search);

/* Return whether nothing is left to do: no path can come, or it gets no shorter. */
bool brio_joint_search_over(const brio_joint_search *search);

/* Return the path so far: `count` configurations from start to goal, NULL before one is found.  Circular
** variables go on beyond a turn, so that each step is the straight motion that was checked.  Valid until the
** next slice. */
const double *brio_joint_search_path(brio_joint_search *search, int *count);

/* Statistics. */
typedef struct brio_joint_search_effort {
  int64_t checks, motions;     /* configurations and straight motions checked */
  int rounds, nodes;           /* of the search */
  int goal;                    /* index of the goal reached, beyond the last: of the region; -1: none yet */
  double first_length, length; /* of the path as found, and now: sum over its steps */
  int improvements;            /* how often a shorter path took the place of the best one */
} brio_joint_search_effort;
brio_joint_search_effort brio_joint_search_effort_of(const brio_joint_search *search);

#endif
