/* The loop that keeps the engine's time: libuv, an absolute timer, and the signals that request an end.
**
** libuv's own timers drift, so the tick hangs on a timerfd with absolute expiries. A read returns how many
** periods passed, and a tick after missed ones covers their time. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#include "base/clock.h"
#include "runtime/engine.h"
#include "runtime/motor/panic.h"

enum { FAST_TICKS_BETWEEN_LOOKS = 50, MAX_MISSED = 20, ENDING_SIGNALS = 3 };

/* Signals that request an end: Ctrl-C, `kill`, and a closed terminal. */
static const int ending_signals[ENDING_SIGNALS] = {SIGINT, SIGTERM, SIGHUP};

/* The loop of one run, on the stack of brio_engine_run. One thread. */
typedef struct loop {
  uv_loop_t uv;
  uv_signal_t signals[ENDING_SIGNALS];
  bool heard[ENDING_SIGNALS];
  uv_poll_t poll;
  int timer;            /* timerfd, -1: none */
  int interrupts;
  bool over;
  int64_t next;         /* ns: when the next tick is due */
  int64_t period;       /* ns */
  double seconds;
  brio_engine *engine;
} loop;

/* The first signal requests the end, the second one ends the run at once. */
static void on_signal(uv_signal_t *handle, int number) {
  loop *self = handle->data;
  (void)number;
  brio_engine_stop(self->engine, "signal");
  if (++self->interrupts > 1) self->over = true;
}

/* Request the end when the run's duration has passed; 1e-9 s for rounding. */
static void stop_when_due(loop *self) {
  bool due = self->seconds > 0 && brio_engine_time(self->engine) >= self->seconds - 1e-9;
  if (due) brio_engine_stop(self->engine, "time");
}

/* A tick is due: run it, then spend at most half of the time left on idle work. */
static void on_timer(uv_poll_t *handle, int status, int events) {
  loop *self = handle->data;
  uint64_t missed = 0;
  (void)events;
  /* Nothing to read: a stale event, as after a change of the timer. */
  if (status < 0 || read(self->timer, &missed, sizeof missed) != sizeof missed || missed == 0) return;
  /* `next` stays on the grid of absolute expiries, so lateness does not accumulate. */
  double late = (double)(brio_clock_monotonic() - self->next) * 1e-9;
  /* The tick was due at the newest expiry before now. */
  self->next += (int64_t)missed * self->period;
  brio_engine_note_late(self->engine, late, self->next - self->period);
  if (missed > MAX_MISSED) missed = MAX_MISSED; /* after a suspension time is cut off here */
  stop_when_due(self);
  if (!brio_engine_tick(self->engine, (int)missed)) self->over = true;
  brio_engine_slack(self->engine, (self->next - brio_clock_monotonic()) / 2);
}

/* Start the timer: first expiry one period from now, then one every period. */
static bool start_timer(loop *self, brio_error *err) {
  self->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  if (self->timer < 0) return brio_fail(err, BRIO_LIMIT, "no timer for the tick: %s", strerror(errno));
  /* The grid of expiries begins one period from now. */
  self->next = brio_clock_monotonic() + self->period;
  /* The period, and the absolute time of the first expiry. */
  struct itimerspec when = {{self->period / 1000000000, self->period % 1000000000},
                            {self->next / 1000000000, self->next % 1000000000}};
  /* libuv polls the timer as a file. */
  if (timerfd_settime(self->timer, TFD_TIMER_ABSTIME, &when, NULL) != 0 ||
      uv_poll_init(&self->uv, &self->poll, self->timer) != 0)
    return brio_fail(err, BRIO_LIMIT, "the tick's timer cannot be started: %s", strerror(errno));
  self->poll.data = self;
  uv_poll_start(&self->poll, UV_READABLE, on_timer);
  return true;
}

