/* Messages of detectors, in both forms: their content, and refusals, by reason. */
#include <math.h>

#include "feed/messages/message.h"
#include "tests/check.h"

static brio_feed_meter meter;
static brio_feed_message message;
static brio_feed_reading reading;

static bool read_line(const char *line) {
  brio_feed_meter_end(&meter);
  brio_feed_meter_start(&meter);
  return brio_feed_read(line, strlen(line), &reading, &message, &meter);
}

static int64_t refused(brio_feed_reason reason) { return atomic_load(&meter.counts[reason]); }

static void every_field_is_read(void) {
  CHECK(read_line("{\"t\": 12.5, \"sent\": 12.6, \"seq\": 7, \"model\": \"yolo\", \"camera\": {\"fx\": 500, "
                  "\"fy\": 510, \"cx\": 320, \"cy\": 240, "
                  "\"width\": 640, \"height\": 480}, \"other\": {\"a\": [1, null]}, \"detections\": "
                  "[{\"class\": \"cup\", \"id\": 12, \"confidence\": 0.75, "
                  "\"pose\": {\"position\": [1, 2, 3], \"orientation\": [0, 0, 1, 0]}, \"size\": [0.1, 0.2, "
                  "0.3], \"color\": [1, 0.5, 0], "
                  "\"corners\": [[0,0,0],[1,0,0],[1,1,0],[0,1,0],[0,0,1],[1,0,1],[1,1,1],[0,1,2]]}]}"),
        "a whole message");
  const brio_feed_frame *frame = &message.frame;
  const brio_detection *d = &frame->seen[0].detection;
  CHECK(message.seen && frame->count == 1 && message.number == 7 && message.answer.number == -1, "%d",
        frame->count);
  CHECK_NEAR(frame->sensed, 12.5, 0, "t");
  CHECK_NEAR(message.sent, 12.6, 0, "sent");
  CHECK(strcmp(frame->model, "yolo") == 0 && frame->camera.width == 640 && frame->camera.fy == 510,
        "model and camera");
  CHECK(strcmp(d->kind, "cup") == 0 && strcmp(d->id, "12") == 0 && d->oriented, "%s %s", d->kind, d->id);
  CHECK_NEAR(d->pose.p.z, 3, 0, "position");
  CHECK_NEAR(d->pose.q.z, 1, 0, "orientation");
  CHECK_NEAR(d->confidence, 0.75, 0, "confidence");
  CHECK_NEAR(d->size.y, 0.2, 0, "size");
  CHECK_NEAR(d->color[1], 0.5, 0, "color");
  CHECK_NEAR(frame->seen[0].corners[7][2], 2, 0, "corners");
}

static void corners_tell_size_and_place(void) {
  const char *corners = "\"corners\": [[0,1,0],[4,1,0],[4,2,0],[0,2,0],[0,1,6],[4,1,6],[4,2,6],[0,2,6]]";
  char line[512];
  snprintf(line, sizeof line,
           "{\"detections\": [{\"class\": \"a\", %s}, {\"class\": \"b\", \"pose\": "
           "[9,0,0,0,0,0.70710678,0.70710678], %s}, "
           "{\"class\": \"c\", \"pose\": [9,0,0], \"size\": [1,1,1], %s}]}",
           corners, corners, corners);
  CHECK(read_line(line) && message.frame.count == 3, "%d", message.frame.count);
  const brio_detection *a = &message.frame.seen[0].detection, *b = &message.frame.seen[1].detection;
  CHECK(a->pose.p.x == 2 && a->pose.p.y == 1.5 && a->pose.p.z == 3 && a->size.x == 4 && a->size.z == 6,
        "a's box");
  CHECK_NEAR(b->size.x, 1, 1e-6, "turned by a quarter");
  CHECK(b->pose.p.x == 9 && message.frame.seen[2].detection.size.x == 1, "what is said counts");
}

static void an_answer_needs_no_detections(void) {
  CHECK(read_line("{\"ack\": 3, \"refused\": \"there is no model 'x'\"}") && !message.seen &&
            message.answer.number == 3,
        "an answer");
  CHECK_HAS(message.answer.refused, "no model");
  CHECK(read_line("{\"ack\": 4, \"detections\": []}") && message.seen && message.frame.count == 0, "both");
  CHECK(!read_line("{\"t\": 1}") && refused(BRIO_FEED_FIELD) == 1, "neither");
}

