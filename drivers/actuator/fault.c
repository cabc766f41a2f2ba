/* The kinds of faults, and the parser of a fault sentence: KIND [AMOUNT] [of] WHOM [at S] [for S].
** Each is O(channels). */
#include "drivers/actuator/fault.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/name.h"

/* ---- the kinds ---- */

/* Lose `amount` percent of the messages, each as a whole.  NaN: no target for that axis. */
static bool drop(brio_fault *f, double *targets, double time, brio_error *err) {
  (void)time, (void)err;
  /* One draw per message, struck axes or not, so that the sequence of draws is reproducible. */
  if (brio_random_uniform(&f->random, 0, 100) >= f->amount) return true;
  for (int i = 0; i < f->count; i++)
    if (f->strikes[i]) targets[i] = NAN;
  return true;
}

/* Targets wait in a ring of frames.  The newest frame that is due replaces what is sent now. */
static bool delay(brio_fault *f, double *targets, double time, brio_error *err) {
  assert(f->waiting >= 0 && f->waiting <= BRIO_FAULT_DELAY && f->first >= 0 && f->first < BRIO_FAULT_DELAY);
  (void)err;
  /* The slot behind the newest frame. */
  int slot = (f->first + f->waiting) % BRIO_FAULT_DELAY;
  /* A full ring drops the newest frame. */
  if (f->waiting < BRIO_FAULT_DELAY) {
    memcpy(f->kept + (size_t)slot * (size_t)f->count, targets, (size_t)f->count * sizeof *targets);
    f->due[slot] = time + f->amount;
    f->waiting++;
  }
  /* Take out all frames that are due; only the last one counts.  NULL: none is due. */
  const double *arrived = NULL;
  /* Frames are due in the order in which they were sent. */
  for (; f->waiting > 0 && f->due[f->first] <= time + 1e-9; f->waiting--) {
    arrived = f->kept + (size_t)f->first * (size_t)f->count;
    f->first = (f->first + 1) % BRIO_FAULT_DELAY;
  }
  /* Axes that are not struck keep their targets. */
  for (int i = 0; i < f->count; i++)
    if (f->strikes[i]) targets[i] = arrived ? arrived[i] : NAN;
  return true;
}

/* Targets do not reach the motors. */
static bool stall(brio_fault *f, double *targets, double time, brio_error *err) {
  (void)time, (void)err;
  for (int i = 0; i < f->count; i++)
    if (f->strikes[i]) targets[i] = NAN;
  return true;
}

/* No power, and unplugged: every exchange fails.  Only the messages differ. */
static bool no_power(brio_fault *f, brio_error *err) {
  return brio_fail(err, BRIO_DEVICE, "%s has no power (a fault on purpose)", f->whom);
}
/* No power: the device takes no targets. */
static bool dark_write(brio_fault *f, double *targets, double time, brio_error *err) {
  return (void)targets, (void)time, no_power(f, err);
}
/* No power: the device reports nothing. */
static bool dark_read(brio_fault *f, brio_axis_state *states, double time, brio_error *err) {
  return (void)states, (void)time, no_power(f, err);
}
/* Report that the device is unplugged.  Return false. */
static bool is_gone(brio_fault *f, brio_error *err) {
  return brio_fail(err, BRIO_DEVICE, "%s is unplugged (a fault on purpose)", f->whom);
}
/* Unplugged: the device takes no targets. */
static bool unplug_write(brio_fault *f, double *targets, double time, brio_error *err) {
  return (void)targets, (void)time, is_gone(f, err);
}
/* Unplugged: the device reports nothing. */
static bool unplug_read(brio_fault *f, brio_axis_state *states, double time, brio_error *err) {
  return (void)states, (void)time, is_gone(f, err);
}

/* Seconds by which an exchange takes longer: fixed, or uniform in [0, amount). */
static double block(brio_fault *f) { return f->amount; }
/* A new duration for each exchange, from the fault's own random stream. */
static double jitter(brio_fault *f) { return brio_random_uniform(&f->random, 0, f->amount); }

/* Reports stay away. */
static bool mute(brio_fault *f, brio_axis_state *states, double time, brio_error *err) {
  (void)time, (void)err;
  for (int i = 0; i < f->count; i++)
    if (f->strikes[i]) states[i].valid = false;
  return true;
}

/* A constant offset, in the axis's unit. */
static bool lie(brio_fault *f, brio_axis_state *states, double time, brio_error *err) {
  (void)time, (void)err;
  for (int i = 0; i < f->count; i++)
    if (f->strikes[i]) states[i].position += f->amount;
  return true;
}

/* An offset that grows: amount x time since the fault began. */
static bool drift(brio_fault *f, brio_axis_state *states, double time, brio_error *err) {
  (void)err;
  for (int i = 0; i < f->count; i++)
    if (f->strikes[i]) states[i].position += f->amount * (time - f->from);
  return true;
}

