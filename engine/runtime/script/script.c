/* Protected calls, the time and memory limits of scripts, and the collector's share of a tick.
**
** Memory: Lua allocates through `allocate`, which counts the bytes in use. While a call with a budget runs,
** more than MAX_MEMORY is refused; Lua then collects garbage, and if that frees too little the call ends
** with "not enough memory". Outside such calls nothing is refused: the library needs that reserve to clean
** up after a behavior. What was in use before a call does not count against it: it may use SPARE bytes
** more, up to twice MAX_MEMORY. How much is in use depends on the collector, and differs in a replay. So
** the error is raised at the beginning of the next line but one, and recorded like a cut for time. Until
** then requests are granted, except for a block that is too large by itself. Before the error is raised all
** garbage is collected. A script may catch it and free what it holds. A replay raises it where the record
** has it.
**
** Time: a permanent count hook would halve Lua's speed, so none is set. A timer fires after each PERIOD of
** the thread's CPU time; its handler decrements the budget of the running call. At zero it sets a hook on
** the running coroutine, which is all a signal handler may do in Lua, and the hook raises. The hook stays
** armed on every line, so that a loop around pcall cannot swallow the error. So a call costs no system
** call. A stall of a virtual machine is booked as CPU time of its thread: where more than MAX_PERIODS
** passed without a signal, one is counted. */
#include "runtime/script/script.h"

#include <assert.h>
#include <lauxlib.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "runtime/script/apart.h"
#include "runtime/script/memory.h"
#include "runtime/script/place.h"

#define PERIOD 0.004        /* s of CPU time between two checks of the budget: a kernel's usual tick */
enum { MAX_PERIODS = 3,    /* that one signal counts for: kernels with a tick of 10 ms send fewer */
       MAX_PAUSED = 1000,  /* between two times that the hook is set */
       MAX_APART = 500 };  /* paused, past the budget: twice as long may the engine's own work take */

enum { SLICE_INSTRUCTIONS = 100 }; /* a few microseconds' worth */
enum { STEP_SIZE = 10,             /* of the collector: about 2^10 bytes, so that a step takes little time */
       MIN_GROWTH = 256,         /* kB before it begins again */
       START_SIZE = 6 << 10 };   /* kB that are in use before it begins at all */
enum { FAST_GROWTH = 48 << 10,     /* kB before it begins again where no clock is to be kept to: */
       MIN_PAUSE = 200,          /* as a pause of Lua's collector, percent of what is in use */
       MAX_PAUSE = 1000 };
/* s that a call may take in a replay, where only the record cuts it short: to look for the place slows a loop
** several hundred times. */
#define LONGEST 120.0

enum { MAX_MEMORY = 256 << 20,   /* bytes in use while a call with a budget runs */
       SPARE = 4 << 20,           /* more, for who catches the error */
       REPLAYED = 3 };            /* times as much in a replay, before garbage is collected */

#define TEXT_OF(number) #number
#define NUMBER_TEXT(number) TEXT_OF(number)
#define MAX_MEMORY_MB 256
static const char no_memory[] = "not enough memory: a script may hold " NUMBER_TEXT(MAX_MEMORY_MB) " MB";
_Static_assert(MAX_MEMORY == MAX_MEMORY_MB << 20, "the sentence says how much");

#define WATCH_SIGNAL (SIGRTMIN + 3)
#define SLICE_SIGNAL (SIGRTMIN + 4)
#define SLICE_AGAIN 1000000 /* ns after which the end of a slice is signalled again, if the hook was lost */
#define SHORT_SLICE 100000 /* ns: a shorter slice is over before its timer fires */

/* Where a call was cut, as it stands on the tape. */
typedef struct script_cut {
  int32_t call;        /* number of the call within its tick */
  int32_t why;         /* BUDGET, ... below */
  uint64_t line, place; /* place.h; line AT_END, IN_C: below */
} script_cut;

/* Reasons of a cut: its time was used up; it was interrupted from outside; it held too much memory. */
enum { BUDGET = 0, INTERRUPTED = 1, MEMORY = 2 };

