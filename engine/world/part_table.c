/* The parts of a world, in the order in which they are stepped and seen. */
#include "world/world_internal.h"

#define X(name) extern const brio_world_part brio_world_part_##name;
#include "world/parts.def"
#undef X

#define X(name) &brio_world_part_##name,
const brio_world_part *const brio_world_part_table[BRIO_WORLD_PARTS] = {
#include "world/parts.def"
};
