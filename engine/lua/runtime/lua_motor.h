/* The motor side for scripts: options in a table, commands, events and reports. */
#ifndef BRIO_LUA_MOTOR_H
#define BRIO_LUA_MOTOR_H

#include <lua.h>

#include "runtime/motor/motor.h"

/* Read the table at `index` (or nothing) for the axes of `actuator`; the memory it points to belongs to
** userdata left on the stack, at most 6 values.  Raises on errors. */
brio_motor_options brio_lua_motor_options(lua_State *L, int index, const brio_actuator *actuator);

/* Execute a command: "hold", "go_on", "relax", "release" (from a panic, and everything else), "arm",
** "disarm", "panic". Raises for any other word. */
void brio_lua_motor_order(lua_State *L, brio_motor *motor, const char *word);

/* Push the next event, {name, severity, text, time}, or nil. */
void brio_lua_motor_push_event(lua_State *L, brio_motor *motor);

/* Push the status of the motor side, with a list of its devices. */
void brio_lua_motor_push_report(lua_State *L, const brio_motor *motor);

/* Set the mappings of motors from the field `motors` of the table at `index`.  Errors: misuse; raises on an
** invalid table. */
bool brio_lua_motor_remap(lua_State *L, brio_motor *motor, const brio_actuator *actuator, int index,
                          brio_error *err);

/* Ask for the impedances of axes, {axis = {stiffness, damping, torque}}, of the table at `index`.  Errors:
** those of brio_motor_impede; raises on an invalid table. */
bool brio_lua_motor_impede(lua_State *L, brio_motor *motor, const brio_actuator *actuator, int index,
                           brio_error *err);

#endif
