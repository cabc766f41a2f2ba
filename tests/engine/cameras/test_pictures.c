/* Formats of pictures and films: exact pixels, and bytes that are cut, changed or made up. */
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "base/random.h"
#include "drivers/cameras/capture.h"
#include "drivers/cameras/look.h"
#include "drivers/cameras/sources/avi.h"
#include "drivers/cameras/watch.h"
#include "tests/check.h"
#include "tests/engine/cameras/pictures.h"

/* MJPEG frames of cameras have no Huffman tables: take them out. */
static size_t without_tables(uint8_t *bytes, size_t length) {
  for (size_t at = 2; at + 4 < length && bytes[at] == 0xff && bytes[at + 1] != 0xda;) {
    size_t size = 2 + ((size_t)bytes[at + 2] << 8 | bytes[at + 3]);
    if (bytes[at + 1] != 0xc4) {
      at += size;
      continue;
    }
    memmove(bytes + at, bytes + at + size, length - at - size);
    length -= size;
  }
  return length;
}

static void check_ramp(const brio_picture *p, int tolerance, const char *what) {
  CHECK(p->width == WIDTH && p->height == HEIGHT, "%s: %d x %d", what, p->width, p->height);
  for (int i = 0; i < WIDTH * HEIGHT && p->width == WIDTH; i++)
    CHECK(abs(p->gray[i] - ramp[i]) <= tolerance, "%s: pixel %d is %d, not %d", what, i, p->gray[i], ramp[i]);
}

static void formats_give_the_pixels(void) {
  static uint8_t bytes[ROOM];
  brio_picture p = {0};
  brio_error err = {0};
  draw_ramp();
  CHECK(brio_picture_decode(&p, bytes, encode_pgm(bytes), &err), "%s", err.message);
  check_ramp(&p, 0, "PGM");
  CHECK(brio_picture_decode(&p, bytes, encode_png(bytes), &err), "%s", err.message);
  check_ramp(&p, 0, "PNG");
  size_t length = encode_jpeg(bytes);
  CHECK(brio_picture_decode(&p, bytes, length, &err), "%s", err.message);
  check_ramp(&p, 4, "JPEG");
  size_t shorter = without_tables(bytes, length);
  CHECK(shorter < length && brio_picture_decode(&p, bytes, shorter, &err), "%s", err.message);
  check_ramp(&p, 4, "JPEG without tables");
  /* Colors by their weights. */
  memcpy(bytes, "P6 2 1 255\n\xff\0\0\0\xff\0", 17);
  CHECK(brio_picture_decode(&p, bytes, 17, &err) && p.gray[0] == 76 && p.gray[1] == 150, "%d %d", p.gray[0],
        p.gray[1]);
  brio_picture_end(&p);
}

/* Cut and changed pictures fail with a sentence, or give some picture; nothing is read beyond them. */
static void broken_pictures_are_refused(void) {
  typedef size_t encode(uint8_t *);
  encode *const encoders[] = {encode_pgm, encode_png, encode_jpeg};
  static uint8_t good[ROOM];
  brio_random random = brio_random_stream(1, "pictures");
  brio_picture p = {0};
  draw_ramp();
  for (int k = 0; k < 3; k++) {
    size_t length = encoders[k](good);
    int rounds = (int)(100 * check_scale());
    for (int i = 0; i < rounds; i++) {
      /* In memory of its own, so that a sanitizer sees every byte beyond it. */
      size_t cut = brio_random_below(&random, length);
      uint8_t *copy = malloc(length);
      memcpy(copy, good, length);
      brio_error err = {0};
      uint8_t *part = malloc(cut + 1);
      memcpy(part, good, cut);
      CHECK(!brio_picture_decode(&p, part, cut, &err) || cut + 16 > length, "%zu of %zu bytes are a picture",
            cut, length);
      for (int n = 0; n < 5; n++)
        copy[brio_random_below(&random, length)] = (uint8_t)brio_random_bits(&random);
      if (!brio_picture_decode(&p, copy, length, &err)) CHECK(err.message[0], "no sentence");
      free(part), free(copy);
    }
  }
  brio_error err = {0};
  CHECK(!brio_picture_decode(&p, (const uint8_t *)"P5 99999 99999 255\n", 19, &err), "too large");
  CHECK(!brio_picture_decode(&p, (const uint8_t *)"hello", 5, &err) && strstr(err.message, "JPEG, PNG"), "%s",
        err.message);
  brio_picture_end(&p);
}

