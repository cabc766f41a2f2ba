/* Lua's patterns, as the Lua 5.4 reference manual defines them in section 6.4.1.
**
** The pattern is read as it is matched, item by item.  An item that is only known to match once the rest of
** the pattern does (a repetition, an optional character, a parenthesis) calls `rest`, which recurses at most
** BRIO_PATTERN_DEPTH deep; all other items are a loop in it.  Each byte compared is a step; after every
** BRIO_PATTERN_STEPS of them the owner decides whether to continue. */
#include "lua/base/pattern.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

/* State of the matching.  A function for an item moves it past the item and returns true, or returns false
** where the matching ends: then `text` is the end of the match, or NULL. */
typedef struct place {
  const char *text, *pattern;
} place;

static const char *rest(brio_pattern *m, place at);

/* Note the first error of the pattern, which is permanent, and end the matching: NULL. */
static const char *fail(brio_pattern *m, const char *why) {
  if (!m->failed) brio_fail(&m->err, BRIO_MISUSE, "%s", why);
  m->failed = true;
  return NULL;
}

/* Count steps; return false to interrupt the matching. */
static bool spend(brio_pattern *m, size_t steps) {
  m->steps += steps;
  if (m->steps < BRIO_PATTERN_STEPS) return !m->failed;
  m->steps = 0;
  if (!m->failed && m->stop && m->stop(m->context)) {
    m->stopped = m->failed = true;
    brio_fail(&m->err, BRIO_LIMIT, "the matching was stopped");
  }
  return !m->failed;
}

/* A byte as ctype.h wants it, from 0 to 255. */
static int byte(const char *at) { return (unsigned char)*at; }

/* The character at a place of the pattern; zero at its end. */
static int item_at(const brio_pattern *m, const char *at) { return at < m->pattern_end ? byte(at) : 0; }

/* End the matching at `end`, NULL for no match; the false goes to the loop in `rest`. */
static bool ends(place *at, const char *end) {
  at->text = end;
  return false;
}

/* The class %z: a zero byte. */
static int iszero(int c) { return c == 0; }

/* Whether a character is in the class %letter, or not in it where the letter is a capital; %z is of Lua 5.1,
** and still understood. */
static bool in_class(int c, int letter) {
#define CLASS(small, capital, has) [small] = has, [capital] = has
  static int (*const classes[UCHAR_MAX + 1])(int c) = {
      CLASS('a', 'A', isalpha), CLASS('c', 'C', iscntrl), CLASS('d', 'D', isdigit), CLASS('g', 'G', isgraph),
      CLASS('l', 'L', islower), CLASS('p', 'P', ispunct), CLASS('s', 'S', isspace), CLASS('u', 'U', isupper),
      CLASS('w', 'W', isalnum), CLASS('x', 'X', isxdigit), CLASS('z', 'Z', iszero)};
#undef CLASS
  /* A letter that is no class stands for itself: %. is a dot. */
  if (!classes[letter]) return letter == c;
  return (classes[letter](c) != 0) == (letter >= 'a');
}

/* Return the end of the set that begins at '['; a ']' directly after it is a member. NULL: the set is not
** closed. */
static const char *set_end(brio_pattern *m, const char *set) {
  const char *p = set + 1;
  /* A ^ complements the set; a ] directly after it, or after [, is a member. */
  if (item_at(m, p) == '^') p++;
  do {
    if (p >= m->pattern_end) return fail(m, "malformed pattern (missing ']')");
    /* An escaped ] does not end the set. */
    if (*p++ == '%' && p < m->pattern_end) p++;
  } while (item_at(m, p) != ']');
  return spend(m, (size_t)(p - set)) ? p + 1 : NULL;
}

/* The end of the single character, class or set at `p`; NULL: it is malformed. */
static const char *single_end(brio_pattern *m, const char *p) {
  if (*p == '[') return set_end(m, p);
  if (*p != '%') return p + 1;
  if (p + 1 >= m->pattern_end) return fail(m, "malformed pattern (ends with '%')");
  return p + 2;
}

/* Whether a character is in the set from `p`, its '[', to `end`, after its ']'. */
static bool in_set(brio_pattern *m, int c, const char *p, const char *end) {
  const char *last = end - 1;
  /* A complemented set begins with ^: then membership gives false. */
  bool inside = p[1] != '^';
  spend(m, (size_t)(end - p));
  p += inside ? 1 : 2;
  /* Members in order: a class, a range a-z, or a character. A - at the end is a character. */
  while (p < last) {
    if (*p == '%') {
      if (in_class(c, byte(p + 1))) return inside;
      p += 2;
    } else if (p[1] == '-' && p + 2 < last) {
      if (byte(p) <= c && c <= byte(p + 2)) return inside;
      p += 3;
    } else if (byte(p++) == c) {
      return inside;
    }
  }
  return !inside;
}

