/* Geoms of MJCF as shapes of links: spheres, capsules, cylinders, boxes, ellipsoids and meshes.  Those that
** can touch something (contype or conaffinity) are for collision, the others for drawing.  An ellipsoid
** becomes the hull of points around it. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "robot/formats/mjcf_internal.h"

enum { ROWS = 6, CORNERS = 4 * ROWS * ROWS + 2 }; /* of an ellipsoid: |i| + |j| + |k| = ROWS */

/* The points of the unit sphere are this far out, so that their hull holds it: 1 / (the least distance of a
** face). */
static const double AROUND = 1.0254;

/* How a geom is read, and its mass properties, by its type.  Sizes are MuJoCo's: radii and half lengths, m.
 */
typedef struct geom_kind {
  const char *name;
  int nsize, nfromto; /* sizes that it needs: by themselves, and with `fromto`; 0: it has no `fromto` */
  brio_shape (*shape)(const double s[3]);
  double (*volume)(const double s[3]);                /* m^3 */
  void (*moments)(const double s[3], double unit[3]); /* about the middle, m^2: of 1 kg */
} geom_kind;

/* Shapes from MuJoCo's sizes: radii stay, half lengths are doubled. */
static brio_shape sphere(const double s[3]) {
  return (brio_shape){.kind = BRIO_SHAPE_SPHERE, .size = {s[0], 0, 0}};
}

static brio_shape capsule(const double s[3]) {
  return (brio_shape){.kind = BRIO_SHAPE_CAPSULE, .size = {s[0], 0, 2 * s[1]}};
}

static brio_shape cylinder(const double s[3]) {
  return (brio_shape){.kind = BRIO_SHAPE_CYLINDER, .size = {s[0], 0, 2 * s[1]}};
}

static brio_shape box(const double s[3]) {
  return (brio_shape){.kind = BRIO_SHAPE_BOX, .size = {2 * s[0], 2 * s[1], 2 * s[2]}};
}

/* Its corners are made with the robot's memory, in make_ellipsoid. */
static brio_shape ellipsoid(const double s[3]) {
  (void)s;
  return (brio_shape){.kind = BRIO_SHAPE_HULL};
}

/* Volumes, m^3: 4/3 pi r^3, 2 pi r^2 h with half the length h, both for a capsule, 8 a b c, 4/3 pi a b c. */
static double sphere_volume(const double s[3]) {
  return 4.0 / 3 * BRIO_PI * s[0] * s[0] * s[0];
}

static double cylinder_volume(const double s[3]) {
  return 2 * BRIO_PI * s[0] * s[0] * s[1];
}

static double capsule_volume(const double s[3]) {
  return sphere_volume(s) + cylinder_volume(s);
}

static double box_volume(const double s[3]) {
  return 8 * s[0] * s[1] * s[2];
}

static double ellipsoid_volume(const double s[3]) {
  return 4.0 / 3 * BRIO_PI * s[0] * s[1] * s[2];
}

/* Principal moments about the middle for 1 kg: 2/5 r^2 of a ball; of a cylinder with half the length h
** (3 r^2 + 4 h^2) / 12 across, r^2 / 2 along. */
static void sphere_moments(const double s[3], double unit[3]) {
  unit[0] = unit[1] = unit[2] = 0.4 * s[0] * s[0];
}

static void cylinder_moments(const double s[3], double unit[3]) {
  unit[0] = unit[1] = (3 * s[0] * s[0] + 4 * s[1] * s[1]) / 12;
  unit[2] = 0.5 * s[0] * s[0];
}

/* The cylinder between, and two half balls whose middles are 3/8 r outside its ends. */
static void capsule_moments(const double s[3], double unit[3]) {
  /* Shares of the mass by volume. */
  double ball = sphere_volume(s) / capsule_volume(s), rod[3];
  cylinder_moments(s, rod);
  double side = 0.4 * s[0] * s[0] + s[1] * s[1] + 0.75 * s[0] * s[1];
  unit[0] = unit[1] = ball * side + (1 - ball) * rod[0];
  unit[2] = ball * 0.4 * s[0] * s[0] + (1 - ball) * rod[2];
}

