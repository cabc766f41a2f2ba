/* Broken point cloud files: seeds of every kind are cut, spliced, repeated and changed, then read, with all
** settings. The invariant: reading gives a cloud whose points are finite and near, or missing, as many as it
** reports and no more than allowed, in which points can be counted, and which can be thinned, and written as
** a frame that reads back the same; or an empty cloud and an error message.
**
** With libFuzzer: clang -fsanitize=fuzzer,address -DBRIO_LIBFUZZER.  By itself: a generator of its own
** changes the seeds; arguments: seed, number of files. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "cloud/files/file.h"
#include "cloud/index/index.h"

enum { LONGEST = 4096, LIMIT = 3000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Whether the cloud's content agrees with its counts. */
static void check(const brio_cloud *cloud) {
  int missing = 0;
  if (cloud->count != cloud->width * cloud->height || cloud->count > LIMIT) abort();
  for (int i = 0; i < cloud->count; i++) {
    const float *p = cloud->points[i];
    missing += !brio_cloud_has(cloud, i);
    for (int k = 0; k < 3; k++)
      if (brio_cloud_has(cloud, i) ? !(fabsf(p[k]) <= BRIO_CLOUD_FARTHEST) : p[k] == p[k]) abort();
  }
  if (missing != cloud->missing || cloud->far > missing ||
      strnlen(cloud->frame, BRIO_CLOUD_FRAME) == BRIO_CLOUD_FRAME)
    abort();
  if (!brio_pose_finite(cloud->viewpoint)) abort();
}

/* Count in it: a half-space that holds all, and a ball. */
static void count(const brio_cloud *cloud) {
  brio_cloud_index *index = brio_cloud_index_new(NULL);
  brio_cloud_solid all = {{.kind = BRIO_SHAPE_HALF_SPACE}, {{0, 0, 2 * BRIO_CLOUD_FARTHEST}, {0, 0, 0, 1}}};
  brio_cloud_solid ball = {{.kind = BRIO_SHAPE_SPHERE, .size = {1.5, 0, 0}}, {{1, 2, 3}, {0, 0, 0, 1}}};
  brio_cloud_tally tally;
  int inside = 0;
  if (!brio_cloud_index_build(index, cloud, NULL) || !brio_cloud_count(index, &all, 1, &tally, NULL)) abort();
  if (tally.count != cloud->count - cloud->missing) abort();
  for (int i = 0; i < cloud->count; i++) inside += brio_cloud_inside(&ball, cloud->points[i]);
  if (!brio_cloud_count(index, &ball, 1, &tally, NULL) || tally.count != inside) abort();
  brio_cloud_index_free(index);
}

/* Write it as a frame and read it again. */
static void go_round(const brio_cloud *cloud, brio_cloud *again) {
  size_t size = brio_cloud_frame_size(cloud);
  char *frame = malloc(size);
  brio_cloud_frame_write(cloud, 1, frame);
  brio_error err;
  if (brio_cloud_frame_length(frame, 0) != size || !brio_cloud_read(again, frame, size, NULL, &err)) abort();
  if (again->count != cloud->count || again->missing != cloud->missing) abort();
  for (int i = 0; i < cloud->count; i++)
    if (brio_cloud_has(cloud, i) && memcmp(cloud->points[i], again->points[i], sizeof *cloud->points) != 0)
      abort();
  free(frame);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const axes[] = {NULL, "optical", "unity", "back up left"};
  static brio_cloud *cloud, *other;
  brio_error err = {0};
  brio_cloud_settings settings = {.axes = axes[size & 3], .unit = size & 4 ? 0.001 : 0, .limit = LIMIT};
  if (!cloud) cloud = brio_cloud_new(NULL), other = brio_cloud_new(NULL);
  if (brio_cloud_read(cloud, data, size, &settings, &err)) {
    check(cloud);
    count(cloud);
    go_round(cloud, other);
    if (!brio_cloud_voxels(other, cloud, 0.5, &err) || other->count > cloud->count) abort();
  } else if (err.code == BRIO_OK || !err.message[0] || cloud->count != 0) {
    abort(); /* failed without a message, or kept points */
  }
  return 0;
}

#ifndef BRIO_LIBFUZZER

typedef struct fuzz_file {
  char bytes[LONGEST];
  size_t length;
} fuzz_file;

