/* Liveliness: noise about an anchor.
**
** The target of a solve is  anchor + offset,  offset = gain * size * noise(frequency * time):
** smooth noise within [-1, 1], one seeded stream an axis.  So `size` is the amplitude as a
** peak (the root mean square is size * brio_noise_rms()), and does not depend on the frequency.
** One octave is band-limited, as breathing is; a sum of octaves has the 1 / f^beta spectrum of living
** movement.
**
** The anchor is where the other objectives hold the link or joint, seen through the noise: the
** pose that was reached, less the offset that was asked for.  Where nothing else pulls, the two
** agree and the anchor stands still: noise is not summed up, so nothing drifts.  Where a goal
** pulls, the anchor goes to it. A deviation greater than the amplitude is not noise that was held back: the
** goal has moved. The anchor then follows at once, so that liveliness delays a motion by no more than its
** own amplitude; and for a while (HURRY) it follows the rest, too, so that the goal is met exactly. A
** deviation within the amplitude may be noise or motion: the anchor follows it with a time constant of SLOW
** periods of the noise, which takes next to nothing off the noise itself (a high-pass at about 4 % of the
** frequency). */
#include "solver/terms/liveliness.h"

#include <assert.h>

#include "base/random.h"
#include "math/noise.h"
#include "math/scalar.h"

static const double SLOW = 4;      /* periods */
static const double HURRY = 0.3;   /* s: time constant just after the goal has moved, and of that */
static const double FADE_IN = 0.5; /* s: time constant of the noise at the start */

/* Each axis has a stream of its own: seeds that differ make noises independent. */
bool brio_liveliness_start(brio_liveliness *life, uint64_t seed, brio_error *err) {
  if (life->octaves != floor(life->octaves))
    return brio_fail(err, BRIO_MISUSE, "octaves must be a whole number, not %g", life->octaves);
  brio_random stream = brio_random_stream(seed, "liveliness");
  for (int i = 0; i < 3; i++) life->seed[i] = brio_random_bits(&stream);
  return true;
}

void brio_liveliness_reset(brio_liveliness *life) {
  life->anchored = false;
  life->gain = 0;
  life->hurry[0] = life->hurry[1] = life->hurry[2] = 0;
  life->offset = (brio_vec3){0, 0, 0};
}

/* One axis of follow_all. Within `least` the error follows slowly, beyond it at once. */
static double follow(const brio_liveliness *life, double error, double size, double dt, double *hurry) {
  double least = fmax(size, life->hold), within = brio_clamp(error, -least, least), beyond = error - within;
  /* hurry is 1 while the goal moves, and decays after it; it shortens the time constant. */
  *hurry = beyond != 0 ? 1 : *hurry * exp(-dt / HURRY);
  return beyond - expm1(-dt * (life->frequency / SLOW + *hurry / HURRY)) * within;
}

/* Return by how much the anchor should follow `error`, the way from the anchor to where the
** last pose would stand without noise; `size` is the asked amplitude on each axis. */
static brio_vec3 follow_all(brio_liveliness *life, brio_vec3 error, brio_vec3 size, double dt) {
  double *hurry = life->hurry;
  return (brio_vec3){follow(life, error.x, size.x, dt, &hurry[0]),
                     follow(life, error.y, size.y, dt, &hurry[1]),
                     follow(life, error.z, size.z, dt, &hurry[2])};
}

/* Take the noise of the solve at last->time. */
static void advance(brio_liveliness *life, brio_vec3 size, const brio_evaluation *last) {
  /* The noise fades in, so that an objective that becomes active does not jump. */
  assert(last->dt > 0 && life->gain >= 0 && life->gain <= 1);
  life->gain += -expm1(-last->dt / FADE_IN) * (1 - life->gain);
  /* Noise is a function of time, not a sum of steps: the same time gives the same value. */
  double noise[3], x = life->frequency * last->time;
  for (int i = 0; i < 3; i++)
    noise[i] = life->gain * brio_noise_living(life->seed[i], x, (int)life->octaves, life->beta);
  life->offset = (brio_vec3){size.x * noise[0], size.y * noise[1], size.z * noise[2]};
}

void brio_liveliness_wander(brio_liveliness *life, brio_vec3 *anchor, brio_vec3 at, brio_vec3 size,
                            const brio_evaluation *last) {
  /* The first call sets the anchor where the link is. */
  if (!life->anchored) *anchor = at, life->anchored = true;
  /* Where the link would stand without noise, relative to the anchor. */
  brio_vec3 error = brio_vec3_sub(brio_vec3_sub(at, life->offset), *anchor);
  *anchor = brio_vec3_add(*anchor, follow_all(life, error, size, last->dt));
  advance(life, size, last);
}

void brio_liveliness_swing(brio_liveliness *life, brio_quat *anchor, brio_quat at, brio_vec3 size,
                           const brio_evaluation *last) {
  /* The same with rotations: noise is about the axes of the link, hence on the right-hand side. */
  if (!life->anchored) *anchor = at, life->anchored = true;
  brio_quat quiet = brio_quat_mul(at, brio_quat_exp(brio_vec3_scale(-1, life->offset)));
  brio_vec3 error = brio_quat_log(brio_quat_mul(brio_quat_conj(*anchor), quiet));
  brio_vec3 step = follow_all(life, error, size, last->dt);
  *anchor = brio_quat_unit(brio_quat_mul(*anchor, brio_quat_exp(step)));
  advance(life, size, last);
}

brio_quat brio_liveliness_turned(const brio_liveliness *life, brio_quat anchor) {
  return brio_quat_mul(anchor, brio_quat_exp(life->offset));
}

/* One number is a vector with one axis in use. */
void brio_liveliness_stray(brio_liveliness *life, double *anchor, double at, double size,
                           const brio_evaluation *last) {
  brio_vec3 where = {*anchor, 0, 0};
  brio_liveliness_wander(life, &where, (brio_vec3){at, 0, 0}, (brio_vec3){fabs(size), 0, 0}, last);
  *anchor = where.x;
}
