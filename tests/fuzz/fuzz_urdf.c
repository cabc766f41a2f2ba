/* Broken URDF: seeds that hold every element are cut, spliced, repeated and changed, then read.
** The invariant: reading gives either a model that kinematics can run on, or NULL and an error
** message.  Run it under sanitizers.
**
** With libFuzzer: clang -fsanitize=fuzzer,address -DBRIO_LIBFUZZER.  By itself: a generator of
** its own changes the seeds; arguments: seed, number of texts. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "robot/kinematics.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Run everything that reads a model. */
static void use(const brio_robot *robot) {
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  brio_error err = {0};
  brio_robot_options options = {.independent_mimic = size & 1};
  brio_robot *robot = brio_robot_parse((const char *)data, size, "fuzz.urdf", &options, &err);
  if (robot) use(robot);
  else if (err.code == BRIO_OK || !err.message[0]) abort(); /* failed in silence */
  brio_robot_free(robot);
  return 0;
}

#ifndef BRIO_LIBFUZZER
#define LINK(name)                                                                                           \
  "<link name='" name "'><inertial><origin xyz='0 1 0' rpy='1 0 0'/><mass value='1'/><inertia ixx='1' "      \
                      "iyy='1' izz='1'/></inertial>"                                                         \
  "<collision><origin rpy='1 2 3'/><geometry><box size='1 2 3'/></geometry></collision>"                     \
  "<visual><geometry><mesh filename='package://x/y.stl' scale='1 1 1'/></geometry></visual></link>\n"
#define JOINT(name, type, parent, child, inside)                                                             \
  "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child "'/>" inside       \
  "</joint>\n"

static const char *const seeds[] = {
    "<robot name='r'>" LINK("a") LINK("b") LINK("c") LINK("d") LINK("e") LINK("f")
        JOINT("1", "revolute", "a", "b",
              "<origin xyz='1 2 3' rpy='0 .5 1e-3'/><axis xyz='0 0 1'/><limit lower='-1' upper='1' "
              "velocity='2' effort='3'/>")
            JOINT("2", "prismatic", "b", "c",
                  "<mimic joint='1' multiplier='2' offset='-1'/><dynamics damping='1' friction='2'/>")
                JOINT("3", "planar", "c", "d", "<axis xyz='1 1 1'/>") JOINT("4", "floating", "d", "e", "")
                    JOINT("5", "continuous", "a", "f", "<mimic joint='2'/>") "</robot>",
    "<?xml version='1.0'?><robot name='r'><link name='a'/>" JOINT("1", "fixed", "world", "a", "") "</robot>",
    "<robot name='r'><link name='a'><collision><geometry><capsule radius='1' "
    "length='2'/></geometry></collision>"
    "<collision name='&lt;'><geometry><cylinder radius='1' length='2'/></geometry></collision><!-- &amp; -->"
    "<collision><geometry><sphere radius='1'/></geometry></collision></link></robot>",
    "<!DOCTYPE robot [<!ENTITY a 'b'>]><robot name='&a;'><link name='a'/></robot>"};
static const char *const pieces[] = {"<link name='a'/>",
                                     "'",
                                     ">",
                                     "/>",
                                     "</link>",
                                     "</robot>",
                                     "nan",
                                     "-1",
                                     "0",
                                     "1e400",
                                     "0x1",
                                     "<robot name='r'>",
                                     "${x}",
                                     "<!--",
                                     "<mimic joint='5'/>",
                                     "type='floating'",
                                     "type='planar'",
                                     "name='b'",
                                     "link='f'",
                                     "link='zzz'",
                                     "xyz='0 0 0'",
                                     "<![CDATA[",
                                     "\xff"};

enum { NSEED = sizeof seeds / sizeof *seeds, NPIECE = sizeof pieces / sizeof *pieces, LONGEST = 1 << 14 };

typedef struct fuzz_text {
  char bytes[LONGEST];
  size_t length;
} fuzz_text;

/* Replace `cut` bytes at `at` by others, as far as there is room. */
static void splice(fuzz_text *text, size_t at, size_t cut, const char *bytes, size_t length) {
  if (at > text->length) at = text->length;
  if (cut > text->length - at) cut = text->length - at;
  if (text->length - cut + length > LONGEST) return;
  memmove(text->bytes + at + length, text->bytes + at + cut, text->length - at - cut);
  memcpy(text->bytes + at, bytes, length);
  text->length += length - cut;
}

static void change(fuzz_text *text, brio_random *random) {
  size_t at = brio_random_below(random, text->length + 1), size = brio_random_below(random, 40);
  const char *piece = pieces[brio_random_below(random, NPIECE)];
  char copy[40], byte = (char)brio_random_below(random, 256);
  size_t from = brio_random_below(random, text->length + 1);
  switch (brio_random_below(random, 6)) {
    case 0: splice(text, at, size, "", 0); break;
    case 1: splice(text, at, 0, piece, strlen(piece)); break;
    case 2: splice(text, at, size, piece, strlen(piece)); break;
    case 3: splice(text, at, 1, &byte, 1); break;
    case 4:
      if (size > text->length - from) size = text->length - from;
      memcpy(copy, text->bytes + from, size);
      splice(text, at, brio_random_below(random, 40), copy, size);
      break;
    default:
      if (brio_random_below(random, 8) == 0) text->length = at;
      else if (at < text->length) text->bytes[at] = (char)('0' + brio_random_below(random, 10));
  }
}

int main(int argc, char **argv) {
  const char *scale = getenv("BRIO_TEST_SCALE");
  unsigned long long seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  double factor = scale ? atof(scale) : 1;
  long count = argc > 2 ? atol(argv[2]) : (long)(100000 * factor);
  static fuzz_text text;
  printf("# urdf fuzz: seed %llu, scale %g, %ld texts\n", seed, factor, count);
  fflush(stdout);
  for (long i = 0; i < count; i++) {
    char name[32];
    snprintf(name, sizeof name, "fuzz.%ld", i); /* a text by itself can be made again */
    brio_random random = brio_random_stream(seed, name);
    const char *start = seeds[brio_random_below(&random, NSEED)];
    text.length = 0;
    splice(&text, 0, 0, start, strlen(start));
    for (uint64_t n = brio_random_below(&random, 5); n > 0; n--) change(&text, &random);
    LLVMFuzzerTestOneInput((const uint8_t *)text.bytes, text.length);
  }
  printf("ok urdf fuzz: %ld texts, seed %llu\n", count, seed);
  return 0;
}
#endif
