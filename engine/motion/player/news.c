/* Events, to be read after each tick: a ring of fixed size. When it is full, the newest are dropped and
** counted, so that a tick never waits. */
#include <assert.h>

#include "motion/player/player_internal.h"

void brio_player_tell(brio_player *player, brio_player_news what, const brio_source *source, int index) {
  assert(player->nnews >= 0 && player->nnews <= BRIO_PLAYER_NEWS);
  if (player->nnews == BRIO_PLAYER_NEWS) {
    player->dropped++;
    return;
  }
  /* The place behind the newest event. */
  int place = (player->first_news + player->nnews++) % BRIO_PLAYER_NEWS;
  player->news[place] = (brio_player_event){what, source->id, index};
}

/* Oldest first; false: there is none. */
bool brio_player_poll(brio_player *player, brio_player_event *out) {
  if (player->nnews == 0) return false;
  assert(player->first_news >= 0 && player->first_news < BRIO_PLAYER_NEWS);
  *out = player->news[player->first_news];
  player->first_news = (player->first_news + 1) % BRIO_PLAYER_NEWS;
  player->nnews--;
  return true;
}

/* All that were dropped since the player was made. */
int64_t brio_player_dropped(const brio_player *player) { return player->dropped; }
