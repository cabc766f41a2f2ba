/* What the files of the module `brio.dynamics` share. */
#ifndef BRIO_LUA_DYNAMICS_H
#define BRIO_LUA_DYNAMICS_H

#include <lua.h>
#include <stdbool.h>

#include "dynamics/constraint.h"

typedef struct brio_lua_dynamics {
  brio_dynamics dynamics;
  bool held; /* `constraints` was made: at the first call that needs it, and again for more rows */
  brio_dynamics_constraints constraints;
} brio_lua_dynamics;

/* Return the dynamics at argument 1, or raise. */
brio_lua_dynamics *brio_lua_dynamics_check(lua_State *L);

/* Return `count` numbers, 0, in a userdata that is pushed. */
double *brio_lua_dynamics_scratch(lua_State *L, int count);

/* Read a velocity or acceleration at argument `arg` (nil: 0): nv numbers, in a userdata that is pushed; raise
** with `what`. */
double *brio_lua_dynamics_motion(lua_State *L, const brio_robot *robot, int arg, const char *what);

/* Read forces in the same way. */
double *brio_lua_dynamics_forces(lua_State *L, const brio_robot *robot, int arg);

/* Read {variable = number} at the top of the stack, within [lower, inf), into `out` (nvariable), which keeps
** what is not named; raise with `what`. */
void brio_lua_dynamics_variables(lua_State *L, const brio_robot *robot, const char *what, double lower,
                                 double *out);

/* Push a velocity or acceleration (nv), or forces. */
void brio_lua_dynamics_push_motion(lua_State *L, const brio_robot *robot, const double *v);
void brio_lua_dynamics_push_forces(lua_State *L, const brio_robot *robot, const double *v);

/* lua_dynamics_held.c: the methods about constraints. */
int brio_lua_dynamics_constrained(lua_State *L);
int brio_lua_dynamics_impact(lua_State *L);

/* lua_dynamics_observer.c: the method that makes an observer, and the class of observers. */
int brio_lua_dynamics_observer(lua_State *L);
void brio_lua_dynamics_observer_class(lua_State *L);

/* lua_dynamics_stance.c: the same for stances. */
int brio_lua_dynamics_stance(lua_State *L);
void brio_lua_dynamics_stance_class(lua_State *L);

#endif
