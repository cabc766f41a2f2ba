/* Feeds of other programs as userdata (lua_feed.c), for bindings that pass them on. */
#ifndef BRIO_LUA_FEED_H
#define BRIO_LUA_FEED_H

#include <lua.h>

#include "feed/feeds.h"

/* Return the group of feeds at `index`, or raise. */
brio_feeds *brio_lua_feeds_check(lua_State *L, int index);

#endif
