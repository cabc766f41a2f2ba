/* How far a variable may go in one tick.
**
** With x the position, v = (x - x1) / dt the speed of a tick and a = (v - v1) / dt its
** acceleration, three intervals bound the next speed v of a tick of length dt:
**   speed          |v| <= V
**   acceleration   |v - v1| <= A dt
**   room to stop   v^2 + 2 A dt v <= 2 A room,  room = upper - x   (mirrored downwards)
** The last says v^2 <= 2 A (room - v dt): after the tick the speed is one that constant braking
** ends within the room that is left.  Braking tick by tick, each tick already running at its
** lowered speed, travels less than v^2 / (2 A) however long the ticks are (a lower sum of
** the integral), so it may always be kept up:
**   v1^2 <= 2 A room  and  v = v1 - A dt >= 0  give
**   v^2 + 2 A dt v = v1^2 - (A dt)^2 <= 2 A room.
** Hence the speed of greatest braking, v1 - A dt or 0, is in all three intervals: their
** intersection is never empty, and by induction never will be.
**
** Limits that tighten while the variable moves may find it beyond its new end, or too fast.  Then
** the speeds that lead back, as near as the acceleration allows:
**   beyond an end   at least the speed of approach to it from there, mirrored: it comes back as
**                   quickly as it may and is at rest at the end
**   too fast        greatest braking by the new acceleration
** always within the interval of the hard limits, which have held so far and so hold on: where the new
** acceleration brakes too little for a hard end, more of the hard one is used.
**
** Coming to rest: after a tick at speed v, braking takes A dt off the speed in every tick, so
** with k = floor(|v| / (A dt)) more ticks of motion it rests at a distance from x of
**   |v| dt (k + 1) - A dt^2 k (k + 1) / 2,
** straight pieces that meet at whole k, where the distance is A dt^2 k (k + 1) / 2. */
#include "solver/limits/bounds.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "math/scalar.h"

/* Greatest speed towards an end `room` away: the positive root of the rule above. */
static double stopping_speed(double room, double acceleration, double dt) {
  if (!(room > 0)) return 0;
  if (isinf(room)) return INFINITY;
  if (isinf(acceleration)) return room / dt;
  double step = acceleration * dt, root = sqrt(step * step + 2 * acceleration * room);
  return step + root > 0 ? 2 * acceleration * room / (step + root) : 0;
}

void brio_bounds_interval(const brio_bounds *bounds, double x, double v, double dt, double *lo, double *hi) {
  assert(dt > 0 && bounds->lower <= bounds->upper);
  double change = isinf(bounds->acceleration) ? INFINITY : bounds->acceleration * dt;
  double up = brio_min(bounds->velocity, stopping_speed(bounds->upper - x, bounds->acceleration, dt));
  double down = brio_min(bounds->velocity, stopping_speed(x - bounds->lower, bounds->acceleration, dt));
  double fastest = brio_min(up, v + change), slowest = brio_max(-down, v - change);
  /* Greatest braking is in all three intervals, so the intersection is empty by rounding only. */
  if (slowest > fastest) slowest = fastest = 0.5 * (slowest + fastest); /* they differ by rounding */
  /* Whatever rounding did, no result lies outside the range. */
  *lo = brio_min(brio_max(x + slowest * dt, bounds->lower), bounds->upper);
  *hi = brio_min(brio_max(x + fastest * dt, bounds->lower), bounds->upper);
  assert(*lo <= *hi);
}

/* Greatest speed upwards at `room` below an end; above it (room < 0) the least speed back, negative. */
static double end_speed(double room, const brio_bounds *bounds, double dt) {
  return copysign(brio_min(bounds->velocity, stopping_speed(fabs(room), bounds->acceleration, dt)), room);
}

/* Beyond a tightened limit the variable comes back at a bounded rate; elsewhere this equals
** brio_bounds_interval of the limits in force. */
void brio_bounds_tightened(const brio_bounds *hard, const brio_bounds *now, double x, double v, double dt,
                           double *lo, double *hi) {
  brio_bounds_interval(hard, x, v, dt, lo, hi);
  /* Usual case: nothing is tightened. */
  if (memcmp(hard, now, sizeof *now) == 0) return;
  /* The interval of the tightened limits, clipped to what the acceleration allows. */
  double change = isinf(now->acceleration) ? INFINITY : now->acceleration * dt;
  double up = end_speed(now->upper - x, now, dt), down = -end_speed(x - now->lower, now, dt);
  double fastest = brio_clamp(up, v - change, v + change), slowest = brio_clamp(down, v - change, v + change);
  double least = x + slowest * dt, most = x + fastest * dt;
  /* Within the new range a step may reach its end, but not cross it. */
  if (x <= now->upper && fastest <= up) most = brio_min(most, now->upper);
  if (x >= now->lower && slowest >= down) least = brio_max(least, now->lower);
  /* The hard interval has the last word. */
  least = brio_clamp(least, *lo, *hi);
  *hi = brio_clamp(brio_max(most, least), least, *hi);
  *lo = least;
  assert(*lo <= *hi);
}

/* Inverse of brio_bounds_next. unit = A dt^2 is by how much each tick of braking is shorter than
** the one before; 0 or infinite: no limit, the variable rests at once. */
double brio_bounds_rest(const brio_bounds *bounds, double x, double dt, double next) {
  double unit = bounds->acceleration * dt * dt, step = fabs(next - x);
  if (isinf(unit) || !(unit > 0)) return next;
  double k = floor(step / unit);
  return next + copysign(k * step - unit * k * (k + 1) / 2, next - x);
}

/* k solves  unit k (k + 1) / 2 <= distance < unit (k + 1)
** (k + 2) / 2:  the number of ticks of braking. */
double brio_bounds_next(const brio_bounds *bounds, double x, double dt, double rest, double *slope) {
  double unit = bounds->acceleration * dt * dt, distance = fabs(rest - x);
  *slope = 1;
  if (isinf(unit) || !(unit > 0)) return rest;
  double k = floor((sqrt(1 + 8 * distance / unit) - 1) / 2);
  *slope = 1 / (k + 1);
  return x + copysign(*slope * distance + unit * k / 2, rest - x);
}

/* One tick for the step, and one for each whole unit that its length contains. */
double brio_bounds_ticks(const brio_bounds *bounds, double x, double dt, double next) {
  double unit = bounds->acceleration * dt * dt;
  return isinf(unit) || !(unit > 0) ? 1 : 1 + floor(fabs(next - x) / unit);
}

/* The sum of n shrinking steps is  n step - unit n (n + 1) / 2;  the last, partial tick is linear. */
double brio_bounds_after(const brio_bounds *bounds, double x, double dt, double next, double ticks) {
  if (ticks <= 1) return x + ticks * (next - x);
  double unit = bounds->acceleration * dt * dt, step = fabs(next - x);
  if (isinf(unit) || !(unit > 0)) return next;
  double k = floor(step / unit), n = brio_min(floor(ticks) - 1, k); /* n whole ticks behind the first */
  double way = n * step - unit * n * (n + 1) / 2;
  if (n < k) way += (step - unit * (n + 1)) * (ticks - 1 - n);
  return next + copysign(way, next - x);
}