/* Each report is off by `amount` with a probability of 1 %. */
static bool spike(brio_fault *f, brio_axis_state *states, double time, brio_error *err) {
  (void)time, (void)err;
  for (int i = 0; i < f->count; i++)
    if (f->strikes[i] && brio_random_uniform(&f->random, 0, 100) < 1) states[i].position += f->amount;
  return true;
}

/* Reports are NaN. */
static bool nan_reports(brio_fault *f, brio_axis_state *states, double time, brio_error *err) {
  (void)time, (void)err;
  for (int i = 0; i < f->count; i++)
    if (f->strikes[i]) states[i].position = states[i].velocity = NAN;
  return true;
}

/* Gaussian noise; `amount` is the standard deviation. */
static bool noise(brio_fault *f, brio_axis_state *states, double time, brio_error *err) {
  (void)time, (void)err;
  for (int i = 0; i < f->count; i++)
    if (f->strikes[i]) states[i].position += f->amount * brio_random_normal(&f->random);
  return true;
}

/* Reports keep the values of the moment when the fault began. */
static bool freeze(brio_fault *f, brio_axis_state *states, double time, brio_error *err) {
  (void)time, (void)err;
  for (int i = 0; i < f->count; i++) {
    /* The first call of an active fault records all channels. */
    if (!f->begun) f->kept[i] = states[i].position;
    if (f->strikes[i]) states[i].position = f->kept[i], states[i].velocity = 0;
  }
  f->begun = true;
  return true;
}

/* The four kinds below set one reported quantity, and mark it as known: temperature in degrees C,
** current in A, load as a share of the greatest torque, voltage in V. */
static bool heat(brio_fault *f, brio_axis_state *states, double time, brio_error *err) {
  (void)time, (void)err;
  for (int i = 0; i < f->count; i++)
    if (f->strikes[i]) states[i].temperature = f->amount, states[i].knows |= BRIO_KNOWS_TEMPERATURE;
  return true;
}

/* Current, A. */
static bool overload(brio_fault *f, brio_axis_state *states, double time, brio_error *err) {
  (void)time, (void)err;
  for (int i = 0; i < f->count; i++)
    if (f->strikes[i]) states[i].current = f->amount, states[i].knows |= BRIO_KNOWS_CURRENT;
  return true;
}

/* Load, as a share of the greatest torque. */
static bool strain(brio_fault *f, brio_axis_state *states, double time, brio_error *err) {
  (void)time, (void)err;
  for (int i = 0; i < f->count; i++)
    if (f->strikes[i]) states[i].load = f->amount, states[i].knows |= BRIO_KNOWS_LOAD;
  return true;
}

/* Voltage, V. */
static bool sag(brio_fault *f, brio_axis_state *states, double time, brio_error *err) {
  (void)time, (void)err;
  for (int i = 0; i < f->count; i++)
    if (f->strikes[i]) states[i].voltage = f->amount, states[i].knows |= BRIO_KNOWS_VOLTAGE;
  return true;
}

/* The motors report a failure of their own. */
static bool give_up(brio_fault *f, brio_axis_state *states, double time, brio_error *err) {
  (void)time, (void)err;
  for (int i = 0; i < f->count; i++)
    if (f->strikes[i]) states[i].failed = true;
  return true;
}

/* An input reports one number, or nothing (NaN). */
static void set_input(const brio_fault *f, brio_input_state *input) { input->values[0] = f->amount; }

/* All numbers of the input become NaN: unknown. */
static void forget_input(const brio_fault *f, brio_input_state *input) {
  (void)f;
  for (int k = 0; k < BRIO_INPUT_NUMBERS; k++) input->values[k] = NAN;
}

