/* A picture appears whole: it is written beside its place, and renamed.  The folder belongs to this user
** alone, so that nobody else sees the pictures, or leads them elsewhere. */
#include "drivers/cameras/look.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Write the folder of the picture into `folder`.  False: its path has none. */
static bool folder_of(const brio_camera_look *look, char folder[BRIO_CAMERA_TEXT]) {
  snprintf(folder, BRIO_CAMERA_TEXT, "%s", look->path);
  char *slash = strrchr(folder, '/');
  if (!slash || slash == folder) return false;
  *slash = 0;
  return folder[0] == '/';
}

bool brio_camera_look_open(brio_camera_look *look, const char *path, brio_error *err) {
  char folder[BRIO_CAMERA_TEXT];
  struct stat about;
  *look = (brio_camera_look){0};
  snprintf(look->path, sizeof look->path, "%s", path);
  if (!folder_of(look, folder)) {
    look->path[0] = 0;
    return brio_fail(err, BRIO_MISUSE, "look expects /FOLDER/FILE, not '%.100s'", path);
  }
  snprintf(look->wanted, sizeof look->wanted, "%s.wanted", path);
  snprintf(look->begun, sizeof look->begun, "%s.begun", path);
  /* one that is there may be that of another camera of the run, and nobody else's */
  bool made = mkdir(folder, 0700) == 0 || errno == EEXIST;
  bool own = made && lstat(folder, &about) == 0 && S_ISDIR(about.st_mode) && about.st_uid == geteuid() &&
             (about.st_mode & 077) == 0;
  if (own) return true;
  look->path[0] = 0;
  return brio_fail(err, BRIO_NO_FILE, "pictures cannot be shown: %.200s is no folder of this user alone",
                   folder);
}

/* Whether somebody has touched the file a short while ago.  A clock set back keeps nothing wanted. */
static bool is_wanted(const brio_camera_look *look) {
  struct stat about;
  struct timespec now;
  if (lstat(look->wanted, &about) != 0 || clock_gettime(CLOCK_REALTIME, &now) != 0) return false;
  double age = (double)(now.tv_sec - about.st_mtim.tv_sec) +
               1e-9 * (double)(now.tv_nsec - about.st_mtim.tv_nsec);
  return age > -1 && age < BRIO_LOOK_WANTED;
}

bool brio_camera_look_shrink(const brio_picture *picture, brio_picture *small, brio_error *err) {
  int longer = picture->width > picture->height ? picture->width : picture->height;
  int part = (longer + BRIO_LOOK_SIDE - 1) / BRIO_LOOK_SIDE;
  if (part < 1) part = 1;
  int width = picture->width / part, height = picture->height / part;
  /* of a long strip a line is left */
  width = width > 0 ? width : 1, height = height > 0 ? height : 1;
  int across = width * part <= picture->width ? part : picture->width;
  int down = height * part <= picture->height ? part : picture->height;
  if (!brio_picture_resize(small, width, height, err)) return false;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      unsigned sum = 0;
      for (int v = 0; v < down; v++)
        for (int u = 0; u < across; u++)
          sum += picture->gray[(size_t)(y * part + v) * (size_t)picture->width + (size_t)(x * part + u)];
      small->gray[(size_t)y * (size_t)width + (size_t)x] = (uint8_t)(sum / (unsigned)(across * down));
    }
  return true;
}

/* Write the small picture into the file, whole or not at all. */
static bool save(const brio_camera_look *look, brio_error *err) {
  /* what a camera before this one has left, is no file of somebody else's: the folder is this user's */
  unlink(look->begun);
  int fd = open(look->begun, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  FILE *file = fd >= 0 ? fdopen(fd, "wb") : NULL;
  if (fd >= 0 && !file) close(fd);
  bool good = file && brio_picture_write_jpeg(&look->small, file);
  good = file && fclose(file) == 0 && good;
  if (good && rename(look->begun, look->path) == 0) return true;
  unlink(look->begun);
  return brio_fail(err, BRIO_IO, "a picture for people cannot be written: %.200s", look->path);
}

bool brio_camera_look_show(brio_camera_look *look, const brio_picture *picture, double now, brio_error *err) {
  if (!look->path[0] || now < look->next) return true;
  look->next = now + BRIO_LOOK_EVERY;
  if (!is_wanted(look)) return true;
  return brio_camera_look_shrink(picture, &look->small, err) && save(look, err);
}

void brio_camera_look_end(brio_camera_look *look) {
  char folder[BRIO_CAMERA_TEXT];
  if (look->path[0]) {
    unlink(look->path), unlink(look->wanted), unlink(look->begun);
    /* stays while other cameras have files in it */
    if (folder_of(look, folder)) rmdir(folder);
  }
  brio_picture_end(&look->small);
  look->path[0] = 0;
}
