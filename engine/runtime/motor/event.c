/* Events of the motor side, and their sentences: a table of kinds. The motor thread and the owner of the
** buses put events into a ring; the script thread makes the sentences, where time does not matter. */
#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "runtime/motor/motor_internal.h"

void brio_motor_news(brio_motor *motor, brio_motor_event event) {
  assert(event.kind < BRIO_MOTOR_EVENTS);
  event.time = motor->time;
  brio_ring_put(&motor->news, &event); /* a full ring counts refused events */
}

/* Called by the script thread, which alone reads the ring. */
bool brio_motor_event_next(brio_motor *motor, brio_motor_event *event) {
  return brio_ring_get(&motor->news, event);
}

/* Name, severity and sentence of each kind. */
static const struct {
  const char *name, *severity, *text; /* text: NULL where it is made below */
} kinds[BRIO_MOTOR_EVENTS] = {
    [BRIO_MOTOR_SILENT] = {"scripts_silent", "warning",
                           "the scripts sent no pose in time: the robot brakes and holds until their next "
                           "one"},
    [BRIO_MOTOR_BACK] = {"scripts_back", "info",
                         "the scripts are back: the robot continues from its "
                         "position"},
    [BRIO_MOTOR_LOST] = {"device_lost", "error", NULL},
    [BRIO_MOTOR_FOUND] = {"device_back", "info", NULL},
    [BRIO_MOTOR_AXIS_SILENT] = {"axis_silent", "error", NULL},
    [BRIO_MOTOR_ALARM] = {"alarm", "error", NULL},
    [BRIO_MOTOR_PANIC] = {"panic", "error",
                          "panic stop: every motor brakes as hard as its limits allow and holds until "
                          "`release`"},
    [BRIO_MOTOR_HELD] = {"motors_held", "info", "the motors rest and hold"},
    [BRIO_MOTOR_GOES_ON] = {"motors_go_on", "info", "the motors continue from where they are"},
    [BRIO_MOTOR_ARMED] = {"armed", "info", "armed: the motors get targets"},
    [BRIO_MOTOR_BEGINS_DISARMED] = {"disarmed", "warning",
                                    "the motors are disarmed: they get no targets, and NOTHING MOVES until "
                                    "somebody arms them (`arm` at the prompt, or --arm)"},
    [BRIO_MOTOR_DISARMED] = {"disarmed", "info", "disarmed: the motors get no targets"},
    [BRIO_MOTOR_REFUSED] =
        {"pose_refused", "error",
         "a pose that contains NaN was refused: the robot brakes and holds until a valid one "
         "comes"},
    [BRIO_MOTOR_PAUSED] = {"paused", "warning", NULL},
    [BRIO_MOTOR_LINE] = {"panic", "error", NULL},
    [BRIO_MOTOR_LINE_SILENT] = {"panic", "error", NULL},
    [BRIO_MOTOR_LINE_KEEPS] = {"panic_kept", "warning", "the panic stop stays: an input still requests it"},
    [BRIO_MOTOR_STUCK] = {"device_stuck", "error", NULL},
    [BRIO_MOTOR_WAITS] = {"device_late", "warning", NULL},
    [BRIO_MOTOR_COMPLAINS] = {"device_complains", "warning", NULL},
    [BRIO_MOTOR_AXIS_FAILED] = {"axis_failed", "error", NULL},
    [BRIO_MOTOR_COLLISION] = {"collision", "error", NULL},
    [BRIO_MOTOR_NO_TORQUES] = {"no_torques", "info",
                               "nothing watches for collisions: some joint's device reports no torque"},
    [BRIO_MOTOR_NOT_REALTIME] =
        {"not_realtime", "info",
         "the system gives the motor thread no real-time scheduling (SCHED_FIFO needs root, or an rtprio "
         "limit): on a busy machine commands may come late"},
};

const char *brio_motor_event_name(const brio_motor_event *event) { return kinds[event->kind].name; }

/* An alarm or a collision that is only reported is a warning. */
const char *brio_motor_event_severity(const brio_motor_event *event) {
  bool reacts = event->kind == BRIO_MOTOR_ALARM || event->kind == BRIO_MOTOR_COLLISION;
  bool only_told = reacts && event->reaction == BRIO_REACTION_REPORT;
  return only_told ? "warning" : kinds[event->kind].severity;
}

/* The name of an axis; valid as long as the actuator. */
const char *brio_motor_axis_name(const brio_motor *motor, int axis) {
  int count;
  return brio_actuator_axes(motor->actuator, &count)[axis].limits.name;
}

/* The sentences with names or numbers follow. Each writes at most `size` bytes to `out`, with the zero at
** the end. This one: an axis that reports no position. */
static void silence_text(const brio_motor *motor, const brio_motor_event *event, char *out, size_t size) {
  snprintf(out, size, "%s does not report its position: it gets no targets until it does; %s",
           brio_motor_axis_name(motor, event->which),
           motor->goes_on ? "the others go on" : "the robot stops and holds, until `release` lets it go on");
}

/* What is done about an alarm or a collision. */
static const char *const what[BRIO_REACTION_COUNT] = {"it is only reported", "the robot stops and holds",
                                                      "the robot stops and goes limp", "panic stop"};

