/* The <visual> and <collision> elements of a URDF: box, cylinder, sphere, the capsule that many files use
** although URDF 1.0 has none, and meshes as their convex hulls.
**
** A mesh that is missing or cannot be read costs its shape, not the robot: there is one warning for each
** file, at the first element that names it, and the shape is left out. A shape without size is left out with
** a warning, too. */
#include <assert.h>
#include <string.h>

#include "robot/formats/urdf_internal.h"

/* Read one length of a shape, m. 0 is accepted here; brio_draft_has_size() leaves such a shape out. */
static bool read_length(brio_draft *draft, const brio_xml *element, const char *name, double *out) {
  if (!brio_draft_numbers(draft, element, name, 1, out)) return false;
  return *out >= 0 || brio_draft_wrong(draft, element, "%s=%g: expected a length above 0", name, *out);
}

/* Box: full lengths along x, y and z, m. */
static bool read_box(brio_draft *draft, const brio_xml *element, brio_link_shape *out) {
  double size[3];
  if (!brio_draft_numbers(draft, element, "size", 3, size)) return false;
  out->shape = (brio_shape){.kind = BRIO_SHAPE_BOX, .size = {size[0], size[1], size[2]}};
  return (size[0] >= 0 && size[1] >= 0 && size[2] >= 0) ||
         brio_draft_wrong(draft, element, "size=%g %g %g: expected lengths above 0", size[0], size[1],
                          size[2]);
}

/* Sphere: size.x is the radius, m. */
static bool read_sphere(brio_draft *draft, const brio_xml *element, brio_link_shape *out) {
  out->shape.kind = BRIO_SHAPE_SPHERE;
  return read_length(draft, element, "radius", &out->shape.size.x);
}

/* Cylinder along z: size.x is the radius, size.z the length, m. */
static bool read_cylinder(brio_draft *draft, const brio_xml *element, brio_link_shape *out) {
  out->shape.kind = BRIO_SHAPE_CYLINDER;
  return read_length(draft, element, "radius", &out->shape.size.x) &&
         read_length(draft, element, "length", &out->shape.size.z);
}

/* Capsule along z: the length is that between the centers of its caps. */
static bool read_capsule(brio_draft *draft, const brio_xml *element, brio_link_shape *out) {
  bool good = read_cylinder(draft, element, out);
  out->shape.kind = BRIO_SHAPE_CAPSULE;
  return good;
}

/* A mesh: the corners of its hull, multiplied by the element's scale. */
static bool read_mesh(brio_draft *draft, const brio_xml *element, brio_link_shape *out) {
  const char *name;
  double scale[3] = {1, 1, 1};
  return brio_draft_text(draft, element, "filename", &name) &&
         brio_draft_numbers_if(draft, element, "scale", 3, scale) &&
         brio_draft_hull(draft, element, name, scale, NULL, out);
}

/* The reader of each kind of shape. */
static const struct {
  const char *name;
  bool (*read)(brio_draft *draft, const brio_xml *element, brio_link_shape *out);
} kinds[] = {{"box", read_box},         {"sphere", read_sphere}, {"cylinder", read_cylinder},
             {"capsule", read_capsule}, {"mesh", read_mesh},     {NULL, NULL}};

/* Read a <geometry>. An unknown kind of shape is a warning, and `found` stays false. */
static bool read_geometry(brio_draft *draft, const brio_xml *owner, brio_link_shape *out, bool *found) {
  const brio_xml *geometry = brio_xml_child(owner, "geometry");
  const brio_xml *element = geometry ? geometry->child : NULL;
  if (!element)
    return brio_draft_wrong(
        draft, owner, "it has no shape: expected <geometry> with a box, cylinder, sphere, capsule or mesh");
  int k = 0;
  /* The first child of <geometry> names the kind; others are ignored. */
  while (kinds[k].name && strcmp(kinds[k].name, element->name) != 0) k++;
  if (!kinds[k].name) {
    brio_draft_warn(draft, element,
                    "this kind of shape is left out: brio knows box, cylinder, sphere, capsule and mesh");
    return true;
  }
  if (!kinds[k].read(draft, element, out)) return false;
  /* A hull without points was a mesh that could not be read. */
  *found = brio_draft_has_size(&out->shape) && (out->shape.kind != BRIO_SHAPE_HULL || out->shape.npoint > 0);
  if (!brio_draft_has_size(&out->shape)) brio_draft_warn(draft, element, "a shape without size is left out");
  return true;
}

/* Read all shapes of one kind of a link, and append the ones that were found to `list`. */
static bool read_shapes(brio_draft *draft, const brio_xml *element, int link, const char *kind,
                        brio_link_shape *list, int *count) {
  int number = 0;
  for (const brio_xml *e = brio_xml_child(element, kind); e; e = brio_xml_next(e, kind)) {
    brio_link_shape shape = {.link = link, .contact_type = 1, .contact_affinity = 1};
    /* Stays false for an unknown kind, and for a shape without size. */
    bool found = false;
    if (!brio_urdf_origin(draft, e, &shape.pose) || !read_geometry(draft, e, &shape, &found) ||
        !brio_draft_name_shape(draft, e, ++number, &shape))
      return false;
    assert(*count < draft->max_shapes);
    if (found) list[(*count)++] = shape;
  }
  return true;
}

bool brio_urdf_shapes(brio_draft *draft, const brio_xml *element, int link) {
  brio_robot *robot = draft->robot;
  return read_shapes(draft, element, link, "collision", draft->collisions, &robot->ncollision) &&
         read_shapes(draft, element, link, "visual", draft->visuals, &robot->nvisual);
}