static void one_bad_detection_leaves_the_others(void) {
  CHECK(read_line("{\"detections\": [{\"class\": \"a\", \"pose\": [0,0,1]}, {\"class\": 5, \"pose\": "
                  "[0,0,1]}, {\"pose\": [0,0,1]}, "
                  "{\"class\": \"b\"}, {\"class\": \"c\", \"pose\": [1e30,0,0]}, {\"class\": \"d\", "
                  "\"pose\": [1e999,0,0]}, 7, "
                  "{\"class\": \"e\", \"pose\": [0,0,1], \"confidence\": 95}, {\"class\": \"f\", \"pose\": "
                  "[0,0,1,0,0,0,0]}, "
                  "{\"class\": \"g\", \"pose\": [0,0,2], \"size\": [1,-1,1]}, {\"class\": \"h\", \"pose\": "
                  "[0,0,3]}]}"),
        "it is read");
  CHECK(message.frame.count == 2, "%d", message.frame.count);
  CHECK(strcmp(message.frame.seen[0].detection.kind, "a") == 0 &&
            strcmp(message.frame.seen[1].detection.kind, "h") == 0,
        "a and h");
  CHECK(refused(BRIO_FEED_CLASS) == 1 && refused(BRIO_FEED_PLACE) == 1 && refused(BRIO_FEED_NUMBER) == 1,
        "by reason");
  CHECK(refused(BRIO_FEED_FIELD) == 6, "%lld", (long long)refused(BRIO_FEED_FIELD));
}

