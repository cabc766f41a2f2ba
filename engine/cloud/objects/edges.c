/* Edges: each long side of a plane's hull is a first estimate, which is then fitted to the points
** (cloud/surfaces/rim.c). */
#include "cloud/objects/edges.h"

#include <assert.h>
#include <stdlib.h>

static const double MIN_LENGTH = 0.15,
                    SAME_SIDE = 0.3; /* m; rad that sides of the hull may turn and be one */
static const double MIN_SHARE = 0.5;

/* A side of a hull: consecutive sides of almost one direction. */
typedef struct side {
  brio_vec3 from, along; /* m; unit */
  double length;
} side;

/* Write the long sides of a plane's hull; return their number. Sides of almost one direction are merged.
** O(corners) */
static int list_sides(const brio_cloud_plane *plane, double least, side sides[BRIO_CLOUD_HULL]) {
  int count = 0, start = 0, n = plane->corners;
  double longest = 0;
  for (int i = 0; i < n;
       i++) { /* begin behind the longest side, so that no long one is cut at the beginning */
    double length = brio_vec3_norm(brio_vec3_sub(plane->hull[(i + 1) % n], plane->hull[i]));
    if (length > longest) longest = length, start = i;
  }
  /* Each turn merges a run of sides that keep the direction of its first side. */
  for (int k = 0; k < n;) {
    brio_vec3 from = plane->hull[(start + k) % n], to = plane->hull[(start + k + 1) % n];
    brio_vec3 first = brio_vec3_unit(brio_vec3_sub(to, from), (brio_vec3){0, 0, 0});
    int next = k + 1;
    for (; next < n; next++) {
      brio_vec3 step = brio_vec3_sub(plane->hull[(start + next + 1) % n], plane->hull[(start + next) % n]);
      brio_vec3 unit = brio_vec3_unit(step, first);
      /* Compared with the first side of the run, so that a curve does not become one side. */
      if (brio_vec3_dot(unit, first) < cos(SAME_SIDE)) break;
      to = brio_vec3_add(plane->hull[(start + next) % n], step);
    }
    brio_vec3 all = brio_vec3_sub(to, from);
    double length = brio_vec3_norm(all);
    assert(count < BRIO_CLOUD_HULL);
    /* Short sides are dropped: they round off the corners. */
    if (length >= least) sides[count++] = (side){from, brio_vec3_scale(1 / length, all), length};
    k = next;
  }
  return count;
}

/* Fit a side to the points of its plane, `items`. `flat` is scratch. Return false if there is no straight
** edge. */
static bool follow(brio_cloud_edge *edge, const brio_cloud *cloud, const int *items, int count,
                   double (*flat)[2], const brio_cloud_plane *plane, const side *s) {
  /* In a frame with y along the side and x into the plane, the edge is a front towards -x. */
  brio_vec3 in = brio_vec3_cross(plane->normal, s->along);
  for (int i = 0; i < count; i++) {
    /* Coordinates from the beginning of the side. */
    brio_vec3 d = brio_vec3_sub(brio_cloud_point(cloud, items[i]), s->from);
    flat[i][0] = brio_vec3_dot(d, in), flat[i][1] = brio_vec3_dot(d, s->along);
  }
  brio_cloud_rim rim;
  /* Leave out the ends of a side, where the corners begin. */
  double cut = 0.04 * s->length;
  if (!brio_cloud_rim_find(&rim, (const double(*)[2])flat, count, cut, s->length - cut, 0.3 * plane->noise))
    return false;
  /* Too few strips of the side have a front on the line. */
  if (rim.share < MIN_SHARE) return false;
  brio_vec3 ends[2];
  /* Both ends, moved onto the plane along its normal. */
  for (int k = 0; k < 2; k++) {
    double along = k ? rim.high : rim.low, x = rim.middle[0] + along * rim.direction[0];
    double y = rim.middle[1] + along * rim.direction[1];
    ends[k] = brio_vec3_add_scaled(brio_vec3_add_scaled(s->from, x, in), y, s->along);
    double off = brio_vec3_dot(plane->normal, ends[k]) - plane->offset;
    ends[k] = brio_vec3_add_scaled(ends[k], -off, plane->normal);
  }
  edge->from = ends[0], edge->to = ends[1], edge->error = rim.error, edge->share = rim.share;
  /* Search outside of the plane, opposite to `in`. */
  edge->beyond = brio_cloud_rim_beyond(cloud, edge->from, edge->to, brio_vec3_scale(-1, in));
  return true;
}

