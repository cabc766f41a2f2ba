/* Masks, depths under them, and boxes from corners.
**
** Erosion uses exact distances of pixel centers: for each pixel the nearest one outside in its
** column first, then over the columns around (the two passes of Meijster, Roerdink and
** Hesselink, "A general algorithm for computing distance transforms in linear time", 2000, the
** second within the radius only): O(pixels x radius).  Depths at a thing's border are those of
** what is behind it: so the mask is eroded, and of the rest depths farther from the median than
** a few deviations do not count (median and MAD: Hampel 1974). */
#include "scene/mask.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "math/scalar.h"

enum { MAX_RADIUS = 255, MAX_POINTS = 4096 };

struct brio_mask {
  int width, height;
  int left, top, right, bottom; /* bounds of what is in, right and bottom exclusive */
  uint8_t *in;                  /* width x height: 1: in */
  uint8_t *near;     /* likewise: erosion's distance to the nearest pixel of the column outside */
  float *values;     /* likewise: known depths */
  int *places;       /* likewise: indices of their pixels in the depth picture */
  double *crossings; /* MAX_POINTS: where a polygon's edges cross a row */
};

/* Bounds within the picture, or empty; O(1). */
static bool is_consistent(const brio_mask *mask) {
  bool empty = mask->right == 0 && mask->bottom == 0;
  return empty || (mask->left >= 0 && mask->left < mask->right && mask->right <= mask->width &&
                   mask->top >= 0 && mask->top < mask->bottom && mask->bottom <= mask->height);
}

/* 10 bytes a pixel, and room for the crossings of a polygon. */
brio_mask *brio_mask_new(int width, int height, brio_error *err) {
  /* Dividing avoids the overflow of width x height. */
  if (width < 1 || height < 1 || width > BRIO_MASK_MOST / height) {
    brio_fail(err, BRIO_MISUSE, "a mask has 1 to %d pixels, not %d x %d", BRIO_MASK_MOST, width, height);
    return NULL;
  }
  size_t count = (size_t)width * (size_t)height;
  brio_mask *mask = calloc(1, sizeof *mask);
  if (mask) {
    mask->width = width;
    mask->height = height;
    mask->in = calloc(count, 1);
    mask->near = calloc(count, 1);
    mask->values = calloc(count, sizeof *mask->values);
    mask->places = calloc(count, sizeof *mask->places);
    mask->crossings = calloc(MAX_POINTS, sizeof *mask->crossings);
    if (mask->in && mask->near && mask->values && mask->places && mask->crossings) {
      brio_mask_clear(mask);
      return mask;
    }
  }
  brio_mask_free(mask);
  brio_fail(err, BRIO_NO_MEMORY, "no memory for a mask of %d x %d pixels", width, height);
  return NULL;
}

/* A mask that was made in part can be freed, too. */
void brio_mask_free(brio_mask *mask) {
  if (!mask) return;
  free(mask->in);
  free(mask->near);
  free(mask->values);
  free(mask->places);
  free(mask->crossings);
  free(mask);
}

void brio_mask_clear(brio_mask *mask) {
  assert(is_consistent(mask));
  /* Only the bounds can have anything in; empty bounds are reversed, so that widen() sets them. */
  for (int y = mask->top; y < mask->bottom; y++) memset(&mask->in[y * mask->width], 0, (size_t)mask->width);
  mask->left = mask->width;
  mask->top = mask->height;
  mask->right = mask->bottom = 0;
}

/* Pixels off the picture are out. */
bool brio_mask_has(const brio_mask *mask, int x, int y) {
  return x >= 0 && y >= 0 && x < mask->width && y < mask->height && mask->in[y * mask->width + x];
}

/* O(pixels within the bounds). */
int brio_mask_count(const brio_mask *mask) {
  int n = 0;
  for (int y = mask->top; y < mask->bottom; y++)
    for (int x = mask->left; x < mask->right; x++) n += mask->in[y * mask->width + x];
  return n;
}

