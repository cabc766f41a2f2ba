/* Messages as JSON lines; memory that runs out is noticed when a line is sent. */
#include "drivers/cameras/message.h"

#include <string.h>
#include <unistd.h>

/* Write "name": "value", escaped. */
static void text(brio_text *out, const char *name, const char *value) {
  brio_text_format(out, "\"%s\": ", name);
  brio_text_json(out, value, strlen(value));
}

/* Write a comma and "name": [numbers]. */
static void numbers(brio_text *out, const char *name, const double *list, int count) {
  brio_text_format(out, ", \"%s\": [", name);
  for (int i = 0; i < count; i++) brio_text_format(out, "%s%.9g", i ? ", " : "", list[i]);
  brio_text_format(out, "]");
}

void brio_camera_write_model(brio_text *out, const brio_camera *c) {
  brio_text_format(out,
                   "{\"width\": %d, \"height\": %d, \"fx\": %.9g, \"fy\": %.9g, \"cx\": %.9g, \"cy\": %.9g",
                   c->width, c->height, c->fx, c->fy, c->cx, c->cy);
  /* trailing coefficients that are 0 are omitted */
  int last = BRIO_CAMERA_RADIAL;
  while (last > 0 && c->k[last - 1] == 0) last--;
  if (last > 0) numbers(out, "k", c->k, last);
  if (c->p[0] != 0 || c->p[1] != 0) numbers(out, "p", c->p, 2);
  brio_text_format(out, "%s}", c->model == BRIO_CAMERA_FISHEYE ? ", \"fisheye\": true" : "");
}

/* Write the upper triangle of a covariance (6 x 6), row by row: 21 numbers. */
static void covariance(brio_text *out, const double c[36]) {
  double list[21];
  int n = 0;
  for (int i = 0; i < 6; i++)
    for (int j = i; j < 6; j++) list[n++] = c[6 * i + j];
  numbers(out, "covariance", list, n);
}

/* Write box, corners and the second pose. */
static void write_details(brio_text *out, const brio_finding *s) {
  double box[4] = {s->box.x, s->box.y, s->box.width, s->box.height};
  double other[4] = {s->other.x, s->other.y, s->other.z, s->other.w};
  numbers(out, "box", box, 4);
  if (s->corners > 0) numbers(out, "pixels", s->corner[0], 8);
  if (s->mirrored) {
    numbers(out, "other", other, 4);
    numbers(out, "ratio", &s->ratio, 1);
  }
}

/* Write a detection as an object; what is unknown is omitted. */
static void write_finding(brio_text *out, const brio_finding *s, bool details) {
  const brio_pose *p = &s->pose;
  double pose[7] = {p->p.x, p->p.y, p->p.z, p->q.x, p->q.y, p->q.z, p->q.w},
         size[3] = {s->size.x, s->size.y, s->size.z};
  brio_text_format(out, "{");
  text(out, "class", s->kind);
  if (s->id[0]) {
    brio_text_format(out, ", ");
    text(out, "id", s->id);
  }
  brio_text_format(out, ", \"confidence\": %.3f", s->confidence);
  /* position (m), then the orientation as x, y, z, w where it is known */
  numbers(out, "pose", pose, s->oriented ? 7 : 3);
  if (s->size.z > 0) numbers(out, "size", size, 3);
  if (s->measured) covariance(out, s->covariance);
  if (details) write_details(out, s);
  brio_text_format(out, "}");
}

void brio_camera_message(brio_text *out, const brio_picture *picture, double sent, int64_t number,
                         const char *model, const brio_camera *camera, const brio_finding *list, int count,
                         bool details) {
  brio_text_format(out, "{\"t\": %.6f, \"sent\": %.6f, \"seq\": %lld, ", picture->time, sent,
                   (long long)number);
  text(out, "model", model);
  brio_text_format(out, ", \"camera\": ");
  brio_camera_write_model(out, camera);
  brio_text_format(out, ", \"detections\": [");
  for (int i = 0; i < count; i++) {
    if (i > 0) brio_text_format(out, ", ");
    write_finding(out, &list[i], details);
  }
  brio_text_format(out, "]}\n");
}

void brio_camera_write_fault(brio_text *out, const char *sentence) {
  brio_text_format(out, "{");
  text(out, "fault", sentence);
  brio_text_format(out, "}\n");
}

bool brio_camera_send(brio_text *line) {
  size_t sent = 0;
  bool good = !line->failed;
  /* The write blocks while the reader is busy, and fails when it has gone. */
  while (good && sent < line->length) {
    ssize_t count = write(STDOUT_FILENO, line->bytes + sent, line->length - sent);
    good = count > 0;
    if (good) sent += (size_t)count;
  }
  brio_text_clear(line);
  return good;
}
