/* Furniture of the simulated world: fixed solids that things lie on or in, and roll down. */
#ifndef BRIO_WORLD_FURNITURE_H
#define BRIO_WORLD_FURNITURE_H

#include "world/world.h"

typedef enum brio_furniture_kind {
  BRIO_FURNITURE_TABLE,  /* a board with its top at size.z above z, on four legs */
  BRIO_FURNITURE_BIN,    /* an open box: size outside, walls of `board` */
  BRIO_FURNITURE_CHUTE,  /* a trough that falls along x: size.z above z at its back, z at its front */
  BRIO_FURNITURE_BOX,    /* a block */
  BRIO_FURNITURE_RAMP,   /* a board whose top rises along x, from z at its back to size.z above z at its front
                          */
  BRIO_FURNITURE_STAIRS, /* five steps that rise along x */
  BRIO_NFURNITURE
} brio_furniture_kind;

typedef struct brio_furniture_form {
  brio_furniture_kind form;
  const char *kind, *id;
  double x, y, z, yaw;   /* m, rad: the middle of its foot */
  brio_vec3 size;        /* m, full lengths */
  double board;          /* m: how thick its boards are */
  float color[3];        /* sRGB; NAN: unknown */
  bool hidden;           /* not detected: visible in clouds and solid for things only */
} brio_furniture_form;

/* Return "table", "bin", "chute", "box", "ramp" or "stairs". */
const char *brio_furniture_name(brio_furniture_kind form);

/* Add a piece.  A detection of it: a table's is in the middle of its top, a bin's in the middle of its
** opening, a chute's at its lower end, a ramp's and stairs' at their upper end; x along its own x.  Errors:
** misuse, no_memory, limit. */
bool brio_world_add_furniture(brio_world *world, const brio_furniture_form *form, brio_error *err);

#endif
