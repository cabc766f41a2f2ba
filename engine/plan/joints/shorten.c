/* Shortening of a path: corners are left out, then pieces between two random points, or around a corner, are
** replaced by straight lines. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "plan/joints/search_internal.h"

static const double WORTH = 1e-3; /* a cut gains this share of the path's length, or is not tried */

static const brio_joint_phase skip, cut;

/* Return corner `i` of the path. */
static double *corner(const brio_joint_search *search, int i) {
  return search->path + (size_t)i * (size_t)search->space.n;
}

/* Return how far two configurations are apart. */
static double apart(const brio_joint_search *search, const double *a, const double *b) {
  double delta[BRIO_JOINTS_PLANNED];
  return brio_joint_space_difference(&search->space, a, b, delta);
}

/* Return the length of the path between two corners. */
static double length_between(const brio_joint_search *search, int from, int to) {
  double sum = 0;
  for (int i = from; i < to; i++) sum += apart(search, corner(search, i), corner(search, i + 1));
  return sum;
}

double brio_joint_search_length(const brio_joint_search *search, const double *path, int count) {
  double sum = 0;
  size_t n = (size_t)search->space.n;
  for (int i = 0; i + 1 < count; i++) sum += apart(search, path + n * (size_t)i, path + n * (size_t)(i + 1));
  return sum;
}

/* Replace all between corner `left` and corner `right`, which stay, by the motion that was checked: its ends,
** unless these are the corners, and what is between them. */
static void replace(brio_joint_search *search) {
  size_t n = (size_t)search->space.n;
  int ends = search->corners_only ? 0 : 2, after = search->count - search->right;
  int between = ends + search->walk.count - 1;
  assert(search->left < search->right);
  if (search->left + 1 + between + after > BRIO_JOINTS_CORNERS) return;
  /* What follows moves to its new place, before the ends are written over it. */
  memmove(corner(search, search->left + 1 + between), corner(search, search->right),
          (size_t)after * n * sizeof *search->path);
  double *to = corner(search, search->left + 1);
  if (ends) {
    memcpy(to, search->from, n * sizeof *to);
    to += n;
  }
  memcpy(to, search->walk.corners, (size_t)(between - ends / 2) * n * sizeof *to);
  search->count = search->left + 1 + between + after;
}

/* --- corners are left out: from each, the farthest one in sight is tried first.  O(corners^2) motions --- */

static void begin_skips(brio_joint_search *search) {
  /* Walks have many corners, which are where they must be: only cuts make them shorter. */
  if (search->keeps) {
    search->phase = &cut;
    if (search->attempts == search->settings.shortenings) brio_joint_search_shortened(search);
    return;
  }
  search->left = 0;
  /* From the first corner, straight to the last. */
  search->right = search->count - 1;
  search->phase = &skip;
}

/* Go on with the next phase when no corner is left to try. */
static bool next_pair(brio_joint_search *search) {
  /* All farther corners were tried from this one: take the next. */
  while (search->right < search->left + 2 && search->left + 2 < search->count)
    search->left++, search->right = search->count - 1;
  return search->right >= search->left + 2;
}

static bool begin_skip(brio_joint_search *search) {
  /* Each corner sees no farther than its neighbor: cut, or end. */
  if (!next_pair(search)) {
    bool more = search->count > 2 && search->attempts < search->settings.shortenings;
    if (more)
      search->phase = &cut;
    else
      brio_joint_search_shortened(search);
    return false;
  }
  search->corners_only = true;
  brio_joint_search_move(search, corner(search, search->left), corner(search, search->right), 1);
  return true;
}

static void end_skip(brio_joint_search *search, bool clear) {
  /* Not in sight: the corner before it. */
  if (!clear) {
    search->right--;
    return;
  }
  replace(search);
  search->left++;
  search->right = search->count - 1;
}

static const brio_joint_phase skip = {begin_skip, end_skip, false};

/* --- cuts --- */

/* Write the point `length` along the path, and return the corner before it. */
static int point_at(const brio_joint_search *search, double length, double *out) {
  int i = 0;
  double delta[BRIO_JOINTS_PLANNED], step = 0;
  /* The last step takes what is left, so rounding does not run off the end. */
  for (; i + 2 < search->count; i++) {
    step = apart(search, corner(search, i), corner(search, i + 1));
    if (length < step) break;
    length -= step;
  }
  step = brio_joint_space_difference(&search->space, corner(search, i), corner(search, i + 1), delta);
  brio_joint_space_step(&search->space, corner(search, i), delta, step > 0 ? fmin(length / step, 1) : 0, out);
  return i;
}

/* Choose two points of the path: anywhere, or as far before as behind a corner. */
static void choose(brio_joint_search *search, double whole, double ends[2]) {
  brio_random *random = &search->random;
  /* Every second cut is between any two points, as all of walks are, whose corners are near each other. */
  if (search->attempts % 2 || search->keeps) {
    ends[0] = brio_random_uniform(random, 0, whole), ends[1] = brio_random_uniform(random, 0, whole);
    return;
  }
  /* The others cut a corner: the same share of the steps before and behind it. */
  int at = 1 + (int)brio_random_below(random, (uint64_t)search->count - 2);
  double middle = length_between(search, 0, at);
  double far = brio_random_uniform(random, 0, 1);
  ends[0] = middle - far * apart(search, corner(search, at - 1), corner(search, at));
  ends[1] = middle + far * apart(search, corner(search, at), corner(search, at + 1));
}

static bool begin_cut(brio_joint_search *search) {
  /* A last pass over the corners follows the last cut. */
  if (search->attempts == search->settings.shortenings || search->count < 3 ||
      search->count + 1 > BRIO_JOINTS_CORNERS) {
    search->attempts = search->settings.shortenings;
    begin_skips(search);
    return false;
  }
  double whole = brio_joint_search_length(search, search->path, search->count), ends[2],
         a[BRIO_JOINTS_PLANNED], b[BRIO_JOINTS_PLANNED];
  choose(search, whole, ends);
  search->attempts++;
  double before = fmin(ends[0], ends[1]), behind = fmax(ends[0], ends[1]);
  /* The steps in which both points are. */
  search->left = point_at(search, before, a);
  search->right = point_at(search, behind, b) + 1;
  /* A cut within one step, or that gains next to nothing, is not tried. */
  if (search->right == search->left + 1 || behind - before - apart(search, a, b) < WORTH * whole)
    return false;
  search->corners_only = false;
  search->gap = behind - before;
  brio_joint_search_move(search, a, b, 1);
  return true;
}

static void end_cut(brio_joint_search *search, bool clear) {
  /* A walk may be longer than the straight line that promised to be shorter. */
  if (clear && !(search->keeps && search->walk.length > (1 - WORTH) * search->gap)) replace(search);
}

static const brio_joint_phase cut = {begin_cut, end_cut, false};

void brio_joint_search_shorten(brio_joint_search *search) {
  search->attempts = 0;
  begin_skips(search);
}
