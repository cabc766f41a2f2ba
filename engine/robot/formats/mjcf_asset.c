/* <asset> of MJCF: mesh files, each with its scale and frame, by the name that geoms use. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "robot/formats/mjcf_internal.h"

/* What is behind the last slash. */
static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* Name a mesh: as in the file, or after its file without the ending. NULL: no memory. */
static const char *name_mesh(brio_mjcf *mjcf, const brio_xml *element, const char *file) {
  const char *name = brio_xml_value(element, "name"), *base = base_name(file ? file : "");
  const char *dot = strrchr(base, '.');
  if (name) return name;
  /* "folder/arm.obj" is called "arm". */
  size_t length = dot && dot != base ? (size_t)(dot - base) : strlen(base);
  return brio_arena_text(&mjcf->draft->scratch, base, length);
}

/* Put the folder of meshes before a file; an absolute path stays. NULL: no memory. */
static const char *full_name(brio_mjcf *mjcf, const char *file) {
  const char *folder = mjcf->option.meshdir;
  if (mjcf->option.strippath) file = base_name(file);
  /* strippath leaves the file's own name alone. */
  if (file[0] == '/' || !*folder) return file;
  size_t size = strlen(folder) + strlen(file) + 2;
  char *name = brio_arena_take(&mjcf->draft->scratch, size);
  if (name) snprintf(name, size, "%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", file);
  return name;
}

/* Read the frame and the scale of a mesh. */
static bool read_place(brio_mjcf *mjcf, const brio_mjcf_item *item, brio_mjcf_mesh *mesh) {
  double p[3] = {0}, q[4] = {1, 0, 0, 0};
  /* As in the file, unless it is scaled. */
  for (int k = 0; k < 3; k++) mesh->scale[k] = 1;
  if (brio_mjcf_numbers(mjcf, item, "scale", 3, 3, mesh->scale) < 0 ||
      brio_mjcf_numbers(mjcf, item, "refpos", 3, 3, p) < 0 ||
      brio_mjcf_numbers(mjcf, item, "refquat", 4, 4, q) < 0)
    return false;
  /* refpos and refquat: the frame whose coordinates are used instead of those of the file. */
  mesh->reference = (brio_pose){{p[0], p[1], p[2]}, brio_quat_unit((brio_quat){q[1], q[2], q[3], q[0]})};
  return true;
}

/* Read a <mesh>. Errors: it has no name, or another's. */
static bool read_mesh(brio_mjcf *mjcf, const brio_xml *element) {
  brio_mjcf_mesh *mesh = &mjcf->meshes[mjcf->nmesh];
  assert(mjcf->nmesh < mjcf->max_meshes);
  brio_mjcf_item item = brio_mjcf_item_of(mjcf, element);
  const char *file = brio_mjcf_value(mjcf, &item, "file"), *name = name_mesh(mjcf, element, file);
  if (!name) return brio_draft_no_memory(mjcf->draft);
  *mesh = (brio_mjcf_mesh){.element = element, .name = name};
  if (file && !(mesh->file = full_name(mjcf, file))) return brio_draft_no_memory(mjcf->draft);
  /* Without both there is nothing that a geom could refer to. */
  if (!*name) return brio_draft_wrong(mjcf->draft, element, "it has neither a name nor a file");
  if (!brio_name_index_add(&mjcf->mesh_index, name, mjcf->nmesh))
    return brio_draft_wrong(mjcf->draft, element,
                            "this name, '%.80s', is taken by the mesh of line %d: expected another", name,
                            mjcf->meshes[brio_name_index_find(&mjcf->mesh_index, name)].element->line);
  mjcf->nmesh++;
  return read_place(mjcf, &item, mesh);
}

/* Count the meshes of all <asset>s, then read them; other assets are ignored. */
bool brio_mjcf_read_meshes(brio_mjcf *mjcf) {
  int count = 0;
  for (const brio_xml *a = brio_xml_child(mjcf->root, "asset"); a; a = brio_xml_next(a, "asset"))
    for (const brio_xml *e = a->child; e; e = e->next) count += strcmp(e->name, "mesh") == 0;
  /* Memory by the count: no array has to grow. */
  mjcf->max_meshes = count;
  mjcf->meshes = BRIO_TAKE(&mjcf->draft->scratch, brio_mjcf_mesh, count);
  if (!mjcf->meshes || !brio_name_index_start(&mjcf->mesh_index, count))
    return brio_draft_no_memory(mjcf->draft);
  for (const brio_xml *a = brio_xml_child(mjcf->root, "asset"); a; a = brio_xml_next(a, "asset"))
    for (const brio_xml *e = a->child; e; e = e->next) {
      if (strcmp(e->name, "mesh") != 0)
        brio_mjcf_ignore(mjcf, e);
      else if (!read_mesh(mjcf, e))
        return false;
    }
  return true;
}

/* The name of a mesh by its place, for brio_name_hint. */
static const char *mesh_at(const void *list, int i) {
  const brio_mjcf *mjcf = list;
  return i < mjcf->nmesh ? mjcf->meshes[i].name : NULL;
}

bool brio_mjcf_use_mesh(brio_mjcf *mjcf, const brio_xml *geom, const char *name, brio_link_shape *out,
                        bool *found) {
  int place = brio_name_index_find(&mjcf->mesh_index, name);
  char hint[96];
  *found = false;
  if (place < 0)
    return brio_draft_wrong(mjcf->draft, geom, "mesh='%.80s': <asset> has no such mesh%s", name,
                            brio_name_hint(name, mesh_at, mjcf, hint));
  /* Corners in the XML, or made by MuJoCo itself, are not supported. */
  const brio_mjcf_mesh *mesh = &mjcf->meshes[place];
  if (!mesh->file) {
    brio_draft_warn(mjcf->draft, geom, "mesh '%.80s' is left out: it is not in a file of its own", name);
    return true;
  }
  if (!brio_draft_hull(mjcf->draft, geom, mesh->file, mesh->scale, &mesh->reference, out)) return false;
  /* A hull that could not be read has no points; one that is scaled to a point has no size. */
  *found = out->shape.npoint > 0 && brio_draft_has_size(&out->shape);
  return true;
}
