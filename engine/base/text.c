/* Growing text: its bytes double when they do not suffice, so that adding costs
** O(length) on average. Once memory runs out, `failed` stays set and nothing is
** added any more, so that callers check once, at the end. */
#include "base/text.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether an empty text has no bytes, and any other one has room for its closing 0. */
static bool is_consistent(const brio_text *text) {
  if (text->capacity == 0) return !text->bytes && text->length == 0;
  return text->bytes && text->length < text->capacity;
}

/* Make room for `more` bytes and a closing 0; false, and the text has failed, if there is no memory. */
static bool room_for(brio_text *text, size_t more) {
  assert(is_consistent(text));
  if (text->failed) return false;
  if (more > SIZE_MAX / 4) return !(text->failed = true);
  /* Doubling keeps the cost of all additions together O(length). */
  size_t need = text->length + more + 1;
  if (need <= text->capacity) return true;
  size_t capacity = text->capacity ? text->capacity : 256;
  while (capacity < need) capacity *= 2;
  char *bytes = realloc(text->bytes, capacity);
  if (!bytes) return !(text->failed = true);
  text->bytes = bytes;
  text->capacity = capacity;
  return true;
}

void brio_text_add(brio_text *text, const char *bytes, size_t length) {
  if (!room_for(text, length)) return;
  if (length) memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
  text->bytes[text->length] = 0;
}

void brio_text_format(brio_text *text, const char *format, ...) {
  /* Measure first, then write in place. */
  va_list args;
  va_start(args, format);
  int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (length < 0 || !room_for(text, (size_t)length)) return;
  va_start(args, format);
  vsnprintf(text->bytes + text->length, (size_t)length + 1, format, args);
  va_end(args);
  text->length += (size_t)length;
}

void brio_text_number(brio_text *text, double value) {
  char digits[40];
  /* JSON has no NaN and no infinities. */
  if (!isfinite(value)) {
    brio_text_add(text, "null", 4);
    return;
  }
  /* 17 significant digits always read back to the same double; 15 or 16 often do. */
  for (int precision = 15; precision <= 17; precision++) {
    snprintf(digits, sizeof digits, "%.*g", precision, value);
    if (strtod(digits, NULL) == value) break;
  }
  brio_text_add(text, digits, strlen(digits));
}

/* The length of the UTF-8 character at `s`, which has `left` bytes; 0 if it is not valid: overlong
** forms, surrogates and what is above U+10FFFF are refused. */
static size_t utf8_length(const unsigned char *s, size_t left) {
  /* The first byte determines the length: C0, C1 and F5 to FF begin no valid character. */
  size_t n = s[0] < 0x80 ? 1 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2 : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
             : s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : 0;
  if (n == 0 || n > left) return 0;
  /* Continuation bytes are 10xxxxxx. */
  for (size_t i = 1; i < n; i++)
    if ((s[i] & 0xc0) != 0x80) return 0;
  /* Overlong forms and surrogates of three bytes, then overlong forms and codes above U+10FFFF of four. */
  if (n == 3 && ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f))) return 0;
  if (n == 4 && ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))) return 0;
  return n;
}

size_t brio_text_utf8(const char *bytes, size_t length) {
  const unsigned char *s = (const unsigned char *)bytes;
  size_t at = 0;
  for (size_t n; at < length && (n = utf8_length(s + at, length - at)) > 0;) at += n;
  return at;
}

void brio_text_add_utf8(brio_text *text, const char *bytes, size_t length) {
  while (length > 0) {
    size_t good = brio_text_utf8(bytes, length);
    brio_text_add(text, bytes, good);
    /* U+FFFD replaces one invalid byte. */
    if (good < length) brio_text_add(text, "\xef\xbf\xbd", 3), good++;
    bytes += good;
    length -= good;
  }
}

/* The code of a character of `n` bytes that controls a terminal, else 0: a control character (C0, DEL, C1),
** or one that changes the direction of writing (U+202A to 202E, U+2066 to 2069). */
static unsigned steers(const unsigned char *s, size_t n) {
  if (n == 2 && s[0] == 0xc2 && s[1] < 0xa0) return s[1];
  if (n != 3 || s[0] != 0xe2) return n == 1 && (s[0] < 0x20 || s[0] == 0x7f) ? s[0] : 0;
  /* E2 80 AA..AE and E2 81 A6..A9. */
  bool turns = (s[1] == 0x80 && s[2] >= 0xaa && s[2] <= 0xae) ||
               (s[1] == 0x81 && s[2] >= 0xa6 && s[2] <= 0xa9);
  return turns ? 0x2000u + ((s[1] & 0x3fu) << 6) + (s[2] & 0x3fu) : 0;
}

