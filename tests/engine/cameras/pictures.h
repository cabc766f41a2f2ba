/* A picture for tests, a ramp of grays, in the formats that are read, and a film of it. */
#ifndef BRIO_TESTS_ENGINE_CAMERAS_PICTURES_H
#define BRIO_TESTS_ENGINE_CAMERAS_PICTURES_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <png.h>

enum { WIDTH = 48, HEIGHT = 32, ROOM = 1 << 16 };

static uint8_t ramp[WIDTH * HEIGHT];

static inline void draw_ramp(void) {
  for (int i = 0; i < WIDTH * HEIGHT; i++) ramp[i] = (uint8_t)(4 * (i % WIDTH) + (i - i % WIDTH) / WIDTH);
}

/* Encode the ramp; returns the number of bytes. */
static inline size_t encode_jpeg(uint8_t *out) {
  struct jpeg_compress_struct info;
  struct jpeg_error_mgr manager;
  unsigned char *bytes = NULL;
  unsigned long length = 0;
  info.err = jpeg_std_error(&manager);
  jpeg_create_compress(&info);
  jpeg_mem_dest(&info, &bytes, &length);
  info.image_width = WIDTH, info.image_height = HEIGHT, info.input_components = 1,
  info.in_color_space = JCS_GRAYSCALE;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, 95, TRUE);
  jpeg_start_compress(&info, TRUE);
  for (int y = 0; y < HEIGHT; y++) {
    JSAMPROW row = ramp + y * WIDTH;
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  memcpy(out, bytes, length);
  free(bytes);
  return length;
}

static inline size_t encode_png(uint8_t *out) {
  png_image image = {
      .version = PNG_IMAGE_VERSION, .width = WIDTH, .height = HEIGHT, .format = PNG_FORMAT_GRAY};
  png_alloc_size_t length = ROOM;
  png_image_write_to_memory(&image, out, &length, 0, ramp, 0, NULL);
  return length;
}

static inline size_t encode_pgm(uint8_t *out) {
  int head = sprintf((char *)out, "P5\n# a comment\n%d %d\n255\n", WIDTH, HEIGHT);
  memcpy(out + head, ramp, sizeof ramp);
  return (size_t)head + sizeof ramp;
}

static inline size_t put_chunk(uint8_t *out, size_t at, const char *name, const void *bytes, size_t length) {
  uint32_t size = (uint32_t)length;
  memcpy(out + at, name, 4), memcpy(out + at + 4, &size, 4);
  if (bytes) memcpy(out + at + 8, bytes, length);
  return at + 8 + length + (length & 1);
}

/* A film of some frames; returns its length. */
static inline size_t make_film(uint8_t *out, const uint8_t *frame, size_t length, int frames,
                               const char *codec) {
  uint8_t main_header[56] = {0}, stream[56] = {0};
  uint32_t period = 40000;
  memcpy(main_header, &period, 4), memcpy(stream, "vids", 4), memcpy(stream + 4, codec, 4);
  memcpy(out, "RIFF\0\0\0\0AVI ", 12);
  memcpy(out + 12, "LIST\0\0\0\0hdrl", 12);
  size_t at = put_chunk(out, 24, "avih", main_header, sizeof main_header);
  memcpy(out + at, "LIST\x44\0\0\0strl", 12);
  at = put_chunk(out, at + 12, "strh", stream, sizeof stream);
  memcpy(out + at, "LIST\0\0\0\1movi", 12);
  at += 12;
  for (int i = 0; i < frames; i++) {
    at = put_chunk(out, at, "01wb", "sound", 5);
    at = put_chunk(out, at, "00dc", frame, length);
  }
  return at;
}

#endif
