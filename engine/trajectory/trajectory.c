/* Setup of a trajectory: checks, numbering of the unknowns, their limits, and all memory. */
#include "trajectory/trajectory.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "math/scalar.h"
#include "trajectory/trajectory_internal.h"

/* Speeds and torques from here on are no limits; also the greatest duration (s) and stretch. */
static const double most = 1e9;

/* Fail unless nodes, duration and stretch of all phases are valid.  Errors: misuse. */
static bool check_phases(const brio_trajectory_setup *setup, brio_error *err) {
  if (setup->nphase < 1) return brio_fail(err, BRIO_MISUSE, "a trajectory needs at least 1 phase");
  for (int p = 0; p < setup->nphase; p++) {
    const brio_trajectory_phase *phase = &setup->phases[p];
    /* an interval needs two nodes */
    if (phase->nodes < 2)
      return brio_fail(err, BRIO_MISUSE, "phase %d has %d nodes, expected at least 2", p + 1, phase->nodes);
    if (!(phase->duration > 0 && phase->duration < most))
      return brio_fail(err, BRIO_MISUSE, "phase %d lasts %g s, expected a time above 0", p + 1,
                       phase->duration);
    /* stretch 1 to 1: a fixed duration */
    if (!(phase->stretch[0] > 0 && phase->stretch[0] <= phase->stretch[1] && phase->stretch[1] < most))
      return brio_fail(err, BRIO_MISUSE, "phase %d may stretch by %g to %g, expected rising factors above 0",
                       p + 1, phase->stretch[0], phase->stretch[1]);
  }
  return true;
}

/* Fail unless a cycle's displacement is finite and does not rotate the base, whose velocities are in world
** axes. */
static bool check_cycle(const brio_trajectory_setup *setup, brio_error *err) {
  for (int v = 0; setup->cycle && v < setup->robot->nv; v++) {
    if (!isfinite(setup->cycle[v]))
      return brio_fail(err, BRIO_MISUSE, "a cycle's way has a number that is not finite");
    if (v >= 3 && v < BRIO_BASE_NV && setup->cycle[v] != 0)
      return brio_fail(err, BRIO_MISUSE, "a cycle turns the base: expected a way that moves it alone");
  }
  return true;
}

/* Fail unless phase, node and weight of each term are valid. */
static bool check_terms(const brio_trajectory_setup *setup, brio_error *err) {
  for (int i = 0; i < setup->nterm; i++) {
    const brio_trajectory_term *term = &setup->terms[i];
    int phase = term->phase == BRIO_TRAJECTORY_LAST ? setup->nphase - 1 : term->phase;
    if (phase < BRIO_TRAJECTORY_ALL || phase >= setup->nphase)
      return brio_fail(err, BRIO_MISUSE, "term %d, %s: there is no phase %d of %d", i + 1, term->kind->name,
                       term->phase + 1, setup->nphase);
    if (phase >= 0 && term->node >= setup->phases[phase].nodes)
      return brio_fail(err, BRIO_MISUSE, "term %d, %s: phase %d has %d nodes, not %d", i + 1,
                       term->kind->name, phase + 1, setup->phases[phase].nodes, term->node + 1);
    if (!(term->weight >= 0 && term->weight < HUGE_VAL))
      return brio_fail(err, BRIO_MISUSE, "term %d, %s: its weight is %g, expected a number of at least 0",
                       i + 1, term->kind->name, term->weight);
  }
  return true;
}

