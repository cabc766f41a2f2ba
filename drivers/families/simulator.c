/* The simulator: every axis is a servo that follows its target like a second-order system
**
**   x'' = w^2 (target - x) - 2 z w x',   w = 2 pi natural_frequency,  z = damping_ratio
**
** within its limits of velocity and acceleration, between hard stops.  Where no limit is
** active a sub-step is the exact solution of that equation (matrix exponential), so the step
** size does not matter.  Far from its target the servo follows the speed from which it can
** still brake, v = sqrt(2 a (e - a/(2 k^2))), which joins v = k e, k = w/(2 z), smoothly at
** e = a/k^2: without this a servo with a low acceleration limit would overshoot and oscillate.
** Latency delays targets; noise is added to reports.
**
** With a torque limit, friction or backlash the servo is a motor, whose controller computes the torque
** that the equation above needs for its inertia J:
**   J x'' = clamp(J (w^2 (target - x) - 2 z w x'), torque) - viscous x' - friction sign(x')
** by implicit steps, which no gain makes unstable; gains p and d of an axis stand for J w^2 (N m/rad) and
** 2 z w J (N m s/rad).  Dry friction opposes the motion, up to its limit.  The joint, whose sensor reports,
** lies anywhere within the backlash around the motor.  A motor without power moves by its inertia and
** friction alone.  Axes do not affect each other: there is no gravity, no rigid body and no contact.  Only
** the world may restrict an axis (world/things/hand.h): an object in a closed hand, a person who pushes.
**
** In a world with a mover (world/mover.h) the robot's joints are the mover's: there are masses, gravity and
** contact, and here only the latency, the watchdog, the power and the noise.  The controllers have the
** frequency and the damping ratio of the equation above at the start.  An axis with impedance has a motor
** that controls its torque (motor/impedance.h); without a mover it is a servo all the same.
**
** The value of an input follows a list of SECONDS=VALUE in the device's time ("0=0 2=1 2.5=0"); before the
** first entry it is unknown.  With a watchdog the motors hold their positions after that time without a
** write. */
#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "drivers/driver.h"
#include "drivers/families/second_order.h"
#include "math/scalar.h"
#include "world/mover.h"
#include "world/things/hand.h"
#include "world/world.h"

#define SUB_STEP 5e-4      /* s, longest sub-step */
#define LONGEST_STEP 10.0  /* s that one call may simulate */
#define QUEUE_RATE 2000.0  /* targets a second that the latency queue holds; denser ones are merged */

/* Settings by index. */
enum {
  FREQUENCY,
  DAMPING,
  POSITION_NOISE,
  VELOCITY_NOISE,
  LATENCY,
  INERTIA,
  TORQUE,
  FRICTION,
  VISCOUS,
  BACKLASH,
  NSETTING
};

static const brio_driver_setting settings_table[NSETTING + 1] = {
    [FREQUENCY] = {"natural_frequency", "Hz", "Natural frequency of the joints' servos.", 8, 0.1, 100},
    [DAMPING] = {"damping_ratio", "1", "1: no overshoot; less: the joints swing.", 1, 0.05, 10},
    [POSITION_NOISE] = {"noise", "rad or m", "Standard deviation of the position sensors.", 0, 0, 1},
    [VELOCITY_NOISE] = {"velocity_noise", "rad/s or m/s", "Standard deviation of the velocity sensors.", 0, 0,
                        10},
    [LATENCY] = {"latency", "s", "Delay of a target until the servo gets it.", 0, 0, 0.5},
    [INERTIA] = {"inertia", "kg m^2 or kg", "Inertia of a motor's load, used with torque or friction.", 0.01,
                 1e-6, 1000},
    [TORQUE] = {"torque", "N m or N", "A motor's maximum torque; 0: unlimited.", 0, 0, 1e6},
    [FRICTION] = {"friction", "N m or N", "Static friction: torque that a motor needs to start moving.", 0, 0,
                  1e6},
    [VISCOUS] = {"viscous", "N m s or N s/m", "Viscous friction: torque per unit of speed.", 0, 0, 1e6},
    [BACKLASH] = {"backlash", "rad or m", "Free play of a joint about its motor.", 0, 0, 1},
};