/* Places of a cut that are no line: at the end of the call, which came too late; inside a C
** function. */
enum { AT_END = 0, IN_C = 1 };

/* One watch per thread: a signal handler can only reach thread-local or global data. */
typedef struct script_watch {
  timer_t timer;
  pthread_t thread;              /* the watched thread */
  atomic_bool started;           /* timer and handler are installed */
  atomic_bool interrupted;       /* from outside: see brio_script_interrupt */
  bool armed;
  lua_State *volatile main;      /* of the running protected call; NULL: none */
  const void *base;              /* the function that makes that call */
  lua_State *volatile coroutine; /* running inside it; NULL: main */
  const brio_script_turn *turn;  /* of the innermost coroutine; NULL: none runs */
  volatile sig_atomic_t periods; /* periods of budget left */
  volatile sig_atomic_t spent;   /* the budget is used up */
  volatile sig_atomic_t pause;   /* periods until the hook is set again */
  lua_State *volatile worker;    /* the coroutine that works in slices; NULL: none */
  int64_t till;                  /* ns: the end of its slice */
  timer_t slices;                /* fires at the end of a slice */
  bool has_slices;               /* that timer is made */
  bool collecting;               /* a collector's cycle is under way */
  int left;                      /* kB in use after the last cycle */
  size_t memory, memory_before;  /* bytes in use by Lua: now, and when the call with a budget began */
  size_t most;                   /* bytes that the running call may use */
  bool hungry;                   /* it exceeded them: checked at the next line */
  bool starved;                  /* the record raises the error here */
  brio_tape *tape;               /* of the present run; NULL: none */
  int64_t tick;                  /* of the run: the tick in which `calls` with a budget began */
  int calls;
  int lines;                     /* lines begun since the budget was used up */
  bool seeks;                    /* the record cuts the running call at `sought` */
  script_cut sought;
} script_watch;

static _Thread_local script_watch watch;

/* The watch that was started first: the script thread's, which brio_script_interrupt concerns. */
static script_watch *_Atomic first_watch;

static void stop_script(lua_State *L, lua_Debug *ar);

/* Set the hook that runs at the beginning of each line. Safe in a signal handler, as lua_sethook is. */
static void look_at_lines(void) {
  lua_sethook(watch.main, stop_script, LUA_MASKLINE, 0);
  if (watch.coroutine) lua_sethook(watch.coroutine, stop_script, LUA_MASKLINE, 0);
}

/* Limit of memory for the next call, bytes: SPARE more than is in use already. Otherwise a script that
** holds too much would also stop what the library does beside it. */
static size_t most_from_now(void) {
  size_t most = watch.memory + SPARE, cap = 2 * (size_t)MAX_MEMORY;
  return most < MAX_MEMORY ? MAX_MEMORY : most < cap ? most : cap;
}

/* Whether calls are cut exactly where the record has a cut. */
static bool goes_by_record(void) {
  return watch.tape && brio_tape_replays(watch.tape) && !brio_tape_is_loose(watch.tape);
}

/* Whether a block of `size` bytes, which makes `used` in all, is granted to a call with a budget. */
static bool grants(size_t size, size_t used) {
  size_t most = goes_by_record() ? REPLAYED * (size_t)MAX_MEMORY : watch.most;
  if (used <= most) return true;
  /* Refused at once: one huge block, or far beyond the limit before a line began. */
  if (size > MAX_MEMORY || used > most + MAX_MEMORY) return false;
  /* Before the hook: the timer of slices would take that away again. */
  bool first = !watch.hungry;
  watch.hungry = true;
  if (first && !watch.spent) watch.lines = 0;
  if (first && watch.main) look_at_lines();
  return true;
}

/* The allocator of every state, with a count of the bytes in use. */
static void *allocate(void *context, void *block, size_t before, size_t size) {
  brio_script_memory *memory = context;
  if (!block) before = 0; /* for a new block Lua passes a type here, not a size */
  /* Only growth within a call with a budget can be refused. */
  if (size > before && watch.armed && !grants(size, *memory->used + (size - before))) return NULL;
  return brio_script_memory_move(memory, block, before, size);
}

