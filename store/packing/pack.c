/* Packing takes two passes over a column, O(n): one finds the order of differences with the least sum of
** sizes, one writes them. The Rice parameter of a group is guessed from its mean and compared with its
** neighbors. Unpacking is O(n), reads eight bytes at a time and never beyond the end; whatever the bytes are,
** it writes at most `count` numbers. Sums and differences are modulo 2^64. */
#include "store/packing/pack.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* GROUP: differences that share a Rice parameter.  MAX_QUOTIENT: zeros in unary after which the
** number follows in 64 bits.  ALL_ZERO: the parameter of a group of zeros, which has no further bits. */
enum { GROUP = 64, PARAMETER_BITS = 6, ALL_ZERO = 63, MAX_QUOTIENT = 24, MAX_ORDER = 3 };
/* The head byte of a column: its form in the low three bits, and flags (packing/pack.h). */
enum { FORM = 7, FORM_NONE = 0, FORM_ONE = 1, FORM_ORDER = 2, EXACT = 8, GAPS = 16, ABOVE = 32 };

/* Zigzag maps 0, -1, 1, -2, ... to 0, 1, 2, 3, ..., so that small negative numbers have few bits as well. */
static uint64_t zigzag(uint64_t n) { return n << 1 ^ (uint64_t)-(int64_t)(n >> 63); }

static uint64_t unzigzag(uint64_t n) { return n >> 1 ^ (uint64_t)-(int64_t)(n & 1); }

void brio_pack_varint(brio_text *out, uint64_t number) {
  char bytes[10];
  size_t n = 0;
  for (; number >= 128; number >>= 7) bytes[n++] = (char)(number | 128);
  bytes[n++] = (char)number;
  brio_text_add(out, bytes, n);
}

bool brio_unpack_varint(brio_pack_bytes *in, uint64_t *number) {
  *number = 0;
  /* Seven bits a byte, the low ones first.  The tenth byte has room for bit 63 only. */
  for (int shift = 0; shift < 64 && in->at < in->end; shift += 7) {
    uint64_t byte = *in->at++;
    if (shift == 63 && byte > 1) return false;
    *number |= (byte & 127) << shift;
    if (byte < 128) return true;
  }
  return false;
}

/* ---- numbers ---- */

/* Map the bits of a double to an integer that rises with its value: negative doubles, whose bits
** fall, are mirrored.  Its own inverse, but for -0, which becomes 0. */
static int64_t ordered(int64_t bits) {
  return bits < 0 ? (int64_t)(0x8000000000000000u - (uint64_t)bits) : bits;
}

/* The integer that stands for a double in an exact column, and back. */
static int64_t bits_of(double value) {
  int64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return ordered(bits);
}