/* Whether the next character of the text matches the single item from `p` to `end`. */
static bool takes(brio_pattern *m, const char *text, const char *p, const char *end) {
  if (text >= m->text_end || !spend(m, 1)) return false;
  if (*p == '.') return true;
  if (*p == '%') return in_class(byte(text), byte(p + 1));
  if (*p == '[') return in_set(m, byte(text), p, end);
  return *p == *text;
}

/* item* and item+: as many as possible, then fewer. */
static const char *longest(brio_pattern *m, place at, const char *item, const char *end) {
  const char *most = at.text;
  /* Match as many items as possible first: this needs no recursion. */
  while (takes(m, most, item, end)) most++;
  /* Then give them back one at a time until the rest of the pattern matches. */
  for (; !m->failed; most--) {
    const char *done = rest(m, (place){most, end + 1});
    if (done) return done;
    if (most == at.text) break;
  }
  return NULL;
}

/* item-: as few as possible, then more. */
static const char *shortest(brio_pattern *m, place at, const char *item, const char *end) {
  for (;; at.text++) {
    const char *done = rest(m, (place){at.text, end + 1});
    if (done) return done;
    if (m->failed || !takes(m, at.text, item, end)) return NULL;
  }
}

/* A single character, class or set, with its repetition. */
static bool match_single(brio_pattern *m, place *at) {
  const char *item = at->pattern, *end = single_end(m, item);
  if (!end) return ends(at, NULL);
  int often = item_at(m, end);
  /* Lazy and greedy repetitions from zero on. */
  if (often == '-') return ends(at, shortest(m, *at, item, end));
  if (often == '*') return ends(at, longest(m, *at, item, end));
  /* Everything else begins by taking one; only with ? it may be absent. */
  bool taken = takes(m, at->text, item, end);
  if (m->failed || (!taken && often != '?')) return ends(at, NULL);
  if (taken) at->text++;
  /* After the first, + is as *. */
  if (often == '+') return ends(at, longest(m, *at, item, end));
  /* Without a repetition, or with a ? whose character is absent, the loop goes on. */
  at->pattern = often == '?' ? end + 1 : end;
  if (often != '?' || !taken) return true;
  /* With ?: try the rest with the character first, then without it. */
  const char *done = rest(m, *at);
  if (done || m->failed) return ends(at, done);
  at->text--;
  return true;
}

/* ( and (): open a capture. */
static bool match_open(brio_pattern *m, place *at) {
  bool position = item_at(m, at->pattern + 1) == ')';
  if (m->count >= BRIO_PATTERN_CAPTURES) return ends(at, fail(m, "too many captures"));
  /* A position capture, (), is complete at once and holds no text. */
  ptrdiff_t length = position ? BRIO_PATTERN_POSITION : BRIO_PATTERN_OPEN;
  m->capture[m->count++] = (brio_pattern_capture){at->text, length};
  const char *done = rest(m, (place){at->text, at->pattern + (position ? 2 : 1)});
  /* Backtracking takes the capture back. */
  if (!done) m->count--;
  return ends(at, done);
}

/* ): close the capture that was opened last. */
static bool match_close(brio_pattern *m, place *at) {
  int index = m->count - 1;
  /* Captures close in the reverse order of opening. */
  while (index >= 0 && m->capture[index].length != BRIO_PATTERN_OPEN) index--;
  if (index < 0) return ends(at, fail(m, "invalid pattern capture"));
  m->capture[index].length = at->text - m->capture[index].start;
  const char *done = rest(m, (place){at->text, at->pattern + 1});
  /* Backtracking opens it again. */
  if (!done) m->capture[index].length = BRIO_PATTERN_OPEN;
  return ends(at, done);
}

/* %1 to %9: the text of an earlier capture again. */
static bool match_again(brio_pattern *m, place *at) {
  int index = at->pattern[1] - '1';
  if (index < 0 || index >= m->count || m->capture[index].length == BRIO_PATTERN_OPEN) {
    if (!m->failed) brio_fail(&m->err, BRIO_MISUSE, "invalid capture index %%%d", index + 1);
    m->failed = true;
    return ends(at, NULL);
  }
  /* memcmp compares some eight bytes per step. */
  const brio_pattern_capture *held = &m->capture[index];
  if (held->length == BRIO_PATTERN_POSITION || held->length > m->text_end - at->text) return ends(at, NULL);
  size_t length = (size_t)held->length;
  if (!spend(m, length / 8 + 1) || memcmp(held->start, at->text, length) != 0) return ends(at, NULL);
  at->text += length;
  at->pattern += 2;
  return true;
}

