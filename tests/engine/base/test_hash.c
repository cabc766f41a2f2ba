/* Hashes compared with published values: SHA-256 of FIPS 180-4's examples, FNV-1a of its
** authors' test suite. */
#include "base/hash.h"

#include "tests/check.h"

static void sha256_of_published_texts(void) {
  static const struct { const char *text, *hex; } cases[] = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"}};
  char hex[65];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    brio_hash_sha256(cases[i].text, strlen(cases[i].text), hex);
    CHECK(strcmp(hex, cases[i].hex) == 0, "'%s' gave %s", cases[i].text, hex);
  }
}

static void fold_of_published_texts_in_any_pieces(void) {
  CHECK(brio_hash_fold(BRIO_HASH_START, "", 0) == UINT64_C(0xcbf29ce484222325), "nothing");
  CHECK(brio_hash_fold(BRIO_HASH_START, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c), "a");
  CHECK(brio_hash_fold(BRIO_HASH_START, "foobar", 6) == UINT64_C(0x85944171f73967e8), "foobar");
  uint64_t digest = brio_hash_fold(BRIO_HASH_START, "foo", 3);
  CHECK(brio_hash_fold(digest, "bar", 3) == UINT64_C(0x85944171f73967e8), "foo, then bar");
}

CHECK_SUITE(CHECK_TEST(sha256_of_published_texts), CHECK_TEST(fold_of_published_texts_in_any_pieces))