/* Real clock: libuv sleeps until the timer or a signal. */
static void run_real(loop *self) {
  while (!self->over) uv_run(&self->uv, UV_RUN_ONCE);
}

/* Fast clock: tick after tick; sockets and signals are served every FAST_TICKS_BETWEEN_LOOKS ticks. */
static void run_fast(loop *self) {
  for (int n = 0; !self->over; n++) {
    /* A run with a duration ends at the same tick on each machine. */
    stop_when_due(self);
    if (!brio_engine_tick(self->engine, 1)) self->over = true;
    if (n % FAST_TICKS_BETWEEN_LOOKS == 0) uv_run(&self->uv, UV_RUN_NOWAIT);
    brio_engine_slack(self->engine, 0);
  }
}

/* Open the loop and handle the ending signals. */
static bool open_loop(loop *self, brio_error *err) {
  if (uv_loop_init(&self->uv) != 0) return brio_fail(err, BRIO_LIMIT, "no event loop to be had");
  for (int i = 0; i < ENDING_SIGNALS; i++) {
    struct sigaction before;
    uv_signal_init(&self->uv, &self->signals[i]);
    self->signals[i].data = self;
    /* SIGHUP that was ignored at the start (nohup) stays ignored. */
    bool unheard = sigaction(ending_signals[i], NULL, &before) == 0 && before.sa_handler == SIG_IGN;
    if (unheard && ending_signals[i] == SIGHUP) continue; /* as nohup has it */
    uv_signal_start(&self->signals[i], on_signal, ending_signals[i]);
    self->heard[i] = true;
  }
  return true;
}

/* Close a handle unless that has begun: uv_close may be called once only. */
static void close_handle(uv_handle_t *handle, void *context) {
  (void)context;
  if (!uv_is_closing(handle)) uv_close(handle, NULL);
}

/* Close every handle, and let their callbacks run, before the loop itself. */
static void close_loop(loop *self) {
  for (int i = 0; i < ENDING_SIGNALS; i++)
    /* These signals stay ignored until the engine is freed, so that the recording is completed. */
    if (self->heard[i])
      uv_signal_stop(&self->signals[i]), brio_engine_ignore(self->engine, ending_signals[i]);
  /* The loop can be closed only after all close callbacks ran. */
  uv_walk(&self->uv, close_handle, NULL);
  while (uv_run(&self->uv, UV_RUN_DEFAULT) != 0) {}
  uv_loop_close(&self->uv);
  if (self->timer >= 0) close(self->timer);
}

/* Let `seconds` pass after the last tick. False: an end was requested meanwhile, or twice before. */
static bool nap(void *context, double seconds) {
  loop *self = context;
  int before = self->interrupts;
  struct timespec t = {(time_t)seconds, (long)((seconds - floor(seconds)) * 1e9)};
  /* A signal may end the sleep early. */
  nanosleep(&t, NULL);
  uv_run(&self->uv, UV_RUN_NOWAIT);
  return self->interrupts == before && before < 2;
}

bool brio_engine_run(brio_engine *engine, double seconds, bool fast, brio_error *err) {
  loop self = {.timer = -1, .seconds = seconds, .engine = engine,
               .period = (int64_t)llround(brio_engine_period(engine) * 1e9)};
  if (!open_loop(&self, err)) return false;
  /* Threads are needed only on the real clock: on the fast one the motor side runs in lockstep. */
  bool good = fast || (start_timer(&self, err) && brio_panic_on_signal(err) &&
                       brio_motor_start(brio_engine_motor(engine), err));
  if (good && fast) run_fast(&self);
  else if (good) run_real(&self);
  if (self.timer >= 0) uv_poll_stop(&self.poll); /* no tick from here on */
  /* After a failure to start, too: the joints come to rest before the threads end. */
  brio_engine_rest(engine, fast ? NULL : nap, &self);
  brio_motor_stop(brio_engine_motor(engine));
  close_loop(&self);
  return good;
}
