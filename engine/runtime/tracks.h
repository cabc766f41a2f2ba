/* Connects the player with the solver and the motor side: the values below all sources come from the solver's
** base and from the scripts' targets; the player's result goes to the solver as goals of joints, and directly
** to the motor side for axes outside the tree. */
#ifndef BRIO_RUNTIME_TRACKS_H
#define BRIO_RUNTIME_TRACKS_H

#include "drivers/actuator/actuator.h"
#include "motion/player/player.h"
#include "solver/solver.h"

typedef struct brio_tracks {
  brio_player *player;      /* NULL: no player, and nothing is done */
  brio_solver *solver;
  brio_objective_kind kind; /* of the joints' objectives: they override the rest */
  int ndof, tree;
  int *slots;               /* tree: objectives in the solver */
  bool *asked;              /* tree: their weight is above 0 */
  double *below, *rate;     /* ndof */
  /* ndof: share of the liveliness that stays on top of tracks, smoothed; its value, rad or m */
  double *alive, *life;
  bool quieted;             /* the quiet base was requested in the last tick */
  bool based;               /* the base was requested in the last tick */
  bool early;               /* the player worked before the solve of this tick */
} brio_tracks;

/* Called for a stage of the scripts (brio_player_combine). */
typedef void (*brio_tracks_stage)(void *context, int stage);

/* Create it: adds an objective for each joint to the solver, "track(NAME)".  The player's DOFs are the
** actuator's axes.  Errors: as of brio_solver_add, no_memory. */
bool brio_tracks_start(brio_tracks *tracks, brio_player *player, brio_solver *solver,
                       const brio_actuator_axis *axes, int naxis, brio_error *err);
void brio_tracks_end(brio_tracks *tracks);

typedef struct brio_tracks_tick {
  double time, dt;                /* s */
  const brio_actuator_axis *axes; /* ndof */
  bool anew;                      /* joints begin again from their measured positions */
  brio_tracks_stage stage;        /* may be NULL */
  void *context;                  /* of stage */
} brio_tracks_tick;

/* Parts of a tick: between the scripts and the solve, and after the solve. */
void brio_tracks_before(brio_tracks *tracks, const brio_tracks_tick *tick);
void brio_tracks_after(brio_tracks *tracks, const brio_tracks_tick *tick);

/* Replace the targets of axes outside the tree by the player's values (ndof). */
void brio_tracks_put(const brio_tracks *tracks, double *targets);

#endif
