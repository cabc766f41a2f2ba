/* What counting points costs: the index of a cloud of 300,000 points, 50 solids counted in it with the mean
** color of what is in them, and the same by looking at every point.  Arguments: clouds from files, to count
** in as well. */
#include <math.h>

#include "cloud/files/file.h"
#include "cloud/index/index.h"
#include "scripts/bench/geometry/cloud.h"

enum { FRAMES = 60, BRUTE_FRAMES = 5 };

typedef struct bench {
  brio_cloud *cloud;
  brio_cloud_index *index;
  cloud_solid plain[CLOUD_SOLIDS];
  brio_cloud_solid solids[CLOUD_SOLIDS];
  char name[128];
} bench;

static void take_solids(bench *b) {
  static const brio_shape_kind kinds[CLOUD_KINDS] = {BRIO_SHAPE_SPHERE, BRIO_SHAPE_CAPSULE, BRIO_SHAPE_BOX,
                                                     BRIO_SHAPE_CYLINDER, BRIO_SHAPE_HALF_SPACE};
  for (int i = 0; i < CLOUD_SOLIDS; i++) {
    const cloud_solid *s = &b->plain[i];
    b->solids[i] = (brio_cloud_solid){
        .shape = {.kind = kinds[s->kind], .size = {s->size[0], s->size[1], s->size[2]}},
        .pose = {{s->position[0], s->position[1], s->position[2]},
                 {s->turn[0], s->turn[1], s->turn[2], s->turn[3]}}};
  }
}

/* Count in all solids; return the sum of counts and of mean colors. */
static double ask(const bench *b) {
  double sum = 0;
  for (int i = 0; i < CLOUD_SOLIDS; i++) {
    brio_cloud_tally tally;
    brio_cloud_count(b->index, &b->solids[i], 1, &tally, NULL);
    sum += tally.count +
           (tally.count && b->cloud->colors ? tally.color[0] + tally.color[1] + tally.color[2] : 0);
  }
  return sum;
}

/* The same by looking at every point. */
static double ask_all(const bench *b) {
  double sum = 0;
  for (int i = 0; i < CLOUD_SOLIDS; i++) {
    long count = 0, color = 0;
    for (int k = 0; k < b->cloud->count; k++) {
      if (!cloud_inside(&b->plain[i], b->cloud->points[k])) continue;
      count++;
      if (b->cloud->colors) color += b->cloud->colors[k][0] + b->cloud->colors[k][1] + b->cloud->colors[k][2];
    }
    sum += (double)count + (count ? (double)color / (255.0 * (double)count) : 0);
  }
  return sum;
}

static void print_row(const bench *b, const char *what, double *times, int count, double check) {
  char row[256];
  snprintf(row, sizeof row, "%s: %s", b->name, what);
  bench_print(row, times, count, check, 0);
}

static void measure(bench *b) {
  double build[FRAMES], asked[FRAMES], whole[FRAMES], brute[BRUTE_FRAMES], check = 0, by_hand = 0;
  for (int i = -5; i < FRAMES; i++) {
    double from = bench_clock();
    brio_cloud_index_build(b->index, b->cloud, NULL);
    double between = bench_clock();
    check = ask(b);
    double end = bench_clock();
    if (i < 0) continue;
    build[i] = between - from;
    asked[i] = end - between;
    whole[i] = end - from;
  }
  for (int i = 0; i < BRUTE_FRAMES; i++) {
    double from = bench_clock();
    by_hand = ask_all(b);
    brute[i] = bench_clock() - from;
  }
  if (fabs(check - by_hand) > 1e-6)
    fprintf(stderr, "cloud: %s: brio counts %.9g, every point asked %.9g\n", b->name, check, by_hand);
  print_row(b, "index", build, FRAMES, check);
  print_row(b, "solids", asked, FRAMES, check);
  print_row(b, "frame", whole, FRAMES, check);
  print_row(b, "brute", brute, BRUTE_FRAMES, by_hand);
}

/* Solids for a cloud from a file: about its points. */
static void place_solids(bench *b) {
  for (int i = 0; i < CLOUD_SOLIDS; i++) {
    int at = (int)((bench_uniform("place", i) + 1) / 2 * b->cloud->count);
    while (!brio_cloud_has(b->cloud, at)) at = (at + 1) % b->cloud->count;
    for (int k = 0; k < 3; k++) b->plain[i].position[k] = b->cloud->points[at][k];
  }
  take_solids(b);
}

int main(int argc, char **argv) {
  static bench b;
  brio_error err;
  b.cloud = brio_cloud_new(&err);
  b.index = brio_cloud_index_new(&err);
  if (!b.cloud || !b.index) return 1;
  cloud_solids(b.plain);
  take_solids(&b);
  for (int order = 0; order < CLOUD_ORDERS; order++) {
    bool organized = order == CLOUD_ORGANIZED;
    brio_cloud_resize(b.cloud, organized ? CLOUD_WIDTH : CLOUD_POINTS, organized ? CLOUD_HEIGHT : 1,
                      BRIO_CLOUD_COLORS, &err);
    int count = cloud_draw((cloud_order)order, b.cloud->points, b.cloud->colors);
    if (!organized) b.cloud->count = b.cloud->width = count;
    snprintf(b.name, sizeof b.name, "%s", cloud_order_names[order]);
    measure(&b);
  }
  for (int i = 1; i < argc; i++) {
    if (!brio_cloud_load(b.cloud, argv[i], NULL, &err)) {
      fprintf(stderr, "cloud: %s\n", err.message);
      continue;
    }
    snprintf(b.name, sizeof b.name, "%s", argv[i]);
    place_solids(&b);
    measure(&b);
  }
  brio_cloud_index_free(b.index);
  brio_cloud_free(b.cloud);
  return 0;
}
