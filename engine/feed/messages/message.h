/* One message of a detector, read: what was seen, and what it answers.  docs/perception/detectors.md has the
** fields.
**
** Reading is pure: bytes in, numbers out, in memory that the caller keeps.  What is wrong with one detection
** leaves that one out; what is wrong with the message leaves out all of it. */
#ifndef BRIO_FEED_MESSAGES_MESSAGE_H
#define BRIO_FEED_MESSAGES_MESSAGE_H

#include "feed/meter.h"
#include "math/detection.h"
#include "scene/camera.h"

enum {
  BRIO_FEED_MOST = 256,     /* detections in a message */
  BRIO_FEED_OUTLINE = 8192, /* numbers that masks of a message have together */
  BRIO_FEED_MODEL = 32,     /* bytes of a model's name, its closing 0 among them */
  BRIO_FEED_LONGEST = 1 << 20 /* bytes of a JSON line */
};

/* What a detection has besides its class. */
enum {
  BRIO_FEED_HAS_POSE = 1,
  BRIO_FEED_HAS_BOX = 2,
  BRIO_FEED_HAS_DEPTH = 4,
  BRIO_FEED_HAS_CORNERS = 8,
};

/* How a mask is told. */
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
  int first, count;         /* its numbers in the frame's outline */
} brio_feed_seen;

typedef struct brio_feed_frame {
  /* s: of the sender's clock when a message is read; later see brio_feed_next; NAN: not said */
  double sensed;
  double due;               /* s of the run: when it counts; of what comes live, -INFINITY */
  brio_feed_counts counts;  /* of its feed until then: in lockstep nothing else is told of it */
  char model[BRIO_FEED_MODEL]; /* which model of the detector saw it; "": not said */
  brio_camera camera;       /* width 0: not known */
  int count, noutline;
  brio_feed_seen seen[BRIO_FEED_MOST];
  float outline[BRIO_FEED_OUTLINE]; /* noutline: of polygons x y x y ... (px), of runs their lengths */
} brio_feed_frame;

/* What a sender answers to a request (feed/control.h). */
typedef struct brio_feed_answer {
  int64_t number;           /* of the request; -1: no answer */
  char refused[BRIO_FEED_WORDS]; /* why it is not done; "": it is */
} brio_feed_answer;

typedef struct brio_feed_message {
  bool seen;                /* it has detections, perhaps none */
  double sent;              /* s of the sender's clock when it was sent; NAN: not said */
  int64_t number;           /* -1: not said */
  brio_feed_answer answer;
  brio_feed_frame frame;
} brio_feed_message;

/* Which detections are wanted of a sender, whatever it sends. */
typedef struct brio_feed_class {
  char name[BRIO_DETECTION_KIND];
  bool on;
  double confidence;        /* at least; NAN: as all */
  double erosion, outlier;  /* px, deviations: see scene/mask.h; 0: as all */
} brio_feed_class;

enum { BRIO_FEED_CLASSES = 128 };

typedef struct brio_feed_wanted {
  double confidence;        /* at least */
  double erosion, outlier;  /* as of a class; 0: none, and what is usual */
  bool known_only;          /* classes that are not in the list are refused */
  int count;
  brio_feed_class classes[BRIO_FEED_CLASSES];
} brio_feed_wanted;

/* How messages of a sender are read. */
typedef struct brio_feed_reading {
  bool depth;               /* what has a box or a mask alone is looked up in a depth picture later */
  bool optical;             /* its poses have x right, y down, z forward */
  brio_feed_wanted wanted;
} brio_feed_reading;

/* Read a message: a line of JSON without its end, or a whole binary message.  Refusals are counted in
** `meter`.  Return false when the message as a whole is refused. */
bool brio_feed_read(const char *bytes, size_t length, const brio_feed_reading *reading,
                    brio_feed_message *out, brio_feed_meter *meter);

/* The two ways, by themselves. */
bool brio_feed_read_json(const char *bytes, size_t length, const brio_feed_reading *reading,
                         brio_feed_message *out, brio_feed_meter *meter);
bool brio_feed_read_binary(const char *bytes, size_t length, const brio_feed_reading *reading,
                           brio_feed_message *out, brio_feed_meter *meter);

/* Make a binary message of a frame, without an answer, for tests and tools.  Return its length, or 0: no
** room. */
size_t brio_feed_write_binary(const brio_feed_message *message, char *out, size_t size);

/* Begin a message: nothing is known. */
void brio_feed_message_start(brio_feed_message *message);

/* Judge a detection that was read, and count it among the frame's, or refuse it: by class and confidence, by
** its numbers, by whether it is anywhere.  Return whether it is among them. */
bool brio_feed_judge(brio_feed_frame *frame, brio_feed_seen *seen, const brio_feed_reading *reading,
                     brio_feed_meter *meter);

/* The whole length of the binary message that begins here, from its first 16 bytes; 0: it is none. */
size_t brio_feed_binary_length(const char *bytes);

enum { BRIO_FEED_BINARY_BEGINS = 'B', BRIO_FEED_BINARY_HEAD = 16 };

#endif
