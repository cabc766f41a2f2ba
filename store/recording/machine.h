/* Description of the machine that records a run, without its name. */
#ifndef BRIO_STORE_RECORDING_MACHINE_H
#define BRIO_STORE_RECORDING_MACHINE_H

enum { BRIO_MACHINE_SIZE = 512 };

/* Write JSON: {"system", "release", "processor", "cores"}; it contains no single quote. Unknown values are
** "?" or 0. */
void brio_machine_self(char json[BRIO_MACHINE_SIZE]);

#endif
