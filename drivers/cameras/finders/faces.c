/* Faces, by a cascade classifier of OpenCV.  Their class is "person", so that behaviors that greet and follow
** people work with faces as well. */
#include "drivers/cameras/finders/boxes.h"

/* The cascade's file in Debian's package opencv-data. */
#define CASCADE "/usr/share/opencv4/haarcascades/haarcascade_frontalface_alt2.xml"

static bool wanted(const brio_camera_settings *settings) {
  return settings->faces > 0;
}

static bool open_faces(brio_finder *finder, brio_error *err) {
  const brio_opencv_library *library = brio_boxes_library(err);
  const char *file = finder->settings->cascade[0] ? finder->settings->cascade : CASCADE;
  char why[300] = "";
  if (!library) return false;
  /* a cascade of the settings goes before Debian's */
  finder->link = library->cascade(file, why, sizeof why);
  return finder->link || brio_fail(err, BRIO_NO_FILE, "faces: %s (Debian: opencv-data)", why);
}

static int find(brio_finder *finder, const brio_picture *picture, const brio_camera *camera,
                brio_finding *out) {
  /* The cascade's box is square, from the brows to the chin: the face fills all of it. */
  brio_boxes what = {"person", finder->settings->face, 1, 0.16};
  return brio_boxes_find(finder, &what, picture, camera, out);
}

/* The library is loaded already: the finder is open. */
static void close_faces(brio_finder *finder) {
  brio_boxes_library(NULL)->close(finder->link);
}

const brio_finder_kind brio_finder_kind_faces = {"faces", wanted, open_faces, find, close_faces};