/* Count nodes, unknowns and motors.  Errors: no_memory; misuse (a motor of no variable). */
static bool count(brio_trajectory *t, brio_error *err) {
  const brio_trajectory_setup *setup = &t->setup;
  t->first = t->robot->base == BRIO_BASE_FIXED ? BRIO_BASE_NV : 0;
  t->ndof = t->robot->nv - t->first;
  /* a fixed stretch other than 1 is a number of z, too, with equal limits */
  for (int p = 0; p < setup->nphase; p++) {
    t->nnode += setup->phases[p].nodes;
    if (setup->phases[p].stretch[0] < setup->phases[p].stretch[1] || setup->phases[p].stretch[0] != 1)
      t->nstretch = 1;
  }
  t->motors = BRIO_TAKE(&t->arena, int, t->robot->nvariable + 1);
  if (!t->motors) return brio_fail(err, BRIO_NO_MEMORY, "no memory for a trajectory");
  /* motors: those of the setup, else all variables with an effort above 0 */
  for (int v = 0; !setup->motors && v < t->robot->nvariable; v++) {
    double effort = setup->limits.effort ? setup->limits.effort[v] : t->robot->variables[v].effort;
    if (effort > 0) t->motors[t->nmotor++] = v;
  }
  /* a list that is given may not be longer than the robot has variables */
  for (int m = 0; setup->motors && m < setup->nmotor; m++) {
    if (setup->motors[m] < 0 || setup->motors[m] >= t->robot->nvariable || m >= t->robot->nvariable)
      return brio_fail(err, BRIO_MISUSE, "motor %d: the robot has no variable %d", m + 1, setup->motors[m]);
    t->motors[t->nmotor++] = setup->motors[m];
  }
  /* z: state, then torques */
  t->nstate = 2 * t->ndof + t->nstretch;
  t->nz = t->nstate + t->nmotor;
  return true;
}

/* List the constraints of each phase: its contacts, then the loops of the robot's file.  Errors: no_memory;
** misuse. */
static bool make_holds(brio_trajectory *t, brio_error *err) {
  const brio_trajectory_setup *setup = &t->setup;
  brio_trajectory_hold *holds = t->work->holds;
  for (int p = 0; p < setup->nphase; p++) {
    const brio_trajectory_phase *phase = &setup->phases[p];
    int loops = t->robot->nloop;
    brio_dynamics_constraint *list =
        BRIO_TAKE(&t->arena, brio_dynamics_constraint, phase->ncontact + loops + 1);
    if (!list) return brio_fail(err, BRIO_NO_MEMORY, "no memory for a trajectory");
    holds[p] = (brio_trajectory_hold){list, phase->ncontact + loops, 0};
    for (int c = 0; c < phase->ncontact; c++) {
      const brio_trajectory_contact *contact = &phase->contacts[c];
      if (contact->hold.link < 0 || contact->hold.link >= t->robot->nlink)
        return brio_fail(err, BRIO_MISUSE, "phase %d, contact %d: there is no link %d", p + 1, c + 1,
                         contact->hold.link);
      if (!(contact->friction > 0))
        return brio_fail(err, BRIO_MISUSE, "phase %d, contact %d: friction %g, expected a number above 0",
                         p + 1, c + 1, contact->friction);
      /* all contacts have the stabilization gains of the setup */
      list[c] = contact->hold;
      list[c].stiffness = setup->stiffness, list[c].damping = setup->damping;
      holds[p].rows += list[c].rigid ? 6 : 3;
    }
    holds[p].rows += brio_dynamics_loops(t->robot, setup->stiffness, setup->damping, list + phase->ncontact);
    t->nforce = holds[p].rows > t->nforce ? holds[p].rows : t->nforce;
  }
  return true;
}

/* Set the limits of z, equal at all nodes; those of the stretch are in its phase. */
static void make_limits(brio_trajectory *t) {
  const brio_trajectory_limits *given = &t->setup.limits;
  for (int i = 0; i < t->nz; i++) t->lower[i] = -HUGE_VAL, t->upper[i] = HUGE_VAL;
  for (int v = 0; v < t->robot->nvariable; v++) {
    const brio_variable *variable = &t->robot->variables[v];
    int i = BRIO_BASE_NV - t->first + v;
    /* limits of the setup override those of the robot's file */
    double speed = given->velocity ? given->velocity[v] : variable->velocity;
    t->lower[i] = given->lower ? given->lower[v] : variable->lower;
    t->upper[i] = given->upper ? given->upper[v] : variable->upper;
    if (speed < most) t->lower[t->ndof + i] = -speed, t->upper[t->ndof + i] = speed;
  }
  /* torques */
  for (int m = 0; m < t->nmotor; m++) {
    int v = t->motors[m];
    double effort = given->effort ? given->effort[v] : t->robot->variables[v].effort;
    if (effort > 0 && effort < most) t->lower[t->nstate + m] = -effort, t->upper[t->nstate + m] = effort;
  }
}

