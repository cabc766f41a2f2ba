/* A document of elements and attributes, read whole from XML text: what robot descriptions need.  Text
** between elements is not kept; that of elements without others inside is, for readers that ask for it. */
#ifndef BRIO_ROBOT_XML_H
#define BRIO_ROBOT_XML_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

enum { BRIO_XML_DEEPEST = 64, BRIO_XML_MOST = 1000000 }; /* elements inside each other; in all */

typedef struct brio_xml_attribute {
  const char *name, *value;
} brio_xml_attribute;

typedef struct brio_xml {
  const char *name;
  const char *file; /* as given to brio_xml_parse, which keeps no copy */
  int line, column; /* where its tag begins, from 1 */
  const char *text; /* in it, where texts are kept, and it has no elements; else NULL */
  int nattribute;
  const brio_xml_attribute *attributes;
  struct brio_xml *parent, *child, *last, *next; /* child: the first; last: the last child */
} brio_xml;

typedef struct brio_xml_document {
  brio_xml *root;
  int count; /* elements */
  brio_arena arena;
} brio_xml_document;

/* Read `length` bytes; `file` stands for them in messages.  Entity declarations and external
** parts are refused.  Errors: format (not well-formed, cut off), limit, no_memory; nothing is
** to be given back then. */
bool brio_xml_parse(brio_xml_document *document, const char *text, size_t length, const char *file,
                    brio_error *err);

/* The same, and keep the texts of elements. */
bool brio_xml_parse_texts(brio_xml_document *document, const char *text, size_t length, const char *file,
                          brio_error *err);

/* Give a document back. */
void brio_xml_end(brio_xml_document *document);

/* Return the value of an attribute, or NULL when it is not there. */
const char *brio_xml_value(const brio_xml *element, const char *name);

/* Return the first child of that name, or NULL; the next sibling of that name, or NULL. */
const brio_xml *brio_xml_child(const brio_xml *element, const char *name);
const brio_xml *brio_xml_next(const brio_xml *element, const char *name);

#endif
