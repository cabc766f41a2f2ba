/* AprilTags: libapriltag detects them; their poses are computed here from the corners and the camera model
** with its distortion.
**
** A tag that is small in the picture has two poses that explain its corners nearly equally well
** (vision/plane_pose.h).  If the difference of their errors is within the noise of corners, the pose that is
** nearer to the tag's last one is chosen; if there is none, the orientation is not reported. */
#include "drivers/cameras/finders/tags.h"

#include <apriltag/tag16h5.h>
#include <apriltag/tag25h9.h>
#include <apriltag/tag36h10.h>
#include <apriltag/tag36h11.h>
#include <apriltag/tagCircle21h7.h>
#include <apriltag/tagCircle49h12.h>
#include <apriltag/tagCustom48h12.h>
#include <apriltag/tagStandard41h12.h>
#include <apriltag/tagStandard52h13.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/cameras/finder.h"
#include "vision/plane_pose.h"

#define DEVIATION 0.25  /* px: least standard deviation that a corner is assumed to have */
#define DECIDED 9.0     /* difference of squared errors / variance that decides: 3 standard deviations */
#define RECENT 0.5      /* s: greatest age of a last pose that is still compared with */
#define CLEARLY 3.0     /* ratio of both poses' angles to the last pose, from which the nearer one is taken */
#define SURE 40.0       /* decision margin of libapriltag at which the confidence is 1 - 1/e */
#define THICKNESS 0.001 /* m: of a printed tag */

enum { KEPT = 1024 /* last poses that are kept, at id modulo KEPT */ };

/* The families of libapriltag, by name. */
static const struct {
  const char *name;
  apriltag_family_t *(*create)(void);
  void (*destroy)(apriltag_family_t *);
} families[] = {{"tag36h11", tag36h11_create, tag36h11_destroy},
                {"tag25h9", tag25h9_create, tag25h9_destroy},
                {"tag16h5", tag16h5_create, tag16h5_destroy},
                {"tag36h10", tag36h10_create, tag36h10_destroy},
                {"tagCircle21h7", tagCircle21h7_create, tagCircle21h7_destroy},
                {"tagCircle49h12", tagCircle49h12_create, tagCircle49h12_destroy},
                {"tagCustom48h12", tagCustom48h12_create, tagCustom48h12_destroy},
                {"tagStandard41h12", tagStandard41h12_create, tagStandard41h12_destroy},
                {"tagStandard52h13", tagStandard52h13_create, tagStandard52h13_destroy}};

enum { FAMILIES = sizeof families / sizeof *families };

apriltag_family_t *brio_tag_family_new(const char *name, brio_error *err) {
  /* the names so far, for the error */
  char names[400] = "";
  for (int i = 0; i < FAMILIES; i++) {
    if (strcmp(families[i].name, name) == 0) return families[i].create();
    snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "", families[i].name);
  }
  brio_fail(err, BRIO_MISUSE, "there is no family of tags '%s': %s", name, names);
  return NULL;
}

/* Each family has a destructor of its own. */
void brio_tag_family_free(apriltag_family_t *family) {
  for (int i = 0; family && i < FAMILIES; i++)
    if (strcmp(families[i].name, family->name) == 0) {
      families[i].destroy(family);
      return;
    }
}

/* The last orientation of a tag that was certain. */
typedef struct last {
  int id;      /* the tag's id + 1; 0: empty */
  double time; /* s: of its picture */
  brio_quat q; /* in the optical frame */
} last;

/* Private data of the finder. */
typedef struct tags {
  apriltag_family_t *family;
  apriltag_detector_t *detector;
  last kept[KEPT];
} tags;

static bool wanted(const brio_camera_settings *settings) {
  return settings->tags > 0;
}

/* Create the detector with the parameters of the settings. */
static bool open_tags(brio_finder *finder, brio_error *err) {
  const brio_camera_settings *s = finder->settings;
  apriltag_family_t *family = brio_tag_family_new(s->family, err);
  if (!family) return false;
  tags *t = calloc(1, sizeof *t);
  if (!t) {
    brio_tag_family_free(family);
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for tags");
  }
  finder->link = t;
  t->family = family;
  /* one thread: the robot needs the other cores */
  t->detector = apriltag_detector_create();
  apriltag_detector_add_family_bits(t->detector, family, (int)s->hamming);
  t->detector->nthreads = 1;
  t->detector->quad_decimate = (float)s->decimate;
  t->detector->quad_sigma = (float)s->blur;
  t->detector->refine_edges = s->refine > 0;
  t->detector->decode_sharpening = s->sharpening;
  return true;
}

static void close_tags(brio_finder *finder) {
  tags *t = finder->link;
  apriltag_detector_destroy(t->detector);
  brio_tag_family_free(t->family);
  free(t);
}

/* ---- pose ---- */

/* Convert a tag's orientation in the optical frame (its z into the face, y down) to that of the detection in
** the camera's frame: x out of the face, y to the right as one looks at it, z up. */
static brio_quat object_from(brio_quat tag) {
  brio_vec3 x = brio_quat_rotate(tag, (brio_vec3){0, 0, -1}), y = brio_quat_rotate(tag, (brio_vec3){1, 0, 0});
  brio_vec3 z = brio_quat_rotate(tag, (brio_vec3){0, -1, 0});
  /* the axes become the columns of the matrix */
  x = brio_finder_body(x), y = brio_finder_body(y), z = brio_finder_body(z);
  return brio_quat_from_matrix((double[]){x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z});
}

