/* People who stand in the picture from head to feet, by OpenCV's histograms of oriented gradients (HOG).
** The reported position is that of the head, as in the scene. */
#include "drivers/cameras/finders/boxes.h"

#define HEAD 0.44 /* share of the height between the middle of a person and the middle of the head */

static bool wanted(const brio_camera_settings *settings) {
  return settings->people > 0;
}

static bool open_people(brio_finder *finder, brio_error *err) {
  const brio_opencv_library *library = brio_boxes_library(err);
  char why[300] = "";
  if (!library) return false;
  finder->link = library->people(why, sizeof why);
  return finder->link || brio_fail(err, BRIO_DEVICE, "people: %s", why);
}

static int find(brio_finder *finder, const brio_picture *picture, const brio_camera *camera,
                brio_finding *out) {
  /* The detector's window has a margin around a person, who fills 96 of its 128 rows: 0.75. */
  brio_boxes what = {"person", finder->settings->person, 0.75, 0.5};
  int count = brio_boxes_find(finder, &what, picture, camera, out);
  /* from the middle of the person up to the head */
  for (int i = 0; i < count; i++) out[i].pose.p.z += HEAD * what.height;
  return count;
}

/* The library is loaded already: the finder is open. */
static void close_people(brio_finder *finder) {
  brio_boxes_library(NULL)->close(finder->link);
}

const brio_finder_kind brio_finder_kind_people = {"people", wanted, open_people, find, close_people};