typedef struct sim_axis {
  brio_axis limits;
  double target, position, velocity;
  double joint, load;        /* joint: with backlash; load: share of the greatest torque */
  bool on;                   /* has power */
  double stiffness, damping; /* 1/s^2, 1/s: gains of its controller divided by its inertia */
  int hold;                  /* its index in the world, which may stop it; -1: none */
  int mover_joint;           /* its number in the world's mover; -1: it moves here */
  bool driven;               /* its motor controls its torque, by `command` but for the target */
  brio_impedance_command command;
  double torque;             /* N m or N: of the mover's motor, mean of the newest step */
  brio_random position_noise, velocity_noise;
} sim_axis;

typedef struct simulator {
  int count;
  sim_axis *axes;            /* count */
  double settings[NSETTING];
  double w, z;               /* rad/s, 1 */
  bool motors;               /* torque, friction or backlash matter */
  double time;               /* s since the device opened */
  double heard;              /* s: time of the last write */
  brio_driver_config config;
  _Atomic double seen_time;  /* the same, for threads that look at the world */
  brio_second_order move;           /* for the newest sub-step length */
  int depth, oldest, waiting; /* the queue: a ring of `depth` entries */
  double *due;               /* depth: when the entry takes effect, s */
  double *queue;             /* depth x count targets */
  double *targets;           /* count: scratch */
  brio_impedance_command *commands; /* depth x count: those of the queue; NULL: no axis is driven */
  brio_world *world;         /* may be NULL; not owned */
  const brio_world_mover *mover; /* moves its joints; NULL: there is none */
} simulator;

/* Each axis and sensor has its own random stream: adding an axis does not change the others. */
static brio_random stream_of(uint64_t seed, const char *what, const char *axis) {
  char name[128];
  snprintf(name, sizeof name, "simulator.%s.%.80s", what, axis);
  return brio_random_stream(seed, name);
}

/* Free everything but the world, which belongs to the caller.  NULL is allowed. */
static void sim_close(void *device) {
  simulator *sim = device;
  if (!sim) return;
  if (sim->mover) sim->mover->leave(sim->mover->context, sim);
  free(sim->axes);
  free(sim->due);
  free(sim->queue);
  free(sim->targets);
  free(sim->commands);
  free(sim);
}

/* Allocate a simulator.  The queue holds as many targets as the latency can delay. */
static simulator *allocate(int count, double latency) {
  assert(count >= 0 && latency >= 0);
  simulator *sim = calloc(1, sizeof *sim);
  if (!sim) return NULL;
  sim->count = count;
  /* One for the present, one for rounding. */
  sim->depth = (int)ceil(latency * QUEUE_RATE) + 2;
  sim->axes = calloc((size_t)count + 1, sizeof *sim->axes);
  sim->due = calloc((size_t)sim->depth, sizeof *sim->due);
  sim->queue = calloc((size_t)sim->depth * ((size_t)count + 1), sizeof *sim->queue);
  sim->targets = calloc((size_t)count + 1, sizeof *sim->targets);
  if (sim->axes && sim->due && sim->queue && sim->targets) return sim;
  sim_close(sim);
  return NULL;
}

/* The motor of an axis that the mover moves; gains in SI units, or NAN. */
static brio_world_servo servo_of(const simulator *sim, double stiffness, double damping) {
  return (brio_world_servo){.frequency = sim->settings[FREQUENCY], .ratio = sim->settings[DAMPING],
                            .stiffness = stiffness, .damping = damping, .torque = sim->settings[TORQUE],
                            .friction = sim->settings[FRICTION], .viscous = sim->settings[VISCOUS]};
}

/* Hand the joints over to the world's mover, at the starts of their axes.  A device that comes back finds
** them where they are. */
static bool join(simulator *sim, const brio_axis *axes, brio_error *err) {
  const brio_world_mover *mover = sim->world ? brio_world_mover_of(sim->world) : NULL;
  if (!mover) return true;
  if (sim->settings[BACKLASH] > 0)
    return brio_fail(err, BRIO_MISUSE, "with physics backlash is a field of `transmissions`: leave it at 0");
  if (!mover->take(mover->context, sim, err)) return false;
  sim->mover = mover;
  for (int i = 0; i < sim->count; i++) {
    sim_axis *axis = &sim->axes[i];
    axis->mover_joint = mover->joint(mover->context, axes[i].name);
    if (axis->mover_joint >= 0) mover->place(mover->context, axis->mover_joint, axis->position);
  }
  if (!mover->ready(mover->context, err)) return false;
  /* Its motors, once the inertias at the start are known. */
  brio_world_servo servo = servo_of(sim, NAN, NAN);
  for (int i = 0; i < sim->count; i++) {
    sim_axis *axis = &sim->axes[i];
    brio_world_joint now;
    if (axis->mover_joint < 0) continue;
    mover->servo(mover->context, axis->mover_joint, &servo);
    mover->read(mover->context, axis->mover_joint, &now);
    axis->position = axis->target = axis->joint = now.position;
  }
  return true;
}