/* The first integer that is not below `x`, clamped to 0..most.  NaN is the caller's to exclude. */
static int first_at(double x, int most) {
  return (int)brio_clamp(ceil(x), 0, most);
}

/* Extend the bounds by a rectangle. */
static void widen(brio_mask *mask, int left, int top, int right, int bottom) {
  if (left < mask->left) mask->left = left;
  if (top < mask->top) mask->top = top;
  if (right > mask->right) mask->right = right;
  if (bottom > mask->bottom) mask->bottom = bottom;
}

/* Put in the pixels of row `y` whose centers are in [from, to). */
static void fill(brio_mask *mask, int y, double from, double to) {
  int a = first_at(from, mask->width), b = first_at(to, mask->width);
  if (a >= b) return;
  memset(&mask->in[y * mask->width + a], 1, (size_t)(b - a));
  widen(mask, a, y, b, y + 1);
}

bool brio_mask_box(brio_mask *mask, const brio_picture_box *box, brio_error *err) {
  if (!isfinite(box->x) || !isfinite(box->y) || !(box->width >= 0 && box->height >= 0) || isinf(box->width) ||
      isinf(box->height))
    return brio_fail(err, BRIO_MISUSE, "a box must have finite numbers and lengths of at least 0");
  /* Pixel centers are at whole numbers. */
  int to = first_at(box->y + box->height, mask->height);
  for (int y = first_at(box->y, mask->height); y < to; y++) fill(mask, y, box->x, box->x + box->width);
  return true;
}

/* O(pixels + runs). */
bool brio_mask_runs(brio_mask *mask, const uint32_t *runs, int count, bool columns, brio_error *err) {
  /* 64 bits: the sum of many runs of 32 bits may overflow. */
  uint64_t all = 0, pixels = (uint64_t)mask->width * (uint64_t)mask->height;
  for (int i = 0; i < count; i++) all += runs[i];
  if (all != pixels)
    return brio_fail(err, BRIO_FORMAT,
                     "the runs of a mask of %d x %d must be of %llu pixels in all, not %llu", mask->width,
                     mask->height, (unsigned long long)pixels, (unsigned long long)all);
  uint64_t at = 0, line = (uint64_t)(columns ? mask->height : mask->width);
  /* Runs alternate, beginning with pixels outside. */
  for (int i = 0; i < count; at += runs[i++]) {
    /* k is the pixel's index in the order of the runs. */
    for (uint64_t k = at; (i & 1) && k < at + runs[i]; k++) {
      int across = (int)(k % line), along = (int)(k / line), x = columns ? along : across;
      int y = columns ? across : along;
      mask->in[y * mask->width + x] = 1;
      widen(mask, x, y, x + 1, y + 1);
    }
  }
  return true;
}

/* Write where the edges of a polygon cross row y, in rising order (insertion sort); return how many
** there are. */
static int cross(const double *points, int count, double y, double *out) {
  int n = 0;
  for (int i = 0; i < count; i++) {
    const double *a = &points[2 * i], *b = &points[2 * ((i + 1) % count)];
    /* Half-open edges: a vertex on the row counts once. */
    if ((a[1] <= y) == (b[1] <= y)) continue;
    double x = a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]);
    int k = n++;
    for (; k > 0 && out[k - 1] > x; k--) out[k] = out[k - 1];
    out[k] = x;
  }
  return n;
}

/* O(rows * points): each row is cut with every edge. */
bool brio_mask_polygon(brio_mask *mask, const double *points, int count, brio_error *err) {
  if (count < 3 || count > MAX_POINTS)
    return brio_fail(err, BRIO_MISUSE, "a polygon has 3 to %d points, not %d", MAX_POINTS, count);
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < 2 * count; i++) {
    if (!isfinite(points[i])) return brio_fail(err, BRIO_MISUSE, "a polygon's points must be finite");
    if (i & 1) low = fmin(low, points[i]), high = fmax(high, points[i]);
  }
  /* Even-odd rule: between the crossings 1 and 2, 3 and 4, ... is inside. */
  int to = first_at(high, mask->height);
  for (int y = first_at(low, mask->height); y < to; y++) {
    int n = cross(points, count, y, mask->crossings);
    for (int i = 0; i + 1 < n; i += 2) fill(mask, y, mask->crossings[i], mask->crossings[i + 1]);
  }
  return true;
}

