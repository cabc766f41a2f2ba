/* Filters on tracks: the output of the mixer and of bridges on a DOF that has a filter passes through a
** cascade of low-pass filters (math/lowpass.h).
**
** A filter runs all the time, so that its state is settled when a source takes its DOF. Its output is used
** only while a source moves the DOF, and until it has come to rest afterwards, so that the robot's other
** motion has no lag. Between filtered and unfiltered output a fade (fade.h) bridges the lag, in value and
** rate. */
#include <assert.h>
#include <math.h>

#include "motion/player/player_internal.h"

#define SAME 1e-9           /* rad, m or 1: a smaller difference is no jump */
#define PATIENCE 8 /* time constants, and 2 for each stage: what is left of a step by then is below 1e-4 */
#define CHANGE 4            /* delays: in which its lag comes and goes */

/* A filter needs a DOF that has no other. Errors: misuse. */
static bool check_filter(const brio_player *player, const brio_player_filter *said, brio_error *err) {
  if (said->dof < 0 || said->dof >= player->ndof)
    return brio_fail(err, BRIO_MISUSE, "a filter is for one of %d DOFs, not DOF %d", player->ndof, said->dof);
  for (int i = 0; i < player->nfilter; i++)
    if (player->filters[i].dof == said->dof)
      return brio_fail(err, BRIO_MISUSE, "DOF %d has two filters", said->dof);
  return true;
}

bool brio_filters_start(brio_player *player, const brio_player_filter *said, int count, brio_error *err) {
  if (count < 0 || count > player->ndof)
    return brio_fail(err, BRIO_MISUSE, "%d DOFs have up to as many filters, not %d", player->ndof, count);
  player->filters = BRIO_TAKE(&player->arena, brio_filter, count + 1);
  player->lingers = BRIO_TAKE(&player->arena, bool, player->ndof + 1);
  if (!player->filters || !player->lingers)
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for %d filters", count);
  assert(count <= player->ndof);
  for (int i = 0; i < count; i++) {
    if (!check_filter(player, &said[i], err)) return false;
    brio_filter filter = {.dof = said[i].dof};
    if (!brio_lowpass_start(&filter.chain, said[i].stages, said[i].tau, 0))
      return brio_fail(err, BRIO_MISUSE, "a filter has 1 to %d stages and a tau above 0 s, not %d and %g",
                       BRIO_LOWPASS_STAGES, said[i].stages, said[i].tau);
    if (filter.chain.stages > 0) player->filters[player->nfilter++] = filter; /* 0 stages: there is none */
  }
  return true;
}

/* Set a filter at rest at a value, with its output unused. */
static void place(brio_filter *filter, double value) {
  *filter = (brio_filter){
      .dof = filter->dof, .chain = filter->chain, .raw = value, .slow = value, .out = value};
  brio_lowpass_place(&filter->chain, value);
}

/* Switch between filtered and unfiltered output; the difference becomes an offset that fades. */
static void turn(const brio_player *player, brio_filter *filter, bool on, double raw, double slow) {
  const brio_player_dof *dof = &player->dofs[filter->dof];
  double sign = on ? 1 : -1, jump = sign * (raw - slow);
  double pace = sign * (raw - filter->raw - (slow - filter->slow)) / player->dt;
  filter->on = on;
  /* The first tick has no output to be continuous with. */
  if (!player->given || (fabs(jump) <= SAME && fabs(pace) <= SAME)) return;
  double length = CHANGE * filter->chain.stages * filter->chain.tau;
  brio_fade_add(&filter->fade, jump, pace, length, dof->velocity, dof->acceleration);
}

/* Whether anything except its filter moves a DOF. */
static bool is_asked(const brio_player *player, int d) {
  return player->owner[d] != 0 || player->fades[d].length > 0 || brio_player_mixes_all(player);
}

/* Filter one DOF. */
static void work(brio_player *player, brio_filter *filter) {
  assert(filter->dof >= 0 && filter->dof < player->ndof);
  int d = filter->dof;
  double raw = player->value[d], dt = player->paused ? 0 : player->dt, offset, speed;
  if (!isfinite(raw)) return;
  /* At the start the filter is at rest where the DOF is. */
  if (!player->given) place(filter, player->below[d]);
  bool asked = is_asked(player, d), lingered = player->lingers[d];
  double slow = brio_lowpass_step(&filter->chain, raw, dt);
  brio_fade_advance(&filter->fade, dt);
  /* `left` counts down once no source moves the DOF; at 0 the filter has settled. */
  filter->left = asked ? (PATIENCE + 2 * filter->chain.stages) * filter->chain.tau : filter->left - dt;
  if (filter->on != (filter->left > 0)) turn(player, filter, filter->left > 0, raw, slow);
  brio_fade_at(&filter->fade, &offset, &speed);
  /* The fade bridges the change from one to the other. */
  double out = (filter->on ? slow : raw) + offset;
  player->value[d] = out;
  player->rate[d] = player->given ? (out - filter->out) / player->dt : 0;
  player->lingers[d] = filter->on || filter->fade.length > 0;
  /* A DOF that lingers needs its place without the player, in the next tick, too. */
  if (!asked && (lingered || player->lingers[d])) player->lingering = true;
  filter->raw = raw, filter->slow = slow, filter->out = out;
}

/* O(filters). */
void brio_filters_work(brio_player *player) {
  player->lingering = false;
  for (int i = 0; i < player->nfilter; i++) work(player, &player->filters[i]);
}
