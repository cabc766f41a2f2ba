/* The motor side as scripts see it: its options in a table, its orders, events and reports. */
#ifndef BRIO_LUA_MOTOR_H
#define BRIO_LUA_MOTOR_H

#include <lua.h>

#include "runtime/motor/motor.h"

/* Read the table at `index` (or nothing) for the axes of `actuator`; what it points to lies in userdata
** that is left on the stack, at most 4 values.  Raises what is wrong. */
brio_motor_options brio_lua_motor_options(lua_State *L, int index, const brio_actuator *actuator);

/* Do as the words say: "hold", "go_on", "relax", "release" (from a panic, and everything else), "arm",
** "disarm", "panic".  Raises when there is no such word. */
void brio_lua_motor_order(lua_State *L, brio_motor *motor, const char *word);

/* Push the next event, {name, severity, text, time}, or nil. */
void brio_lua_motor_push_event(lua_State *L, brio_motor *motor);

/* Push how the motor side goes, with a list of its devices. */
void brio_lua_motor_push_report(lua_State *L, const brio_motor *motor);

/* Let the motors count as the field `motors` of the table at `index` says.  Errors: misuse; raises what it
** cannot read. */
bool brio_lua_motor_remap(lua_State *L, brio_motor *motor, const brio_actuator *actuator, int index,
                          brio_error *err);

#endif
