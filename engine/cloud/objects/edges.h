/* The straight edges of planes in a cloud, and what each is: where a surface ends, where it meets
** another, or where the sensor's view of it ends. */
#ifndef BRIO_GEOMETRY_CLOUD_EDGES_H
#define BRIO_GEOMETRY_CLOUD_EDGES_H

#include "cloud/surfaces/planes.h"
#include "cloud/surfaces/rim.h"

enum { BRIO_CLOUD_EDGES = 512 };

typedef enum brio_cloud_edge_kind {
  BRIO_EDGE_RIM,    /* the sensor sees farther beyond it: the surface ends */
  BRIO_EDGE_CREASE, /* another plane goes on from it */
  BRIO_EDGE_HIDDEN, /* something stands before it: the surface may go on */
  BRIO_EDGE_UNSEEN, /* nothing is seen beyond: it may be the edge of the view */
  BRIO_EDGE_NKIND
} brio_cloud_edge_kind;

typedef struct brio_cloud_edge {
  brio_vec3 from, to; /* its ends, counter-clockwise around the plane's normal */
  int plane, other;   /* of which planes; other -1: no crease */
  brio_cloud_edge_kind kind;
  double error; /* m: root of the mean squared distance of its points */
  double share; /* of its length that follows the line */
  brio_cloud_beyond beyond;
} brio_cloud_edge;

/* Write the edges of at least `least` m (0: 0.15) into `edges` (room for BRIO_CLOUD_EDGES), by plane;
** return how many, -1: no memory.  Outer edges are found, along the sides of each plane's hull; notches
** are not.  Some ms for each. */
int brio_cloud_edges_find(brio_cloud_edge *edges, const brio_cloud *cloud, const brio_cloud_planes *found,
                          double least, brio_error *err);

/* Return the word for a kind: "rim", "crease", "hidden", "unseen". */
const char *brio_cloud_edge_name(brio_cloud_edge_kind kind);

#endif