/* An alarm: the sentence of its kind with value and limit, and the reaction. */
static void alarm_text(const brio_motor *motor, const brio_motor_event *event, char *out, size_t size) {
  assert(event->alarm >= 0 && event->alarm < BRIO_ALARM_KINDS);
  char value[160];
  /* the format is one of the table's, and takes two numbers */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  snprintf(value, sizeof value, brio_alarm_kinds[event->alarm].sentence, event->value, event->limit);
#pragma GCC diagnostic pop
  snprintf(out, size, "%s %s: %s", brio_motor_axis_name(motor, event->which), value, what[event->reaction]);
}

/* A collision: the axis where it is felt farthest out. */
static void collision_text(const brio_motor *motor, const brio_motor_event *event, char *out, size_t size) {
  snprintf(out, size,
           "collision: something acts on what %s carries, with %.3g N m (of a slide N), more than %.3g: %s",
           brio_motor_axis_name(motor, event->which), event->value, event->limit, what[event->reaction]);
}

/* An input that means the panic stop: it is raised, or silent. */
static void line_text(const brio_motor *motor, const brio_motor_event *event, char *out, size_t size) {
  int count;
  const char *name = brio_actuator_inputs(motor->actuator, &count)[event->which].name;
  const char *why = event->kind == BRIO_MOTOR_LINE ? "asks for it" : "is silent";
  snprintf(out, size,
           "panic stop: input '%s' %s; every motor brakes as hard as its limits allow and holds until the "
           "input is back and `release`",
           name, why);
}

/* A motor that reports that it accepts no goals. */
static void failed_text(const brio_motor *motor, const brio_motor_event *event, char *out, size_t size) {
  snprintf(out, size, "the motor of %s gave up: it gets no targets until it is disarmed and armed again; %s",
           brio_motor_axis_name(motor, event->which),
           motor->goes_on ? "the others go on" : "the robot stops and holds, until `release` lets it go on");
}

/* The newest error of a device, as the driver reports it. */
static void complaint_text(const brio_motor *motor, const brio_motor_event *event, const char *device,
                           char *out, size_t size) {
  /* The newest error of the device is part of the state that was fetched last. */
  const brio_motor_state *state = brio_triple_front(&motor->state);
  snprintf(out, size, "device '%s' says: %s", device,
           brio_motor_bus_states(motor, state)[event->which].error.message);
}

/* The loss of a device, with its newest failure if one is known. */
static void loss_text(const brio_motor *motor, const brio_motor_event *event, const char *device, char *out,
                      size_t size) {
  const brio_motor_state *state = brio_triple_front(&motor->state);
  bool known = event->which >= 0 && event->which < motor->nbus;
  const brio_error *error = known ? &brio_motor_bus_states(motor, state)[event->which].error : NULL;
  int length = snprintf(out, size, "device '%s' does not answer: %s", device,
                        motor->goes_on ? "it holds, the others go on"
                                       : "the robot stops and holds, until `release` lets it go on");
  /* snprintf returns what it would have written: append only where the sentence fitted. */
  if (error && error->code != BRIO_OK && length > 0 && (size_t)length < size)
    snprintf(out + length, size - (size_t)length, " (%s)", error->message);
}

void brio_motor_event_text(const brio_motor *motor, const brio_motor_event *event, char *out, size_t size) {
  /* A device out of range has no name: the event may concern an axis or an input. */
  const char *device = event->which >= 0 && event->which < motor->nbus
                           ? motor->buses[event->which].device->name
                           : "?";
  /* Fixed sentences first; the last branch is the loss of a device. */
  if (kinds[event->kind].text) snprintf(out, size, "%s", kinds[event->kind].text);
  else if (event->kind == BRIO_MOTOR_ALARM) alarm_text(motor, event, out, size);
  else if (event->kind == BRIO_MOTOR_COLLISION)
    collision_text(motor, event, out, size);
  else if (event->kind == BRIO_MOTOR_AXIS_SILENT) silence_text(motor, event, out, size);
  else if (event->kind == BRIO_MOTOR_AXIS_FAILED) failed_text(motor, event, out, size);
  else if (event->kind == BRIO_MOTOR_COMPLAINS) complaint_text(motor, event, device, out, size);
  else if (event->kind == BRIO_MOTOR_LINE || event->kind == BRIO_MOTOR_LINE_SILENT)
    line_text(motor, event, out, size);
  /* Events of devices, with times in s or ms. */
  else if (event->kind == BRIO_MOTOR_FOUND)
    snprintf(out, size, "device '%s' answers again, after %.2f s: its motors begin where they are%s", device,
             event->value, motor->goes_on ? "" : "; `release` lets the robot go on");
  else if (event->kind == BRIO_MOTOR_PAUSED)
    snprintf(out, size, "the motor thread did not run for %.2f s: the robot rests at its measured position",
             event->value);
  else if (event->kind == BRIO_MOTOR_WAITS)
    snprintf(out, size,
             "device '%s' is late by %.0f ms: the robot waits for it on its path, and continues when the "
             "device has caught up",
             device, event->value * 1e3);
  else if (event->kind == BRIO_MOTOR_STUCK)
    snprintf(out, size,
             "the driver of device '%s' did not return within %g s: it is abandoned, and its device is not "
             "closed",
             device, event->value);
  else loss_text(motor, event, device, out, size);
}