/* Open simulated axes; `context` is the world, or NULL.  O(axes). */
static void *sim_open(const brio_axis *axes, int count, const double *settings, uint64_t seed, void *context,
                      brio_error *err) {
  for (int i = 0; i < count; i++)
    if (!brio_axis_check(&axes[i], err)) return NULL;
  simulator *sim = allocate(count, settings[LATENCY]);
  if (!sim) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory to simulate %d axes", count);
    return NULL;
  }
  /* An axis starts at its start position, within its limits, with power and the servo's gains. */
  for (int i = 0; i < count; i++) {
    sim_axis *axis = &sim->axes[i];
    axis->limits = axes[i];
    axis->position = axis->target = axis->joint = brio_clamp(axes[i].start, axes[i].lower, axes[i].upper);
    axis->on = true;
    /* The servo's equation as gains of a motor divided by its inertia: w^2 and 2 z w. */
    axis->stiffness = pow(2 * BRIO_PI * settings[FREQUENCY], 2);
    axis->damping = 4 * BRIO_PI * settings[FREQUENCY] * settings[DAMPING];
    axis->position_noise = stream_of(seed, "position", axes[i].name);
    axis->velocity_noise = stream_of(seed, "velocity", axes[i].name);
    axis->mover_joint = -1;
    axis->hold = context ? brio_world_axis(context, axes[i].name) : -1;
    axis->limits.name = NULL; /* belongs to the caller, who may free it */
  }
  for (int i = 0; i < NSETTING; i++) sim->settings[i] = settings[i];
  sim->w = 2 * BRIO_PI * settings[FREQUENCY];
  sim->z = settings[DAMPING];
  sim->world = context;
  /* Any of these turns the axes into motors. */
  sim->motors = settings[TORQUE] > 0 || settings[FRICTION] > 0 || settings[VISCOUS] > 0 ||
                settings[BACKLASH] > 0;
  if (!join(sim, axes, err)) {
    sim_close(sim);
    return NULL;
  }
  return sim;
}

/* Set a motor's stiffness and damping from gains in SI units; NaN keeps the present value. */
static bool take_gains(simulator *sim, sim_axis *axis, const brio_gains *gains, brio_error *err) {
  double inertia = sim->settings[INERTIA];
  if (!isnan(gains->i) || !isnan(gains->velocity) || !isnan(gains->acceleration))
    return brio_fail(err, BRIO_MISUSE, "simulated motors have the gains p (N m/rad) and d (N m s/rad) alone");
  if (gains->p < 0 || gains->d < 0) return brio_fail(err, BRIO_MISUSE, "gains must not be below 0");
  if (!isnan(gains->p)) axis->stiffness = gains->p / inertia;
  if (!isnan(gains->d)) axis->damping = gains->d / inertia;
  return true;
}

/* Joints of a mover may have motors that control their torque. */
static bool take_impedances(simulator *sim, const brio_impedance *impedances, brio_error *err) {
  if (!impedances) return true;
  sim->commands = calloc((size_t)sim->depth * ((size_t)sim->count + 1), sizeof *sim->commands);
  if (!sim->commands) return brio_fail(err, BRIO_NO_MEMORY, "no memory to simulate %d axes", sim->count);
  for (int i = 0; i < sim->count; i++) {
    sim->axes[i].driven = sim->axes[i].mover_joint >= 0 && brio_impedance_is(&impedances[i]);
    sim->axes[i].command.impedance = impedances[i];
  }
  return true;
}

