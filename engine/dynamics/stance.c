/* How a robot stands: see stance.h.
**
** The forces are found by projected gradient steps, contact by contact (block coordinate descent): with the
** residual s = A f - wrench of the others, each contact goes along its own gradient A_i^T W s + e f_i by the
** inverse of its greatest curvature, and is projected onto its cone.  They begin at the forces of the call
** before, so few rounds suffice.  W measures moments in units of force at a metre's lever. */
#include "dynamics/stance.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { ROUNDS = 100 };

#define REGULAR 1e-4 /* e: prefers small forces among equal ones; of the whole curvature */
#define ENOUGH 1e-6  /* of the weight: rounds end when no force changes by more */

struct brio_stance_private {
  brio_stance_contact *contacts;
  brio_vec3 *forces;                /* ncontact: N, of the newest call */
  brio_vec3 *arms;                  /* ncontact: m, from the centre of mass */
  double *jacobians;                /* ncontact x 6 x nv; of each the first three rows count */
  double *matrix;                   /* 6 x nv */
  double *h;                        /* nv */
  double mass;
};

brio_stance_options brio_stance_default_options(void) {
  return (brio_stance_options){.friction = 0.6, .stiffness = 40, .damping = 10, .turn_stiffness = 60,
                               .turn_damping = 12};
}

/* Name an option that is out of its range. */
static bool check_options(const brio_stance_options *o, brio_error *err) {
  const struct {
    const char *name;
    double value;
    bool good;
  } rows[] = {{"friction", o->friction, o->friction > 0},
              {"stiffness", o->stiffness, o->stiffness >= 0},
              {"damping", o->damping, o->damping >= 0},
              {"turn_stiffness", o->turn_stiffness, o->turn_stiffness >= 0},
              {"turn_damping", o->turn_damping, o->turn_damping >= 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!rows[i].good || !isfinite(rows[i].value))
      return brio_fail(err, BRIO_MISUSE, "stance: %s must be a number of at least 0, not %g", rows[i].name,
                       rows[i].value);
  return true;
}

static bool check(const brio_robot *robot, const brio_stance_options *options, brio_error *err) {
  if (robot->base == BRIO_BASE_FIXED)
    return brio_fail(err, BRIO_MISUSE, "the base of '%.64s' is fixed: it does not stand on its contacts",
                     robot->name);
  if (!(robot->mass > 0))
    return brio_fail(err, BRIO_MISUSE, "the robot '%.64s' has no mass to stand with", robot->name);
  if (options->ncontact < 1 || options->ncontact > BRIO_STANCE_CONTACTS)
    return brio_fail(err, BRIO_MISUSE, "a stance has 1 to %d contacts, not %d", BRIO_STANCE_CONTACTS,
                     options->ncontact);
  for (int i = 0; i < options->ncontact; i++)
    if (options->contacts[i].link < 0 || options->contacts[i].link >= robot->nlink)
      return brio_fail(err, BRIO_MISUSE, "contact %d of a stance is on no link", i + 1);
  return check_options(options, err);
}

bool brio_stance_start(brio_stance *stance, brio_dynamics *dynamics, const brio_stance_options *options,
                       brio_error *err) {
  const brio_robot *robot = dynamics->robot;
  *stance = (brio_stance){.dynamics = dynamics, .options = *options};
  brio_arena_start(&stance->arena, 1 << 14);
  if (!check(robot, options, err)) return false;
  size_t n = (size_t)options->ncontact, nv = (size_t)robot->nv;
  struct brio_stance_private *work = BRIO_TAKE(&stance->arena, struct brio_stance_private, 1);
  if (work) {
    work->contacts = BRIO_TAKE(&stance->arena, brio_stance_contact, n);
    work->forces = BRIO_TAKE(&stance->arena, brio_vec3, n);
    work->arms = BRIO_TAKE(&stance->arena, brio_vec3, n);
    work->jacobians = BRIO_TAKE(&stance->arena, double, n * 6 * nv);
    work->matrix = BRIO_TAKE(&stance->arena, double, 6 * nv);
    work->h = BRIO_TAKE(&stance->arena, double, nv);
  }
  if (!work || !work->contacts || !work->forces || !work->arms || !work->jacobians || !work->matrix ||
      !work->h)
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for a stance");
  memcpy(work->contacts, options->contacts, n * sizeof *work->contacts);
  stance->options.contacts = work->contacts;
  work->mass = robot->mass;
  stance->work = work;
  /* The weight, spread evenly: where the first rounds begin. */
  for (size_t i = 0; i < n; i++)
    work->forces[i] = brio_vec3_scale(-work->mass / (double)n, dynamics->gravity);
  return true;
}

void brio_stance_end(brio_stance *stance) { brio_arena_end(&stance->arena); }

/* Points, lever arms and Jacobians of the contacts; return the points' mean. */
static brio_vec3 look_at_contacts(brio_stance *stance, const double *q, brio_vec3 com) {
  struct brio_stance_private *work = stance->work;
  int n = stance->options.ncontact, nv = stance->dynamics->robot->nv;
  brio_vec3 mean = {0, 0, 0};
  for (int i = 0; i < n; i++) {
    const brio_stance_contact *contact = &work->contacts[i];
    brio_point_motion m = brio_dynamics_point(stance->dynamics, q, NULL, contact->link, contact->point,
                                              work->jacobians + (size_t)i * 6 * (size_t)nv, NULL);
    work->arms[i] = brio_vec3_sub(m.at, com);
    mean = brio_vec3_add_scaled(mean, 1.0 / n, m.at);
  }
  return mean;
}

/* The rotation of the base, from configuration q: x y z, then x y z w. */
static brio_quat base_of(const double *q) { return (brio_quat){q[3], q[4], q[5], q[6]}; }

/* A wrench about the centre of mass. */
typedef struct wrench {
  brio_vec3 force, moment;
} wrench;

/* The wrench that is wanted. */
static wrench wanted(brio_stance *stance, const double *q, const double *u, const brio_stance_goal *goal,
                     const brio_momentum *m) {
  const brio_stance_options *o = &stance->options;
  const double *matrix = stance->work->matrix;
  int nv = stance->dynamics->robot->nv;
  double mass = stance->work->mass;
  brio_vec3 force = brio_vec3_scale(-mass, stance->dynamics->gravity);
  force = brio_vec3_add_scaled(force, mass * o->stiffness, brio_vec3_sub(goal->com, m->com));
  force = brio_vec3_add_scaled(force, -o->damping, m->linear);
  /* I (k_t e - d_t w), with I the columns of the base's rotation in the momentum matrix. */
  brio_quat off = brio_quat_mul(goal->orientation, brio_quat_conj(base_of(q)));
  brio_vec3 w = {u[3], u[4], u[5]};
  brio_vec3 turn = brio_vec3_sub(brio_vec3_scale(o->turn_stiffness, brio_quat_log(off)),
                                 brio_vec3_scale(o->turn_damping, w));
  const double a[3] = {turn.x, turn.y, turn.z};
  double moment[3] = {0, 0, 0};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) moment[i] += matrix[(3 + i) * nv + 3 + k] * a[k];
  return (wrench){force, {moment[0], moment[1], moment[2]}};
}