/* Convert a covariance (6 x 6) from the optical axes to the camera's, and multiply it by `scale`. */
static void turn_covariance(const double in[36], double scale, double out[36]) {
  /* Axis i of the camera's frame is `sign[i]` times axis `from[i]` of the optical frame. */
  static const int from[6] = {2, 0, 1, 5, 3, 4};
  static const double sign[6] = {1, -1, -1, 1, -1, -1};
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) out[6 * i + j] = scale * sign[i] * sign[j] * in[6 * from[i] + from[j]];
}

/* Angle of the rotation from a to b, rad. */
static double angle_between(brio_quat a, brio_quat b) {
  return brio_quat_angle(brio_quat_mul(brio_quat_conj(a), b));
}

/* Choose one of two poses, the first of which has the smaller errors.  Return its index, or -1: neither the
** corners nor the last pose decide. */
static int choose(const tags *t, int id, double time, const brio_plane_pose found[2], double ratio) {
  const last *before = &t->kept[id % KEPT];
  if (ratio > DECIDED) return 0;
  if (before->id != id + 1 || time - before->time > RECENT) return -1;
  double first = angle_between(before->q, found[0].pose.q),
         second = angle_between(before->q, found[1].pose.q);
  return second > CLEARLY * first ? 0 : first > CLEARLY * second ? 1 : -1;
}

/* Compute the pose from the corners, `side` m apart, and remember its orientation if it is certain.  Return
** false: no pose explains the corners. */
static bool locate(tags *t, const brio_camera *camera, double side, int id, double time, brio_finding *out) {
  /* the corners on the tag, m, in the order of `corner`: y points down */
  double h = side / 2, points[4][2] = {{-h, h}, {h, h}, {h, -h}, {-h, -h}};
  brio_plane_pose found[2];
  brio_plane_view view = {4, (const double(*)[2])points, (const double(*)[2])out->corner};
  int count = brio_plane_pose_find(camera, &view, found);
  if (count == 0) return false;
  /* Variance of a corner from the residuals: 8 coordinates less the 6 numbers of a pose leave 2 degrees of
  ** freedom. */
  double variance = fmax(DEVIATION * DEVIATION, found[0].squares / 2);
  int chosen = 0;
  out->mirrored = count == 2;
  if (count == 2) {
    out->ratio = (found[1].squares - found[0].squares) / variance;
    chosen = choose(t, id, time, found, out->ratio);
    out->other = object_from(found[chosen == 1 ? 0 : 1].pose.q);
  }
  /* undecided: the position of the first is good enough, its orientation is not reported */
  const brio_plane_pose *best = &found[chosen == 1 ? 1 : 0];
  if (chosen >= 0) t->kept[id % KEPT] = (last){id + 1, time, best->pose.q};
  out->oriented = chosen >= 0;
  out->pose = (brio_pose){brio_finder_body(best->pose.p), object_from(best->pose.q)};
  turn_covariance(best->covariance, variance, out->covariance);
  out->measured = true;
  return true;
}

/* Convert a detection of libapriltag.  Return false: it is rejected (uncertain, too many wrong bits, or
** without a pose). */
static bool take(brio_finder *finder, const apriltag_detection_t *d, const brio_picture *picture,
                 const brio_camera *camera, brio_finding *out) {
  const brio_camera_settings *s = finder->settings;
  const brio_camera_tag *own = brio_camera_settings_tag(s, d->id);
  double side = own && own->size > 0 ? own->size : s->size;
  if (d->decision_margin < s->margin || d->hamming > s->hamming) return false;
  *out = (brio_finding){.confidence = 1 - exp(-d->decision_margin / SURE), .corners = 4};
  snprintf(out->kind, sizeof out->kind, "%s", own && own->name[0] ? own->name : "tag");
  snprintf(out->id, sizeof out->id, "%s:%d", d->family->name, d->id);
  out->size = (brio_vec3){THICKNESS, side, side};
  /* libapriltag has its origin at the corner of the first pixel, brio at its center. */
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 2; k++) {
      out->corner[i][k] = d->p[i][k] - 0.5;
      low[k] = fmin(low[k], out->corner[i][k]), high[k] = fmax(high[k], out->corner[i][k]);
    }
  out->box = (brio_picture_box){low[0], low[1], high[0] - low[0], high[1] - low[1]};
  return locate(finder->link, camera, side, d->id, picture->time, out);
}

/* Clear the id of all tags that appear more than once: they cannot be told apart.  O(count^2). */
static void drop_doubles(brio_finding *list, int count) {
  for (int i = 0; i < count; i++) {
    bool doubled = false;
    for (int j = i + 1; j < count && list[i].id[0]; j++)
      if (strcmp(list[i].id, list[j].id) == 0) doubled = true, list[j].id[0] = 0;
    if (doubled) list[i].id[0] = 0;
  }
}

static int find(brio_finder *finder, const brio_picture *picture, const brio_camera *camera,
                brio_finding *out) {
  tags *t = finder->link;
  int count = 0;
  /* the picture's bytes are used in place */
  image_u8_t image = {picture->width, picture->height, picture->width, picture->gray};
  zarray_t *found = apriltag_detector_detect(t->detector, &image);
  for (int i = 0; i < zarray_size(found) && count < BRIO_FINDINGS; i++) {
    apriltag_detection_t *d;
    zarray_get(found, i, &d);
    count += take(finder, d, picture, camera, &out[count]);
  }
  apriltag_detections_destroy(found);
  drop_doubles(out, count);
  return count;
}

const brio_finder_kind brio_finder_kind_tags = {"tags", wanted, open_tags, find, close_tags};
