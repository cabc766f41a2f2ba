/* How deep two convex cores overlap: a polytope inside C = a - b that holds the origin grows at its
** face nearest to the origin until that face lies on C. The face's plane is then the nearest way
** out. Everything lives on the stack in fixed arrays. When they are full (round cores almost in
** line need many faces), the best direction seen is refined: with b moved just out along it, the
** walk of the distance shows where it should point. The depth along any direction is an upper
** bound: moving by it separates.
** Source of the idea: van den Bergen, "Proximity queries and penetration depth computation on 3D game
** objects", 2001. */
#include "geometry/distance_internal.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

static const double CLOSE = 5e-10;/* of the size of C: a face this near to C lies on it */
static const double THIN = 1e-9;   /* of the size of C: less than this is no extent */
enum { REFINEMENTS = 24 };
/* A closed surface of n corners has 2 n - 4 faces.  Indices are bytes, of which NONE is none. */
enum { CORNERS = 96, FACES = 2 * CORNERS, NONE = 255 };

typedef struct face {
  brio_vec3 normal; /* unit, outward */
  double offset;    /* of its plane along the normal, m */
  double rank;      /* the offset; infinite for a sliver, whose plane is its neighbor's */
  uint8_t corner[3];   /* counterclockwise from outside */
  uint8_t neighbor[3]; /* across the edge from corner i to corner i + 1 */
  uint8_t used, seen;  /* seen: from the point that is being added */
} face;

/* The polytope: a closed surface of triangles that know their neighbors. */
typedef struct polytope {
  brio_difference_point corner[CORNERS];
  face face[FACES];
  int ncorner, nface; /* nface: slots ever used */
  double size;        /* of C, m */
} polytope;

/* An edge between a face that is seen and one that is not, in the order of the former. */
typedef struct rim {
  uint8_t from, to, outside;
} rim;

/* Make the face of three corners. A sliver takes the plane of `beside`, as its own normal is rounding. */
static void make_face(polytope *p, int slot, const uint8_t corner[3], const face *beside) {
  assert(slot >= 0 && slot < FACES);
  face *f = &p->face[slot];
  brio_vec3 a = p->corner[corner[0]].w, ab = brio_vec3_sub(p->corner[corner[1]].w, a);
  brio_vec3 ac = brio_vec3_sub(p->corner[corner[2]].w, a), up = brio_vec3_cross(ab, ac);
  double area = brio_vec3_norm(up), widest = fmax(brio_vec3_dot(ab, ab), brio_vec3_dot(ac, ac));
  *f = (face){.used = 1, .neighbor = {NONE, NONE, NONE}};
  for (int i = 0; i < 3; i++) f->corner[i] = corner[i];
  if (!(area > THIN * p->size * sqrt(widest)) && beside) {
    f->normal = beside->normal;
    f->offset = beside->offset;
    f->rank = INFINITY;
    return;
  }
  f->normal = brio_vec3_unit(up, (brio_vec3){1, 0, 0});
  f->offset = f->rank = brio_vec3_dot(f->normal, a);
}

/* Add to a simplex the point of C that widens it most, searching both ways along each of `naxis`
** unit axes. Return the extent gained, m. */
static double widen(const brio_cores *cores, brio_simplex *s, const brio_vec3 *axis, int naxis) {
  assert(s->count >= 1 && s->count < 4);
  int count = s->count;
  double best = 0;
  for (int i = 0; i < 2 * naxis; i++) {
    brio_vec3 along = brio_vec3_scale(i % 2 ? -1 : 1, axis[i / 2]);
    brio_difference_point p = brio_cores_support(cores, along);
    double extent = fabs(brio_vec3_dot(along, brio_vec3_sub(p.w, s->point[0].w)));
    if (!(extent > best)) continue;
    best = extent;
    s->point[count] = p;
    s->count = count + 1;
  }
  return best;
}