static void a_bad_line_leaves_nothing(void) {
  static const struct { const char *line; brio_feed_reason reason;
  } bad[] = {{"", BRIO_FEED_SYNTAX},
             {"garbage", BRIO_FEED_SYNTAX},
             {"{\"detections\": [", BRIO_FEED_SYNTAX},
             {"[1, 2]", BRIO_FEED_SYNTAX},
             {"{\"detections\": []} x", BRIO_FEED_SYNTAX},
             {"{\"detections\": [{\"class\": \"a\", \"pose\": [0, 0, NaN]}]}", BRIO_FEED_SYNTAX},
             {"{\"detections\": 3}", BRIO_FEED_FIELD},
             {"{\"t\": \"now\", \"detections\": []}", BRIO_FEED_FIELD},
             {"{\"t\": 1e400, \"detections\": []}", BRIO_FEED_FIELD},
             {"{\"seq\": -1, \"detections\": []}", BRIO_FEED_FIELD},
             {"{\"camera\": {\"fx\": 0, \"fy\": 1, \"cx\": 1, \"cy\": 1, \"width\": 1, \"height\": 1}, "
              "\"detections\": []}",
              BRIO_FEED_FIELD},
             {"BRID\1\0\1\0", BRIO_FEED_VERSION}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    CHECK(!read_line(bad[i].line) && refused(bad[i].reason) == 1, "%s", bad[i].line);
}

static void deep_and_long_lines_end(void) {
  enum { DEEP = 100000 };
  char *line = malloc(2 * DEEP + 64);
  int length = sprintf(line, "{\"other\": ");
  memset(line + length, '[', DEEP);
  line[length + DEEP] = 0;
  CHECK(!read_line(line) && refused(BRIO_FEED_SYNTAX) == 1, "a hundred thousand brackets");
  free(line);
}

static void more_than_there_is_room_for_is_left_out(void) {
  char *line = malloc(1 << 16), *at = line + sprintf(line, "{\"detections\": [");
  for (int i = 0; i < 300; i++)
    at += sprintf(at, "%s{\"class\": \"a\", \"pose\": [0, 0, %d]}", i ? ", " : "", i);
  sprintf(at, "]}");
  CHECK(read_line(line) && message.frame.count == BRIO_FEED_MOST &&
            refused(BRIO_FEED_MANY) == 300 - BRIO_FEED_MOST,
        "%d", message.frame.count);
  free(line);
}

static void boxes_with_a_depth_have_a_place(void) {
  CHECK(read_line("{\"detections\": [{\"class\": \"a\", \"box\": [300, 190, 40, 20], \"depth\": 2}, "
                  "{\"class\": \"b\", \"box\": [412, 130, 16, 20], \"depth\": 1}], "
                  "\"camera\": {\"fx\": 200, \"fy\": 100, \"cx\": 320, \"cy\": 240, \"width\": 640, "
                  "\"height\": 480}}"),
        "it is read");
  brio_vec3 a = message.frame.seen[0].detection.pose.p, b = message.frame.seen[1].detection.pose.p;
  CHECK(message.frame.count == 2, "%d", message.frame.count);
  CHECK_NEAR(a.x, 2, 1e-9, "forward");
  CHECK_NEAR(a.y, 0, 1e-9, "in the middle");
  CHECK_NEAR(a.z, 0.8, 1e-9, "40 px above the middle, at 2 m: 40 / 100 * 2");
  CHECK_NEAR(b.y, -0.5, 1e-9, "100 px to the right, at 1 m: 100 / 200");
}

static void optical_axes_are_turned(void) {
  reading.optical = true;
  CHECK(read_line("{\"detections\": [{\"class\": \"a\", \"pose\": [0.1, 0.2, 3, 0, 0, 0, 1]}]}"),
        "it is read");
  reading.optical = false;
  brio_pose pose = message.frame.seen[0].detection.pose;
  CHECK_NEAR(pose.p.x, 3, 1e-9, "forward");
  CHECK_NEAR(pose.p.y, -0.1, 1e-9, "left");
  CHECK_NEAR(pose.p.z, -0.2, 1e-9, "up");
  brio_vec3 forward = brio_quat_rotate(pose.q, (brio_vec3){0, 0, 1}); /* of the camera's own axes */
  CHECK_NEAR(forward.x, 1, 1e-9, "its z is forward");
}

static void classes_and_confidence_are_kept_to(void) {
  reading.wanted = (brio_feed_wanted){
      .confidence = 0.5,
      .known_only = true,
      .count = 2,
      .classes = {{.name = "cup", .on = true, .confidence = NAN}, {.name = "chair", .confidence = NAN}}};
  CHECK(read_line("{\"detections\": [{\"class\": \"cup\", \"pose\": [0,0,1]}, {\"class\": \"cup\", "
                  "\"confidence\": 0.4, \"pose\": [0,0,1]}, "
                  "{\"class\": \"chair\", \"pose\": [0,0,1]}, {\"class\": \"unicorn\", \"pose\": [0,0,1]}]}"),
        "it is read");
  CHECK(message.frame.count == 1 && refused(BRIO_FEED_OFF) == 2 && refused(BRIO_FEED_CLASS) == 1, "%d",
        message.frame.count);
  CHECK_HAS(meter.details[BRIO_FEED_CLASS], "unicorn");
  reading.wanted = (brio_feed_wanted){0};
}

/* Both forms of one message have the same content. */
static void binary_says_what_json_says(void) {
  static char bytes[BRIO_FEED_LONGEST];
  static brio_feed_frame before;
  CHECK(read_line(
            "{\"t\": 2.5, \"seq\": 9, \"model\": \"m\", \"detections\": [{\"class\": \"cup\", \"id\": "
            "\"c1\", \"confidence\": 0.5, \"pose\": [1, 2, 3, 0, 0, 1, 0], "
            "\"size\": [1, 2, 4], \"color\": [0.5, 0.25, 1]}, {\"class\": \"door\", \"pose\": [4, 5, 6]}]}"),
        "it is read");
  before = message.frame;
  size_t length = brio_feed_write_binary(&message, bytes, sizeof bytes);
  CHECK(length == 96 + 2 * 256 + 4 && brio_feed_binary_length(bytes) == length, "%zu", length);
  CHECK(brio_feed_read(bytes, length, &reading, &message, &meter) && message.frame.count == 2 &&
            message.number == 9,
        "it is read again");
  for (int i = 0; i < 2; i++) {
    const brio_detection *a = &before.seen[i].detection, *b = &message.frame.seen[i].detection;
    CHECK(strcmp(a->kind, b->kind) == 0 && strcmp(a->id, b->id) == 0 && a->oriented == b->oriented, "%s",
          b->kind);
    CHECK(a->pose.p.x == b->pose.p.x && a->pose.q.z == b->pose.q.z && a->size.z == b->size.z &&
              a->confidence == b->confidence,
          "numbers");
    CHECK(isnan(a->color[1]) == isnan(b->color[1]) && !(a->color[1] != b->color[1] && !isnan(a->color[1])),
          "color");
  }
  for (size_t cut = 0; cut < length; cut++)
    CHECK(!brio_feed_read(bytes, cut, &reading, &message, &meter), "%zu bytes passed", cut);
  for (size_t at = 0; at < length; at += 7) {
    bytes[at] ^= 0x10;
    CHECK(!brio_feed_read(bytes, length, &reading, &message, &meter), "byte %zu changed, and passed", at);
    bytes[at] ^= 0x10;
  }
}

static void each_reason_is_said_once_in_a_while(void) {
  brio_feed_note note;
  read_line("garbage");
  for (int i = 0; i < 999; i++) brio_feed_read("x", 1, &reading, &message, &meter);
  brio_feed_meter_say(&meter, 1000000000);
  CHECK(brio_ring_get(&meter.notes, &note) && note.reason == BRIO_FEED_SYNTAX && note.count == 1000,
        "the first at once");
  CHECK_HAS(note.detail, "byte 1 of 7");
  CHECK(!brio_ring_get(&meter.notes, &note), "no other");
  brio_feed_read("x", 1, &reading, &message, &meter);
  brio_feed_meter_say(&meter, 2000000000);
  CHECK(!brio_ring_get(&meter.notes, &note), "not within five seconds");
  brio_feed_meter_say(&meter, 6000000001);
  CHECK(brio_ring_get(&meter.notes, &note) && note.count == 1 && note.seconds > 4.9, "then what came since");
}

CHECK_SUITE(CHECK_TEST(every_field_is_read), CHECK_TEST(corners_tell_size_and_place),
            CHECK_TEST(an_answer_needs_no_detections), CHECK_TEST(one_bad_detection_leaves_the_others),
            CHECK_TEST(a_bad_line_leaves_nothing), CHECK_TEST(deep_and_long_lines_end),
            CHECK_TEST(more_than_there_is_room_for_is_left_out), CHECK_TEST(boxes_with_a_depth_have_a_place),
            CHECK_TEST(optical_axes_are_turned), CHECK_TEST(classes_and_confidence_are_kept_to),
            CHECK_TEST(binary_says_what_json_says), CHECK_TEST(each_reason_is_said_once_in_a_while))
