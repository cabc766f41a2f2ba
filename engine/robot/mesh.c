/* Mesh files: where they are and which corners they have.
**
** STL: "solid" text with lines "vertex x y z" up to "endsolid", or 80 bytes of header, the number
** of triangles and 50 bytes for each (normal, three corners, a filler), little-endian. OBJ: lines
** "v x y z". Faces, normals and colors do not change the hull and are ignored. Lines may end as on
** Unix, Windows or old Macs; upper case and a byte order mark are accepted. */
#include "robot/mesh.h"

#include <assert.h>
#include <limits.h>
#include <locale.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/text.h"
#include "math/hull.h"

enum { STL_HEADER = 84, STL_TRIANGLE = 50, LOOKED_AT = 1024 };
static const size_t LARGEST = 64u << 20; /* bytes of a mesh file */

/* The corners read so far. */
typedef struct mesh_points {
  brio_vec3 *points;
  int count, capacity;
  const char *file;
  brio_error *err;
} mesh_points;

/* Append a corner; the array doubles, so n corners cost O(n). Errors: format (not finite), no_memory. */
static bool add_point(mesh_points *mesh, brio_vec3 point) {
  if (!isfinite(point.x) || !isfinite(point.y) || !isfinite(point.z))
    return brio_fail(mesh->err, BRIO_FORMAT, "%s: corner %d is not finite", mesh->file, mesh->count + 1);
  if (mesh->count == mesh->capacity) {
    /* Doubled, from 256. */
    int capacity = mesh->capacity ? 2 * mesh->capacity : 256;
    brio_vec3 *points = realloc(mesh->points, (size_t)capacity * sizeof *points);
    if (!points) return brio_fail(mesh->err, BRIO_NO_MEMORY, "no memory to read %s", mesh->file);
    mesh->points = points;
    mesh->capacity = capacity;
  }
  assert(mesh->count < mesh->capacity);
  mesh->points[mesh->count++] = point;
  return true;
}

