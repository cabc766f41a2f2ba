/* From the player's result to goals of joints and targets of other axes.
**
** Joints: the base solution (solver.h) is where the robot would be without the player, so a track that
** follows what is below it follows exactly that. The base is solved only while some joint has a track.
** Otherwise the solver's own pose is the base, and the player works after the solve; so axes outside the
** tree that follow joints (lids follow eyes) do so in the same tick in both cases. Each joint has an
** objective of its own, whose weight is how strictly its track is followed. */
#include "runtime/tracks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "motion/combine.h"

#define SOON 0.2     /* s: time constant with which liveliness fades in and out on top of tracks */
#define NOTHING 1e-4 /* share of it that counts as none */

/* Add the objective of joint i, under a key of its own. */
static bool add_objective(brio_tracks *tracks, int i, const char *name, brio_error *err) {
  char key[160];
  brio_argument joint = {.name = "joint", .text = name};
  snprintf(key, sizeof key, "track(%.128s)", name);
  tracks->slots[i] = brio_solver_add_kind(tracks->solver, key, &tracks->kind, &joint, 1, err);
  return tracks->slots[i] >= 0;
}

bool brio_tracks_start(brio_tracks *tracks, brio_player *player, brio_solver *solver,
                       const brio_actuator_axis *axes, int naxis, brio_error *err) {
  *tracks = (brio_tracks){.player = player, .solver = solver, .ndof = naxis};
  if (!player) return true;
  tracks->tree = brio_solver_robot(solver)->nvariable;
  /* One element more than axes, so that no size is 0. */
  size_t count = (size_t)naxis + 1;
  tracks->slots = calloc(count, sizeof *tracks->slots);
  tracks->asked = calloc(count, sizeof *tracks->asked);
  tracks->below = calloc(count, sizeof *tracks->below);
  tracks->rate = calloc(count, sizeof *tracks->rate);
  tracks->alive = calloc(count, sizeof *tracks->alive);
  tracks->life = calloc(count, sizeof *tracks->life);
  /* brio_tracks_end frees what there is. */
  if (!tracks->slots || !tracks->asked || !tracks->below || !tracks->rate || !tracks->alive || !tracks->life)
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for tracks of %d axes", naxis);
  /* -1: brio_tracks_end() removes only what was added. */
  for (int i = 0; i < tracks->tree; i++) tracks->slots[i] = -1;
  const brio_objective_kind *follow = brio_objective_kind_find("joint_follow", err);
  if (!follow) return false;
  tracks->kind = *follow;
  /* `above`: laid over the other objectives, so that the base can be solved without it. */
  tracks->kind.above = true;
  for (int i = 0; i < tracks->tree; i++)
    if (!add_objective(tracks, i, axes[i].limits.name, err)) return false;
  return true;
}

void brio_tracks_end(brio_tracks *tracks) {
  /* Objectives first: their slots belong to the solver. */
  for (int i = 0; i < tracks->tree && tracks->slots; i++)
    brio_solver_remove(tracks->solver, tracks->slots[i]);
  free(tracks->slots);
  free(tracks->asked);
  free(tracks->below);
  free(tracks->rate);
  free(tracks->alive);
  free(tracks->life);
  *tracks = (brio_tracks){0};
}

/* Update how much of the idle motion stays on top of each joint's track, smoothed by a low-pass
** filter: a += (1 - e^(-dt / SOON)) (wanted - a).  Return whether there is any. */
static bool look_for_life(brio_tracks *tracks, double dt, bool needs) {
  brio_player_result result = brio_player_result_of(tracks->player);
  bool any = false;
  for (int i = 0; i < tracks->tree; i++) {
    double wanted = needs && result.follow[i] > 0 ? result.alive[i] : 0;
    /* expm1 keeps the digits of a small dt. */
    tracks->alive[i] += -expm1(-dt / SOON) * (wanted - tracks->alive[i]);
    if (!needs || (wanted == 0 && tracks->alive[i] < NOTHING)) tracks->alive[i] = 0;
    any = any || tracks->alive[i] > 0;
  }
  return any;
}

