/* The straight edges of planes in a cloud, and their kinds: the end of a surface, the edge with another one,
** or the end of the sensor's view. */
#ifndef BRIO_GEOMETRY_CLOUD_EDGES_H
#define BRIO_GEOMETRY_CLOUD_EDGES_H

#include "cloud/surfaces/planes.h"
#include "cloud/surfaces/rim.h"

enum { BRIO_CLOUD_EDGES = 512 };

typedef enum brio_cloud_edge_kind {
  BRIO_EDGE_RIM,    /* the sensor sees points farther away beyond it: the surface ends */
  BRIO_EDGE_CREASE, /* another plane continues from it */
  BRIO_EDGE_HIDDEN, /* an object in front of it: the surface may continue */
  BRIO_EDGE_UNSEEN, /* no points beyond: it may be the edge of the view */
  BRIO_EDGE_NKIND
} brio_cloud_edge_kind;

typedef struct brio_cloud_edge {
  brio_vec3 from, to; /* its ends, counter-clockwise around the plane's normal */
  int plane, other;   /* index of its plane, and of the other; other -1: no crease */
  brio_cloud_edge_kind kind;
  double error; /* m: root of the mean squared distance of its points */
  double share; /* of its length that follows the line */
  brio_cloud_beyond beyond;
} brio_cloud_edge;

/* Write the edges of at least `least` m (0: 0.15) into `edges` (room for BRIO_CLOUD_EDGES), by plane; return
** how many, -1: no memory.  Only outer edges are found, along the sides of each plane's hull; no notches.
** Some ms for each. */
int brio_cloud_edges_find(brio_cloud_edge *edges, const brio_cloud *cloud, const brio_cloud_planes *found,
                          double least, brio_error *err);

/* Return the word for a kind: "rim", "crease", "hidden", "unseen". */
const char *brio_cloud_edge_name(brio_cloud_edge_kind kind);

#endif
