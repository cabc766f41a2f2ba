/* The workspace of dynamics, and the passes that its files share.  Not for other rooms.
**
** The robot is a tree of bodies: body 0 is the root link with all that is fixed to it, body m what mover m
** carries (robot/robot.h).  Body frames are turned at set-up so that a mover's axis is z: a turn mixes two
** numbers of three, and the motion it gives is one number of six.
**
** Inverse dynamics works in body axes, from body to body.  Everything else works in one frame O: world axes,
** origin where the root link's origin is at that moment, moving on with its velocity.  There, spatial
** vectors and inertias of all bodies add without being transformed, and the six columns of a free base are
** unit vectors.  No force depends on how fast O moves (Galilei), so the base's linear velocity is 0 in O. */
#ifndef BRIO_DYNAMICS_DYNAMICS_INTERNAL_H
#define BRIO_DYNAMICS_DYNAMICS_INTERNAL_H

#include "dynamics/dynamics.h"
#include "dynamics/spatial_internal.h"

typedef struct brio_dynamics_body {
  int parent; /* body; 0 has none */
  int q, v;   /* place in a configuration and in a tangent vector */
  bool slides;
  double multiplier, offset; /* value = multiplier q + offset */
  brio_rotation turn;        /* parent_from_body at value 0 */
  brio_vec3 origin;          /* the same */
  brio_inertia inertia;      /* about the body's origin, in its axes */
} brio_dynamics_body;

/* Where a body is, in frame O. */
typedef struct brio_dynamics_place {
  brio_rotation turn;
  brio_vec3 origin;
  brio_spatial column; /* how its mover moves it, times the multiplier */
} brio_dynamics_place;

/* How a body moves, in frame O. */
typedef struct brio_dynamics_flow {
  brio_spatial velocity, acceleration;
  brio_spatial drift; /* parent's velocity x column: how the column changes as it is carried along */
} brio_dynamics_flow;

/* A link in the body that carries it. */
typedef struct brio_dynamics_link {
  int body;
  brio_rotation turn; /* body_from_link */
  brio_vec3 origin;
} brio_dynamics_link;

/* A point of a link, in frame O. */
typedef struct brio_dynamics_point_place {
  int body;
  brio_vec3 at;
  brio_spatial velocity;     /* of the point; of its body */
  brio_spatial acceleration; /* the same */
} brio_dynamics_point_place;

/* A row of M and of its factors: those of tangent numbers are ordered depth first, and left of the diagonal a
** row has entries in the columns of all rows on its way to the root, its path.  So the path of a row on the
** path is a part of it, from the beginning. */
typedef struct brio_dynamics_row {
  int v;     /* its tangent number */
  int start; /* its entries and its path begin there in `entries` and `paths` */
  int depth; /* how many they are */
  int root;  /* the row where its path begins: itself, where there is none */
  int last;  /* rows behind it up to this one, and no others, have it on their paths */
} brio_dynamics_row;

struct brio_dynamics_private {
  int nbody;                        /* movers + 1 */
  int first, nfree;                 /* tangent numbers that move: nfree, from `first` on */
  bool coupled;                     /* a variable moves several movers */
  brio_dynamics_body *bodies;       /* nbody */
  double *armature, *damping;       /* nvariable; NULL: none */
  double *values, *sines, *cosines; /* nbody + 1, by body */
  double *zeros;                    /* nv */
  brio_dynamics_place *places;      /* nbody, after brio_dynamics_place_bodies */
  brio_inertia *carried;            /* nbody: of a body and all below, in O, after brio_dynamics_carry */
  struct brio_dynamics_link_motion *motions; /* nbody: inverse.c */
  brio_dynamics_flow *flows;                 /* nbody, after brio_dynamics_move_bodies */
  brio_spatial *momenta;                     /* nbody: of a body and all below, in O; momentum.c */
  brio_dynamics_link *links;                 /* nlink */
  struct brio_dynamics_slope *slopes;        /* nbody: derivative.c */
  double *mass;                              /* nv x nv */
  brio_dynamics_row *rows;                   /* nfree */
  int nentry;                                /* of `paths` and `entries` */
  int *paths;                                /* rows on the ways to the root, roots first */
  int *path_vs;                              /* the tangent numbers of `paths` */
  int *row_of;                               /* nv: row of a tangent number, -1: fixed */
  double *entries;  /* beside `paths`: of M, after brio_dynamics_factorize of L, with M = L^T D L */
  double *diagonal; /* nfree: of M; then 1 / D */
  double *columns;  /* nfree x 3 BRIO_DYNAMICS_STRIDE(nfree): what is solved for */
  double *six;      /* 6 x nv: rows of a constraint */
  double *vector;   /* nv, for one solution */
  double *tau;      /* nv: the bias */
};

