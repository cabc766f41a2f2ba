/* A motor side of six simulated axes and an input, five of them joints of the tree, in lockstep,
** whose readings are recorded on a tape: on request it swings, is held, gets no poses for a while,
** and stops for panic. */
#ifndef BRIO_TESTS_MOTOR_TAPE_HELP_H
#define BRIO_TESTS_MOTOR_TAPE_HELP_H

#include "base/random.h"
#include "runtime/motor/motor_internal.h"
#include "runtime/motor/tape.h"
#include "tape_help.h"

enum { RIG_AXES = 6, RIG_TREE = 5 };

typedef struct rig {
  brio_actuator *actuator;
  brio_motor *motor;
  brio_random dice;
  double values[RIG_AXES], speeds[RIG_AXES], noise;
  int64_t tick;
} rig;

/* `step`: to which positions are rounded; 0: not where they are read.  `split`: three axes have a device of
** their own. */
static inline void rig_start_split(rig *r, double noise, double step, bool split) {
  static const char *const names[RIG_AXES] = {"pan", "tilt", "roll", "lift", "bend", "light"};
  brio_error err = {0};
  brio_axis axes[RIG_AXES];
  double steps[RIG_AXES];
  const brio_driver_kind *kind = brio_driver_find("simulator", &err);
  for (int i = 0; i < RIG_AXES; i++) {
    axes[i] = (brio_axis){names[i], -2, 2, 4, 40, 0.1 * i};
    steps[i] = step;
  }
  const brio_actuator_setting settings[] = {{"noise", noise, NULL}};
  const brio_actuator_input inputs[] = {{{"button", "0=0 0.3=1 0.35=0.25 1=0", 1}, NULL, 0}};
  const brio_actuator_device others[] = {
      {.name = "arm", .kind = kind, .axes = names + 1, .count = 3, .settings = settings, .nsetting = 1}};
  brio_actuator_options options = {.kind = kind,
                                   .axes = axes,
                                   .count = RIG_AXES,
                                   .settings = settings,
                                   .nsetting = 1,
                                   .steps = steps,
                                   .inputs = inputs,
                                   .ninput = 1,
                                   .seed = 7};
  if (split) options.devices = others, options.ndevice = 1;
  *r = (rig){.dice = brio_random_stream(3, "rig"), .noise = noise};
  r->actuator = brio_actuator_open(&options, &err);
  CHECK(r->actuator, "%s", err.message);
  r->motor = brio_motor_new(&(brio_motor_options){.actuator = r->actuator, .tree = RIG_TREE}, &err);
  CHECK(r->motor, "%s", err.message);
  brio_path_pad(&r->motor->motion.path, 0.01); /* poses come early enough */
  for (int i = 0; i < RIG_AXES; i++) r->values[i] = axes[i].start;
}

static inline void rig_start(rig *r, double noise, double step) { rig_start_split(r, noise, step, false); }

static inline void rig_end(rig *r) {
  brio_motor_free(r->motor);
  brio_actuator_close(r->actuator);
}

/* The next pose: joints swing from the end of the path, as fast as they may; some rest. */
static inline void rig_move(rig *r, bool anew) {
  for (int i = 0; i < RIG_TREE; i++) {
    double speed = 0;
    if (anew) r->values[i] = brio_motor_end(r->motor, i, &r->speeds[i]);
    double goal = i == 3 ? 0 : (1 + 0.3 * i) * cos(0.005 * (double)r->tick * (2 + i) + i);
    speed = r->speeds[i] + fmin(0.15, fmax(-0.15, goal - r->speeds[i]));
    r->values[i] += 0.005 * speed;
    r->speeds[i] = speed;
  }
  r->values[RIG_TREE] = 0.5 + 0.4 * sin(0.02 * (double)r->tick);
}

/* A tick: look, hand over, and run the motor side for about as long, sometimes not at all; as on the real
** clock, what is read is rounded.  Return whether the path departs from the poses. */
static inline bool rig_tick(rig *r, brio_tape *tape) {
  brio_tape_tick(tape, r->tick, 0.005 * (double)r->tick);
  r->motor->threaded = true;
  bool anew = brio_motor_look_taped(r->motor, tape);
  r->motor->threaded = false;
  rig_move(r, anew);
  int64_t n = r->tick++;
  if (n == 200) brio_motor_hold(r->motor, BRIO_MOTION_PERSON);
  if (n == 260) brio_motor_release(r->motor, BRIO_MOTION_PERSON);
  if (n == 330) brio_motor_arm(r->motor, false);
  if (n == 360) brio_motor_arm(r->motor, true);
  if (n < 120 || n > 160)
    brio_motor_hand_over(r->motor, r->values, 0.005); /* in between scripts are silent */
  if (!brio_tape_replays(tape))
    brio_motor_advance(r->motor,
                       0.001 * (double)(n % 50 == 49  ? 0
                                        : n % 50 == 0 ? 10
                                                      : 4 + (n & 1) + brio_random_below(&r->dice, 2)));
  return anew;
}

#endif
