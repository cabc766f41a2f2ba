/* Defaults of MJCF: classes inside each other, of which an element takes the attributes that it does not have
** itself. */
#include <assert.h>
#include <string.h>

#include "robot/formats/mjcf_internal.h"

enum { MAX_CLASSES = 4000 };

/* All kinds of actuators: their defaults are those of <general>. */
static const char *const actuators[] = {"general", "motor",    "position", "velocity", "intvelocity",
                                        "damper",  "cylinder", "muscle",   "adhesion", NULL};

/* What defaults call the element: they have one entry for all actuators, and one for all of <equality>. */
static const char *family_of(const brio_xml *element) {
  const char *section = element->parent ? element->parent->name : "";
  /* The section decides for elements in use, the name for those inside a <default>. */
  if (strcmp(section, "actuator") == 0) return actuators[0];
  if (strcmp(section, "equality") == 0) return section;
  for (int i = 0; strcmp(section, "default") == 0 && actuators[i]; i++)
    if (strcmp(element->name, actuators[i]) == 0) return actuators[0];
  return element->name;
}

bool brio_mjcf_is_actuator(const brio_xml *element) {
  for (int i = 0; actuators[i]; i++)
    if (strcmp(element->name, actuators[i]) == 0) return true;
  return false;
}

/* The name of a class by its place, for brio_name_hint. */
static const char *class_at(const void *list, int i) {
  const brio_mjcf *mjcf = list;
  return i < mjcf->nclass ? mjcf->classes[i].name : NULL;
}

/* Add a class, or a piece of one: only the outermost may have several. Its place, or -1 and the error. */
static int add_class(brio_mjcf *mjcf, const brio_xml *element, int parent) {
  brio_draft *draft = mjcf->draft;
  const char *name = brio_xml_value(element, "class");
  if (!name && parent >= 0)
    return brio_draft_wrong(draft, element, "attribute 'class' is missing: expected <default class=\"...\">"),
           -1;
  /* The array does not grow. */
  if (mjcf->nclass == MAX_CLASSES)
    return brio_draft_wrong(draft, element, "more than %d classes of defaults", MAX_CLASSES), -1;
  /* Classes are numbered in the order of the file, so a parent comes before its children. */
  int place = mjcf->nclass++;
  mjcf->classes[place] = (brio_mjcf_class){name ? name : "main", parent, element, -1};
  /* The outermost class is the first, whatever its name, and may be given in pieces. */
  if (parent < 0 && place > 0) {
    int last = 0;
    while (mjcf->classes[last].more >= 0) last = mjcf->classes[last].more;
    mjcf->classes[last].more = place;
  }
  /* A nested class is new; the outermost one may be named again. */
  bool fresh = !name || brio_name_index_add(&mjcf->class_index, name, parent < 0 ? 0 : place);
  if (fresh || parent < 0) return parent < 0 ? 0 : place;
  return brio_draft_wrong(draft, element, "there is a class '%.80s' already: expected another name", name),
         -1;
}

/* Read a <default> and those inside it; XML is not nested deeper than 64. */
static bool read_class(brio_mjcf *mjcf, const brio_xml *element, int parent) {
  int place = add_class(mjcf, element, parent);
  if (place < 0) return false;
  for (const brio_xml *e = brio_xml_child(element, "default"); e; e = brio_xml_next(e, "default"))
    if (!read_class(mjcf, e, place)) return false;
  return true;
}

/* Whether the classes that an element and those below it name are there. */
static bool check_classes(brio_mjcf *mjcf, const brio_xml *element) {
  static const char *const names[] = {"class", "childclass"};
  for (int i = 0; i < 2; i++) {
    const char *name = brio_xml_value(element, names[i]);
    char hint[96];
    if (name && brio_name_index_find(&mjcf->class_index, name) < 0)
      return brio_draft_wrong(mjcf->draft, element, "%s='%.80s': there is no such class of defaults%s",
                              names[i], name, brio_name_hint(name, class_at, mjcf, hint));
  }
  /* <default>s were checked while they were read. */
  for (const brio_xml *e = element->child; e; e = e->next)
    if (strcmp(e->name, "default") != 0 && !check_classes(mjcf, e)) return false;
  return true;
}

bool brio_mjcf_read_classes(brio_mjcf *mjcf) {
  mjcf->classes = BRIO_TAKE(&mjcf->draft->scratch, brio_mjcf_class, MAX_CLASSES);
  if (!mjcf->classes || !brio_name_index_start(&mjcf->class_index, MAX_CLASSES + 1))
    return brio_draft_no_memory(mjcf->draft);
  brio_name_index_add(&mjcf->class_index, "main", 0);
  for (const brio_xml *e = brio_xml_child(mjcf->root, "default"); e; e = brio_xml_next(e, "default"))
    if (!read_class(mjcf, e, -1)) return false;
  return check_classes(mjcf, mjcf->root);
}

/* The class that an element names, else the nearest `childclass` around it, else the outermost. */
brio_mjcf_item brio_mjcf_item_of(const brio_mjcf *mjcf, const brio_xml *element) {
  const char *name = brio_xml_value(element, "class");
  for (const brio_xml *e = element->parent; e && !name; e = e->parent) name = brio_xml_value(e, "childclass");
  /* check_classes has found every name already. */
  int from = name ? brio_name_index_find(&mjcf->class_index, name) : 0;
  return (brio_mjcf_item){element, mjcf->nclass ? from : -1};
}

/* The value that one class gives to elements of a family; later pieces count more. */
static const char *value_of_class(const brio_mjcf *mjcf, int from, const char *family, const char *name) {
  const char *value = NULL;
  for (int piece = from; piece >= 0; piece = mjcf->classes[piece].more)
    for (const brio_xml *e = mjcf->classes[piece].element->child; e; e = e->next) {
      /* In the order of the file: the last value wins. */
      const char *found = strcmp(family_of(e), family) == 0 ? brio_xml_value(e, name) : NULL;
      if (found) value = found;
    }
  return value;
}

const char *brio_mjcf_value(const brio_mjcf *mjcf, const brio_mjcf_item *item, const char *name) {
  /* Outward: the element, its class, the class around that. */
  const char *value = brio_xml_value(item->element, name), *family = family_of(item->element);
  for (int from = item->from; from >= 0 && !value; from = mjcf->classes[from].parent) {
    assert(from < mjcf->nclass);
    value = value_of_class(mjcf, from, family, name);
  }
  return value;
}

const char *brio_mjcf_first(const brio_mjcf *mjcf, const brio_mjcf_item *item, const char *const *names,
                            const char **value) {
  const char *family = family_of(item->element);
  /* One of the names nearer to the element counts more than an earlier name further out. */
  for (int i = 0; names[i]; i++)
    if ((*value = brio_xml_value(item->element, names[i]))) return names[i];
  for (int from = item->from; from >= 0; from = mjcf->classes[from].parent)
    for (int i = 0; names[i]; i++)
      if ((*value = value_of_class(mjcf, from, family, names[i]))) return names[i];
  return NULL;
}
