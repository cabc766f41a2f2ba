/* brio.line: a line that a person types at a terminal, with editing and history (libedit).
** Nothing waits: the caller watches the terminal and reads what is there, and may print above the
** line at any time.
**
** The terminal is in libedit's editing mode from open to close, without signals from keys: Ctrl-C
** is a key like others.  Where the line is on the screen only libedit knows; it is erased here from
** the widths of its characters, and drawn anew by libedit. */
#include <histedit.h>
#include <lauxlib.h>
#include <locale.h>
#include <lua.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#include "lua/lua_args.h"

#define CLASS "brio.line"

enum { REMEMBERED = 1000, PROMPT = 64, COLUMNS = 80 };

typedef struct editor {
  EditLine *el;           /* NULL: closed */
  History *history;
  const char *happened;   /* what the key that was read asked for, or NULL */
  char prompt[PROMPT];
} editor;

static editor *editor_of(EditLine *el) {
  void *self = NULL;
  el_get(el, EL_CLIENTDATA, &self);
  return self;
}

static editor *editor_at(lua_State *L, int arg) {
  editor *self = luaL_checkudata(L, arg, CLASS);
  luaL_argcheck(L, self->el, arg, "the editor was closed");
  return self;
}

static char *show_prompt(EditLine *el) { return editor_of(el)->prompt; }

/* ---- keys of our own ---- */

static unsigned char happen(EditLine *el, const char *what) {
  editor_of(el)->happened = what;
  return CC_NORM;
}

static unsigned char on_cancel(EditLine *el, int key) {
  (void)key;
  return happen(el, "cancel");
}

static unsigned char on_complete(EditLine *el, int key) {
  (void)key;
  return happen(el, "complete");
}

/* Ctrl-D: the end where nothing was typed, else the character under the cursor goes. */
static unsigned char on_end(EditLine *el, int key) {
  const LineInfo *line = el_line(el);
  (void)key;
  if (line->lastchar == line->buffer) return happen(el, "end");
  if (line->cursor == line->lastchar) return CC_ERROR;
  el_cursor(el, 1);
  el_deletestr(el, 1);
  return CC_REFRESH;
}

static const struct {
  const char *name, *key;
  unsigned char (*act)(EditLine *, int);
} keys[] = {{"brio-cancel", "^C", on_cancel}, {"brio-complete", "^I", on_complete}, {"brio-end", "^D", on_end}};

/* ---- the line on the screen ---- */

/* Columns that a text takes. */
static int width_of(const char *text, const char *end) {
  mbstate_t state = {0};
  int width = 0;
  while (text < end) {
    wchar_t c;
    size_t length = mbrtowc(&c, text, (size_t)(end - text), &state);
    if (length == 0 || length > (size_t)(end - text)) {
      state = (mbstate_t){0};
      length = 1;
      c = L'?';
    }
    int columns = wcwidth(c);
    width += columns < 0 ? 2 : columns; /* ^X */
    text += length;
  }
  return width;
}

/* Erase the line and its prompt; the cursor stands where they began. */
static void erase(editor *self) {
  const LineInfo *line = el_line(self->el);
  struct winsize size = {0};
  int columns = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : COLUMNS;
  int before = width_of(self->prompt, self->prompt + strlen(self->prompt)) + width_of(line->buffer, line->cursor);
  for (int i = before / columns; i > 0; i--) fputs("\033[A", stdout);
  fputs("\r\033[J", stdout);
}

static void redraw(editor *self) {
  fflush(stdout);
  el_set(self->el, EL_REFRESH);
}

/* An empty line begins: libedit forgets the last one when editing starts anew. */
static void begin_line(editor *self) {
  el_set(self->el, EL_UNBUFFERED, 0);
  el_set(self->el, EL_UNBUFFERED, 1);
}

/* ---- Lua ---- */

static bool start(editor *self) {
  HistEvent event;
  self->el = el_init("brio", stdin, stdout, stderr);
  self->history = history_init();
  if (!self->el || !self->history) return false;
  history(self->history, &event, H_SETSIZE, REMEMBERED);
  history(self->history, &event, H_SETUNIQUE, 1);
  el_set(self->el, EL_CLIENTDATA, self);
  el_set(self->el, EL_PROMPT, show_prompt);
  el_set(self->el, EL_EDITOR, "emacs");
  el_set(self->el, EL_SIGNAL, 0);
  el_set(self->el, EL_HIST, history, self->history);
  el_set(self->el, EL_SETTY, "-d", "-isig", NULL);
  el_set(self->el, EL_BIND, "^R", "em-inc-search-prev", NULL);
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    el_set(self->el, EL_ADDFN, keys[i].name, keys[i].name, keys[i].act);
    el_set(self->el, EL_BIND, keys[i].key, keys[i].name, NULL);
  }
  el_set(self->el, EL_UNBUFFERED, 1);
  return true;
}

