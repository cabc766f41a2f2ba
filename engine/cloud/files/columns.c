/* Columns of point cloud files: the types of numbers, and what a number means for the cloud.
**
** A color is three numbers, or packed into one of 32 bits, which PCD files call a float although it is none:
** its bits are the color. In text such a float is written as a number: a tiny one (0 to 1.2e-38) has the
** color in its bits; a whole one below 2^24 is the color itself, as in files made by hand. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "cloud/files/reader.h"

/* ------------------------------------------------------------------ numbers */

/* Read up to 8 bytes as an integer of either byte order; the usual case is written out, as it is read
** millions of times. */
static uint64_t bits_at(const char *bytes, size_t size, bool big_endian) {
  const unsigned char *b = (const unsigned char *)bytes;
  if (size == 4 && !big_endian)
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
  uint64_t bits = 0;
  for (size_t i = 0; i < size; i++) bits = bits << 8 | b[big_endian ? i : size - 1 - i];
  return bits;
}

/* How the bits of each type become a number; integers are sign-extended where the type is signed. */
static double from_i1(uint64_t bits) { return (int8_t)bits; }
static double from_i2(uint64_t bits) { return (int16_t)bits; }
static double from_i4(uint64_t bits) { return (int32_t)bits; }
static double from_i8(uint64_t bits) { return (double)(int64_t)bits; }
static double from_unsigned(uint64_t bits) { return (double)bits; }

static double from_f4(uint64_t bits) {
  uint32_t low = (uint32_t)bits;
  float value;
  memcpy(&value, &low, sizeof value);
  return value;
}

