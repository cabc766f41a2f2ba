/* The <visual> and <collision> elements of a URDF: box, cylinder, sphere, the capsule that many files use
** although URDF 1.0 has none, and meshes as their convex hulls.
**
** A mesh that is missing or cannot be read costs its shape, not the robot: there is one warning for each
** file, at the first element that names it, and the shape is left out. A shape without size is left out with
** a warning, too. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "robot/mesh.h"
#include "robot/urdf_internal.h"

/* Read one length of a shape, m. 0 is accepted here; has_size() leaves such a shape out. */
static bool read_length(brio_urdf *urdf, const brio_xml *element, const char *name, double *out) {
  if (!brio_urdf_numbers(urdf, element, name, 1, out)) return false;
  return *out >= 0 || brio_urdf_wrong(urdf, element, "%s=%g: expected a length above 0", name, *out);
}

/* Box: full lengths along x, y and z, m. */
static bool read_box(brio_urdf *urdf, const brio_xml *element, brio_link_shape *out) {
  double size[3];
  if (!brio_urdf_numbers(urdf, element, "size", 3, size)) return false;
  out->shape = (brio_shape){.kind = BRIO_SHAPE_BOX, .size = {size[0], size[1], size[2]}};
  return (size[0] >= 0 && size[1] >= 0 && size[2] >= 0) ||
         brio_urdf_wrong(urdf, element, "size=%g %g %g: expected lengths above 0", size[0], size[1], size[2]);
}

/* Sphere: size.x is the radius, m. */
static bool read_sphere(brio_urdf *urdf, const brio_xml *element, brio_link_shape *out) {
  out->shape.kind = BRIO_SHAPE_SPHERE;
  return read_length(urdf, element, "radius", &out->shape.size.x);
}

/* Cylinder along z: size.x is the radius, size.z the length, m. */
static bool read_cylinder(brio_urdf *urdf, const brio_xml *element, brio_link_shape *out) {
  out->shape.kind = BRIO_SHAPE_CYLINDER;
  return read_length(urdf, element, "radius", &out->shape.size.x) &&
         read_length(urdf, element, "length", &out->shape.size.z);
}

/* Capsule along z: the length is that between the centers of its caps. */
static bool read_capsule(brio_urdf *urdf, const brio_xml *element, brio_link_shape *out) {
  bool good = read_cylinder(urdf, element, out);
  out->shape.kind = BRIO_SHAPE_CAPSULE;
  return good;
}

/* Read the file of a mesh at its first use; a failure is a warning. Return false only without memory. */
static bool read_mesh_file(brio_urdf *urdf, const brio_xml *element, const char *name, brio_urdf_mesh *mesh) {
  char path[PATH_MAX];
  brio_error why;
  int count = -1;
  if (brio_mesh_find(name, urdf->robot->file, urdf->options->package_folders, path, sizeof path, &why))
    count = brio_mesh_load_hull(path, &urdf->scratch, &mesh->points, &why);
  if (count > 0) mesh->npoint = count;
  else if (why.code == BRIO_NO_MEMORY) return brio_urdf_no_memory(urdf);
  else brio_urdf_warn(urdf, element, "mesh '%.200s' is left out: %.300s", name, why.message);
  return true;
}

/* Return the index of a mesh in `meshes`; each file is read once. -1: no memory. */
static int find_mesh(brio_urdf *urdf, const brio_xml *element, const char *name) {
  int known = brio_name_index_find(&urdf->mesh_index, name), next = urdf->mesh_index.count;
  if (known >= 0) return known;
  if (!read_mesh_file(urdf, element, name, &urdf->meshes[next])) return -1;
  brio_name_index_add(&urdf->mesh_index, name, next);
  return next;
}

/* Read a mesh: the corners of its hull, multiplied by the element's scale, in memory of this shape. */
static bool read_mesh(brio_urdf *urdf, const brio_xml *element, brio_link_shape *out) {
  const char *name;
  double scale[3] = {1, 1, 1};
  if (!brio_urdf_text(urdf, element, "filename", &name) ||
      !brio_urdf_numbers_if(urdf, element, "scale", 3, scale))
    return false;
  int place = find_mesh(urdf, element, name);
  if (place < 0) return false;
  const brio_urdf_mesh *mesh = &urdf->meshes[place];
  /* A mesh without points has been reported already. */
  out->shape.kind = BRIO_SHAPE_HULL;
  if (mesh->npoint == 0) return true;
  brio_vec3 *points = BRIO_TAKE(&urdf->robot->arena, brio_vec3, mesh->npoint);
  if (!points) return brio_urdf_no_memory(urdf);
  for (int i = 0; i < mesh->npoint; i++) {
    brio_vec3 p = mesh->points[i];
    points[i] = (brio_vec3){scale[0] * p.x, scale[1] * p.y, scale[2] * p.z};
  }
  out->shape.points = points;
  out->shape.npoint = mesh->npoint;
  return (out->mesh = brio_urdf_keep(urdf, name)) != NULL;
}

