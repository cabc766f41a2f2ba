/* One line of the prompt's protocol: a flat JSON object (RFC 8259) with known fields. Texts are unescaped
** in place, since no character is shorter escaped than unescaped. A request that is not UTF-8 is refused;
** in names such bytes are removed later. O(bytes), nothing is allocated. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "runtime/front/front_internal.h"

/* A cursor in the line; `end` points at the 0 behind it. */
typedef struct reader {
  char *at, *end;
  brio_error *err;
} reader;

/* Skip white space. strchr also finds the terminator, so a 0 in the line is excluded. */
static void skip_space(reader *r) {
  while (r->at < r->end && strchr(" \t\r\n", *r->at) && *r->at) r->at++;
}

/* Skip space and then `c`.  False: something else is there, and the cursor stays. */
static bool take(reader *r, char c) {
  skip_space(r);
  if (r->at >= r->end || *r->at != c) return false;
  r->at++;
  return true;
}

/* Read four hexadecimal digits; the table has a-f and A-F one after the other, so a large index is reduced
** by 6. */
static bool hex4(const char *text, unsigned *code) {
  static const char digits[] = "0123456789abcdefABCDEF";
  *code = 0;
  /* Digits from the highest to the lowest. */
  for (int i = 0; i < 4; i++) {
    const char *found = text[i] ? strchr(digits, text[i]) : NULL;
    if (!found) return false;
    unsigned value = (unsigned)(found - digits);
    *code = *code * 16 + (value < 16 ? value : value - 6);
  }
  return true;
}

/* Write a code point (below 0x110000) as 1 to 4 bytes of UTF-8; return the position behind them. Of several
** bytes the first begins with as many ones, the others with 10. */
static char *put_utf8(char *out, unsigned code) {
  static const unsigned char head[] = {0, 0, 0xC0, 0xE0, 0xF0};
  int bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  /* From the last byte to the first, 6 bits each. */
  if (bytes == 1) *out = (char)code;
  else
    for (int i = bytes - 1; i >= 0; i--, code >>= 6)
      out[i] = (char)(i ? 0x80 | (code & 0x3F) : head[bytes] | code);
  return out + bytes;
}

/* Unescape \uXXXX; the cursor is behind the u. Two escapes may form a surrogate pair (RFC 8259, section 7).
** False: not four digits. */
static bool take_code(reader *r, char **out) {
  unsigned code, low;
  if (r->end - r->at < 4 || !hex4(r->at, &code)) return false;
  r->at += 4;
  /* A high surrogate followed by a low one: one code point beyond 0xFFFF. */
  if (code >= 0xD800 && code < 0xDC00 && r->end - r->at >= 6 && r->at[0] == '\\' && r->at[1] == 'u' &&
      hex4(r->at + 2, &low) && low >= 0xDC00 && low < 0xE000) {
    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    r->at += 6;
  } else if (code >= 0xD800 && code < 0xE000) {
    code = 0xFFFD; /* half a pair: the replacement character */
  }
  *out = put_utf8(*out, code);
  return true;
}

/* Unescape one character; the cursor is behind the backslash. False: no such escape. */
static bool take_escape(reader *r, char **out) {
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  if (r->at >= r->end) return false;
  char c = *r->at++;
  if (c == 'u') return take_code(r, out);
  /* The table maps the letter to its character. */
  const char *found = c ? strchr(from, c) : NULL;
  if (!found) return false;
  *(*out)++ = to[found - from];
  return true;
}

/* Read a text in quotes. Its characters move to the front, and a 0 ends it, at the closing quote at the
** latest. */
static bool take_text(reader *r, char **text, size_t *length) {
  if (!take(r, '"')) return brio_fail(r->err, BRIO_FORMAT, "a text in quotes was expected");
  char *out = *text = r->at;
  /* Reading position and writing position move separately in the same line. */
  while (r->at < r->end && *r->at != '"') {
    char c = *r->at++;
    if ((unsigned char)c < 0x20) return brio_fail(r->err, BRIO_FORMAT, "a text contains a control character");
    if (c != '\\') *out++ = c;
    else if (!take_escape(r, &out)) return brio_fail(r->err, BRIO_FORMAT, "a text has a wrong escape");
  }
  if (r->at >= r->end) return brio_fail(r->err, BRIO_FORMAT, "a text does not end");
  assert(out <= r->at);
  r->at++;
  *length = (size_t)(out - *text);
  *out = 0;
  return true;
}