/* ------------------------------------------------------------------ erosion */

/* The bounds with one pixel around, within the picture: pixels around are outside. */
typedef struct bounds {
  int left, top, right, bottom;
} bounds;

/* Return the bounds, one pixel wider on each side where the picture has room. */
static bounds around(const brio_mask *mask) {
  return (bounds){mask->left > 0 ? mask->left - 1 : 0, mask->top > 0 ? mask->top - 1 : 0,
                  mask->right < mask->width ? mask->right + 1 : mask->width,
                  mask->bottom < mask->height ? mask->bottom + 1 : mask->height};
}

/* Write each pixel's distance to the nearest one outside in its column, px, at most `most`: one
** pass down, one up. */
static void measure_columns(brio_mask *mask, bounds b, int most) {
  for (int x = b.left; x < b.right; x++) {
    int far = most;
    /* Down: the distance from the last pixel outside above. */
    for (int y = b.top; y < b.bottom; y++) {
      int i = y * mask->width + x;
      far = !mask->in[i] ? 0 : far < most ? far + 1 : most;
      mask->near[i] = (uint8_t)far;
    }
    /* Up: from the last one below; the lesser counts. */
    far = most;
    for (int y = b.bottom - 1; y >= b.top; y--) {
      int i = y * mask->width + x;
      far = !mask->in[i] ? 0 : far < most ? far + 1 : most;
      if (far < mask->near[i]) mask->near[i] = (uint8_t)far;
    }
  }
}

/* Whether a pixel outside is within `radius` of (x, y), by the columns' distances. */
static bool is_near_out(const brio_mask *mask, bounds b, int x, int y, double radius) {
  int reach = (int)radius, from = x - reach < b.left ? b.left : x - reach;
  int to = x + reach >= b.right ? b.right - 1 : x + reach;
  /* The nearest pixel outside is in one of the columns within the radius. */
  for (int k = from; k <= to; k++) {
    double near = mask->near[y * mask->width + k];
    if ((k - x) * (double)(k - x) + near * near <= radius * radius) return true;
  }
  return false;
}

void brio_mask_erode(brio_mask *mask, double radius) {
  assert(is_consistent(mask));
  /* Below 1 px no pixel center is near enough. */
  if (!(radius >= 1)) return;
  bounds b = around(mask);
  /* Distances are stored in 8 bits. */
  radius = fmin(radius, MAX_RADIUS - 1);
  measure_columns(mask, b, (int)radius + 1);
  /* `near` is of the whole mask, so that pixels that go out now do not erode others. */
  for (int y = mask->top; y < mask->bottom; y++)
    for (int x = mask->left; x < mask->right; x++) {
      uint8_t *in = &mask->in[y * mask->width + x];
      if (*in && is_near_out(mask, b, x, y, radius)) *in = 0;
    }
}

/* ------------------------------------------------------------------ depths */

/* The k-th smallest of `count` values, which are reordered (Hoare's quickselect): O(count) on
** average. */
static float kth(float *v, int count, int k) {
  assert(count > 0 && k >= 0 && k < count);
  /* The k-th smallest is always in v[low..high]. */
  for (int low = 0, high = count - 1; low < high;) {
    float middle = v[low + (high - low) / 2];
    int i = low, j = high;
    while (i <= j) {
      while (v[i] < middle) i++;
      while (v[j] > middle) j--;
      if (i > j) break;
      float swap = v[i];
      v[i++] = v[j];
      v[j--] = swap;
    }
    /* Go on in the part that has index k. */
    if (k <= j)
      high = j;
    else if (k >= i)
      low = i;
    else
      return v[k];
  }
  return v[k];
}

