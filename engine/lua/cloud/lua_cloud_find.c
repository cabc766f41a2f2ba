/* Objects in a cloud: planes, their edges, clusters, the edge of a table, doors and their frames.  Each
** search processes the whole cloud, which takes longer than a tick: 20 to 150 ms for 300,000 points on one
** core.  A running behavior calls it while the robot rests, or makes the cloud smaller first (cloud:crop,
** cloud:voxels). */
#include <stdlib.h>
#include <string.h>

#include "cloud/objects/clusters.h"
#include "cloud/objects/door.h"
#include "cloud/objects/edges.h"
#include "cloud/objects/table.h"
#include "cloud/surfaces/normals.h"
#include "lua/cloud/lua_cloud.h"
#include "lua/lua_args.h"

enum { MOST = 1 << 24 };

/* Read the settings at argument 2: a table with only those keys, or nil. Leaves the stack with a table
** at 2. */
static void settings(lua_State *L, const char *const *keys, const char *what) {
  lua_settop(L, 2);
  if (lua_isnil(L, 2)) {
    lua_newtable(L);
    lua_replace(L, 2);
  }
  luaL_checktype(L, 2, LUA_TTABLE);
  brio_lua_only_keys(L, 2, keys, what);
}

/* A setting's length or angle, from 0 on; 0: absent. */
static double length(lua_State *L, const char *key) {
  return brio_lua_field_number(L, 2, key, 0, 1e6, 0);
}

/* A setting's count, from 0 on; 0: absent. */
static int number(lua_State *L, const char *key) {
  return (int)brio_lua_field_number(L, 2, key, 0, MOST, 0);
}

/* A direction of the settings, normalized; 0: absent. */
static brio_vec3 direction(lua_State *L, const char *key) {
  brio_vec3 v = {0, 0, 0};
  if (lua_getfield(L, 2, key) != LUA_TNIL) {
    v = brio_lua_vec3(L, -1, key);
    double n = brio_vec3_norm(v);
    if (!(n > 1e-9)) luaL_error(L, "%s must be a direction, not (0, 0, 0)", key);
    v = brio_vec3_scale(1 / n, v);
  }
  lua_pop(L, 1);
  return v;
}

/* A pose of the table at `index`; absent: `fallback`. */
static brio_pose pose_of(lua_State *L, int index, const char *key, brio_pose fallback) {
  if (lua_getfield(L, index, key) != LUA_TNIL) fallback = brio_lua_pose(L, -1, key);
  lua_pop(L, 1);
  return fallback;
}

/* Set a pose, or a list of numbers, as a field of the table on top. */
static void set_pose(lua_State *L, const char *key, brio_pose pose) {
  brio_lua_push_pose(L, pose);
  lua_setfield(L, -2, key);
}

static void set_numbers(lua_State *L, const char *key, const double *numbers, int count) {
  brio_lua_push_numbers(L, numbers, count);
  lua_setfield(L, -2, key);
}

/* Push a copy of the cloud whose labels are those plus 1; unlabeled points have label 0. */
static bool push_labeled(lua_State *L, const brio_cloud *cloud, const int *labels, brio_error *err) {
  brio_cloud *to = brio_lua_cloud_new(L);
  int parts = BRIO_CLOUD_LABELS | (cloud->colors ? BRIO_CLOUD_COLORS : 0);
  /* Copy the points and colors, and below the time, the viewpoint and the frame. */
  if (!brio_cloud_resize(to, cloud->width, cloud->height, parts, err)) return false;
  memcpy(to->points, cloud->points, (size_t)cloud->count * sizeof *to->points);
  if (cloud->colors) memcpy(to->colors, cloud->colors, (size_t)cloud->count * sizeof *to->colors);
  for (int i = 0; i < cloud->count; i++) to->labels[i] = (uint32_t)(labels[i] + 1);
  to->time = cloud->time, to->viewpoint = cloud->viewpoint;
  memcpy(to->frame, cloud->frame, sizeof to->frame);
  brio_cloud_judge(to);
  return true;
}

/* ------------------------------------------------------------------ planes and edges */

static const char *const plane_keys[] = {"tolerance", "gap",  "least",  "most", "up",
                                         "tilt",      "lean", "labels", NULL};
static const char *const edge_keys[] = {"tolerance", "gap",  "least",  "most", "up",
                                        "tilt",      "lean", "length", NULL};

