/* Clouds from files, as they were recorded: one file (PCD, PLY, a raw frame); all files of a folder by
** name, one every `period`; or a list, a file of JSON lines {"t": 12.5, "file": "0001.pcd"}. As with
** messages from a file, the first cloud counts at the beginning, and each further one at its time after the
** first. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/json.h"
#include "base/text.h"
#include "feed/feed_internal.h"

enum { MAX_FILES = 100000 /* files */, MAX_LIST = 1 << 26 };

/* A file of the list, and its time. */
typedef struct entry {
  const char *name;  /* in `names` */
  double t;          /* s */
} entry;

/* The state of reading a list. */
typedef struct files {
  char folder[512];
  brio_text names;   /* holds the entries' names */
  entry *entries;    /* count */
  int count, next; /* number of entries; the next one */
  double begin, due; /* s of the run: begin of this round; time of the newest cloud */
  bool any;          /* this round had a cloud */
} files;

/* Ascending, for qsort. */
static int by_name(const void *a, const void *b) {
  return strcmp(((const entry *)a)->name, ((const entry *)b)->name);
}

/* Whether a name is longer than `end` and ends in it. */
static bool ends_in(const char *name, const char *end) {
  size_t n = strlen(name), m = strlen(end);
  return n > m && strcmp(name + n - m, end) == 0;
}

/* Append an entry; the list grows by 1024. False: too many, or no memory. */
static bool add(files *link, const char *name, double t, brio_error *err) {
  if (link->count == MAX_FILES) return brio_fail(err, BRIO_LIMIT, "more than %d clouds", MAX_FILES);
  /* Room for the next 1024. */
  if (link->count % 1024 == 0) {
    entry *more = realloc(link->entries, ((size_t)link->count + 1024) * sizeof *more);
    if (!more) return brio_fail(err, BRIO_NO_MEMORY, "no memory for a list of clouds");
    link->entries = more;
  }
  link->entries[link->count++] = (entry){name, t};
  return true;
}

/* List all clouds of the folder, sorted by name, `period` s apart. */
static bool list_folder(brio_feed *feed, files *link, brio_error *err) {
  if (!brio_text_list_folder(&link->names, link->folder, err)) return false;
  /* Names follow each other, each with its terminator. */
  for (size_t at = 0; at < link->names.length; at += strlen(link->names.bytes + at) + 1) {
    const char *name = link->names.bytes + at;
    if ((ends_in(name, ".pcd") || ends_in(name, ".ply") || ends_in(name, ".raw")) && !add(link, name, 0, err))
      return false;
  }
  if (link->count == 0)
    return brio_fail(err, BRIO_NO_FILE, "no .pcd, .ply or .raw is in %.400s", link->folder);
  /* Times follow from the order of names. */
  qsort(link->entries, (size_t)link->count, sizeof *link->entries, by_name);
  for (int i = 0; i < link->count; i++) link->entries[i].t = i * feed->options.period;
  return true;
}

/* Read one line of a list. Its name is unescaped in place, which never makes it longer. False: not such a
** line. */
static bool read_entry(char *line, size_t length, double *t, const char **name) {
  brio_json json = {line, line + length, false};
  /* `text` points into the line. */
  brio_json_text key, text = {NULL, 0};
  *t = NAN;
  if (!brio_json_take(&json, '{')) return false;
  /* The two known members; others are skipped. */
  do {
    if (!brio_json_key(&json, &key)) return false;
    bool good = brio_json_is(&key, "t")      ? brio_json_number(&json, t)
                : brio_json_is(&key, "file") ? brio_json_string(&json, &text)
                                             : brio_json_skip(&json, 8);
    if (!good) return false;
  } while (brio_json_take(&json, ','));
  /* Both members are required, and nothing may follow. */
  if (!brio_json_take(&json, '}') || !brio_json_over(&json) || !text.bytes || text.length == 0 ||
      !isfinite(*t))
    return false;
  /* `text` points into the line, which is writable. */
  char *place = line + (text.bytes - line), copy[512];
  if (!brio_json_copy(&text, copy, sizeof copy)) return false;
  memcpy(place, copy, strlen(copy) + 1); /* the closing quote makes room for the terminator */
  *name = place;
  return true;
}