/* The depth of a pixel, m; NaN: unknown. */
static double depth_at(const brio_depth *depth, int i) {
  /* Raw depths count depth->unit, 1 mm if it is not given; 0 is unknown. */
  if (depth->raw) return depth->raw[i] ? depth->raw[i] * (depth->unit > 0 ? depth->unit : 0.001) : NAN;
  return (double)depth->meters[i];
}

/* The first pixel of the depth picture that shows pixel `i` of the mask, or one after it: i depth /
** mask, rounded up. */
static int scaled(int i, int depth, int mask) {
  return (int)(((int64_t)i * depth + mask - 1) / mask);
}

/* List the pixels under the mask with a known depth in range.  Return how many there are. */
static int list_known(brio_mask *mask, const brio_depth *depth, double nearest, double farthest) {
  int n = 0, most = mask->width * mask->height;
  /* The mask's bounds in pixels of the depth picture, which may be of another size. */
  int left = scaled(mask->left, depth->width, mask->width),
      right = scaled(mask->right, depth->width, mask->width);
  int bottom = scaled(mask->bottom, depth->height, mask->height);
  for (int y = scaled(mask->top, depth->height, mask->height); y < bottom; y++) {
    /* The row of the mask that shows this row of depths. */
    int row = (int)((int64_t)y * mask->height / depth->height) * mask->width;
    for (int x = left; x < right && n < most; x++) {
      if (!mask->in[row + (int)((int64_t)x * mask->width / depth->width)]) continue;
      double z = depth_at(depth, y * depth->width + x);
      /* Also excludes NaN. */
      if (!(z > 0 && z >= nearest && z <= farthest)) continue;
      mask->values[n] = (float)z;
      mask->places[n++] = y * depth->width + x;
    }
  }
  return n;
}

/* The median of the depths, and 1.4826 times the median deviation from it, which estimates the
** standard deviation of normal noise.  The values are destroyed. */
static void spread(brio_mask *mask, int n, double *median, double *deviation) {
  assert(n > 0);
  float middle = kth(mask->values, n, n / 2);
  for (int i = 0; i < n; i++) mask->values[i] = fabsf(mask->values[i] - middle);
  *median = (double)middle;
  *deviation = 1.4826 * (double)kth(mask->values, n, n / 2);
}

/* Keep the pixels whose depth is within `most` of the median; return how many there are. */
static int drop_outliers(brio_mask *mask, const brio_depth *depth, int n, double median, double most) {
  int kept = 0;
  for (int i = 0; i < n; i++)
    if (fabs(depth_at(depth, mask->places[i]) - median) <= most) mask->places[kept++] = mask->places[i];
  return kept;
}

/* The point of a pixel in the camera's frame.  A depth is measured along the optical axis, not the
** ray. */
static bool point_of(const brio_camera *camera, const brio_depth *depth, int place, brio_vec3 *point) {
  brio_vec3 ray;
  double pixel[2] = {place % depth->width, place / depth->width};
  if (!brio_camera_ray(camera, pixel, &ray)) return false;
  /* The optical axis is x in a body frame, z in an optical one. */
  double forward = camera->body ? ray.x : ray.z;
  if (!(forward > 0)) return false;
  *point = brio_vec3_scale(depth_at(depth, place) / forward, ray);
  return true;
}

/* The extent of the points along an axis from the 2nd to the 98th percentile, and their mean. */
static double extent(brio_mask *mask, const brio_depth *depth, const brio_camera *camera, int n, int axis,
                     double *mean) {
  int count = 0;
  double sum = 0;
  for (int i = 0; i < n; i++) {
    brio_vec3 p;
    /* Pixels off the camera's model have no ray. */
    if (!point_of(camera, depth, mask->places[i], &p)) continue;
    double at = axis == 0 ? p.x : axis == 1 ? p.y : p.z;
    sum += at;
    mask->values[count++] = (float)at;
  }
  *mean = count > 0 ? sum / count : NAN;
  if (count == 0) return 0;
  /* Percentiles 2 and 98, so that a few stray points do not widen the box. */
  double high = (double)kth(mask->values, count, (count - 1) * 98 / 100);
  return high - (double)kth(mask->values, count, (count - 1) * 2 / 100);
}