static void films_give_their_frames(void) {
  static uint8_t frame[ROOM], bytes[8 * ROOM];
  brio_picture p = {0};
  brio_avi avi;
  brio_error err = {0};
  const uint8_t *at;
  size_t size;
  int frames = 0;
  draw_ramp();
  size_t length = encode_jpeg(frame), all = make_film(bytes, frame, length, 5, "MJPG");
  CHECK(brio_avi_open(&avi, bytes, all, &err), "%s", err.message);
  CHECK_NEAR(avi.period, 0.04, 1e-9, "period");
  for (; brio_avi_next(&avi, &at, &size); frames++) {
    CHECK(size == length && brio_picture_decode(&p, at, size, &err), "%s", err.message);
    check_ramp(&p, 4, "frame");
  }
  CHECK(frames == 5, "%d frames", frames);
  /* An empty frame stands for the one before it, so that the frames behind it keep their times; before the
  ** first one it stands for none. */
  all = make_film(bytes, frame, 0, 2, "MJPG");
  all = put_chunk(bytes, all, "00dc", frame, length);
  for (int i = 0; i < 3; i++) all = put_chunk(bytes, all, "00dc", frame, 0);
  CHECK(brio_avi_open(&avi, bytes, all, &err), "%s", err.message);
  for (frames = 0; brio_avi_next(&avi, &at, &size); frames++) CHECK(size == length, "frame %d", frames);
  CHECK(frames == 4, "%d frames", frames);
  /* Another codec is named with what to do. */
  all = make_film(bytes, frame, length, 1, "H264");
  CHECK(!brio_avi_open(&avi, bytes, all, &err) && strstr(err.message, "ffmpeg"), "%s", err.message);
  brio_picture_end(&p);
}

/* A film as a camera: pictures at its own pace, to its end, or again and again; and broken files are told. */
static void films_stand_for_cameras(void) {
  static uint8_t frame[ROOM], bytes[8 * ROOM];
  char path[] = "/tmp/brio.film.XXXXXX", setting[64];
  brio_camera_settings s;
  brio_capture capture;
  brio_picture p = {0};
  brio_error err = {0};
  draw_ramp();
  size_t all = make_film(bytes, frame, encode_jpeg(frame), 3, "MJPG");
  int fd = mkstemp(path);
  CHECK(write(fd, bytes, all) == (ssize_t)all, "the film is written");
  snprintf(setting, sizeof setting, "from=film:%s", path);
  brio_camera_settings_start(&s);
  CHECK(brio_camera_settings_read(&s, setting, &err), "%s", err.message);
  CHECK(brio_capture_open(&capture, &s, false, &err), "%s", err.message);
  for (int i = 0; i < 3; i++) {
    CHECK(brio_capture_next(&capture, &p, &err) == BRIO_CAPTURE_PICTURE && p.number == i, "picture %d", i);
    CHECK_NEAR(p.time, 0.04 * i, 1e-9, "time of picture %d", i);
  }
  CHECK(brio_capture_next(&capture, &p, &err) == BRIO_CAPTURE_END, "the end");
  brio_capture_close(&capture);
  /* Again: the times go on. */
  s.again = 1;
  CHECK(brio_capture_open(&capture, &s, false, &err), "%s", err.message);
  for (int i = 0; i < 7; i++) brio_capture_next(&capture, &p, &err);
  CHECK_NEAR(p.time, 0.24, 1e-9, "time of the seventh picture");
  brio_capture_close(&capture);
  CHECK(ftruncate(fd, 20) == 0 && !brio_capture_open(&capture, &s, false, &err), "a film that is cut off");
  CHECK_HAS(err.message, path);
  close(fd), unlink(path);
  CHECK(!brio_capture_open(&capture, &s, false, &err) && err.code == BRIO_NO_FILE, "no film: %s",
        err.message);
  brio_picture_end(&p);
}

