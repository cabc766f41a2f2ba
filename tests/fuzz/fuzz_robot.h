/* Broken robot files: what the fuzz programs of all formats share.  The invariant: reading gives either a
** model that kinematics can run on, or NULL and an error message. */
#ifndef BRIO_TESTS_FUZZ_ROBOT_H
#define BRIO_TESTS_FUZZ_ROBOT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "robot/kinematics.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Run everything that reads a model. */
static inline void use(const brio_robot *robot) {
  brio_state state;
  int nq = robot->nq, nv = robot->nv;
  double *numbers = calloc(2 * (size_t)nq + 7 * (size_t)nv, sizeof *numbers);
  if (!numbers || nq > 4096 || !brio_state_start(&state, robot, NULL)) {
    free(numbers);
    return;
  }
  double *q = numbers, *to = q + nq, *rows = to + nq;
  brio_robot_neutral(robot, q);
  for (int i = 0; i < nv; i++) rows[i] = 0.1;
  brio_robot_integrate(robot, q, rows, to);
  brio_robot_difference(robot, q, to, rows);
  brio_state_update(&state, to);
  brio_vec3 com = brio_state_update_com(&state);
  brio_state_com_jacobian(&state, rows);
  for (int i = 0; i < robot->nlink && i < 64; i++) {
    brio_state_jacobian(&state, i, com, rows);
    brio_state_add_point_row(&state, i, com, com, 1, rows + 6 * nv);
    if (brio_robot_link(robot, robot->links[i].name, NULL) != i) abort();
  }
  for (int i = 0; i < robot->ncollision; i++) rows[0] += brio_shape_radius(&robot->collisions[i].shape);
  brio_state_end(&state);
  free(numbers);
}

/* Read a text: either a model that everything can run on, or an error with a message. */
static inline int fuzz_robot(const char *name, const uint8_t *data, size_t size) {
  brio_error err = {0};
  brio_robot_options options = {.independent_mimic = size & 1};
  brio_robot *robot = brio_robot_parse((const char *)data, size, name, &options, &err);
  if (robot)
    use(robot);
  else if (err.code == BRIO_OK || !err.message[0])
    abort(); /* failed in silence */
  brio_robot_free(robot);
  return 0;
}

#ifndef BRIO_LIBFUZZER
enum { LONGEST = 1 << 14 };

typedef struct fuzz_text {
  char bytes[LONGEST];
  size_t length;
} fuzz_text;

/* Replace `cut` bytes at `at` by others, as far as there is room. */
static inline void splice(fuzz_text *text, size_t at, size_t cut, const char *bytes, size_t length) {
  if (at > text->length) at = text->length;
  if (cut > text->length - at) cut = text->length - at;
  if (text->length - cut + length > LONGEST) return;
  memmove(text->bytes + at + length, text->bytes + at + cut, text->length - at - cut);
  memcpy(text->bytes + at, bytes, length);
  text->length += length - cut;
}

/* Change a text at a random place: cut, add a piece, replace, one byte, copy a part, end it, another digit.
 */
static inline void change(fuzz_text *text, brio_random *random, const char *const *pieces, int npiece) {
  size_t at = brio_random_below(random, text->length + 1), size = brio_random_below(random, 40);
  const char *piece = pieces[brio_random_below(random, (uint64_t)npiece)];
  char copy[40], byte = (char)brio_random_below(random, 256);
  size_t from = brio_random_below(random, text->length + 1);
  switch (brio_random_below(random, 6)) {
  case 0:
    splice(text, at, size, "", 0);
    break;
  case 1:
    splice(text, at, 0, piece, strlen(piece));
    break;
  case 2:
    splice(text, at, size, piece, strlen(piece));
    break;
  case 3:
    splice(text, at, 1, &byte, 1);
    break;
  case 4:
    if (size > text->length - from) size = text->length - from;
    memcpy(copy, text->bytes + from, size);
    splice(text, at, brio_random_below(random, 40), copy, size);
    break;
  default:
    if (brio_random_below(random, 8) == 0)
      text->length = at;
    else if (at < text->length)
      text->bytes[at] = (char)('0' + brio_random_below(random, 10));
  }
}

/* Read many texts, each one of the seeds with up to four changes; arguments: seed, number of texts.  Under
** make test it is a sample of 25,000; under make soak millions. */
static inline int fuzz_robots(const char *format, const char *const *seeds, int nseed,
                              const char *const *pieces, int npiece, int argc, char **argv) {
  const char *scale = getenv("BRIO_TEST_SCALE");
  unsigned long long seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  double factor = scale ? atof(scale) : 1;
  /* Under make test a sample, under make soak all. */
  long count = argc > 2 ? atol(argv[2]) : (long)(factor > 1 ? 100000 * factor : 10000);
  static fuzz_text text;
  printf("# %s fuzz: seed %llu, scale %g, %ld texts\n", format, seed, factor, count);
  fflush(stdout);
  for (long i = 0; i < count; i++) {
    char name[32];
    snprintf(name, sizeof name, "fuzz.%ld", i); /* a text by itself can be made again */
    brio_random random = brio_random_stream(seed, name);
    const char *start = seeds[brio_random_below(&random, (uint64_t)nseed)];
    text.length = 0;
    splice(&text, 0, 0, start, strlen(start));
    for (uint64_t n = brio_random_below(&random, 5); n > 0; n--) change(&text, &random, pieces, npiece);
    LLVMFuzzerTestOneInput((const uint8_t *)text.bytes, text.length);
  }
  printf("ok %s fuzz: %ld texts, seed %llu\n", format, count, seed);
  return 0;
}

/* The program: of FORMAT with `seeds` and `pieces`. */
#define FUZZ_PROGRAM(format)                                                                                 \
  int main(int argc, char **argv) {                                                                          \
    return fuzz_robots(format, seeds, (int)(sizeof seeds / sizeof *seeds), pieces,                           \
                       (int)(sizeof pieces / sizeof *pieces), argc, argv);                                   \
  }
#endif

#endif