/* Validate camera and depth picture. */
static bool check_depth(const brio_depth *depth, const brio_camera *camera, brio_error *err) {
  if (!brio_camera_check(camera, err)) return false;
  if (depth->width < 1 || depth->height < 1 || depth->width > BRIO_MASK_MOST / depth->height ||
      !(depth->raw || depth->meters))
    return brio_fail(err, BRIO_MISUSE, "a depth picture has 1 to %d pixels, not %d x %d", BRIO_MASK_MOST,
                     depth->width, depth->height);
  return true;
}

/* O(pixels under the mask) on average. */
bool brio_mask_look(brio_mask *mask, const brio_depth *depth, const brio_camera *given, const brio_look *look,
                    brio_looked *found, brio_error *err) {
  if (!check_depth(depth, given, err)) return false;
  /* The camera's numbers for pictures of this size. */
  brio_camera camera = brio_camera_scaled(given, depth->width, depth->height);
  int least = look->least > 0 ? look->least : 8;
  *found = (brio_looked){0};
  found->known = list_known(mask, depth, look->nearest, look->farthest > 0 ? look->farthest : 100);
  if (found->known > 0) {
    spread(mask, found->known, &found->median, &found->deviation);
    /* A deviation of 0 (a plane) would exclude all noise: allow at least 0.1 % of the depth. */
    double most = (look->outliers > 0 ? look->outliers : 3.5) * fmax(found->deviation, 1e-3 * found->median);
    found->used = drop_outliers(mask, depth, found->known, found->median, most);
  }
  /* Too few pixels do not determine the size of a thing. */
  if (found->used < least)
    return brio_fail(err, BRIO_UNREACHABLE,
                     "only %d pixels under the mask have a depth that counts; %d are needed", found->used,
                     least);
  /* Extents are along the axes of the camera's frame. */
  found->size.x = extent(mask, depth, &camera, found->used, 0, &found->center.x);
  found->size.y = extent(mask, depth, &camera, found->used, 1, &found->center.y);
  found->size.z = extent(mask, depth, &camera, found->used, 2, &found->center.z);
  if (!brio_vec3_finite(found->center))
    return brio_fail(err, BRIO_UNREACHABLE, "no pixel under the mask is on a ray of the camera");
  return true;
}

/* ------------------------------------------------------------------ corners */

/* The mean of the corners. */
static brio_vec3 middle_of(const brio_vec3 corners[8]) {
  brio_vec3 sum = {0, 0, 0};
  for (int i = 0; i < 8; i++) sum = brio_vec3_add(sum, corners[i]);
  return brio_vec3_scale(0.125, sum);
}

/* The mean of the four edges along the axis of a bit, as a vector. */
static brio_vec3 edge_of(const brio_vec3 corners[8], int bit) {
  brio_vec3 sum = {0, 0, 0};
  for (int i = 0; i < 8; i++) sum = brio_vec3_add_scaled(sum, i & bit ? 0.25 : -0.25, corners[i]);
  return sum;
}

/* The greatest distance of a corner from where middle and edges put it. */
static double misfit(const brio_vec3 corners[8], brio_vec3 middle, const brio_vec3 edges[3]) {
  double most = 0;
  for (int i = 0; i < 8; i++) {
    brio_vec3 at = middle;
    for (int k = 0; k < 3; k++) at = brio_vec3_add_scaled(at, i >> k & 1 ? 0.5 : -0.5, edges[k]);
    most = fmax(most, brio_vec3_norm(brio_vec3_sub(corners[i], at)));
  }
  return most;
}

