/* The Lua module `brio.xml`: a document of elements and attributes from XML text (robot/xml.h), for readers
** of other programs' files. */
#include <lauxlib.h>

#include "lua/lua_args.h"
#include "robot/xml.h"

/* Push an element without its children: its name, where its tag begins, its attributes. */
static void push_element(lua_State *L, const brio_xml *element) {
  lua_createtable(L, 0, 5);
  brio_lua_set_text(L, "name", element->name);
  brio_lua_set_integer(L, "line", element->line);
  brio_lua_set_integer(L, "column", element->column);
  if (element->text) brio_lua_set_text(L, "text", element->text);
  lua_createtable(L, 0, element->nattribute);
  for (int i = 0; i < element->nattribute; i++)
    brio_lua_set_text(L, element->attributes[i].name, element->attributes[i].value);
  lua_setfield(L, -2, "attributes");
}

/* Push an element with its descendants; the parser has limited their depth to BRIO_XML_DEEPEST. */
static void push_tree(lua_State *L, const brio_xml *element) {
  luaL_checkstack(L, 6, "a deep document");
  push_element(L, element);
  /* Children are the list part of the element's table, in the order of the file. */
  lua_Integer count = 0;
  for (const brio_xml *child = element->child; child; child = child->next) {
    push_tree(L, child);
    lua_rawseti(L, -2, ++count);
  }
}

/* Free the document, also when memory for the tables ran out. */
static int end_document(lua_State *L) {
  brio_xml_end(lua_touserdata(L, 1));
  return 0;
}

/* Push the tree of a document, called protected, since it may run out of memory. */
static int push_document(lua_State *L) {
  const brio_xml_document *document = lua_touserdata(L, 1);
  push_tree(L, document->root);
  return 1;
}

/* xml.parse(text [, file, texts]) -> element, or nil, sentence, code
** Read a whole document. An element is {name, line, column, attributes = {name = text}, child, ...}; with
** `texts` one without children also has its `text`. Text between elements is not kept. `file` stands for
** the text in sentences. Codes: format (not well-formed, cut off, entities declared), limit (deeper than 64,
** over a million elements). */
static int parse(lua_State *L) {
  size_t length;
  const char *text = luaL_checklstring(L, 1, &length);
  const char *file = luaL_optstring(L, 2, "the text");
  brio_error err = {0};
  brio_xml_document document;
  bool good = lua_toboolean(L, 3) ? brio_xml_parse_texts(&document, text, length, file, &err)
                                  : brio_xml_parse(&document, text, length, file, &err);
  if (!good) return brio_lua_failed(L, &err);
  /* The document is freed on success and on failure. */
  lua_pushcfunction(L, push_document);
  lua_pushlightuserdata(L, &document);
  int status = lua_pcall(L, 1, 1, 0);
  lua_pushcfunction(L, end_document);
  lua_pushlightuserdata(L, &document);
  lua_call(L, 1, 0);
  return status == LUA_OK ? 1 : lua_error(L);
}

int luaopen_brio_xml(lua_State *L) {
  static const luaL_Reg functions[] = {{"parse", parse}, {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}
