/* <include file="..."/> of MJCF: the contents of another file in its place, anywhere.  As in MuJoCo a file is
** included once, so that no file can include itself. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "robot/formats/mjcf_internal.h"

enum { MAX_FILES = 200 };

typedef struct includer {
  brio_mjcf *mjcf;
  brio_name_index files; /* by path: the line of the <include> */
} includer;

/* Write the path of `file` as seen from the folder of `from`.  False: it is too long. */
static bool write_path(const char *file, const char *from, char *out, size_t size) {
  const char *slash = strrchr(from, '/');
  /* An absolute path stays; a relative one is put behind the folder of `from`. */
  int folder = file[0] == '/' || !slash ? 0 : (int)(slash - from) + 1;
  int n = snprintf(out, size, "%.*s%s", folder, from, file);
  return n >= 0 && (size_t)n < size;
}

/* Find the file beside the main one, else beside the one that includes it. */
static bool find_file(includer *in, const brio_xml *include, char *path, size_t size) {
  brio_draft *draft = in->mjcf->draft;
  const char *file;
  if (!brio_draft_text(draft, include, "file", &file)) return false;
  const char *const from[] = {draft->robot->file, include->file};
  for (int i = 0; i < 2; i++) {
    if (!write_path(file, from[i], path, size))
      return brio_draft_wrong(draft, include, "file='%.200s': the path is too long", file);
    /* The first place that has the file counts. */
    if (access(path, F_OK) == 0) return true;
  }
  return brio_draft_wrong(draft, include, "there is no file '%.200s': expected one beside '%.200s'", file,
                          draft->robot->file);
}

/* Open the file of an <include>. NULL: the error is set. */
static brio_xml *open_file(includer *in, const brio_xml *include) {
  brio_draft *draft = in->mjcf->draft;
  char path[PATH_MAX];
  if (!find_file(in, include, path, sizeof path)) return NULL;
  const char *kept = brio_arena_text(&draft->scratch, path, strlen(path));
  if (!kept) return brio_draft_no_memory(draft), NULL;
  /* Each file once, as in MuJoCo: so the number of files and the depth are limited. */
  if (in->files.count == MAX_FILES) {
    brio_draft_wrong(draft, include, "more than %d files are included", MAX_FILES);
    return NULL;
  }
  if (!brio_name_index_add(&in->files, kept, include->line)) {
    brio_draft_wrong(draft, include, "'%.200s' is included in line %d already: expected each file once", path,
                     brio_name_index_find(&in->files, kept));
    return NULL;
  }
  brio_xml_document *document = brio_draft_open(draft, kept);
  if (!document) return brio_fail_in(draft->err, "%s:%d: <include>", include->file, include->line), NULL;
  /* MuJoCo accepts a whole model, too; then its contents are included. */
  const char *name = document->root->name;
  if (strcmp(name, "mujoco") == 0 || strcmp(name, "mujocoinclude") == 0) return document->root;
  brio_draft_wrong(draft, document->root,
                   "the first element is <%.40s>: expected <mujocoinclude> or <mujoco>", name);
  return NULL;
}

/* Replace the <include> that `at` points to by the children of `root`. */
static void replace(brio_xml **at, brio_xml *root) {
  brio_xml *include = *at;
  /* The last new element is followed by what followed the <include>. */
  if (root->child) root->last->next = include->next;
  for (brio_xml *e = root->child; e && e != include->next; e = e->next) e->parent = include->parent;
  *at = root->child ? root->child : include->next;
}

/* Replace the includes among the children of an element, what they bring included, and below them. */
static bool expand(includer *in, brio_xml *element, int depth) {
  if (depth > BRIO_XML_DEEPEST)
    return brio_draft_wrong(in->mjcf->draft, element,
                            "with its includes, elements are nested more than %d deep", BRIO_XML_DEEPEST);
  /* The last child is set again, as it may have been an <include>. */
  element->last = NULL;
  for (brio_xml **at = &element->child; *at;) {
    if (strcmp((*at)->name, "include") == 0) {
      brio_xml *root = open_file(in, *at);
      if (!root) return false;
      replace(at, root);
      /* The new elements are at this place now, and may be includes themselves. */
      continue;
    }
    if (!expand(in, *at, depth + 1)) return false;
    element->last = *at;
    at = &(*at)->next;
  }
  return true;
}

bool brio_mjcf_include(brio_mjcf *mjcf) {
  includer in = {.mjcf = mjcf};
  /* The main file is one of them: it cannot be included in itself. */
  bool good = brio_name_index_start(&in.files, MAX_FILES) &&
              brio_name_index_add(&in.files, mjcf->draft->robot->file, 1);
  good = good ? expand(&in, mjcf->root, 1) : brio_draft_no_memory(mjcf->draft);
  brio_name_index_end(&in.files);
  return good;
}
