/* Requests to a detector: see control.h. Two triple buffers, one in each direction; the rest belongs to the
** feed's thread. */
#include "feed/control.h"

#include <stdio.h>
#include <string.h>

#define FIRST_PAUSE 100000000    /* ns from the first sending to the second one; doubled from then on */
#define MAX_PAUSE 1000000000     /* ns between two sendings, at most */

bool brio_feed_control_start(brio_feed_control *control) {
  memset(control, 0, sizeof *control);
  return brio_triple_start(&control->requests, sizeof(brio_feed_request)) &&
         brio_triple_start(&control->talks, sizeof(brio_feed_talk));
}

void brio_feed_control_end(brio_feed_control *control) {
  brio_triple_end(&control->requests);
  brio_triple_end(&control->talks);
}

void brio_feed_control_ask(brio_feed_control *control, const brio_feed_request *request) {
  /* The newest request replaces one that the thread has not fetched. */
  memcpy(brio_triple_back(&control->requests), request, sizeof *request);
  brio_triple_publish(&control->requests);
}

const brio_feed_talk *brio_feed_control_look(brio_feed_control *control) {
  brio_triple_fetch(&control->talks);
  return brio_triple_front(&control->talks);
}

/* Thread: publish the state of the request for the script thread. */
static void show(brio_feed_control *control) {
  memcpy(brio_triple_back(&control->talks), &control->talk, sizeof control->talk);
  brio_triple_publish(&control->talks);
}

/* Thread: send the request, and double the pause until the next time. */
static void send_now(brio_feed_control *control, const brio_feed_request *request, int64_t now,
                     brio_feed_send send, void *context) {
  if (!send(context, request->text, request->length)) return; /* no sender: tried again in each round */
  control->talk.sends++;
  control->next = now + control->pause;
  control->pause = control->pause < MAX_PAUSE / 2 ? 2 * control->pause : MAX_PAUSE;
  show(control);
}

const brio_feed_request *brio_feed_control_work(brio_feed_control *control, int64_t now, brio_feed_send send,
                                                void *context) {
  bool fresh = brio_triple_fetch(&control->requests);
  const brio_feed_request *request = brio_triple_front(&control->requests);
  /* A new request replaces the old one, answered or not. */
  if (fresh) {
    control->talk.number = request->number;
    control->talk.refused[0] = 0;
    brio_feed_control_again(control);
  }
  /* Sent until it is answered; length 0 only changes what is accepted here. */
  if (control->waiting && request->length > 0 && now >= control->next)
    send_now(control, request, now, send, context);
  return fresh ? request : NULL;
}

void brio_feed_control_hear(brio_feed_control *control, const brio_feed_answer *answer) {
  /* Late answers to older requests, and answers to nothing, are ignored. */
  if (!control->waiting || answer->number != control->talk.number || answer->number == 0) return;
  control->waiting = false;
  control->talk.acknowledged = answer->number;
  memcpy(control->talk.refused, answer->refused, sizeof control->talk.refused);
  show(control);
}

void brio_feed_control_again(brio_feed_control *control) {
  /* No request was ever set. */
  if (control->talk.number == 0) return;
  /* Sent in the next round, with the shortest pause after it. */
  control->waiting = true;
  control->next = 0;
  control->pause = FIRST_PAUSE;
  control->talk.sends = 0;
  show(control);
}
