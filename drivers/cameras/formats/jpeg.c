/* JPEG, by libjpeg.  Frames of MJPEG cameras lack Huffman tables; libjpeg then uses the standard ones.  Only
** the luma channel is decoded. */
#include <assert.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

#include "drivers/cameras/picture.h"

enum { QUALITY = 60 /* of 100, of pictures that are written */ };

/* libjpeg reports an error by a callback that must not return: it jumps to `back`. */
typedef struct handler {
  struct jpeg_error_mgr manager; /* first: libjpeg's pointer to it is one to the handler */
  jmp_buf back;
  bool memory;                    /* the error was a failed allocation */
  char sentence[JMSG_LENGTH_MAX]; /* libjpeg's message */
} handler;

/* Keep the message and jump back. */
static void leave(j_common_ptr info) {
  handler *h = (handler *)info->err;
  info->err->format_message(info, h->sentence);
  h->memory = info->err->msg_code == JERR_OUT_OF_MEMORY;
  longjmp(h->back, 1);
}

/* Treat warnings (level -1, as of a truncated frame) as errors: half a picture is not used. */
static void on_message(j_common_ptr info, int level) {
  if (level < 0) leave(info);
}

/* Marker SOI, then the beginning of another marker. */
static bool is(const uint8_t *bytes, size_t length) {
  return length > 3 && bytes[0] == 0xff && bytes[1] == 0xd8 && bytes[2] == 0xff;
}

/* Decode the rows.  Errors of libjpeg jump out of this function to `decode`: it owns no memory. */
static bool decode_rows(struct jpeg_decompress_struct *info, brio_picture *picture, brio_error *err) {
  jpeg_read_header(info, TRUE);
  info->out_color_space = JCS_GRAYSCALE;
  info->dct_method = JDCT_ISLOW;
  /* The size is checked before libjpeg allocates rows of it.  Output is not scaled. */
  if (!brio_picture_resize(picture, (int)info->image_width, (int)info->image_height, err)) return false;
  jpeg_start_decompress(info);
  assert(info->output_width == info->image_width && info->output_height == info->image_height);
  while (info->output_scanline < info->output_height) {
    JSAMPROW row = picture->gray + (size_t)info->output_scanline * (size_t)picture->width;
    jpeg_read_scanlines(info, &row, 1);
  }
  jpeg_finish_decompress(info);
  return true;
}

static bool decode(const uint8_t *bytes, size_t length, brio_picture *picture, brio_error *err) {
  /* zeroed, so that it can be destroyed even if creating it fails */
  struct jpeg_decompress_struct info;
  handler h;
  memset(&info, 0, sizeof info);
  info.err = jpeg_std_error(&h.manager);
  h.manager.error_exit = leave;
  h.manager.emit_message = on_message;
  bool good = false;
  if (setjmp(h.back) == 0) {
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, bytes, (unsigned long)length);
    good = decode_rows(&info, picture, err);
  } else
    brio_fail(err, h.memory ? BRIO_NO_MEMORY : BRIO_FORMAT, "%s: %s",
              h.memory ? "no memory for a JPEG" : "no valid JPEG", h.sentence);
  jpeg_destroy_decompress(&info);
  return good;
}

const brio_picture_format brio_picture_format_jpeg = {"jpeg", is, decode};

/* Errors of libjpeg jump out of this function to the one below, which ends `info`. */
static void encode_rows(struct jpeg_compress_struct *info, const brio_picture *picture, FILE *file) {
  jpeg_create_compress(info);
  jpeg_stdio_dest(info, file);
  info->image_width = (JDIMENSION)picture->width, info->image_height = (JDIMENSION)picture->height;
  info->input_components = 1, info->in_color_space = JCS_GRAYSCALE;
  jpeg_set_defaults(info);
  jpeg_set_quality(info, QUALITY, TRUE);
  jpeg_start_compress(info, TRUE);
  while (info->next_scanline < info->image_height) {
    JSAMPROW row = picture->gray + (size_t)info->next_scanline * (size_t)picture->width;
    jpeg_write_scanlines(info, &row, 1);
  }
  jpeg_finish_compress(info);
}

bool brio_picture_write_jpeg(const brio_picture *picture, FILE *file) {
  struct jpeg_compress_struct info;
  handler h;
  memset(&info, 0, sizeof info);
  info.err = jpeg_std_error(&h.manager);
  h.manager.error_exit = leave;
  bool good = setjmp(h.back) == 0;
  if (good) encode_rows(&info, picture, file);
  jpeg_destroy_compress(&info);
  return good && !ferror(file);
}