/* Columns: name, unit, doc, example, least, most, fallback, frames, write, read, block, limp,
** sense.  `frames`: frames of positions that it keeps.  `least` = `most`: the kind has no amount. */
const brio_fault_kind brio_fault_kinds[] = {
    {"drop", "%", "This share of the targets is lost.", "drop 2% of neck", 0, 100, NAN, 0, drop, NULL, NULL,
     false, NULL},
    {"delay", "s", "Targets arrive later by this time.", "delay 0.03 of arm", 0, 0.25, NAN, BRIO_FAULT_DELAY,
     delay, NULL, NULL, false, NULL},
    {"stall", "", "Motors do not move, whatever their targets.", "stall HeadYaw at 2 for 1", 0, 0, 0, 0,
     stall, NULL, NULL, false, NULL},
    {"refuse", "", "Motors take no torque: they are limp, whatever their targets.",
     "refuse HeadYaw at 2 for 1", 0, 0, 0, 0, stall, NULL, NULL, true, NULL},
    {"trip", "", "Motors drop their torque, and report it.", "trip HeadYaw at 2 for 1", 0, 0, 0, 0, stall,
     give_up, NULL, true, NULL},
    {"block", "s", "Each exchange with the device takes longer by this time.",
     "block 0.3 of arm at 2 for "
     "1",
     0, 60, NAN, 0, NULL, NULL, block, false, NULL},
    {"jitter", "s", "Each exchange takes longer by a random time up to this.", "jitter 0.02 of arm", 0, 60,
     NAN, 0, NULL, NULL, jitter, false, NULL},
    {"unplug", "", "The device is gone: every exchange fails.", "unplug arm at 2 for 3", 0, 0, 0, 0,
     unplug_write, unplug_read, NULL, false, NULL},
    {"blackout", "", "The device loses power: it is gone, and its motors are limp.",
     "blackout arm at 2 for 3", 0, 0, 0, 0, dark_write, dark_read, NULL, true, NULL},
    {"mute", "", "Reports stop coming.", "mute neck at 1", 0, 0, 0, 0, NULL, mute, NULL, false, NULL},
    {"lie", "rad or m", "Reports have this error.", "lie 0.3 of HeadYaw", -1e6, 1e6, NAN, 0, NULL, lie, NULL,
     false, NULL},
    {"drift", "rad/s or m/s", "The error of reports grows by this rate.", "drift 0.05 of HeadYaw at 1", -1e6,
     1e6, NAN, 0, NULL, drift, NULL, false, NULL},
    {"spike", "rad or m", "One report in a hundred has this error.", "spike 0.5 of HeadYaw", -1e6, 1e6, NAN,
     0, NULL, spike, NULL, false, NULL},
    {"noise", "rad or m", "Reports have a random error with this standard deviation.", "noise 0.01 of all", 0,
     10, NAN, 0, NULL, noise, NULL, false, NULL},
    {"freeze", "", "Reports keep their last values.", "freeze HeadYaw at 2", 0, 0, 0, 1, NULL, freeze, NULL,
     false, NULL},
    {"nan", "", "Reports are NaN.", "nan of HeadPitch", 0, 0, 0, 0, NULL, nan_reports, NULL, false, NULL},
    {"heat", "C", "Motors report this temperature.", "heat 95 of HeadYaw at 1", -273, 1000, NAN, 0, NULL,
     heat, NULL, false, NULL},
    {"overload", "A", "Motors report this current.", "overload 9 of HeadYaw at 1", 0, 1e4, NAN, 0, NULL,
     overload, NULL, false, NULL},
    {"strain", "1", "Motors report this load, a share of their maximum torque.",
     "strain 0.95 of HeadYaw at 1", -1, 1, NAN, 0, NULL, strain, NULL, false, NULL},
    {"sag", "V", "Motors report this voltage.", "sag 5.5 of all at 1", 0, 1e4, NAN, 0, NULL, sag, NULL, false,
     NULL},
    {"sense", "", "An input of a device reports this number.", "sense 1 of red_button at 2 for 0.5", -1e9,
     1e9, NAN, 0, NULL, NULL, NULL, false, set_input},
    {"deaf", "", "An input of a device reports nothing.", "deaf red_button at 2", 0, 0, 0, 0, NULL, NULL,
     NULL, false, forget_input},
    {.name = NULL},
};

/* ---- sentences ---- */

/* List the kinds for a hint on misspelt names. */
static const char *name_at(const void *kinds, int i) { return ((const brio_fault_kind *)kinds)[i].name; }

/* Return the kind of that name, or NULL and an error with the nearest name. */
static const brio_fault_kind *find_kind(const char *name, brio_error *err) {
  /* O(kinds): faults are parsed before a run, or by hand. */
  for (const brio_fault_kind *kind = brio_fault_kinds; kind->name; kind++)
    if (strcmp(kind->name, name) == 0) return kind;
  char hint[96];
  brio_fail(err, BRIO_MISUSE, "there is no fault '%.40s'%s", name,
            brio_name_hint(name, name_at, brio_fault_kinds, hint));
  return NULL;
}

/* A sentence, split into words; `at` is the next to be read. */
typedef struct words {
  char text[256];
  char *word[12];
  int count, at;
} words;

/* Split a sentence at spaces and tabs, in a copy, because strtok_r writes into its text. */
static bool split(const char *sentence, words *w, brio_error *err) {
  /* Sentences are short: the buffer holds any valid one. */
  if (strlen(sentence) >= sizeof w->text)
    return brio_fail(err, BRIO_MISUSE, "a fault is a short sentence, as in: drop 2%% of neck");
  strcpy(w->text, sentence);
  char *rest = w->text;
  for (char *word = strtok_r(rest, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest)) {
    if (w->count == 12)
      return brio_fail(err, BRIO_MISUSE, "'%s': a fault has fewer words, as in: block 0.3 of arm at 2 for 1",
                       sentence);
    /* Words point into the copy. */
    w->word[w->count++] = word;
  }
  return w->count > 0 || brio_fail(err, BRIO_MISUSE, "a fault is a sentence, as in: drop 2%% of neck");
}

