/* Damaged stores: blocks of samples and solver results in which bytes were changed, cut or added, with or
** without a fitting check code, read through SQL like any store.  The invariant: a query ends, with at most
** as many rows as the blocks can hold, or with an error message.  Run it under sanitizers.  Arguments: seed,
** number of inputs. */
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/crc32.h"
#include "base/random.h"
#include "store/packing/block.h"
#include "store/packing/packed.h"
#include "store/packing/solves.h"

enum { MOST = 64, NDOF = 3 };

static sqlite3 *db;
static brio_pack_room room;
static double numbers[16][MOST];

static void run(const char *sql) {
  char *why = NULL;
  if (sqlite3_exec(db, sql, NULL, NULL, &why) == SQLITE_OK) return;
  printf("%s: %s\n", sql, why);
  abort();
}

static void put_dof(brio_text *out, int count, brio_random *random) {
  brio_grid steps[] = {brio_grid_of(1e-6), brio_grid_of(brio_random_below(random, 2) ? 1e-6 : 0.001)};
  brio_block_put_dof(out, &(brio_block_dof){numbers[2], numbers[3], numbers[4]}, count, steps, &room);
}

static void make_tail(brio_text *out, int count, brio_random *random) {
  uint64_t hashes[MOST] = {0};
  brio_block_put_ticks(out, numbers[0], numbers[1], count, &room);
  brio_block_put_hashes(out, hashes, count);
  for (int i = 0; i < NDOF; i++) {
    brio_text one = {0};
    put_dof(&one, count, random);
    brio_pack_varint(out, one.length);
    brio_text_add(out, one.bytes, one.length);
    brio_text_end(&one);
  }
}

static void make_solves(brio_text *out, int count) {
  brio_pack_varint(out, 2);
  for (int i = 0; i < 2; i++) brio_pack_varint(out, 3), brio_text_add(out, "cut", 3);
  for (int i = 0; i < BRIO_SOLVE_COLUMNS; i++) {
    brio_block_put_step(out, brio_grid_of(1e-6));
    brio_pack_column(out, numbers[i], count, brio_grid_of(1e-6), false, &room);
  }
}

/* Make a block of a kind. */
static void make(brio_text *out, char kind, int count, brio_random *random) {
  brio_text_clear(out);
  size_t start = brio_block_begin(out, kind, count);
  if (kind == 'd') put_dof(out, count, random);
  if (kind == 't') brio_block_put_ticks(out, numbers[0], numbers[1], count, &room);
  if (kind == 'a') make_tail(out, count, random);
  if (kind == 's') make_solves(out, count);
  if (kind == 'h') brio_block_put_hashes(out, (uint64_t[MOST]){0}, count);
  brio_block_end(out, start);
}

static void change(brio_text *out, brio_random *random) {
  if (out->length < 8) return;
  size_t at = brio_random_below(random, out->length), left = out->length - at;
  uint64_t what = brio_random_below(random, 5);
  if (what == 0) out->bytes[at] = (char)brio_random_bits(random);
  if (what == 1) out->bytes[at] ^= (char)(1 << brio_random_below(random, 8));
  if (what == 2) out->length -= brio_random_below(random, left);
  if (what == 3) memset(out->bytes + at, brio_random_below(random, 2) ? 0xff : 0, left < 9 ? left : 9);
  if (what == 4) brio_text_add(out, "\x80\x80\x80\x80\xff\xff\xff\x7f", 8);
}

/* Give the damaged block a check code that fits. */
static void seal(brio_text *out) {
  if (out->length < 4) return;
  uint32_t code = brio_crc32(out->bytes, out->length - 4);
  for (int i = 0; i < 4; i++) out->bytes[out->length - 4 + (size_t)i] = (char)(code >> 8 * i);
}

/* Bind a block, intact or damaged, to a parameter. */
static void bind(sqlite3_stmt *row, int place, char kind, int count, brio_random *random) {
  static brio_text block;
  make(&block, kind, count, random);
  uint64_t changes = brio_random_below(random, 3);
  for (uint64_t i = 0; i < changes; i++) change(&block, random);
  if (changes && brio_random_below(random, 4)) seal(&block);
  char *exact = malloc(block.length ? block.length : 1); /* so that a byte too many is seen */
  memcpy(exact, block.bytes, block.length);
  sqlite3_bind_blob(row, place, exact, (int)block.length, free);
}

static void put(const char *sql, const char *kinds, int count, brio_random *random) {
  sqlite3_stmt *row = NULL;
  if (sqlite3_prepare_v2(db, sql, -1, &row, NULL) != SQLITE_OK) abort();
  for (int i = 0; kinds[i]; i++) bind(row, i + 1, kinds[i], count, random);
  if (sqlite3_step(row) != SQLITE_DONE) abort();
  sqlite3_finalize(row);
}