static const char *const texts[] = {
    "# .PCD v.7\nVERSION .7\nFIELDS x y z rgb label\nSIZE 4 4 4 4 4\nTYPE F F F F U\nCOUNT 1 1 1 1 1\nWIDTH "
    "3\nHEIGHT 2\n"
    "VIEWPOINT 0 0 0 1 0 0 0\nPOINTS 6\nDATA ascii\n1 2 3 4.2e6 1\nnan nan nan 0 2\n1e30 0 0 0 0\n1 2 3.5 0 "
    "3\n0 0 0 0 0\n1 1 1 1 1\n",
    "VERSION .7\nFIELDS x _ y z\nSIZE 2 1 8 4\nTYPE I U F F\nCOUNT 1 3 1 1\nWIDTH 2\nHEIGHT 1\nPOINTS "
    "2\nDATA binary\n"
    "abcdefghijklmnopqrstuvwxyz0123456789",
    "FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nWIDTH 4\nHEIGHT 1\nDATA "
    "binary_compressed\n\x0b\x01\x01\x01\x30\x01\x01\x01\x20 abcdefghij",
    "ply\nformat ascii 1.0\ncomment c\nelement face 1\nproperty list uchar int vertex_indices\nelement "
    "vertex 2\nproperty float x\n"
    "property float y\nproperty float z\nproperty uchar red\nproperty uchar green\nproperty uchar "
    "blue\nend_header\n3 0 1 2\n1 2 3 4 5 6\n"
    "-1 0.5 1e2 255 0 0\n",
    "ply\nformat binary_little_endian 1.0\nelement vertex 2\nproperty double x\nproperty list uchar short "
    "l\nproperty float y\n"
    "property float z\nend_header\nabcdefgh\x01xxABCDEFGHabcdefgh\x02xxyyABCDEFGHtail",
    "ply\nformat binary_big_endian 1.0\nelement vertex 2\nproperty int16 x\nproperty uint8 y\nproperty "
    "float32 z\nproperty uint label\n"
    "end_header\nabcdefghijklmnopqrstuvwxyz"};
static const char *const pieces[] = {"x",
                                     "y",
                                     "z",
                                     "rgb",
                                     "label",
                                     "FIELDS ",
                                     "SIZE ",
                                     "8",
                                     "4",
                                     "0",
                                     "-1",
                                     "DATA binary\n",
                                     "DATA ascii\n",
                                     "POINTS ",
                                     "WIDTH ",
                                     "4000000000",
                                     "2147483647",
                                     "1e999",
                                     "nan",
                                     "inf",
                                     "\n",
                                     "\r\n",
                                     " ",
                                     "#",
                                     "element vertex ",
                                     "property list uchar int l\n",
                                     "property float x\n",
                                     "end_header\n",
                                     "list",
                                     "\xff\xff\xff\xff",
                                     "ply\n",
                                     "BRPC",
                                     "VIEWPOINT 1 2 3 nan 0 0 0\n",
                                     "COUNT 99999\n"};

enum { NTEXT = sizeof texts / sizeof *texts, NPIECE = sizeof pieces / sizeof *pieces };

/* A raw frame of a few points, with all parts. */
static void make_frame(fuzz_file *file, brio_random *random) {
  brio_cloud *cloud = brio_cloud_new(NULL);
  brio_cloud_resize(cloud, 1 + (int)brio_random_below(random, 8), 1 + (int)brio_random_below(random, 4),
                    (int)brio_random_below(random, 4), NULL);
  for (int i = 0; i < cloud->count; i++) {
    for (int k = 0; k < 3; k++) cloud->points[i][k] = (float)brio_random_uniform(random, -3, 3);
    if (cloud->colors) memset(cloud->colors[i], i, 3);
    if (cloud->labels) cloud->labels[i] = (uint32_t)i;
  }
  brio_cloud_frame_write(cloud, 3, file->bytes);
  file->length = brio_cloud_frame_size(cloud);
  brio_cloud_free(cloud);
}

/* Overwrite, insert, repeat or cut. */
static void change(fuzz_file *file, brio_random *random) {
  size_t at = brio_random_below(random, file->length + 1);
  const char *piece = pieces[brio_random_below(random, NPIECE)];
  size_t length = strlen(piece);
  uint64_t how = brio_random_below(random, 10);
  if (how == 0) {
    file->length = at;
  } else if (how < 5 && at < file->length) {
    file->bytes[at] = (char)brio_random_below(random, 256);
  } else if (how == 5 && file->length + 64 <= LONGEST && at + 64 <= file->length) {
    memcpy(file->bytes + file->length, file->bytes + at, 64);
    file->length += 64;
  } else if (file->length + length <= LONGEST) {
    memmove(file->bytes + at + length, file->bytes + at, file->length - at);
    memcpy(file->bytes + at, piece, length);
    file->length += length;
  }
}

int main(int argc, char **argv) {
  const char *scale = getenv("BRIO_TEST_SCALE");
  unsigned long long seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  double factor = scale ? atof(scale) : 1;
  /* Under make test a sample, under make soak all. */
  long files = argc > 2 ? atol(argv[2]) : (long)((factor > 1 ? 6000 : 2500) * factor);
  static fuzz_file file;
  printf("# cloud fuzz: seed %llu, scale %g, %ld files\n", seed, factor, files);
  fflush(stdout);
  for (long i = 0; i < files; i++) {
    char name[32];
    snprintf(name, sizeof name, "fuzz.%ld", i); /* a file by itself can be made again */
    brio_random random = brio_random_stream(seed, name);
    uint64_t which = brio_random_below(&random, NTEXT + 1);
    if (which == NTEXT) make_frame(&file, &random);
    else memcpy(file.bytes, texts[which], file.length = strlen(texts[which]));
    for (uint64_t n = brio_random_below(&random, 6); n > 0; n--) change(&file, &random);
    uint8_t *own = malloc(file.length + 1); /* so that a sanitizer sees where it ends */
    memcpy(own, file.bytes, file.length);
    LLVMFuzzerTestOneInput(own, file.length);
    free(own);
  }
  printf("ok cloud fuzz: %ld files, seed %llu\n", files, seed);
  return 0;
}

#endif