lua_State *brio_script_open(void) {
  brio_script_memory *memory = brio_script_memory_new(&watch.memory);
  if (!memory) return NULL;
  lua_State *L = lua_newstate(allocate, memory);
  /* From here on it goes with the state's last block. */
  memory->kept = false;
  if (!L) brio_script_memory_free(memory);
  return L;
}

static _Thread_local int64_t limit; /* ns of CPU time; 0: none */

int64_t brio_script_limit(int64_t until) {
  int64_t before = limit;
  limit = until;
  return before;
}

/* The sentence for a call that used up its budget, by the memory it took meanwhile: a loop that fills
** memory mostly runs out of time before it runs out of memory. In coarse steps, because a replay's
** consumption differs a little. */
static const struct { size_t bytes; const char *why; } spent_words[] = {
#define GREW "the script used up its time budget and took more than "
#define MAKES " MB of memory: it was stopped (an endless loop that makes tables or texts?)"
  {128 << 20, GREW "128" MAKES}, {64 << 20, GREW "64" MAKES}, {32 << 20, GREW "32" MAKES},
  {8 << 20, GREW "8" MAKES},
  {0, "the script used up its time budget: it was stopped (an endless loop?)"},
};

const char *brio_script_spent(void) {
  /* A thread without a watch may have a limit of CPU time instead. */
  if (limit && brio_clock_thread_cpu() > limit) return "it used up its time budget (an endless loop?)";
  if (!watch.spent) return NULL;
  /* An interruption from outside comes before the budget. */
  if (atomic_load(&watch.interrupted)) return "the script was interrupted: the run is to end";
  size_t taken = watch.memory > watch.memory_before ? watch.memory - watch.memory_before : 0;
  int at = 0;
  while (taken < spent_words[at].bytes) at++;
  return spent_words[at].why;
}

/* Record a cut: the call, the reason, the position. A replay records nothing. */
static void note_cut(int why, uint64_t line, uint64_t place) {
  script_cut cut = {watch.calls, why, line, place};
  if (!watch.tape || brio_tape_replays(watch.tape)) return;
  brio_tape_note(watch.tape, BRIO_CHANNEL_cut, &cut, sizeof cut);
}

/* Replaying: whether the tape cuts the running call; then `sought` is the cut. O(cuts of the tick). */
static bool was_cut(void) {
  const void *bytes;
  size_t length;
  /* The first record of this call; others of the tick belong to other calls. */
  for (int nth = 0; brio_tape_find(watch.tape, BRIO_CHANNEL_cut, nth, &bytes, &length); nth++) {
    if (length == sizeof watch.sought) memcpy(&watch.sought, bytes, length);
    if (length == sizeof watch.sought && watch.sought.call == watch.calls) return true;
  }
  return false;
}

/* The reason on the tape: an interruption from outside, or a budget that was used up. */
static int why_spent(void) { return atomic_load(&watch.interrupted) ? INTERRUPTED : BUDGET; }

/* Replaying: cut here, as recorded. After an error about memory the call may continue, up to another cut. */
static void cut_again(void) {
  const void *bytes;
  size_t length;
  script_cut cut = watch.sought;
  watch.seeks = false;
  brio_tape_must(watch.tape, BRIO_CHANNEL_cut, &bytes, &length);
  /* Time and interruption end the call; an error about memory may be caught. */
  if (cut.why != MEMORY) {
    watch.spent = 1;
    atomic_store(&watch.interrupted, cut.why == INTERRUPTED);
    return;
  }
  watch.starved = true;
  watch.seeks = was_cut();
}

/* Replaying: whether this line, in this state, is where the call was cut; then it is cut. */
static bool is_cut(lua_State *L, lua_Debug *ar) {
  /* The cheap comparison first: the full digest of a place reads its variables. */
  if (brio_script_line(L, ar) != watch.sought.line || brio_script_place(L, ar) != watch.sought.place)
    return false;
  cut_again();
  return true;
}