/* Changed films end, and their frames lie within them. */
static void broken_films_stay_within_their_bytes(void) {
  static uint8_t bytes[ROOM];
  brio_random random = brio_random_stream(2, "films");
  size_t all = make_film(bytes,
                         (const uint8_t *)"\xff\xd8\xff"
                                          "frame",
                         8, 20, "MJPG");
  for (int i = 0; i < (int)(2000 * check_scale()); i++) {
    size_t cut = brio_random_below(&random, all) + 1;
    uint8_t *copy = malloc(cut);
    const uint8_t *at;
    size_t size;
    int frames = 0;
    brio_avi avi;
    memcpy(copy, bytes, cut);
    for (int n = 0; n < 4; n++) copy[brio_random_below(&random, cut)] = (uint8_t)brio_random_bits(&random);
    if (brio_avi_open(&avi, copy, cut, NULL))
      for (; brio_avi_next(&avi, &at, &size) && frames < 1000; frames++)
        CHECK(at >= copy && at + size <= copy + cut, "a frame beyond the film");
    CHECK(frames < 1000, "a film without an end");
    free(copy);
  }
}

static void faults_of_pictures_are_seen(void) {
  brio_camera_settings s;
  brio_camera_watch watch;
  brio_picture p = {0};
  brio_camera_settings_start(&s);
  brio_picture_resize(&p, WIDTH, HEIGHT, NULL);
  brio_camera_watch_start(&watch, 0);
  memset(p.gray, 100, WIDTH * HEIGHT);
  CHECK(!brio_camera_watch_picture(&watch, &s, &p, 0.1), "a good one");
  /* The same picture counts as frozen after half a second, and one pixel is enough to go on. */
  CHECK(!brio_camera_watch_picture(&watch, &s, &p, 0.5), "not yet");
  CHECK_HAS(brio_camera_watch_picture(&watch, &s, &p, 0.65), "frozen");
  p.gray[5]++;
  CHECK(!brio_camera_watch_picture(&watch, &s, &p, 0.7), "it goes on");
  /* Black pictures, with a sensor's noise. */
  const char *words = NULL;
  for (int i = 0; i < 20; i++) {
    memset(p.gray, 3, WIDTH * HEIGHT), p.gray[i] = 5;
    words = brio_camera_watch_picture(&watch, &s, &p, 0.8 + 0.05 * i);
  }
  CHECK(words && strstr(words, "black"), "'%s'", words ? words : "");
  CHECK(!brio_camera_watch_silence(&watch, &s, 1.9), "0.15 s of silence");
  CHECK_HAS(brio_camera_watch_silence(&watch, &s, 2.4), "no picture");
  /* Intrinsics for another shape. */
  s.fx = 100, s.cx = 30, s.cy = 30, s.cwidth = 60, s.cheight = 60;
  CHECK_HAS(brio_camera_watch_picture(&watch, &s, &p, 3), "wrong size");
  brio_camera_watch_end(&watch);
  brio_picture_end(&p);
}

