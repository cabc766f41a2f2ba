/* A position and an orientation. */
#include "solver/goals/goal_internal.h"

/* The four names of the orientation make it a quaternion: unit length, blended along an arc (goal.c). */
static const char *const fields[] = {"position.x",    "position.y",    "position.z",   "orientation.x",
                                     "orientation.y", "orientation.z", "orientation.w"};

const brio_goal_kind brio_goal_pose = {
    .name = "pose",
    .doc = "A pose: a point in meters, and an orientation (default: that of the world).",
    .example = "{position = {0.4, 0, 0.6}, orientation = {1, 0, 0, 0}}",
    .count = 7,
    .fields = fields,
};