/* Read the next word as a number, with an optional unit s, ms or %.  Return false if it is not a
** number; the word then stays. */
static bool take_number(words *w, double *out) {
  char *end;
  if (w->at >= w->count) return false;
  /* Text after the number is its unit. */
  double value = strtod(w->word[w->at], &end);
  if (end == w->word[w->at] || !isfinite(value)) return false;
  /* ms is converted to s; % keeps its number. */
  if (strcmp(end, "ms") == 0) value *= 1e-3;
  else if (*end && strcmp(end, "s") != 0 && strcmp(end, "%") != 0) return false;
  w->at++;
  *out = value;
  return true;
}

/* Step over a word if it is next. */
static bool take_word(words *w, const char *word) {
  if (w->at >= w->count || strcmp(w->word[w->at], word) != 0) return false;
  w->at++;
  return true;
}

/* Read "at S" and "for S", in any order. */
static bool take_times(words *w, brio_fault *fault, brio_error *err) {
  double from = 0, lasts = INFINITY;
  /* Both are optional; a repeated word overrides the first. */
  while (w->at < w->count) {
    double *which = take_word(w, "at") ? &from : take_word(w, "for") ? &lasts : NULL;
    if (!which || !take_number(w, which) || *which < 0)
      return brio_fail(err, BRIO_MISUSE, "fault '%s': 'at SECONDS' or 'for SECONDS' was expected, as in: %s",
                       fault->kind->name, fault->kind->example);
  }
  fault->from = from;
  fault->until = from + lasts;
  return true;
}

bool brio_fault_parse(const char *sentence, brio_fault *fault, brio_error *err) {
  /* Word 0 is the kind, so read on from word 1. */
  words w = {.at = 1};
  *fault = (brio_fault){0};
  if (!split(sentence, &w, err)) return false;
  const brio_fault_kind *kind = fault->kind = find_kind(w.word[0], err);
  if (!kind) return false;
  /* The amount, if the kind has one, is required and must be within its range. */
  fault->amount = kind->fallback;
  bool given = kind->most > kind->least && take_number(&w, &fault->amount);
  if (kind->most > kind->least && !(given && fault->amount >= kind->least && fault->amount <= kind->most))
    return brio_fail(err, BRIO_MISUSE, "fault '%s' needs an amount from %g to %g %s, as in: %s", kind->name,
                     kind->least, kind->most, kind->unit, kind->example);
  /* The device, group, axis or input that it strikes. */
  take_word(&w, "of");
  if (w.at >= w.count)
    return brio_fail(err, BRIO_MISUSE, "fault '%s': name its device, group, axis or input, or all, as in: %s",
                     kind->name, kind->example);
  snprintf(fault->whom, sizeof fault->whom, "%s", w.word[w.at++]);
  return take_times(&w, fault, err);
}

bool brio_fault_start(brio_fault *fault, const bool *strikes, int count, uint64_t seed, brio_error *err) {
  assert(count >= 0 && fault->kind);
  /* Memory for the state of the kind: one frame, or a ring of them. */
  char name[128];
  size_t frames = fault->kind->frames > 0 ? (size_t)fault->kind->frames : 1;
  fault->count = count;
  fault->strikes = calloc((size_t)count + 1, sizeof *fault->strikes);
  fault->kept = calloc(frames * ((size_t)count + 1), sizeof *fault->kept);
  fault->due = calloc(frames, sizeof *fault->due);
  if (!fault->strikes || !fault->kept || !fault->due) {
    brio_fault_end(fault);
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for a fault");
  }
  /* The caller's flags are scratch memory: copy them. */
  memcpy(fault->strikes, strikes, (size_t)count * sizeof *strikes);
  /* A random stream by kind and name: the same seed gives the same faults. */
  snprintf(name, sizeof name, "fault.%s.%s", fault->kind->name, fault->whom);
  fault->random = brio_random_stream(seed, name);
  return true;
}

void brio_fault_end(brio_fault *fault) {
  free(fault->strikes);
  free(fault->kept);
  free(fault->due);
  /* Safe to call twice. */
  fault->strikes = NULL;
  fault->kept = fault->due = NULL;
}

/* Active in [from, until), with 1 ns of tolerance for rounded sums of steps. */
bool brio_fault_acts(const brio_fault *fault, double time) {
  return time >= fault->from - 1e-9 && time < fault->until - 1e-9;
}
