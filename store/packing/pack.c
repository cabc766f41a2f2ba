/* Packing is two passes over a column: one that finds the order whose differences are least, by the sum of their sizes,
** and one that writes.  A group's parameter is found from its mean and tried beside its neighbors.  Unpacking reads up to
** eight bytes at a time and never beyond the end; whatever the bytes say, it ends within the count that was asked for. */
#include "store/packing/pack.h"

#include <math.h>
#include <string.h>

enum { GROUP = 64, PARAMETER_BITS = 6, ALL_ZERO = 63, LONGEST_QUOTIENT = 24, HIGHEST_ORDER = 3 };
enum { FORM = 7, FORM_NONE = 0, FORM_ONE = 1, FORM_ORDER = 2, EXACT = 8, GAPS = 16, ABOVE = 32 };

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
  for (int shift = 0; shift < 64 && in->at < in->end; shift += 7) {
    uint64_t byte = *in->at++;
    if (shift == 63 && byte > 1) return false;
    *number |= (byte & 127) << shift;
    if (byte < 128) return true;
  }
  return false;
}

/* ---- numbers ---- */

/* The bits of a double as a number that rises with it; its own inverse. */
static int64_t ordered(int64_t bits) { return bits < 0 ? (int64_t)(0x8000000000000000u - (uint64_t)bits) : bits; }

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

/* Turn the values that are there into numbers; return how many, and write whether they are bits of doubles. */
static int to_numbers(const double *values, int count, brio_grid step, int64_t *numbers, bool *exact) {
  int n = 0;
  *exact = false;
  for (int i = 0; i < count; i++)
    if (values[i] == values[i] && !brio_grid_count(step, values[i], &numbers[n++])) *exact = true;
  if (!*exact) return n;
  n = 0;
  for (int i = 0; i < count; i++)
    if (values[i] == values[i]) numbers[n++] = bits_of(values[i]);
  return n;
}

/* ---- bits ---- */

typedef struct writer {
  brio_text *out;
  uint64_t bits;
  int count;
} writer;

static void put_bits(writer *w, uint64_t bits, int count) { /* count up to 32 */
  w->bits |= bits << w->count;
  w->count += count;
  while (w->count >= 8) {
    char byte = (char)w->bits;
    brio_text_add(w->out, &byte, 1);
    w->bits >>= 8;
    w->count -= 8;
  }
}

static void put_long(writer *w, uint64_t bits, int count) {
  int low = count < 32 ? count : 32;
  put_bits(w, bits & (low < 32 ? (1u << low) - 1 : 0xffffffffu), low);
  if (count > 32) put_bits(w, (bits >> 32) & (((uint64_t)1 << (count - 32)) - 1), count - 32);
}

static void end_bits(writer *w) {
  if (w->count > 0) put_bits(w, 0, 8 - w->count);
}

typedef struct reader {
  const uint8_t *bytes;
  size_t length;
  uint64_t at; /* bit that comes next */
} reader;

/* The bits that come next, at least 57 of them; zeros beyond the end. */
static inline uint64_t peek(const reader *r) {
  size_t byte = (size_t)(r->at >> 3), left = byte < r->length ? r->length - byte : 0;
  uint64_t bits = 0;
  if (left >= sizeof bits) memcpy(&bits, r->bytes + byte, sizeof bits);
  else if (left) memcpy(&bits, r->bytes + byte, left);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  bits = __builtin_bswap64(bits);
#endif
  return bits >> (r->at & 7);
}

static uint64_t take_bits(reader *r, int count) { /* up to 64 */
  uint64_t low = peek(r);
  if (count <= 56) {
    r->at += (uint64_t)count;
    return low & (((uint64_t)1 << count) - 1);
  }
  r->at += 32;
  uint64_t high = peek(r);
  r->at += (uint64_t)(count - 32);
  return (low & 0xffffffffu) | (high & (~(uint64_t)0 >> (96 - count))) << 32;
}

/* ---- groups ---- */

/* Bits that a group takes with this parameter, but for the escapes, whose cost is the quotient's. */
static double group_cost(const int64_t *rest, int n, int parameter) {
  double bits = (double)n * (parameter + 1);
  for (int i = 0; i < n; i++) bits += (double)((uint64_t)rest[i] >> parameter);
  return bits;
}