/* The nearest force in the cone |f_xy| <= mu f_z. */
static brio_vec3 in_cone(brio_vec3 f, double mu) {
  double side = hypot(f.x, f.y);
  if (side <= mu * f.z) return f;
  if (mu * side <= -f.z) return (brio_vec3){0, 0, 0};
  double z = (f.z + mu * side) / (1 + mu * mu), share = side > 0 ? mu * z / side : 0;
  return (brio_vec3){share * f.x, share * f.y, z};
}

/* Add a contact's force, times `sign`, to a wrench. */
static void add_force(wrench *sum, brio_vec3 arm, brio_vec3 force, double sign) {
  sum->force = brio_vec3_add_scaled(sum->force, sign, force);
  sum->moment = brio_vec3_add_scaled(sum->moment, sign, brio_vec3_cross(arm, force));
}

/* Find the forces; return what they leave of the wrench. */
static wrench distribute(brio_stance *stance, wrench want, double weight) {
  struct brio_stance_private *work = stance->work;
  wrench left = {brio_vec3_scale(-1, want.force), brio_vec3_scale(-1, want.moment)};
  for (int i = 0; i < stance->options.ncontact; i++) add_force(&left, work->arms[i], work->forces[i], 1);
  for (int round = 0; round < ROUNDS; round++) {
    double most = 0;
    for (int i = 0; i < stance->options.ncontact; i++) {
      brio_vec3 arm = work->arms[i], f = work->forces[i];
      /* The greatest curvature of 1 + [arm]x^T [arm]x is 1 + |arm|^2. */
      double curve = 1 + brio_vec3_dot(arm, arm) + REGULAR;
      brio_vec3 slope = brio_vec3_add(left.force, brio_vec3_cross(left.moment, arm));
      slope = brio_vec3_add_scaled(slope, REGULAR, f);
      brio_vec3 next = in_cone(brio_vec3_add_scaled(f, -1 / curve, slope), stance->options.friction);
      brio_vec3 change = brio_vec3_sub(next, f);
      add_force(&left, arm, change, 1);
      work->forces[i] = next;
      most = fmax(most, brio_vec3_norm(change));
    }
    if (most < ENOUGH * weight) break;
  }
  return left;
}

