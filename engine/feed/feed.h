/* A feed: what another program sends during a run, detections or clouds, over UDP, a Unix socket, shared
** memory or from a file.  Each feed has a thread of its own that reads, validates, counts and rejects, so
** that no tick waits for it at any rate or content of messages; valid data is handed to the tick in rings.
**
** All functions are for the script thread.  Between opening and closing none blocks or allocates, except that
** a feed in lockstep (a file on the fast clock) waits for its file. */
#ifndef BRIO_FEED_FEED_H
#define BRIO_FEED_FEED_H

#include "base/error.h"
#include "cloud/files/file.h"
#include "feed/control.h"
#include "feed/messages/message.h"

typedef struct brio_feed brio_feed;

typedef enum brio_feed_content { BRIO_FEED_DETECTIONS, BRIO_FEED_CLOUDS } brio_feed_content;

typedef struct brio_feed_options {
  const char *where;     /* "udp:[HOST:]PORT", "unix:PATH", "shm:NAME", "file:PATH" */
  brio_feed_content content;
  uint8_t detector;      /* detector's number in its detections; 0 is the simulator's */
  bool lockstep;         /* on the fast clock: only of a file */
  /* times of the sender are of this machine's monotonic clock, not of one of its own */
  bool monotonic;
  bool optical;          /* its poses have x right, y down, z forward */
  /* boxes and masks without a position are located by depth: brio_feed_depth_of */
  bool depth;
  double rate;           /* messages a second that are read; 0: 500 */
  double oldest;         /* s: older data is rejected; 0: 1 */
  double silent;         /* s without a message after which another sender is accepted; 0: 1 */
  double speed;          /* of a file; 0: as recorded */
  double begin;          /* s of the run when a file begins */
  bool again;            /* repeat a file from its beginning */
  double period;         /* s between clouds of a folder; 0: 0.1 */
  brio_cloud_settings cloud; /* how clouds are read; a limit of 0: 1000000 points */
  const char *frame;     /* viewpoint of clouds; NULL: as in their messages */
  const char *keep;      /* a folder in which clouds are stored (feed/keep.h); NULL: none */
  int64_t keep_room;     /* bytes of them at most; 0: 16 GB */
} brio_feed_options;

/* Status of a feed.  Counts are since it was opened. */
typedef struct brio_feed_report {
  char where[128];       /* the place, with the port that the system chose */
  char sender[128];      /* current sender; "": none yet */
  brio_feed_counts counts;
  int64_t frames, detections; /* frames accepted by the run; of clouds the points */
  double heard;          /* s of the run: the newest frame; NAN: none yet */
  int jumps;             /* how often the sender's clock has jumped */
  bool over;             /* a file has ended */
  bool two_way;          /* requests can be sent */
} brio_feed_report;

/* Open a feed and start its thread.  Errors: misuse (an invalid place, a live one in lockstep), io,
** no_file, no_memory. */
brio_feed *brio_feed_open(const brio_feed_options *options, brio_error *err);

/* Close it; NULL is allowed. */
void brio_feed_close(brio_feed *feed);

/* The next frame of detections that counts at `time` (s of the run), in the order they came; NULL: none now.
** Its `sensed` is in seconds of the run, at most `time`.  It is valid until the next call. */
const brio_feed_frame *brio_feed_next(brio_feed *feed, double time);

/* Use the depths of an organized cloud (x forward) for the detector's view from now on.  Return false when it
** has no rows, or the feed was opened without `depth`. */
bool brio_feed_depth_of(brio_feed *feed, const brio_cloud *cloud);

/* Swap the newest cloud that counts at `time` (s of the run) with that in `cloud`, whose time is then in
** seconds of the run.  Return whether there was one; else it stays as it is. */
bool brio_feed_cloud(brio_feed *feed, double time, brio_cloud *cloud);

/* The storage key of the newest accepted cloud: its hash ("": not stored), and its bytes. */
const char *brio_feed_kept(const brio_feed *feed, int64_t *length);

/* Get the next message about rejected data; false: none. */
bool brio_feed_next_note(brio_feed *feed, brio_feed_note *note);

/* The detector's number of its detections. */
uint8_t brio_feed_number(const brio_feed *feed);

/* Count an accepted frame that cannot be used: its viewpoint is unknown. */
void brio_feed_refuse_frame(brio_feed *feed);

/* Return the status. */
void brio_feed_look(brio_feed *feed, brio_feed_report *report);

/* Set the request: applied here at once, and sent to the sender if it can receive. */
void brio_feed_ask(brio_feed *feed, const brio_feed_request *request);
const brio_feed_talk *brio_feed_asked(brio_feed *feed);

#endif