/* Read 32 bits in little-endian order. */
static uint32_t little_endian(const unsigned char *bytes) {
  return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Read a float. */
static double float_at(const unsigned char *bytes) {
  uint32_t bits = little_endian(bytes);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Read the corners of a binary STL. Errors: format (cut off). */
static bool read_binary_stl(const brio_text *text, mesh_points *mesh) {
  const unsigned char *bytes = (const unsigned char *)text->bytes;
  uint32_t count = text->length >= STL_HEADER ? little_endian(bytes + 80) : 0;
  /* The number of triangles comes from the file: compare it with the bytes that there are. */
  if (text->length < STL_HEADER || (text->length - STL_HEADER) / STL_TRIANGLE < count)
    return brio_fail(mesh->err, BRIO_FORMAT,
                     "%s is cut off, or no STL file: %zu bytes are too few for its %u triangles", mesh->file,
                     text->length, (unsigned)count);
  /* Corner i % 3 of triangle i / 3, behind the normal's 12 bytes. */
  for (uint32_t i = 0; i < 3 * count; i++) {
    const unsigned char *corner = bytes + STL_HEADER + STL_TRIANGLE * (size_t)(i / 3) + 12 + 12 * (i % 3);
    if (!add_point(mesh, (brio_vec3){float_at(corner), float_at(corner + 4), float_at(corner + 8)}))
      return false;
  }
  return true;
}

/* Whether the first bytes are text: binary STL has zero bytes early on. */
static bool is_text(const brio_text *text) {
  return text->length && !memchr(text->bytes, 0, text->length < LOOKED_AT ? text->length : LOOKED_AT);
}

/* The first word of a text, behind a byte order mark and white space; "" for an empty text. */
static const char *first_word(const brio_text *text) {
  const char *word = text->length ? text->bytes : "";
  if (text->length >= 3 && memcmp(word, "\xef\xbb\xbf", 3) == 0) word += 3;
  return word + strspn(word, " \t\r\n");
}

/* Return the begin of the next line, and count it; NULL: this is the last one. A carriage return with a line
** feed is one end. */
static const char *next_line(const char *line, int *number) {
  line += strcspn(line, "\r\n");
  if (!*line) return NULL;
  ++*number;
  return line + (line[0] == '\r' && line[1] == '\n' ? 2 : 1);
}

/* Read three numbers of one line, m; a number that belongs to the next line is an error. */
static bool read_corner(const char *text, locale_t c_locale, brio_vec3 *corner) {
  /* strtod skips line ends as white space, hence the comparison with `stop`. */
  const char *stop = text + strcspn(text, "\r\n");
  double v[3];
  for (int k = 0; k < 3; k++) {
    char *end;
    v[k] = strtod_l(text, &end, c_locale);
    if (end == text || end > stop) return false;
    text = end;
  }
  *corner = (brio_vec3){v[0], v[1], v[2]};
  return true;
}

/* Read the lines of `keyword` and three numbers, and ignore all others. Errors: format (with the line),
** no_memory. */
static bool read_lines(const brio_text *text, const char *keyword, mesh_points *mesh) {
  /* In the C locale: elsewhere a comma may be the decimal point. */
  locale_t c_locale = newlocale(LC_ALL_MASK, "C", NULL);
  size_t length = strlen(keyword);
  bool good = c_locale || brio_fail(mesh->err, BRIO_NO_MEMORY, "no memory to read %s", mesh->file);
  /* A zero byte would end the text early and hide the rest. */
  if (good && text->length && memchr(text->bytes, 0, text->length))
    good = brio_fail(mesh->err, BRIO_FORMAT, "%s is not text: there are zero bytes in it", mesh->file);
  int number = 1;
  for (const char *line = first_word(text); good && line; line = next_line(line, &number)) {
    brio_vec3 corner;
    line += strspn(line, " \t");
    if (strncasecmp(line, keyword, length) != 0 || (line[length] != ' ' && line[length] != '\t')) continue;
    if (read_corner(line + length, c_locale, &corner)) good = add_point(mesh, corner);
    else
      good = brio_fail(mesh->err, BRIO_FORMAT, "%s:%d: expected '%s' and three numbers", mesh->file, number,
                       keyword);
  }
  if (c_locale) freelocale(c_locale);
  return good;
}

/* A text STL is complete if it ends with "endsolid" and has whole triangles. */
static bool read_text_stl(const brio_text *text, mesh_points *mesh) {
  if (!read_lines(text, "vertex", mesh)) return false;
  return (strcasestr(text->bytes, "endsolid") && mesh->count % 3 == 0) ||
         brio_fail(mesh->err, BRIO_FORMAT, "%s is cut off: 'endsolid' is missing, or a corner", mesh->file);
}

/* A binary STL may begin with "solid", too, so its size is checked first. */
static bool read_stl(const brio_text *text, mesh_points *mesh) {
  const unsigned char *bytes = (const unsigned char *)text->bytes;
  /* The exact size of a binary STL with the number of triangles it announces. */
  bool sized = text->length >= STL_HEADER &&
               text->length == STL_HEADER + (size_t)STL_TRIANGLE * little_endian(bytes + 80);
  /* Text that begins with "solid". */
  bool spoken = is_text(text) && strncasecmp(first_word(text), "solid", 5) == 0;
  return sized || !spoken ? read_binary_stl(text, mesh) : read_text_stl(text, mesh);
}

static bool read_obj(const brio_text *text, mesh_points *mesh) { return read_lines(text, "v", mesh); }

/* The reader of each file name extension. */
static const struct {
  const char *ending;
  bool (*read)(const brio_text *text, mesh_points *mesh);
} formats[] = {{".stl", read_stl}, {".obj", read_obj}, {NULL, NULL}};

/* Read the corners of a file. Errors: no_file, io, format, limit, no_memory. */
static bool read_points(const char *file, brio_text *text, mesh_points *mesh) {
  const char *ending = strrchr(file, '.');
  int i = 0;
  /* Extensions are compared without case. */
  while (formats[i].ending && (!ending || strcasecmp(ending, formats[i].ending) != 0)) i++;
  if (!formats[i].ending)
    return brio_fail(mesh->err, BRIO_FORMAT, "%s: meshes are read from .stl and .obj files only", file);
  if (!brio_text_read_file(text, file, LARGEST, mesh->err) || !formats[i].read(text, mesh)) return false;
  if (mesh->count == 0) return brio_fail(mesh->err, BRIO_FORMAT, "%s has no corners", file);
  return true;
}

/* Only the corners of the hull are copied to the arena; all others are freed. */
int brio_mesh_load_hull(const char *file, brio_arena *arena, const brio_vec3 **points, brio_error *err) {
  mesh_points mesh = {.file = file, .err = err};
  brio_text text = {0};
  int count = -1;
  if (read_points(file, &text, &mesh)) {
    count = brio_hull_corners(mesh.points, mesh.count, err);
    brio_vec3 *kept = count > 0 ? BRIO_TAKE(arena, brio_vec3, count) : NULL;
    if (kept) *points = memcpy(kept, mesh.points, (size_t)count * sizeof *kept);
    else if (count > 0) brio_fail(err, BRIO_NO_MEMORY, "no memory to read %s", file), count = -1;
  }
  brio_text_end(&text);
  free(mesh.points);
  return count;
}

/* Write folder and path, concatenated, to `out`. Return whether they fit and the file can be read. */
static bool readable(char *out, size_t size, const char *folder, int length, const char *path) {
  /* A path that does not fit is not tried in part. */
  int written = snprintf(out, size, "%.*s%s", length, folder, path);
  return written > 0 && (size_t)written < size && access(out, R_OK) == 0;
}

/* Find NAME/PATH in a folder that contains NAME, or PATH in a folder that is NAME. */
static bool in_package_folder(const char *folder, const char *named, char *out, size_t size) {
  size_t length = strlen(folder), name = strcspn(named, "/");
  /* Slashes at the end do not belong to the folder's name. */
  while (length > 1 && folder[length - 1] == '/') length--;
  char inside[PATH_MAX];
  if (length > PATH_MAX || strlen(named) + 2 > sizeof inside) return false;
  snprintf(inside, sizeof inside, "/%s", named);
  if (readable(out, size, folder, (int)length, inside)) return true;
  /* The folder itself may be the package: the last component of its path is the package's name. */
  bool is_it = length > name && folder[length - name - 1] == '/' &&
               strncmp(folder + length - name, named, name) == 0;
  return (is_it || (length == name && strncmp(folder, named, name) == 0)) &&
         readable(out, size, folder, (int)length, named + name);
}

/* Search every folder above the URDF, nearest first. O(depth of the folder) */
static bool above(const char *from, const char *named, char *out, size_t size) {
  char folder[PATH_MAX], start[PATH_MAX];
  /* Without a slash the URDF is in the current folder. */
  const char *last = strrchr(from, '/');
  int length = last ? (int)(last - from) + 1 : 0;
  if (length >= PATH_MAX - 1) return false;
  snprintf(folder, sizeof folder, "%.*s.", length, from);
  /* The real path has no symbolic links or "..", so that cutting it at slashes leads upward. */
  if (!realpath(folder, start)) return false;
  for (char *slash; *start; *slash = 0) {
    if (in_package_folder(start, named, out, size)) return true;
    slash = strrchr(start, '/');
  }
  return false;
}

/* Search the given package folders first, then the folders above the URDF. */
static bool find_in_packages(const char *named, const char *from, const char *const *packages, char *out,
                             size_t size) {
  for (int i = 0; packages && packages[i]; i++)
    if (in_package_folder(packages[i], named, out, size)) return true;
  return above(from, named, out, size);
}

/* Return the path of file://PATH, file://localhost/PATH or file:/PATH; any other name is returned as it
** is. */
static const char *path_of(const char *name) {
  static const struct { const char *beginning; int skipped; } schemes[] = {
      {"file://localhost/", 16}, {"file://", 7}, {"file:/", 5}};
  for (int i = 0; i < 3; i++)
    if (strncmp(name, schemes[i].beginning, strlen(schemes[i].beginning)) == 0)
      return name + schemes[i].skipped;
  return name;
}

bool brio_mesh_find(const char *name, const char *from, const char *const *packages, char *out, size_t size,
                    brio_error *err) {
  /* package:// and model:// name a package; any other name is a path, absolute or relative to the URDF. */
  static const char *const schemes[] = {"package://", "model://"};
  for (int i = 0; i < 2; i++) {
    size_t length = strlen(schemes[i]);
    if (strncmp(name, schemes[i], length) != 0) continue;
    const char *named = name + length;
    return find_in_packages(named, from, packages, out, size) ||
           brio_fail(err, BRIO_NO_FILE, "%s is not there: no package folder has a '%.*s' with it", name,
                     (int)strcspn(named, "/"), named);
  }
  name = path_of(name);
  if (strstr(name, "://")) return brio_fail(err, BRIO_NO_FILE, "%s is not a file on this machine", name);
  /* An absolute path stands alone; else the URDF's folder is put before it. */
  const char *slash = name[0] == '/' ? NULL : strrchr(from, '/');
  return readable(out, size, from, slash ? (int)(slash - from) + 1 : 0, name) ||
         brio_fail(err, BRIO_NO_FILE, "%s is not there or may not be read", out);
}
