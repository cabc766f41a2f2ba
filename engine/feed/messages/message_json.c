/* Messages of detectors as JSON lines; docs/perception/detectors.md has the fields. Each field has a row
** with its reader; an invalid value rejects its detection, while the rest of the line is still read.
** O(bytes); nothing is allocated. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "feed/messages/message.h"
#include "scene/mask.h"

enum { MAX_DEPTH = 16, MAX_NUMBERS = 24 };

/* State of reading one message. */
typedef struct reader {
  brio_json json;
  brio_feed_message *out;
  brio_feed_seen *seen;      /* the detection being read */
  brio_feed_meter *meter;
} reader;

/* A field. `read` reads its value; it returns NULL, or a description of what was expected. */
typedef struct field {
  const char *name;
  const char *(*read)(reader *r);
} field;

/* ---- values ---- */

/* Read a list of at most `most` finite numbers. Return their number, or -1: another value, or too many. */
static int read_numbers(brio_json *json, double *out, int most) {
  int count = 0;
  if (!brio_json_take(json, '[')) return -1;
  if (brio_json_take(json, ']')) return 0;
  /* Too many numbers, another value or an infinite number end the list as an error. */
  do {
    if (count == most || !brio_json_number(json, &out[count]) || !isfinite(out[count])) return -1;
    count++;
  } while (brio_json_take(json, ','));
  return brio_json_take(json, ']') ? count : -1;
}

/* Read a finite number; JSON has no NaN, but 1e999 is infinite. */
static bool read_finite(brio_json *json, double *out) {
  return brio_json_number(json, out) && isfinite(*out);
}

/* Read a text of less than `size` bytes. False: another value, or too long. */
static bool read_text(brio_json *json, char *out, size_t size) {
  brio_json_text text;
  return brio_json_string(json, &text) && brio_json_copy(&text, out, size);
}

/* Whether a number makes sense as a float: 1e12 is far beyond any length or pixel. */
static bool fits(double value) { return fabs(value) <= 1e12; }

/* Convert to floats; false: one does not fit. */
static bool take_floats(const double *from, float *to, int count) {
  for (int i = 0; i < count; i++) {
    if (!fits(from[i])) return false;
    to[i] = (float)from[i];
  }
  return true;
}

/* ---- fields of a detection ---- */

/* The readers of a detection's fields write into r->seen. Class: its kind. */
static const char *read_class(reader *r) {
  char *kind = r->seen->detection.kind;
  return read_text(&r->json, kind, BRIO_DETECTION_KIND) && kind[0] ? NULL
                                                                   : "class must be a text of 1 to 23 bytes";
}

/* Id: trackers send numbers or texts; a number becomes a text. */
static const char *read_id(reader *r) {
  double number;
  char *id = r->seen->detection.id;
  if (brio_json_peek(&r->json) != '0')
    return read_text(&r->json, id, BRIO_DETECTION_ID) ? NULL : "id must be a text of at most 31 bytes";
  /* A whole number that a double holds exactly. */
  if (!brio_json_number(&r->json, &number) || !(fabs(number) < 1e15) || number != floor(number))
    return "id must be a text or a whole number";
  snprintf(id, BRIO_DETECTION_ID, "%.0f", number);
  return NULL;
}

/* Confidence, 0 to 1. */
static const char *read_confidence(reader *r) {
  double *confidence = &r->seen->detection.confidence;
  return brio_json_number(&r->json, confidence) && *confidence >= 0 && *confidence <= 1
             ? NULL
             : "confidence must be from 0 to 1";
}

/* Box in the picture, px. */
static const char *read_box(reader *r) {
  double box[4];
  if (read_numbers(&r->json, box, 4) != 4 || box[2] < 0 || box[3] < 0 || !take_floats(box, r->seen->box, 4))
    return "box must be [left, top, width, height] in pixels";
  r->seen->has |= BRIO_FEED_HAS_BOX;
  return NULL;
}

/* Depth along the camera's axis, m. */
static const char *read_depth(reader *r) {
  double depth;
  if (!read_finite(&r->json, &depth) || !(depth > 0) || !fits(depth)) return "depth must be meters, above 0";
  r->seen->depth = (float)depth;
  r->seen->has |= BRIO_FEED_HAS_DEPTH;
  return NULL;
}

