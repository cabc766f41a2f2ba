/* How the world's thread sees bodies, and orders what becomes of them.  States come by a triple buffer,
** orders go by a ring: neither thread waits for the other.
**
** A state that has hardly changed stays as it was: things at rest tremble by rounding, and each change is
** noted on the tape.  The numbers are 32 bits in the run, too, so that a replay has the same. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "physics/physics_internal.h"

#define HARDLY_MOVED 2e-5F   /* m: of a thing; rad: of a door */
#define HARDLY_TURNED 1e-4F  /* of a quaternion's numbers: half an angle */
#define HARDLY_FASTER 1e-2F  /* m/s or rad/s */
#define HARDLY_PUSHED 0.1F   /* m/s^2 */
#define HARDLY_HARDER 0.5F   /* N */

#define STRONGEST 1e6 /* N, N m */

enum { ROW_BYTES = 2 + 2 + 4 + 4 * BRIO_WORLD_MOVED };
_Static_assert(BRIO_ASSEMBLY_ROWS * ROW_BYTES <= BRIO_WORLD_MOVED_BYTES, "a record of all bodies");

/* How much each number must change to count, by kinds of rows in their order. */
enum { OF_THING, OF_DOOR, OF_BASE, OF_IMU, OF_TOUCH, KINDS };

#define POSE                                                                                                 \
  HARDLY_MOVED, HARDLY_MOVED, HARDLY_MOVED, HARDLY_TURNED, HARDLY_TURNED, HARDLY_TURNED, HARDLY_TURNED
#define SPEED HARDLY_FASTER, HARDLY_FASTER, HARDLY_FASTER
static const float hardly[KINDS][BRIO_WORLD_MOVED] = {
    [OF_THING] = {POSE, SPEED},
    [OF_DOOR] = {HARDLY_MOVED, HARDLY_FASTER, HARDLY_MOVED},
    [OF_BASE] = {POSE, SPEED, SPEED},
    [OF_IMU] = {HARDLY_PUSHED, HARDLY_PUSHED, HARDLY_PUSHED, SPEED, HARDLY_TURNED, HARDLY_TURNED,
                HARDLY_TURNED, HARDLY_TURNED},
    [OF_TOUCH] = {HARDLY_HARDER},
};

/* The kind of a row. */
static int kind_of(const brio_assembly *assembly, int row) {
  const int ends[KINDS] = {assembly->nthing, brio_assembly_base_row(assembly),
                           brio_assembly_imu_row(assembly), brio_assembly_touch_row(assembly),
                           brio_assembly_rows(assembly)};
  int kind = OF_THING;
  while (kind < OF_TOUCH && row >= ends[kind]) kind++;
  return kind;
}

/* Whether a body is elsewhere than it was seen last, or in another state. */
static bool differs(const brio_world_moved *now, const brio_world_moved *before, const float *least) {
  if (now->touches != before->touches || now->puts != before->puts) return true;
  for (int i = 0; i < BRIO_WORLD_MOVED; i++)
    if (fabsf(now->numbers[i] - before->numbers[i]) > least[i]) return true;
  return false;
}

/* What the world has not seen yet: no thing was ever put so often, and a door has no such angle. */
static const brio_world_moved unseen = {.numbers = {NAN}, .puts = ~0U};

void brio_physics_forget(brio_physics *physics) {
  for (int i = 0; i < BRIO_ASSEMBLY_ROWS; i++) physics->rows[i] = unseen;
  memset(physics->changed, 0, sizeof physics->changed);
}

/* The number of rows of the assembly that the world sees. */
static int count_of(const brio_physics *physics) {
  return brio_assembly_rows(physics->seen);
}

/* Free the assemblies that the device's thread has left. */
static void free_retired(brio_physics *physics) {
  brio_assembly *old;
  while (brio_ring_get(&physics->retired, &old)) brio_assembly_free(old);
}

/* ---- the world's thread ---- */

static void look(void *context) {
  brio_physics *physics = context;
  free_retired(physics);
  memset(physics->changed, 0, sizeof physics->changed);
  if (!brio_triple_fetch(&physics->views)) return;
  const brio_physics_view *view = brio_triple_front(&physics->views);
  /* Bodies of an assembly before have other numbers. */
  if (view->number != physics->seen->number) return;
  for (int i = 0; i < count_of(physics); i++) {
    bool fresh = memcmp(&physics->rows[i], &unseen, sizeof unseen) == 0;
    physics->changed[i] =
        fresh || differs(&view->rows[i], &physics->rows[i], hardly[kind_of(physics->seen, i)]);
    if (physics->changed[i]) physics->rows[i] = view->rows[i];
  }
}