void brio_text_json(brio_text *text, const char *bytes, size_t length) {
  const unsigned char *s = (const unsigned char *)bytes;
  brio_text_add(text, "\"", 1);
  /* One character at a time, of `n` bytes. */
  for (size_t i = 0, n; i < length; i += n) {
    n = utf8_length(s + i, length - i);
    if (n == 0) n = 1, brio_text_add(text, "\xef\xbf\xbd", 3);
    else if (s[i] == '"' || s[i] == '\\') brio_text_format(text, "\\%c", s[i]);
    else if (s[i] == '\n') brio_text_add(text, "\\n", 2);
    else if (s[i] == 0 || steers(s + i, n)) brio_text_format(text, "\\u%04x", steers(s + i, n));
    else brio_text_add(text, bytes + i, n);
  }
  brio_text_add(text, "\"", 1);
}

void brio_text_clear(brio_text *text) {
  text->length = 0;
  /* An empty text may be filled again. */
  text->failed = false;
  if (text->bytes) text->bytes[0] = 0;
}

void brio_text_end(brio_text *text) {
  free(text->bytes);
  *text = (brio_text){0};
}

/* Read all of an open file into `text`, refusing more than `limit` bytes. */
static bool read_all(brio_text *text, FILE *file, const char *path, size_t limit, brio_error *err) {
  char chunk[16384];
  size_t got;
  while ((got = fread(chunk, 1, sizeof chunk, file)) > 0) {
    if (text->length + got > limit)
      return brio_fail(err, BRIO_LIMIT, "%s is larger than %zu bytes", path, limit);
    brio_text_add(text, chunk, got);
  }
  if (ferror(file)) return brio_fail(err, BRIO_IO, "cannot read %s: %s", path, strerror(errno));
  /* Add nothing, so that `bytes` ends in 0 for an empty file as well. */
  brio_text_add(text, "", 0);
  return text->failed ? brio_fail(err, BRIO_NO_MEMORY, "no memory to read %s", path) : true;
}

/* The cause of a system error about a path: no such file, or any other. */
static brio_code code_of(int fault) {
  if (fault == ENOMEM) return BRIO_NO_MEMORY;
  return fault == ENOENT || fault == ENOTDIR ? BRIO_NO_FILE : BRIO_IO;
}

/* Open a file of bounded length: no folder, and no pipe, whose writer may never come. */
static FILE *open_file(const char *path, brio_error *err) {
  /* Non-blocking, as opening a pipe would wait for its writer. */
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status;
  /* An fstat that fails leaves an open descriptor, which is closed below. */
  if (descriptor < 0 || fstat(descriptor, &status) != 0) {
    brio_fail(err, code_of(errno), "cannot open %s: %s", path, strerror(errno));
  } else if (S_ISDIR(status.st_mode) || S_ISFIFO(status.st_mode)) {
    const char *what = S_ISDIR(status.st_mode) ? "folder" : "pipe";
    brio_fail(err, BRIO_NO_FILE, "%s is a %s, a file was expected", path, what);
  } else {
    /* The file owns the descriptor from here on. */
    FILE *file = fdopen(descriptor, "rb");
    if (file) return file;
    brio_fail(err, BRIO_NO_MEMORY, "no memory to read %s", path);
  }
  if (descriptor >= 0) close(descriptor);
  return NULL;
}

bool brio_text_read_file(brio_text *text, const char *path, size_t limit, brio_error *err) {
  FILE *file = open_file(path, err);
  if (!file) return false;
  bool good = read_all(text, file, path, limit, err);
  fclose(file);
  return good;
}

bool brio_text_list_folder(brio_text *text, const char *path, brio_error *err) {
  DIR *folder = opendir(path);
  if (!folder) return brio_fail(err, code_of(errno), "%s: cannot list: %s", path, strerror(errno));
  /* Hidden entries, `.` and `..` among them, are left out. */
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
    if (entry->d_name[0] != '.') brio_text_add(text, entry->d_name, strlen(entry->d_name) + 1);
  closedir(folder);
  return !text->failed || brio_fail(err, BRIO_NO_MEMORY, "%s: no memory to list it", path);
}