/* With half lengths: (a^2 + b^2) / 3 about the third axis. */
static void box_moments(const double s[3], double unit[3]) {
  for (int k = 0; k < 3; k++) {
    double a = s[(k + 1) % 3], b = s[(k + 2) % 3];
    unit[k] = (a * a + b * b) / 3;
  }
}

/* With half axes: (a^2 + b^2) / 5 about the third axis. */
static void ellipsoid_moments(const double s[3], double unit[3]) {
  for (int k = 0; k < 3; k++) {
    double a = s[(k + 1) % 3], b = s[(k + 2) % 3];
    unit[k] = (a * a + b * b) / 5;
  }
}

enum { SPHERE = 0, MESH = 5 }; /* rows that the code names */

static const geom_kind kinds[] = {{"sphere", 1, 0, sphere, sphere_volume, sphere_moments},
                                  {"capsule", 2, 1, capsule, capsule_volume, capsule_moments},
                                  {"cylinder", 2, 1, cylinder, cylinder_volume, cylinder_moments},
                                  {"box", 3, 2, box, box_volume, box_moments},
                                  {"ellipsoid", 3, 2, ellipsoid, ellipsoid_volume, ellipsoid_moments},
                                  {"mesh", 0, 0, NULL, NULL, NULL},
                                  {"plane", 0, 0, NULL, NULL, NULL},
                                  {"hfield", 0, 0, NULL, NULL, NULL},
                                  {"sdf", 0, 0, NULL, NULL, NULL}};
/* The names alone, for brio_mjcf_word: in the order of `kinds`, which read_kind asserts. */
static const char *const kind_names[] = {"sphere", "capsule", "cylinder", "box", "ellipsoid",
                                         "mesh",   "plane",   "hfield",   "sdf", NULL};

/* The attributes of a geom besides its shape. */
typedef struct geom {
  const geom_kind *kind;
  double size[3];
  double type, affinity, group;
  double mass, density; /* kg, negative: by density; kg/m^3 */
} geom;

/* Read a number that has to be whole, from 0 on. */
static bool read_count(brio_mjcf *mjcf, const brio_mjcf_item *item, const char *name, double most,
                       double *out) {
  if (!brio_mjcf_number(mjcf, item, name, out)) return false;
  return (*out >= 0 && *out <= most && *out == floor(*out)) ||
         brio_draft_wrong(mjcf->draft, item->element, "%s=%g: expected a whole number from 0 to %g", name,
                          *out, most);
}

/* Read contact bits, group and mass of a geom. */
static bool read_numbers(brio_mjcf *mjcf, const brio_mjcf_item *item, geom *g) {
  /* MuJoCo's defaults: everything touches everything, at the density of water. */
  *g = (geom){.type = 1, .affinity = 1, .mass = -1, .density = 1000};
  if (!read_count(mjcf, item, "contype", 2147483647, &g->type) ||
      !read_count(mjcf, item, "conaffinity", 2147483647, &g->affinity) ||
      !read_count(mjcf, item, "group", 1000, &g->group) || !brio_mjcf_number(mjcf, item, "mass", &g->mass) ||
      !brio_mjcf_number(mjcf, item, "density", &g->density))
    return false;
  /* A mass of -1 stands for "not given". */
  bool given = brio_mjcf_value(mjcf, item, "mass") != NULL;
  if ((given && g->mass < 0) || g->density < 0)
    return brio_draft_wrong(mjcf->draft, item->element, "%s=%g: expected at least 0",
                            given ? "mass" : "density", given ? g->mass : g->density);
  return true;
}

