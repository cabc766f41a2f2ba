/* A triple buffer between two threads: a value is never torn and never older than the one read before, and
** the last one always arrives. */
#include <pthread.h>

#include "base/threads/triple.h"
#include "tests/check.h"

enum { WORDS = 37, ROUNDS = 300000 };

static void *write_all(void *context) {
  brio_triple *triple = context;
  for (unsigned n = 1; n <= ROUNDS; n++) {
    unsigned *words = brio_triple_back(triple);
    for (unsigned i = 0; i < WORDS; i++) words[i] = n * (i + 1);
    brio_triple_publish(triple);
  }
  return NULL;
}

static void newest_arrives_whole(void) {
  brio_triple triple;
  pthread_t writer;
  unsigned last = 0, fetched = 0;
  CHECK(brio_triple_start(&triple, WORDS * sizeof(unsigned)), "start");
  CHECK(pthread_create(&writer, NULL, write_all, &triple) == 0, "thread");
  while (last < ROUNDS) {
    if (!brio_triple_fetch(&triple)) continue;
    const unsigned *words = brio_triple_front(&triple);
    CHECK(words[0] > last, "%u after %u", words[0], last);
    for (unsigned i = 0; i < WORDS; i++) CHECK(words[i] == words[0] * (i + 1), "torn at %u", i);
    last = words[0];
    fetched++;
  }
  pthread_join(writer, NULL);
  CHECK(fetched > 0 && !brio_triple_fetch(&triple), "nothing is left");
  brio_triple_end(&triple);
}

static void alone(void) {
  brio_triple triple;
  CHECK(brio_triple_start(&triple, sizeof(int)), "start");
  CHECK(!brio_triple_fetch(&triple) && *(const int *)brio_triple_front(&triple) == 0, "nothing yet");
  for (int i = 1; i < 10; i++) {
    *(int *)brio_triple_back(&triple) = i;
    brio_triple_publish(&triple);
    *(int *)brio_triple_back(&triple) = 100 + i;
    brio_triple_publish(&triple);
    CHECK(brio_triple_fetch(&triple) && *(const int *)brio_triple_front(&triple) == 100 + i,
          "the newest of two");
    CHECK(!brio_triple_fetch(&triple) && *(const int *)brio_triple_front(&triple) == 100 + i, "it stays");
  }
  brio_triple_end(&triple);
}

CHECK_SUITE(CHECK_TEST(newest_arrives_whole), CHECK_TEST(alone))
