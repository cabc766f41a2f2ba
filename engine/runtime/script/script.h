/* The Lua machine as the runtime sees it: protected calls with a traceback, a budget of
** time against runaway scripts, and garbage collection in the slack of each tick.
** It knows lua_State, not the bindings. */
#ifndef BRIO_RUNTIME_SCRIPT_SCRIPT_H
#define BRIO_RUNTIME_SCRIPT_SCRIPT_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "runtime/tape/tape.h"

/* Let the collector of a new state wait until as much is in use as a start takes, where hardly anything is
** garbage. */
void brio_script_spare(lua_State *L);

/* Create a Lua state whose memory is limited, without libraries, for the calling thread alone; NULL: no
** memory. */
lua_State *brio_script_open(void);

/* Start the watchdog for the calling thread, which has its own.  A protected call that uses more CPU time
** than its budget is ended by an error, also inside pcall and coroutines; one that brings a state of
** brio_script_open beyond 256 MB gets an error at a later line, which it may catch; a single block beyond
** that is refused.  Errors: limit (no timer). */
bool brio_script_watch_start(brio_error *err);
void brio_script_watch_stop(void);

/* From any thread: end the current protected call with a budget on the thread that first started its
** watchdog, as if the budget were used up.  That thread must not have ended. */
void brio_script_interrupt(void);

/* Return the reason, a sentence, why the current protected call on this thread must end; NULL: it may
** continue. For C code that works long between two instructions of Lua, where the watchdog cannot end it: the
** caller checks, and raises it. */
const char *brio_script_spent(void);

/* For a state without a watchdog: let brio_script_spent return a reason once this thread has used that much
** CPU time (ns of brio_clock_thread_cpu; 0: never).  Return the previous value. */
int64_t brio_script_limit(int64_t until);

/* Note on this tape (NULL: none), or replay from it, where calls are cut short from now on.  Return the
** previous tape. */
brio_tape *brio_script_tape(brio_tape *tape);

/* A coroutine that runs, for the watchdog. */
typedef struct brio_script_turn {
  lua_State *from;                       /* that resumed it; NULL: none */
  lua_State *previous;                   /* that the watchdog watched until then; NULL: the main one */
  const struct brio_script_turn *before; /* the turn in which this one began; NULL: none */
} brio_script_turn;

/* Let the watchdog watch a coroutine, which `from` resumes (NULL: none does), until brio_script_leave.
** Turns end in the reverse order; `turn` stays where it is meanwhile. */
void brio_script_enter(brio_script_turn *turn, lua_State *coroutine, lua_State *from);
void brio_script_leave(const brio_script_turn *turn);

/* Resume a coroutine, from `from`, until it ends, yields, or the monotonic clock passes `till` (ns): then it
** is cut between two instructions, yields nothing, and continues there when it is resumed.  Return and
** results are lua_resume's.  One call of a C function is never cut. */
int brio_script_slice(lua_State *worker, lua_State *from, int64_t till, int *nresults);

/* Call the function below its `nargs` arguments, wanting `nresults`, with `budget` seconds of
** CPU time (0: no end).  On failure the message with its traceback is left on the stack in
** place of the results, and false returned. */
bool brio_script_call(lua_State *L, int nargs, int nresults, double budget);

/* Put several calls under one budget of `budget` seconds: those that are made from L until brio_script_end.
** Return whether this begins a budget; inside another one the outer budget counts, and the caller must not
** call brio_script_end. */
bool brio_script_begin(lua_State *L, double budget);
void brio_script_end(lua_State *L);

/* Push the error on the top of L as a text with the traceback of `from` from `level` on.  A table is
** converted by its __tostring; addresses are not shown.  May raise. */
void brio_script_traceback(lua_State *L, lua_State *from, int level);

/* Let the collector work in small steps for at most about `budget_ns`, or until its cycle ends; one step at
** least while a cycle is under way.  A cycle begins when half as much again is in use as the last one left.
** With a budget of 0 there is no time limit: brio_script_collect_seldom sets the next cycle. */
void brio_script_collect(lua_State *L, int64_t budget_ns);

/* For ticks on the fast clock: a cycle marks all live objects, so the next one begins only when a
** small heap has grown tenfold or by some tens of MB, or a large one has doubled.  Cheap enough for every
** tick. */
void brio_script_collect_seldom(lua_State *L);

/* From now on the collector's steps are so small that they do not delay a tick. */
void brio_script_collect_finely(lua_State *L);

#endif