/* inverse.c, flow.c, derivative.c: allocate their parts of the workspace.  False: no memory. */
bool brio_dynamics_make_motions(brio_dynamics *dynamics);
bool brio_dynamics_make_flows(brio_dynamics *dynamics);
bool brio_dynamics_make_slopes(brio_dynamics *dynamics);

/* place.c: write the sines and cosines of all movers. */
void brio_dynamics_read_values(brio_dynamics *dynamics, const double *q);

/* place.c: place all bodies in O. */
void brio_dynamics_place_bodies(brio_dynamics *dynamics, const double *q);

/* flow.c: write the motions of the bodies placed, accelerations less `gravity`. */
void brio_dynamics_move_bodies(brio_dynamics *dynamics, const double *u, const double *du, brio_vec3 gravity);

/* point.c: return where a point of a link is and how it moves, after brio_dynamics_move_bodies. */
brio_dynamics_point_place brio_dynamics_place_point(const brio_dynamics *dynamics, int link, brio_vec3 point);

/* point.c: add scale times the Jacobian of that point (6 x nv) to `jacobian`, and unless NULL its rate to
** `rate`. */
void brio_dynamics_add_point_rows(const brio_dynamics *dynamics, const brio_dynamics_point_place *point,
                                  double scale, double *jacobian, double *rate);

/* mass.c: of the bodies placed, write the inertia of each alone into work->carried. */
void brio_dynamics_place_inertias(brio_dynamics *dynamics);

/* mass.c: of the bodies placed, write what each carries; return the same of all (body 0). */
const brio_inertia *brio_dynamics_carry(brio_dynamics *dynamics);

/* mass.c: M of the bodies placed, into work->entries and work->diagonal. */
void brio_dynamics_fill_rows(brio_dynamics *dynamics);

/* rows.c: find which numbers of M and its factors can be other than 0.  Errors: no_memory. */
bool brio_dynamics_make_rows(brio_dynamics *dynamics, brio_error *err);

/* factor.c: replace M in work->entries and work->diagonal by its factors.  Errors: misuse: not positive
** definite. */
bool brio_dynamics_factorize(brio_dynamics *dynamics, brio_error *err);

/* Numbers from row to row of `count` columns that are solved together. */
#define BRIO_DYNAMICS_STRIDE(count) (((count) + 3) & ~3)

/* solve.c: replace `x` (nfree, in the factors' order) by M^-1 x. */
void brio_dynamics_solve(const brio_dynamics *dynamics, double *x);

/* solve.c: the same for `count` columns: nfree rows of BRIO_DYNAMICS_STRIDE(count) numbers. */
void brio_dynamics_solve_columns(const brio_dynamics *dynamics, double *x, int count);

/* solve.c: the same for three matrices side by side, each nfree x BRIO_DYNAMICS_STRIDE(nfree): two whose
** zeros are those of M, and the unit matrix, of whose solution only the diagonal and what is right of it
** is written. */
void brio_dynamics_solve_slopes(const brio_dynamics *dynamics, double *x);

/* forward.c: replace two nv x nv matrices, whose zeros are those of M, by -M^-1 times them, and write
** M^-1, of the factors that are there. */
void brio_dynamics_divide(const brio_dynamics *dynamics, double *a, double *b, double *inverse);

/* Return whether the base moves. */
static inline bool brio_dynamics_floats(const brio_dynamics *dynamics) {
  return dynamics->work->first == 0;
}

/* Return the robot's base rotation. */
static inline brio_rotation brio_dynamics_base_turn(const double *q) {
  brio_quat unit = brio_quat_unit((brio_quat){q[3], q[4], q[5], q[6]});
  return brio_rotation_of(brio_transform_of((brio_pose){{0, 0, 0}, unit}).r);
}

#endif