/* A call ended, well or not: record, or repeat, a cut that happened at no line. */
static void end_late(bool good) {
  if (watch.seeks && (watch.sought.line == IN_C || (good && watch.sought.line == AT_END))) cut_again();
  else if (watch.spent && watch.lines < 2) note_cut(why_spent(), good ? AT_END : IN_C, 0);
}

/* Collect all garbage, off the budget of time.  Return whether too much is in use even so. */
static bool holds_too_much(lua_State *L) {
  int periods = watch.periods, spent = watch.spent;
  lua_gc(L, LUA_GCCOLLECT, 0);
  /* The collection may have run past the budget: that was not the script's time. */
  if (!spent) watch.spent = 0, watch.periods = periods;
  watch.hungry = false;
  watch.lines = 0;
  return watch.memory > watch.most && !goes_by_record();
}

/* Raise that memory is not enough.  The script may catch it, so it gets SPARE bytes to do so. */
static void starve(lua_State *L) {
  watch.starved = false;
  watch.most = most_from_now();
  if (!watch.seeks) lua_sethook(L, NULL, 0, 0);
  luaL_error(L, "%s", no_memory);
}

/* The hook at the beginning of each line: raise what is due.  The first line after the signal may
** begin in the middle of one, which a replay could not find again, so recording waits for the
** second. */
static void stop_script(lua_State *L, lua_Debug *ar) {
  /* The engine's own work on record and input is done to its end: a replay does it in another way. One that
  ** does not end is held up by a script, in a metamethod of its data. */
  bool endless = watch.spent && watch.pause >= MAX_APART;
  if (!endless && brio_script_is_apart(L, watch.turn, watch.main, watch.base)) {
    /* A worker's slice ends all the same. */
    if (L == watch.worker && brio_clock_monotonic() > watch.till && lua_isyieldable(L)) lua_yield(L, 0);
    return;
  }
  /* A replay: is this the recorded place? */
  if (watch.seeks && watch.sought.line != IN_C) is_cut(L, ar);
  if (watch.starved) starve(L);
  const char *why = watch.seeks && watch.sought.line != IN_C ? NULL : brio_script_spent();
  bool notes = watch.tape && !brio_tape_replays(watch.tape);
  /* Recording: let the line that was interrupted pass. */
  if ((why || watch.hungry) && notes && watch.lines++ == 0) return;
  /* Recording: only the first line that raises is noted. */
  if (why) {
    if (watch.lines == 2) note_cut(why_spent(), brio_script_line(L, ar), brio_script_place(L, ar));
    luaL_error(L, "%s", why);
  }
  if (watch.hungry && holds_too_much(L)) {
    note_cut(MEMORY, brio_script_line(L, ar), brio_script_place(L, ar));
    starve(L);
  }
  if (!watch.seeks) lua_sethook(L, NULL, 0, 0); /* left over from an earlier call */
}

/* The handler of the timer, also called by brio_script_interrupt: count down, and set the hook at
** zero.  Setting the hook marks every call on the stack, which may take longer than a period if it
** is deep; so the pauses between two settings double, or the script would make no progress. */
static void on_period(int number) {
  (void)number;
  if (!watch.main) return; /* no call with a budget runs */
  if (watch.spent || !atomic_load(&watch.interrupted)) {
    /* Overruns: periods that passed without a signal of their own. */
    int passed = timer_getoverrun(watch.timer) + 1;
    watch.periods -= passed < 1 || passed > MAX_PERIODS ? 1 : passed;
    if (watch.periods > 0) return;
  }
  watch.pause = watch.spent ? 2 * watch.pause : 1;
  if (watch.pause > MAX_PAUSED) watch.pause = MAX_PAUSED;
  watch.periods = watch.pause;
  watch.spent = 1;
  /* The record does not explain this: give up seeking, and cut here. */
  if (watch.sought.line != IN_C) watch.seeks = false;
  look_at_lines();
}

