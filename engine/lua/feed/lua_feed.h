/* Feeds of other programs as userdata (lua_feed.c), for the bindings that hand them on. */
#ifndef BRIO_LUA_FEED_H
#define BRIO_LUA_FEED_H

#include <lua.h>

#include "feed/feeds.h"

/* Return the group of feeds that the value at `index` is, or raise. */
brio_feeds *brio_lua_feeds_check(lua_State *L, int index);

#endif
