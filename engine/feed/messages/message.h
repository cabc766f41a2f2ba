/* A parsed message of a detector: its detections, and its answer.  docs/perception/detectors.md has the
** fields.
**
** Parsing is pure: bytes in, numbers out, in memory of the caller.  An invalid detection is dropped; an
** invalid message is dropped whole. */
#ifndef BRIO_FEED_MESSAGES_MESSAGE_H
#define BRIO_FEED_MESSAGES_MESSAGE_H

#include "feed/meter.h"
#include "math/detection.h"
#include "scene/camera.h"

enum {
  BRIO_FEED_MOST = 256,     /* detections in a message */
  BRIO_FEED_OUTLINE = 8192, /* most numbers of all masks in a message */
  BRIO_FEED_MODEL = 32,     /* bytes of a model's name with its terminating 0 */
  BRIO_FEED_LONGEST = 1 << 20 /* bytes of a JSON line */
};

/* Optional parts of a detection. */
enum {
  BRIO_FEED_HAS_POSE = 1,
  BRIO_FEED_HAS_BOX = 2,
  BRIO_FEED_HAS_DEPTH = 4,
  BRIO_FEED_HAS_CORNERS = 8,
};

/* Encoding of a mask. */
typedef enum brio_feed_mask {
  BRIO_FEED_NO_MASK,
  BRIO_FEED_POLYGON,
  BRIO_FEED_ROWS,
  BRIO_FEED_COLUMNS
} brio_feed_mask;

typedef struct brio_feed_seen {
  brio_detection detection; /* its pose in the sender's frame, x forward, y left, z up; time is the frame's */
  unsigned has;
  float box[4];             /* px: left, top, width, height */
  float depth;              /* m along the camera's axis */
  float corners[8][3];      /* m, as the pose */
  brio_feed_mask mask;
  int first, count;         /* offset and count of its numbers in the frame's outline */
} brio_feed_seen;

typedef struct brio_feed_frame {
  /* s: of the sender's clock in a parsed message; later see brio_feed_next; NAN: not given */
  double sensed;
  double due;               /* s of the run from which it counts; live: -INFINITY */
  brio_feed_counts counts;  /* its feed's counts until then: in lockstep there are no others */
  char model[BRIO_FEED_MODEL]; /* model of the detector; "": not given */
  brio_camera camera;       /* width 0: unknown */
  int count, noutline;
  brio_feed_seen seen[BRIO_FEED_MOST];
  float outline[BRIO_FEED_OUTLINE]; /* noutline: of polygons x y x y ... (px), of runs their lengths */
} brio_feed_frame;

/* A sender's answer to a request (feed/control.h). */
typedef struct brio_feed_answer {
  int64_t number;           /* of the request; -1: no answer */
  char refused[BRIO_FEED_WORDS]; /* reason of a refusal; "": accepted */
} brio_feed_answer;

typedef struct brio_feed_message {
  bool seen;                /* it has detections, possibly none */
  double sent;              /* s of the sender's clock when it was sent; NAN: not given */
  int64_t number;           /* -1: not given */
  brio_feed_answer answer;
  char fault[BRIO_FEED_WORDS]; /* of the sensor, a sentence; "": none */
  brio_feed_frame frame;
} brio_feed_message;

/* Filter of a sender's detections. */
typedef struct brio_feed_class {
  char name[BRIO_DETECTION_KIND];
  bool on;
  double confidence;        /* least; NAN: the general value */
  double erosion, outlier;  /* px, deviations: see scene/mask.h; 0: the general value */
} brio_feed_class;

enum { BRIO_FEED_CLASSES = 128 };

typedef struct brio_feed_wanted {
  double confidence;        /* at least */
  double erosion, outlier;  /* filters by class; 0: none, defaults apply */
  bool known_only;          /* classes that are not in the list are rejected */
  int count;
  brio_feed_class classes[BRIO_FEED_CLASSES];
} brio_feed_wanted;

/* Settings for parsing messages of a sender. */
typedef struct brio_feed_reading {
  bool depth;               /* a detection with a box or a mask only is located by depth later */
  bool optical;             /* its poses have x right, y down, z forward */
  brio_feed_wanted wanted;
} brio_feed_reading;

/* Parse a message: a line of JSON without its end, or a whole binary message.  Rejections are counted in
** `meter`. Return false when the message as a whole is rejected. */
bool brio_feed_read(const char *bytes, size_t length, const brio_feed_reading *reading,
                    brio_feed_message *out, brio_feed_meter *meter);

/* The parsers of the two formats. */
bool brio_feed_read_json(const char *bytes, size_t length, const brio_feed_reading *reading,
                         brio_feed_message *out, brio_feed_meter *meter);
bool brio_feed_read_binary(const char *bytes, size_t length, const brio_feed_reading *reading,
                           brio_feed_message *out, brio_feed_meter *meter);

/* Make a binary message of a frame, without an answer, for tests and tools.  Return its length, or 0: no
** room. */
size_t brio_feed_write_binary(const brio_feed_message *message, char *out, size_t size);

/* Begin a message with all fields unknown. */
void brio_feed_message_start(brio_feed_message *message);

/* Validate a parsed detection, and add it to the frame, or reject it: by class and confidence, by its
** numbers, by its position.  Return whether it was added. */
bool brio_feed_judge(brio_feed_frame *frame, brio_feed_seen *seen, const brio_feed_reading *reading,
                     brio_feed_meter *meter);

/* Return the length of the binary message that begins here, from its first 16 bytes; 0: invalid. */
size_t brio_feed_binary_length(const char *bytes);

enum { BRIO_FEED_BINARY_BEGINS = 'B', BRIO_FEED_BINARY_HEAD = 16 };

#endif
