/* A ring between two threads loses nothing, repeats nothing and keeps the order. */
#include "base/threads/ring.h"

#include <pthread.h>
#include <sched.h>

#include "tests/check.h"

typedef struct record {
  uint64_t number, check; /* check: reveals a torn record */
  char filling[24];
} record;

enum { RECORDS = 200000 };

static void *write_all(void *context) {
  brio_ring *ring = context;
  for (uint64_t i = 0; i < RECORDS;) {
    record r = {i, ~i * 3, "filling"};
    if (brio_ring_put(ring, &r)) i++;
    else sched_yield();
  }
  return NULL;
}

static void two_threads(void) {
  brio_ring ring;
  pthread_t writer;
  CHECK(brio_ring_start(&ring, sizeof(record), 100), "start");
  CHECK(pthread_create(&writer, NULL, write_all, &ring) == 0, "thread");
  for (uint64_t i = 0; i < RECORDS;) {
    record r;
    if (!brio_ring_get(&ring, &r)) {
      sched_yield();
      continue;
    }
    CHECK(r.number == i && r.check == ~i * 3, "record %d came as %d", (int)i, (int)r.number);
    CHECK(brio_ring_waiting(&ring) <= 128, "%zu wait", brio_ring_waiting(&ring));
    i++;
  }
  pthread_join(writer, NULL);
  CHECK(brio_ring_waiting(&ring) == 0, "%zu left over", brio_ring_waiting(&ring));
  brio_ring_end(&ring);
}

static void full_ring_refuses_and_counts(void) {
  brio_ring ring;
  int n = 0, value = 0;
  CHECK(brio_ring_start(&ring, sizeof n, 5), "start");
  while (brio_ring_put(&ring, &n)) n++;
  CHECK(n >= 5 && n <= 8, "%d fitted into a ring for 5", n);
  CHECK(!brio_ring_put(&ring, &n), "still full");
  CHECK(atomic_load(&ring.refused) == 2, "%d refused", (int)atomic_load(&ring.refused));
  for (int i = 0; i < n; i++) CHECK(brio_ring_get(&ring, &value) && value == i, "%d came as %d", i, value);
  CHECK(!brio_ring_get(&ring, &value), "empty");
  CHECK(brio_ring_put(&ring, &n) && brio_ring_get(&ring, &value) && value == n, "goes on after being full");
  brio_ring_end(&ring);
}

static void absurd_sizes_are_refused(void) {
  brio_ring ring;
  CHECK(!brio_ring_start(&ring, SIZE_MAX / 2, 16), "records of half the address space");
  CHECK(!brio_ring_start(&ring, 1, SIZE_MAX), "as many records as bytes there are");
}

CHECK_SUITE(CHECK_TEST(two_threads), CHECK_TEST(full_ring_refuses_and_counts),
            CHECK_TEST(absurd_sizes_are_refused))