static int best_parameter(const int64_t *rest, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += (double)(uint64_t)rest[i];
  if (sum == 0) return ALL_ZERO;
  int guess = sum > n ? (int)log2(sum / n) : 0, best = guess < ALL_ZERO - 1 ? guess : ALL_ZERO - 1;
  double least = group_cost(rest, n, best);
  for (int other = guess - 1; other <= guess + 1; other += 2) {
    double cost = other >= 0 && other < ALL_ZERO ? group_cost(rest, n, other) : INFINITY;
    if (cost < least) least = cost, best = other;
  }
  return best;
}

static void put_groups(brio_text *out, const int64_t *rest, int n) {
  writer w = {.out = out};
  for (int first = 0; first < n; first += GROUP) {
    int some = n - first < GROUP ? n - first : GROUP, parameter = best_parameter(rest + first, some);
    put_bits(&w, (uint64_t)parameter, PARAMETER_BITS);
    for (int i = first; i < first + some && parameter != ALL_ZERO; i++) {
      uint64_t number = (uint64_t)rest[i], quotient = number >> parameter;
      if (quotient < LONGEST_QUOTIENT) {
        put_bits(&w, 1u << quotient, (int)quotient + 1);
        put_long(&w, number & (((uint64_t)1 << parameter) - 1), parameter);
      } else {
        put_bits(&w, 0, LONGEST_QUOTIENT);
        put_long(&w, number, 64);
      }
    }
  }
  end_bits(&w);
}

/* A number with this parameter.  Of the bits that are seen at once both parts of most numbers are taken. */
static inline uint64_t take_number(reader *r, int parameter) {
  uint64_t bits = peek(r);
  int quotient = __builtin_ctzll(bits | (uint64_t)1 << LONGEST_QUOTIENT);
  if (quotient < LONGEST_QUOTIENT && parameter <= 32) {
    r->at += (uint64_t)(quotient + 1 + parameter);
    return (uint64_t)quotient << parameter | (bits >> (quotient + 1) & (((uint64_t)1 << parameter) - 1));
  }
  r->at += (uint64_t)quotient + (quotient < LONGEST_QUOTIENT);
  return quotient < LONGEST_QUOTIENT ? (uint64_t)quotient << parameter | take_bits(r, parameter) : take_bits(r, 64);
}

static bool take_groups(brio_pack_bytes *in, int64_t *rest, int n) {
  reader r = {in->at, (size_t)(in->end - in->at), 0};
  for (int first = 0; first < n; first += GROUP) {
    int some = n - first < GROUP ? n - first : GROUP, parameter = (int)take_bits(&r, PARAMETER_BITS);
    if (parameter == ALL_ZERO) memset(rest + first, 0, (size_t)some * sizeof *rest);
    for (int i = first; i < first + some && parameter != ALL_ZERO; i++)
      rest[i] = (int64_t)unzigzag(take_number(&r, parameter));
    if (r.at > r.length * 8) return false;
  }
  in->at += (r.at + 7) / 8;
  return in->at <= in->end;
}

/* ---- differences ---- */

/* Sum the sizes of the differences of each order over `n` numbers, none of the first HIGHEST_ORDER among them. */
static void size_orders(const int64_t *numbers, int n, double sums[HIGHEST_ORDER + 1]) {
  uint64_t last[HIGHEST_ORDER + 1] = {0};
  for (int order = 0; order <= HIGHEST_ORDER; order++) sums[order] = 0;
  for (int i = 0; i < n; i++) {
    uint64_t now = (uint64_t)numbers[i];
    for (int order = 0; order <= HIGHEST_ORDER; order++) {
      if (i >= HIGHEST_ORDER) sums[order] += fabs((double)(int64_t)now);
      uint64_t before = last[order];
      last[order] = now;
      now -= before;
    }
  }
}

static int best_order(const int64_t *numbers, int n, double *size) {
  double sums[HIGHEST_ORDER + 1];
  int best = 0;
  if (n <= HIGHEST_ORDER) {
    *size = 0;
    return 0;
  }
  size_orders(numbers, n, sums);
  for (int order = 1; order <= HIGHEST_ORDER; order++)
    if (sums[order] < sums[best]) best = order;
  *size = sums[best];
  return best;
}

