/* Numbers, texts and poses of a URDF file, and messages about them. Numbers are read in the C locale,
** whatever the user's language: "0,5" must not become 0 in Paris. No number is larger than FARTHEST, so that
** no sum or product of a few of them overflows; only a limit may be, which means that there is none. */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "robot/urdf_internal.h"

enum { SHOWN = 60 }; /* characters of a value that a message shows */

static const double FARTHEST = 1e9; /* m, rad, kg, ...: nothing on a robot is that large */

/* Write "file:line: <axis> of joint 'elbow': " to `out`; without an element only the file. */
static void write_place(const brio_urdf *urdf, const brio_xml *element, char *out, size_t size) {
  const brio_xml *owner = element;
  if (!element) {
    snprintf(out, size, "%s: ", urdf->robot->file);
    return;
  }
  /* The owner is the link or joint that contains the element. */
  while (owner->parent && owner->parent->parent) owner = owner->parent;
  const char *name = brio_xml_value(owner, "name");
  if (!name) snprintf(out, size, "%s:%d: <%.40s>: ", urdf->robot->file, element->line, element->name);
  else if (owner == element)
    snprintf(out, size, "%s:%d: %.40s '%.80s': ", urdf->robot->file, element->line, owner->name, name);
  else
    snprintf(out, size, "%s:%d: <%.40s> of %.40s '%.80s': ", urdf->robot->file, element->line, element->name,
             owner->name, name);
}

bool brio_urdf_wrong(brio_urdf *urdf, const brio_xml *element, const char *format, ...) {
  char place[600], sentence[600];
  va_list args;
  va_start(args, format);
  vsnprintf(sentence, sizeof sentence, format, args);
  va_end(args);
  write_place(urdf, element, place, sizeof place);
  return brio_fail(urdf->err, BRIO_FORMAT, "%s%s", place, sentence);
}

void brio_urdf_warn(brio_urdf *urdf, const brio_xml *element, const char *format, ...) {
  char place[600], sentence[600], whole[1200];
  va_list args;
  va_start(args, format);
  vsnprintf(sentence, sizeof sentence, format, args);
  va_end(args);
  write_place(urdf, element, place, sizeof place);
  /* Warnings outlive the document: they are kept in the robot's arena, in the order of the file. */
  snprintf(whole, sizeof whole, "%s%s", place, sentence);
  brio_urdf_warning *warning = BRIO_TAKE(&urdf->scratch, brio_urdf_warning, 1);
  /* Without memory the warning is lost, but the robot is not. */
  const char *kept = warning ? brio_arena_text(&urdf->robot->arena, whole, strlen(whole)) : NULL;
  if (!kept) return;
  warning->sentence = kept;
  if (urdf->last_warning) urdf->last_warning->next = warning;
  else urdf->first_warning = warning;
  urdf->last_warning = warning;
  urdf->robot->nwarning++;
  brio_log_write(urdf->options->log, BRIO_LOG_WARNING, "%s", whole);
}

bool brio_urdf_no_memory(brio_urdf *urdf) {
  return brio_fail(urdf->err, BRIO_NO_MEMORY, "no memory for the robot in %s", urdf->robot->file);
}

const char *brio_urdf_keep(brio_urdf *urdf, const char *text) {
  /* The document is freed after reading, the robot's arena is not. */
  const char *kept = brio_arena_text(&urdf->robot->arena, text, strlen(text));
  if (!kept) brio_urdf_no_memory(urdf);
  return kept;
}

/* Whether a value has no expression left that xacro should have replaced; else an error. */
static bool expanded(brio_urdf *urdf, const brio_xml *element, const char *name, const char *value) {
  if (!strstr(value, "${") && !strstr(value, "$(")) return true;
  return brio_urdf_wrong(urdf, element,
                         "%.40s='%.*s' is not expanded yet; expected the output of xacro (xacro FILE.xacro > "
                         "FILE.urdf)", name, SHOWN, value);
}