/* Grow a simplex to a tetrahedron: a point to an edge, to a triangle, to a solid. Return false when
** C is flat, with a direction in `thin` in which it has no extent. */
static bool grow_tetrahedron(const brio_cores *cores, brio_simplex *s, double size, brio_vec3 *thin) {
  static const brio_vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  *thin = unit[0];
  if (s->count == 1 && !(widen(cores, s, unit, 3) > THIN * size)) return false;
  brio_vec3 u = brio_vec3_unit(brio_vec3_sub(s->point[1].w, s->point[0].w), unit[0]);
  brio_vec3 across[2] = {brio_vec3_across(u)};
  across[1] = brio_vec3_cross(u, across[0]);
  *thin = across[0];
  if (s->count == 2 && !(widen(cores, s, across, 2) > THIN * size)) return false;
  brio_vec3 v = brio_vec3_sub(s->point[2].w, s->point[0].w);
  *thin = brio_vec3_unit(brio_vec3_cross(u, v), across[0]);
  return s->count == 4 || widen(cores, s, thin, 1) > THIN * size;
}

/* The first four faces, from the corners of a tetrahedron; neighbors are by edge. */
static void start_polytope(polytope *p, const brio_simplex *s, double size) {
  static const uint8_t corners[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
  static const uint8_t neighbors[4][3] = {{1, 3, 2}, {2, 3, 0}, {0, 3, 1}, {1, 2, 0}};
  brio_vec3 a = s->point[0].w, ab = brio_vec3_sub(s->point[1].w, a), ac = brio_vec3_sub(s->point[2].w, a);
  double volume = brio_vec3_dot(brio_vec3_cross(ab, ac), brio_vec3_sub(s->point[3].w, a));
  for (int i = 0; i < 4; i++) p->corner[i] = s->point[i];
  if (volume > 0) p->corner[1] = s->point[2], p->corner[2] = s->point[1]; /* faces turn outward */
  p->ncorner = p->nface = 4;
  p->size = size;
  for (int f = 0; f < 4; f++) {
    make_face(p, f, corners[f], NULL);
    for (int i = 0; i < 3; i++) p->face[f].neighbor[i] = neighbors[f][i];
  }
}

/* The used face nearest to the origin. Linear: less than 200 faces. */
static int nearest_face(const polytope *p) {
  int best = NONE;
  for (int f = 0; f < p->nface; f++)
    if (p->face[f].used && (best == NONE || p->face[f].rank < p->face[best].rank)) best = f;
  return best;
}

/* Mark the faces that `w` sees, by flooding from face `first`, and list their rim. Return how many edges it
** has.
** The faces seen are connected, so that s of them have at most s + 2 edges to others. */
static int find_rim(polytope *p, int first, brio_vec3 w, rim edges[FACES]) {
  uint8_t stack[FACES];
  int top = 0, nrim = 0;
  double least = 1e-14 * p->size;
  for (int f = 0; f < p->nface; f++) p->face[f].seen = 0;
  p->face[first].seen = 1;
  /* Flood over the edges of faces seen. */
  stack[top++] = (uint8_t)first;
  while (top > 0) {
    const face *f = &p->face[stack[--top]];
    for (int i = 0; i < 3; i++) {
      face *g = &p->face[f->neighbor[i]];
      if (g->seen) continue;
      if (brio_vec3_dot(g->normal, w) - g->offset > least) {
        g->seen = 1;
        stack[top++] = f->neighbor[i];
      }
    }
  }
  /* An edge whose other face is not seen belongs to the rim. */
  for (int f = 0; f < p->nface; f++)
    for (int i = 0; p->face[f].seen && i < 3; i++) {
      const face *seen = &p->face[f];
      if (!p->face[seen->neighbor[i]].seen)
        edges[nrim++] = (rim){seen->corner[i], seen->corner[(i + 1) % 3], seen->neighbor[i]};
    }
  return nrim;
}

/* Whether the rim is one closed loop, as rounding may break it;
** starts[c] is the edge that starts at corner c. */
static bool rim_closes(const rim *edges, int nrim, uint8_t starts[CORNERS]) {
  for (int i = 0; i < CORNERS; i++) starts[i] = NONE;
  for (int i = 0; i < nrim; i++) {
    if (starts[edges[i].from] != NONE) return false;
    starts[edges[i].from] = (uint8_t)i;
  }
  /* Walk around it once, from edge 0. */
  int at = 0, length = 0;
  do {
    at = starts[edges[at].to];
    length++;
  } while (at != NONE && at != 0 && length <= nrim);
  return at == 0 && length == nrim;
}

/* Take a slot for a new face: one given up, or the next unused; NONE when all are used. */
static int take_slot(polytope *p) {
  for (int f = 0; f < p->nface; f++)
    if (!p->face[f].used) return p->face[f].used = 1, f;
  return p->nface < FACES - 1 ? p->nface++ : NONE;
}

/* Replace the faces that the point sees by a fan from their rim to it. Return false when that is
** not possible: the polytope is then unchanged, or not to be used again. */
static bool add_corner(polytope *p, int first, brio_difference_point point) {
  rim edges[FACES];
  uint8_t starts[CORNERS], slot[FACES];
  /* No change so far: corners are full, or the rim is no loop. */
  if (p->ncorner == CORNERS) return false;
  int nrim = find_rim(p, first, point.w, edges);
  if (nrim < 3 || !rim_closes(edges, nrim, starts)) return false;
  uint8_t corner = (uint8_t)p->ncorner++;
  p->corner[corner] = point;
  /* Give up what is seen, and make one face for each edge of the rim. */
  for (int f = 0; f < p->nface; f++)
    if (p->face[f].seen) p->face[f].used = p->face[f].seen = 0;
  for (int i = 0; i < nrim; i++) {
    int taken = take_slot(p);
    if (taken == NONE) return false;
    slot[i] = (uint8_t)taken;
    make_face(p, taken, (uint8_t[3]){edges[i].from, edges[i].to, corner}, &p->face[edges[i].outside]);
  }
  /* Connect each new face with the one outside, and with the next and the last of the fan. */
  for (int i = 0; i < nrim; i++) {
    int next = starts[edges[i].to];
    face *outside = &p->face[edges[i].outside];
    p->face[slot[i]].neighbor[0] = edges[i].outside;
    p->face[slot[i]].neighbor[1] = slot[next];
    p->face[slot[next]].neighbor[2] = slot[i];
    /* Find the edge of the face outside that runs the other way. */
    for (int k = 0; k < 3; k++)
      if (outside->corner[k] == edges[i].to) outside->neighbor[k] = slot[i];
  }
  return true;
}

/* Fill the points of an overlap that ends at a face which lies on C. Return false when the way out
** does not pass through that very face but through one in the same plane. */
static bool witness_on_face(const polytope *p, const face *f, brio_overlap *overlap) {
  brio_simplex s = {.count = 3};
  brio_vec3 foot;
  for (int i = 0; i < 3; i++) s.point[i] = p->corner[f->corner[i]];
  brio_simplex_nearest(&s, INFINITY, &foot);
  brio_vec3 beside = brio_vec3_add_scaled(foot, -overlap->depth, overlap->normal);
  overlap->point_a = brio_simplex_point_a(&s);
  overlap->point_b = brio_vec3_add_scaled(overlap->point_a, -overlap->depth, overlap->normal);
  return brio_vec3_norm(beside) <= 10 * CLOSE * p->size;
}

/* Return how far b must move along the unit vector `n` to be free, m: an upper bound of the depth. */
static double depth_along(const brio_cores *cores, brio_vec3 n) {
  return brio_vec3_dot(n, brio_cores_support(cores, n).w);
}

/* Take `n` if it separates sooner than the best direction so far. */
static bool try_normal(const brio_cores *cores, brio_vec3 n, brio_overlap *overlap) {
  double depth = depth_along(cores, n);
  if (!(depth < overlap->depth)) return false;
  overlap->depth = depth;
  overlap->normal = n;
  return true;
}

/* Improve a direction that is near the best: turn it to where the distance points with b moved out,
** and further the same way, doubling the turn, as long as that helps. */
static void refine_from(const brio_cores *cores, double size, brio_overlap *overlap) {
  for (int i = 0; i < REFINEMENTS; i++) {
    brio_overlap before = *overlap;
    brio_vec3 n = before.normal, nearest;
    brio_simplex simplex;
    brio_cores moved = *cores;
    moved.b_in_a.p = brio_vec3_add_scaled(cores->b_in_a.p, before.depth + 0.01 * size, n);
    if (!brio_cores_apart(&moved, n, &simplex, &nearest)) return;
    brio_vec3 turn = brio_vec3_sub(brio_vec3_scale(-1 / brio_vec3_norm(nearest), nearest), n);
    double far = 1;
    while (far < 1e6 && try_normal(cores, brio_vec3_unit(brio_vec3_add_scaled(n, far, turn), n), overlap))
      far *= 2;
    if (!(before.depth - overlap->depth > 1e-3 * CLOSE * size)) return;
  }
}

/* Improve the best direction seen, and those a quarter turn on: round solids almost in line have a
** best way out on either side, and hardly a worse one between. The way out through a cap, which a
** polytope busy with the round side may miss, is tried by itself. */
static brio_overlap refined(const brio_cores *cores, double size, brio_overlap best) {
  brio_vec3 n = best.normal;
  for (int i = 0; i < 12; i++) {
    brio_vec3 axis = brio_transform_axis(i < 6 ? &BRIO_TRANSFORM_IDENTITY : &cores->b_in_a, i / 2 % 3);
    try_normal(cores, brio_vec3_scale(i % 2 ? -1 : 1, axis), &best);
  }
  for (int quarter = 0; quarter < 4; quarter++) {
    brio_overlap other = {.normal = n, .depth = depth_along(cores, n)};
    refine_from(cores, size, &other);
    if (other.depth < best.depth) best = other;
    n = (brio_vec3){-n.y, n.x, n.z}; /* about a's axis */
  }
  return best;
}

/* The sum of C's extents along three axes, m. */
static double size_of(const brio_cores *cores) {
  double size = 0;
  for (int axis = 0; axis < 3; axis++) {
    brio_vec3 d = {axis == 0, axis == 1, axis == 2};
    size += depth_along(cores, d) + depth_along(cores, brio_vec3_scale(-1, d));
  }
  return size;
}

/* Grow the polytope until its nearest face lies on C. Return false when it is full. Each step is
** O(faces). */
static bool expand(const brio_cores *cores, polytope *p, brio_overlap *best, int *last) {
  for (;;) {
    *last = nearest_face(p);
    assert(*last != NONE);
    const face *f = &p->face[*last];
    brio_difference_point next = brio_cores_support(cores, f->normal);
    double depth = brio_vec3_dot(f->normal, next.w);
    /* The support beyond the face bounds the depth from above, the face itself from below. */
    bool reached = !(depth - f->offset > CLOSE * p->size);
    if (reached || depth < best->depth) *best = (brio_overlap){.depth = depth, .normal = f->normal};
    if (reached) return true;
    if (!add_corner(p, *last, next)) return false;
  }
}

/* The overlap of cores whose difference is flat, with no extent along `thin`: half way out to each side. */
static brio_overlap thin_overlap(const brio_cores *cores, const brio_simplex *simplex, brio_vec3 thin) {
  brio_vec3 touch = brio_simplex_point_a(simplex);
  brio_overlap overlap = {.depth = depth_along(cores, thin), .normal = thin};
  try_normal(cores, brio_vec3_scale(-1, thin), &overlap);
  overlap.point_a = brio_vec3_add_scaled(touch, overlap.depth / 2, overlap.normal);
  overlap.point_b = brio_vec3_add_scaled(touch, -overlap.depth / 2, overlap.normal);
  return overlap;
}

brio_overlap brio_cores_overlap(const brio_cores *cores, const brio_simplex *simplex) {
  polytope p;
  brio_simplex grown = *simplex;
  brio_overlap best = {.depth = INFINITY, .normal = {1, 0, 0}};
  brio_vec3 thin;
  int last;
  double size = size_of(cores);
  /* Flat cores have no polytope. */
  if (!grow_tetrahedron(cores, &grown, size, &thin)) return thin_overlap(cores, simplex, thin);
  start_polytope(&p, &grown, size);
  /* The face determines both points, unless the polytope was full or the foot lies on another face. */
  if (!expand(cores, &p, &best, &last)) best = refined(cores, size, best);
  else if (witness_on_face(&p, &p.face[last], &best)) return best;
  brio_cores_witness(cores, &best);
  return best;
}

brio_distance brio_distance_convex(const brio_shape *a, const brio_transform *pose_a,
                                   const brio_shape *b, const brio_transform *pose_b, brio_vec3 hint) {
  return brio_distance_of_cores(a, pose_a, b, pose_b, hint, brio_cores_overlap);
}
