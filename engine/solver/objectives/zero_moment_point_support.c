/* The robot's zero moment point inside the area that carries it: where the force of the ground would have to
** act, without a horizontal moment, to make the robot move so.  While it is inside, flat feet stay flat and
** nothing tips; on level ground it is the center of pressure.  With c the center of mass, h its height above
** the ground, F = m c'' + m g the force of the ground and L the angular momentum about c,
**   p = (c_x F_z - h F_x - L'_y,  c_y F_z - h F_y + L'_x) / F_z.
** Each edge of the hull has a row
**   max(0, margin - s) F_z / (m g),  m
** with s how far inside of the edge p is: linear in the coming step, so nothing is divided by a force that
** may vanish.  The ground only pushes: where F_z is below a fifth of the weight, there is a row
**   0.2 - F_z / (m g).
** Sources: Vukobratovic, Borovac, "Zero-moment point - thirty five years of its life", 2004; Kajita et al.,
** "Introduction to Humanoid Robotics", 2014, section 3.3.
**
** It limits how hastily the robot moves, not where it rests: at rest p is below the center of mass, which
** center_of_mass_support keeps inside.  Where that is nearer to an edge than the margin, or outside, the edge
** is moved out to it, or the robot would have to lean out farther to bring p in.  One step knows nothing of
** the braking to come: alone it lets the robot become faster than the ground can brake.
** capture_point_support, with a margin that is wider by some centimeters, keeps it slow enough, and limits of
** acceleration not far above what the ground allows make both quick to be met. */
#include "solver/terms/dynamics.h"
#include "solver/terms/support.h"

static const double LEAST = 0.2; /* F_z, of the weight */

typedef struct zero_moment_point_support {
  brio_term_dynamics base;
  double margin; /* m */
  brio_support support;
} zero_moment_point_support;

/* A workspace of the robot's dynamics. */
static bool bind(void *self, const brio_robot *robot, uint64_t seed, brio_error *err) {
  (void)seed;
  return brio_term_dynamics_start(self, robot, err);
}

/* A row of the vertical force before those of the edges. */
static int rows(const void *self, const brio_robot *robot) {
  return 1 + brio_support_rows(self, robot);
}

/* The hull, and the momentum where the robot is, once a solve. */
static void update(void *self, const brio_goal *goal, const brio_evaluation *last) {
  zero_moment_point_support *term = self;
  brio_support_update(&term->support, goal);
  brio_term_momentum_update(&term->base, last);
}

/* The rates of momentum that the step asks of the ground, of the robot's weight: force, then moment in m. */
static double find_rates(const brio_term_dynamics *base, const brio_evaluation *at, double rates[6]) {
  const double drift[6] = {base->momentum.force.x,  base->momentum.force.y,  base->momentum.force.z,
                           base->momentum.moment.x, base->momentum.moment.y, base->momentum.moment.z};
  double weight = -base->dynamics.gravity.z * base->momentum.mass, slope = brio_term_acceleration(base, at);
  for (int i = 0; i < 6; i++)
    rates[i] = (brio_term_momentum_of(base, i, base->acceleration) + drift[i]) / weight;
  return slope / weight;
}

/* Three rows: how c_x F_z - h F_x - L'_y, c_y F_z - h F_y + L'_x and F_z change, of the weight. */
static void find_slopes(const brio_term_dynamics *base, const brio_evaluation *at, double h, double scale,
                        double *slopes) {
  int nv = at->robot->nv;
  double *x = slopes, *y = slopes + nv, *z = slopes + 2 * nv;
  const double *a = base->matrix;
  brio_vec3 c = base->momentum.com;
  for (int j = 0; j < nv; j++) {
    double force_z = a[2 * nv + j];
    x[j] = scale * (c.x * force_z - h * a[j] - a[4 * nv + j]);
    y[j] = scale * (c.y * force_z - h * a[nv + j] + a[3 * nv + j]);
    z[j] = scale * force_z;
  }
  for (int i = 0; i < 3; i++) brio_term_slope_of_steps(at, slopes + i * nv);
}

/* The point times the force of the ground, and the rows of the edges that it is too near to. */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  const zero_moment_point_support *term = self;
  (void)goal;
  int nv = at->robot->nv;
  double rates[6], scale = find_rates(&term->base, at, rates);
  brio_vec3 c = term->base.momentum.com;
  double h = c.z - term->support.height, force_z = 1 + rates[2], rest[2] = {c.x, c.y};
  const double p[3] = {c.x * force_z - h * rates[0] - rates[4], c.y * force_z - h * rates[1] + rates[3],
                       force_z};
  double *slopes = jacobian ? jacobian + (1 + BRIO_SUPPORT_EDGES) * nv : NULL;
  if (slopes) find_slopes(&term->base, at, h, scale, slopes);
  /* Too little force on the ground, then the edges. */
  int light = force_z < LEAST;
  if (light) r[0] = LEAST - force_z;
  for (int j = 0; light && jacobian && j < nv; j++) jacobian[j] = -slopes[2 * nv + j];
  double *behind = jacobian ? jacobian + light * nv : NULL;
  return light + brio_support_residual(&term->support, term->margin, rest, p, slopes, nv, r + light, behind);
}

static const brio_param params[] = {{.name = "margin",
                                     .unit = "m",
                                     .doc = "Minimum distance from the edge of the area.",
                                     .offset = offsetof(zero_moment_point_support, margin),
                                     .fallback = 0.02,
                                     .lower = 0,
                                     .upper = 10},
                                    {0}};

const brio_objective_kind brio_objective_zero_moment_point_support = {
    .name = "zero_moment_point_support",
    .doc = "Keeps the zero moment point (on level ground the center of pressure) inside the hull of points "
           "on the ground, by a margin, so that no motion is hasty enough to tip the robot; beside "
           "`capture_point_support`, which keeps it slow enough to brake.",
    .example = "{margin = 0.03}",
    .category = "force",
    .params = params,
    .goal = &brio_goal_points,
    .size = sizeof(zero_moment_point_support),
    .loss = &brio_loss_wall,
    .lively = &brio_loss_wall,
    .bind = bind,
    .accept = brio_support_accept,
    .rows = rows,
    .update = update,
    .residual = residual,
    .end = brio_term_dynamics_end,
};