static double from_f8(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Size, conversion and full color of each type; full 1: values are shares from 0 to 1. */
static const struct {
  size_t size;
  double (*value)(uint64_t bits);
  double full;
} types[BRIO_CLOUD_NTYPE] = {
    [BRIO_CLOUD_I1] = {1, from_i1, 127},         [BRIO_CLOUD_I2] = {2, from_i2, 32767},
    [BRIO_CLOUD_I4] = {4, from_i4, 255},         [BRIO_CLOUD_I8] = {8, from_i8, 255},
    [BRIO_CLOUD_U1] = {1, from_unsigned, 255},   [BRIO_CLOUD_U2] = {2, from_unsigned, 65535},
    [BRIO_CLOUD_U4] = {4, from_unsigned, 255},   [BRIO_CLOUD_U8] = {8, from_unsigned, 255},
    [BRIO_CLOUD_F4] = {4, from_f4, 1},           [BRIO_CLOUD_F8] = {8, from_f8, 1}};

size_t brio_cloud_type_size(brio_cloud_type type) { return types[type].size; }

/* The bytes of a property in a binary row; of a list, those of its length alone. */
size_t brio_cloud_property_size(const brio_cloud_property *property) {
  return property->list ? types[property->length].size
                        : types[property->type].size * (size_t)property->repeat;
}

double brio_cloud_number_at(brio_cloud_type type, const char *bytes, bool big_endian) {
  return types[type].value(bits_at(bytes, types[type].size, big_endian));
}

/* ------------------------------------------------------------------ channels */

/* Names of columns as PCD and PLY files use them. Any other column is skipped. */
static const struct {
  const char *name;
  brio_cloud_channel channel;
} names[] = {{"x", BRIO_CLOUD_X},        {"y", BRIO_CLOUD_Y},          {"z", BRIO_CLOUD_Z},
             {"rgb", BRIO_CLOUD_PACKED}, {"rgba", BRIO_CLOUD_PACKED},  {"red", BRIO_CLOUD_RED},
             {"r", BRIO_CLOUD_RED},      {"diffuse_red", BRIO_CLOUD_RED}, {"green", BRIO_CLOUD_GREEN},
             {"g", BRIO_CLOUD_GREEN},    {"diffuse_green", BRIO_CLOUD_GREEN}, {"blue", BRIO_CLOUD_BLUE},
             {"b", BRIO_CLOUD_BLUE},     {"diffuse_blue", BRIO_CLOUD_BLUE}, {"label", BRIO_CLOUD_LABEL},
             {"class", BRIO_CLOUD_LABEL}, {"object", BRIO_CLOUD_LABEL}};

brio_cloud_channel brio_cloud_channel_of(brio_cloud_span name) {
  /* Names are compared with case, as the formats have them. */
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (brio_cloud_is(name, names[i].name)) return names[i].channel;
  return BRIO_CLOUD_NOTHING;
}

int brio_cloud_layout_parts(brio_cloud_layout *layout, brio_error *err) {
  /* Of a repeated channel the first column counts; a packed color needs four bytes. */
  bool has[BRIO_CLOUD_NCHANNEL] = {false};
  for (int i = 0; i < layout->count; i++) {
    brio_cloud_property *p = &layout->properties[i];
    if (p->list || has[p->channel]) p->channel = BRIO_CLOUD_NOTHING;
    if (p->channel == BRIO_CLOUD_PACKED && types[p->type].size != 4) p->channel = BRIO_CLOUD_NOTHING;
    has[p->channel] = true;
  }
  /* All three coordinates are required. */
  for (int k = BRIO_CLOUD_X; k <= BRIO_CLOUD_Z; k++)
    if (!has[k]) return brio_fail(err, BRIO_FORMAT, "the points have no %c", 'x' + k - BRIO_CLOUD_X), -1;
  /* Colors are packed or in three columns; one or two columns make no color. */
  bool three = has[BRIO_CLOUD_RED] && has[BRIO_CLOUD_GREEN] && has[BRIO_CLOUD_BLUE] &&
               !has[BRIO_CLOUD_PACKED];
  for (int i = 0; i < layout->count && !three; i++) {
    brio_cloud_channel *channel = &layout->properties[i].channel;
    if (*channel >= BRIO_CLOUD_RED && *channel <= BRIO_CLOUD_BLUE) *channel = BRIO_CLOUD_NOTHING;
  }
  return (three || has[BRIO_CLOUD_PACKED] ? BRIO_CLOUD_COLORS : 0) |
         (has[BRIO_CLOUD_LABEL] ? BRIO_CLOUD_LABELS : 0);
}

/* ------------------------------------------------------------------ putting */

/* 0xRRGGBB: red is in the third byte. */
static void put_packed(brio_cloud *cloud, int i, uint32_t bits) {
  cloud->colors[i][0] = (uint8_t)(bits >> 16);
  cloud->colors[i][1] = (uint8_t)(bits >> 8);
  cloud->colors[i][2] = (uint8_t)bits;
}

/* A share of full color as a byte; a float above 1 is taken as out of 255. */
static uint8_t color_of(brio_cloud_type type, double value) {
  double full = types[type].full, scaled = full == 1 && value > 1 ? value : value * 255 / full;
  return !(scaled > 0) ? 0 : scaled >= 255 ? 255 : (uint8_t)lround(scaled);
}

/* A label: a negative one wraps as in C, one that is too great becomes the greatest; NAN is 0. */
static uint32_t label_of(double value) {
  /* Also NaN. */
  if (!(value >= -2147483648.0)) return 0;
  return value < 0 ? (uint32_t)(int32_t)value : value >= 4294967295.0 ? UINT32_MAX : (uint32_t)value;
}

/* Write a number to its channel of point i. */
static void put(brio_cloud *cloud, const brio_cloud_property *property, int i, double value) {
  assert(i >= 0 && i < cloud->count);
  brio_cloud_channel channel = property->channel;
  if (channel <= BRIO_CLOUD_Z) cloud->points[i][channel - BRIO_CLOUD_X] = (float)value;
  else if (channel == BRIO_CLOUD_LABEL) cloud->labels[i] = label_of(value);
  else cloud->colors[i][channel - BRIO_CLOUD_RED] = color_of(property->type, value);
}

void brio_cloud_put_bytes(brio_cloud *cloud, const brio_cloud_property *property, int i, const char *bytes,
                          bool big_endian) {
  uint64_t bits = bits_at(bytes, types[property->type].size, big_endian);
  if (property->channel == BRIO_CLOUD_NOTHING) return;
  if (property->channel == BRIO_CLOUD_PACKED) put_packed(cloud, i, (uint32_t)bits);
  else put(cloud, property, i, types[property->type].value(bits));
}

/* The most frequent column, floats in little-endian order, without a call for each number. */
static void put_floats(brio_cloud *cloud, int axis, const char *first, size_t stride) {
  for (int i = 0; i < cloud->count; i++)
    cloud->points[i][axis] = (float)from_f4(bits_at(first + (size_t)i * stride, 4, false));
}

void brio_cloud_put_column(brio_cloud *cloud, const brio_cloud_property *property, const char *first,
                           size_t stride, bool big_endian) {
  /* One decision for a whole column instead of one for each number. */
  bool place = property->channel >= BRIO_CLOUD_X && property->channel <= BRIO_CLOUD_Z;
  if (property->channel == BRIO_CLOUD_NOTHING) return;
  if (place && property->type == BRIO_CLOUD_F4 && !big_endian)
    put_floats(cloud, (int)property->channel - BRIO_CLOUD_X, first, stride);
  else
    for (int i = 0; i < cloud->count; i++)
      brio_cloud_put_bytes(cloud, property, i, first + (size_t)i * stride, big_endian);
}

/* The bits of a packed color that is written as a decimal number. */
static uint32_t packed_of(brio_cloud_type type, double value) {
  float narrow = (float)value;
  uint32_t bits;
  memcpy(&bits, &narrow, sizeof bits);
  /* Black. */
  if (isnan(value)) return 0;
  if (type != BRIO_CLOUD_F4) return label_of(value);
  /* A whole number from 1 to 2^24 is the color itself; any other float has it in its bits. */
  return value >= 1 && value < 16777216 && value == floor(value) ? (uint32_t)value : bits;
}

void brio_cloud_put_number(brio_cloud *cloud, const brio_cloud_property *property, int i, double value) {
  if (property->channel == BRIO_CLOUD_NOTHING) return;
  if (property->channel == BRIO_CLOUD_PACKED) put_packed(cloud, i, packed_of(property->type, value));
  else put(cloud, property, i, value);
}
