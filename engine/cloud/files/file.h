/* Point clouds as bytes: files (PCD, PLY) and the raw frames that come over sockets and shared memory.
**
** A raw frame is a header of 64 bytes and then the points, little-endian throughout:
**
**    at  what
**     0  4 bytes   "BRPC"
**     4  uint16    version: 1
**     6  uint16    parts in addition to the points: 1 colors, 2 labels, 3 both
**     8  uint32    width: columns, or the number of points of a cloud that is not organized
**    12  uint32    height: rows; 1: not organized
**    16  float64   time of the recording, s; NaN: unknown
**    24  32 bytes  name of the sensor's frame, padded with 0; empty: unknown
**    56  uint64    number of the frame, for the sender; ignored here
**    64  float32 x 3 x width x height    x, y, z of each place, row by row; NaN: no point there
**     .  uint8 x 3 x width x height      red, green, blue, if there are colors
**     .  uint32 x width x height         labels, if there are any
**
** Lengths are in m and axes are brio's unless the settings say otherwise. */
#ifndef BRIO_CLOUD_FILES_FILE_H
#define BRIO_CLOUD_FILES_FILE_H

#include <stddef.h>

#include "cloud/cloud.h"

enum { BRIO_CLOUD_HEADER = 64 /* bytes of a raw frame's header */ };

/* How to interpret the bytes of a file.  All 0: brio's axes, meters. */
typedef struct brio_cloud_settings {
  const char *axes; /* where the file's x, y and z point, as brio_cloud_axes reads it; NULL: as brio's */
  double unit;      /* m that the file's 1 stands for; 0: 1 */
  int limit;        /* most points; 0: BRIO_CLOUD_POINTS */
} brio_cloud_settings;

/* Read where three axes point and write the matrix that turns their coordinates into brio's, row by row:
** three of forward, back, left, right, up, down, such as "right down forward"; or a name: "robot" (forward
** left up), "optical" (right down forward), "opengl" (right up back), "unity" (right up forward:
** left-handed). Errors: misuse. */
bool brio_cloud_axes(const char *text, double matrix[9], brio_error *err);

/* Read a cloud of any known kind, which its first bytes show.  All or nothing: of a file that is cut off or
** contradicts itself, nothing is kept and the cloud is empty.  Points that are not valid are counted in the
** cloud (brio_cloud_judge).  `settings` NULL: as they are.  Errors: misuse (settings), format, limit,
** no_memory. */
bool brio_cloud_read(brio_cloud *cloud, const void *bytes, size_t length, const brio_cloud_settings *settings,
                     brio_error *err);

/* Read a file of at most 1 GB.  Errors: as brio_cloud_read, and no_file, io. */
bool brio_cloud_load(brio_cloud *cloud, const char *path, const brio_cloud_settings *settings,
                     brio_error *err);

/* Return how many bytes the cloud has as a raw frame. */
size_t brio_cloud_frame_size(const brio_cloud *cloud);

/* Write the cloud as a raw frame with that number; `bytes` has room for brio_cloud_frame_size. */
void brio_cloud_frame_write(const brio_cloud *cloud, uint64_t number, void *bytes);

/* Return how many bytes the raw frame that begins with these 64 bytes has; 0: it is not a frame, or not one
** that brio_cloud_read would take with that limit of points (0: BRIO_CLOUD_POINTS). */
size_t brio_cloud_frame_length(const void *header, int limit);

#endif
