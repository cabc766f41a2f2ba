/* Configurations and velocities of MuJoCo and brio's for the same model in MJCF.
**
** A hinge or a slide is the same number in both.  A free joint is brio's base: MuJoCo's quaternion is w x y
** z, and its angular velocity is in the axes of the body, brio's in those of the world.  A ball is a
** quaternion and an angular velocity in the axes of the body that it carries; in brio it is three variables
** (yaw, pitch, roll, in this order outward).  With velocities v = G u
**     dv = G du + dG/dt u,     M = G^T M' G,     h = G^T (h' + M' dG/dt u). */
#ifndef BRIO_TESTS_MUJOCO_MAP_H
#define BRIO_TESTS_MUJOCO_MAP_H

#include "math/pose.h"
#include "robot/robot.h"
#include "tests/check.h"

enum { MUJOCO_FREE, MUJOCO_BALL, MUJOCO_SLIDE, MUJOCO_HINGE }; /* as MuJoCo numbers them */
enum { MUJOCO_MOST = 96 };                                     /* numbers of a configuration */

typedef struct mujoco_joint {
  int type, qpos, dof; /* its places in MuJoCo's vectors */
  int variable;        /* brio's first */
} mujoco_joint;

typedef struct mujoco_map {
  const brio_robot *robot;
  int njoint, nv; /* nv: MuJoCo's */
  mujoco_joint joints[MUJOCO_MOST];
} mujoco_map;

/* Add a joint by its name. */
static inline void mujoco_map_add(mujoco_map *map, const char *name, int type, int qpos, int dof) {
  static const int sizes[] = {6, 3, 1, 1};
  char full[100];
  brio_error err;
  snprintf(full, sizeof full, "%.80s%s", name, type == MUJOCO_BALL ? ".yaw" : "");
  int variable = type == MUJOCO_FREE ? -1 : brio_robot_variable(map->robot, full, &err);
  CHECK(type == MUJOCO_FREE || variable >= 0, "%s", err.message);
  CHECK(map->njoint < MUJOCO_MOST, "too many joints");
  map->joints[map->njoint++] = (mujoco_joint){type, qpos, dof, variable};
  map->nv = dof + sizes[type] > map->nv ? dof + sizes[type] : map->nv;
}

/* Write brio's configuration of MuJoCo's. */
static inline void mujoco_map_read(const mujoco_map *map, const double *qpos, double *q) {
  brio_robot_neutral(map->robot, q);
  for (int j = 0; j < map->njoint; j++) {
    const mujoco_joint *joint = &map->joints[j];
    const double *from = qpos + joint->qpos;
    double *to = q + BRIO_BASE_NQ + joint->variable;
    if (joint->type == MUJOCO_FREE) {
      memcpy(q, (double[]){from[0], from[1], from[2], from[4], from[5], from[6], from[3]}, 7 * sizeof *q);
    } else if (joint->type == MUJOCO_BALL) {
      brio_quat turn = brio_quat_unit((brio_quat){from[1], from[2], from[3], from[0]});
      brio_transform t = brio_transform_of((brio_pose){{0, 0, 0}, turn});
      to[0] = atan2(t.r[3], t.r[0]);
      to[1] = asin(fmax(-1, fmin(1, -t.r[6])));
      to[2] = atan2(t.r[7], t.r[8]);
    } else
      *to = *from;
  }
}

/* Write MuJoCo's configuration of brio's. */
static inline void mujoco_map_write(const mujoco_map *map, const double *q, double *qpos) {
  for (int j = 0; j < map->njoint; j++) {
    const mujoco_joint *joint = &map->joints[j];
    const double *from = q + BRIO_BASE_NQ + joint->variable;
    double *to = qpos + joint->qpos;
    if (joint->type == MUJOCO_FREE) {
      memcpy(to, (double[]){q[0], q[1], q[2], q[6], q[3], q[4], q[5]}, 7 * sizeof *q);
    } else if (joint->type == MUJOCO_BALL) {
      brio_quat yaw = brio_quat_exp((brio_vec3){0, 0, from[0]});
      brio_quat pitch = brio_quat_exp((brio_vec3){0, from[1], 0});
      brio_quat roll = brio_quat_exp((brio_vec3){from[2], 0, 0});
      brio_quat all = brio_quat_mul(yaw, brio_quat_mul(pitch, roll));
      memcpy(to, (double[]){all.w, all.x, all.y, all.z}, 4 * sizeof *q);
    } else
      *to = *from;
  }
}

/* Write a ball's block of G and its rows of dG/dt u, of angles and their rates. */
static inline void mujoco_map_ball(const double *angles, const double *rates, double g[9], double drift[3]) {
  double sp = sin(angles[1]), cp = cos(angles[1]), sr = sin(angles[2]), cr = cos(angles[2]);
  double dy = rates[0], dp = rates[1], dr = rates[2];
  memcpy(g, (double[]){-sp, 0, 1, sr * cp, cr, 0, cr * cp, -sr, 0}, 9 * sizeof *g);
  drift[0] = -cp * dp * dy;
  drift[1] = -sr * dr * dp + (cr * cp * dr - sr * sp * dp) * dy;
  drift[2] = -cr * dr * dp - (sr * cp * dr + cr * sp * dp) * dy;
}