/* Each body that changed: its number, touches, puts, numbers, as they lie in memory. */
static size_t note(const void *context, unsigned char *out) {
  const brio_physics *physics = context;
  size_t length = 0;
  for (int i = 0; i < count_of(physics); i++) {
    if (!physics->changed[i]) continue;
    const brio_world_moved *row = &physics->rows[i];
    uint16_t head[] = {(uint16_t)i, (uint16_t)row->touches};
    uint32_t puts = row->puts;
    memcpy(out + length, head, sizeof head);
    memcpy(out + length + 4, &puts, sizeof puts);
    memcpy(out + length + 8, row->numbers, sizeof row->numbers);
    length += ROW_BYTES;
  }
  return length;
}

static bool recall(void *context, const unsigned char *bytes, size_t length) {
  brio_physics *physics = context;
  if (length % ROW_BYTES != 0) return false;
  memset(physics->changed, 0, sizeof physics->changed);
  for (size_t at = 0; at < length; at += ROW_BYTES) {
    brio_world_moved row;
    uint16_t head[2];
    uint32_t puts;
    memcpy(head, bytes + at, sizeof head);
    memcpy(&puts, bytes + at + 4, sizeof puts);
    memcpy(row.numbers, bytes + at + 8, sizeof row.numbers);
    /* Damaged bytes are a difference: bodies that there are, and finite numbers. */
    if (head[0] >= count_of(physics)) return false;
    for (int k = 0; k < BRIO_WORLD_MOVED; k++)
      if (!isfinite(row.numbers[k])) return false;
    row.touches = head[1];
    row.puts = puts;
    physics->rows[head[0]] = row;
    physics->changed[head[0]] = true;
  }
  return true;
}

static int find_body(const void *context, const char *id) {
  return brio_assembly_find(((const brio_physics *)context)->seen, id);
}

static const brio_world_moved *moved(const void *context, int body) {
  const brio_physics *physics = context;
  assert(body >= 0 && body < count_of(physics));
  return &physics->rows[body];
}

/* The row of the base; NULL: it is fixed, or was not seen yet. */
static const brio_world_moved *base(const void *context) {
  const brio_physics *physics = context;
  const brio_world_moved *row = &physics->rows[brio_assembly_base_row(physics->seen)];
  return physics->seen->about.floats && !isnan(row->numbers[0]) ? row : NULL;
}

const brio_world_moved *brio_physics_sensed(const brio_physics *physics, int touch) {
  const brio_assembly *seen = physics->seen;
  bool imu = touch < 0;
  if (imu ? !seen->about.imu[0] : touch >= seen->about.ntouch) return NULL;
  int row = imu ? brio_assembly_imu_row(seen) : brio_assembly_touch_row(seen) + touch;
  return physics->changed[row] ? &physics->rows[row] : NULL;
}

const brio_physics_contact *brio_physics_contacts(brio_physics *physics, int *count) {
  bool looks = atomic_exchange_explicit(&physics->looks, BRIO_PHYSICS_LOOKS, memory_order_relaxed) > 0;
  brio_triple_fetch(&physics->touching);
  const brio_physics_touching *now = brio_triple_front(&physics->touching);
  *count = 0;
  /* What was published for somebody who asked before is old; names are those of the present assembly. */
  if (!looks || !now->there || now->number != physics->seen->number) return NULL;
  *count = now->count;
  return now->list;
}

/* A full ring means that nobody steps: in a replay that has its bodies from the tape. */
static void put(void *context, int body, const brio_pose *pose) {
  brio_physics *physics = context;
  brio_physics_order order = {.what = pose ? BRIO_ORDER_PUT : BRIO_ORDER_REMOVE, .body = body};
  if (pose) order.pose = *pose;
  brio_ring_put(&physics->orders, &order);
}

static void hold(void *context, int body, double seconds) {
  brio_physics *physics = context;
  brio_physics_order order = {.what = BRIO_ORDER_HOLD, .body = body, .seconds = seconds};
  brio_ring_put(&physics->orders, &order);
}

bool brio_physics_push(brio_physics *physics, const char *link, brio_vec3 force, brio_vec3 torque,
                       double seconds, brio_error *err) {
  const brio_assembly *seen = physics->seen;
  if (brio_robot_link(physics->robot, link, err) < 0) return brio_fail_in(err, "a push");
  /* Written so that NaN is refused, too. */
  if (!(brio_vec3_norm(force) <= STRONGEST && brio_vec3_norm(torque) <= STRONGEST && seconds > 0))
    return brio_fail(err, BRIO_MISUSE, "a push must have at most %g N and N m, and last for more than 0 s",
                     STRONGEST);
  /* A replay that has its bodies from the tape has nobody to push. */
  if (!seen->simulation) return true;
  brio_physics_order order = {.what = BRIO_ORDER_PUSH, .force = force, .torque = torque, .seconds = seconds};
  order.body = seen->library->body(seen->simulation, brio_model_body(link));
  return brio_ring_put(&physics->orders, &order) ||
         brio_fail(err, BRIO_LIMIT, "physics has orders that it has not followed");
}

