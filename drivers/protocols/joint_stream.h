/* The content of joint streaming messages (json.c): numbers by field and name.  docs/devices/joint-stream.md
** has the fields. */
#ifndef BRIO_DRIVERS_PROTOCOLS_JOINT_STREAM_H
#define BRIO_DRIVERS_PROTOCOLS_JOINT_STREAM_H

#include "drivers/driver.h"
#include "drivers/ports/port.h"
#include "drivers/protocols/wire.h"

/* One number of a message, as in {"seq": 12, "positions": {"head": 0.1}, "inputs": {"imu": [1, 2]}}. */
typedef struct brio_joint_stream_item {
  /* not 0-terminated; name NULL: the field itself is a number; text NULL: no text */
  const char *field, *name, *text;
  int nfield, nname, ntext;        /* bytes */
  int index;                       /* in an array; otherwise 0 */
  double value;                    /* true is 1, false 0; of a text NAN */
} brio_joint_stream_item;

/* Call `visit` for the numbers and texts of a message, except numbers that are not finite.  Return their
** count. */
int brio_joint_stream_visit(const brio_packet *packet,
                            void (*visit)(void *context, const brio_joint_stream_item *item), void *context);

/* Return whether an item's field or name is that word. */
bool brio_joint_stream_is(const char *bytes, int length, const char *word);

/* The same for the numbers in "positions" only: `visit` gets each name, which is not 0-terminated. */
int brio_joint_stream_positions(const brio_packet *packet,
                                void (*visit)(void *context, const char *name, int length, double value),
                                void *context);

/* Build a message: begin it, add numbers and objects of `count` names and numbers (NaN is left out;
** `digits` after the decimal point), end it.  A member that does not fit is not added, and false is
** returned. */
void brio_joint_stream_begin(brio_packet *packet);
bool brio_joint_stream_number(brio_packet *packet, const char *field, double value);
bool brio_joint_stream_text(brio_packet *packet, const char *field, const char *text);
bool brio_joint_stream_list(brio_packet *packet, const char *field, const char *const *texts, int count);
bool brio_joint_stream_object(brio_packet *packet, const char *field, const char *const *names,
                              const double *values, int count, int digits);
bool brio_joint_stream_end(brio_packet *packet); /* with a check code as the last member */

/* Return whether a message ends with a check code (which the parser has verified). */
bool brio_joint_stream_has_check(const brio_packet *packet);

/* Build a message of a sequence number and positions only.  Return false if it is too long. */
bool brio_joint_stream_make(brio_packet *packet, uint64_t sequence, const char *const *names,
                            const double *values, int count);

/* Open a stream on an open port, which the stream then owns: the device of brio_driver_json (see json.c). */
void *brio_json_open_port(brio_port *port, const brio_axis *axes, int count, const double *settings,
                          const char *const *texts, brio_error *err);

/* How joint streams are found (setup/joint_stream.c). */
extern const struct brio_driver_scan brio_joint_stream_scan;

#endif
