/* The point of a simplex (point, segment, triangle, tetrahedron) nearest to the origin. The signs
** of sub-volumes say which corners carry it. A face or edge is tried only when the origin lies on
** its side, and all of them when the simplex is too flat for signs.
** Source of the idea: Montanari, Petrinic and Barbieri, "Improving the GJK algorithm for faster and
** more reliable distance queries between convex objects", 2017. */
#include <assert.h>
#include <math.h>

#include "geometry/distance_internal.h"

static const double FLAT = 1e-10; /* height over width below which a simplex has no inside */

/* A candidate: the nearest point of one feature (corner,
** edge, face), its carriers and their weights. */
typedef struct nearest {
  brio_vec3 at;
  double norm2;
  int count, corner[3];
  double weight[3];
} nearest;

/* The nearest point of edge i-j, which may be one of its ends; i == j is a point. */
static nearest of_edge(const brio_simplex *s, int i, int j) {
  brio_vec3 a = s->point[i].w, b = s->point[j].w, edge = brio_vec3_sub(b, a);
  /* t / span is the foot of the origin along the edge, from 0 at i to 1 at j. */
  double span = brio_vec3_dot(edge, edge), t = -brio_vec3_dot(a, edge);
  nearest n = {.at = a, .count = 1, .corner = {i}, .weight = {1}};
  if (t >= span && t > 0) {
    n.at = b;
    n.corner[0] = j;
  } else if (t > 0) {
    t /= span;
    n = (nearest){.at = brio_vec3_add_scaled(a, t, edge), .count = 2, .corner = {i, j}, .weight = {1 - t, t}};
  }
  n.norm2 = brio_vec3_dot(n.at, n.at);
  return n;
}

/* The nearest point of triangle i-j-k: inside, or on one of its edges. */
static nearest of_triangle(const brio_simplex *s, int i, int j, int k) {
  const int corner[3] = {i, j, k};
  brio_vec3 a = s->point[i].w, b = s->point[j].w, c = s->point[k].w;
  brio_vec3 ab = brio_vec3_sub(b, a), ac = brio_vec3_sub(c, a), up = brio_vec3_cross(ab, ac);
  /* A triangle whose height is rounding has no normal, and is seen as its edges. */
  double area2 = brio_vec3_dot(up, up);
  bool flat = !(area2 > FLAT * FLAT * brio_vec3_dot(ab, ab) * brio_vec3_dot(ac, ac));
  double part[3] = {-1, -1, -1};
  /* Signed areas of the three triangles with the foot of the origin: its barycentric coordinates. */
  if (!flat) {
    brio_vec3 foot = brio_vec3_scale(brio_vec3_dot(up, a) / area2, up);
    brio_vec3 to[3] = {brio_vec3_sub(a, foot), brio_vec3_sub(b, foot), brio_vec3_sub(c, foot)};
    for (int n = 0; n < 3; n++)
      part[n] = brio_vec3_dot(up, brio_vec3_cross(to[(n + 1) % 3], to[(n + 2) % 3]));
  }
  /* All positive: the foot is inside. */
  if (part[0] > 0 && part[1] > 0 && part[2] > 0) {
    double share = 1 / (part[0] + part[1] + part[2]);
    nearest n = {.count = 3, .corner = {i, j, k}};
    for (int m = 0; m < 3; m++) n.weight[m] = share * part[m];
    n.at = brio_vec3_add_scaled(brio_vec3_add_scaled(a, n.weight[1], ab), n.weight[2], ac);
    n.norm2 = brio_vec3_dot(n.at, n.at);
    return n;
  }
  /* Else the nearest point is on an edge that the foot lies beyond. */
  nearest best = {.norm2 = INFINITY, .count = 1, .corner = {i}, .weight = {1}, .at = a};
  for (int n = 0; n < 3; n++) {
    if (part[n] > 0) continue; /* the origin is not beyond the edge across from corner n */
    nearest edge = of_edge(s, corner[(n + 1) % 3], corner[(n + 2) % 3]);
    if (edge.norm2 < best.norm2) best = edge;
  }
  return best;
}

