/* XML to a tree of elements, by libexpat. The text is not trusted: entities are rejected before they can
** multiply, depth and number of elements are limited, and nothing outside the text is opened. */
#include "robot/xml.h"

#include <assert.h>
#include <expat.h>
#include <limits.h>
#include <string.h>

#include "base/text.h"

/* The state of a reader. */
typedef struct xml_reader {
  brio_xml_document *document;
  XML_Parser parser;
  brio_xml *open; /* innermost element that is not closed */
  int depth;
  const char *file;
  brio_error *err;
  bool refused;     /* we stopped the parser and said why */
  brio_text inside; /* since the last tag; unused unless texts are kept */
} xml_reader;

/* The line that expat has reached, from 1. */
static int line_now(const xml_reader *reader) { return (int)XML_GetCurrentLineNumber(reader->parser); }

/* Stop parsing with a sentence; only the first one is kept. */
static void refuse(xml_reader *reader, brio_code code, const char *sentence) {
  if (reader->refused) return;
  reader->refused = true;
  brio_fail(reader->err, code, "%s:%d: %s", reader->file, line_now(reader), sentence);
  XML_StopParser(reader->parser, XML_FALSE);
}

/* Copy pairs of name and value, which end at NULL, into the element. False: no memory. */
static bool copy_attributes(brio_arena *arena, brio_xml *element, const char **pairs) {
  /* Two passes, so that the array has exactly the size it needs. */
  int count = 0;
  while (pairs[2 * count]) count++;
  brio_xml_attribute *attributes = BRIO_TAKE(arena, brio_xml_attribute, count);
  if (!attributes) return false;
  for (int i = 0; i < count; i++) {
    attributes[i].name = brio_arena_text(arena, pairs[2 * i], strlen(pairs[2 * i]));
    attributes[i].value = brio_arena_text(arena, pairs[2 * i + 1], strlen(pairs[2 * i + 1]));
    if (!attributes[i].name || !attributes[i].value) return false;
  }
  element->attributes = attributes;
  element->nattribute = count;
  return true;
}

/* An element begins: append it to the children of the innermost open element. O(attributes) */
static void on_start(void *context, const char *name, const char **pairs) {
  xml_reader *reader = context;
  brio_xml_document *document = reader->document;
  if (reader->refused) return;
  if (++reader->depth > BRIO_XML_DEEPEST) {
    refuse(reader, BRIO_LIMIT, "elements are nested more than 64 deep");
    return;
  }
  if (++document->count > BRIO_XML_MOST) {
    refuse(reader, BRIO_LIMIT, "the file has more than 1000000 elements");
    return;
  }
  brio_xml *element = BRIO_TAKE(&document->arena, brio_xml, 1);
  if (element) element->name = brio_arena_text(&document->arena, name, strlen(name));
  if (!element || !element->name || !copy_attributes(&document->arena, element, pairs)) {
    refuse(reader, BRIO_NO_MEMORY, "no memory for the file's elements");
    return;
  }
  /* Positions are for messages; expat counts columns from 0. */
  element->file = reader->file;
  element->line = line_now(reader);
  element->column = (int)XML_GetCurrentColumnNumber(reader->parser) + 1;
  element->parent = reader->open;
  /* The last child is kept, so that appending is O(1). */
  if (!reader->open) document->root = element;
  else if (!reader->open->child) reader->open->child = element;
  else reader->open->last->next = element;
  if (reader->open) reader->open->last = element;
  reader->open = element;
  brio_text_clear(&reader->inside);
}

/* Text in an element, in pieces: entities and CDATA are resolved, comments left out. */
static void on_text(void *context, const char *piece, int length) {
  xml_reader *reader = context;
  assert(length >= 0);
  if (!reader->refused) brio_text_add(&reader->inside, piece, (size_t)length);
}

/* Keep the text of an element that ends, if it has no others inside. */
static void keep_text(xml_reader *reader, brio_xml *element) {
  const brio_text *inside = &reader->inside;
  const char *bytes = inside->length > 0 ? inside->bytes : "";
  if (!element->child) element->text = brio_arena_text(&reader->document->arena, bytes, inside->length);
  if (inside->failed || (!element->child && !element->text))
    refuse(reader, BRIO_NO_MEMORY, "no memory for the file's texts");
}

/* An element ends: its parent becomes the innermost open one. */
static void on_end(void *context, const char *name) {
  xml_reader *reader = context;
  (void)name;
  if (reader->refused) return;
  assert(reader->open && reader->depth > 0);
  reader->depth--;
  reader->open = reader->open->parent;
}

/* The same with its text. */
static void on_end_with_text(void *context, const char *name) {
  xml_reader *reader = context;
  if (!reader->refused) keep_text(reader, reader->open);
  brio_text_clear(&reader->inside);
  on_end(context, name);
}