/* line.open() -> editor | nil, sentence, code
** Begin to edit at the terminal that is standard input and output: only one editor at a time. */
static int open_editor(lua_State *L) {
  brio_error err;
  if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
    brio_fail(&err, BRIO_DEVICE, "a line can be edited at a terminal only");
    return brio_lua_failed(L, &err);
  }
  setlocale(LC_CTYPE, ""); /* how characters are written; never how numbers are */
  editor *self = lua_newuserdatauv(L, sizeof *self, 0);
  *self = (editor){0};
  luaL_setmetatable(L, CLASS);
  if (start(self)) return 1;
  brio_fail(&err, BRIO_NO_MEMORY, "no memory for the line editor");
  return brio_lua_failed(L, &err);
}

/* editor:prompt(text)
** Say what stands before the line, at most 63 bytes, and draw the line anew. */
static int prompt(lua_State *L) {
  editor *self = editor_at(L, 1);
  const char *text = luaL_checkstring(L, 2);
  erase(self);
  snprintf(self->prompt, sizeof self->prompt, "%s", text);
  redraw(self);
  return 0;
}

/* Whether a key waits; `*gone`: the terminal is. */
static bool key_waits(bool *gone) {
  struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
  int waiting = 0;
  if (poll(&in, 1, 0) != 1) return false;
  ioctl(STDIN_FILENO, FIONREAD, &waiting);
  *gone = waiting <= 0;
  return !*gone;
}

/* Push what a key asked for and the text it is about. */
static int push_event(lua_State *L, editor *self) {
  const LineInfo *line = el_line(self->el);
  lua_pushstring(L, self->happened);
  lua_pushlstring(L, line->buffer, (size_t)(line->cursor - line->buffer));
  self->happened = NULL;
  if (strcmp(lua_tostring(L, -2), "cancel") != 0) return 2;
  fputs("^C\n", stdout);
  fflush(stdout);
  begin_line(self);
  return 2;
}

/* Push a line that was ended; the prompt is taken away, until it is said again. */
static int push_line(lua_State *L, editor *self, const char *text, size_t length) {
  lua_pushliteral(L, "line");
  lua_pushlstring(L, text, length);
  self->prompt[0] = 0;
  begin_line(self);
  return 2;
}

/* editor:read() -> what, text or nil
** Take the keys that wait, until one asks for something: "line" (with its text; the prompt is gone
** then), "complete" (with the text before the cursor), "cancel", or "end"; nil when none is left. */
static int read_keys(lua_State *L) {
  editor *self = editor_at(L, 1);
  bool gone = false;
  while (key_waits(&gone)) {
    int count = 0;
    const char *text = el_gets(self->el, &count);
    if (self->happened) return push_event(L, self);
    if (text && count > 0 && text[count - 1] == '\n') return push_line(L, self, text, (size_t)count - 1);
  }
  if (!gone) return 0;
  lua_pushliteral(L, "end");
  return 1;
}

/* editor:insert(text)
** Put a text where the cursor is. */
static int insert(lua_State *L) {
  editor *self = editor_at(L, 1);
  const char *text = luaL_checkstring(L, 2);
  erase(self);
  el_insertstr(self->el, text);
  redraw(self);
  return 0;
}

/* editor:print(text)
** Print lines above the one that is edited, which stays as it is. */
static int print(lua_State *L) {
  size_t length;
  editor *self = editor_at(L, 1);
  const char *text = luaL_checklstring(L, 2, &length);
  erase(self);
  fwrite(text, 1, length, stdout);
  fputc('\n', stdout);
  redraw(self);
  return 0;
}

/* editor:remember(text)
** Add a line to the history; the last 1000 are kept. */
static int remember(lua_State *L) {
  HistEvent event;
  editor *self = editor_at(L, 1);
  history(self->history, &event, H_ENTER, luaL_checkstring(L, 2));
  return 0;
}

/* editor:resize()
** The terminal has another size now. */
static int resize(lua_State *L) {
  editor *self = editor_at(L, 1);
  erase(self);
  el_resize(self->el);
  redraw(self);
  return 0;
}

static int collect(lua_State *L) {
  editor *self = luaL_checkudata(L, 1, CLASS);
  if (self->el) {
    el_set(self->el, EL_UNBUFFERED, 0);
    el_end(self->el);
  }
  if (self->history) history_end(self->history);
  *self = (editor){0};
  return 0;
}

/* editor:close()
** Give the terminal back as it was; may be called again. */
static int close_editor(lua_State *L) { return collect(L); }

int luaopen_brio_line(lua_State *L) {
  static const luaL_Reg methods[] = {{"prompt", prompt}, {"read", read_keys},     {"insert", insert},
                                     {"print", print},   {"remember", remember},  {"resize", resize},
                                     {"close", close_editor}, {NULL, NULL}};
  static const luaL_Reg functions[] = {{"open", open_editor}, {NULL, NULL}};
  brio_lua_class(L, CLASS, methods, collect);
  luaL_newlib(L, functions);
  return 1;
}