/* %bxy: from an x to the y that balances it. */
static bool match_balance(brio_pattern *m, place *at) {
  /* The pattern is %bxy; where x and y are equal, the next one closes. */
  const char *p = at->pattern + 2, *text = at->text;
  if (m->pattern_end - p < 2) return ends(at, fail(m, "malformed pattern (missing arguments to '%b')"));
  if (text >= m->text_end || *text != p[0]) return ends(at, NULL);
  size_t open = 1;
  while (++text < m->text_end && spend(m, 1)) {
    if (*text == p[1]) open--;
    else if (*text == p[0]) open++;
    if (open > 0) continue;
    *at = (place){text + 1, p + 2};
    return true;
  }
  return ends(at, NULL);
}

/* %f[set]: between a character outside the set and one inside; the text stands between zeros. */
static bool match_frontier(brio_pattern *m, place *at) {
  /* The set is tested on both sides of the position; the frontier consumes no character. */
  const char *set = at->pattern + 2;
  if (item_at(m, set) != '[') return ends(at, fail(m, "missing '[' after '%f' in pattern"));
  const char *end = set_end(m, set);
  if (!end) return ends(at, NULL);
  /* The text stands between zeros, so that a frontier exists at its ends. */
  int before = at->text == m->text ? 0 : byte(at->text - 1);
  int after = at->text == m->text_end ? 0 : byte(at->text);
  if (in_set(m, before, set, end) || !in_set(m, after, set, end)) return ends(at, NULL);
  at->pattern = end;
  return true;
}

/* $ is the end of the text only as the last character of the pattern; elsewhere it stands for itself. */
static bool match_end(brio_pattern *m, place *at) {
  if (at->pattern + 1 != m->pattern_end) return match_single(m, at);
  return ends(at, at->text == m->text_end ? at->text : NULL);
}

/* %: a balance, a frontier, a capture that is repeated, or a class or escaped character. */
static bool match_escape(brio_pattern *m, place *at) {
  int letter = item_at(m, at->pattern + 1);
  if (letter == 'b') return match_balance(m, at);
  if (letter == 'f') return match_frontier(m, at);
  return letter >= '0' && letter <= '9' ? match_again(m, at) : match_single(m, at);
}

/* Match one item by its first character; all that is not special is a single character. */
static bool match_item(brio_pattern *m, place *at) {
  static bool (*const items[UCHAR_MAX + 1])(brio_pattern *m, place *at) = {
      ['('] = match_open, [')'] = match_close, ['$'] = match_end, ['%'] = match_escape};
  int first = byte(at->pattern);
  return items[first] ? items[first](m, at) : match_single(m, at);
}

/* Match what is left of the pattern; return the end of the match, or NULL. */
static const char *rest(brio_pattern *m, place at) {
  /* The depth bounds the C stack: each backtracking item needs one level. */
  if (m->depth >= BRIO_PATTERN_DEPTH) return fail(m, "pattern too complex");
  if (!spend(m, 1)) return NULL;
  m->depth++;
  bool goes_on = true;
  while (goes_on && at.pattern < m->pattern_end) goes_on = match_item(m, &at);
  m->depth--;
  return m->failed ? NULL : at.text;
}

const char *brio_pattern_match(brio_pattern *self, const char *at) {
  self->depth = self->count = 0;
  return rest(self, (place){at, self->pattern});
}

char brio_pattern_first(const brio_pattern *self) {
  const char *p = self->pattern;
  /* An escaped character is fixed unless it is a class; special characters fix nothing. */
  int first = item_at(self, p);
  if (first == '%') first = item_at(self, ++p), first = isalnum(first) ? 0 : first;
  else if (strchr("[().$", first)) first = 0;
  /* A repetition that may be empty fixes nothing either. */
  int often = item_at(self, p + 1);
  return often == '*' || often == '?' || often == '-' ? 0 : (char)first;
}

/* Without a fixed first character a match may begin anywhere. */
const char *brio_pattern_seek(brio_pattern *self, const char *from) {
  if (!self->first) return from;
  const char *at = memchr(from, self->first, (size_t)(self->text_end - from));
  spend(self, (size_t)((at ? at : self->text_end) - from) / 8);
  return at;
}

/* Each try may cost much, but the steps are counted over all of them. */
const char *brio_pattern_find(brio_pattern *self, const char *from, bool anchored, const char **end) {
  for (const char *at = from; at <= self->text_end; at++) {
    if (!(at = brio_pattern_seek(self, at))) break;
    *end = brio_pattern_match(self, at);
    if (*end) return at;
    if (anchored || self->failed) break;
  }
  return NULL;
}

/* A zero byte is plain: strchr would find it at the end of the list. */
bool brio_pattern_plain(const char *pattern, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (pattern[i] && strchr("^$*+?.([%-", pattern[i])) return false;
  return true;
}
