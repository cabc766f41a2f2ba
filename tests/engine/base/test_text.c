/* Texts: numbers read back to the same bits, JSON strings are valid JSON for any bytes. */
#include "base/text.h"

#include <locale.h>
#include <stdint.h>
#include <unistd.h>

#include "base/random.h"
#include "tests/check.h"

static void round_trip(brio_text *text, double value) {
  brio_text_clear(text);
  brio_text_number(text, value);
  double back = strtod(text->bytes, NULL);
  CHECK(memcmp(&back, &value, sizeof value) == 0, "%.17g was written %s", value, text->bytes);
}

static void numbers_read_back_to_the_same_bits(void) {
  static const double plain[] = {0.0, -0.0, 1, -1, 0.1, 1e22, 1e23, 5e-324, 2.2250738585072014e-308,
                                 1.7976931348623157e308, 0.3, 2.0 / 3, 9007199254740993.0};
  brio_text text = {0};
  brio_random r = brio_random_stream(1, "numbers");
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) round_trip(&text, plain[i]);
  for (int i = 0; i < 100000; i++) {
    uint64_t bits = brio_random_bits(&r);
    double value;
    memcpy(&value, &bits, sizeof value);
    if (isfinite(value)) round_trip(&text, value);
    round_trip(&text, brio_random_uniform(&r, -4, 4));
  }
  brio_text_end(&text);
}

static void written(double value, const char *expected) {
  brio_text text = {0};
  brio_text_number(&text, value);
  CHECK(strcmp(text.bytes, expected) == 0, "%.17g was written %s, expected %s", value, text.bytes, expected);
  brio_text_end(&text);
}

static void numbers_are_short_and_json(void) {
  written(0.1, "0.1");
  written(3, "3");
  written(-2.5, "-2.5");
  written(NAN, "null");
  written(INFINITY, "null");
  written(-INFINITY, "null");
}

static void numbers_have_a_point_in_any_locale(void) {
  if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "de_DE")) SKIP("no such locale here");
  written(2.5, "2.5");
  setlocale(LC_NUMERIC, "C");
}

static void quoted(const char *bytes, size_t length, const char *expected) {
  brio_text text = {0};
  brio_text_json(&text, bytes, length);
  CHECK(strcmp(text.bytes, expected) == 0, "got %s, expected %s", text.bytes, expected);
  brio_text_end(&text);
}

static void json_strings_escape_what_they_must(void) {
  quoted("", 0, "\"\"");
  quoted("say \"hi\" \\ \n\t", 13, "\"say \\\"hi\\\" \\\\ \\n\\u0009\"");
  quoted("a\0b", 3, "\"a\\u0000b\"");
  quoted("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\xa4\x96", 15,
         "\"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\xa4\x96\"");
}

#define BAD "\xef\xbf\xbd"

static void invalid_utf8_is_replaced(void) {
  quoted("\xff", 1, "\"" BAD "\"");
  quoted("a\xc3", 2, "\"a" BAD "\"");                      /* cut off */
  quoted("\xc0\xaf", 2, "\"" BAD BAD "\"");                /* overlong slash */
  quoted("\xe0\x80\x80", 3, "\"" BAD BAD BAD "\"");        /* overlong zero */
  quoted("\xed\xa0\x80", 3, "\"" BAD BAD BAD "\"");        /* surrogate */
  quoted("\xf4\x90\x80\x80", 4, "\"" BAD BAD BAD BAD "\""); /* beyond U+10FFFF */
  quoted("\xc3x", 2, "\"" BAD "x\"");
}

static void texts_grow_and_format(void) {
  brio_text text = {0};
  for (int i = 0; i < 5000; i++) brio_text_format(&text, "%d,", i);
  CHECK(text.length == 10 * 2 + 90 * 3 + 900 * 4 + 4000 * 5, "%zu bytes", text.length);
  CHECK(strlen(text.bytes) == text.length, "closed by a 0");
  CHECK(strcmp(text.bytes + text.length - 10, "4998,4999,") == 0,
        "ends in %s", text.bytes + text.length - 10);
  brio_text_add(&text, "x", SIZE_MAX - 2);
  CHECK(text.failed, "an absurd length is refused");
  brio_text_clear(&text);
  CHECK(text.length == 0 && !text.failed && text.bytes[0] == 0, "cleared");
  brio_text_end(&text);
}

static void files_are_read_whole_or_refused(void) {
  char path[] = "/tmp/brio-test-text-XXXXXX";
  int file = mkstemp(path);
  brio_text text = {0};
  brio_error err = {0};
  CHECK(file >= 0 && write(file, "four\0five", 9) == 9, "write");
  close(file);
  CHECK(brio_text_read_file(&text, path, 9, &err), "%s", err.message);
  CHECK(text.length == 9 && memcmp(text.bytes, "four\0five", 10) == 0, "read %zu bytes", text.length);
  brio_text_clear(&text);
  CHECK(!brio_text_read_file(&text, path, 8, &err) && err.code == BRIO_LIMIT, "%s", err.message);
  CHECK_HAS(err.message, path);
  unlink(path);
  brio_text_clear(&text);
  CHECK(!brio_text_read_file(&text, path, 8, &err) && err.code == BRIO_NO_FILE, "%s", err.message);
  CHECK(!brio_text_read_file(&text, "/", 8, &err) && err.code == BRIO_NO_FILE, "%s", err.message);
  CHECK_HAS(err.message, "folder");
  brio_text_end(&text);
}

CHECK_SUITE(CHECK_TEST(numbers_read_back_to_the_same_bits), CHECK_TEST(numbers_are_short_and_json),
            CHECK_TEST(numbers_have_a_point_in_any_locale), CHECK_TEST(json_strings_escape_what_they_must),
            CHECK_TEST(invalid_utf8_is_replaced), CHECK_TEST(texts_grow_and_format),
            CHECK_TEST(files_are_read_whole_or_refused))
