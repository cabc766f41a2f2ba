/* Clouds from messages: see cloud_message.h. Feed's thread. O(bytes), JSON in two passes. */
#include "feed/messages/cloud_message.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

/* Depth of skipped values; offsets in the head of a piece, bytes. */
enum { MAX_DEPTH = 8, AT_NUMBER = 4, AT_LENGTH = 8, AT_SIZE = 12, AT_PIECE = 16, AT_PIECES = 20 };

static const char magic[4] = {'B', 'R', 'P', 'P'};

/* ---- pieces ---- */

bool brio_feed_puzzle_start(brio_feed_puzzle *puzzle, size_t room) {
  memset(puzzle, 0, sizeof *puzzle);
  puzzle->room = room;
  puzzle->bytes = malloc(room);
  return puzzle->bytes != NULL;
}

void brio_feed_puzzle_end(brio_feed_puzzle *puzzle) {
  free(puzzle->bytes);
  puzzle->bytes = NULL;
}

bool brio_feed_is_piece(const char *bytes, size_t length) {
  return length >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

/* A little-endian number at any alignment. */
static uint32_t u32(const char *bytes) {
  const unsigned char *at = (const unsigned char *)bytes;
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* An incomplete frame is lost, and counted. */
void brio_feed_puzzle_forget(brio_feed_puzzle *puzzle, brio_feed_meter *meter) {
  if (puzzle->missing > 0)
    brio_feed_refuse(meter, BRIO_FEED_CUT, "frame %u lacks %d of %d pieces", puzzle->number, puzzle->missing,
                     puzzle->pieces);
  puzzle->pieces = puzzle->missing = 0;
}

/* Begin a new frame with one of its pieces. */
static void begin(brio_feed_puzzle *puzzle, const char *bytes, brio_feed_meter *meter) {
  brio_feed_puzzle_forget(puzzle, meter);
  /* The new frame's head, the same in each of its pieces. */
  puzzle->number = u32(bytes + AT_NUMBER);
  puzzle->length = u32(bytes + AT_LENGTH);
  puzzle->size = u32(bytes + AT_SIZE);
  puzzle->pieces = puzzle->missing = (int)u32(bytes + AT_PIECES);
  memset(puzzle->here, 0, sizeof puzzle->here);
}

/* Whether a piece's head is consistent with its length, and its frame fits into the buffer. All products
** are of 32-bit numbers in 64 bits, so none overflows. */
static bool is_sound(const brio_feed_puzzle *puzzle, const char *bytes, size_t length) {
  if (length <= BRIO_FEED_PIECE_HEAD) return false;
  uint64_t whole = u32(bytes + AT_LENGTH), size = u32(bytes + AT_SIZE), piece = u32(bytes + AT_PIECE),
           pieces = u32(bytes + AT_PIECES);
  uint64_t begins = piece * size, has = length - BRIO_FEED_PIECE_HEAD;
  /* All pieces but the last have the same size, and together exactly the frame's length. */
  return pieces >= 1 && pieces <= BRIO_FEED_PIECES && piece < pieces && size >= 1 && whole <= puzzle->room &&
         (pieces - 1) * size < whole && whole <= pieces * size &&
         has == (piece + 1 < pieces ? size : whole - begins);
}

/* Whether a piece belongs to the frame that is being assembled. */
static bool belongs(const brio_feed_puzzle *puzzle, const char *bytes) {
  return puzzle->pieces > 0 && u32(bytes + AT_NUMBER) == puzzle->number &&
         u32(bytes + AT_LENGTH) == puzzle->length && u32(bytes + AT_SIZE) == puzzle->size &&
         u32(bytes + AT_PIECES) == (uint32_t)puzzle->pieces;
}

bool brio_feed_puzzle_take(brio_feed_puzzle *puzzle, const char *bytes, size_t length,
                           brio_feed_meter *meter) {
  if (!is_sound(puzzle, bytes, length))
    return brio_feed_refuse(meter, BRIO_FEED_FIELD, "a piece of %zu bytes that fits no frame", length);
  if (!belongs(puzzle, bytes)) begin(puzzle, bytes, meter);
  /* A bit for each piece that has come. */
  uint32_t piece = u32(bytes + AT_PIECE);
  uint8_t *here = &puzzle->here[piece / 8], bit = (uint8_t)(1 << piece % 8);
  if (*here & bit || puzzle->missing == 0) return false; /* received twice */
  *here |= bit;
  assert((size_t)piece * puzzle->size + length - BRIO_FEED_PIECE_HEAD <= puzzle->room);
  /* Pieces may come in any order: each has its place. */
  memcpy(puzzle->bytes + (size_t)piece * puzzle->size, bytes + BRIO_FEED_PIECE_HEAD,
         length - BRIO_FEED_PIECE_HEAD);
  return --puzzle->missing == 0;
}

/* ---- JSON ---- */

/* Called for each triple of a list, with its index; NaN stands for null. False ends the list. */
typedef bool (*put_three)(void *context, int place, const double three[3]);

/* Read a triple of numbers; null becomes NaN. */
static bool read_three(brio_json *json, double three[3]) {
  if (!brio_json_take(json, '[')) return false;
  for (int i = 0; i < 3; i++) {
    three[i] = NAN;
    if (i > 0 && !brio_json_take(json, ',')) return false;
    /* Null stands for a number that JSON cannot express. */
    if (brio_json_peek(json) == 'n' ? !brio_json_skip(json, 0) : !brio_json_number(json, &three[i]))
      return false;
  }
  return brio_json_take(json, ']');
}

/* Read a list of triples, and pass each to `put` (NULL: only count). Return their number; -1: invalid, or
** too many. */
static int each_three(brio_json *json, put_three put, void *context) {
  double three[3];
  int count = 0;
  if (!brio_json_take(json, '[')) return -1;
  /* An empty list is legal. */
  if (brio_json_take(json, ']')) return 0;
  do {
    if (!read_three(json, three) || count == BRIO_CLOUD_POINTS || (put && !put(context, count, three)))
      return -1;
    count++;
  } while (brio_json_take(json, ','));
  return brio_json_take(json, ']') ? count : -1;
}

/* Write a point; a number beyond a float's range becomes NaN, which is no point. */
static bool put_point(void *context, int place, const double three[3]) {
  brio_cloud *cloud = context;
  for (int k = 0; k < 3; k++) cloud->points[place][k] = fabs(three[k]) < 1e30 ? (float)three[k] : (float)NAN;
  return true;
}

/* Write a color; each part must be a byte. */
static bool put_color(void *context, int place, const double three[3]) {
  brio_cloud *cloud = context;
  for (int k = 0; k < 3; k++) {
    /* NaN, which stands for null, is refused as well. */
    if (!(three[k] >= 0 && three[k] <= 255)) return false;
    cloud->colors[place][k] = (uint8_t)three[k];
  }
  return true;
}

/* The values of a line, found in a first pass. Points are read in a second pass, when their number is known
** and the cloud has room for them. */
typedef struct found {
  brio_json points, colors;
  int npoint, ncolor;
  double t, width;
  char frame[BRIO_CLOUD_FRAME];
} found;

/* Find one member; unknown ones are skipped. False: no JSON, or an invalid value. */
static bool find_member(brio_json *json, const brio_json_text *name, found *f) {
  brio_json_text text;
  /* Lists are counted, and their position is kept for the second pass. */
  if (brio_json_is(name, "points")) {
    f->points = *json;
    return (f->npoint = each_three(json, NULL, NULL)) >= 0;
  }
  if (brio_json_is(name, "colors")) {
    f->colors = *json;
    return (f->ncolor = each_three(json, NULL, NULL)) >= 0;
  }
  /* Values of the cloud as a whole. */
  if (brio_json_is(name, "t")) return brio_json_number(json, &f->t) && isfinite(f->t);
  if (brio_json_is(name, "width"))
    return brio_json_number(json, &f->width) && f->width >= 1 && f->width <= BRIO_CLOUD_POINTS;
  if (brio_json_is(name, "frame"))
    return brio_json_string(json, &text) && brio_json_copy(&text, f->frame, sizeof f->frame);
  return brio_json_skip(json, MAX_DEPTH);
}

/* The first pass, over the whole line. False: `name` is the last member that was read. */
static bool find_all(brio_json *json, found *f, brio_json_text *name) {
  if (!brio_json_take(json, '{')) return false;
  do {
    if (!brio_json_key(json, name) || !find_member(json, name, f)) return false;
  } while (brio_json_take(json, ','));
  return brio_json_take(json, '}') && brio_json_over(json);
}

/* Read a cloud from a line. False: counted, and the cloud's contents are undefined. */
static bool read_json(const char *bytes, size_t length, const brio_cloud_settings *settings,
                      brio_cloud *cloud, brio_feed_meter *meter) {
  /* First pass: positions and counts. */
  brio_json json = {bytes, bytes + length, true};
  brio_json_text name = {"", 0};
  brio_error err;
  found f = {.npoint = -1, .t = NAN};
  if (!find_all(&json, &f, &name))
    return brio_feed_refuse(meter, BRIO_FEED_SYNTAX, "byte %zu of %zu, at \"%.*s\"",
                            (size_t)(json.at - bytes) + 1, length, (int)(name.length < 40 ? name.length : 40),
                            name.bytes);
  /* Counts before memory: what a line claims is bounded by the settings. */
  if (f.npoint < 0) return brio_feed_refuse(meter, BRIO_FEED_FIELD, "a line without points");
  if (f.ncolor > 0 && f.ncolor != f.npoint)
    return brio_feed_refuse(meter, BRIO_FEED_FIELD, "%d colors of %d points", f.ncolor, f.npoint);
  if (f.npoint > settings->limit)
    return brio_feed_refuse(meter, BRIO_FEED_MANY, "%d points, %d are taken", f.npoint, settings->limit);
  /* Without a width the points are one row. */
  int width = f.width >= 1 ? (int)f.width : f.npoint;
  /* Rows of equal length only: a last short row would have no place. */
  bool organized = width > 0 && f.npoint % width == 0;
  if (!organized && f.npoint > 0)
    return brio_feed_refuse(meter, BRIO_FEED_FIELD, "%d points in rows of %d", f.npoint, width);
  if (!brio_cloud_resize(cloud, width, width > 0 ? f.npoint / width : 1, f.ncolor > 0 ? BRIO_CLOUD_COLORS : 0,
                         &err))
    return brio_feed_refuse(meter, BRIO_FEED_MANY, "%.200s", err.message);
  /* The second pass cannot fail on points, as the first one has read them. */
  each_three(&f.points, put_point, cloud);
  if (f.ncolor > 0 && each_three(&f.colors, put_color, cloud) < 0)
    return brio_feed_refuse(meter, BRIO_FEED_NUMBER, "colors are numbers from 0 to 255");
  /* A cloud without a time counts when it comes. */
  cloud->time = f.t;
  memcpy(cloud->frame, f.frame, sizeof f.frame);
  return true;
}

/* Apply the settings' unit and axes to a cloud from JSON; raw frames have this done while they are read. */
static bool adjust(brio_cloud *cloud, const brio_cloud_settings *settings, brio_feed_meter *meter) {
  double matrix[9], unit = settings->unit > 0 ? settings->unit : 1;
  brio_error err;
  if (!brio_cloud_axes(settings->axes ? settings->axes : "robot", matrix, &err))
    return brio_feed_refuse(meter, BRIO_FEED_FIELD, "%.200s", err.message);
  /* p' = unit * matrix * p. */
  for (int i = 0; i < cloud->count; i++) {
    const float *p = cloud->points[i];
    const double x = (double)p[0], y = (double)p[1], z = (double)p[2];
    for (int k = 0; k < 3; k++)
      cloud->points[i][k] = (float)(unit *
                                    (matrix[3 * k] * x + matrix[3 * k + 1] * y + matrix[3 * k + 2] * z));
  }
  brio_cloud_judge(cloud);
  return true;
}

/* A line begins with '{', as no raw frame and no file does. */
bool brio_feed_read_cloud(const char *bytes, size_t length, const brio_cloud_settings *settings,
                          brio_cloud *cloud, brio_feed_meter *meter) {
  brio_error err;
  /* JSON first: its first byte is unambiguous. */
  if (length > 0 && bytes[0] == '{')
    return read_json(bytes, length, settings, cloud, meter) && adjust(cloud, settings, meter);
  if (brio_cloud_read(cloud, bytes, length, settings, &err)) return true;
  return brio_feed_refuse(meter, err.code == BRIO_LIMIT ? BRIO_FEED_MANY : BRIO_FEED_CUT, "%.200s",
                          err.message);
}
