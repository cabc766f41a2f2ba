/* Filters on tracks: what the mixer and bridges make of a DOF that has one goes through a cascade of low-pass filters
** (math/lowpass.h) before it is handed out.
**
** A filter runs all the time, so that it is warm when a source takes its DOF; it is handed out only as long as
** something is asked of the DOF, and until it has come to rest afterwards, since what the robot does without tracks
** is not to lag.  Between what is filtered and what is not, a fade (fade.h) bridges the lag, in value and rate. */
#include <math.h>

#include "motion/player/player_internal.h"

#define SAME 1e-9           /* rad, m or 1: less is no jump */
#define PATIENCE 8          /* time constants, and 2 for each stage: what is left of a step by then is below 1e-4 */
#define CHANGE 4            /* delays: in which its lag comes and goes */

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

/* Be at rest at a value, with nothing handed out. */
static void place(brio_filter *filter, double value) {
  *filter = (brio_filter){.dof = filter->dof, .chain = filter->chain, .raw = value, .slow = value, .out = value};
  brio_lowpass_place(&filter->chain, value);
}

/* Hand out what is filtered, or what is not, from now on: what lies between them becomes an offset. */
static void turn(const brio_player *player, brio_filter *filter, bool on, double raw, double slow) {
  const brio_player_dof *dof = &player->dofs[filter->dof];
  double sign = on ? 1 : -1, jump = sign * (raw - slow);
  double pace = sign * (raw - filter->raw - (slow - filter->slow)) / player->dt;
  filter->on = on;
  if (!player->given || (fabs(jump) <= SAME && fabs(pace) <= SAME)) return;
  double length = CHANGE * filter->chain.stages * filter->chain.tau;
  brio_fade_add(&filter->fade, jump, pace, length, dof->velocity, dof->acceleration);
}

/* Whether something is asked of a DOF, by others than its filter. */
static bool is_asked(const brio_player *player, int d) {
  return player->owner[d] != 0 || player->fades[d].length > 0 || brio_player_mixes_all(player);
}

static void work(brio_player *player, brio_filter *filter) {
  int d = filter->dof;
  double raw = player->value[d], dt = player->paused ? 0 : player->dt, offset, speed;
  if (!isfinite(raw)) return;
  if (!player->given) place(filter, player->below[d]);
  bool asked = is_asked(player, d), lingered = player->lingers[d];
  double slow = brio_lowpass_step(&filter->chain, raw, dt);
  brio_fade_advance(&filter->fade, dt);
  filter->left = asked ? (PATIENCE + 2 * filter->chain.stages) * filter->chain.tau : filter->left - dt;
  if (filter->on != (filter->left > 0)) turn(player, filter, filter->left > 0, raw, slow);
  brio_fade_at(&filter->fade, &offset, &speed);
  double out = (filter->on ? slow : raw) + offset;
  player->value[d] = out;
  player->rate[d] = player->given ? (out - filter->out) / player->dt : 0;
  player->lingers[d] = filter->on || filter->fade.length > 0;
  if (!asked && (lingered || player->lingers[d])) player->lingering = true;
  filter->raw = raw, filter->slow = slow, filter->out = out;
}

void brio_filters_work(brio_player *player) {
  player->lingering = false;
  for (int i = 0; i < player->nfilter; i++) work(player, &player->filters[i]);
}