static double of_bits(int64_t bits) {
  double value;
  bits = ordered(bits);
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Convert the values that are there to counts of steps; if one is off the grid, all of them to the bits of
** doubles. Return their number; `exact`: they are bits. */
static int to_numbers(const double *values, int count, brio_grid step, int64_t *numbers, bool *exact) {
  int n = 0;
  *exact = false;
  /* NaN is a gap. */
  for (int i = 0; i < count; i++)
    if (values[i] == values[i] && !brio_grid_count(step, values[i], &numbers[n++])) *exact = true;
  if (!*exact) return n;
  /* One value off the grid: store all of them to the last bit. */
  n = 0;
  for (int i = 0; i < count; i++)
    if (values[i] == values[i]) numbers[n++] = bits_of(values[i]);
  return n;
}

/* ---- bits ---- */

/* Bits go out low ones first; fewer than eight wait in `bits` between calls. */
typedef struct writer {
  brio_text *out;
  uint64_t bits;
  int count;
} writer;

/* Append the low `count` bits. O(1) */
static void put_bits(writer *w, uint64_t bits, int count) { /* count up to 32 */
  assert(count >= 0 && count <= 32 && w->count >= 0 && w->count < 8 && bits >> count == 0);
  w->bits |= bits << w->count;
  w->count += count;
  while (w->count >= 8) {
    char byte = (char)w->bits;
    brio_text_add(w->out, &byte, 1);
    w->bits >>= 8;
    w->count -= 8;
  }
}

/* Append up to 64 bits, the low 32 first: put_bits has room for 32 besides up to 7 waiting bits. */
static void put_long(writer *w, uint64_t bits, int count) {
  assert(count >= 0 && count <= 64);
  int low = count < 32 ? count : 32;
  put_bits(w, bits & (low < 32 ? (1u << low) - 1 : 0xffffffffu), low);
  if (count > 32) put_bits(w, (bits >> 32) & (((uint64_t)1 << (count - 32)) - 1), count - 32);
}

/* Fill up the last byte with zeros. */
static void end_bits(writer *w) {
  if (w->count > 0) put_bits(w, 0, 8 - w->count);
}

/* A reader of bits, low ones first; `at` may pass the end, which take_groups checks. */
typedef struct reader {
  const uint8_t *bytes;
  size_t length;
  uint64_t at; /* bit that comes next */
} reader;

/* Return the next bits, at least 57 of them, without moving; behind the end they are zeros. */
static inline uint64_t peek(const reader *r) {
  size_t byte = (size_t)(r->at >> 3), left = byte < r->length ? r->length - byte : 0;
  uint64_t bits = 0;
  /* One load while eight bytes are left; near the end only those that are there. */
  if (left >= sizeof bits) memcpy(&bits, r->bytes + byte, sizeof bits);
  else if (left) memcpy(&bits, r->bytes + byte, left);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  bits = __builtin_bswap64(bits);
#endif
  return bits >> (r->at & 7);
}

/* Return the next `count` bits, and move behind them. */
static uint64_t take_bits(reader *r, int count) { /* up to 64 */
  assert(count >= 0 && count <= 64);
  uint64_t low = peek(r);
  if (count <= 56) {
    r->at += (uint64_t)count;
    return low & (((uint64_t)1 << count) - 1);
  }
  /* A peek holds 57 bits for sure: take the low 32, then the rest. */
  r->at += 32;
  uint64_t high = peek(r);
  r->at += (uint64_t)(count - 32);
  return (low & 0xffffffffu) | (high & (~(uint64_t)0 >> (96 - count))) << 32;
}

/* ---- groups ---- */

/* Bits of a group of n differences r with Rice parameter k: n (k + 1) + sum(r >> k), O(n).  The
** rare escapes are counted as if their quotients were in unary. */
static double group_cost(const int64_t *rest, int n, int parameter) {
  assert(n > 0 && parameter >= 0 && parameter < ALL_ZERO);
  double bits = (double)n * (parameter + 1);
  for (int i = 0; i < n; i++) bits += (double)((uint64_t)rest[i] >> parameter);
  return bits;
}

/* Return the parameter with the least cost, O(n). For the log2 of the mean the quotients are near 1, and the
** best parameter is at most one away. */
static int best_parameter(const int64_t *rest, int n) {
  assert(n > 0 && n <= GROUP);
  /* All zero: the group needs no bits after its parameter. */
  double sum = 0;
  for (int i = 0; i < n; i++) sum += (double)(uint64_t)rest[i];
  if (sum == 0) return ALL_ZERO;
  int guess = sum > n ? (int)log2(sum / n) : 0, best = guess < ALL_ZERO - 1 ? guess : ALL_ZERO - 1;
  double least = group_cost(rest, n, best);
  /* Compare with both neighbors. */
  for (int other = guess - 1; other <= guess + 1; other += 2) {
    double cost = other >= 0 && other < ALL_ZERO ? group_cost(rest, n, other) : INFINITY;
    if (cost < least) least = cost, best = other;
  }
  return best;
}

/* Write differences in groups: six bits of parameter k, then each number r as r >> k in unary
** (zeros, then a one) and its k low bits. */
static void put_groups(brio_text *out, const int64_t *rest, int n) {
  assert(n > 0 && n <= BRIO_PACK_MOST);
  writer w = {.out = out};
  for (int first = 0; first < n; first += GROUP) {
    int some = n - first < GROUP ? n - first : GROUP, parameter = best_parameter(rest + first, some);
    put_bits(&w, (uint64_t)parameter, PARAMETER_BITS);
    for (int i = first; i < first + some && parameter != ALL_ZERO; i++) {
      uint64_t number = (uint64_t)rest[i], quotient = number >> parameter;
      if (quotient < MAX_QUOTIENT) {
        put_bits(&w, 1u << quotient, (int)quotient + 1);
        put_long(&w, number & (((uint64_t)1 << parameter) - 1), parameter);
      } else {
        /* An escape: MAX_QUOTIENT zeros without a one, then all 64 bits. */
        put_bits(&w, 0, MAX_QUOTIENT);
        put_long(&w, number, 64);
      }
    }
  }
  end_bits(&w);
}

/* Read one number of a group with this parameter, in any of its forms. */
static uint64_t take_number(reader *r, int parameter) {
  uint64_t bits = peek(r);
  /* The zeros in unary; MAX_QUOTIENT of them are an escape, and 64 bits follow. */
  int quotient = __builtin_ctzll(bits | (uint64_t)1 << MAX_QUOTIENT);
  r->at += (uint64_t)quotient + (quotient < MAX_QUOTIENT);
  return quotient < MAX_QUOTIENT ? (uint64_t)quotient << parameter | take_bits(r, parameter)
                                 : take_bits(r, 64);
}

enum { SEEN = 57 /* bits of those that are seen at once, at least */, AHEAD = 8 /* bytes */ };

/* Read numbers of a group while eight bytes are left and the next number lies within the bits that one load
** shows; return how many. About five numbers a load, against one in take_number. */
static int take_quickly(reader *r, int parameter, int64_t *rest, int n) {
  const uint64_t mask = ((uint64_t)1 << parameter) - 1, stop = (uint64_t)1 << MAX_QUOTIENT;
  int i = 0;
  while (i < n && (r->at >> 3) + AHEAD <= r->length) {
    uint64_t bits = peek(r);
    int left = SEEN, before = i;
    for (; i < n; i++) {
      /* The zeros, the one behind them, and the low bits. */
      int quotient = __builtin_ctzll(bits | stop), used = quotient + 1 + parameter;
      if (quotient == MAX_QUOTIENT || used > left) break;
      bits >>= quotient + 1;
      rest[i] = (int64_t)unzigzag((uint64_t)quotient << parameter | (bits & mask));
      bits >>= parameter;
      left -= used;
    }
    r->at += (uint64_t)(SEEN - left);
    /* The number does not fit into what is shown: take_number reads it. */
    if (i == before) break;
  }
  return i;
}

/* Read n zigzagged differences in groups. False: the bytes end before. O(n) */
static bool take_groups(brio_pack_bytes *in, int64_t *rest, int n) {
  assert(n >= 0 && n <= BRIO_PACK_MOST);
  reader r = {in->at, (size_t)(in->end - in->at), 0};
  for (int first = 0; first < n; first += GROUP) {
    int some = n - first < GROUP ? n - first : GROUP, parameter = (int)take_bits(&r, PARAMETER_BITS);
    if (parameter == ALL_ZERO) memset(rest + first, 0, (size_t)some * sizeof *rest);
    for (int i = 0; i < some && parameter != ALL_ZERO; i++) {
      /* Only parameters whose longest number fits into one load. */
      if (MAX_QUOTIENT + parameter <= SEEN) i += take_quickly(&r, parameter, rest + first + i, some - i);
      if (i < some) rest[first + i] = (int64_t)unzigzag(take_number(&r, parameter));
    }
    if (r.at > r.length * 8) return false;
  }
  in->at += (r.at + 7) / 8;
  return in->at <= in->end;
}

/* ---- differences ---- */

/* Sum the sizes of the differences of each order: d0 = x, dk[i] = dk-1[i] - dk-1[i-1]. O(n MAX_ORDER). The
** first MAX_ORDER numbers, which have no difference of the highest order, are left out. */
static void size_orders(const int64_t *numbers, int n, double sums[MAX_ORDER + 1]) {
  uint64_t last[MAX_ORDER + 1] = {0};
  for (int order = 0; order <= MAX_ORDER; order++) sums[order] = 0;
  for (int i = 0; i < n; i++) {
    uint64_t now = (uint64_t)numbers[i];
    /* `now` is the difference of this order, and becomes that of the next one. */
    for (int order = 0; order <= MAX_ORDER; order++) {
      if (i >= MAX_ORDER) sums[order] += fabs((double)(int64_t)now);
      uint64_t before = last[order];
      last[order] = now;
      now -= before;
    }
  }
}

/* Return the order whose differences have the least sum of sizes, and that sum in `size`. Up to MAX_ORDER
** numbers are stored as they are. */
static int best_order(const int64_t *numbers, int n, double *size) {
  double sums[MAX_ORDER + 1];
  int best = 0;
  if (n <= MAX_ORDER) {
    *size = 0;
    return 0;
  }
  size_orders(numbers, n, sums);
  /* Of equal sums the lower order wins: it has fewer plain numbers in front. */
  for (int order = 1; order <= MAX_ORDER; order++)
    if (sums[order] < sums[best]) best = order;
  *size = sums[best];
  return best;
}

/* Write the zigzagged differences of an order to `rest`: O(n order). The first `order` numbers stay plain. */
static void difference(const int64_t *numbers, int n, int order, int64_t *rest) {
  assert(order >= 0 && order <= MAX_ORDER && order <= n);
  uint64_t last[MAX_ORDER + 1] = {0};
  for (int i = 0; i < n; i++) {
    uint64_t now = (uint64_t)numbers[i];
    /* Differences of order k + 1 begin at number k + 1. */
    for (int k = 0; k < order; k++) {
      uint64_t before = last[k];
      last[k] = now;
      if (i > k) now -= before;
      else break;
    }
    rest[i] = (int64_t)zigzag(i < order ? (uint64_t)numbers[i] : now);
  }
}

/* Undo difference() in place: O(n). The zigzag is undone already. */
static void sum_up(int64_t *rest, int n, int order) {
  assert(order >= 0 && order <= MAX_ORDER && order <= n);
  /* level[k]: the difference of order k at the last plain number. */
  uint64_t level[MAX_ORDER + 1] = {0};
  for (int i = 0; i < order && i < n; i++) { /* the differences at the last of the plain numbers */
    uint64_t now = (uint64_t)rest[i];
    for (int k = 0; k <= i; k++) {
      uint64_t before = level[k];
      level[k] = now;
      now -= before;
    }
  }
  /* Each further number is the sum of the levels: order 3 adds to c, c to b, b to a. */
  uint64_t a = level[0], b = level[1], c = level[2];
  if (order == 1) for (int i = 1; i < n; i++) rest[i] = (int64_t)(a += (uint64_t)rest[i]);
  if (order == 2) for (int i = 2; i < n; i++) rest[i] = (int64_t)(a += b += (uint64_t)rest[i]);
  if (order == 3) for (int i = 3; i < n; i++) rest[i] = (int64_t)(a += b += c += (uint64_t)rest[i]);
}

/* ---- columns ---- */

/* Whether all numbers are equal, so that one stands for the column. */
static bool keeps_one(const int64_t *numbers, int n) {
  assert(n > 0);
  for (int i = 1; i < n; i++)
    if (numbers[i] != numbers[0]) return false;
  return true;
}

/* Write the number of runs and their lengths, alternately of values that are there and absent. The first run
** is of values that are there, and may be empty. */
static void put_gaps(brio_text *out, const double *values, int count) {
  assert(count > 0);
  /* NaN differs from itself: a value is there if it equals itself. */
  int runs = 1;
  for (int i = 1; i < count; i++) runs += (values[i] == values[i]) != (values[i - 1] == values[i - 1]);
  bool there = values[0] == values[0];
  brio_pack_varint(out, (uint64_t)(runs + !there));
  if (!there) brio_pack_varint(out, 0);
  /* A run ends where the next value is of the other kind. */
  for (int i = 0, first = 0; i < count; i++)
    if (i + 1 == count || (values[i] == values[i]) != (values[i + 1] == values[i + 1])) {
      brio_pack_varint(out, (uint64_t)(i + 1 - first));
      first = i + 1;
    }
}

/* Write what the form requires: the one number, or the plain numbers and the groups of differences. */
static void put_form(brio_text *out, int form, const int64_t *numbers, int n, int64_t *rest) {
  int order = form - FORM_ORDER;
  if (form == FORM_ONE) brio_pack_varint(out, zigzag((uint64_t)numbers[0]));
  if (order < 0) return;
  difference(numbers, n, order, rest);
  for (int i = 0; i < order; i++) brio_pack_varint(out, (uint64_t)rest[i]);
  put_groups(out, rest + order, n - order);
}

/* Insert the length of the bytes added since `start` in front of them. O(length) */
static void put_length(brio_text *out, size_t start) {
  size_t body = out->length - start;
  /* The size of a varint is known only when it is written: append it, then swap it with the body. */
  brio_pack_varint(out, body);
  if (out->failed) return;
  char length[10];
  size_t n = out->length - start - body;
  memcpy(length, out->bytes + start + body, n);
  memmove(out->bytes + start + n, out->bytes + start, body);
  memcpy(out->bytes + start, length, n);
}

void brio_pack_column(brio_text *out, const double *values, int count, brio_grid step, bool again,
                      brio_pack_room *room) {
  assert(count > 0 && count <= BRIO_PACK_MOST && values);
  bool exact;
  double own = 0, above = INFINITY;
  int n = to_numbers(values, count, step, room->numbers, &exact), form = FORM_NONE, flags = 0;
  /* A reference is used when both columns have every value, and on a grid: rows then correspond. */
  bool refers = again && room->referable && n == count && !exact;
  for (int i = 0; i < n && refers; i++)
    room->rest[i] = (int64_t)((uint64_t)room->numbers[i] - (uint64_t)room->reference[i]);
  /* Choose the form that leaves the least: of the column itself, or of what it is above the
  ** reference. */
  if (n > 0) form = keeps_one(room->numbers, n) ? FORM_ONE : FORM_ORDER + best_order(room->numbers, n, &own);
  int other = !refers || form == FORM_ONE ? FORM_NONE
              : keeps_one(room->rest, n) ? FORM_ONE : FORM_ORDER + best_order(room->rest, n, &above);
  bool differs = other == FORM_ONE || above < own;
  if (differs) form = other, flags |= ABOVE;
  if (exact) flags |= EXACT;
  if (n > 0 && n < count) flags |= GAPS;
  /* Keep this column as the reference of the next, before it is replaced by differences. */
  room->referable = n == count && !exact;
  if (room->referable) memcpy(room->reference, room->numbers, (size_t)n * sizeof *room->numbers);
  if (differs) memcpy(room->numbers, room->rest, (size_t)n * sizeof *room->numbers);
  /* Write the head, the gaps and the numbers, then the length in front of them. */
  size_t start = out->length;
  char head = (char)(form | flags);
  brio_text_add(out, &head, 1);
  if (flags & GAPS) put_gaps(out, values, count);
  put_form(out, form, room->numbers, n, room->rest);
  put_length(out, start);
}

/* Mark in `there` the rows that have a number; return their number, or -1 if the runs do not add up to
** `count`. */
static int take_gaps(brio_pack_bytes *in, int64_t *there, int count) {
  assert(count > 0 && count <= BRIO_PACK_MOST);
  uint64_t runs, length;
  int at = 0, n = 0;
  if (!brio_unpack_varint(in, &runs)) return -1;
  for (uint64_t run = 0; run < runs; run++) {
    /* No run reaches beyond the remaining rows, so `there` is never overrun. */
    if (!brio_unpack_varint(in, &length) || length > (uint64_t)(count - at)) return -1;
    if (run % 2 == 0) n += (int)length;
    for (; length > 0; length--) there[at++] = run % 2 == 0;
    if (at == count && run + 1 < runs) return -1;
  }
  return at == count ? n : -1;
}

/* Read `n` numbers of a form. False: the bytes are not a column of n numbers. */
static bool take_form(brio_pack_bytes *in, int form, int64_t *numbers, int n) {
  assert(n >= 0 && n <= BRIO_PACK_MOST);
  int order = form - FORM_ORDER;
  uint64_t first;
  if (form == FORM_NONE) return true;
  if (form == FORM_ONE) {
    if (n < 1 || !brio_unpack_varint(in, &first)) return false;
    for (int i = 0; i < n; i++) numbers[i] = (int64_t)unzigzag(first);
    return true;
  }
  /* The plain numbers, then the differences, then their sums. */
  if (order > MAX_ORDER || n < order) return false;
  for (int i = 0; i < order; i++) {
    if (!brio_unpack_varint(in, &first)) return false;
    numbers[i] = (int64_t)unzigzag(first);
  }
  if (!take_groups(in, numbers + order, n - order)) return false;
  sum_up(numbers, n, order);
  return true;
}

typedef uint64_t two_numbers __attribute__((vector_size(16)));
typedef double two_values __attribute__((vector_size(16)));

/* Divide numbers by `by`, two at a time. A number n of size up to 2^51 is converted by adding it to the bits
** of 1.5 * 2^52: these are then the double 1.5 * 2^52 + n. */
static void divide(const int64_t *numbers, int count, double by, double *values) {
  static const double middle = 6755399441055744.0;
  const two_values all = {middle, middle}, divisor = {by, by};
  const two_numbers half = {(uint64_t)1 << 51, (uint64_t)1 << 51};
  two_numbers n, large = {0, 0};
  int i = 0;
  for (; i + 2 <= count; i += 2) {
    memcpy(&n, numbers + i, sizeof n);
    large |= n + half;
    two_values value = ((two_values)(n + (two_numbers)all) - all) / divisor;
    memcpy(values + i, &value, sizeof value);
  }
  if ((large[0] | large[1]) >> 52) i = 0; /* some are beyond: one by one */
  for (; i < count; i++) values[i] = (double)numbers[i] / by;
}

/* The usual column: the numbers, added to the reference or not, become the next reference and, unless that is
** NULL, the values. */
static void finish_plain(brio_pack_room *room, int count, bool above, brio_grid step, double *values) {
  int64_t *numbers = room->numbers, *reference = room->reference;
  for (int i = 0; i < count && above; i++)
    reference[i] = (int64_t)((uint64_t)numbers[i] + (uint64_t)reference[i]);
  if (!above) memcpy(reference, numbers, (size_t)count * sizeof *numbers);
  if (values) divide(reference, count, step.per_unit, values);
}

/* Write the values; `there` marks the rows that have a number, NULL: all. */
static void to_values(const int64_t *numbers, const int64_t *there, int count, bool exact, brio_grid step,
                      double *values) {
  for (int i = 0, k = 0; i < count; i++) {
    if (there && !there[i]) values[i] = NAN;
    else if (exact) values[i] = of_bits(numbers[k++]);
    else values[i] = brio_grid_value(step, numbers[k++]);
  }
}

/* Skip the next column; `column` gets its bytes behind the length. */
static bool take_span(brio_pack_bytes *in, brio_pack_bytes *column) {
  uint64_t length;
  if (!brio_unpack_varint(in, &length) || length < 1 || length > (uint64_t)(in->end - in->at)) return false;
  *column = (brio_pack_bytes){in->at, in->at + length};
  in->at += length;
  return true;
}

bool brio_unpack_skip(brio_pack_bytes *in) {
  brio_pack_bytes column;
  return take_span(in, &column);
}

bool brio_unpack_column(brio_pack_bytes *in, double *values, int count, brio_grid step,
                        brio_pack_room *room) {
  brio_pack_bytes column;
  if (count < 1 || count > BRIO_PACK_MOST || !take_span(in, &column)) return false;
  /* The head byte, and which flags exclude each other: a column with a reference has no gaps, and no bits of
  ** doubles. */
  int head = *column.at++, form = head & FORM, n = form == FORM_NONE ? 0 : count;
  bool exact = head & EXACT, gaps = head & GAPS, above = head & ABOVE;
  if (head & ~(FORM | EXACT | GAPS | ABOVE) || (above && (!room->referable || gaps || exact))) return false;
  /* Which rows have a number, then the numbers, which must end where the column ends. */
  if (gaps) n = take_gaps(&column, room->rest, count);
  if (n < 0 || !take_form(&column, form, room->numbers, n) || column.at != column.end) return false;
  room->referable = n == count && !exact;
  if (room->referable && step.per_unit > 0) {
    finish_plain(room, count, above, step, values);
    return true;
  }
  for (int i = 0; i < n && above; i++)
    room->numbers[i] = (int64_t)((uint64_t)room->numbers[i] + (uint64_t)room->reference[i]);
  /* Without a step a count has no meaning. */
  if (!exact && step.size == 0 && n > 0) return false;
  /* A column without numbers: every row is a gap. */
  if (values && n == 0) gaps = true, memset(room->rest, 0, (size_t)count * sizeof *room->rest);
  if (values) to_values(room->numbers, gaps ? room->rest : NULL, count, exact, step, values);
  if (room->referable) memcpy(room->reference, room->numbers, (size_t)n * sizeof *room->numbers);
  return true;
}
