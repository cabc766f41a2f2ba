/* Differences of statuses, packed for the record as texts that SQL can decode: tree.h has the format. */
#include <string.h>

#include "tree/run.h"

/* Bytes of the largest number with its comma and a bracket. */
enum { MAX_NUMBER = 12 };

/* Base 64 in this order: the value of a digit is its index. */
static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";

/* Bytes of the full form: two nodes per digit. */
static size_t full_size(int count) { return ((size_t)count + 1) / 2; }

size_t brio_tree_pack_room(const brio_tree *tree) { return full_size(tree->plan->count) + 2 * MAX_NUMBER; }

/* Write a number in decimal; return its length. */
static size_t put(char *text, uint32_t number) {
  char turned[MAX_NUMBER];
  size_t length = 0, count = 0;
  /* Digits come out lowest first. */
  do turned[count++] = (char)('0' + number % 10); while ((number /= 10) > 0);
  while (count > 0) text[length++] = turned[--count];
  return length;
}

/* Write the full form: 3 bits per node, two nodes per base-64 digit. */
static size_t pack_all(const brio_tree *tree, char *text) {
  int count = tree->plan->count;
  for (int i = 0; i < count; i += 2) {
    unsigned low = tree->status[i] | (unsigned)tree->changed[i] << 2, high = 0;
    if (i + 1 < count) high = tree->status[i + 1] | (unsigned)tree->changed[i + 1] << 2;
    text[i / 2] = digits[low + 8 * high];
  }
  return full_size(count);
}

/* Mark all nodes as unchanged. O(changes) */
static void forget(brio_tree *tree) {
  for (int i = 0; i < tree->change_count; i++) tree->changed[tree->changes[i]] = 0;
  tree->change_count = 0;
}

size_t brio_tree_pack(brio_tree *tree, char *text, size_t room) {
  /* A list of changes, unless all statuses are shorter; the first byte shows which. */
  size_t length = 0, full = full_size(tree->plan->count);
  /* Both forms fit into the room that the caller must give. */
  if (tree->change_count == 0 || room < brio_tree_pack_room(tree)) return 0;
  /* The list, if it is shorter than the full form: O(changes). */
  bool few = (size_t)tree->change_count <= full;
  for (int i = 0; i < tree->change_count && few; i++) {
    int node = tree->changes[i];
    text[length++] = i == 0 ? '[' : ',';
    length += put(text + length, (uint32_t)node * 4 + tree->status[node]);
    few = length <= full + MAX_NUMBER;
  }
  if (few) text[length++] = ']';
  else length = pack_all(tree, text);
  forget(tree);
  return length;
}

int brio_tree_changes(const brio_tree *tree) { return tree->change_count; }

int brio_tree_take_changes(brio_tree *tree, int32_t *nodes, int room, bool keep) {
  if (room < tree->change_count) return 0;
  int count = tree->change_count;
  for (int i = 0; i < count; i++) nodes[i] = tree->changes[i];
  if (!keep) forget(tree);
  return count;
}

/* FNV-1a of a text, never 0; 0: no text. */
static uint32_t sum_of(const char *text) {
  uint32_t sum = 2166136261u;
  if (!text) return 0;
  for (; *text; text++) sum = (sum ^ (unsigned char)*text) * 16777619u;
  return sum ? sum : 1;
}

/* Reasons are compared by their hashes: equal texts may be at different addresses. */
int brio_tree_take_words(brio_tree *tree, int32_t *nodes) {
  int count = 0;
  const char *before = NULL;
  uint32_t sum = 0;
  for (int i = 0; i < tree->change_count; i++) {
    int node = tree->changes[i];
    if (tree->status[node] != BRIO_TREE_FAILURE) continue;
    if (tree->why[node] != before || !before) sum = sum_of(tree->why[node]); /* many share one reason */
    before = tree->why[node];
    /* Reported already with this reason. */
    if (sum == tree->told[node]) continue;
    tree->told[node] = sum;
    nodes[count++] = node;
  }
  return count;
}

/* Set the status in a packed number, node x 4 + status. Errors: format (no such node). */
static bool set_status(unsigned char *statuses, int count, int64_t number, brio_error *err) {
  if (number / 4 >= count) {
    return brio_fail(err, BRIO_FORMAT, "a record of statuses names node %lld of %d", (long long)(number / 4),
                     count);
  }
  statuses[number / 4] = (unsigned char)(number % 4);
  return true;
}

/* Read the list: numbers separated by commas, ended by a bracket. `number` is -1 before its first digit.
** Errors: format. */
static bool unpack_few(const char *text, size_t length, unsigned char *statuses, int count, brio_error *err) {
  int64_t number = -1;
  for (size_t at = 1; at < length; at++) {
    /* The bound keeps the next digit from overflowing. */
    if (text[at] >= '0' && text[at] <= '9' && number < INT32_MAX) {
      number = (number < 0 ? 0 : number) * 10 + (text[at] - '0');
    } else if (number >= 0 && (text[at] == ',' || text[at] == ']')) {
      if (!set_status(statuses, count, number, err)) return false;
      if (text[at] == ']')
        return at + 1 == length || brio_fail(err, BRIO_FORMAT, "a record of statuses has data after its end");
      number = -1;
    } else {
      return brio_fail(err, BRIO_FORMAT, "a record of statuses is a list of whole numbers");
    }
  }
  return brio_fail(err, BRIO_FORMAT, "a record of statuses is cut off");
}

bool brio_tree_unpack(const char *text, size_t length, unsigned char *statuses, int count, brio_error *err) {
  if (length > 0 && text[0] == '[') return unpack_few(text, length, statuses, count, err);
  if (length != full_size(count)) {
    return brio_fail(err, BRIO_FORMAT, "a record of %d nodes has %zu bytes, not %zu", count, full_size(count),
                     length);
  }
  for (int i = 0; i < count; i++) {
    /* The digit's value is its index in the alphabet. */
    const char *digit = memchr(digits, text[i / 2], sizeof digits - 1);
    if (!digit) return brio_fail(err, BRIO_FORMAT, "a record of statuses has no byte %d", text[i / 2]);
    /* The first node of a pair is in the low three bits. */
    unsigned two = (unsigned)(digit - digits) >> i % 2 * 3;
    if (two & 4) statuses[i] = two & 3;
  }
  return true;
}