/* Read the settings of a search for planes from the table at 2; 0 stands for a default. */
static brio_cloud_planes_how planes_how(lua_State *L) {
  brio_cloud_planes_how how = {.tolerance = length(L, "tolerance"), .least = number(L, "least")};
  /* In C 0 is the default gap and a negative one means none. */
  how.gap = brio_lua_field_number(L, 2, "gap", 0, 1e6, 0.25);
  if (how.gap == 0) how.gap = -1;
  how.most = number(L, "most"), how.up = direction(L, "up");
  how.tilt = brio_lua_field_number(L, 2, "tilt", 0, BRIO_PI / 2, 0);
  how.lean = brio_lua_field_number(L, 2, "lean", 0, BRIO_PI / 2, 0);
  if (how.up.x == 0 && how.up.y == 0 && how.up.z == 0) how.up = (brio_vec3){0, 0, 1};
  return how;
}

/* Push a plane: see cloud:planes. Lengths are in m in the cloud's frame. */
static void push_plane(lua_State *L, const brio_cloud_plane *plane) {
  lua_createtable(L, 0, 9);
  brio_lua_set_vec3(L, "normal", plane->normal);
  brio_lua_set_number(L, "offset", plane->offset);
  set_pose(L, "pose", plane->pose);
  set_numbers(L, "size", plane->size, 2);
  brio_lua_set_number(L, "area", plane->area);
  brio_lua_set_number(L, "error", plane->error);
  brio_lua_set_number(L, "noise", plane->noise);
  brio_lua_set_integer(L, "points", plane->count);
  lua_createtable(L, plane->corners, 0);
  for (int i = 0; i < plane->corners; i++) {
    brio_lua_push_vec3(L, plane->hull[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "hull");
}

/* A result lives in userdata while it is pushed, so that an error frees it. */
#define FOUND_PLANES "brio.cloud.planes"
#define FOUND_CLUSTERS "brio.cloud.clusters"

/* __gc: free the planes of a search. */
static int end_planes(lua_State *L) {
  brio_cloud_planes_end(lua_touserdata(L, 1));
  return 0;
}

/* __gc: free the clusters of a search. */
static int end_clusters(lua_State *L) {
  brio_cloud_clusters_end(lua_touserdata(L, 1));
  return 0;
}

/* Push zeroed memory that `end` is called with when it is collected. */
static void *push_found(lua_State *L, size_t size, const char *name, lua_CFunction end) {
  void *found = lua_newuserdatauv(L, size, 0);
  memset(found, 0, size);
  if (luaL_newmetatable(L, name)) {
    lua_pushcfunction(L, end);
    lua_setfield(L, -2, "__gc");
  }
  lua_setmetatable(L, -2);
  return found;
}

/* cloud:planes([how]) -> list [, cloud] | nil, sentence, code
** The planes in it, by number of points, descending: {normal (towards the sensor), offset (normal . p), pose
** (middle of the least rectangle around it, z the normal, x along its longer side), size ({x, y}), area
** (of the hull), error (root mean square of its points), noise (of the cloud there), points, hull
** (corners in order)}; m. The tolerance of a point is measured in the cloud, or given as `tolerance`.
** Parts within `gap` (0.25 m) are one plane. `least` points (one in 200), `most` planes (128). With `tilt`
** (rad) only planes whose normal is within it of `up` ({0, 0, 1}), with `lean` (rad) only those whose normal
** is within it of level. With `labels = true` the second result is the cloud with each point's plane as its
** label, 0 for none. Codes: unreachable (no points), limit, no_memory. */
static int cloud_planes(lua_State *L) {
  const brio_cloud *cloud = brio_lua_cloud_check(L, 1);
  brio_error err;
  settings(L, plane_keys, "cloud:planes");
  bool labels = brio_lua_field_flag(L, 2, "labels", false);
  brio_cloud_planes_how how = planes_how(L);
  brio_cloud_planes *found = push_found(L, sizeof *found, FOUND_PLANES, end_planes);
  bool fine = brio_cloud_planes_find(found, cloud, &how, &err);
  /* On failure the list stays empty and is not returned. */
  lua_createtable(L, found->count, 0);
  for (int i = 0; fine && i < found->count; i++) {
    push_plane(L, &found->planes[i]);
    lua_rawseti(L, -2, i + 1);
  }
  fine = fine && (!labels || push_labeled(L, cloud, found->labels, &err));
  /* Free the planes now, not when garbage is collected: they hold a number for each point. */
  brio_cloud_planes_end(found);
  return fine ? 1 + labels : brio_lua_failed(L, &err);
}

/* cloud:edges([how]) -> list, planes | nil, sentence, code
** The straight edges of its planes of at least `length` (0.15 m): {from, to, plane, other (numbers in the
** second result, which is cloud:planes'), kind, error, share (of its length that follows the line), open,
** hidden, unseen (shares of the sensor's rays beyond the edge)}. Kinds: rim (the surface ends), crease
** (another plane continues), hidden (an object in front of it), unseen (perhaps only the edge of the view).
** Codes: as cloud:planes. */
static int cloud_edges(lua_State *L) {
  const brio_cloud *cloud = brio_lua_cloud_check(L, 1);
  brio_error err;
  settings(L, edge_keys, "cloud:edges");
  brio_cloud_planes_how how = planes_how(L);
  double least = length(L, "length");
  brio_cloud_planes *found = push_found(L, sizeof *found, FOUND_PLANES, end_planes);
  brio_cloud_edge *edges = lua_newuserdatauv(L, BRIO_CLOUD_EDGES * sizeof *edges, 0);
  /* -1: one of the two searches failed. */
  int count = brio_cloud_planes_find(found, cloud, &how, &err)
                  ? brio_cloud_edges_find(edges, cloud, found, least, &err)
                  : -1;
  lua_createtable(L, count > 0 ? count : 0, 0);
  for (int i = 0; i < count; i++) {
    const brio_cloud_edge *e = &edges[i];
    lua_createtable(L, 0, 10);
    brio_lua_set_vec3(L, "from", e->from);
    brio_lua_set_vec3(L, "to", e->to);
    /* Numbers of planes count from 1 in Lua, as in the second result. */
    brio_lua_set_integer(L, "plane", e->plane + 1);
    if (e->other >= 0) brio_lua_set_integer(L, "other", e->other + 1);
    brio_lua_set_text(L, "kind", brio_cloud_edge_name(e->kind));
    brio_lua_set_number(L, "error", e->error);
    brio_lua_set_number(L, "share", e->share);
    brio_lua_set_number(L, "open", e->beyond.open);
    brio_lua_set_number(L, "hidden", e->beyond.hidden);
    brio_lua_set_number(L, "unseen", e->beyond.unseen);
    lua_rawseti(L, -2, i + 1);
  }
  lua_createtable(L, found->count, 0);
  for (int i = 0; count >= 0 && i < found->count; i++) {
    push_plane(L, &found->planes[i]);
    lua_rawseti(L, -2, i + 1);
  }
  brio_cloud_planes_end(found);
  return count >= 0 ? 2 : brio_lua_failed(L, &err);
}

/* ------------------------------------------------------------------ things and normals */

/* Read the plane at the top of the stack, as cloud:planes gives it. */
static brio_cloud_plane read_plane(lua_State *L) {
  brio_cloud_plane plane = {.noise = 0};
  int at = lua_gettop(L);
  /* Stack from `at` on: the plane, its normal, its hull. */
  luaL_checktype(L, at, LUA_TTABLE);
  lua_getfield(L, at, "normal");
  plane.normal = brio_lua_vec3(L, -1, "the plane's normal");
  double n = brio_vec3_norm(plane.normal);
  if (!(fabs(n - 1) < 1e-3)) luaL_error(L, "the plane's normal must have length 1");
  plane.offset = brio_lua_field_number(L, at, "offset", -1e6, 1e6, 0);
  plane.noise = brio_lua_field_number(L, at, "noise", 0, 1e3, 0);
  if (lua_getfield(L, at, "hull") != LUA_TTABLE)
    luaL_error(L, "the plane must have a hull, as cloud:planes gives it");
  lua_Integer corners = (lua_Integer)lua_rawlen(L, -1);
  if (corners < 3 || corners > BRIO_CLOUD_HULL)
    luaL_error(L, "the plane's hull must have 3 to %d corners", BRIO_CLOUD_HULL);
  for (plane.corners = 0; plane.corners < corners; plane.corners++) {
    lua_rawgeti(L, at + 2, plane.corners + 1);
    plane.hull[plane.corners] = brio_lua_vec3(L, -1, "a corner of the plane's hull");
    lua_pop(L, 1);
  }
  lua_settop(L, at);
  return plane;
}

/* Push a cluster: see cloud:clusters. Lengths are in m in the cloud's frame. */
static void push_cluster(lua_State *L, const brio_cloud_cluster *c) {
  lua_createtable(L, 0, 5);
  set_pose(L, "pose", c->pose);
  set_numbers(L, "size", c->size, 3);
  brio_lua_set_vec3(L, "center", c->center);
  if (c->color[0] == c->color[0]) set_numbers(L, "color", c->color, 3);
  brio_lua_set_integer(L, "points", c->count);
}

/* cloud:clusters([how]) -> list [, cloud] | nil, sentence, code
** Clusters: connected points, by number of points, descending: {pose (middle of the least upright box
** around it, x along its longer side), size ({x, y, z}), center (mean of the points), color (mean, nil
** without colors), points}; m. Points within `distance` (0.02, or 2.5 times the distance between points)
** belong to one cluster. Only clusters of `least` (100, or one in 2000 of the points, but 10) to `most`
** points. With `above`, a plane of cloud:planes, only points over its hull, from `low` (4 times the noise,
** but 0.01) to `high` (0.6) m over it. Boxes are aligned with `up` (the plane's normal, or {0, 0, 1}). With
** `labels = true` the second result is the cloud with each point's cluster as its label, 0 for none. Codes:
** unreachable (no points), limit, no_memory. */
static int cloud_clusters(lua_State *L) {
  static const char *const keys[] = {"distance", "least", "most",   "above", "low",
                                     "high",     "up",    "labels", NULL};
  const brio_cloud *cloud = brio_lua_cloud_check(L, 1);
  brio_error err;
  settings(L, keys, "cloud:clusters");
  bool labels = brio_lua_field_flag(L, 2, "labels", false);
  brio_cloud_clusters_how how = {
      /* Settings in m; the direction is a unit vector. */
      .distance = length(L, "distance"), .least = number(L, "least"), .most = number(L, "most")};
  how.low = length(L, "low"), how.high = length(L, "high"), how.up = direction(L, "up");
  brio_cloud_plane plane;
  if (lua_getfield(L, 2, "above") != LUA_TNIL) plane = read_plane(L), how.above = &plane;
  lua_pop(L, 1);
  brio_cloud_clusters *found = push_found(L, sizeof *found, FOUND_CLUSTERS, end_clusters);
  bool fine = brio_cloud_clusters_find(found, cloud, &how, &err);
  lua_createtable(L, found->count, 0);
  for (int i = 0; fine && i < found->count; i++) {
    push_cluster(L, &found->clusters[i]);
    lua_rawseti(L, -2, i + 1);
  }
  fine = fine && (!labels || push_labeled(L, cloud, found->labels, &err));
  brio_cloud_clusters_end(found);
  return fine ? 1 + labels : brio_lua_failed(L, &err);
}

/* cloud:normals([radius]) -> cloud | nil, sentence, code
** Surface normals: a cloud of as many places whose "points" are unit normals towards the sensor, none where a
** point has too few neighbors. `radius` (m): of the neighborhood; default: 7 by 7 pixels of an organized
** cloud, about 8 points of another. Codes: unreachable (no points), limit, no_memory. */
static int cloud_normals(lua_State *L) {
  const brio_cloud *cloud = brio_lua_cloud_check(L, 1);
  double radius = lua_isnoneornil(L, 2) ? 0 : brio_lua_number(L, 2, 1e-6, 1e6, "radius");
  brio_error err;
  brio_cloud *to = brio_lua_cloud_new(L);
  if (!brio_cloud_resize(to, cloud->width, cloud->height, 0, &err)) return brio_lua_failed(L, &err);
  if (!brio_cloud_normals(to->points, cloud, radius, &err)) return brio_lua_failed(L, &err);
  to->time = cloud->time;
  memcpy(to->frame, cloud->frame, sizeof to->frame);
  brio_cloud_judge(to);
  return 1;
}

/* ------------------------------------------------------------------ tables and doors */

/* cloud:table_edge([how]) -> table | nil, sentence, code
** The edge of the table in front of the robot at the pose `from` (on the ground, x forward, z up;
** the cloud's own frame): {pose (on the ground below the middle of the edge, x into the table at right
** angles to it, z up), left, right (its ends), normal (of the top), height, length, error, share, points,
** swept = {left =, right =} (m forward, nil: never), swept_points = {left =, right =}, open, hidden,
** unseen (shares of the sensor's rays in front of the edge)}. Two upright capsules of `radius` (0.05) from
** `low` (0.5) to `high` (1.1) over the ground and `side` (0.3) to the left and right are swept from
** `start` (0.05) by `step` (0.01) to `far` (3) until `least` points are in them (300, or one in 1000).
** The edge is that of the level plane (within `tilt`, 0.2 rad) that begins nearest, followed to `reach`
** (0.7) on either side. Codes: unreachable (the sentence names what is missing), limit, no_memory. */
static int cloud_table_edge(lua_State *L) {
  static const char *const keys[] = {"from", "radius", "low",   "high", "side",  "start",
                                     "step", "far",    "reach", "tilt", "least", NULL};
  const brio_cloud *cloud = brio_lua_cloud_check(L, 1);
  brio_error err;
  brio_cloud_table table;
  settings(L, keys, "cloud:table_edge");
  brio_cloud_table_how how = {.from = pose_of(L, 2, "from", BRIO_POSE_IDENTITY),
                              .radius = length(L, "radius")};
  how.low = length(L, "low"), how.high = length(L, "high"), how.side = length(L, "side"),
  how.start = length(L, "start");
  how.step = length(L, "step"), how.far = length(L, "far"), how.reach = length(L, "reach");
  how.tilt = brio_lua_field_number(L, 2, "tilt", 0, 1, 0), how.least = number(L, "least");
  if (!brio_cloud_table_find(&table, cloud, &how, &err)) return brio_lua_failed(L, &err);
  lua_createtable(L, 0, 14);
  set_pose(L, "pose", table.pose);
  brio_lua_set_vec3(L, "left", table.left);
  brio_lua_set_vec3(L, "right", table.right);
  brio_lua_set_vec3(L, "normal", table.normal);
  /* All numbers by their names, in the same order. */
  const double numbers[] = {table.height,      table.length,        table.error,        table.share,
                            table.beyond.open, table.beyond.hidden, table.beyond.unseen};
  static const char *const names[] = {"height", "length", "error", "share", "open", "hidden", "unseen"};
  for (int i = 0; i < 7; i++) brio_lua_set_number(L, names[i], numbers[i]);
  brio_lua_set_integer(L, "points", table.points);
  /* How far each capsule was swept until it had enough points; absent if it never had. */
  lua_createtable(L, 0, 2);
  if (isfinite(table.swept[0])) brio_lua_set_number(L, "left", table.swept[0]);
  if (isfinite(table.swept[1])) brio_lua_set_number(L, "right", table.swept[1]);
  lua_setfield(L, -2, "swept");
  lua_createtable(L, 0, 2);
  brio_lua_set_integer(L, "left", table.swept_points[0]);
  brio_lua_set_integer(L, "right", table.swept_points[1]);
  lua_setfield(L, -2, "swept_points");
  return 1;
}

/* Push a door's panel: see cloud:door_panel. Unknown measures are absent. */
static void push_door(lua_State *L, const brio_cloud_door *door) {
  lua_createtable(L, 0, 11);
  set_pose(L, "pose", door->pose);
  brio_lua_set_vec3(L, "normal", door->normal);
  brio_lua_set_vec3(L, "left", door->left);
  brio_lua_set_vec3(L, "right", door->right);
  if (isfinite(door->width)) brio_lua_set_number(L, "width", door->width);
  if (isfinite(door->height)) brio_lua_set_number(L, "height", door->height);
  brio_lua_set_number(L, "error", door->error);
  brio_lua_set_number(L, "score", door->score);
  brio_lua_set_integer(L, "points", door->points);
  if (door->hinge != 0) brio_lua_set_text(L, "hinge", door->hinge < 0 ? "left" : "right");
  brio_lua_set_text(L, "told_by", brio_cloud_hinge_name(door->told));
}

/* Read a range {low, high} of the settings, if it is there. */
static void range(lua_State *L, const char *key, double out[2]) {
  if (lua_getfield(L, 2, key) != LUA_TNIL) brio_lua_numbers(L, -1, 2, out, key);
  lua_pop(L, 1);
}

/* cloud:door_panel([how]) -> door, list | nil, sentence, code
** The panel of a door: {pose (z up, x level along it: towards the hinge if that is known, else to the
** right as seen from the sensor; its origin is the handle's foot, or the middle), normal (level, towards
** the sensor), left, right (middles of its upright edges), width, height (nil: the plane continues, a wall
** in line with it), error, points, score, hinge ("left", "right" or nil), told_by (handle, ajar, knob,
** unknown)}. With `near`, the detected position of its handle, the panel there, whose middle is within
** `within` (2 m); else all upright planes that may be doors, likeliest first, in the second result.
** `width` ({0.55, 1.4}) and `height` ({1.3, 2.7}) are the ranges for doors, `lean` (0.15 rad) is the
** largest angle to `up`. Codes: unreachable (the sentence names what is missing), limit, no_memory. */
static int cloud_door_panel(lua_State *L) {
  static const char *const keys[] = {"near", "within", "width", "height", "lean", "up", NULL};
  const brio_cloud *cloud = brio_lua_cloud_check(L, 1);
  brio_error err;
  brio_cloud_door doors[BRIO_CLOUD_DOORS];
  int count;
  settings(L, keys, "cloud:door_panel");
  brio_cloud_door_how how = {.within = length(L, "within"), .up = direction(L, "up")};
  how.lean = brio_lua_field_number(L, 2, "lean", 0, 1.4, 0);
  range(L, "width", how.width);
  range(L, "height", how.height);
  /* Only panels near this point count. */
  if (lua_getfield(L, 2, "near") != LUA_TNIL) how.near = brio_lua_vec3(L, -1, "near"), how.has_near = true;
  if (!brio_cloud_door_panels(doors, &count, cloud, &how, &err)) return brio_lua_failed(L, &err);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    push_door(L, &doors[i]);
    lua_rawseti(L, -2, i + 1);
  }
  /* The likeliest panel is the first result, before the list. */
  lua_rawgeti(L, -1, 1);
  lua_insert(L, -2);
  return 2;
}

/* cloud:door_frame(how) -> frame | nil, sentence, code
** The posts of the frame that a panel of `width` hangs in: {hinge, latch (poses of their middles, x from
** hinge to latch, z up), angle (how far the panel is open about z, 0: shut), points (in the latch's
** capsule), counts (in each capsule of the fan)}. `panel` is the pose of its latch edge or handle, x
** level to the hinge, z up. The hinge's post is `post` (0.04 m) beyond the panel; the latch's is where,
** `span` (width + 2 post) from it, a fan of upright capsules of `radius` (0.07), `widest` (pi/2) to
** either side in steps of pi/36, from `low` (-0.7) to `high` (0.7), has the most points that are not the
** panel's, and at least `least` (1000, or one in 300). Codes: unreachable (the sentence has their number),
** no_memory. */
static int cloud_door_frame(lua_State *L) {
  static const char *const keys[] = {"panel", "width",  "post", "span",  "radius", "low",
                                     "high",  "widest", "step", "least", NULL};
  const brio_cloud *cloud = brio_lua_cloud_check(L, 1);
  brio_error err;
  brio_cloud_door_frame frame;
  settings(L, keys, "cloud:door_frame");
  brio_cloud_frame_how how = {.panel = pose_of(L, 2, "panel", BRIO_POSE_IDENTITY),
                              .width = length(L, "width")};
  how.post = length(L, "post"), how.span = length(L, "span"), how.radius = length(L, "radius");
  how.low = brio_lua_field_number(L, 2, "low", -100, 100, 0),
  how.high = brio_lua_field_number(L, 2, "high", -100, 100, 0);
  how.widest = length(L, "widest"), how.step = length(L, "step"), how.least = number(L, "least");
  if (!brio_cloud_door_frame_find(&frame, cloud, &how, &err)) return brio_lua_failed(L, &err);
  /* The posts, the angle between them and the panel, and the counts of the fan. */
  lua_createtable(L, 0, 5);
  set_pose(L, "hinge", frame.hinge);
  set_pose(L, "latch", frame.latch);
  brio_lua_set_number(L, "angle", frame.angle);
  brio_lua_set_integer(L, "points", frame.points);
  lua_createtable(L, frame.fan, 0);
  for (int i = 0; i < frame.fan; i++) {
    lua_pushinteger(L, frame.counts[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "counts");
  return 1;
}

const luaL_Reg brio_lua_cloud_find_methods[] = {
    {"planes", cloud_planes},         {"edges", cloud_edges},
    {"clusters", cloud_clusters},     {"normals", cloud_normals},
    {"table_edge", cloud_table_edge}, {"door_panel", cloud_door_panel},
    {"door_frame", cloud_door_frame}, {NULL, NULL}};
