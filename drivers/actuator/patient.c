/* Calls of a driver with a time limit, before its device has a thread and after that: to open, to report for
** the first time, to close.  A driver that does not return is abandoned with its thread. */
#include <math.h>
#include <string.h>

#include "base/threads/patience.h"
#include "drivers/actuator/device.h"

/* A driver call with a time limit.  It lies in the arena, which outlives a call that never returns. */
typedef struct patient_call {
  brio_device *device;
  void (*ask)(void *context, brio_device *device);
  void *context;
  brio_error err;
  bool good;
} patient_call;

/* The three calls that have a time limit, as functions of one pointer. */
static void open_it(void *context) {
  patient_call *call = context;
  call->good = brio_device_open(call->device, &call->err);
}

static void ask_it(void *context) {
  patient_call *call = context;
  call->ask(call->context, call->device);
}

static void close_it(void *context) { brio_device_close(((patient_call *)context)->device); }

/* Run `work` with a time limit.  Return false on timeout; the device is then lost and stuck. */
static bool call_soon(brio_device *device, void (*work)(void *context), patient_call *call,
                      const char *what) {
  /* Simulated drivers always return, so they need no thread. */
  if (device->kind->simulated) work(call);
  if (device->kind->simulated || brio_patience_call(work, call, BRIO_DEVICE_PATIENCE)) return true;
  /* The thread inside the driver checks `left` if it ever returns. */
  atomic_store(&device->left, true);
  device->lost = device->stuck = true;
  device->stats.failures++;
  brio_fail(&device->error, BRIO_DEVICE,
            "the driver of device '%.64s' did not return within %g s when it was to %s: it is left behind",
            device->name, BRIO_DEVICE_PATIENCE, what);
  return false;
}

bool brio_device_open_soon(brio_device *device, brio_arena *arena, brio_error *err) {
  patient_call *call = BRIO_TAKE(arena, patient_call, 1);
  if (!call) return brio_fail(err, BRIO_NO_MEMORY, "no memory for device '%.64s'", device->name);
  call->device = device;
  /* After a timeout `call` still belongs to the thread; the device counts as open, but lost. */
  if (!call_soon(device, open_it, call, "open")) return true;
  if (!call->good) *err = call->err;
  return call->good;
}

void brio_device_ask_soon(brio_device *device, brio_arena *arena,
                          void (*ask)(void *context, brio_device *device), void *context) {
  patient_call *call = BRIO_TAKE(arena, patient_call, 1);
  if (!call || device->stuck) return;
  *call = (patient_call){.device = device, .ask = ask, .context = context};
  call_soon(device, ask_it, call, "report its motors' positions");
}

bool brio_device_close_soon(brio_device *device, brio_arena *arena) {
  /* A device that is stuck cannot be closed. */
  if (device->stuck) return false;
  patient_call *call = device->handle ? BRIO_TAKE(arena, patient_call, 1) : NULL;
  /* Nothing is open, so nothing can block; or there is no memory to give up waiting with: close without a
  ** thread. */
  if (!call) {
    brio_device_close(device);
    return true;
  }
  call->device = device;
  return call_soon(device, close_it, call, "close");
}
