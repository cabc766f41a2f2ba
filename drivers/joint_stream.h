/* The content of joint streaming messages (protocol_json.c): positions by name. */
#ifndef BRIO_DRIVERS_JOINT_STREAM_H
#define BRIO_DRIVERS_JOINT_STREAM_H

#include "drivers/wire.h"

/* Go over the numbers in a message's "positions": `visit` gets each name, which does not end in 0, and
** its number, not finite ones left out.  Return how many there were. */
int brio_joint_stream_positions(const brio_packet *packet,
                                void (*visit)(void *context, const char *name, int length, double value),
                                void *context);

/* Make a message of `count` names and numbers, those that are NaN left out, with a sequence number, into a
** packet.  Return false when it is too long. */
bool brio_joint_stream_make(brio_packet *packet, uint64_t sequence, const char *const *names, const double *values,
                            int count);

#endif