/* Place a geom between two points: z from the second to the first, the half length behind the other sizes. */
static bool place_between(brio_mjcf *mjcf, const brio_xml *element, const double n[6], geom *g,
                          brio_pose *pose) {
  brio_vec3 a = {n[0], n[1], n[2]}, b = {n[3], n[4], n[5]}, along = brio_vec3_sub(a, b);
  double length = brio_vec3_norm(along);
  if (!(length > 1e-12)) return brio_draft_wrong(mjcf->draft, element, "fromto: both points are the same");
  /* The middle, with z along the line. */
  pose->p = brio_vec3_scale(0.5, brio_vec3_add(a, b));
  pose->q = brio_mjcf_turn_z(brio_vec3_scale(1 / length, along));
  /* A box and an ellipsoid are as wide as they are deep then, whatever their second size. */
  if (g->kind->nfromto == 2) g->size[1] = g->size[0];
  g->size[g->kind->nfromto] = length / 2;
  return true;
}

/* Read the sizes, which have to be above 0, and where the geom is. */
static bool read_place(brio_mjcf *mjcf, const brio_mjcf_item *item, geom *g, brio_pose *pose) {
  double ends[6];
  int given = brio_mjcf_numbers(mjcf, item, "size", 1, 3, g->size);
  int between = g->kind->nfromto ? brio_mjcf_numbers(mjcf, item, "fromto", 6, 6, ends) : 0;
  /* With `fromto` only the radius (or half width) is needed. */
  int needed = between ? 1 : g->kind->nsize;
  if (given < 0 || between < 0) return false;
  if (given < needed)
    return brio_draft_wrong(mjcf->draft, item->element, "it has %d size%s: expected %d for a %s", given,
                            given == 1 ? "" : "s", needed, g->kind->name);
  if (between ? !place_between(mjcf, item->element, ends, g, pose) : !brio_mjcf_pose(mjcf, item, pose))
    return false;
  /* Each size that this kind has; others may be anything. */
  for (int k = 0; k < g->kind->nsize; k++)
    if (!(g->size[k] > 0))
      return brio_draft_wrong(mjcf->draft, item->element,
                              "size %d of this %s is %g: expected a length above 0", k + 1, g->kind->name,
                              g->size[k]);
  return true;
}

/* Make the corners around an ellipsoid: those of an octahedron cut in rows, moved out to it. */
static bool make_ellipsoid(brio_mjcf *mjcf, const double s[3], brio_shape *shape) {
  brio_vec3 *points = BRIO_TAKE(&mjcf->draft->robot->arena, brio_vec3, CORNERS);
  int n = 0;
  if (!points) return brio_draft_no_memory(mjcf->draft);
  /* All integers i, j, k with |i| + |j| + |k| = ROWS: symmetric in all axes. */
  for (int i = -ROWS; i <= ROWS; i++)
    for (int j = abs(i) - ROWS; j <= ROWS - abs(i); j++)
      for (int k = ROWS - abs(i) - abs(j), both = 0; both < (k ? 2 : 1); both++) {
        brio_vec3 p = {i, j, both ? -k : k};
        double out = AROUND / brio_vec3_norm(p);
        points[n++] = (brio_vec3){s[0] * out * p.x, s[1] * out * p.y, s[2] * out * p.z};
      }
  assert(n == CORNERS);
  shape->points = points;
  shape->npoint = n;
  return true;
}

/* Whether the mass of a geom counts. */
static bool counts(const brio_mjcf *mjcf, const brio_mjcf_body *body, const geom *g) {
  const double *range = mjcf->option.group_range;
  return brio_mjcf_uses_geom_mass(mjcf, body) && g->group >= range[0] && g->group <= range[1];
}

