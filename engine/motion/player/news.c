/* What happened, to be read after each tick: a ring of so many, the newest of which are dropped when nobody reads. */
#include "motion/player/player_internal.h"

void brio_player_tell(brio_player *player, brio_player_news what, const brio_source *source, int index) {
  if (player->nnews == BRIO_PLAYER_NEWS) {
    player->dropped++;
    return;
  }
  int place = (player->first_news + player->nnews++) % BRIO_PLAYER_NEWS;
  player->news[place] = (brio_player_event){what, source->id, index};
}

bool brio_player_poll(brio_player *player, brio_player_event *out) {
  if (player->nnews == 0) return false;
  *out = player->news[player->first_news];
  player->first_news = (player->first_news + 1) % BRIO_PLAYER_NEWS;
  player->nnews--;
  return true;
}

int64_t brio_player_dropped(const brio_player *player) { return player->dropped; }