/* Sum the springs of the robot's file for each variable: torque = rest - spring q. */
static void make_springs(brio_trajectory *t) {
  const brio_robot *robot = t->robot;
  for (int j = 0; j < robot->njoint; j++) {
    const brio_joint *joint = &robot->joints[j];
    /* a mimic joint's spring acts on its source, through its multiplier */
    if (!(joint->stiffness > 0) || joint->variable < 0 || joint->nvariable != 1) continue;
    t->work->spring[joint->variable] += joint->multiplier * joint->multiplier * joint->stiffness;
    t->work->rest[joint->variable] +=
        joint->multiplier * joint->stiffness * (joint->springref - joint->offset);
  }
}

/* Write phase, index, time and step of all nodes. */
static void make_nodes(brio_trajectory *t) {
  double time = 0;
  for (int p = 0, k = 0; p < t->setup.nphase; p++) {
    const brio_trajectory_phase *phase = &t->setup.phases[p];
    /* times are unstretched */
    double step = phase->duration / (phase->nodes - 1);
    for (int i = 0; i < phase->nodes; i++)
      t->nodes[k++] = (brio_trajectory_node){p, i, time + i * step, step};
    time += phase->duration;
  }
}

/* Enough for nq, nv, nmotor and nforce numbers. */
int brio_trajectory_most(const brio_trajectory *t) {
  return t->robot->nq + t->nforce;
}

/* Take memory for lists that do not depend on the contacts. */
static bool take_lists(brio_trajectory *t, brio_error *err) {
  int nvariable = t->robot->nvariable;
  t->nodes = BRIO_TAKE(&t->arena, brio_trajectory_node, t->nnode);
  t->lower = BRIO_TAKE(&t->arena, double, 2 * t->nz), t->upper = t->lower + t->nz;
  t->work->holds = BRIO_TAKE(&t->arena, brio_trajectory_hold, t->setup.nphase);
  t->work->spring = BRIO_TAKE(&t->arena, double, 2 * nvariable + 1),
  t->work->rest = t->work->spring + nvariable;
  t->work->terms = BRIO_TAKE(&t->arena, brio_trajectory_term, t->setup.nterm + 1);
  if (!t->nodes || !t->lower || !t->work->holds || !t->work->spring || !t->work->terms)
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for a trajectory");
  if (t->setup.nterm) memcpy(t->work->terms, t->setup.terms, (size_t)t->setup.nterm * sizeof *t->work->terms);
  t->setup.terms = t->work->terms;
  return true;
}

/* Take scratch memory for what is computed at a point. */
static bool take_scratch(brio_trajectory *t, brio_error *err) {
  struct brio_trajectory_private *work = t->work;
  int nv = t->robot->nv, nz = t->nz;
  /* rows of a term may differ by phase, as its contacts do */
  for (int i = 0; i < t->setup.nterm; i++)
    for (int p = 0; p < t->setup.nphase; p++) {
      int rows = work->terms[i].kind->rows(work->terms[i].arguments, t, &t->setup.phases[p]);
      work->most_rows = rows > work->most_rows ? rows : work->most_rows;
    }
  /* sizes of the parts, in numbers */
  size_t point = (size_t)(3 * nv * nv + 3 * t->nforce * nv + 2 * nv);
  size_t rows = (size_t)work->most_rows * (size_t)(nz + 1);
  size_t between = (size_t)(9 * brio_trajectory_most(t) + 15 * t->ndof * nz + t->nforce * nz);
  size_t range = (size_t)(2 * t->nforce * t->ndof + t->ndof * (t->ndof + nz) + nv);
  size_t frames = (size_t)(12 * nv + 6 * t->ndof);
  size_t joins = (size_t)(nv + t->nforce + t->robot->nq);
  double *numbers = BRIO_TAKE(&t->arena, double, point + rows + between + range + frames + joins + 1);
  if (!numbers) return brio_fail(err, BRIO_NO_MEMORY, "no memory for a trajectory");
  /* one block, cut into parts */
  for (int i = 0; i < 6; i++) work->slopes[i] = numbers, numbers += (i < 3 ? nv : t->nforce) * nv;
  work->tau = numbers, t->tangent = numbers + nv, numbers += 2 * nv;
  work->after = numbers, work->moved = numbers + nv + t->nforce, numbers += joins;
  work->rows = numbers, work->row_slopes = numbers + work->most_rows;
  t->between = numbers + rows;
  work->range = t->between + between, work->rates = work->range + range, work->frame = work->rates + 6 * nv;
  return true;
}