/* Gains turn the axes into motors. */
static bool sim_configure(void *device, const brio_driver_config *config, brio_error *err) {
  simulator *sim = device;
  sim->config = *config;
  for (int i = 0; config->gains && i < sim->count; i++) {
    const sim_axis *axis = &sim->axes[i];
    if (!take_gains(sim, &sim->axes[i], &config->gains[i], err)) return false;
    brio_world_servo servo = servo_of(sim, config->gains[i].p, config->gains[i].d);
    if (axis->mover_joint >= 0) sim->mover->servo(sim->mover->context, axis->mover_joint, &servo);
  }
  sim->motors = sim->motors || config->gains;
  return take_impedances(sim, config->impedances, err);
}

/* Put targets into effect, with the commands that belong to them (NULL: none); NaN keeps the present one. */
static void apply(simulator *sim, const double *targets, const brio_impedance_command *commands) {
  for (int i = 0; i < sim->count; i++) {
    sim_axis *axis = &sim->axes[i];
    if (isnan(targets[i])) continue;
    axis->target = brio_clamp(targets[i], axis->limits.lower, axis->limits.upper);
    if (commands && axis->driven) axis->command = commands[i];
  }
}

/* Return the targets at a position of the queue; 0: the oldest. */
static double *entry(simulator *sim, int place) {
  assert(place >= 0 && place < sim->depth);
  return sim->queue + (size_t)((sim->oldest + place) % sim->depth) * (size_t)sim->count;
}

/* Return the commands that belong to them; NULL: no axis is driven. */
static brio_impedance_command *commands_of(simulator *sim, int place) {
  size_t row = (size_t)((sim->oldest + place) % sim->depth);
  return sim->commands ? sim->commands + row * (size_t)sim->count : NULL;
}

/* Write targets over an entry of the queue.  With `merge`, NaN keeps what is there. */
static void store(double *to, const double *targets, int count, bool merge) {
  for (int i = 0; i < count; i++)
    if (!merge || !isnan(targets[i])) to[i] = targets[i];
}

/* Queue targets until the latency has passed, or apply them at once without latency. */
static bool receive(simulator *sim, const double *targets, const brio_impedance_command *commands,
                    brio_error *err) {
  /* Reject infinity: it would make every state NaN. */
  for (int i = 0; i < sim->count; i++)
    if (isinf(targets[i]))
      return brio_fail(err, BRIO_MISUSE, "the simulator was given an infinite target for axis %d", i);
  sim->heard = sim->time;
  if (sim->settings[LATENCY] == 0) {
    apply(sim, targets, commands);
    return true;
  }
  /* A full queue merges the new targets into its newest entry. */
  bool merge = sim->waiting == sim->depth;
  if (!merge) sim->due[(sim->oldest + sim->waiting++) % sim->depth] = sim->time + sim->settings[LATENCY];
  store(entry(sim, sim->waiting - 1), targets, sim->count, merge);
  brio_impedance_command *kept = commands_of(sim, sim->waiting - 1);
  for (int i = 0; i < sim->count && kept && commands; i++)
    if (!merge || !isnan(targets[i])) kept[i] = commands[i];
  assert(sim->waiting > 0 && sim->waiting <= sim->depth);
  return true;
}

static bool sim_write(void *device, const double *targets, brio_error *err) {
  return receive(device, targets, NULL, err);
}

static bool sim_write_impedances(void *device, const brio_impedance_command *commands, brio_error *err) {
  simulator *sim = device;
  for (int i = 0; i < sim->count; i++) sim->targets[i] = commands[i].target;
  return receive(sim, sim->targets, commands, err);
}

/* Put targets into effect that are due. */
static void arrive(simulator *sim) {
  assert(sim->oldest >= 0 && sim->oldest < sim->depth);
  while (sim->waiting > 0 && sim->due[sim->oldest] <= sim->time + 1e-9) {
    apply(sim, entry(sim, 0), commands_of(sim, 0));
    sim->oldest = (sim->oldest + 1) % sim->depth;
    sim->waiting--;
  }
}

/* A servo's position and velocity. */
typedef struct motion { double position, velocity; } motion;

