/* The panic stop: one atomic, which every motor thread reads in every period.  It may be raised
** from any thread, and from a signal handler; the motors that saw it stay stopped until a person releases
** them explicitly.  There is one for the process, since a signal handler gets no pointer to an engine. */
#ifndef BRIO_RUNTIME_MOTOR_PANIC_H
#define BRIO_RUNTIME_MOTOR_PANIC_H

#include "base/error.h"

/* Stop everything, as hard as limits allow.  Any thread, any time; safe in a signal handler. */
void brio_panic(void);

/* How often it was raised so far. */
unsigned brio_panic_count(void);

/* Count a front through which people can raise it, or one that closed.  While there is any, a panic also
** affects motors that start later. */
void brio_panic_expect(void);
void brio_panic_expect_no_more(void);

/* Return the count that a motor starts from: a panic that was raised since the first front opened is new to
** it, and stops it. */
unsigned brio_panic_known(void);

/* Let SIGUSR1 raise it, for the whole process.  Errors: limit. */
bool brio_panic_on_signal(brio_error *err);

#endif