bool brio_script_watch_start(brio_error *err) {
  struct sigaction action = {.sa_handler = on_period, .sa_flags = SA_RESTART};
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = WATCH_SIGNAL};
  /* The timer signals this thread, not the process. */
  event._sigev_un._tid = gettid();
  /* Once per thread: a second start finds it running. */
  if (watch.started) return true;
  /* A timer of the thread's own CPU time, whose signal goes to this thread. */
  if (sigaction(WATCH_SIGNAL, &action, NULL) != 0 ||
      timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &watch.timer) != 0)
    return brio_fail(err, BRIO_LIMIT, "the system gives no timer for the script budget");
  /* From now on it fires for ever; without a call its signal does nothing. */
  struct timespec period = {.tv_nsec = (long)(PERIOD * 1e9)};
  timer_settime(watch.timer, 0, &(struct itimerspec){period, period}, NULL);
  watch.thread = pthread_self();
  atomic_store(&watch.started, true);
  script_watch *none = NULL;
  atomic_compare_exchange_strong(&first_watch, &none, &watch);
  return true;
}

void brio_script_watch_stop(void) {
  script_watch *own = &watch;
  /* If this was the first watch, brio_script_interrupt has no thread from here on. */
  atomic_compare_exchange_strong(&first_watch, &own, NULL);
  if (watch.started) timer_delete(watch.timer);
  if (watch.has_slices) timer_delete(watch.slices);
  watch.started = watch.has_slices = false;
}

void brio_script_interrupt(void) {
  script_watch *first = atomic_load(&first_watch);
  if (!first) return;
  atomic_store(&first->interrupted, true);
  pthread_kill(first->thread, WATCH_SIGNAL);
}

brio_tape *brio_script_tape(brio_tape *tape) {
  brio_tape *before = watch.tape;
  watch.tape = tape;
  return before;
}

/* Watch this coroutine (NULL: the main one). */
static void switch_to(lua_State *coroutine) {
  watch.coroutine = coroutine;
  /* A coroutine resumed while something is due needs the hook as well. */
  bool looks = watch.spent || watch.seeks || watch.hungry;
  if (coroutine && looks) lua_sethook(coroutine, stop_script, LUA_MASKLINE, 0);
}

void brio_script_enter(brio_script_turn *turn, lua_State *coroutine, lua_State *from) {
  *turn = (brio_script_turn){from, watch.coroutine, watch.turn};
  watch.turn = turn;
  switch_to(coroutine);
}

void brio_script_leave(const brio_script_turn *turn) {
  assert(watch.turn == turn);
  watch.turn = turn->before;
  switch_to(turn->previous);
}

/* The hook of a worker whose slice is over.  Coroutines it creates inherit the hook, but are not
** sliced. */
static void end_slice(lua_State *L, lua_Debug *ar) {
  if (watch.spent) stop_script(L, ar);
  else if (L != watch.worker) lua_sethook(L, NULL, 0, 0);
  else if (brio_clock_monotonic() > watch.till && lua_isyieldable(L)) lua_yield(L, 0);
}

/* The handler of the timer of slices. A call in it that is to be stopped has its hook, on lines, already: a
** cut between two instructions of a line could not be replayed. */
static void on_slice(int number) {
  (void)number;
  if (watch.worker && !watch.spent && !watch.hungry && !watch.seeks)
    lua_sethook(watch.worker, end_slice, LUA_MASKCOUNT, SLICE_INSTRUCTIONS);
}

/* Whether the thread has a timer for its slices, made with the first of them. Without a watch, nobody would
** delete it. */
static bool has_slice_timer(void) {
  struct sigaction action = {.sa_handler = on_slice, .sa_flags = SA_RESTART};
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SLICE_SIGNAL};
  event._sigev_un._tid = gettid();
  /* on_period sets another hook: it waits until this one is set. */
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, WATCH_SIGNAL);
  if (watch.started && !watch.has_slices)
    watch.has_slices = sigaction(SLICE_SIGNAL, &action, NULL) == 0 &&
                       timer_create(CLOCK_MONOTONIC, &event, &watch.slices) == 0;
  return watch.has_slices;
}

