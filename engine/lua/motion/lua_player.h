/* Players and sequences as userdata, created by scripts. */
#ifndef BRIO_LUA_PLAYER_H
#define BRIO_LUA_PLAYER_H

#include <lua.h>

#include "motion/player/player.h"

/* Return the player, or the sequence, at argument `arg`, or raise. */
brio_player *brio_lua_player_check(lua_State *L, int arg);
brio_sequence *brio_lua_sequence_check(lua_State *L, int arg);

#endif