/* Move one servo by one sub-step.  One at rest at its target stays there. */
static inline motion move_servo(motion now, const sim_axis *axis, const brio_second_order *move, double w,
                                double gain) {
  const brio_axis *limits = &axis->limits;
  /* The motion without limits. */
  double e = axis->target - now.position, v = now.velocity, h = move->h;
  if (e == 0 && v == 0) return now;
  double next = move->m10 * -e + move->m11 * v;
  double position = axis->target + move->m00 * -e + move->m01 * v;
  /* Limits matter if the step exceeds them, or if braking must be planned. */
  bool far = w * w * fabs(e) > BRIO_BRAKE_SHARE * limits->acceleration;
  bool limited = fabs(next) > limits->velocity || fabs(next - v) > limits->acceleration * h;
  double wanted = far || limited ? brio_second_order_approach(limits, gain, e) : 0;
  /* Follow the approach speed, within acceleration and velocity; trapezoidal rule for the position. */
  if (limited || (far && fabs(wanted) < gain * fabs(e))) {
    next = wanted + (v - wanted) * move->decay;
    next = brio_clamp(next, v - limits->acceleration * h, v + limits->acceleration * h);
    next = brio_clamp(next, -limits->velocity, limits->velocity);
    position = now.position + 0.5 * (v + next) * h;
  }
  /* A hard stop takes the speed. */
  double within = brio_clamp(position, limits->lower, limits->upper);
  return (motion){within, within == position ? next : 0};
}

/* Move one motor by one sub-step of h: implicit Euler for the controller and viscous friction, so
** no gain is unstable; then dry friction, which takes what it can hold. */
static motion move_motor(motion now, sim_axis *axis, const simulator *sim, double h) {
  assert(h > 0);
  const brio_axis *limits = &axis->limits;
  double k = axis->stiffness, inertia = sim->settings[INERTIA], slack = 0.5 * sim->settings[BACKLASH];
  double most = sim->settings[TORQUE] > 0 ? sim->settings[TORQUE] : INFINITY, v = now.velocity;
  /* The velocity that the controller would reach, then the torque that this needs. */
  double wanted = (v + h * k * (axis->target - now.position)) / (1 + axis->damping * h + k * h * h);
  double torque = axis->on ? brio_clamp(inertia * (wanted - v) / h, -most, most) : 0;
  double next = (v + h * torque / inertia) / (1 + h * sim->settings[VISCOUS] / inertia);
  /* Dry friction: the speed that it can take away in one sub-step. */
  double held = h * sim->settings[FRICTION] / inertia;
  next = fabs(next) <= held ? 0 : next - copysign(held, next);
  next = brio_clamp(next, -limits->velocity, limits->velocity);
  /* Limits and hard stops. */
  double position = now.position + next * h, within = brio_clamp(position, limits->lower, limits->upper);
  /* The joint lies anywhere within the backlash around its motor. */
  axis->joint = brio_clamp(axis->joint, within - slack, within + slack);
  axis->load = isfinite(most) ? torque / most : 0;
  return (motion){within, within == position ? next : 0}; /* a hard stop */
}

/* The world's range of an axis. */
typedef struct range { double lower, upper; } range;

static range range_of(const simulator *sim, const sim_axis *axis) {
  range found = {-INFINITY, INFINITY};
  if (axis->hold >= 0) brio_world_axis_range(sim->world, axis->hold, &found.lower, &found.upper);
  return found;
}

/* Let a closed hand stop an axis, and a person who pushes a joint move it, whatever the motor
** wants. */
static inline motion hold(motion now, const sim_axis *axis, range free) {
  if (now.position >= free.lower && now.position <= free.upper) return now;
  /* Within the world's range, as far as the axis's own limits allow. */
  double within = brio_max(free.lower, brio_min(free.upper, now.position));
  double held = brio_max(axis->limits.lower, brio_min(axis->limits.upper, within));
  return held == now.position ? now : (motion){held, 0};
}

/* Command one of the mover's joints. */
static void command_joint(const simulator *sim, const sim_axis *axis) {
  const brio_world_mover *mover = sim->mover;
  const brio_impedance *i = &axis->command.impedance;
  const brio_world_drive drive = {axis->target, axis->command.speed, i->stiffness, i->damping, i->torque,
                                  i->limit};
  if (axis->driven) mover->drive(mover->context, axis->mover_joint, &drive, axis->on);
  else mover->aim(mover->context, axis->mover_joint, axis->target, axis->on);
}