/* tau = h - sum J^T f. */
static void write_torques(brio_stance *stance, double *tau) {
  const struct brio_stance_private *work = stance->work;
  const brio_robot *robot = stance->dynamics->robot;
  int nv = robot->nv;
  for (int j = 0; j < robot->nvariable; j++) tau[j] = work->h[BRIO_BASE_NV + j];
  for (int i = 0; i < stance->options.ncontact; i++) {
    const double *rows = work->jacobians + (size_t)i * 6 * (size_t)nv;
    const double f[3] = {work->forces[i].x, work->forces[i].y, work->forces[i].z};
    for (int k = 0; k < 3; k++)
      for (int j = 0; j < robot->nvariable; j++) tau[j] -= rows[k * nv + BRIO_BASE_NV + j] * f[k];
  }
}

/* How it stands, once the forces are found. */
static void write_report(const brio_stance *stance, const brio_momentum *m, brio_vec3 ground, wrench want,
                         wrench left, brio_stance_report *out) {
  const struct brio_stance_private *work = stance->work;
  double g = brio_vec3_norm(stance->dynamics->gravity), height = fmax(m->com.z - ground.z, 0);
  brio_vec3 velocity = brio_vec3_scale(1 / work->mass, m->linear);
  *out = (brio_stance_report){.com = m->com, .velocity = velocity};
  out->capture = brio_vec3_add_scaled(m->com, sqrt(height / g), velocity);
  out->capture.z = ground.z;
  brio_vec3 sum = {0, 0, 0};
  for (int i = 0; i < stance->options.ncontact; i++) {
    out->force += work->forces[i].z;
    sum = brio_vec3_add_scaled(sum, work->forces[i].z, brio_vec3_add(m->com, work->arms[i]));
  }
  if (out->force > 0) out->press = brio_vec3_scale(1 / out->force, sum);
  double size = brio_vec3_norm(want.force) + brio_vec3_norm(want.moment);
  out->misfit = size > 0 ? (brio_vec3_norm(left.force) + brio_vec3_norm(left.moment)) / size : 0;
}

static bool all_finite(const double *v, int n) {
  for (int i = 0; i < n; i++)
    if (!isfinite(v[i])) return false;
  return true;
}

bool brio_stance_torques(brio_stance *stance, const double *q, const double *u, const brio_stance_goal *goal,
                         double *tau, brio_stance_report *report, brio_error *err) {
  const brio_robot *robot = stance->dynamics->robot;
  struct brio_stance_private *work = stance->work;
  assert(work);
  if (!all_finite(q, robot->nq) || !all_finite(u, robot->nv) || !all_finite(&goal->com.x, 3) ||
      !all_finite(&goal->orientation.x, 4))
    return brio_fail(err, BRIO_MISUSE, "stance: every number must be finite");
  brio_momentum m = brio_dynamics_momentum(stance->dynamics, q, u, work->matrix);
  brio_vec3 ground = look_at_contacts(stance, q, m.com);
  wrench want = wanted(stance, q, u, goal, &m);
  wrench left = distribute(stance, want, work->mass * brio_vec3_norm(stance->dynamics->gravity));
  brio_dynamics_inverse(stance->dynamics, q, u, NULL, work->h);
  write_torques(stance, tau);
  if (report) write_report(stance, &m, ground, want, left, report);
  return true;
}

void brio_stance_here(brio_stance *stance, const double *q, brio_stance_goal *goal) {
  brio_momentum m = brio_dynamics_momentum(stance->dynamics, q, NULL, NULL);
  goal->com = look_at_contacts(stance, q, m.com);
  goal->com.z = m.com.z;
  goal->orientation = base_of(q);
}
