/* Numbers and texts of a robot's file, and messages about them. Numbers are read in the C locale, whatever
** the user's language: "0,5" must not become 0 in Paris. No number is larger than brio_draft_farthest, so
** that no sum or product of a few of them overflows; only a limit may be, which means that there is none. */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "robot/formats/draft_internal.h"

enum { SHOWN = 60 }; /* characters of a value that a message shows */

const double brio_draft_farthest = 1e9;

/* The element that contains another one, for messages: the nearest of the draft's owner name around it, or
** the one below the root. NULL: there is none, or it has no name. */
static const brio_xml *owner_of(const brio_draft *draft, const brio_xml *element) {
  /* MJCF: the body around it; URDF: the link or joint below the root. */
  const brio_xml *owner = draft->owner ? element->parent : element;
  if (!draft->owner)
    while (owner->parent && owner->parent->parent) owner = owner->parent;
  while (draft->owner && owner && strcmp(owner->name, draft->owner) != 0) owner = owner->parent;
  return owner && brio_xml_value(owner, "name") ? owner : NULL;
}

/* Write "file:line: <axis> of joint 'elbow': " to `out`; without an element only the file. */
static void write_place(const brio_draft *draft, const brio_xml *element, char *out, size_t size) {
  /* What is of the whole file has no line. */
  if (!element) {
    snprintf(out, size, "%s: ", draft->robot->file);
    return;
  }
  const brio_xml *owner = owner_of(draft, element);
  const char *own = brio_xml_value(element, "name"), *name = owner ? brio_xml_value(owner, "name") : NULL;
  /* The file and line of the element itself, which may be in an included file. */
  int n = snprintf(out, size, "%s:%d: ", element->file, element->line);
  if (n < 0 || (size_t)n >= size) return;
  /* An element with a name of its own is shown with it; URDF's own elements are links and joints. */
  char self[140];
  bool named = own && (draft->owner || owner == element);
  if (named)
    snprintf(self, sizeof self, "%.40s '%.80s'", element->name, own);
  else
    snprintf(self, sizeof self, "<%.40s>", element->name);
  if (!owner || owner == element)
    snprintf(out + n, size - (size_t)n, "%s: ", self);
  else
    snprintf(out + n, size - (size_t)n, "%s of %.40s '%.80s': ", self, owner->name, name);
}

/* The error of a file: where, then what. Always false, so that callers can return it. */
bool brio_draft_wrong(brio_draft *draft, const brio_xml *element, const char *format, ...) {
  char place[600], sentence[600];
  va_list args;
  va_start(args, format);
  vsnprintf(sentence, sizeof sentence, format, args);
  va_end(args);
  write_place(draft, element, place, sizeof place);
  return brio_fail(draft->err, BRIO_FORMAT, "%s%s", place, sentence);
}

void brio_draft_warn(brio_draft *draft, const brio_xml *element, const char *format, ...) {
  char place[600], sentence[600], whole[1200];
  va_list args;
  va_start(args, format);
  vsnprintf(sentence, sizeof sentence, format, args);
  va_end(args);
  write_place(draft, element, place, sizeof place);
  /* Warnings outlive the document: they are kept in the robot's arena, in the order of the file. */
  snprintf(whole, sizeof whole, "%s%s", place, sentence);
  brio_draft_warning *warning = BRIO_TAKE(&draft->scratch, brio_draft_warning, 1);
  /* Without memory the warning is lost, but the robot is not. */
  const char *kept = warning ? brio_arena_text(&draft->robot->arena, whole, strlen(whole)) : NULL;
  if (!kept) return;
  warning->sentence = kept;
  if (draft->last_warning)
    draft->last_warning->next = warning;
  else
    draft->first_warning = warning;
  draft->last_warning = warning;
  draft->robot->nwarning++;
  brio_log_write(draft->options->log, BRIO_LOG_WARNING, "%s", whole);
}

bool brio_draft_no_memory(brio_draft *draft) {
  return brio_fail(draft->err, BRIO_NO_MEMORY, "no memory for the robot in %s", draft->robot->file);
}

const char *brio_draft_keep(brio_draft *draft, const char *text) {
  /* The document is freed after reading, the robot's arena is not. */
  const char *kept = brio_arena_text(&draft->robot->arena, text, strlen(text));
  if (!kept) brio_draft_no_memory(draft);
  return kept;
}

/* Whether a value has no expression left that xacro should have replaced; else an error. */
static bool expanded(brio_draft *draft, const brio_xml *element, const char *name, const char *value) {
  if (!strstr(value, "${") && !strstr(value, "$(")) return true;
  return brio_draft_wrong(
      draft, element,
      "%.40s='%.*s' is not expanded yet; expected the output of xacro (xacro FILE.xacro > "
      "FILE.urdf)",
      name, SHOWN, value);
}