/* The nearest point of the tetrahedron: of a face that the origin lies beyond; count 4: it is inside. */
static nearest of_tetrahedron(const brio_simplex *s) {
  static const int face[4][4] = {{1, 3, 2, 0}, {0, 2, 3, 1}, {0, 3, 1, 2}, {0, 1, 2, 3}}; /* last: apex */
  nearest best = {.norm2 = INFINITY, .count = 4, .at = {0, 0, 0}};
  for (int f = 0; f < 4; f++) {
    const int *c = face[f];
    /* Signed volumes of the face with the apex and with the origin: of one sign, they are on the same
    ** side. */
    brio_vec3 a = s->point[c[0]].w, ab = brio_vec3_sub(s->point[c[1]].w, a);
    brio_vec3 ac = brio_vec3_sub(s->point[c[2]].w, a), ad = brio_vec3_sub(s->point[c[3]].w, a);
    brio_vec3 up = brio_vec3_cross(ab, ac);
    double apex = brio_vec3_dot(up, ad), origin = -brio_vec3_dot(up, a);
    double size2 = brio_vec3_dot(up, up) * brio_vec3_dot(ad, ad);
    bool solid = apex * apex > FLAT * FLAT * size2;
    if (solid && apex * origin > 0) continue; /* on the apex' side */
    nearest n = of_triangle(s, c[0], c[1], c[2]);
    if (solid && n.count == 3) return n; /* straight below a face: no other is nearer */
    if (n.norm2 < best.norm2) best = n;
  }
  return best;
}

/* The weights by which the corners of a tetrahedron make the origin, which is inside it: the shares of its
** volume across from them. Where the numbers give none, all corners count alike. */
static void weigh_inside(brio_simplex *s) {
  static const int face[4][3] = {{1, 3, 2}, {0, 2, 3}, {0, 3, 1}, {0, 1, 2}};
  double sum = 0;
  for (int i = 0; i < 4; i++) {
    brio_vec3 a = s->point[face[i][0]].w, b = s->point[face[i][1]].w, c = s->point[face[i][2]].w;
    s->weight[i] = fabs(brio_vec3_dot(a, brio_vec3_cross(b, c)));
    sum += s->weight[i];
  }
  bool known = sum > 0 && sum < INFINITY;
  for (int i = 0; i < 4; i++) s->weight[i] = known ? s->weight[i] / sum : 0.25;
}

/* Keep the carriers in front: corners that do not carry the nearest point are swapped behind. */
bool brio_simplex_nearest(brio_simplex *simplex, double limit2, brio_vec3 *at) {
  assert(simplex->count >= 1 && simplex->count <= 4);
  nearest n;
  if (simplex->count == 4) n = of_tetrahedron(simplex);
  else if (simplex->count == 3) n = of_triangle(simplex, 0, 1, 2);
  else n = of_edge(simplex, 0, simplex->count - 1);
  /* A walk that comes no nearer has only rounding left. */
  if (n.count < 4 && !(n.norm2 < limit2)) return false;
  *at = n.at;
  /* A swap may move a corner that is still to be placed: follow it. */
  for (int i = 0; n.count < 4 && i < n.count; i++) {
    int from = n.corner[i];
    if (from == i) continue;
    brio_difference_point point = simplex->point[i];
    simplex->point[i] = simplex->point[from];
    simplex->point[from] = point;
    for (int k = i + 1; k < n.count; k++)
      if (n.corner[k] == i) n.corner[k] = from;
  }
  assert(n.count >= 1 && n.count <= 4);
  simplex->count = n.count;
  if (n.count == 4) weigh_inside(simplex);
  for (int i = 0; n.count < 4 && i < 3; i++) simplex->weight[i] = n.weight[i];
  return true;
}

brio_vec3 brio_simplex_point_a(const brio_simplex *simplex) {
  assert(simplex->count >= 1 && simplex->count <= 4);
  brio_vec3 sum = {0, 0, 0};
  for (int i = 0; i < simplex->count; i++)
    sum = brio_vec3_add_scaled(sum, simplex->weight[i], simplex->point[i].a);
  return sum;
}
