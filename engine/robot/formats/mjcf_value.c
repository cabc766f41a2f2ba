/* Attributes of MJCF: numbers, words, ranges, and the five ways to write an orientation. */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "robot/formats/mjcf_internal.h"

/* In the order of BRIO_MJCF_FALSE, TRUE and AUTO. */
const char *const brio_mjcf_flags[] = {"false", "true", "auto", NULL};

int brio_mjcf_numbers(const brio_mjcf *mjcf, const brio_mjcf_item *item, const char *name, int least,
                      int count, double *out) {
  const char *value = brio_mjcf_value(mjcf, item, name);
  if (!value) return 0;
  return brio_draft_list(mjcf->draft, item->element, name, value, least, count, brio_draft_farthest, out);
}

bool brio_mjcf_number(const brio_mjcf *mjcf, const brio_mjcf_item *item, const char *name, double *out) {
  return brio_mjcf_numbers(mjcf, item, name, 1, 1, out) >= 0;
}

bool brio_mjcf_word(const brio_mjcf *mjcf, const brio_mjcf_item *item, const char *name,
                    const char *const *words, int *out) {
  const char *value = brio_mjcf_value(mjcf, item, name);
  char expected[200] = "";
  if (!value) return true;
  /* The list for the message grows on the way: "a, b or c". */
  for (int i = 0; words[i]; i++) {
    if (strcmp(words[i], value) == 0) return *out = i, true;
    size_t n = strlen(expected);
    snprintf(expected + n, sizeof expected - n, "%s%s", i == 0 ? "" : words[i + 1] ? ", " : " or ", words[i]);
  }
  return brio_draft_wrong(mjcf->draft, item->element, "%s='%.40s': expected %s", name, value, expected);
}

bool brio_mjcf_range(const brio_mjcf *mjcf, const brio_mjcf_item *item, const char *range,
                     const char *limited, double out[2], bool *limits) {
  /* Without the attribute the range itself decides. */
  int flag = BRIO_MJCF_AUTO;
  if (!brio_mjcf_word(mjcf, item, limited, brio_mjcf_flags, &flag)) return false;
  int given = brio_mjcf_numbers(mjcf, item, range, 2, 2, out);
  if (given < 0) return false;
  /* Without autolimits only `limited` makes a range count. A range without width stands for none. */
  *limits = flag == BRIO_MJCF_TRUE ||
            (flag == BRIO_MJCF_AUTO && given && mjcf->option.autolimits && out[0] < out[1]);
  /* Contradictions are errors, so that no limit is lost by a typing error. */
  if (flag == BRIO_MJCF_TRUE && !given)
    return brio_draft_wrong(mjcf->draft, item->element, "%s='true', but it has no '%s'", limited, range);
  if (given && out[0] > out[1])
    return brio_draft_wrong(mjcf->draft, item->element, "%s='%g %g': expected the lower end first", range,
                            out[0], out[1]);
  return true;
}

double brio_mjcf_angle(const brio_mjcf *mjcf, double value) {
  return mjcf->option.radians ? value : value * BRIO_PI / 180;
}

/* The shortest way, as MuJoCo turns z: about z x direction, by x where both are opposite. */
brio_quat brio_mjcf_turn_z(brio_vec3 direction) {
  brio_vec3 axis = {-direction.y, direction.x, 0};
  double s = brio_vec3_norm(axis), angle = atan2(s, direction.z);
  /* At 0 and 180 degrees the axis is arbitrary. */
  axis = s > 1e-10 ? brio_vec3_scale(1 / s, axis) : (brio_vec3){1, 0, 0};
  return brio_quat_exp(brio_vec3_scale(angle, axis));
}

/* --- orientations: numbers as in the file to a rotation; false: they have none --- */

/* w first; a zero quaternion has no rotation. */
static bool from_quat(const brio_mjcf *mjcf, const double *n, brio_quat *out) {
  (void)mjcf;
  *out = brio_quat_unit((brio_quat){n[1], n[2], n[3], n[0]});
  return n[0] * n[0] + n[1] * n[1] + n[2] * n[2] + n[3] * n[3] > 1e-20;
}

/* The axis need not be a unit vector; the angle is in the file's unit. */
static bool from_axisangle(const brio_mjcf *mjcf, const double *n, brio_quat *out) {
  brio_vec3 axis = {n[0], n[1], n[2]};
  double length = brio_vec3_norm(axis);
  if (!(length > 1e-12)) return false;
  *out = brio_quat_exp(brio_vec3_scale(brio_mjcf_angle(mjcf, n[3]) / length, axis));
  return true;
}

