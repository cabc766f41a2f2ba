/* Collisions by the momentum observer: see collisions.h.  Dry friction of f N m acts as
**     -f v / sqrt(v^2 + v0^2),
** a Coulomb friction that is smooth about rest, where nobody knows its direction: there it is part of what a
** threshold must be above. */
#include "runtime/motor/collisions.h"

#include <assert.h>
#include <math.h>

#include "runtime/motor/motor_internal.h"

#define CREEPS 0.02 /* rad/s or m/s: v0 */
#define SILENT 1.0  /* s without torques after which that is reported */

/* Sum up the dry friction of the joints of each variable; those that copy others by their share. */
static void read_friction(const brio_robot *robot, double *friction) {
  for (int j = 0; j < robot->njoint; j++) {
    const brio_joint *joint = &robot->joints[j];
    for (int k = 0; k < joint->nvariable; k++)
      friction[joint->variable + k] += fabs(joint->multiplier) * joint->friction;
  }
}

bool brio_motor_collisions_start(brio_motor_collisions *collisions, brio_arena *arena,
                                 const brio_robot *robot, const brio_motor_collision_options *options,
                                 brio_error *err) {
  size_t n = (size_t)robot->nvariable + 1;
  *collisions = (brio_motor_collisions){.reaction = options->reaction,
                                        .q = BRIO_TAKE(arena, double, robot->nq),
                                        .u = BRIO_TAKE(arena, double, robot->nv),
                                        .tau = BRIO_TAKE(arena, double, robot->nv),
                                        .friction = BRIO_TAKE(arena, double, n),
                                        .list = BRIO_TAKE(arena, brio_observer_collision, n),
                                        .told = BRIO_TAKE(arena, bool, n)};
  if (!collisions->q || !collisions->u || !collisions->tau || !collisions->friction || !collisions->list ||
      !collisions->told)
    return brio_fail(err, BRIO_NO_MEMORY, "no memory to watch for collisions");
  brio_robot_neutral(robot, collisions->q);
  read_friction(robot, collisions->friction);
  return brio_dynamics_start(&collisions->dynamics, robot, NULL, err) &&
         brio_observer_start(&collisions->observer, &collisions->dynamics, &options->observer, err);
}

void brio_motor_collisions_end(brio_motor_collisions *collisions) {
  if (!collisions) return;
  if (collisions->observer.dynamics) brio_observer_end(&collisions->observer);
  if (collisions->dynamics.robot) brio_dynamics_end(&collisions->dynamics);
}

/* Whether all joints reported since the last update, and torques, too. */
static bool take_reports(brio_motor *motor) {
  brio_motor_collisions *c = motor->collisions;
  const double *friction = c->friction;
  for (int i = 0; i < motor->tree; i++) {
    const brio_axis_state *state = &motor->states[i];
    if (!state->valid || !(state->knows & BRIO_KNOWS_TORQUE)) return false;
    c->q[BRIO_BASE_NQ + i] = state->position;
    c->u[BRIO_BASE_NV + i] = state->velocity;
  }
  brio_dynamics_passive(&c->dynamics, c->q, c->u, c->tau);
  for (int i = 0; i < motor->tree; i++) {
    double v = motor->states[i].velocity;
    c->tau[BRIO_BASE_NV + i] += motor->states[i].torque - friction[i] * v / sqrt(v * v + CREEPS * CREEPS);
  }
  return true;
}

/* The time since the last reports, s; 0: there are none since.  In lockstep every period has reports; on the
** real clock all joints of a tree are taken to be on one device, or on devices that report at the same
** rate. */
static double since_reports(brio_motor *motor, double h) {
  brio_motor_collisions *c = motor->collisions;
  if (!motor->threaded) return c->waits + h;
  int64_t at = 0, before = c->at;
  for (int b = 0; b < motor->nbus; b++) {
    const brio_motor_answer *answer = brio_triple_front(&motor->buses[b].answers);
    if (motor->buses[b].device->count > 0 && (at == 0 || answer->at < at)) at = answer->at;
  }
  if (at <= before) return 0;
  c->at = at;
  return before > 0 ? (double)(at - before) * 1e-9 : h;
}

/* Announce what is new, where the force acts or inside of that, and react. */
static void announce(brio_motor *motor) {
  static const unsigned causes[BRIO_REACTION_COUNT] = {
      [BRIO_REACTION_HOLD] = BRIO_MOTION_FAULT, [BRIO_REACTION_RELAX] = BRIO_MOTION_FAULT | BRIO_MOTION_RELAX,
      [BRIO_REACTION_PANIC] = BRIO_MOTION_PANIC};
  brio_motor_collisions *c = motor->collisions;
  const brio_observer_collision *found = NULL;
  bool known = false;
  for (int k = 0; k < c->ncollision; k++) {
    known = known || c->told[c->list[k].variable];
    if (c->list[k].outermost && !c->told[c->list[k].variable]) found = &c->list[k];
  }
  for (int i = 0; i < motor->tree; i++) c->told[i] = false;
  for (int k = 0; k < c->ncollision; k++) c->told[c->list[k].variable] = true;
  /* A contact that reaches one more joint is the same one. */
  if (!found || known) return;
  c->count++;
  brio_motor_news(motor, (brio_motor_event){.kind = BRIO_MOTOR_COLLISION,
                                            .which = found->variable,
                                            .reaction = c->reaction,
                                            .value = found->torque,
                                            .limit = found->threshold});
  if (causes[c->reaction]) brio_motion_hold(&motor->motion, causes[c->reaction]);
}

/* Say once that there is nothing to watch. */
static void note_silence(brio_motor *motor) {
  brio_motor_collisions *c = motor->collisions;
  if (c->silent || motor->time < SILENT || c->waits < SILENT) return;
  c->silent = true;
  brio_motor_news(motor, (brio_motor_event){.kind = BRIO_MOTOR_NO_TORQUES});
}

void brio_motor_collisions_step(brio_motor *motor, double h) {
  brio_motor_collisions *c = motor->collisions;
  assert(c && h > 0);
  double dt = since_reports(motor, h);
  if (!(dt > 0) || !take_reports(motor)) {
    c->waits += h;
    note_silence(motor);
    return;
  }
  /* NaN changes nothing here: the alarms detect it. */
  if (!brio_observer_update(&c->observer, c->q, c->u, c->tau, dt, NULL)) return;
  c->waits = 0;
  c->ncollision = brio_observer_collisions(&c->observer, c->list);
  announce(motor);
}

void brio_motor_collisions_report(const brio_motor_collisions *collisions, brio_motor_report *report) {
  double most = 0;
  report->watches = true;
  report->collisions = collisions->count;
  report->collision_axis = -1;
  for (int k = 0; k < collisions->ncollision; k++) {
    const brio_observer_collision *found = &collisions->list[k];
    double excess = fabs(found->torque) / found->threshold;
    if (excess <= most) continue;
    most = excess;
    report->collision_axis = found->variable;
    report->collision_torque = found->torque;
    report->collision_limit = found->threshold;
  }
}
