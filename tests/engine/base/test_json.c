/* The JSON reader: numbers compared with strtod, texts with their meaning by RFC 8259, and invalid JSON. */
#include "base/json.h"

#include "base/crc32.h"
#include "base/random.h"
#include "tests/check.h"

static brio_json json_of(const char *text) { return (brio_json){text, text + strlen(text), true}; }

static void numbers_are_those_of_strtod(void) {
  static const char *const texts[] = {"0",
                                      "-0",
                                      "1",
                                      "12.5",
                                      "-3.25e-3",
                                      "1e22",
                                      "1e23",
                                      "123456789012345",
                                      "1234567890123456",
                                      "0.1",
                                      "9007199254740993",
                                      "1e308",
                                      "1e309",
                                      "-1e400",
                                      "5e-324",
                                      "1e-400",
                                      "0.000000000000000000000000001",
                                      "2.2250738585072011e-308",
                                      "1E5",
                                      "1e+5",
                                      "0e999999999999",
                                      "3.141592653589793238462643383279"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    brio_json json = json_of(texts[i]);
    double value = -1, expected = strtod(texts[i], NULL);
    CHECK(brio_json_number(&json, &value) && brio_json_over(&json), "%s", texts[i]);
    CHECK(memcmp(&value, &expected, sizeof value) == 0, "%s is %.17g, not %.17g", texts[i], value, expected);
  }
}

static void any_double_is_read_to_the_same_bits(void) {
  brio_random random = brio_random_stream(1, "json");
  char text[64];
  for (int i = 0; i < 20000; i++) {
    double expected = brio_random_uniform(&random, -0.5, 0.5) *
                      pow(10, floor(brio_random_uniform(&random, -20, 20))),
           value;
    snprintf(text, sizeof text, "%.*g", 1 + i % 17, expected);
    brio_json json = json_of(text);
    CHECK(brio_json_number(&json, &value) && value == strtod(text, NULL), "%s is %.17g", text, value);
  }
}

static void what_is_no_number_is_none(void) {
  static const char *const texts[] = {"",    "-",  ".5",  "1.",       "01",   "-01", "1e",
                                      "1e+", "+1", "NaN", "Infinity", "0x10", "--1"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    brio_json json = json_of(texts[i]);
    double value;
    CHECK(!(brio_json_number(&json, &value) && brio_json_over(&json)), "'%s' is %g", texts[i], value);
  }
}

static void texts_mean_what_they_say(void) {
  static const char *const pairs[][2] = {{"\"\"", ""},
                                         {"\"cup\"", "cup"},
                                         {"\"a\\n\\t\\\"\\\\\\/b\"", "a\n\t\"\\/b"},
                                         {"\"\\u0041\\u00e9\\u20ac\"", "A\303\251\342\202\254"},
                                         {"\"\\ud83d\\ude00\"", "\360\237\230\200"},
                                         {"\"\\ud83d\"", "\357\277\275"},
                                         {"\"\\ude00x\"", "\357\277\275x"},
                                         {"\"\\ud83d\\u0041\"", "\357\277\275A"}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    brio_json json = json_of(pairs[i][0]);
    brio_json_text text;
    char out[32];
    CHECK(brio_json_string(&json, &text) && brio_json_copy(&text, out, sizeof out), "%s", pairs[i][0]);
    CHECK(strcmp(out, pairs[i][1]) == 0, "%s is '%s'", pairs[i][0], out);
  }
  brio_json json = json_of("\"abcdef\"");
  brio_json_text text;
  char small[4];
  CHECK(brio_json_string(&json, &text) && !brio_json_copy(&text, small, sizeof small) &&
            strcmp(small, "abc") == 0,
        "'%s'", small);
  json = json_of("\"a\\u0000b\"");
  CHECK(brio_json_string(&json, &text) && !brio_json_copy(&text, small, sizeof small),
        "a 0 ends a text of C");
}

static void what_is_no_json_is_refused(void) {
  static const char *const texts[] = {"{",     "[1,]",          "{\"a\" 1}",   "{\"a\":1,}", "{1:2}",
                                      "\"a",   "\"\\x\"",       "\"\\u12g4\"", "\"a\nb\"",   "tru",
                                      "[1 2]", "[[[[[[1]]]]]]", "{}}",         "nul",        "'a'"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    brio_json json = json_of(texts[i]);
    CHECK(!(brio_json_skip(&json, 5) && brio_json_over(&json)), "%s passed", texts[i]);
  }
  brio_json json = json_of(" { \"a\" : [ 1 , true , null , { } , \"x\" ] } ");
  CHECK(brio_json_skip(&json, 5) && brio_json_over(&json), "a whole object");
}

static void a_reader_never_leaves_its_bytes(void) {
  const char *whole = "{\"a\": [1.5e3, \"\\u20ac\", true, {\"b\": null}], \"c\": -0.25}";
  for (size_t length = 0; length < strlen(whole); length++) {
    char *bytes = malloc(length + 1); /* so that a sanitizer sees a step too far */
    memcpy(bytes, whole, length);
    brio_json json = {bytes, bytes + length, false};
    CHECK(!brio_json_skip(&json, 8), "%zu bytes passed", length);
    free(bytes);
  }
}

static void check_codes_are_those_of_others(void) {
  /* the check value of CRC-32/ISO-HDLC */
  CHECK(brio_crc32("123456789", 9) == 0xCBF43926u, "%08x", brio_crc32("123456789", 9));
  CHECK(brio_crc32("", 0) == 0, "of nothing");
}

CHECK_SUITE(CHECK_TEST(numbers_are_those_of_strtod), CHECK_TEST(any_double_is_read_to_the_same_bits),
            CHECK_TEST(what_is_no_number_is_none), CHECK_TEST(texts_mean_what_they_say),
            CHECK_TEST(what_is_no_json_is_refused), CHECK_TEST(a_reader_never_leaves_its_bytes),
            CHECK_TEST(check_codes_are_those_of_others))