/* Entities can expand without limit ("billion laughs"): none is allowed. */
static void on_entity(void *context, const char *name, int is_parameter, const char *value, int length,
                      const char *base, const char *system, const char *public, const char *notation) {
  (void)name, (void)is_parameter, (void)value, (void)length;
  (void)base, (void)system, (void)public, (void)notation;
  refuse(context, BRIO_FORMAT, "entities are declared here; a robot description may not declare any");
}

/* An internal document type is harmless; an external one would have to be opened. */
static void on_doctype(void *context, const char *name, const char *system, const char *public, int inner) {
  (void)name, (void)public, (void)inner;
  if (system) refuse(context, BRIO_FORMAT, "an external document type is named; it is not opened");
}

/* Report why expat failed, with the position and, if the text ends too early, the element that is still
** open. */
static bool fail_parse(const xml_reader *reader) {
  enum XML_Error code = XML_GetErrorCode(reader->parser);
  int line = line_now(reader), column = (int)XML_GetCurrentColumnNumber(reader->parser) + 1;
  if (reader->refused) return false;
  if (code == XML_ERROR_NO_MEMORY)
    return brio_fail(reader->err, BRIO_NO_MEMORY, "no memory to read %s", reader->file);
  /* Errors that mean that the text ends inside an element. */
  bool ended = code == XML_ERROR_NO_ELEMENTS || code == XML_ERROR_UNCLOSED_TOKEN ||
               code == XML_ERROR_PARTIAL_CHAR || code == XML_ERROR_UNCLOSED_CDATA_SECTION;
  if (ended && reader->open)
    return brio_fail(reader->err, BRIO_FORMAT,
                     "%s:%d:%d: the XML is cut off: <%s> of line %d is never closed by </%s>", reader->file,
                     line, column, reader->open->name, reader->open->line, reader->open->name);
  if (ended)
    return brio_fail(reader->err, BRIO_FORMAT, "%s:%d:%d: there is no complete XML element in the file",
                     reader->file, line, column);
  return brio_fail(reader->err, BRIO_FORMAT, "%s:%d:%d: not well-formed XML: %s", reader->file, line, column,
                   XML_ErrorString(code));
}

/* Parse; `texts`: keep them. */
static bool parse(brio_xml_document *document, const char *text, size_t length, const char *file, bool texts,
                  brio_error *err) {
  xml_reader reader = {.document = document, .file = file, .err = err};
  memset(document, 0, sizeof *document);
  /* expat takes the length as an int. */
  if (length > INT_MAX) return brio_fail(err, BRIO_LIMIT, "%s is larger than %d bytes", file, INT_MAX);
  reader.parser = XML_ParserCreate(NULL);
  if (!reader.parser) return brio_fail(err, BRIO_NO_MEMORY, "no memory to read %s", file);
  brio_arena_start(&document->arena, 1 << 16);
  XML_SetUserData(reader.parser, &reader);
  XML_SetElementHandler(reader.parser, on_start, texts ? on_end_with_text : on_end);
  if (texts) XML_SetCharacterDataHandler(reader.parser, on_text);
  /* Without handlers expat would expand internal entities. */
  XML_SetEntityDeclHandler(reader.parser, on_entity);
  XML_SetStartDoctypeDeclHandler(reader.parser, on_doctype);
  /* A failure that was reported in a handler keeps its sentence. */
  bool good = XML_Parse(reader.parser, text, (int)length, 1) == XML_STATUS_OK || fail_parse(&reader);
  XML_ParserFree(reader.parser);
  brio_text_end(&reader.inside);
  if (!good) brio_xml_end(document);
  return good;
}

bool brio_xml_parse(brio_xml_document *document, const char *text, size_t length, const char *file,
                    brio_error *err) {
  return parse(document, text, length, file, false, err);
}

bool brio_xml_parse_texts(brio_xml_document *document, const char *text, size_t length, const char *file,
                          brio_error *err) {
  return parse(document, text, length, file, true, err);
}

void brio_xml_end(brio_xml_document *document) {
  brio_arena_end(&document->arena);
  memset(document, 0, sizeof *document);
}

/* Linear: elements of a URDF have few attributes. */
const char *brio_xml_value(const brio_xml *element, const char *name) {
  for (int i = 0; i < element->nattribute; i++)
    if (strcmp(element->attributes[i].name, name) == 0) return element->attributes[i].value;
  return NULL;
}

/* The first of `element` and its later siblings with this name; NULL: there is none. */
static const brio_xml *first_named(const brio_xml *element, const char *name) {
  while (element && strcmp(element->name, name) != 0) element = element->next;
  return element;
}

const brio_xml *brio_xml_child(const brio_xml *element, const char *name) {
  return first_named(element->child, name);
}

const brio_xml *brio_xml_next(const brio_xml *element, const char *name) {
  return first_named(element->next, name);
}
