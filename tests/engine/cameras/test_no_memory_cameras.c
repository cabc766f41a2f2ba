/* Out of memory where pictures are decoded, and folders and films opened: see tests/refusals.h. */
#include <sys/stat.h>
#include <unistd.h>

#include "drivers/cameras/capture.h"
#include "tests/engine/cameras/pictures.h"
#include "tests/refusals.h"

static uint8_t jpeg[ROOM], png[ROOM], pgm[ROOM];
static size_t jpeg_length, png_length, pgm_length;
static char folder[80], film[80];

static bool decode(const uint8_t *bytes, size_t length, brio_error *err) {
  brio_picture picture = {0};
  bool good = brio_picture_decode(&picture, bytes, length, err);
  brio_picture_end(&picture);
  return good;
}

static bool decode_jpeg(brio_error *err) { return decode(jpeg, jpeg_length, err); }
static bool decode_png(brio_error *err) { return decode(png, png_length, err); }
static bool decode_pgm(brio_error *err) { return decode(pgm, pgm_length, err); }

/* Open a source and get its first picture. */
static bool capture_from(const char *from, brio_error *err) {
  brio_camera_settings settings;
  brio_capture capture;
  brio_picture picture = {0};
  brio_camera_settings_start(&settings);
  if (!brio_camera_settings_read(&settings, from, err)) return false;
  bool good = brio_capture_open(&capture, &settings, false, err);
  if (good) good = brio_capture_next(&capture, &picture, err) == BRIO_CAPTURE_PICTURE;
  brio_capture_close(&capture);
  brio_picture_end(&picture);
  return good;
}

static bool open_a_folder(brio_error *err) { return capture_from(folder, err); }
static bool open_a_film(brio_error *err) { return capture_from(film, err); }

static void write_file(const char *path, const uint8_t *bytes, size_t length) {
  FILE *file = fopen(path, "wb");
  CHECK(file && fwrite(bytes, 1, length, file) == length && fclose(file) == 0, "%s is written", path);
}

static void any_allocation_may_fail(void) {
  static const refusals_job jobs[] = {{"a JPEG", decode_jpeg}, {"a PNG", decode_png}, {"a PGM", decode_pgm},
                                      {"a folder of pictures", open_a_folder}, {"a film", open_a_film}};
  static uint8_t bytes[4 * ROOM];
  char path[120], place[] = "/tmp/brio.cameras.XXXXXX";
  draw_ramp();
  jpeg_length = encode_jpeg(jpeg), png_length = encode_png(png), pgm_length = encode_pgm(pgm);
  CHECK(mkdtemp(place), "a folder");
  snprintf(folder, sizeof folder, "from=folder:%s", place);
  snprintf(film, sizeof film, "from=film:%s/a.avi", place);
  snprintf(path, sizeof path, "%s/a.pgm", place);
  write_file(path, pgm, pgm_length);
  snprintf(path, sizeof path, "%s/a.avi", place);
  write_file(path, bytes, make_film(bytes, jpeg, jpeg_length, 2, "MJPG"));
  refusals_of(jobs, sizeof jobs / sizeof *jobs);
  remove(path);
  snprintf(path, sizeof path, "%s/a.pgm", place);
  remove(path);
  rmdir(place);
}

CHECK_SUITE(CHECK_TEST(any_allocation_may_fail))