/* Start the dynamics, with armature and damping of the robot's file unless the setup gives others. */
static bool start_dynamics(brio_trajectory *t, brio_error *err) {
  brio_dynamics_options options = {0};
  if (t->setup.dynamics) options = *t->setup.dynamics;
  double *damping = BRIO_TAKE(&t->arena, double, t->robot->nvariable + 1);
  if (!damping) return brio_fail(err, BRIO_NO_MEMORY, "no memory for a trajectory");
  brio_dynamics_file_damping(t->robot, damping);
  if (!options.damping) options.damping = damping;
  return brio_dynamics_start(&t->dynamics, t->robot, &options, err);
}

bool brio_trajectory_start(brio_trajectory *t, const brio_trajectory_setup *setup, brio_error *err) {
  *t = (brio_trajectory){.setup = *setup, .robot = setup->robot};
  brio_arena_start(&t->arena, 65536);
  t->work = BRIO_TAKE(&t->arena, struct brio_trajectory_private, 1);
  /* counts and lists first: the sizes of scratch memory depend on them */
  bool good = t->work || brio_fail(err, BRIO_NO_MEMORY, "no memory for a trajectory");
  good = good && check_phases(setup, err) && check_cycle(setup, err) && check_terms(setup, err);
  good = good && count(t, err) && take_lists(t, err);
  good = good && make_holds(t, err);
  if (good) make_limits(t), make_springs(t), make_nodes(t);
  t->weight = t->robot->mass > 0 ? 9.81 * t->robot->mass : 1;
  good = good && take_scratch(t, err) && start_dynamics(t, err) &&
         brio_state_start(&t->state, t->robot, err) &&
         brio_dynamics_constraints_start(&t->constraints, &t->dynamics, t->nforce > 0 ? t->nforce : 1, err);
  if (!good) brio_trajectory_end(t);
  return good;
}

void brio_trajectory_end(brio_trajectory *t) {
  if (t->constraints.work) brio_dynamics_constraints_end(&t->constraints);
  if (t->state.work) brio_state_end(&t->state);
  if (t->dynamics.work) brio_dynamics_end(&t->dynamics);
  brio_arena_end(&t->arena);
  *t = (brio_trajectory){0};
}

bool brio_trajectory_take_motion(const brio_trajectory *t, brio_arena *arena, brio_trajectory_motion *motion,
                                 brio_error *err) {
  int nq = t->robot->nq, nv = t->robot->nv;
  double *numbers = BRIO_TAKE(arena, double, t->nnode *(nq + nv + t->nmotor + 1));
  if (!numbers) return brio_fail(err, BRIO_NO_MEMORY, "no memory for a motion of %d nodes", t->nnode);
  /* one block, node by node in each part; it begins at the robot's neutral configuration, at rest */
  motion->q = numbers, motion->u = motion->q + t->nnode * nq;
  motion->torque = motion->u + t->nnode * nv, motion->stretch = motion->torque + t->nnode * t->nmotor;
  for (int k = 0; k < t->nnode; k++) {
    brio_robot_neutral(t->robot, motion->q + k * nq);
    motion->stretch[k] = 1;
  }
  return true;
}