bool brio_urdf_text(brio_urdf *urdf, const brio_xml *element, const char *name, const char **out) {
  const char *value = brio_xml_value(element, name);
  if (!value)
    return brio_urdf_wrong(urdf, element, "attribute '%s' is missing: expected <%.40s %s=\"...\">", name,
                           element->name, name);
  if (!*value) return brio_urdf_wrong(urdf, element, "attribute '%s' is empty", name);
  *out = value;
  return expanded(urdf, element, name, value);
}

/* Read the number at `*text` and move behind it. Hexadecimal numbers, "nan" and "inf" are accepted by strtod,
** but are not URDF. */
static bool read_number(const brio_urdf *urdf, const char **text, double *out) {
  /* The first character behind the sign decides. */
  const char *digits = *text + strspn(*text, "+-");
  char *end;
  if (!isdigit((unsigned char)*digits) && *digits != '.') return false;
  if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) return false;
  *out = strtod_l(*text, &end, urdf->c_locale);
  if (end == *text || !isfinite(*out)) return false;
  *text = end;
  return *end == 0 || isspace((unsigned char)*end);
}

/* Read an attribute of `count` numbers, each within +-most; if it is missing, `out` is unchanged. Errors:
** format. */
static bool read_numbers(brio_urdf *urdf, const brio_xml *element, const char *name, int count, double most,
                         double *out) {
  assert(count == 1 || count == 3);
  static const char *const expected[] = {"", "a finite number", "", "three finite numbers"};
  const char *value = brio_xml_value(element, name), *text = value;
  /* `out` is written only when all numbers are valid. */
  double numbers[3];
  int n = 0;
  if (!value) return true;
  if (!expanded(urdf, element, name, value)) return false;
  /* Numbers are separated by white space; a word too many or too few is an error. */
  for (text += strspn(text, " \t\r\n"); *text; text += strspn(text, " \t\r\n"), n++)
    if (n == count || !read_number(urdf, &text, &numbers[n])) break;
  /* Not all words were numbers, or there are too few of them. */
  if (*text || n != count)
    return brio_urdf_wrong(urdf, element, "%s='%.*s': expected %s", name, SHOWN, value, expected[count]);
  /* Check the range last, so that the message can show the whole attribute. */
  for (int i = 0; i < count; i++)
    if (fabs(numbers[i]) > most)
      return brio_urdf_wrong(urdf, element, "%s='%.*s': expected %s up to %g", name, SHOWN, value,
                             expected[count], most);
  memcpy(out, numbers, (size_t)count * sizeof *out);
  return true;
}

bool brio_urdf_numbers_if(brio_urdf *urdf, const brio_xml *element, const char *name, int count,
                          double *out) {
  return read_numbers(urdf, element, name, count, FARTHEST, out);
}

bool brio_urdf_limit_if(brio_urdf *urdf, const brio_xml *element, const char *name, double *out) {
  if (!read_numbers(urdf, element, name, 1, INFINITY, out)) return false;
  /* Exporters write a huge number where there is no limit. */
  if (fabs(*out) >= FARTHEST) *out = copysign(INFINITY, *out);
  return true;
}

bool brio_urdf_numbers(brio_urdf *urdf, const brio_xml *element, const char *name, int count, double *out) {
  const char *value;
  return brio_urdf_text(urdf, element, name, &value) && brio_urdf_numbers_if(urdf, element, name, count, out);
}

bool brio_urdf_origin(brio_urdf *urdf, const brio_xml *element, brio_pose *pose) {
  const brio_xml *origin = brio_xml_child(element, "origin");
  double xyz[3] = {0}, rpy[3] = {0};
  /* Missing attributes are 0: no offset, no rotation. */
  *pose = BRIO_POSE_IDENTITY;
  if (!origin) return true;
  if (!brio_urdf_numbers_if(urdf, origin, "xyz", 3, xyz) ||
      !brio_urdf_numbers_if(urdf, origin, "rpy", 3, rpy))
    return false;
  *pose = (brio_pose){{xyz[0], xyz[1], xyz[2]}, brio_quat_from_rpy(rpy[0], rpy[1], rpy[2])};
  return true;
}