/* Replace numbers by zigzagged differences of an order; the first `order` of them are plain zigzag. */
static void difference(const int64_t *numbers, int n, int order, int64_t *rest) {
  uint64_t last[HIGHEST_ORDER + 1] = {0};
  for (int i = 0; i < n; i++) {
    uint64_t now = (uint64_t)numbers[i];
    for (int k = 0; k < order; k++) {
      uint64_t before = last[k];
      last[k] = now;
      if (i > k) now -= before;
      else break;
    }
    rest[i] = (int64_t)zigzag(i < order ? (uint64_t)numbers[i] : now);
  }
}

/* Undo it; the zigzag is undone already. */
static void sum_up(int64_t *rest, int n, int order) {
  uint64_t level[HIGHEST_ORDER + 1] = {0};
  for (int i = 0; i < order && i < n; i++) { /* the differences at the last of the plain numbers */
    uint64_t now = (uint64_t)rest[i];
    for (int k = 0; k <= i; k++) {
      uint64_t before = level[k];
      level[k] = now;
      now -= before;
    }
  }
  uint64_t a = level[0], b = level[1], c = level[2];
  if (order == 1) for (int i = 1; i < n; i++) rest[i] = (int64_t)(a += (uint64_t)rest[i]);
  if (order == 2) for (int i = 2; i < n; i++) rest[i] = (int64_t)(a += b += (uint64_t)rest[i]);
  if (order == 3) for (int i = 3; i < n; i++) rest[i] = (int64_t)(a += b += c += (uint64_t)rest[i]);
}

/* ---- columns ---- */

static bool keeps_one(const int64_t *numbers, int n) {
  for (int i = 1; i < n; i++)
    if (numbers[i] != numbers[0]) return false;
  return true;
}

static void put_gaps(brio_text *out, const double *values, int count) {
  int runs = 1;
  for (int i = 1; i < count; i++) runs += (values[i] == values[i]) != (values[i - 1] == values[i - 1]);
  bool there = values[0] == values[0];
  brio_pack_varint(out, (uint64_t)(runs + !there));
  if (!there) brio_pack_varint(out, 0);
  for (int i = 0, first = 0; i < count; i++)
    if (i + 1 == count || (values[i] == values[i]) != (values[i + 1] == values[i + 1])) {
      brio_pack_varint(out, (uint64_t)(i + 1 - first));
      first = i + 1;
    }
}

static void put_form(brio_text *out, int form, const int64_t *numbers, int n, int64_t *rest) {
  int order = form - FORM_ORDER;
  if (form == FORM_ONE) brio_pack_varint(out, zigzag((uint64_t)numbers[0]));
  if (order < 0) return;
  difference(numbers, n, order, rest);
  for (int i = 0; i < order; i++) brio_pack_varint(out, (uint64_t)rest[i]);
  put_groups(out, rest + order, n - order);
}

/* Put the length of what was added since `start` before it. */
static void put_length(brio_text *out, size_t start) {
  size_t body = out->length - start;
  brio_pack_varint(out, body);
  if (out->failed) return;
  char length[10];
  size_t n = out->length - start - body;
  memcpy(length, out->bytes + start + body, n);
  memmove(out->bytes + start + n, out->bytes + start, body);
  memcpy(out->bytes + start, length, n);
}

void brio_pack_column(brio_text *out, const double *values, int count, brio_grid step, bool again, brio_pack_room *room) {
  bool exact;
  double own = 0, above = INFINITY;
  int n = to_numbers(values, count, step, room->numbers, &exact), form = FORM_NONE, flags = 0;
  bool refers = again && room->referable && n == count && !exact;
  for (int i = 0; i < n && refers; i++) room->rest[i] = (int64_t)((uint64_t)room->numbers[i] - (uint64_t)room->reference[i]);
  if (n > 0) form = keeps_one(room->numbers, n) ? FORM_ONE : FORM_ORDER + best_order(room->numbers, n, &own);
  int other = !refers || form == FORM_ONE ? FORM_NONE
              : keeps_one(room->rest, n) ? FORM_ONE : FORM_ORDER + best_order(room->rest, n, &above);
  bool differs = other == FORM_ONE || above < own;
  if (differs) form = other, flags |= ABOVE;
  if (exact) flags |= EXACT;
  if (n > 0 && n < count) flags |= GAPS;
  room->referable = n == count && !exact;
  if (room->referable) memcpy(room->reference, room->numbers, (size_t)n * sizeof *room->numbers);
  if (differs) memcpy(room->numbers, room->rest, (size_t)n * sizeof *room->numbers);
  size_t start = out->length;
  char head = (char)(form | flags);
  brio_text_add(out, &head, 1);
  if (flags & GAPS) put_gaps(out, values, count);
  put_form(out, form, room->numbers, n, room->rest);
  put_length(out, start);
}