/* Turns one after the other: about the axes of the body as they are by then (small letters), or those that
** are fixed. */
static bool from_euler(const brio_mjcf *mjcf, const double *n, brio_quat *out) {
  *out = BRIO_QUAT_IDENTITY;
  for (int i = 0; i < 3; i++) {
    char letter = mjcf->option.eulerseq[i];
    double turn[3] = {0};
    turn[tolower((unsigned char)letter) - 'x'] = brio_mjcf_angle(mjcf, n[i]);
    brio_quat q = brio_quat_exp((brio_vec3){turn[0], turn[1], turn[2]});
    *out = islower((unsigned char)letter) ? brio_quat_mul(*out, q) : brio_quat_mul(q, *out);
  }
  return true;
}

/* The x axis as given, y made perpendicular to it. */
static bool from_xyaxes(const brio_mjcf *mjcf, const double *n, brio_quat *out) {
  (void)mjcf;
  brio_vec3 x = {n[0], n[1], n[2]}, y = {n[3], n[4], n[5]};
  double length = brio_vec3_norm(x);
  if (!(length > 1e-12)) return false;
  /* Gram-Schmidt: x is kept, y is made perpendicular, z completes them. */
  x = brio_vec3_scale(1 / length, x);
  y = brio_vec3_add_scaled(y, -brio_vec3_dot(x, y), x);
  length = brio_vec3_norm(y);
  if (!(length > 1e-12)) return false;
  y = brio_vec3_scale(1 / length, y);
  brio_vec3 z = brio_vec3_cross(x, y);
  *out = brio_quat_from_matrix((double[]){x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z});
  return true;
}

/* Only z is given: x and y are where the shortest way takes them. */
static bool from_zaxis(const brio_mjcf *mjcf, const double *n, brio_quat *out) {
  (void)mjcf;
  brio_vec3 z = {n[0], n[1], n[2]};
  double length = brio_vec3_norm(z);
  *out = length > 1e-12 ? brio_mjcf_turn_z(brio_vec3_scale(1 / length, z)) : BRIO_QUAT_IDENTITY;
  return length > 1e-12;
}

/* The ways to write an orientation: how many numbers each has, and its reader; in the order of way_names. */
static const struct {
  int count;
  bool (*read)(const brio_mjcf *mjcf, const double *numbers, brio_quat *out);
} ways[] = {{4, from_quat}, {4, from_axisangle}, {3, from_euler}, {6, from_xyaxes}, {3, from_zaxis}};
static const char *const way_names[] = {"quat", "axisangle", "euler", "xyaxes", "zaxis", NULL};

/* Read the orientation, if there is one; an element may have only one of its own. */
static bool read_orientation(const brio_mjcf *mjcf, const brio_mjcf_item *item, brio_quat *out) {
  const char *value, *name = brio_mjcf_first(mjcf, item, way_names, &value);
  double numbers[BRIO_DRAFT_NUMBERS];
  int way = 0;
  *out = BRIO_QUAT_IDENTITY;
  if (!name) return true;
  while (strcmp(way_names[way], name) != 0) way++;
  /* brio_mjcf_first found the first; another one on the same element contradicts it. */
  for (int i = way + 1; way_names[i]; i++)
    if (brio_xml_value(item->element, way_names[i]))
      return brio_draft_wrong(mjcf->draft, item->element,
                              "it has both '%s' and '%s': expected one orientation", name, way_names[i]);
  if (brio_draft_list(mjcf->draft, item->element, name, value, ways[way].count, ways[way].count,
                      brio_draft_farthest, numbers) < 0)
    return false;
  return ways[way].read(mjcf, numbers, out) ||
         brio_draft_wrong(mjcf->draft, item->element, "%s='%.60s' has no direction", name, value);
}

bool brio_mjcf_pose(const brio_mjcf *mjcf, const brio_mjcf_item *item, brio_pose *out) {
  double p[3] = {0};
  if (brio_mjcf_numbers(mjcf, item, "pos", 3, 3, p) < 0) return false;
  out->p = (brio_vec3){p[0], p[1], p[2]};
  return read_orientation(mjcf, item, &out->q);
}

void brio_mjcf_ignore(brio_mjcf *mjcf, const brio_xml *element) {
  int i = 0;
  while (i < mjcf->nignored && strcmp(mjcf->ignored[i].name, element->name) != 0) i++;
  if (i == BRIO_MJCF_IGNORED) {
    mjcf->nother++;
    return;
  }
  /* A kind that is not in the list yet is added. */
  mjcf->nignored += i == mjcf->nignored;
  mjcf->ignored[i].name = element->name;
  mjcf->ignored[i].count++;
}

const char *brio_mjcf_new_name(brio_mjcf *mjcf, brio_name_index *taken, const char *name) {
  size_t size = strlen(name) + 16;
  /* Room for a dot and any int behind the name. */
  char *made = brio_arena_take(&mjcf->draft->robot->arena, size);
  if (!made) return brio_draft_no_memory(mjcf->draft), NULL;
  snprintf(made, size, "%s", name);
  assert(taken->count < taken->capacity);
  /* Numbers are tried until one is free; callers choose names that are rarely taken. */
  for (int n = 2; !brio_name_index_add(taken, made, 0); n++) snprintf(made, size, "%s.%d", name, n);
  return made;
}