static const char *const pose_expected =
    "pose must be [x, y, z], [x, y, z, qx, qy, qz, qw], or {\"position\": [...], \"orientation\": [...]}";

/* Set the detection's own orientation. */
static void take_orientation(brio_detection *d, const double q[4]) {
  d->pose.q = (brio_quat){q[0], q[1], q[2], q[3]};
  d->oriented = true;
}

/* Whether a quaternion is roughly a unit one; it is normalized later. */
static bool is_turn(const double q[4]) {
  double n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return n > 0.5 && n < 2;
}

/* Read a member of a pose that is an object; unknown members are skipped. */
static bool read_pose_member(reader *r, const brio_json_text *name, bool *placed) {
  brio_detection *d = &r->seen->detection;
  double numbers[4];
  /* Position, required. */
  if (brio_json_is(name, "position")) {
    if (read_numbers(&r->json, numbers, 3) != 3) return false;
    d->pose.p = (brio_vec3){numbers[0], numbers[1], numbers[2]};
    return *placed = true;
  }
  /* Orientation, optional; others are skipped. */
  if (!brio_json_is(name, "orientation")) return brio_json_skip(&r->json, MAX_DEPTH);
  if (read_numbers(&r->json, numbers, 4) != 4 || !is_turn(numbers)) return false;
  take_orientation(d, numbers);
  return true;
}

/* Read a pose that is an object; the position is required. */
static const char *read_pose_object(reader *r) {
  brio_json_text name;
  bool placed = false;
  if (!brio_json_take(&r->json, '{')) return pose_expected;
  do {
    if (!brio_json_key(&r->json, &name) || !read_pose_member(r, &name, &placed)) return pose_expected;
  } while (brio_json_take(&r->json, ','));
  if (!brio_json_take(&r->json, '}') || !placed) return pose_expected;
  r->seen->has |= BRIO_FEED_HAS_POSE;
  return NULL;
}

/* Pose, m, in the sensor's frame: an object, or a list of 3 or 7 numbers. */
static const char *read_pose(reader *r) {
  double numbers[7];
  /* Both forms set the same fields: an object by names, a list by its 3 or 7 numbers. */
  if (brio_json_peek(&r->json) == '{') return read_pose_object(r);
  int count = read_numbers(&r->json, numbers, 7);
  /* The orientation is checked before anything is set. */
  if ((count != 3 && count != 7) || (count == 7 && !is_turn(numbers + 3))) return pose_expected;
  r->seen->detection.pose.p = (brio_vec3){numbers[0], numbers[1], numbers[2]};
  if (count == 7) take_orientation(&r->seen->detection, numbers + 3);
  r->seen->has |= BRIO_FEED_HAS_POSE;
  return NULL;
}

/* Size, m; 0 stands for unknown. */
static const char *read_size(reader *r) {
  double size[3];
  if (read_numbers(&r->json, size, 3) != 3 || size[0] < 0 || size[1] < 0 || size[2] < 0)
    return "size must be [x, y, z] in meters";
  r->seen->detection.size = (brio_vec3){size[0], size[1], size[2]};
  return NULL;
}

/* Color, sRGB. */
static const char *read_color(reader *r) {
  double color[3];
  if (read_numbers(&r->json, color, 3) != 3) return "color must be [red, green, blue], each from 0 to 1";
  for (int i = 0; i < 3; i++)
    if (!(color[i] >= 0 && color[i] <= 1)) return "color must be [red, green, blue], each from 0 to 1";
  take_floats(color, r->seen->detection.color, 3);
  return NULL;
}

/* Corners, m: eight points, in the order that the documentation shows. */
static const char *read_corners(reader *r) {
  static const char expected[] = "corners must be a list of eight points [x, y, z]";
  double corner[3];
  if (!brio_json_take(&r->json, '[')) return expected;
  /* Each corner is a list of its own. */
  for (int i = 0; i < 8; i++) {
    if (i > 0 && !brio_json_take(&r->json, ',')) return expected;
    if (read_numbers(&r->json, corner, 3) != 3 || !take_floats(corner, r->seen->corners[i], 3))
      return expected;
  }
  if (!brio_json_take(&r->json, ']')) return expected;
  r->seen->has |= BRIO_FEED_HAS_CORNERS;
  return NULL;
}