/* The reader of each kind of shape. */
static const struct {
  const char *name;
  bool (*read)(brio_urdf *urdf, const brio_xml *element, brio_link_shape *out);
} kinds[] = {{"box", read_box},         {"sphere", read_sphere}, {"cylinder", read_cylinder},
             {"capsule", read_capsule}, {"mesh", read_mesh},     {NULL, NULL}};

/* Whether the corners of a hull differ; a scale of 0 makes them one point. */
static bool is_spread(const brio_shape *shape) {
  const brio_vec3 *p = shape->points;
  for (int i = 1; i < shape->npoint; i++)
    if (p[i].x != p[0].x || p[i].y != p[0].y || p[i].z != p[0].z) return true;
  return false;
}

/* Whether a shape has a size. Files mark contact points by spheres of radius 0. A capsule may have no length,
** and a mesh that was left out has been reported already. */
static bool has_size(const brio_shape *shape) {
  brio_vec3 s = shape->size;
  if (shape->kind == BRIO_SHAPE_HULL) return shape->npoint == 0 || is_spread(shape);
  bool flat = shape->kind == BRIO_SHAPE_CYLINDER ? s.z == 0 : shape->kind == BRIO_SHAPE_BOX && s.y * s.z == 0;
  return s.x > 0 && !flat;
}

/* Read a <geometry>. An unknown kind of shape is a warning, and `found` stays false. */
static bool read_geometry(brio_urdf *urdf, const brio_xml *owner, brio_link_shape *out, bool *found) {
  const brio_xml *geometry = brio_xml_child(owner, "geometry");
  const brio_xml *element = geometry ? geometry->child : NULL;
  if (!element)
    return brio_urdf_wrong(
        urdf, owner, "it has no shape: expected <geometry> with a box, cylinder, sphere, capsule or mesh");
  int k = 0;
  /* The first child of <geometry> names the kind; others are ignored. */
  while (kinds[k].name && strcmp(kinds[k].name, element->name) != 0) k++;
  if (!kinds[k].name) {
    brio_urdf_warn(urdf, element,
                   "this kind of shape is left out: brio knows box, cylinder, sphere, capsule and mesh");
    return true;
  }
  if (!kinds[k].read(urdf, element, out)) return false;
  /* A hull without points was a mesh that could not be read. */
  *found = has_size(&out->shape) && (out->shape.kind != BRIO_SHAPE_HULL || out->shape.npoint > 0);
  if (!has_size(&out->shape)) brio_urdf_warn(urdf, element, "a shape without size is left out");
  return true;
}

/* Name a shape as in the file, or "<link>", "<link>.2", ... */
static bool name_shape(brio_urdf *urdf, const brio_xml *element, int number, brio_link_shape *out) {
  const char *given = brio_xml_value(element, "name"), *link = urdf->links[out->link].name;
  if (given && *given) return (out->name = brio_urdf_keep(urdf, given)) != NULL;
  out->name = link;
  if (number == 1) return true;
  /* Room for the link's name, a dot and any int. */
  char *name = brio_arena_take(&urdf->robot->arena, strlen(link) + 16);
  if (!name) return brio_urdf_no_memory(urdf);
  snprintf(name, strlen(link) + 16, "%s.%d", link, number);
  out->name = name;
  return true;
}

/* Read all shapes of one kind of a link, and append the ones that were found to `list`. */
static bool read_shapes(brio_urdf *urdf, const brio_xml *element, int link, const char *kind,
                        brio_link_shape *list, int *count) {
  int number = 0;
  for (const brio_xml *e = brio_xml_child(element, kind); e; e = brio_xml_next(e, kind)) {
    brio_link_shape shape = {.link = link};
    /* Stays false for an unknown kind, and for a shape without size. */
    bool found = false;
    if (!brio_urdf_origin(urdf, e, &shape.pose) || !read_geometry(urdf, e, &shape, &found) ||
        !name_shape(urdf, e, ++number, &shape))
      return false;
    if (found) list[(*count)++] = shape;
  }
  return true;
}

bool brio_urdf_shapes(brio_urdf *urdf, const brio_xml *element, int link) {
  brio_robot *robot = urdf->robot;
  return read_shapes(urdf, element, link, "collision", urdf->collisions, &robot->ncollision) &&
         read_shapes(urdf, element, link, "visual", urdf->visuals, &robot->nvisual);
}