/* Let the timer of slices fire at `till` (ns), and again until it is set to 0, which stops it. */
static void set_slice_timer(int64_t till) {
  assert(watch.has_slices && till >= 0);
  const int64_t second = 1000000000;
  struct itimerspec when = {{0, till ? SLICE_AGAIN : 0}, {till / second, till % second}};
  timer_settime(watch.slices, TIMER_ABSTIME, &when, NULL);
}

int brio_script_slice(lua_State *worker, lua_State *from, int64_t till, int *nresults) {
  bool ends = till < INT64_MAX;
  bool times = ends && till > brio_clock_monotonic() + SHORT_SLICE && has_slice_timer();
  watch.till = till;
  watch.worker = worker;
  brio_script_turn turn;
  brio_script_enter(&turn, worker, from);
  /* A hook that counts doubles the time of plain Lua: it is set when the time is over. Without a timer, and
  ** in a short slice, it counts from the beginning. The worker yields at the first count past `till`, and
  ** continues there. */
  if (times) set_slice_timer(till);
  else if (ends) lua_sethook(worker, end_slice, LUA_MASKCOUNT, SLICE_INSTRUCTIONS);
  int status = lua_resume(worker, from, 0, nresults);
  if (times) set_slice_timer(0);
  /* From here on the handler does nothing. A cut that is due keeps its hook. */
  watch.worker = NULL;
  if (!watch.spent) lua_sethook(worker, NULL, 0, 0);
  brio_script_leave(&turn);
  return status;
}

/* Number the call within its tick, and look up whether the record cuts it.  Return its budget, s. */
static double count_call(lua_State *L, double budget) {
  watch.lines = 0;
  watch.seeks = false;
  /* Calls are numbered within a tick, in a run and in its replay alike. */
  if (!watch.tape) return budget;
  if (watch.tick != brio_tape_now(watch.tape)) watch.calls = 0;
  watch.tick = brio_tape_now(watch.tape);
  watch.calls++;
  if (!brio_tape_replays(watch.tape) || brio_tape_is_loose(watch.tape)) return budget;
  watch.seeks = was_cut();
  /* Cut inside C: only the clock can repeat that, so the budget is the usual one. */
  if (watch.seeks && watch.sought.line == IN_C) return budget;
  if (watch.seeks) lua_sethook(L, stop_script, LUA_MASKLINE, 0);
  /* Hooks on each line make a replay slow, and only the record may cut it: allow far more time. */
  return fmax(budget, LONGEST);
}

/* Begin a watched call. `periods` is INT_MAX during the set-up, so that no signal can end it half done. */
static void arm(lua_State *L, double budget) {
  watch.periods = INT_MAX;
  watch.base = brio_script_frame(L);
  watch.main = L;
  budget = count_call(L, budget);
  /* Nothing is due yet, and memory is counted from here. */
  watch.spent = 0;
  atomic_store(&watch.interrupted, false);
  watch.coroutine = NULL;
  watch.hungry = watch.starved = false;
  watch.most = most_from_now();
  watch.armed = true;
  watch.memory_before = watch.memory;
  watch.periods = (int)ceil(budget / PERIOD) + 1; /* the first period is partly over */
}

/* End a watched call; the order keeps a late signal from touching a call that ended. */
static void disarm(lua_State *L) {
  watch.main = NULL;
  watch.armed = false;
  if (watch.spent || watch.seeks || watch.hungry) lua_sethook(L, NULL, 0, 0);
  if (watch.seeks) brio_tape_deny(watch.tape, BRIO_CHANNEL_cut); /* the recorded cut was not reached */
  watch.seeks = false;
  watch.spent = 0;
}

bool brio_script_begin(lua_State *L, double budget) {
  if (!watch.started || watch.armed) return false;
  arm(L, budget);
  return true;
}

void brio_script_end(lua_State *L) { disarm(L); }