/* Read a mask's list of numbers, or of pairs, into the frame's outline. False: too many, or out of range. */
static bool read_outline(reader *r, bool pairs) {
  brio_feed_frame *frame = &r->out->frame;
  double numbers[2];
  int each = pairs ? 2 : 1;
  /* Where the detection's own numbers begin. */
  r->seen->first = frame->noutline;
  if (!brio_json_take(&r->json, '[')) return false;
  do {
    bool read = pairs ? read_numbers(&r->json, numbers, 2) == 2 : read_finite(&r->json, numbers);
    /* The outline is shared by all detections of the message. */
    if (!read || frame->noutline + each > BRIO_FEED_OUTLINE) return false;
    for (int i = 0; i < each; i++, frame->noutline++) {
      /* Runs are whole numbers within a picture; coordinates may lie somewhat outside it. */
      bool fine = pairs ? fabs(numbers[i]) < 1e6
                        : numbers[i] >= 0 && numbers[i] <= BRIO_MASK_MOST && numbers[i] == floor(numbers[i]);
      if (!fine) return false;
      frame->outline[frame->noutline] = (float)numbers[i];
    }
  } while (brio_json_take(&r->json, ','));
  r->seen->count = frame->noutline - r->seen->first;
  return brio_json_take(&r->json, ']');
}

/* Mask: an object with one of several forms; `counts` is COCO's name for columns. */
static const char *read_mask(reader *r) {
  static const char expected[] = "mask must be {\"polygon\": [[x, y], ...]}, {\"columns\": [runs]} or "
                                 "{\"rows\": [runs]}; 8192 numbers in a message";
  static const struct { const char *name; brio_feed_mask mask;
  } kinds[] = {{"polygon", BRIO_FEED_POLYGON},
               {"columns", BRIO_FEED_COLUMNS},
               {"counts", BRIO_FEED_COLUMNS},
               {"rows", BRIO_FEED_ROWS}};
  brio_json_text name;
  if (!brio_json_take(&r->json, '{')) return expected;
  /* One member is the mask; its name selects the encoding. */
  do {
    if (!brio_json_key(&r->json, &name)) return expected;
    /* An unknown member is skipped; a second form is an error. */
    size_t k = 0;
    while (k < 4 && !brio_json_is(&name, kinds[k].name)) k++;
    if (k == 4 ? !brio_json_skip(&r->json, MAX_DEPTH)
               : r->seen->mask != BRIO_FEED_NO_MASK || !read_outline(r, kinds[k].mask == BRIO_FEED_POLYGON))
      return expected;
    if (k < 4) r->seen->mask = kinds[k].mask;
  } while (brio_json_take(&r->json, ','));
  return brio_json_take(&r->json, '}') && r->seen->mask != BRIO_FEED_NO_MASK ? NULL : expected;
}

/* The fields of a detection. */
static const field detection_fields[] = {
    {"class", read_class},     {"id", read_id},       {"confidence", read_confidence},
    {"box", read_box},         {"depth", read_depth}, {"mask", read_mask},
    {"pose", read_pose},       {"size", read_size},   {"color", read_color},
    {"corners", read_corners}, {NULL, NULL}};

/* Read the members of an object by a table; unknown names are skipped. `wrong` receives what the first
** invalid value should have been, else NULL. False: it is no JSON. */
static bool read_members(reader *r, const field *fields, const char **wrong) {
  brio_json_text name;
  *wrong = NULL;
  if (!brio_json_take(&r->json, '{')) return false;
  if (brio_json_take(&r->json, '}')) return true;
  do {
    if (!brio_json_key(&r->json, &name)) return false;
    const char *value = r->json.at, *fault = NULL;
    /* A linear search: the tables have about ten rows. */
    const field *f = fields;
    while (f->name && !brio_json_is(&name, f->name)) f++;
    /* A known name is read; a fault keeps the line readable. */
    if (f->name) fault = f->read(r);
    if (!f->name || fault) {
      r->json.at = value; /* skip the value as JSON, whatever it is, and continue behind it */
      if (!brio_json_skip(&r->json, MAX_DEPTH)) return false;
    }
    if (fault && !*wrong) *wrong = fault;
  } while (brio_json_take(&r->json, ','));
  return brio_json_take(&r->json, '}');
}

/* ---- fields of a message ---- */

