/* Boxes that OpenCV finds, and their positions: see boxes.h. */
#include "drivers/cameras/finders/boxes.h"

#include <dlfcn.h>
#include <stdio.h>

#include "base/system/object.h"

const brio_opencv_library *brio_boxes_library(brio_error *err) {
  /* loaded once, and kept until the program ends */
  static const brio_opencv_library *library;
  if (library) return library;
  void *object = brio_object_open("brio_opencv.so");
  const char *why = object ? NULL : dlerror();
  const brio_opencv_library *found = object ? dlsym(object, "brio_opencv") : NULL;
  if (!found || found->version != BRIO_OPENCV_VERSION) {
    brio_fail(err, BRIO_DEVICE,
              "faces and people need OpenCV, which brio was built without: install the packages of "
              "scripts/make/packages-people.txt (make people)%s%s",
              why ? ": " : "", why ? why : "");
    return NULL;
  }
  library = found;
  return library;
}

/* Convert a box to a detection; its distance follows from the height that the thing usually has.  Return
** false: the box has no position. */
static bool locate(const brio_boxes *what, const brio_opencv_box *box, const brio_camera *camera,
                   brio_finding *out) {
  /* the part of the box that the thing fills, about the box's middle */
  brio_picture_box inner = {box->x, box->y + (1 - what->inner) / 2 * box->height, box->width,
                            what->inner * box->height};
  brio_vec3 point;
  *out = (brio_finding){.confidence = box->confidence, .box = {box->x, box->y, box->width, box->height}};
  snprintf(out->kind, sizeof out->kind, "%s", what->kind);
  if (!brio_camera_by_height(camera, &inner, what->height, &point)) return false;
  out->pose = (brio_pose){brio_finder_body(point), BRIO_QUAT_IDENTITY};
  out->size = (brio_vec3){what->width, what->width, what->height};
  return true;
}

int brio_boxes_find(brio_finder *finder, const brio_boxes *what, const brio_picture *picture,
                    const brio_camera *camera, brio_finding *out) {
  brio_opencv_box boxes[BRIO_FINDINGS];
  const brio_opencv_library *library = brio_boxes_library(NULL);
  /* these detectors are slow: only every n-th picture is searched */
  if (picture->number % (int64_t)finder->settings->every != 0) return -1;
  int found =
      library->find(finder->link, picture->gray, picture->width, picture->height, boxes, BRIO_FINDINGS);
  /* boxes without a position are overwritten by the next */
  int count = found < 0 ? -1 : 0;
  for (int i = 0; i < found; i++) count += locate(what, &boxes[i], camera, &out[count]);
  return count;
}
