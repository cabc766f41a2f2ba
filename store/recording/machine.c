/* The processor's name comes from /proc/cpuinfo (proc(5)), the rest from uname(2) and sysconf(3). */
#include "store/recording/machine.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Copy a text without characters that have a meaning in JSON or SQL, and without trailing spaces; "?" if
** nothing is left. */
static void copy_plain(char *out, size_t size, const char *text) {
  size_t length = 0;
  for (; *text && length + 1 < size; text++)
    if (isalnum((unsigned char)*text) || strchr(" ._()@+-,/", *text)) out[length++] = *text;
  while (length > 0 && out[length - 1] == ' ') length--;
  out[length] = 0;
  if (length == 0) snprintf(out, size, "?");
}

/* The first "model name" holds for all cores. On arm64 the file has none, and the name stays "?". */
static void read_processor(char *out, size_t size) {
  char line[256];
  FILE *file = fopen("/proc/cpuinfo", "r");
  snprintf(out, size, "?");
  while (file && fgets(line, sizeof line, file)) {
    const char *value = strncmp(line, "model name", 10) == 0 ? strchr(line, ':') : NULL;
    if (!value) continue;
    /* Behind the colon and its spaces. */
    copy_plain(out, size, value + 1 + strspn(value + 1, " "));
    break;
  }
  if (file) fclose(file);
}

void brio_machine_self(char json[BRIO_MACHINE_SIZE]) {
  struct utsname name;
  char system[64] = "?", release[96] = "?", processor[128];
  if (uname(&name) == 0) {
    copy_plain(system, sizeof system, name.sysname);
    copy_plain(release, sizeof release, name.release);
  }
  read_processor(processor, sizeof processor);
  /* Cores that are online now; 0 if unknown. */
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  /* All texts are plain by now, so none needs escapes. */
  snprintf(json, BRIO_MACHINE_SIZE,
           "{\"system\":\"%s\",\"release\":\"%s\",\"processor\":\"%s\",\"cores\":%ld}", system, release,
           processor, cores > 0 ? cores : 0);
}
