/* FCL's answer about two shapes, for C. */
#ifndef BRIO_TESTS_PEERS_FCL_H
#define BRIO_TESTS_PEERS_FCL_H

#ifdef __cplusplus
extern "C" {
#endif

enum { FCL_POINTS = 64 };

typedef struct fcl_solid {
  int kind;         /* 0 sphere, 1 capsule, 2 box, 3 cylinder, 4 hull */
  double size[3];   /* as brio tells them */
  double points[FCL_POINTS][3]; /* of a hull */
  int npoint;
  int faces[4 * FCL_POINTS][3]; /* of the hull: its points, counterclockwise from outside */
  int nface;
  double rotation[9], position[3]; /* rotation: row by row */
} fcl_solid;

typedef struct fcl_answer {
  double distance;  /* m: negative: depth; NaN: none */
  double a[3], b[3]; /* world: nearest points */
} fcl_answer;

/* Ask FCL, with libccd, for the signed distance of two shapes. */
fcl_answer fcl_ask(const fcl_solid *a, const fcl_solid *b);

#ifdef __cplusplus
}
#endif

#endif
