/* Mesh files as sets of corners: what a convex hull is made of. */
#ifndef BRIO_ROBOT_MESH_H
#define BRIO_ROBOT_MESH_H

#include "base/arena.h"
#include "base/error.h"
#include "math/vec.h"

/* Read an STL (binary or text) or OBJ file and write the corners of its convex hull, in the
** file's units, into `arena`; return how many, or -1.  Errors: no_file, format (cut off, no
** corners, not finite, another kind of file), limit (more than 64 MB), no_memory. */
int brio_mesh_load_hull(const char *file, brio_arena *arena, const brio_vec3 **points, brio_error *err);

/* Find the file that a URDF means by `name`, as seen from the URDF `from`: a plain path or
** file:// (relative ones from its folder), package://NAME/PATH or model://NAME/PATH (in the
** folders of `packages`, which end at NULL, then in the folders above the URDF).  Write its
** path to `out`.  Errors: no_file, limit (path too long). */
bool brio_mesh_find(const char *name, const char *from, const char *const *packages, char *out, size_t size,
                    brio_error *err);

#endif
