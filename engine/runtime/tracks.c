/* What the player makes of the robot's DOFs becomes goals and targets.
**
** Joints: the base (solver.h) says where the robot would be without the player, so that a track that follows what is
** below follows exactly that; it is solved only while some track is on a joint.  While none is, the solver's own pose is
** where the robot would be, and the player works after the solve: what goes with joints outside the tree, as
** lids with eyes, does so in the same tick whether some other joint has a track or not.  Each joint has an objective of
** its own, whose weight is how hard its track is to be followed. */
#include "runtime/tracks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "motion/combine.h"

#define SOON 0.2     /* s: time constant in which life comes and goes on top of tracks */
#define NOTHING 1e-4 /* share of it: less is none */

/* The key under which the solver knows a joint's objective. */
static bool add_objective(brio_tracks *tracks, int i, const char *name, brio_error *err) {
  char key[160];
  brio_argument joint = {.name = "joint", .text = name};
  snprintf(key, sizeof key, "track(%.128s)", name);
  tracks->slots[i] = brio_solver_add_kind(tracks->solver, key, &tracks->kind, &joint, 1, err);
  return tracks->slots[i] >= 0;
}

bool brio_tracks_start(brio_tracks *tracks, brio_player *player, brio_solver *solver, const brio_actuator_axis *axes,
                       int naxis, brio_error *err) {
  *tracks = (brio_tracks){.player = player, .solver = solver, .ndof = naxis};
  if (!player) return true;
  tracks->tree = brio_solver_robot(solver)->nvariable;
  size_t count = (size_t)naxis + 1;
  tracks->slots = calloc(count, sizeof *tracks->slots);
  tracks->asked = calloc(count, sizeof *tracks->asked);
  tracks->below = calloc(count, sizeof *tracks->below);
  tracks->rate = calloc(count, sizeof *tracks->rate);
  tracks->alive = calloc(count, sizeof *tracks->alive);
  tracks->life = calloc(count, sizeof *tracks->life);
  if (!tracks->slots || !tracks->asked || !tracks->below || !tracks->rate || !tracks->alive || !tracks->life)
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for tracks of %d axes", naxis);
  for (int i = 0; i < tracks->tree; i++) tracks->slots[i] = -1;
  const brio_objective_kind *follow = brio_objective_kind_find("joint_follow", err);
  if (!follow) return false;
  tracks->kind = *follow;
  tracks->kind.above = true;
  for (int i = 0; i < tracks->tree; i++)
    if (!add_objective(tracks, i, axes[i].limits.name, err)) return false;
  return true;
}

void brio_tracks_end(brio_tracks *tracks) {
  for (int i = 0; i < tracks->tree && tracks->slots; i++) brio_solver_remove(tracks->solver, tracks->slots[i]);
  free(tracks->slots);
  free(tracks->asked);
  free(tracks->below);
  free(tracks->rate);
  free(tracks->alive);
  free(tracks->life);
  *tracks = (brio_tracks){0};
}

/* How much of what lends life is to stay on top of each joint's track, coming and going smoothly.  Return whether any is. */
static bool look_for_life(brio_tracks *tracks, double dt, bool needs) {
  brio_player_result result = brio_player_result_of(tracks->player);
  bool any = false;
  for (int i = 0; i < tracks->tree; i++) {
    double wanted = needs && result.follow[i] > 0 ? result.alive[i] : 0;
    tracks->alive[i] += -expm1(-dt / SOON) * (wanted - tracks->alive[i]);
    if (!needs || (wanted == 0 && tracks->alive[i] < NOTHING)) tracks->alive[i] = 0;
    any = any || tracks->alive[i] > 0;
  }
  return any;
}

/* What lends a joint life is where it is without the player, less where it would be without that.  Of it, what is to stay on
** top is taken off what is below all tracks, and added to what comes of them: so what a track lets through is not there
** twice. */
static void take_life(brio_tracks *tracks, double time, double dt, bool alive) {
  brio_solution quiet;
  if (alive) brio_solver_solve_quiet(tracks->solver, time, dt, !tracks->quieted, &quiet);
  tracks->quieted = alive;
  for (int i = 0; i < tracks->tree; i++) {
    double share = tracks->alive[i], still = alive ? quiet.q[BRIO_BASE_NQ + i] : 0;
    tracks->life[i] = share > 0 ? share * (tracks->below[i] - still) : 0;
    tracks->below[i] -= tracks->life[i];
    if (share > 0) tracks->rate[i] -= share * (tracks->rate[i] - brio_solver_quiet_speed(tracks->solver, i));
  }
}

/* Where the DOFs are without the player. */
static void look_below(brio_tracks *tracks, double time, double dt, const brio_actuator_axis *axes, bool needs) {
  const double *q = brio_solver_configuration_of(tracks->solver);
  if (needs) {
    brio_solution base;
    brio_solver_solve_base(tracks->solver, time, dt, !tracks->based, &base);
    q = base.q;
  }
  tracks->based = needs;
  bool alive = look_for_life(tracks, dt, needs);
  for (int i = 0; i < tracks->tree; i++) {
    tracks->below[i] = q[BRIO_BASE_NQ + i];
    tracks->rate[i] = brio_solver_speed(tracks->solver, i, needs);
  }
  take_life(tracks, time, dt, alive);
  for (int i = tracks->tree; i < tracks->ndof; i++) {
    tracks->below[i] = axes[i].target;
    tracks->rate[i] = NAN;
  }
}

/* Ask the solver for what the player wants of the joints; `anything`: it may want something. */
static void ask(brio_tracks *tracks, bool anything) {
  brio_player_result result = brio_player_result_of(tracks->player);
  for (int i = 0; i < tracks->tree; i++) {
    bool wanted = anything && result.follow[i] > 0 && isfinite(result.value[i]);
    if (wanted) brio_solver_set_goal(tracks->solver, tracks->slots[i], &(double){result.value[i] + tracks->life[i]}, 1, 0, NULL);
    if (wanted || tracks->asked[i])
      brio_solver_set_weight(tracks->solver, tracks->slots[i], wanted ? result.follow[i] : 0, 0, NULL);
    tracks->asked[i] = wanted;
  }
}

static void combine(brio_tracks *tracks, const brio_tracks_tick *tick, bool needs) {
  brio_player *player = tracks->player;
  look_below(tracks, tick->time, tick->dt, tick->axes, needs);
  brio_player_begin(player, tracks->below, tracks->rate, tick->dt, tick->anew);
  for (int due; (due = brio_player_combine(player)) >= 0;)
    if (tick->stage) tick->stage(tick->context, due);
  brio_player_finish(player);
}

void brio_tracks_before(brio_tracks *tracks, const brio_tracks_tick *tick) {
  if (!tracks->player) return;
  brio_player_advance(tracks->player, tick->dt);
  tracks->early = brio_player_needs(tracks->player);
  if (tracks->early) combine(tracks, tick, true);
  ask(tracks, tracks->early);
}

void brio_tracks_after(brio_tracks *tracks, const brio_tracks_tick *tick) {
  if (tracks->player && !tracks->early) combine(tracks, tick, false);
}

void brio_tracks_put(const brio_tracks *tracks, double *targets) {
  if (!tracks->player) return;
  brio_player_result result = brio_player_result_of(tracks->player);
  for (int i = tracks->tree; i < tracks->ndof; i++)
    if ((result.follow[i] > 0 || brio_player_is_eyelid(tracks->player, i)) && isfinite(result.value[i]))
      targets[i] = result.value[i];
}
