/* Frames as kinematics computes with them: three rows of four numbers (rotation and position), so
** that a product of two frames is sums of whole rows, two numbers to a register.  Not for other
** rooms. */
#ifndef BRIO_ROBOT_FRAME_INTERNAL_H
#define BRIO_ROBOT_FRAME_INTERNAL_H

#include "math/pose.h"
#include "math/sincos.h"
#include "robot/program_internal.h"

/* A frame in registers: the rows, in two halves.  Written out without loops, for gcc unrolls
** none at -O2 and would keep it in memory. */
typedef struct brio_frame_rows {
  brio_pair x0, x1, y0, y1, z0, z1;
} brio_frame_rows;

/* Write one row of a frame times `b`. */
static inline void brio_frame_multiply_row(const double *row, const brio_frame_rows *b, double *out) {
  brio_pair x = brio_pair_of(row[0]), y = brio_pair_of(row[1]), z = brio_pair_of(row[2]);
  brio_pair_store(out, x * b->x0 + y * b->y0 + z * b->z0);
  brio_pair_store(out + 2, (x * b->x1 + y * b->y1) + (z * b->z1 + (brio_pair){0, row[3]}));
}

/* Write frame `a` times `b`. */
static inline void brio_frame_multiply_rows(const double *a, const brio_frame_rows *b, double *out) {
  brio_frame_multiply_row(a, b, out);
  brio_frame_multiply_row(a + 4, b, out + 4);
  brio_frame_multiply_row(a + 8, b, out + 8);
}

/* Write frame `a` times frame `b`; `out` is neither of them. */
static inline void brio_frame_multiply(const double *a, const double *b, double *out) {
  brio_frame_rows rows;
  memcpy(&rows, b, sizeof rows);
  brio_frame_multiply_rows(a, &rows, out);
}

/* Return two numbers of a mover's frame as its parent sees it. */
static inline brio_pair brio_frame_blend(const double *constant, brio_pair cosine, brio_pair sine) {
  return brio_pair_load(constant) + cosine * brio_pair_load(constant + BRIO_FRAME) +
         sine * brio_pair_load(constant + 2 * BRIO_FRAME);
}

/* Write the frame of a mover with these constants (3 x BRIO_FRAME), given the frame of its parent. */
static inline void brio_frame_place(const double *parent, const double *constants, double sine, double cosine,
                                    double *out) {
  const double *k = constants;
  brio_pair c = brio_pair_of(cosine), s = brio_pair_of(sine);
  brio_frame_rows local = {brio_frame_blend(k, c, s),     brio_frame_blend(k + 2, c, s),
                           brio_frame_blend(k + 4, c, s), brio_frame_blend(k + 6, c, s),
                           brio_frame_blend(k + 8, c, s), brio_frame_blend(k + 10, c, s)};
  brio_frame_multiply_rows(parent, &local, out);
}

/* Write a frame as a transform. */
static inline void brio_frame_write(const double *frame, brio_transform *out) {
  double *r = out->r;
  brio_pair_store(r, brio_pair_load(frame));
  r[2] = frame[2];
  brio_pair_store(r + 3, brio_pair_load(frame + 4));
  r[5] = frame[6];
  brio_pair_store(r + 6, brio_pair_load(frame + 8));
  r[8] = frame[10];
  out->p = (brio_vec3){frame[3], frame[7], frame[11]};
}

/* Write a transform as a frame. */
static inline void brio_frame_read(const brio_transform *transform, double *frame) {
  for (int i = 0; i < 3; i++) memcpy(frame + 4 * i, transform->r + 3 * i, 3 * sizeof *frame);
  frame[3] = transform->p.x, frame[7] = transform->p.y, frame[11] = transform->p.z;
}

/* Return `v` of a frame, in world axes. */
static inline brio_vec3 brio_frame_direction(const double *f, brio_vec3 v) {
  return (brio_vec3){f[0] * v.x + f[1] * v.y + f[2] * v.z, f[4] * v.x + f[5] * v.y + f[6] * v.z,
                     f[8] * v.x + f[9] * v.y + f[10] * v.z};
}

/* Return where a frame's origin is. */
static inline brio_vec3 brio_frame_origin(const double *f) {
  return (brio_vec3){f[3], f[7], f[11]};
}

#endif