static void a_picture_is_shown_to_those_who_ask(void) {
  brio_camera_look look;
  brio_error err = {0};
  brio_picture p = {0}, seen = {0};
  struct stat about;
  char folder[64] = "/tmp/brio-look-XXXXXX", path[96], wanted[112];
  CHECK(mkdtemp(folder), "a folder");
  snprintf(path, sizeof path, "%s/own/eye.jpg", folder);
  snprintf(wanted, sizeof wanted, "%s.wanted", path);
  CHECK(brio_camera_look_open(&look, path, &err), "%s", err.message);
  /* 1000 x 500 with a dark and a bright half: a quarter of that fits into 320 px. */
  brio_picture_resize(&p, 1000, 500, NULL);
  for (int i = 0; i < 1000 * 500; i++) p.gray[i] = i % 1000 < 500 ? 40 : 200;
  CHECK(brio_camera_look_show(&look, &p, 0, &err) && stat(path, &about) != 0, "nobody asks");
  FILE *file = fopen(wanted, "w");
  CHECK(file && fclose(file) == 0, "somebody asks");
  CHECK(brio_camera_look_show(&look, &p, 0.1, &err) && stat(path, &about) != 0, "it is not due");
  CHECK(brio_camera_look_show(&look, &p, 0.3, &err), "%s", err.message);
  CHECK(brio_picture_read(&seen, path, &err), "%s", err.message);
  CHECK(seen.width == 250 && seen.height == 125, "%d x %d", seen.width, seen.height);
  CHECK(abs(seen.gray[250 * 60 + 60] - 40) < 5 && abs(seen.gray[250 * 60 + 190] - 200) < 5, "its halves");
  CHECK(stat(path, &about) == 0 && (about.st_mode & 0777) == 0600, "others cannot read it");
  /* Who has not asked for some seconds, has gone. */
  struct timeval old[2] = {{time(NULL) - 10, 0}, {time(NULL) - 10, 0}};
  CHECK(utimes(wanted, old) == 0 && unlink(path) == 0, "a while ago");
  CHECK(brio_camera_look_show(&look, &p, 0.6, &err) && stat(path, &about) != 0, "nobody asks any more");
  brio_camera_look_end(&look);
  snprintf(wanted, sizeof wanted, "%s/own", folder);
  CHECK(stat(wanted, &about) != 0, "nothing is left");
  /* A folder in which others may write, a link, and no folder. */
  CHECK(mkdir(wanted, 0700) == 0 && chmod(wanted, 0777) == 0, "a folder");
  CHECK(!brio_camera_look_open(&look, path, &err), "it is refused");
  CHECK(brio_camera_look_show(&look, &p, 1, &err), "nobody can look then");
  CHECK_HAS(err.message, "no folder of this user alone");
  CHECK(rmdir(wanted) == 0 && symlink("/tmp", wanted) == 0, "a link");
  CHECK(!brio_camera_look_open(&look, path, &err), "it is refused, too");
  CHECK(!brio_camera_look_open(&look, "eye.jpg", &err), "no folder");
  CHECK_HAS(err.message, "/FOLDER/FILE");
  unlink(wanted), rmdir(folder);
  /* Pictures of any size: their means. */
  const int sizes[][4] = {
      {1, 1, 1, 1}, {320, 3, 320, 3}, {321, 1, 160, 1}, {2, 900, 1, 300}, {640, 480, 320, 240}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    brio_picture_resize(&p, sizes[i][0], sizes[i][1], NULL);
    memset(p.gray, 77, (size_t)(p.width * p.height));
    CHECK(brio_camera_look_shrink(&p, &seen, &err), "%s", err.message);
    CHECK(seen.width == sizes[i][2] && seen.height == sizes[i][3], "%d x %d", seen.width, seen.height);
    for (int k = 0; k < seen.width * seen.height; k++) CHECK(seen.gray[k] == 77, "pixel %d", k);
  }
  brio_picture_end(&p), brio_picture_end(&seen);
}

CHECK_SUITE(CHECK_TEST(formats_give_the_pixels), CHECK_TEST(broken_pictures_are_refused),
            CHECK_TEST(films_give_their_frames), CHECK_TEST(films_stand_for_cameras),
            CHECK_TEST(broken_films_stay_within_their_bytes), CHECK_TEST(faults_of_pictures_are_seen),
            CHECK_TEST(a_picture_is_shown_to_those_who_ask))
