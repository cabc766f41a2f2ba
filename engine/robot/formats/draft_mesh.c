/* Shapes of links: their names, whether they have a size, and mesh files as their convex hulls. */
#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "robot/formats/draft_internal.h"
#include "robot/mesh.h"

/* Read the file of a mesh at its first use; a failure is a warning. Return false only without memory. */
static bool read_mesh_file(brio_draft *draft, const brio_xml *element, const char *name,
                           brio_draft_mesh *mesh) {
  char path[PATH_MAX];
  brio_error why;
  int count = -1;
  /* Mesh first found, then read; both fail with a sentence for the warning. */
  if (brio_mesh_find(name, draft->robot->file, draft->options->package_folders, path, sizeof path, &why))
    count = brio_mesh_load_hull(path, &draft->scratch, &mesh->points, &why);
  if (count > 0)
    mesh->npoint = count;
  else if (why.code == BRIO_NO_MEMORY)
    return brio_draft_no_memory(draft);
  else
    brio_draft_warn(draft, element, "mesh '%.200s' is left out: %.300s", name, why.message);
  return true;
}

/* Return the index of a mesh in `meshes`; each file is read once. -1: no memory. */
static int find_mesh(brio_draft *draft, const brio_xml *element, const char *name) {
  /* A mesh that could not be read is known, too, so there is one warning for it. */
  int known = brio_name_index_find(&draft->mesh_index, name), next = draft->mesh_index.count;
  if (known >= 0) return known;
  assert(next <= draft->max_shapes);
  if (!read_mesh_file(draft, element, name, &draft->meshes[next])) return -1;
  brio_name_index_add(&draft->mesh_index, name, next);
  return next;
}

/* A corner as the shape has it. */
static brio_vec3 place_corner(brio_vec3 p, const double scale[3], const brio_pose *reference) {
  /* First into the reference frame, then scaled, as MuJoCo does. */
  if (reference) p = brio_quat_rotate(brio_quat_conj(reference->q), brio_vec3_sub(p, reference->p));
  return (brio_vec3){scale[0] * p.x, scale[1] * p.y, scale[2] * p.z};
}

/* The corners are in memory of the shape, as scales differ. */
bool brio_draft_hull(brio_draft *draft, const brio_xml *element, const char *name, const double scale[3],
                     const brio_pose *reference, brio_link_shape *out) {
  int place = find_mesh(draft, element, name);
  if (place < 0) return false;
  const brio_draft_mesh *mesh = &draft->meshes[place];
  /* A mesh without points has been reported already. */
  out->shape.kind = BRIO_SHAPE_HULL;
  if (mesh->npoint == 0) return true;
  brio_vec3 *points = BRIO_TAKE(&draft->robot->arena, brio_vec3, mesh->npoint);
  if (!points) return brio_draft_no_memory(draft);
  for (int i = 0; i < mesh->npoint; i++) points[i] = place_corner(mesh->points[i], scale, reference);
  out->shape.points = points;
  out->shape.npoint = mesh->npoint;
  return (out->mesh = brio_draft_keep(draft, name)) != NULL;
}

/* Whether the corners of a hull differ; a scale of 0 makes them one point. */
static bool is_spread(const brio_shape *shape) {
  const brio_vec3 *p = shape->points;
  for (int i = 1; i < shape->npoint; i++)
    if (p[i].x != p[0].x || p[i].y != p[0].y || p[i].z != p[0].z) return true;
  return false;
}

bool brio_draft_has_size(const brio_shape *shape) {
  /* Spheres and capsules need a radius, a cylinder also a length, a box three lengths. */
  brio_vec3 s = shape->size;
  if (shape->kind == BRIO_SHAPE_HULL) return shape->npoint == 0 || is_spread(shape);
  bool flat = shape->kind == BRIO_SHAPE_CYLINDER ? s.z == 0 : shape->kind == BRIO_SHAPE_BOX && s.y * s.z == 0;
  return s.x > 0 && !flat;
}

bool brio_draft_name_shape(brio_draft *draft, const brio_xml *element, int number, brio_link_shape *out) {
  /* The file's own name goes first; the link's name is kept already. */
  const char *given = brio_xml_value(element, "name"), *link = draft->links[out->link].name;
  if (given && *given) return (out->name = brio_draft_keep(draft, given)) != NULL;
  out->name = link;
  if (number == 1) return true;
  /* Room for the link's name, a dot and any int. */
  char *name = brio_arena_take(&draft->robot->arena, strlen(link) + 16);
  if (!name) return brio_draft_no_memory(draft);
  snprintf(name, strlen(link) + 16, "%s.%d", link, number);
  out->name = name;
  return true;
}