/* Idle motion of a joint = its base minus its base without idle motion (the quiet one).  The share
** that stays on top is subtracted from what is below the tracks and added to their result: so what
** a track lets through does not count twice. */
static void take_life(brio_tracks *tracks, double time, double dt, bool alive) {
  brio_solution quiet;
  /* A second solve, without idle motion: only while some joint has a share of it on top. */
  if (alive) brio_solver_solve_quiet(tracks->solver, time, dt, !tracks->quieted, &quiet);
  tracks->quieted = alive;
  /* Position and speed: the quiet base plus the share of the difference. */
  for (int i = 0; i < tracks->tree; i++) {
    double share = tracks->alive[i], still = alive ? quiet.q[BRIO_BASE_NQ + i] : 0;
    tracks->life[i] = share > 0 ? share * (tracks->below[i] - still) : 0;
    tracks->below[i] -= tracks->life[i];
    if (share > 0) tracks->rate[i] -= share * (tracks->rate[i] - brio_solver_quiet_speed(tracks->solver, i));
  }
}

/* Find position and speed of all DOFs without the player. */
static void look_below(brio_tracks *tracks, double time, double dt, const brio_actuator_axis *axes,
                       bool needs) {
  const double *q = brio_solver_configuration_of(tracks->solver);
  /* The base is solved again from the full solution when it was not kept up. */
  if (needs) {
    brio_solution base;
    brio_solver_solve_base(tracks->solver, time, dt, !tracks->based, &base);
    q = base.q;
  }
  tracks->based = needs;
  bool alive = look_for_life(tracks, dt, needs);
  /* Of the base, or without tracks of the solution itself. */
  for (int i = 0; i < tracks->tree; i++) {
    tracks->below[i] = q[BRIO_BASE_NQ + i];
    tracks->rate[i] = brio_solver_speed(tracks->solver, i, needs);
  }
  take_life(tracks, time, dt, alive);
  /* Outside the tree the scripts' targets are below; their speed is unknown. */
  for (int i = tracks->tree; i < tracks->ndof; i++) {
    tracks->below[i] = axes[i].target;
    tracks->rate[i] = NAN;
  }
}

/* Let the solver follow the player's values: a goal and a weight for each joint that has a track. False in
** `anything`: no joint has one. */
static void ask(brio_tracks *tracks, bool anything) {
  brio_player_result result = brio_player_result_of(tracks->player);
  for (int i = 0; i < tracks->tree; i++) {
    bool wanted = anything && result.follow[i] > 0 && isfinite(result.value[i]);
    if (wanted) {
      double goal = result.value[i] + tracks->life[i];
      brio_solver_set_goal(tracks->solver, tracks->slots[i], &goal, 1, 0, NULL);
    }
    /* A weight is set to 0 once when a track ends. */
    if (wanted || tracks->asked[i])
      brio_solver_set_weight(tracks->solver, tracks->slots[i], wanted ? result.follow[i] : 0, 0, NULL);
    tracks->asked[i] = wanted;
  }
}

/* One combination: below, then stages in their order, then the player's result. */
static void combine(brio_tracks *tracks, const brio_tracks_tick *tick, bool needs) {
  brio_player *player = tracks->player;
  look_below(tracks, tick->time, tick->dt, tick->axes, needs);
  brio_player_begin(player, tracks->below, tracks->rate, tick->dt, tick->anew);
  /* The player stops at stages of other parts, such as the scripts', and continues after their work. */
  for (int due; (due = brio_player_combine(player)) >= 0;)
    if (tick->stage) tick->stage(tick->context, due);
  brio_player_finish(player);
}

void brio_tracks_before(brio_tracks *tracks, const brio_tracks_tick *tick) {
  if (!tracks->player) return;
  brio_player_advance(tracks->player, tick->dt);
  /* Needed before the solve only if a joint has a track. */
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
    /* Eyelids follow the eyes even without a track of their own. */
    if ((result.follow[i] > 0 || brio_player_is_eyelid(tracks->player, i)) && isfinite(result.value[i]))
      targets[i] = result.value[i];
}