/* An old chunk, whose JSON is cut or wrong now and then. */
static void put_old(brio_random *random) {
  static const char *const texts[] = {
      "[1,2,3]", "[1,null,3]", "7", "[1,2", "[", "", "[1,,3]", "[1,2,3]x", "[99999999999999999999,2,3]",
      "null"};
  char sql[400];
  snprintf(sql, sizeof sql,
           "INSERT INTO sample_chunks VALUES(2, 0, 1, '%s'); INSERT INTO sample_values VALUES(2, 0, 0, '%s', "
           "5, NULL)",
           texts[brio_random_below(random, 10)], texts[brio_random_below(random, 10)]);
  run(sql);
}

static long told;

static void ask(const char *sql) {
  sqlite3_stmt *query = NULL;
  long rows = 0;
  int step;
  if (sqlite3_prepare_v2(db, sql, -1, &query, NULL) != SQLITE_OK) abort();
  while ((step = sqlite3_step(query)) == SQLITE_ROW)
    if (++rows > 8L * NDOF * BRIO_PACK_MOST) abort();
  told += step != SQLITE_DONE;
  if (step != SQLITE_DONE && (step != SQLITE_ERROR || !strstr(sqlite3_errmsg(db), "cannot be unpacked")))
    abort();
  sqlite3_finalize(query);
}

static const char schema[] = "CREATE TABLE runs(id); CREATE TABLE dofs(run, dof, name);"
                             "CREATE TABLE sample_ticks(run, tick, last, t0, t1, times, hashes); CREATE "
                             "TABLE sample_blocks(run, tick, dof, bytes);"
                             "CREATE TABLE sample_tails(run, tick, last, t0, t1, bytes); CREATE TABLE "
                             "solve_blocks(run, tick, last, t0, t1, bytes);"
                             "CREATE TABLE sample_chunks(run, tick, step, times); CREATE TABLE "
                             "sample_values(run, tick, dof, goal, command, measured);"
                             "INSERT INTO runs VALUES(1), (2); INSERT INTO dofs VALUES(1, 0, 'a'), (1, 1, "
                             "'b'), (1, 2, 'c'), (2, 0, 'a');";

static void one_store(brio_random *random) {
  int count = 1 + (int)brio_random_below(random, MOST);
  for (int k = 0; k < 16; k++)
    for (int i = 0; i < count; i++)
      numbers[k][i] = k == 0                          ? i
                      : k == 1                        ? i / 200.0
                      : brio_random_below(random, 30) ? brio_random_normal(random)
                                                      : NAN;
  put("INSERT INTO sample_ticks VALUES(1, 0, 99, 0, 1, ?1, ?2)", "th", count, random);
  put("INSERT INTO sample_blocks VALUES(1, 0, 0, ?1)", "d", count, random);
  put("INSERT INTO sample_blocks VALUES(1, 0, 1, ?1)", "d", count, random);
  put("INSERT INTO sample_tails VALUES(1, 100, 199, 1, 2, ?1)", "a", count, random);
  put("INSERT INTO solve_blocks VALUES(1, 0, 99, 0, 1, ?1)", "s", count, random);
  put_old(random);
  ask("SELECT count(goal), count(command), count(measured) FROM samples");
  ask("SELECT * FROM samples(1, 'c', 0, 9)");
  ask("SELECT measured FROM samples WHERE run = 1 AND dof = 1 AND tick > 5 ORDER BY t");
  ask("SELECT * FROM solver_ticks(1)");
  ask("SELECT max(cost) FROM solver_ticks");
  ask("SELECT sum(hash % 2) FROM command_hashes(1, NULL, 3)");
  run("DELETE FROM sample_ticks; DELETE FROM sample_blocks; DELETE FROM sample_tails; DELETE FROM "
      "solve_blocks;"
      "DELETE FROM sample_chunks; DELETE FROM sample_values");
}

int main(int argc, char **argv) {
  const char *scale = getenv("BRIO_TEST_SCALE");
  unsigned long long seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  long count = argc > 2 ? atol(argv[2]) : (long)(300 * (scale ? atof(scale) : 1));
  brio_random random = brio_random_stream(seed, "fuzz_blocks");
  printf("# blocks fuzz: seed %llu, %ld stores\n", seed, count);
  fflush(stdout);
  if (sqlite3_open(":memory:", &db) != SQLITE_OK || brio_packed_register(db) != SQLITE_OK) return 1;
  run(schema);
  for (long i = 0; i < count; i++) one_store(&random);
  if (told < count / 2) return 1; /* damage is reported */
  sqlite3_close(db);
  printf("ok blocks fuzz\n");
  return 0;
}