/* Let the mover move its joints for one sub-step. */
static void move_joints(simulator *sim, double h) {
  const brio_world_mover *mover = sim->mover;
  for (int i = 0; i < sim->count; i++)
    if (sim->axes[i].mover_joint >= 0) command_joint(sim, &sim->axes[i]);
  mover->pass(mover->context, h);
  /* Where they are now. */
  for (int i = 0; i < sim->count; i++) {
    sim_axis *axis = &sim->axes[i];
    brio_world_joint now;
    if (axis->mover_joint < 0) continue;
    mover->read(mover->context, axis->mover_joint, &now);
    axis->position = axis->joint = now.position;
    axis->velocity = now.velocity;
    axis->load = now.load;
    axis->torque += now.torque * h;
  }
}

/* Move one axis by `n` sub-steps of h. */
static void move_axis(const simulator *sim, sim_axis *axis, double h, int n) {
  double gain = sim->w / (2 * sim->z);
  const brio_second_order move = sim->move;
  range free = range_of(sim, axis);
  motion now = {axis->position, axis->velocity};
  /* At rest at its target, where nothing moves it from. */
  bool rests = !sim->motors && axis->target == now.position && now.velocity == 0;
  if (rests && now.position >= free.lower && now.position <= free.upper) n = 0;
  for (int k = 0; k < n; k++) {
    if (sim->motors) now = move_motor(now, axis, sim, h);
    else if (axis->on) now = move_servo(now, axis, &move, sim->w, gain);
    now = hold(now, axis, free);
  }
  axis->position = now.position;
  axis->velocity = now.velocity;
  if (!sim->motors) axis->joint = axis->position;
}

/* Move all axes by `n` sub-steps, in which nothing reaches them from outside.  The mover moves its joints one
** sub-step at a time.  O(n axes). */
static void move(simulator *sim, double h, int n) {
  assert(n == 1 || !sim->mover);
  if (sim->mover) move_joints(sim, h);
  for (int i = 0; i < sim->count; i++)
    if (sim->axes[i].mover_joint < 0) move_axis(sim, &sim->axes[i], h, n);
}

/* Switch motors: one without power coasts, or stops at once if it has no mass. */
static bool sim_power(void *device, const bool *on, brio_error *err) {
  /* Power returns without a jump: the target is the present position. */
  simulator *sim = device;
  (void)err;
  for (int i = 0; i < sim->count; i++) {
    sim_axis *axis = &sim->axes[i];
    if (on[i] && !axis->on) axis->target = axis->position;
    if (!on[i] && !sim->motors) axis->velocity = 0; /* without mass it stops at once */
    axis->on = on[i];
  }
  return true;
}

/* Let motors hold their positions if nothing was written for longer than the watchdog allows.
** Queued targets are dropped. */
static void watch(simulator *sim) {
  if (!(sim->config.watchdog > 0) || sim->time - sim->heard <= sim->config.watchdog + 1e-9) return;
  sim->waiting = 0;
  for (int i = 0; i < sim->count; i++)
    sim->axes[i].target = sim->axes[i].position, sim->axes[i].command.speed = 0;
  sim->heard = INFINITY; /* the watchdog expires once */
}

/* Whether targets may come into effect, or the watchdog expire, before `until`. */
static bool may_change(const simulator *sim, double until) {
  return sim->waiting > 0 || (sim->config.watchdog > 0 && until - sim->heard > sim->config.watchdog);
}

/* Let dt seconds pass, at most LONGEST_STEP, in sub-steps. */
static void sim_step(void *device, double dt) {
  simulator *sim = device;
  if (!(dt > 0)) return;
  dt = brio_min(dt, LONGEST_STEP);
  /* Equal sub-steps, none longer than SUB_STEP.  The solution is recomputed only when their length
  ** changes. */
  int n = (int)ceil(dt / SUB_STEP - 1e-9);
  double h = dt / n, start = sim->time;
  if (h != sim->move.h) sim->move = brio_second_order_of(sim->w, sim->z, h);
  for (int i = 0; i < sim->count && sim->mover; i++) sim->axes[i].torque = 0;
  /* Targets that are due, the watchdog, then the motion, as far as nothing can change it. */
  for (int k = 0, several; k < n; k += several) {
    arrive(sim);
    watch(sim);
    several = sim->mover || may_change(sim, start + dt) ? 1 : n - k;
    move(sim, h, several);
    sim->time = start + (k + several) * h;
  }
  for (int i = 0; i < sim->count && sim->mover; i++) sim->axes[i].torque /= dt;
  /* Publish the time for threads that look at the world. */
  atomic_store_explicit(&sim->seen_time, sim->time, memory_order_release);
}

