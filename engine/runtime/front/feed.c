/* Pose feeds: a client that asks for one gets frames instead of lines from then on, each behind its length
** (2 bytes, little-endian).  Frames are made in this thread from the motor side's newest positions, at
** absolute due times, and left out for a client that does not read. */
#include "base/clock.h"
#include "runtime/front/client.h"
#include "runtime/live_poses.h"

enum { MAX_WAITING = 64 * 1024 /* bytes that may wait for a client; further frames are left out */ };

/* Send a frame to one client. */
static void send_frame(brio_front_client *c, brio_live_poses *board, const brio_live_pose *pose) {
  unsigned char bytes[2 + BRIO_LIVE_MOST];
  /* A slow reader gets the newest pose later, not every pose. */
  if (uv_stream_get_write_queue_size((uv_stream_t *)&c->pipe) > MAX_WAITING) return;
  size_t length = brio_live_pose_frame(pose, brio_live_poses_base(board), brio_live_poses_axes(board),
                                       c->feed_source, bytes + 2);
  bytes[0] = (unsigned char)length;
  bytes[1] = (unsigned char)(length >> 8);
  brio_front_client_send(c, (const char *)bytes, length + 2, false);
}

/* Send what is due at `now`; return when the next frame is due, 0: never. */
static int64_t send_due(brio_front_loop *loop, brio_live_poses *board, int64_t now) {
  int64_t next = 0;
  const brio_live_pose *pose = brio_live_poses_newest(board);
  for (int i = 0; i < BRIO_FRONT_PLACES; i++) {
    brio_front_client *c = &loop->clients[i];
    if (!brio_front_client_open(c) || !c->feed_period) continue;
    if (c->feed_due <= now) {
      if (pose) send_frame(c, board, pose);
      /* Missed frames are not sent later. */
      c->feed_due += c->feed_period;
      if (c->feed_due <= now) c->feed_due = now + c->feed_period;
    }
    if (!next || c->feed_due < next) next = c->feed_due;
  }
  return next;
}

/* The timer of all feeds. */
static void on_feed(uv_timer_t *timer) {
  brio_front_loop *loop = timer->data;
  brio_live_poses *board = atomic_load(&loop->front->poses);
  int64_t now = brio_clock_monotonic();
  int64_t next = send_due(loop, board, now);
  /* The last client left: the motor side stops writing. */
  brio_live_poses_watch(board, next != 0);
  if (!next) return;
  /* The timer counts from the time at which the loop woke, in ms. */
  uv_update_time(&loop->uv);
  int64_t wait = (next - now + 500000) / 1000000;
  uv_timer_start(&loop->feed, on_feed, wait > 0 ? (uint64_t)wait : 0, 0);
}

void brio_front_client_feed(brio_front_client *c, const brio_front_request *request) {
  brio_live_poses *board = atomic_load(&c->loop->front->poses);
  if (!board) {
    brio_front_client_answer(c, request->id, "error",
                             "there are no poses yet: the run is being put together");
    return;
  }
  /* The feed is on before the client gets its answer: the motor side writes from now on. */
  brio_live_poses_watch(board, true);
  /* The answer is the last line; frames follow. */
  brio_text *text = brio_front_client_begin(c->loop, request->id);
  brio_text_format(text, "\"feed\":%.9g,\"axes\":%d", request->feed, brio_live_poses_axes(board));
  brio_front_client_end(c, request->id, text);
  c->feed_period = (int64_t)(1e9 / request->feed);
  c->feed_due = brio_clock_monotonic();
  c->feed_source = request->feed_command ? BRIO_LIVE_COMMAND : BRIO_LIVE_MEASURED;
  uv_timer_start(&c->loop->feed, on_feed, 0, 0);
}