/* Mark in `there` the numbers that are there; return how many, or -1. */
static int take_gaps(brio_pack_bytes *in, int64_t *there, int count) {
  uint64_t runs, length;
  int at = 0, n = 0;
  if (!brio_unpack_varint(in, &runs)) return -1;
  for (uint64_t run = 0; run < runs; run++) {
    if (!brio_unpack_varint(in, &length) || length > (uint64_t)(count - at)) return -1;
    if (run % 2 == 0) n += (int)length;
    for (; length > 0; length--) there[at++] = run % 2 == 0;
    if (at == count && run + 1 < runs) return -1;
  }
  return at == count ? n : -1;
}

static bool take_form(brio_pack_bytes *in, int form, int64_t *numbers, int n) {
  int order = form - FORM_ORDER;
  uint64_t first;
  if (form == FORM_NONE) return true;
  if (form == FORM_ONE) {
    if (n < 1 || !brio_unpack_varint(in, &first)) return false;
    for (int i = 0; i < n; i++) numbers[i] = (int64_t)unzigzag(first);
    return true;
  }
  if (order > HIGHEST_ORDER || n < order) return false;
  for (int i = 0; i < order; i++) {
    if (!brio_unpack_varint(in, &first)) return false;
    numbers[i] = (int64_t)unzigzag(first);
  }
  if (!take_groups(in, numbers + order, n - order)) return false;
  sum_up(numbers, n, order);
  return true;
}

/* Write values; `there` marks those of the numbers that are, NULL: all. */
static void to_values(const int64_t *numbers, const int64_t *there, int count, bool exact, brio_grid step, double *values) {
  if (!there && !exact && step.per_unit > 0) { /* as most are */
    for (int i = 0; i < count; i++) values[i] = (double)numbers[i] / step.per_unit;
    return;
  }
  for (int i = 0, k = 0; i < count; i++) {
    if (there && !there[i]) values[i] = NAN;
    else if (exact) values[i] = of_bits(numbers[k++]);
    else values[i] = brio_grid_value(step, numbers[k++]);
  }
}

/* The next column alone. */
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

bool brio_unpack_column(brio_pack_bytes *in, double *values, int count, brio_grid step, brio_pack_room *room) {
  brio_pack_bytes column;
  if (count < 1 || count > BRIO_PACK_MOST || !take_span(in, &column)) return false;
  int head = *column.at++, form = head & FORM, n = form == FORM_NONE ? 0 : count;
  bool exact = head & EXACT, gaps = head & GAPS, above = head & ABOVE;
  if (head & ~(FORM | EXACT | GAPS | ABOVE) || (above && (!room->referable || gaps || exact))) return false;
  if (gaps) n = take_gaps(&column, room->rest, count);
  if (n < 0 || !take_form(&column, form, room->numbers, n) || column.at != column.end) return false;
  for (int i = 0; i < n && above; i++)
    room->numbers[i] = (int64_t)((uint64_t)room->numbers[i] + (uint64_t)room->reference[i]);
  if (!exact && step.size == 0 && n > 0) return false;
  if (values && n == 0) gaps = true, memset(room->rest, 0, (size_t)count * sizeof *room->rest);
  if (values) to_values(room->numbers, gaps ? room->rest : NULL, count, exact, step, values);
  room->referable = n == count && !exact;
  if (room->referable) memcpy(room->reference, room->numbers, (size_t)n * sizeof *room->numbers);
  return true;
}
