/* Differences of statuses, packed for the record: tree.h has the form. */
#include "tree/run.h"

/* Bytes of a number of at most 32 bits, seven bits a byte. */
enum { MOST_VARINT = 5 };

static size_t full_size(int count) { return 1 + ((size_t)count + 3) / 4; }

size_t brio_tree_pack_room(const brio_tree *tree) { return full_size(tree->plan->count) + MOST_VARINT; }

static size_t put(unsigned char *bytes, uint32_t number) {
  size_t length = 0;
  for (; number >= 128; number >>= 7) bytes[length++] = (unsigned char)(number | 128);
  bytes[length++] = (unsigned char)number;
  return length;
}

/* A step back or forth and the status there as one number: small steps make small numbers. */
static uint32_t number_of(int step, unsigned status) {
  uint32_t folded = step < 0 ? (uint32_t)(-step) * 2 - 1 : (uint32_t)step * 2;
  return folded * 4 + status;
}

static size_t pack_all(const brio_tree *tree, unsigned char *bytes) {
  size_t length = full_size(tree->plan->count);
  for (size_t i = 1; i < length; i++) bytes[i] = 0;
  bytes[0] = 'f';
  for (int i = 0; i < tree->plan->count; i++) bytes[1 + i / 4] |= (unsigned char)(tree->status[i] << i % 4 * 2);
  return length;
}

size_t brio_tree_pack(brio_tree *tree, unsigned char *bytes, size_t room) {
  size_t length = 1, full = full_size(tree->plan->count);
  if (tree->change_count == 0 || room < full + MOST_VARINT) return 0;
  bytes[0] = 'd';
  for (int i = 0, at = 0; i < tree->change_count; i++) {
    int node = tree->changes[i];
    if (length < full) length += put(bytes + length, number_of(node - at, tree->status[node]));
    tree->changed[node] = 0;
    at = node;
  }
  tree->change_count = 0;
  return length < full ? length : pack_all(tree, bytes);
}

int brio_tree_changes(const brio_tree *tree) { return tree->change_count; }

int brio_tree_take_changes(brio_tree *tree, int32_t *nodes, int room) {
  if (room < tree->change_count) return 0;
  int count = tree->change_count;
  for (int i = 0; i < count; i++) {
    nodes[i] = tree->changes[i];
    tree->changed[nodes[i]] = 0;
  }
  tree->change_count = 0;
  return count;
}

static bool unpack_all(const unsigned char *bytes, size_t length, unsigned char *statuses, int count, brio_error *err) {
  if (length != full_size(count)) {
    return brio_fail(err, BRIO_FORMAT, "a full record of %d nodes has %zu bytes, not %zu", count, full_size(count), length);
  }
  for (int i = 0; i < count; i++) statuses[i] = bytes[1 + i / 4] >> i % 4 * 2 & 3;
  return true;
}

bool brio_tree_unpack(const unsigned char *bytes, size_t length, unsigned char *statuses, int count, brio_error *err) {
  if (length > 0 && bytes[0] == 'f') return unpack_all(bytes, length, statuses, count, err);
  if (length > 0 && bytes[0] != 'd') return brio_fail(err, BRIO_FORMAT, "a record of statuses begins with 'd' or 'f'");
  int64_t node = 0;
  for (size_t at = 1; at < length; ) {
    uint64_t number = 0;
    for (int shift = 0; ; shift += 7) {
      if (at >= length || shift > 28) return brio_fail(err, BRIO_FORMAT, "a record of statuses is cut off");
      number |= (uint64_t)(bytes[at] & 127) << shift;
      if (bytes[at++] < 128) break;
    }
    int64_t folded = (int64_t)(number / 4);
    node += folded % 2 ? -(folded + 1) / 2 : folded / 2;
    if (node < 0 || node >= count) {
      return brio_fail(err, BRIO_FORMAT, "a record of statuses names node %lld of %d", (long long)node, count);
    }
    statuses[node] = number % 4;
  }
  return true;
}