/* Read a mesh as its hull. Where geoms give the mass, that is the hull's, with a warning. */
static bool read_mesh(brio_mjcf *mjcf, brio_mjcf_body *body, const brio_mjcf_item *item, const geom *g,
                      brio_link_shape *out, bool *found) {
  const char *name = brio_mjcf_value(mjcf, item, "mesh");
  if (!name)
    return brio_draft_wrong(mjcf->draft, item->element, "attribute 'mesh' is missing: expected mesh=\"...\"");
  if (!brio_mjcf_use_mesh(mjcf, item->element, name, out, found)) return false;
  if (!counts(mjcf, body, g) || (g->mass < 0 ? g->density : g->mass) == 0) return true;
  brio_draft_warn(mjcf->draft, item->element,
                  *found
                      ? "the body has no <inertial>: this mesh has the mass of its convex hull"
                      : "the body has no <inertial>, and the mass of this mesh is unknown: 0 kg is assumed");
  return !*found || brio_mjcf_add_hull(mjcf, body, item->element, out, g->mass, g->density);
}

/* Read a solid of one of the kinds with a formula. */
static bool read_solid(brio_mjcf *mjcf, brio_mjcf_body *body, const geom *g, brio_link_shape *out) {
  /* Mass by volume and density, unless it is stated. */
  out->shape = g->kind->shape(g->size);
  if (counts(mjcf, body, g)) {
    double mass = g->mass < 0 ? g->density * g->kind->volume(g->size) : g->mass, unit[3];
    g->kind->moments(g->size, unit);
    brio_mjcf_add_solid(body, mass, unit, &out->pose);
  }
  return out->shape.kind != BRIO_SHAPE_HULL || make_ellipsoid(mjcf, g->size, &out->shape);
}

/* Read the kind; a mesh that a solid is to be fitted to is no kind of brio's. `known`: the geom is a shape.
 */
static bool read_kind(brio_mjcf *mjcf, const brio_mjcf_item *item, geom *g, bool *known) {
  int kind = SPHERE;
  if (!brio_mjcf_word(mjcf, item, "type", kind_names, &kind)) return false;
  g->kind = &kinds[kind];
  assert(strcmp(g->kind->name, kind_names[kind]) == 0);
  /* MuJoCo would fit a primitive to the mesh. */
  const char *mesh = kind < MESH ? brio_mjcf_value(mjcf, item, "mesh") : NULL;
  *known = kind <= MESH && !mesh;
  if (mesh)
    brio_draft_warn(mjcf->draft, item->element, "a %s that is fitted to mesh '%.80s' is left out",
                    g->kind->name, mesh);
  else if (!*known)
    brio_draft_warn(mjcf->draft, item->element,
                    "a %s is left out: brio knows sphere, capsule, cylinder, box, "
                    "ellipsoid and mesh",
                    g->kind->name);
  return true;
}

bool brio_mjcf_read_geom(brio_mjcf *mjcf, brio_mjcf_body *body, const brio_xml *element,
                         const brio_pose *frame) {
  brio_mjcf_item item = brio_mjcf_item_of(mjcf, element);
  brio_link_shape shape = {.link = body->link};
  brio_draft *draft = mjcf->draft;
  brio_robot *robot = draft->robot;
  geom g;
  bool known, found = true;
  if (!read_numbers(mjcf, &item, &g) || !read_kind(mjcf, &item, &g, &known)) return false;
  /* Warned of already: the geom is left out. */
  if (!known) return true;
  if (!read_place(mjcf, &item, &g, &shape.pose)) return false;
  /* The geom may be inside a <frame>. */
  shape.pose = brio_pose_mul(*frame, shape.pose);
  shape.contact_type = (uint32_t)g.type;
  shape.contact_affinity = (uint32_t)g.affinity;
  if (g.kind == &kinds[MESH] ? !read_mesh(mjcf, body, &item, &g, &shape, &found)
                             : !read_solid(mjcf, body, &g, &shape))
    return false;
  if (!found) return true;
  /* Bits that are all 0 mean that nothing can touch it: it is only drawn. */
  bool touches = shape.contact_type || shape.contact_affinity;
  assert(robot->ncollision + robot->nvisual < draft->max_shapes);
  if (!brio_draft_name_shape(draft, element, ++body->ngeom[touches], &shape)) return false;
  if (touches)
    draft->collisions[robot->ncollision++] = shape;
  else
    draft->visuals[robot->nvisual++] = shape;
  return true;
}
