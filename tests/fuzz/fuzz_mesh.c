/* Broken mesh files: a cube in every format is cut, overwritten and repeated, then read.  The
** invariant: reading gives finite corners, as many as it returns, or -1 and an error message.  Run it
** under sanitizers.  Arguments: seed, number of files. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "robot/mesh.h"

enum { LONGEST = 4096, BINARY = 84 + 4 * 50 };

typedef struct fuzz_file {
  char bytes[LONGEST];
  size_t length;
} fuzz_file;

static const char *const texts[] = {
    "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
    "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\nendloop\nendfacet\n"
    "endsolid s\n",
    "# o\nv 0 0 0\nv 1 0 0\r\nv 0 1e0 0\nv 0.0 0 +1\nvn 0 0 1\nf 1//1 2//1 -1//-1\n"};
static const char *const pieces[] = {"solid", "endsolid", "vertex", "v ", "\n", "\r", "nan", "1e999", "-1e30",
                                     " ", "0x1p5", "\xef\xbb\xbf", "v 1 2 3\n", "\xff\xff\xff\xff"};

enum { NTEXT = sizeof texts / sizeof *texts, NPIECE = sizeof pieces / sizeof *pieces };

/* Four triangles in binary; their corners are drawn. */
static void make_binary(fuzz_file *file, brio_random *random) {
  memset(file->bytes, 0, BINARY);
  if (brio_random_below(random, 2)) memcpy(file->bytes, "solid", 5);
  file->bytes[80] = 4;
  for (size_t at = 84; at < BINARY; at += 50)
    for (size_t k = 0; k < 12; k++) {
      float value = (float)brio_random_uniform(random, -1, 1);
      memcpy(file->bytes + at + 4 * k, &value, sizeof value);
    }
  file->length = BINARY;
}

/* Overwrite, insert or cut. */
static void change(fuzz_file *file, brio_random *random) {
  size_t at = brio_random_below(random, file->length + 1);
  const char *piece = pieces[brio_random_below(random, NPIECE)];
  size_t length = strlen(piece);
  uint64_t how = brio_random_below(random, 8);
  if (how == 0) {
    file->length = at;
  } else if (how < 4 && at < file->length) {
    file->bytes[at] = (char)brio_random_below(random, 256);
  } else if (file->length + length <= LONGEST) {
    memmove(file->bytes + at + length, file->bytes + at, file->length - at);
    memcpy(file->bytes + at, piece, length);
    file->length += length;
  }
}

static void read_one(const char *path, const fuzz_file *made) {
  FILE *file = fopen(path, "wb");
  brio_error err = {0};
  brio_arena arena;
  const brio_vec3 *points = NULL;
  if (!file || fwrite(made->bytes, 1, made->length, file) != made->length || fclose(file)) abort();
  brio_arena_start(&arena, 4096);
  int count = brio_mesh_load_hull(path, &arena, &points, &err);
  if (count == 0 || (count < 0 && (err.code == BRIO_OK || !err.message[0]))) abort(); /* failed in silence */
  for (int i = 0; i < count; i++)
    if (!isfinite(points[i].x + points[i].y + points[i].z)) abort();
  brio_arena_end(&arena);
}

int main(int argc, char **argv) {
  const char *scale = getenv("BRIO_TEST_SCALE");
  unsigned long long seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  double factor = scale ? atof(scale) : 1;
  /* Under make test a sample, under make soak all. */
  long count = argc > 2 ? atol(argv[2]) : (long)((factor > 1 ? 20000 : 3000) * factor);
  char folder[] = "/tmp/brio-fuzz-XXXXXX", path[64];
  static fuzz_file file;
  if (!mkdtemp(folder)) return printf("skip mesh fuzz: no folder can be made\n"), 0;
  printf("# mesh fuzz: seed %llu, scale %g, %ld files\n", seed, factor, count);
  fflush(stdout);
  for (long i = 0; i < count; i++) {
    char name[32];
    snprintf(name, sizeof name, "fuzz.%ld", i); /* a file by itself can be made again */
    brio_random random = brio_random_stream(seed, name);
    uint64_t which = brio_random_below(&random, NTEXT + 1);
    if (which == NTEXT) make_binary(&file, &random);
    else memcpy(file.bytes, texts[which], file.length = strlen(texts[which]));
    for (uint64_t n = brio_random_below(&random, 5); n > 0; n--) change(&file, &random);
    snprintf(path, sizeof path, "%s/m.%s", folder, which == 1 ? "obj" : "stl");
    read_one(path, &file);
    unlink(path);
  }
  rmdir(folder);
  printf("ok mesh fuzz: %ld files, seed %llu\n", count, seed);
  return 0;
}
