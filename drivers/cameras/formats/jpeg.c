/* JPEG, also the frames of MJPEG cameras, which leave the Huffman tables out: libjpeg has the usual ones.
** Only the brightness is decoded. */
#include <assert.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

#include "drivers/cameras/picture.h"

/* libjpeg's errors leave by a jump; its sentence is kept. */
typedef struct handler {
  struct jpeg_error_mgr manager;
  jmp_buf back;
  bool memory; /* it had none */
  char sentence[JMSG_LENGTH_MAX];
} handler;

static void leave(j_common_ptr info) {
  handler *h = (handler *)info->err;
  info->err->format_message(info, h->sentence);
  h->memory = info->err->msg_code == JERR_OUT_OF_MEMORY;
  longjmp(h->back, 1);
}

/* Warnings (a frame that is cut off) are errors: half a picture is none. */
static void on_message(j_common_ptr info, int level) {
  if (level < 0) leave(info);
}

static bool is(const uint8_t *bytes, size_t length) {
  return length > 3 && bytes[0] == 0xff && bytes[1] == 0xd8 && bytes[2] == 0xff;
}

/* Decode the rows. The jump of an error ends here, and nowhere above. */
static bool decode_rows(struct jpeg_decompress_struct *info, brio_picture *picture, brio_error *err) {
  jpeg_read_header(info, TRUE);
  info->out_color_space = JCS_GRAYSCALE;
  info->dct_method = JDCT_ISLOW;
  /* Sizes are checked before libjpeg allocates for them; nothing scales the picture. */
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