void brio_script_traceback(lua_State *L, lua_State *from, int level) {
  /* A value with __tostring becomes its text. */
  if (lua_type(L, -1) != LUA_TSTRING && luaL_getmetafield(L, -1, "__tostring") != LUA_TNIL) {
    lua_pushvalue(L, -2);
    lua_call(L, 1, 1);
    lua_replace(L, -2);
  }
  const char *message = lua_tostring(L, -1);
  if (!message)
    message = lua_pushfstring(L, "what was raised is no text but a %s value", luaL_typename(L, -1));
  /* else: from a coroutine */
  if (!strstr(message, "\nstack traceback:")) luaL_traceback(L, from, message, level);
}

/* The message handler of protected calls. */
static int with_traceback(lua_State *L) {
  lua_settop(L, 1);
  brio_script_traceback(L, L, 1);
  return 1;
}

bool brio_script_call(lua_State *L, int nargs, int nresults, double budget) {
  assert(nargs >= 0 && lua_gettop(L) > nargs);
  /* The handler goes below the function and its arguments. */
  int handler = lua_gettop(L) - nargs;
  bool arms = watch.started && budget > 0 && !watch.armed; /* a call inside another one shares its budget */
  lua_pushcfunction(L, with_traceback);
  lua_insert(L, handler);
  if (arms) arm(L, budget);
  int status = lua_pcall(L, nargs, nresults, handler);
  if (arms) end_late(status == LUA_OK);
  /* The call ended by itself, but after its budget: an error too, or replays would differ. */
  if (arms && watch.spent && status == LUA_OK) {
    status = LUA_ERRRUN;
    lua_settop(L, handler);
    lua_pushstring(L, brio_script_spent());
  }
  if (arms) disarm(L);
  lua_remove(L, handler);
  /* Lua's own message does not mention the limit. */
  if (status == LUA_ERRMEM && arms) {
    lua_pop(L, 1);
    lua_pushstring(L, no_memory);
  } else if (status != LUA_OK && !lua_isstring(L, -1)) { /* the handler itself failed */
    lua_pop(L, 1);
    lua_pushliteral(L, "an error whose text could not be made");
  }
  return status == LUA_OK;
}

/* A step of the collector of a negative size is a credit: so much may be taken before it works. */
void brio_script_spare(lua_State *L) { lua_gc(L, LUA_GCSTEP, -START_SIZE); }

void brio_script_collect_seldom(lua_State *L) {
  /* Pause so that at least FAST_GROWTH kB are allocated between cycles, within MIN_PAUSE and
  ** MAX_PAUSE. */
  int used = lua_gc(L, LUA_GCCOUNT), pause = 100 + (int)(100LL * FAST_GROWTH / (used + 1));
  if (pause < MIN_PAUSE) pause = MIN_PAUSE;
  if (pause > MAX_PAUSE) pause = MAX_PAUSE;
  lua_gc(L, LUA_GCSETPAUSE, pause);
}

void brio_script_collect(lua_State *L, int64_t budget_ns) {
  int64_t end = brio_clock_monotonic() + budget_ns;
  if (budget_ns == 0) { /* no clock to keep to */
    brio_script_collect_seldom(L);
    lua_gc(L, LUA_GCSTEP, 1);
    return;
  }
  /* Between cycles: wait until half as much again is in use. */
  int used = lua_gc(L, LUA_GCCOUNT);
  if (!watch.collecting && used < watch.left + watch.left / 2 + MIN_GROWTH) return;
  watch.collecting = true;
  /* Small steps until the cycle ends or the time is up; always one, so that cycles end. */
  do
    if (lua_gc(L, LUA_GCSTEP, 0)) {
      watch.collecting = false;
      watch.left = lua_gc(L, LUA_GCCOUNT);
    }
  while (watch.collecting && brio_clock_monotonic() < end);
}

void brio_script_collect_finely(lua_State *L) {
  /* Incremental mode: the pause and the step multiplier stay, the step becomes small. */
  lua_gc(L, LUA_GCINC, 0, 0, STEP_SIZE);
  watch.collecting = false;
  watch.left = lua_gc(L, LUA_GCCOUNT);
}
