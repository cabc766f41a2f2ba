/* The list of places, made from places.def. */
#include "feed/feed_internal.h"

#define X(name) extern const brio_feed_place brio_feed_place_##name;
#include "feed/places.def"
#undef X

const brio_feed_place *const brio_feed_places[] = {
#define X(name) &brio_feed_place_##name,
#include "feed/places.def"
#undef X
    NULL};