/* Read one detection; an invalid one is counted and left out. False: it is no JSON. */
static bool read_detection(reader *r) {
  brio_feed_frame *frame = &r->out->frame;
  const char *wrong;
  bool room = frame->count < BRIO_FEED_MOST;
  if (brio_json_peek(&r->json) != '{') {
    brio_feed_refuse(r->meter, BRIO_FEED_FIELD, "a detection must be an object");
    return brio_json_skip(&r->json, MAX_DEPTH);
  }
  /* Beyond the limit detections are skipped, but must be JSON. */
  if (!room) {
    brio_feed_refuse(r->meter, BRIO_FEED_MANY, "at most %d detections in a message", BRIO_FEED_MOST);
    return brio_json_skip(&r->json, MAX_DEPTH);
  }
  /* The entry counts only if all of its values are valid. */
  r->seen = &frame->seen[frame->count];
  *r->seen = (brio_feed_seen){.detection = BRIO_DETECTION_BLANK};
  if (!read_members(r, detection_fields, &wrong)) return false;
  if (wrong) brio_feed_refuse(r->meter, BRIO_FEED_FIELD, "%s", wrong);
  else frame->count++;
  return true;
}

/* Detections. An empty list is information, too: nothing is seen. */
static const char *read_detections(reader *r) {
  static const char expected[] = "detections must be a list of objects";
  /* An earlier list in the same message is replaced. */
  r->out->frame.count = 0;
  if (!brio_json_take(&r->json, '[')) return expected;
  r->out->seen = true;
  if (brio_json_take(&r->json, ']')) return NULL;
  do {
    if (!read_detection(r)) return expected;
  } while (brio_json_take(&r->json, ','));
  return brio_json_take(&r->json, ']') ? NULL : expected;
}

/* Times of the sender's clock, s: of the observation, and of sending. */
static const char *read_time(reader *r) {
  return read_finite(&r->json, &r->out->frame.sensed) ? NULL : "t must be a finite number of seconds";
}

static const char *read_sent(reader *r) {
  return read_finite(&r->json, &r->out->sent) ? NULL : "sent must be a finite number of seconds";
}

/* Read a whole number from 0 up to 2^53, which a double holds exactly. */
static bool read_whole(brio_json *json, int64_t *out) {
  double value;
  if (!brio_json_number(json, &value) || !(value >= 0 && value <= 9007199254740992.0) ||
      value != floor(value))
    return false;
  *out = (int64_t)value;
  return true;
}

/* The message's number, which rises. */
static const char *read_number(reader *r) {
  return read_whole(&r->json, &r->out->number) ? NULL : "seq must be a whole number of at least 0";
}

/* An answer: the number of the request, and the reason of a refusal. */
static const char *read_ack(reader *r) {
  return read_whole(&r->json, &r->out->answer.number) ? NULL : "ack must be the number of a request";
}

static const char *read_refused(reader *r) {
  brio_json_text text;
  if (!brio_json_string(&r->json, &text)) return "refused must be a sentence";
  brio_json_copy(&text, r->out->answer.refused, BRIO_FEED_WORDS); /* a longer one is cut off */
  /* An empty sentence would look like an acceptance. */
  if (!r->out->answer.refused[0])
    snprintf(r->out->answer.refused, BRIO_FEED_WORDS, "refused, without a reason");
  return NULL;
}

/* A fault of the sensor: a sentence, cut off where it is longer. */
static const char *read_fault(reader *r) {
  brio_json_text text;
  if (!brio_json_string(&r->json, &text)) return "fault must be a sentence";
  brio_json_copy(&text, r->out->fault, BRIO_FEED_WORDS);
  if (!r->out->fault[0]) snprintf(r->out->fault, BRIO_FEED_WORDS, "a fault without a name");
  return NULL;
}

/* The name of the detector's model. */
static const char *read_model(reader *r) {
  return read_text(&r->json, r->out->frame.model, BRIO_FEED_MODEL)
             ? NULL
             : "model must be a text of at most 31 bytes";
}