bool brio_draft_text(brio_draft *draft, const brio_xml *element, const char *name, const char **out) {
  const char *value = brio_xml_value(element, name);
  if (!value)
    return brio_draft_wrong(draft, element, "attribute '%s' is missing: expected <%.40s %s=\"...\">", name,
                            element->name, name);
  /* An empty name would refer to nothing. */
  if (!*value) return brio_draft_wrong(draft, element, "attribute '%s' is empty", name);
  *out = value;
  return expanded(draft, element, name, value);
}

/* Read the number at `*text` and move behind it. Hexadecimal numbers, "nan" and "inf" are accepted by strtod,
** but are not URDF. */
static bool read_number(const brio_draft *draft, const char **text, double *out) {
  /* The first character behind the sign decides. */
  const char *digits = *text + strspn(*text, "+-");
  char *end;
  if (!isdigit((unsigned char)*digits) && *digits != '.') return false;
  if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) return false;
  *out = strtod_l(*text, &end, draft->c_locale);
  if (end == *text || !isfinite(*out)) return false;
  *text = end;
  return *end == 0 || isspace((unsigned char)*end);
}

/* Write how many numbers are expected: "a finite number", "three finite numbers", "1 to 3 finite numbers". */
static void write_expected(int least, int count, char *out, size_t size) {
  static const char *const words[] = {"no", "a", "two", "three", "four", "five", "six", "seven", "eight"};
  if (least < count)
    snprintf(out, size, "%d to %d finite numbers", least, count);
  else
    snprintf(out, size, "%s finite number%s", words[count], count == 1 ? "" : "s");
}

/* Read up to `count` numbers that are separated by white space. Return how many, or -1: a word is no number,
** or one too many. */
static int scan(const brio_draft *draft, const char *text, int count, double *out) {
  int n = 0;
  for (text += strspn(text, " \t\r\n"); *text; text += strspn(text, " \t\r\n"), n++)
    if (n == count || !read_number(draft, &text, &out[n])) return -1;
  return n;
}

/* The first of some numbers that is not within +-most, or -1. */
static int find_large(const double *numbers, int count, double most) {
  for (int i = 0; i < count; i++)
    if (fabs(numbers[i]) > most) return i;
  return -1;
}

int brio_draft_list(brio_draft *draft, const brio_xml *element, const char *name, const char *value,
                    int least, int count, double most, double *out) {
  assert(0 < least && least <= count && count <= BRIO_DRAFT_NUMBERS);
  /* `out` is written only when all numbers are valid. */
  double numbers[BRIO_DRAFT_NUMBERS];
  char expected[48];
  if (!expanded(draft, element, name, value)) return -1;
  /* -1 is less than any least number: a word, or one number too many. */
  int n = scan(draft, value, count, numbers);
  write_expected(least, count, expected, sizeof expected);
  if (n < least)
    return brio_draft_wrong(draft, element, "%s='%.*s': expected %s", name, SHOWN, value, expected), -1;
  /* Check the range last, so that the message can show the whole attribute. */
  if (find_large(numbers, n, most) >= 0)
    return brio_draft_wrong(draft, element, "%s='%.*s': expected %s up to %g", name, SHOWN, value, expected,
                            most),
           -1;
  memcpy(out, numbers, (size_t)n * sizeof *out);
  return n;
}

bool brio_draft_row(brio_draft *draft, const brio_xml *element, const char *name, const char *value,
                    int count, double *out) {
  /* As brio_draft_list, for rows without a greatest length: straight into `out`. */
  int n = scan(draft, value, count, out);
  return (n == count && find_large(out, n, brio_draft_farthest) < 0) ||
         brio_draft_wrong(draft, element, "%s='%.*s': expected %d finite number%s up to %g", name, SHOWN,
                          value, count, count == 1 ? "" : "s", brio_draft_farthest);
}

/* Read an attribute of `count` numbers, each within +-most; if it is missing, `out` is unchanged. */
static bool read_numbers(brio_draft *draft, const brio_xml *element, const char *name, int count, double most,
                         double *out) {
  const char *value = brio_xml_value(element, name);
  return !value || brio_draft_list(draft, element, name, value, count, count, most, out) > 0;
}

bool brio_draft_numbers_if(brio_draft *draft, const brio_xml *element, const char *name, int count,
                           double *out) {
  return read_numbers(draft, element, name, count, brio_draft_farthest, out);
}

bool brio_draft_limit_if(brio_draft *draft, const brio_xml *element, const char *name, double *out) {
  if (!read_numbers(draft, element, name, 1, INFINITY, out)) return false;
  /* Exporters write a huge number where there is no limit. */
  if (fabs(*out) >= brio_draft_farthest) *out = copysign(INFINITY, *out);
  return true;
}

bool brio_draft_numbers(brio_draft *draft, const brio_xml *element, const char *name, int count,
                        double *out) {
  /* Missing and empty are errors here; what is there is read as above. */
  const char *value;
  return brio_draft_text(draft, element, name, &value) &&
         brio_draft_numbers_if(draft, element, name, count, out);
}
