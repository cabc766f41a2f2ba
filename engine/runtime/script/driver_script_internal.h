/* Shared by the files of drivers in Lua: values on the stack of a driver's state. */
#ifndef BRIO_RUNTIME_SCRIPT_DRIVER_SCRIPT_INTERNAL_H
#define BRIO_RUNTIME_SCRIPT_DRIVER_SCRIPT_INTERNAL_H

#include "runtime/script/driver_script.h"

/* Set a field of the table on top; a number that is NaN is left out. */
void brio_driver_set_text(lua_State *L, const char *key, const char *text);
void brio_driver_set_number(lua_State *L, const char *key, double value);

/* Push an argument: axes, what `configure` gets, numbers (false for NaN), commands of impedance. */
void brio_driver_push_axes(lua_State *L, const brio_axis *axes, int count);
void brio_driver_push_config(lua_State *L, const brio_driver_config *config, int count);
void brio_driver_push_list(lua_State *L, const double *values, int count);
void brio_driver_push_commands(lua_State *L, const brio_impedance_command *commands, int count);

/* Push a field of the table on top without calling code of the driver's; return its type. */
int brio_driver_push_field(lua_State *L, const char *key);

/* Return a number in a field of the table on top; NaN: it has none. */
double brio_driver_number_of(lua_State *L, const char *key);

/* Read up to `count` numbers of a list in a field; what is missing stays as it was. */
void brio_driver_take_part(lua_State *L, const char *key, double *out, int count);

/* Return the state that is on top. */
brio_axis_state brio_driver_state_on_top(lua_State *L);

#endif