/* Read a list of JSON lines. False: with the line that is wrong. */
static bool read_list(files *link, const char *path, brio_error *err) {
  if (!brio_text_read_file(&link->names, path, MAX_LIST, err)) return false;
  char *at = link->names.bytes, *end = at + link->names.length;
  for (int line = 1; at && at < end; line++) {
    char *stop = memchr(at, '\n', (size_t)(end - at));
    const char *name;
    double t;
    /* The last line may lack its newline. */
    if (!stop) stop = end;
    /* CR LF counts as a line end, too. */
    bool empty = stop == at || (stop == at + 1 && *at == '\r');
    if (!empty && !read_entry(at, (size_t)(stop - at), &t, &name))
      return brio_fail(err, BRIO_FORMAT, "%.400s, line %d: {\"t\": seconds, \"file\": \"name\"} was expected",
                       path, line);
    if (!empty && !add(link, name, t, err)) return false;
    at = stop + 1;
  }
  return link->count > 0 || brio_fail(err, BRIO_FORMAT, "%.400s lists no clouds", path);
}

/* Open a file, a folder or a list. False: cloud_file_close frees what there is. */
static bool cloud_file_open(brio_feed *feed, const char *rest, brio_error *err) {
  struct stat about;
  /* The state is freed by cloud_file_close also after a failure. */
  files *link = calloc(1, sizeof *link);
  if (!link) return brio_fail(err, BRIO_NO_MEMORY, "no memory for a feed");
  feed->link = link;
  link->begin = feed->options.begin;
  if (strlen(rest) >= sizeof link->folder)
    return brio_fail(err, BRIO_MISUSE, "a path has at most %zu bytes", sizeof link->folder - 1);
  /* A folder, or a regular file; a device could block. */
  if (stat(rest, &about) != 0 || !(S_ISDIR(about.st_mode) || S_ISREG(about.st_mode)))
    return brio_fail(err, BRIO_NO_FILE, "%.400s is no file and no folder", rest);
  snprintf(link->folder, sizeof link->folder, "%s", rest);
  if (S_ISDIR(about.st_mode)) return list_folder(feed, link, err);
  /* Names in a list are relative to its folder; a list without a folder is in the present one. */
  char *slash = strrchr(link->folder, '/');
  snprintf(slash ? slash : link->folder, 2, "%s", slash ? "" : ".");
  if (ends_in(rest, ".jsonl")) return read_list(link, rest, err);
  /* A single file is a list of one. */
  brio_text_add(&link->names, slash ? rest + (slash + 1 - link->folder) : rest,
                strlen(rest) - (slash ? (size_t)(slash + 1 - link->folder) : 0));
  return !link->names.failed && add(link, link->names.bytes, 0, err);
}

static void cloud_file_close(brio_feed *feed) {
  files *link = feed->link;
  brio_text_end(&link->names);
  free(link->entries);
  free(link);
}

/* Start the next round, or report the end. */
static void end_of_list(brio_feed *feed, files *link) {
  /* After a round without any readable cloud a further one would be useless. */
  if (!feed->options.again || !link->any) {
    atomic_store_explicit(&feed->over, true, memory_order_release);
    return;
  }
  /* The next round begins one period after the last cloud. */
  link->begin = link->due + feed->options.period / feed->options.speed;
  link->next = 0;
  link->any = false;
}

/* One round of the thread: read one cloud ahead of its time, as soon as the tick has left one free. */
static void cloud_file_work(brio_feed *feed) {
  files *link = feed->link;
  brio_error err;
  char path[1200];
  brio_cloud *cloud = brio_feed_clouds_back(&feed->clouds);
  if (atomic_load_explicit(&feed->over, memory_order_relaxed)) cloud = NULL;
  else if (link->next == link->count) end_of_list(feed, link);
  /* Nothing to do: all clouds wait for the tick, or the list has ended. */
  if (!cloud || link->next == link->count) {
    brio_feed_rest(1);
    return;
  }
  /* Absolute names stay; others are relative to the list's folder. */
  entry *e = &link->entries[link->next++];
  snprintf(path, sizeof path, "%s%s%s", e->name[0] == '/' ? "" : link->folder, e->name[0] == '/' ? "" : "/",
           e->name);
  brio_feed_meter_came(&feed->meter, 0);
  /* An unreadable file is counted, and the next one read. */
  if (!brio_cloud_load(cloud, path, &feed->options.cloud, &err)) {
    brio_feed_refuse(&feed->meter,
                     err.code == BRIO_NO_FILE || err.code == BRIO_IO ? BRIO_FEED_READ : BRIO_FEED_CUT,
                     "%.200s", err.message);
    return;
  }
  /* Times never decrease, even if those of the list do. */
  link->due = fmax(link->any ? link->due : link->begin,
                   link->begin + (e->t - link->entries[0].t) / feed->options.speed);
  link->any = true;
  brio_feed_hand_over_cloud(feed, link->due, link->due);
}

const brio_feed_place brio_feed_place_cloud_file = {
    .name = "file",
    .contents = {false, true},
    .open = cloud_file_open,
    .work = cloud_file_work,
    .close = cloud_file_close,
};