/* Read a finite number; strtod alone would also accept spaces, "inf" and hexadecimal. */
static bool take_number(reader *r, const char *what, double *number) {
  char *behind;
  skip_space(r);
  if (r->at >= r->end || !*r->at || !strchr("-0123456789", *r->at))
    return brio_fail(r->err, BRIO_FORMAT, "%s must be a number", what);
  *number = strtod(r->at, &behind);
  /* strtod stops where the number ends; the caller checks what follows. */
  if (behind == r->at || !isfinite(*number))
    return brio_fail(r->err, BRIO_FORMAT, "%s must be a finite number", what);
  r->at = behind;
  return true;
}

/* Read a whole number. A double holds these exactly up to 2^53. */
static bool take_whole(reader *r, const char *what, int64_t *number) {
  double value = 0.5;
  if (!take_number(r, what, &value) || !(fabs(value) <= 9007199254740992.0) || value != floor(value))
    return brio_fail(r->err, BRIO_FORMAT, "%s must be a whole number of at most 2^53", what);
  *number = (int64_t)value;
  return true;
}

/* ---- fields ---- */

/* Reads the value of one field into the request. False: with an error. */
typedef bool read_field(reader *r, brio_front_request *request);

/* Numbers: the request's id, lines seen, and times of the client's clock, s. */
static bool read_id(reader *r, brio_front_request *request) { return take_whole(r, "id", &request->id); }
static bool read_seen(reader *r, brio_front_request *request) {
  return take_whole(r, "seen", &request->seen);
}
static bool read_input(reader *r, brio_front_request *request) {
  return take_number(r, "t", &request->input);
}
static bool read_input_error(reader *r, brio_front_request *request) {
  return take_number(r, "t_error", &request->input_error);
}
static bool read_offset(reader *r, brio_front_request *request) {
  return take_number(r, "offset", &request->offset);
}
static bool read_offset_error(reader *r, brio_front_request *request) {
  return take_number(r, "offset_error", &request->offset_error);
}

/* Set what the line requests; a second request in one line is refused. */
static bool ask(reader *r, brio_front_request *request, brio_front_kind kind) {
  /* Two requests would need two answers. */
  if (request->asks)
    return brio_fail(r->err, BRIO_FORMAT, "a request has exactly one of: line, complete, stop, panic");
  request->asks = true;
  request->kind = kind;
  return true;
}

/* Read the text of a request.  Bytes that are not UTF-8 would make rows that other programs cannot
** read. */
static bool read_said(reader *r, brio_front_request *request, const char *what) {
  if (!take_text(r, &request->text, &request->length)) return false;
  /* The position of the first wrong byte is part of the error. */
  size_t good = brio_text_utf8(request->text, request->length);
  return good == request->length ||
         brio_fail(r->err, BRIO_FORMAT, "%s must be UTF-8: byte %zu of it, 0x%02x, is not", what, good + 1,
                   (unsigned)(unsigned char)request->text[good]);
}

/* Texts for the script thread: a line to execute, or one to complete. */
static bool read_line(reader *r, brio_front_request *request) {
  return ask(r, request, BRIO_FRONT_SAY) && read_said(r, request, "line");
}

static bool read_complete(reader *r, brio_front_request *request) {
  return ask(r, request, BRIO_FRONT_COMPLETE) && read_said(r, request, "complete");
}

/* The only value of stop, panic, ping and bye. */
static bool read_true(reader *r, const char *what) {
  skip_space(r);
  if (r->end - r->at < 4 || memcmp(r->at, "true", 4) != 0)
    return brio_fail(r->err, BRIO_FORMAT, "%s must be true", what);
  r->at += 4;
  return true;
}

/* Requests of the front itself; they work while scripts hang. */
static bool read_stop(reader *r, brio_front_request *request) {
  return read_true(r, "stop") && ask(r, request, BRIO_FRONT_STOP);
}
static bool read_panic(reader *r, brio_front_request *request) {
  return read_true(r, "panic") && ask(r, request, BRIO_FRONT_PANIC);
}

/* Messages about the connection: request the time, say goodbye. */
static bool read_ping(reader *r, brio_front_request *request) {
  return request->pings = read_true(r, "ping");
}
static bool read_bye(reader *r, brio_front_request *request) { return request->goes = read_true(r, "bye"); }

