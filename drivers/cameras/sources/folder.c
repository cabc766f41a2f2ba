/* Source folder: the pictures of a folder, sorted by name (strcmp), or a single picture. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "drivers/cameras/capture.h"

/* Private data of the source. */
typedef struct folder {
  char path[BRIO_CAMERA_TEXT];
  brio_text text;     /* all names of the folder, each with a closing 0 */
  const char **names; /* count: those of pictures in `text`, sorted; NULL of a single picture */
  size_t count, next; /* pictures; index of the next one, at most count */
  bool single;        /* the path is itself the picture */
} folder;

static const char *const endings[] = {".jpg", ".jpeg", ".png", ".pgm", ".ppm", NULL};

/* Return whether a name ends as a picture's does, in any case of letters. */
static bool is_picture(const char *name) {
  const char *dot = strrchr(name, '.');
  for (int i = 0; dot && endings[i]; i++)
    if (strcasecmp(dot, endings[i]) == 0) return true;
  return false;
}

/* Order for qsort. */
static int by_name(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Read the names of the pictures, and sort them.  Errors: no_file (no folder, or no picture in it), io,
** no_memory. */
static bool list(folder *f, brio_error *err) {
  if (!brio_text_list_folder(&f->text, f->path, err)) return false;
  size_t most = 0;
  /* count the names, then keep those of pictures */
  for (size_t i = 0; i < f->text.length; i++) most += f->text.bytes[i] == 0;
  f->names = calloc(most + 1, sizeof *f->names);
  if (!f->names) return brio_fail(err, BRIO_NO_MEMORY, "no memory for the names of a folder");
  for (const char *name = f->text.bytes; most > 0; most--, name += strlen(name) + 1)
    if (is_picture(name)) f->names[f->count++] = name;
  if (f->count == 0)
    return brio_fail(err, BRIO_NO_FILE, "%s has no picture: .jpg, .png, .pgm and .ppm are read", f->path);
  qsort(f->names, f->count, sizeof *f->names, by_name);
  return true;
}

static bool open_folder(brio_capture *capture, const char *rest, brio_error *err) {
  struct stat about;
  folder *f = calloc(1, sizeof *f);
  if (!f) return brio_fail(err, BRIO_NO_MEMORY, "no memory for a folder");
  capture->link = f;
  strncpy(f->path, rest, sizeof f->path - 1);
  f->single = stat(rest, &about) == 0 && !S_ISDIR(about.st_mode);
  f->count = f->single;
  return f->single || list(f, err);
}

static brio_capture_result next(brio_capture *capture, brio_picture *picture, brio_error *err) {
  folder *f = capture->link;
  char path[2 * BRIO_CAMERA_TEXT];
  struct stat about;
  /* at the end: begin again, or end */
  if (f->next == f->count) {
    if (!(capture->settings->again > 0)) return BRIO_CAPTURE_END;
    f->next = 0;
  }
  /* a folder that was removed stands for a camera that is unplugged */
  if (stat(f->path, &about) != 0) {
    brio_fail(err, BRIO_DEVICE, "%s is gone", f->path);
    return BRIO_CAPTURE_FAILED;
  }
  const char *slash = f->single ? "" : "/", *name = f->single ? "" : f->names[f->next];
  snprintf(path, sizeof path, "%s%s%s", f->path, slash, name);
  f->next++;
  return brio_picture_read(picture, path, err) ? BRIO_CAPTURE_PICTURE : BRIO_CAPTURE_BAD;
}

static void close_folder(brio_capture *capture) {
  folder *f = capture->link;
  brio_text_end(&f->text);
  free(f->names);
  free(f);
}

const brio_capture_source brio_capture_source_folder = {"folder", false, open_folder, next, close_folder};
