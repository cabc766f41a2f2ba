/* Trees for tests, written as indented lines, with leaves whose results are scripted, and a log of the
** leaves that began.
**
**   KIND NAME [after=beginning | after=all | after=whole:NAME | after=NAME] [to=NAME]
**   [part=try|catch|finally] [PARAMETER=NUMBER]... and for `call`: [d=SECONDS] [r=RESULTS], one letter (s, f)
**   for each execution, the last one repeated; for `choose` one for each tick: the number of a child, a dot
**   for no change, s, f. */
#ifndef BRIO_TESTS_FOREST_H
#define BRIO_TESTS_FOREST_H

#include "tests/check.h"
#include "tree/tree.h"

enum { FOREST_MOST = 4096 };

typedef struct forest_leaf {
  char name[32];
  double duration;
  char results[32];
  int executions, stops, asked;
  bool chooses;
} forest_leaf;

typedef struct forest {
  brio_tree_plan plan;
  brio_tree *tree;
  forest_leaf leaves[FOREST_MOST];
  int leaf_count;
  double now;
  /* names of the scripted leaves in the order in which they began; '|' where a tick ends that began any */
  char log[65536];
} forest;

static inline brio_tree_status forest_work(void *data, int call, int unit, bool fresh, double elapsed,
                                           const char **why) {
  forest *self = data;
  forest_leaf *leaf = &self->leaves[call];
  (void)unit;
  if (fresh) {
    size_t used = strlen(self->log);
    snprintf(self->log + used, sizeof self->log - used, "%s ", leaf->name);
    leaf->executions++;
  }
  if (elapsed < leaf->duration - 1e-9) return BRIO_TREE_RUNNING;
  size_t length = strlen(leaf->results), at = (size_t)leaf->executions - 1;
  if (leaf->chooses) at = (size_t)leaf->asked++;
  char result = length == 0 ? 's' : leaf->results[at < length ? at : length - 1];
  if (result == 'f') *why = "scripted";
  if (result == '.') return BRIO_TREE_RUNNING;
  if (result >= '1' && result <= '9') return (brio_tree_status)(BRIO_TREE_CHOICE + result - '1');
  return result == 'f' ? BRIO_TREE_FAILURE : BRIO_TREE_SUCCESS;
}

static inline void forest_stop(void *data, int call, int unit) {
  (void)unit;
  ((forest *)data)->leaves[call].stops++;
}

static inline void forest_after(brio_tree_say *say, char *value) {
  if (strcmp(value, "beginning") == 0) say->after = BRIO_TREE_AFTER_BEGINNING;
  else if (strcmp(value, "all") == 0) say->after = BRIO_TREE_AFTER_ALL;
  else if (strncmp(value, "whole:", 6) == 0) say->after = BRIO_TREE_AFTER_WHOLE, say->anchor = value + 6;
  else say->after = BRIO_TREE_AFTER_NODE, say->anchor = value;
}

static inline void forest_word(forest *self, brio_tree_say *say, char *word) {
  char *value = strchr(word, '=');
  if (!value) { say->name = word; return; }
  *value++ = 0;
  const brio_tree_kind *kind = brio_tree_kinds[brio_tree_kind_find(say->kind)];
  int param = brio_tree_param_find(kind, word);
  forest_leaf *leaf = &self->leaves[self->leaf_count];
  if (strcmp(word, "after") == 0) forest_after(say, value);
  else if (strcmp(word, "part") == 0)
    say->part = *value == 't' ? BRIO_TREE_TRY : *value == 'c' ? BRIO_TREE_CATCH : BRIO_TREE_FINALLY;
  else if (strcmp(word, "d") == 0) leaf->duration = atof(value);
  else if (strcmp(word, "r") == 0) snprintf(leaf->results, sizeof leaf->results, "%s", value);
  else if (param >= 0) say->params[param] = atof(value);
  else if (strcmp(word, "to") == 0) say->to = value;
}

/* Read a tree; return false, with a message in `err`, when it is invalid. */
static inline bool forest_read(forest *self, const char *text, brio_error *err) {
  static char copy[1 << 20];
  int parents[256], line_end = 0;
  memset(self, 0, sizeof *self);
  brio_tree_plan_start(&self->plan);
  snprintf(copy, sizeof copy, "%s", text);
  for (char *line = copy, *next; *line; line = next) {
    next = strchr(line, '\n');
    if (next) *next++ = 0;
    else next = line + strlen(line);
    int depth = (int)strspn(line, " ");
    char *place, *word = strtok_r(line + depth, " ", &place);
    if (!word) continue;
    brio_tree_say say = brio_tree_say_of(word, depth == 0 ? -1 : parents[depth - 1]);
    while ((word = strtok_r(NULL, " ", &place))) forest_word(self, &say, word);
    int kind = brio_tree_kind_find(say.kind);
    if (kind >= 0 && brio_tree_kinds[kind]->calls) {
      say.call = self->leaf_count++;
      self->leaves[say.call].chooses = strcmp(say.kind, "choose") == 0;
      snprintf(self->leaves[say.call].name, sizeof self->leaves->name, "%s", say.name ? say.name : "?");
    }
    parents[depth] = brio_tree_plan_add(&self->plan, &say, err);
    if (parents[depth] < 0) return false;
    line_end++;
  }
  if (!brio_tree_plan_finish(&self->plan, err)) return false;
  brio_tree_host host = {self, forest_work, forest_stop, NULL};
  self->tree = brio_tree_new(&self->plan, &host, err);
  return self->tree != NULL;
}

static inline forest *forest_of(const char *text) {
  forest *self = calloc(1, sizeof *self);
  brio_error err = {0};
  if (!forest_read(self, text, &err)) CHECK(false, "%s", err.message);
  return self;
}

static inline void forest_end(forest *self) {
  brio_tree_free(self->tree);
  brio_tree_plan_end(&self->plan);
  free(self);
}

/* Run a tick, `dt` after the last one. */
static inline brio_tree_status forest_tick(forest *self, double dt) {
  size_t before = strlen(self->log);
  brio_tree_status status = brio_tree_work(self->tree, self->now);
  self->now += dt;
  if (strlen(self->log) > before) strcat(self->log, "| ");
  return status;
}

/* Tick until nothing more happens by itself, at most `limit` seconds; return the status. */
static inline brio_tree_status forest_finish(forest *self, double dt, double limit) {
  brio_tree_status status = BRIO_TREE_RUNNING;
  while (status == BRIO_TREE_RUNNING && self->now < limit) status = forest_tick(self, dt);
  return status;
}

/* Begin, run to the end with 0.1 s a tick, and compare result and log with the expected ones. */
static inline void forest_expect(const char *text, brio_tree_status status, const char *log) {
  forest *self = forest_of(text);
  if (self->tree) {
    brio_tree_begin(self->tree);
    brio_tree_status found = forest_finish(self, 0.1, 100);
    CHECK(found == status, "%s, expected %s: %s", brio_tree_status_name(found), brio_tree_status_name(status),
          text);
    CHECK(strcmp(self->log, log) == 0, "'%s', expected '%s': %s", self->log, log, text);
  }
  forest_end(self);
}

#endif