/* The rate of a feed of poses, Hz, and what it shows. */
static bool read_feed(reader *r, brio_front_request *request) {
  if (!take_number(r, "feed", &request->feed)) return false;
  return (request->feed >= 0.1 && request->feed <= 200) ||
         brio_fail(r->err, BRIO_FORMAT, "feed must be a rate from 0.1 to 200 Hz");
}
static bool read_of(reader *r, brio_front_request *request) {
  char *text = NULL;
  size_t length = 0;
  if (!take_text(r, &text, &length)) return false;
  request->feed_command = strcmp(text, "command") == 0;
  return request->feed_command || strcmp(text, "measured") == 0 ||
         brio_fail(r->err, BRIO_FORMAT, "of must be \"measured\" or \"command\"");
}

/* Read a text into a field of the request; it stays valid as long as the line. */
static bool read_name(reader *r, const char **out) {
  char *text = NULL;
  size_t length = 0;
  if (!take_text(r, &text, &length)) return false;
  *out = text;
  return true;
}

/* Texts that introduce a client. */
static bool read_token(reader *r, brio_front_request *request) { return read_name(r, &request->token); }
static bool read_who(reader *r, brio_front_request *request) { return read_name(r, &request->who); }
static bool read_role(reader *r, brio_front_request *request) { return read_name(r, &request->role); }
static bool read_session(reader *r, brio_front_request *request) { return read_name(r, &request->session); }
static bool read_device(reader *r, brio_front_request *request) { return read_name(r, &request->device); }

/* All fields and their readers. */
static const struct {
  const char *name;
  read_field *read;
} fields[] = {{"id", read_id},
              {"line", read_line},
              {"complete", read_complete},
              {"stop", read_stop},
              {"panic", read_panic},
              {"token", read_token},
              {"who", read_who},
              {"role", read_role},
              {"session", read_session},
              {"seen", read_seen},
              {"device", read_device},
              {"t", read_input},
              {"t_error", read_input_error},
              {"offset", read_offset},
              {"offset_error", read_offset_error},
              {"ping", read_ping},
              {"bye", read_bye},
              {"feed", read_feed},
              {"of", read_of}};

/* Read one field: a known name, a colon, its value. O(fields). */
static bool take_field(reader *r, brio_front_request *request) {
  char *name = NULL;
  size_t length = 0;
  if (!take_text(r, &name, &length) || !name) return false;
  if (!take(r, ':')) return brio_fail(r->err, BRIO_FORMAT, "':' was expected after '%.40s'", name);
  /* The first field of that name; the table has each name once. */
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    if (strcmp(fields[i].name, name) == 0) return fields[i].read(r, request);
  return brio_fail(r->err, BRIO_FORMAT,
                   "there is no field '%.40s': a line has id, line, complete, stop, panic, "
                   "token, who (docs/operators/prompt.md)",
                   name);
}

bool brio_front_read_request(char *line, size_t length, brio_front_request *request, brio_error *err) {
  reader r = {line, line + length, err};
  /* Before anything is read: no request, an empty text, no times. */
  *request = (brio_front_request){.kind = BRIO_FRONT_SAY,
                                  .text = line + length,
                                  .input = NAN,
                                  .input_error = NAN,
                                  .offset = NAN,
                                  .offset_error = NAN};
  /* Members, separated by commas; an empty object is legal. */
  if (!take(&r, '{'))
    return brio_fail(err, BRIO_FORMAT, "a JSON object was expected, as in {\"id\":1,\"line\":\"state\"}");
  if (!take(&r, '}')) {
    do
      if (!take_field(&r, request)) return false;
    while (take(&r, ','));
    if (!take(&r, '}')) return brio_fail(err, BRIO_FORMAT, "',' or '}' was expected");
  }
  skip_space(&r);
  if (r.at != r.end) return brio_fail(err, BRIO_FORMAT, "there is text after the object");
  /* "stop" and "panic" typed as lines must take the urgent path, too. */
  if (request->kind == BRIO_FRONT_SAY && request->asks && strcmp(request->text, "stop") == 0)
    request->kind = BRIO_FRONT_STOP;
  if (request->kind == BRIO_FRONT_SAY && request->asks && strcmp(request->text, "panic") == 0)
    request->kind = BRIO_FRONT_PANIC;
  return true;
}