/* Write G (MuJoCo's nv x brio's nv) and dG/dt u. */
static inline void mujoco_map_rates(const mujoco_map *map, const double *q, const double *u, double *g,
                                    double *drift) {
  int nv = map->robot->nv;
  memset(g, 0, (size_t)(map->nv * nv) * sizeof *g);
  memset(drift, 0, (size_t)map->nv * sizeof *drift);
  brio_transform base = brio_transform_of((brio_pose){{0, 0, 0}, {q[3], q[4], q[5], q[6]}});
  for (int j = 0; j < map->njoint; j++) {
    const mujoco_joint *joint = &map->joints[j];
    int v = BRIO_BASE_NV + joint->variable;
    double *own = g + joint->dof * nv, block[9];
    if (joint->type == MUJOCO_FREE) {
      for (int i = 0; i < 3; i++) own[i * nv + i] = 1;
      for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) own[(3 + i) * nv + 3 + k] = base.r[3 * k + i];
    } else if (joint->type == MUJOCO_BALL) {
      mujoco_map_ball(q + BRIO_BASE_NQ + joint->variable, u + v, block, drift + joint->dof);
      for (int i = 0; i < 9; i++) own[i / 3 * nv + v + i % 3] = block[i];
    } else
      own[v] = 1;
  }
}

/* Write brio's velocity of MuJoCo's in configuration q. */
static inline void mujoco_map_velocity(const mujoco_map *map, const double *q, const double *qvel,
                                       double *u) {
  memset(u, 0, (size_t)map->robot->nv * sizeof *u);
  for (int j = 0; j < map->njoint; j++) {
    const mujoco_joint *joint = &map->joints[j];
    const double *from = qvel + joint->dof, *at = q + BRIO_BASE_NQ + joint->variable;
    double *to = u + BRIO_BASE_NV + joint->variable;
    if (joint->type == MUJOCO_FREE) {
      brio_vec3 turn =
          brio_quat_rotate((brio_quat){q[3], q[4], q[5], q[6]}, (brio_vec3){from[3], from[4], from[5]});
      memcpy(u, (double[]){from[0], from[1], from[2], turn.x, turn.y, turn.z}, 6 * sizeof *u);
    } else if (joint->type == MUJOCO_BALL) {
      double sr = sin(at[2]), cr = cos(at[2]);
      to[0] = (sr * from[1] + cr * from[2]) / cos(at[1]);
      to[1] = cr * from[1] - sr * from[2];
      to[2] = from[0] + sin(at[1]) * to[0];
    } else
      *to = *from;
  }
}

/* Write G x (MuJoCo's nv). */
static inline void mujoco_map_times(const mujoco_map *map, const double *g, const double *x, double *out) {
  int nv = map->robot->nv;
  for (int i = 0; i < map->nv; i++) {
    out[i] = 0;
    for (int k = 0; k < nv; k++) out[i] += g[i * nv + k] * x[k];
  }
}

/* Write G^T x (brio's nv). */
static inline void mujoco_map_back(const mujoco_map *map, const double *g, const double *x, double *out) {
  int nv = map->robot->nv;
  memset(out, 0, (size_t)nv * sizeof *out);
  for (int i = 0; i < map->nv; i++)
    for (int k = 0; k < nv; k++) out[k] += g[i * nv + k] * x[i];
}

/* Write M = G^T M' G (brio's nv x nv), of MuJoCo's M'. */
static inline void mujoco_map_mass(const mujoco_map *map, const double *g, const double *theirs,
                                   double *out) {
  int nv = map->robot->nv, n = map->nv;
  double column[MUJOCO_MOST], times[MUJOCO_MOST], back[MUJOCO_MOST];
  for (int k = 0; k < nv; k++) {
    for (int i = 0; i < n; i++) column[i] = g[i * nv + k];
    for (int i = 0; i < n; i++) {
      times[i] = 0;
      for (int m = 0; m < n; m++) times[i] += theirs[i * n + m] * column[m];
    }
    mujoco_map_back(map, g, times, back);
    for (int i = 0; i < nv; i++) out[i * nv + k] = back[i];
  }
}

/* Write h = G^T (h' + M' drift), of MuJoCo's h' and M'. */
static inline void mujoco_map_bias(const mujoco_map *map, const double *g, const double *theirs,
                                   const double *mass, const double *drift, double *out) {
  double sum[MUJOCO_MOST];
  for (int i = 0; i < map->nv; i++) {
    sum[i] = theirs[i];
    for (int k = 0; k < map->nv; k++) sum[i] += mass[i * map->nv + k] * drift[k];
  }
  mujoco_map_back(map, g, sum, out);
}

#endif