/* Add a sensor's noise, with the given standard deviation. */
static double measured(double value, double noise, brio_random *stream) {
  return noise > 0 ? value + noise * brio_random_normal(stream) : value;
}

/* The load is known only with a torque limit.  A mover that has stopped reports nothing any more. */
static bool sim_read(void *device, brio_axis_state *states, brio_error *err) {
  simulator *sim = device;
  const char *why = sim->mover ? sim->mover->fault(sim->mover->context) : NULL;
  if (why) return brio_fail(err, BRIO_DEVICE, "%s", why);
  for (int i = 0; i < sim->count; i++) {
    sim_axis *axis = &sim->axes[i];
    states[i].position = measured(axis->joint, sim->settings[POSITION_NOISE], &axis->position_noise);
    states[i].velocity = measured(axis->velocity, sim->settings[VELOCITY_NOISE], &axis->velocity_noise);
    states[i].valid = true;
    states[i].load = axis->load;
    bool loaded = axis->mover_joint >= 0 ? isfinite(axis->load) : sim->motors && sim->settings[TORQUE] > 0;
    states[i].knows |= loaded ? BRIO_KNOWS_LOAD : 0;
    states[i].knows |= axis->mover_joint >= 0 ? BRIO_KNOWS_TORQUE : 0;
    states[i].torque = axis->torque;
  }
  return true;
}

/* Return the value at a time from a list of SECONDS=VALUE; NaN before the first.  A malformed entry
** ends the list. */
static double value_at(const char *line, double time) {
  double value = NAN;
  char *end;
  for (const char *at = line; *at; at = end) {
    double when = strtod(at, &end), now;
    if (end == at || *end != '=' || when > time + 1e-9) return value;
    now = strtod(at = end + 1, &end);
    if (end == at) return value;
    value = now;
  }
  return value;
}

/* Inputs are single numbers. */
static bool sim_sense(void *device, brio_input_state *inputs, brio_error *err) {
  const simulator *sim = device;
  (void)err;
  for (int i = 0; i < sim->config.ninput; i++) {
    for (int k = 0; k < BRIO_INPUT_NUMBERS; k++) inputs[i].values[k] = NAN;
    inputs[i].values[0] = value_at(sim->config.inputs[i].line, sim->time);
  }
  return true;
}

/* Whether the axes are servos with limits, or motors with torque. */
static void sim_describe(void *device, char *out, size_t size) {
  const simulator *sim = device;
  snprintf(out, size, "%d simulated %s", sim->count, sim->motors ? "motors" : "servos");
}

/* Return what the simulated world's detectors see. */
static int sim_detect(void *device, brio_detection *out, int most) {
  simulator *sim = device;
  if (!sim->world) return 0;
  /* Advance the world to the devices' time, even if no caller reads the detections. */
  brio_world_advance(sim->world, atomic_load_explicit(&sim->seen_time, memory_order_acquire));
  return most > 0 ? brio_world_detect(sim->world, out, most) : 0;
}

const brio_driver_kind brio_driver_simulator = {
    .name = "simulator",
    .alias = "sim",
    .doc =
        "Second-order servos with limits, noise and latency, or motors with inertia, torque limits, friction "
        "and backlash, watching a simulated world. No gravity, rigid bodies or contact, but what a hand "
        "shuts around stops it; with --physics all of them, and motors that control their torque.",
    .simulated = true,
    .watchdog = true,
    .when_silent =
        "With a watchdog, motors hold their position; without, they go to the last target. Those that "
        "control their torque keep stiffness and feed-forward.",
    .settings = settings_table,
    .open = sim_open,
    .configure = sim_configure,
    .write = sim_write,
    .write_impedances = sim_write_impedances,
    .power = sim_power,
    .step = sim_step,
    .read = sim_read,
    .sense = sim_sense,
    .describe = sim_describe,
    .detect = sim_detect,
    .close = sim_close,
};