/* Return a plane that meets an edge at an angle; -1: there is none. O(planes) */
static int meeting(const brio_cloud_planes *found, const brio_cloud_edge *edge) {
  for (int k = 0; k < found->count; k++) {
    const brio_cloud_plane *plane = &found->planes[k];
    bool meets =
        k != edge->plane && fabs(brio_vec3_dot(plane->normal, found->planes[edge->plane].normal)) < 0.9;
    /* It must be there at three places along the edge. */
    for (int i = 1; meets && i < 4; i++) {
      double height;
      brio_vec3 at = brio_vec3_add_scaled(edge->from, i / 4.0, brio_vec3_sub(edge->to, edge->from));
      meets = brio_cloud_plane_beside(plane, at, &height) < 0.06 && fabs(height) < 0.02 + 4 * plane->noise;
    }
    if (meets) return k;
  }
  return -1;
}

/* Append the edges of plane k, whose points are `items`, to `edges`; return the new number of edges. */
static int edges_of(brio_cloud_edge *edges, int count, const brio_cloud *cloud,
                    const brio_cloud_planes *found, int k, const int *items, int points, double (*flat)[2],
                    double least) {
  side sides[BRIO_CLOUD_HULL];
  int n = list_sides(&found->planes[k], least, sides);
  for (int i = 0; i < n && count < BRIO_CLOUD_EDGES; i++) {
    brio_cloud_edge *edge = &edges[count];
    *edge = (brio_cloud_edge){.plane = k};
    if (!follow(edge, cloud, items, points, flat, &found->planes[k], &sides[i])) continue;
    const brio_cloud_beyond *b = &edge->beyond;
    edge->other = meeting(found, edge);
    /* A crease joins two planes; behind a rim nothing is near; otherwise something hides what is behind the
    ** edge, or nothing is seen there. */
    edge->kind = edge->other >= 0  ? BRIO_EDGE_CREASE
                 : b->open > 0.5   ? BRIO_EDGE_RIM
                 : b->hidden > 0.5 ? BRIO_EDGE_HIDDEN
                                   : BRIO_EDGE_UNSEEN;
    count++;
  }
  return count;
}

int brio_cloud_edges_find(brio_cloud_edge *edges, const brio_cloud *cloud, const brio_cloud_planes *found,
                          double least, brio_error *err) {
  int count = 0;
  /* Planes are in descending order of points, so the first one needs the most room. */
  size_t room = (size_t)(found->count > 0 ? found->planes[0].count : 0) + 1;
  int *items = malloc(room * sizeof *items);
  double(*flat)[2] = malloc(room * sizeof *flat);
  for (int k = 0; items && flat && k < found->count; k++) {
    int points = 0;
    /* The points of plane k. */
    for (int i = 0; i < cloud->count; i++)
      if (found->labels[i] == k) items[points++] = i;
    count = edges_of(edges, count, cloud, found, k, items, points, flat, least > 0 ? least : MIN_LENGTH);
  }
  bool fine = items && flat;
  free(items);
  free(flat);
  if (!fine) brio_fail(err, BRIO_NO_MEMORY, "no memory for the edges of planes");
  return fine ? count : -1;
}

const char *brio_cloud_edge_name(brio_cloud_edge_kind kind) {
  static const char *const names[BRIO_EDGE_NKIND] = {"rim", "crease", "hidden", "unseen"};
  return kind < BRIO_EDGE_NKIND ? names[kind] : "unseen";
}