/* Read a member of the camera; unknown members are skipped. */
static bool read_camera_member(brio_json *json, const brio_json_text *name, brio_camera *camera) {
  struct {
    const char *name;
    double *to;
  } numbers[] = {{"fx", &camera->fx}, {"fy", &camera->fy}, {"cx", &camera->cx}, {"cy", &camera->cy}};
  double size, radial[BRIO_CAMERA_RADIAL] = {0}, tangential[2] = {0};
  /* Focal lengths and principal point, px. */
  for (int i = 0; i < 4; i++)
    if (brio_json_is(name, numbers[i].name)) return read_finite(json, numbers[i].to);
  /* The size of the picture, px. */
  bool wide = brio_json_is(name, "width");
  if (wide || brio_json_is(name, "height")) {
    if (!brio_json_number(json, &size) || !(size >= 1 && size <= 65535)) return false;
    *(wide ? &camera->width : &camera->height) = (int)size;
    return true;
  }
  /* Radial (k) and tangential (p) distortion, with OpenCV's coefficients; missing ones are 0. */
  if (brio_json_is(name, "k") && read_numbers(json, radial, BRIO_CAMERA_RADIAL) >= 0)
    return memcpy(camera->k, radial, sizeof radial);
  if (brio_json_is(name, "p") && read_numbers(json, tangential, 2) >= 0)
    return memcpy(camera->p, tangential, sizeof tangential);
  if (brio_json_is(name, "fisheye")) {
    bool fisheye;
    if (!brio_json_flag(json, &fisheye)) return false;
    camera->model = fisheye ? BRIO_CAMERA_FISHEYE : BRIO_CAMERA_PINHOLE;
    return true;
  }
  return brio_json_skip(json, MAX_DEPTH);
}

/* Camera: its frame is the body's, x forward. It must pass the same check as a robot's own camera. */
static const char *read_camera(reader *r) {
  static const char expected[] =
      "camera must be {\"fx\", \"fy\", \"cx\", \"cy\", \"width\", \"height\"} in pixels";
  /* Pinhole without distortion, unless members set it. */
  brio_camera camera = {.body = true};
  brio_json_text name;
  if (!brio_json_take(&r->json, '{')) return expected;
  do {
    if (!brio_json_key(&r->json, &name) || !read_camera_member(&r->json, &name, &camera)) return expected;
  } while (brio_json_take(&r->json, ','));
  /* All numbers together must be a valid camera. */
  if (!brio_json_take(&r->json, '}') || !brio_camera_check(&camera, NULL)) return expected;
  r->out->frame.camera = camera;
  return NULL;
}

/* The fields of a message. */
static const field message_fields[] = {{"t", read_time},
                                       {"sent", read_sent},
                                       {"seq", read_number},
                                       {"detections", read_detections},
                                       {"camera", read_camera},
                                       {"model", read_model},
                                       {"ack", read_ack},
                                       {"refused", read_refused},
                                       {"fault", read_fault},
                                       {NULL, NULL}};

/* Keep the detections that count, moving them to the front. O(detections x classes). */
static void judge_all(const brio_feed_reading *reading, brio_feed_frame *frame, brio_feed_meter *meter) {
  int kept = 0;
  for (int i = 0; i < frame->count; i++) {
    if (!brio_feed_judge(frame, &frame->seen[i], reading, meter)) continue;
    if (kept < i) frame->seen[kept] = frame->seen[i];
    kept++;
  }
  frame->count = kept;
}

bool brio_feed_read_json(const char *bytes, size_t length, const brio_feed_reading *reading,
                         brio_feed_message *out, brio_feed_meter *meter) {
  /* The line is not changed: texts are copied. */
  reader r = {.json = {bytes, bytes + length, true}, .out = out, .meter = meter};
  const char *wrong;
  brio_feed_message_start(out);
  if (length > BRIO_FEED_LONGEST)
    return brio_feed_refuse(meter, BRIO_FEED_LENGTH, "a line of %zu bytes", length);
  /* First as JSON, then by content: a wrong value is reported only for a line that is JSON. */
  if (!read_members(&r, message_fields, &wrong) || !brio_json_over(&r.json))
    /* The position of the first byte that is not JSON. */
    return brio_feed_refuse(meter, BRIO_FEED_SYNTAX, "byte %zu of %zu is not what JSON has there",
                            (size_t)(r.json.at - bytes) + 1, length);
  if (wrong) return brio_feed_refuse(meter, BRIO_FEED_FIELD, "%s", wrong);
  /* A line that carries neither would be ignored silently. */
  if (!out->seen && out->answer.number < 0 && !out->fault[0])
    return brio_feed_refuse(meter, BRIO_FEED_FIELD, "a message must have detections, an ack, or a fault");
  judge_all(reading, &out->frame, meter);
  return true;
}