/* The rotation whose axes are nearest to three edges.  The longest edge gives its axis, the second
** longest one across it (Gram-Schmidt), the third follows.  False: fewer than two have a length. */
static bool turn_of(const brio_vec3 edges[3], brio_quat *q) {
  double length[3] = {brio_vec3_norm(edges[0]), brio_vec3_norm(edges[1]), brio_vec3_norm(edges[2])};
  /* a: the longest; b and c follow it cyclically, so that a x b = c is right-handed. */
  int a = length[1] > length[0] ? 1 : 0;
  if (length[2] > length[a]) a = 2;
  int b = (a + 1) % 3, c = (a + 2) % 3;
  bool swap = length[c] > length[b];
  brio_vec3 axes[3], none = {0, 0, 0};
  axes[a] = brio_vec3_unit(edges[a], none);
  brio_vec3 second = edges[swap ? c : b];
  second = brio_vec3_unit(brio_vec3_add_scaled(second, -brio_vec3_dot(second, axes[a]), axes[a]), none);
  if (brio_vec3_norm(axes[a]) == 0 || brio_vec3_norm(second) == 0) return false;
  axes[swap ? c : b] = second;
  if (swap)
    axes[b] = brio_vec3_cross(axes[c], axes[a]);
  else
    axes[c] = brio_vec3_cross(axes[a], axes[b]);
  *q = brio_quat_from_matrix((double[]){axes[0].x, axes[1].x, axes[2].x, axes[0].y, axes[1].y, axes[2].y,
                                        axes[0].z, axes[1].z, axes[2].z});
  return true;
}

/* The box of that orientation that encloses all corners. */
static void enclose(const brio_vec3 corners[8], brio_quat q, brio_pose *pose, brio_vec3 *size) {
  brio_vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
  for (int i = 0; i < 8; i++) {
    /* The corner in the axes of the box. */
    brio_vec3 at = brio_quat_rotate(brio_quat_conj(q), corners[i]);
    low = (brio_vec3){fmin(low.x, at.x), fmin(low.y, at.y), fmin(low.z, at.z)};
    high = (brio_vec3){fmax(high.x, at.x), fmax(high.y, at.y), fmax(high.z, at.z)};
  }
  *size = brio_vec3_sub(high, low);
  *pose = (brio_pose){brio_quat_rotate(q, brio_vec3_scale(0.5, brio_vec3_add(low, high))), q};
}

bool brio_box_of_corners(const brio_vec3 corners[8], const brio_quat *turned, brio_pose *pose,
                         brio_vec3 *size, brio_error *err) {
  for (int i = 0; i < 8; i++)
    if (!brio_vec3_finite(corners[i])) return brio_fail(err, BRIO_MISUSE, "a box's corners must be finite");
  /* With a given orientation the box encloses the corners, which need not be a box's. */
  if (turned) {
    enclose(corners, brio_quat_unit(*turned), pose, size);
    return true;
  }
  brio_vec3 middle = middle_of(corners);
  brio_vec3 edges[3] = {edge_of(corners, 1), edge_of(corners, 2), edge_of(corners, 4)};
  *size = (brio_vec3){brio_vec3_norm(edges[0]), brio_vec3_norm(edges[1]), brio_vec3_norm(edges[2])};
  /* The triple product is negative for a mirrored box. */
  double longest = fmax(size->x, fmax(size->y, size->z)), handed;
  handed = brio_vec3_dot(brio_vec3_cross(edges[0], edges[1]), edges[2]);
  pose->p = middle;
  if (!turn_of(edges, &pose->q) || handed < -1e-9 * longest * longest * longest ||
      misfit(corners, middle, edges) > 0.1 * longest)
    return brio_fail(
        err, BRIO_MISUSE,
        "eight corners must be a box's: corner i at +x with bit 1, at +y with bit 2, at +z with bit 4");
  return true;
}