/* The world's events were checked; without room for its order a push is left out. */
static void push_link(void *context, const char *link, brio_vec3 force, double seconds) {
  brio_error err;
  brio_physics_push(context, link, force, (brio_vec3){0, 0, 0}, seconds, &err);
}

void brio_physics_fill(brio_world_mover *mover) {
  mover->look = look;
  mover->note = note;
  mover->recall = recall;
  mover->body = find_body;
  mover->moved = moved;
  mover->base = base;
  mover->put = put;
  mover->hold = hold;
  mover->push = push_link;
}

/* ---- the device's thread ---- */

/* From now on another assembly is stepped, from the state of the one before.  Numbers are copied; what was
** allocated is freed by the world's thread. */
static void change(brio_physics *physics, brio_assembly *assembly) {
  brio_assembly *before = physics->now;
  brio_assembly_take_over(assembly, before);
  physics->now = assembly;
  /* The ring has room for as many as there are orders. */
  brio_ring_put(&physics->retired, &before);
}

/* A push begins; without room it is left out. */
static void begin_shove(brio_physics *physics, const brio_physics_order *order) {
  if (physics->nshove == BRIO_PHYSICS_SHOVES) return;
  double now = physics->library->time(physics->now->simulation);
  physics->shoves[physics->nshove++] =
      (brio_physics_shove){order->body, order->force, order->torque, now + order->seconds};
}

/* The sum of the pushes on a body.  O(pushes) */
static void push_body(brio_physics *physics, int body, double now) {
  brio_vec3 force = {0, 0, 0}, torque = {0, 0, 0};
  for (int i = 0; i < physics->nshove; i++) {
    const brio_physics_shove *shove = &physics->shoves[i];
    if (shove->body != body || shove->until <= now) continue;
    force = brio_vec3_add(force, shove->force);
    torque = brio_vec3_add(torque, shove->torque);
  }
  physics->library->push(physics->now->simulation, body, force, torque);
}

void brio_physics_shove_all(brio_physics *physics) {
  if (physics->nshove == 0) return;
  /* 1e-9 s: times of steps are sums. */
  double now = physics->library->time(physics->now->simulation) + 1e-9;
  for (int i = 0; i < physics->nshove; i++) push_body(physics, physics->shoves[i].body, now);
  /* Those that have ended count as 0 above, and are left out from now on. */
  int left = 0;
  for (int i = 0; i < physics->nshove; i++)
    if (physics->shoves[i].until > now) physics->shoves[left++] = physics->shoves[i];
  physics->nshove = left;
}

void brio_physics_follow(brio_physics *physics) {
  brio_physics_order order;
  while (brio_ring_get(&physics->orders, &order)) {
    brio_assembly *now = physics->now;
    switch (order.what) {
      case BRIO_ORDER_PUT: brio_assembly_put(now, order.body, &order.pose); break;
      case BRIO_ORDER_REMOVE: brio_assembly_put(now, order.body, NULL); break;
      case BRIO_ORDER_HOLD: brio_assembly_hold(now, order.body, order.seconds); break;
      case BRIO_ORDER_PUSH: begin_shove(physics, &order); break;
      case BRIO_ORDER_CHANGE: change(physics, order.assembly); break;
    }
  }
}

/* Publish what touches what, if somebody looks.  O(contacts) */
static void show_contacts(brio_physics *physics) {
  if (atomic_load_explicit(&physics->looks, memory_order_relaxed) <= 0) return;
  atomic_fetch_sub_explicit(&physics->looks, 1, memory_order_relaxed);
  brio_physics_touching *touching = brio_triple_back(&physics->touching);
  touching->there = true;
  touching->number = physics->now->number;
  touching->count =
      physics->library->contacts(physics->now->simulation, touching->list, BRIO_PHYSICS_CONTACTS);
  brio_triple_publish(&physics->touching);
}

void brio_physics_show(brio_physics *physics) {
  brio_physics_view *view = brio_triple_back(&physics->views);
  view->number = physics->now->number;
  brio_assembly_read(physics->now, view->rows);
  brio_triple_publish(&physics->views);
  show_contacts(physics);
}
