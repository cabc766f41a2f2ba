/* Walls as boxes: the pieces between openings at full height, and the pieces above openings. They never
** move. */
#include "world/walls.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world/world_internal.h"

enum { MAX_WALLS = 1024, MAX_BOXES = 2 * BRIO_WALL_GAPS + 1 };

#define MIN_PIECE 1e-3   /* m: smaller pieces are left out */

/* A wall and its boxes in the world. */
typedef struct wall {
  char id[BRIO_DETECTION_ID];
  brio_pose middle;          /* x along it; its origin in the middle, on the floor */
  brio_solid boxes[MAX_BOXES];
  int nbox;
} wall;

/* All walls; the list grows by doubling. */
typedef struct walls {
  wall *list; /* count, of capacity */
  int count, capacity;
} walls;

/* The walls of a world; NULL: none was added. */
static walls *walls_of(const brio_world *world) { return world->parts[BRIO_WORLD_PART_walls]; }

/* Ascending by position, for qsort. */
static int by_place(const void *a, const void *b) {
  double x = ((const brio_wall_gap *)a)->at, y = ((const brio_wall_gap *)b)->at;
  return (x > y) - (x < y);
}

/* Validate the openings, which are sorted: within the wall, and not over each other; 1e-9 m for rounding. */
static bool check_gaps(const brio_wall_form *form, double length, brio_error *err) {
  double from = 0;
  /* Each opening begins behind the last one's end. */
  for (int i = 0; i < form->ngap; i++) {
    const brio_wall_gap *gap = &form->gaps[i];
    if (!(gap->width > 0 && gap->height > 0 && gap->at - gap->width / 2 >= from - 1e-9 &&
          gap->at + gap->width / 2 <= length + 1e-9))
      return brio_fail(
          err, BRIO_MISUSE,
          "the wall '%s', %g m long: its opening at %g m, %g m wide, must be within it and not over another",
          form->id, length, gap->at, gap->width);
    from = gap->at + gap->width / 2;
  }
  return true;
}

/* Validate a wall's form: ends, height, thickness, openings. A comparison with NaN fails. */
static bool check_form(const brio_world *world, const brio_wall_form *form, brio_error *err) {
  const double numbers[] = {form->x0, form->y0, form->x1, form->y1};
  if (!brio_world_check_names(world, "wall", form->id, err)) return false;
  /* Ends in m. */
  for (int i = 0; i < 4; i++)
    if (!(fabs(numbers[i]) <= 1e4))
      return brio_fail(err, BRIO_MISUSE, "the wall '%s' must stand at finite numbers", form->id);
  double length = hypot(form->x1 - form->x0, form->y1 - form->y0);
  /* Direction and boxes need a length. */
  if (!(length >= 0.01))
    return brio_fail(err, BRIO_MISUSE, "the wall '%s' must be at least 0.01 m long", form->id);
  if (!(form->height >= 0.01 && form->height <= 100 && form->thick >= 0.001 && form->thick <= 10))
    return brio_fail(err, BRIO_MISUSE,
                     "the wall '%s' must be from 0.01 to 100 m high and 0.001 to 10 m thick", form->id);
  return check_gaps(form, length, err);
}

/* Add a box of a wall: from one distance along it to another, from one height to another, m. Pieces below
** MIN_PIECE are left out. */
static void add_box(wall *to, const brio_wall_form *form, double from, double till, double low, double high) {
  if (till - from < MIN_PIECE || high - low < MIN_PIECE) return;
  double length = hypot(form->x1 - form->x0, form->y1 - form->y0);
  /* Distances are measured from one end, the wall's frame is in its middle. */
  brio_pose at = brio_pose_mul(to->middle,
                               (brio_pose){{(from + till - length) / 2, 0, (low + high) / 2}, {0, 0, 0, 1}});
  assert(to->nbox < MAX_BOXES);
  brio_solid *box = &to->boxes[to->nbox++];
  *box = (brio_solid){.kind = BRIO_SOLID_BOX, .at = brio_transform_of(at),
                      .half = {(till - from) / 2, form->thick / 2, (high - low) / 2}};
  memcpy(box->color, form->color, sizeof box->color);
}

/* Make the boxes: the full height between openings, the rest above each of them. */
static void make(wall *to, const brio_wall_form *form) {
  double length = hypot(form->x1 - form->x0, form->y1 - form->y0), from = 0;
  /* From one end to the other: wall, then the part above the opening. */
  for (int i = 0; i < form->ngap; i++) {
    const brio_wall_gap *gap = &form->gaps[i];
    double begins = gap->at - gap->width / 2, ends = gap->at + gap->width / 2;
    add_box(to, form, from, begins, 0, form->height);
    add_box(to, form, begins, ends, gap->height, form->height);
    from = ends;
  }
  add_box(to, form, from, length, 0, form->height);
}

/* Room for one more wall, not counted yet; NULL: no memory. */
static wall *next_wall(brio_world *world) {
  if (!walls_of(world)) world->parts[BRIO_WORLD_PART_walls] = calloc(1, sizeof(walls));
  walls *all = walls_of(world);
  if (!all) return NULL;
  /* Doubled, so that adding n costs O(n). */
  if (all->count == all->capacity) {
    int capacity = all->capacity ? 2 * all->capacity : 16;
    wall *more = realloc(all->list, (size_t)capacity * sizeof *more);
    if (!more) return NULL;
    all->list = more;
    all->capacity = capacity;
  }
  return &all->list[all->count];
}

bool brio_world_add_wall(brio_world *world, const brio_wall_form *said, brio_error *err) {
  brio_wall_form form = *said;
  if (form.ngap < 0 || form.ngap > BRIO_WALL_GAPS)
    return brio_fail(err, BRIO_LIMIT, "the wall '%s' may have %d openings", form.id, BRIO_WALL_GAPS);
  /* The copy of the form is sorted, not the caller's. */
  qsort(form.gaps, (size_t)form.ngap, sizeof *form.gaps, by_place);
  if (!check_form(world, &form, err)) return false;
  if (walls_of(world) && walls_of(world)->count == MAX_WALLS)
    return brio_fail(err, BRIO_LIMIT, "the world holds %d walls at most", MAX_WALLS);
  wall *new = next_wall(world);
  if (!new) return brio_fail(err, BRIO_NO_MEMORY, "no memory for the wall '%s'", form.id);
  /* Its frame: the middle on the floor, x from one end to the other. */
  *new = (wall){.middle = {{(form.x0 + form.x1) / 2, (form.y0 + form.y1) / 2, 0},
                           brio_quat_from_rpy(0, 0, atan2(form.y1 - form.y0, form.x1 - form.x0))}};
  snprintf(new->id, sizeof new->id, "%s", form.id);
  make(new, &form);
  /* The wall counts only if its boxes have room. */
  if (!brio_world_reserve(world, new->nbox, err)) return false;
  for (int i = 0; i < new->nbox; i++)
    new->boxes[i].owner = BRIO_WORLD_OWNER(BRIO_WORLD_PART_walls, walls_of(world)->count);
  walls_of(world)->count++;
  brio_world_collect(world);
  return true;
}

/* Add the boxes of all walls to the solids of this step. */
static void put_walls(brio_world *world) {
  const walls *all = walls_of(world);
  for (int i = 0; i < all->count; i++)
    for (int k = 0; k < all->list[i].nbox; k++) brio_world_put_solid(world, &all->list[i].boxes[k]);
}

/* The number of walls. No detector sees them: they have no sight. */
static int count_walls(const brio_world *world) { return walls_of(world)->count; }

/* Index of a wall by id; -1: none. O(walls). */
static int find_wall(const brio_world *world, const char *id) {
  const walls *all = walls_of(world);
  for (int i = 0; i < all->count; i++)
    if (strcmp(all->list[i].id, id) == 0) return i;
  return -1;
}

/* Its frame, on the floor. */
static bool wall_pose(const brio_world *world, int index, brio_pose *pose) {
  *pose = walls_of(world)->list[index].middle;
  return true;
}

/* Its id, for things that lie on it and bodies that are in it. */
static const char *name_of_wall(const brio_world *world, int index) {
  return walls_of(world)->list[index].id;
}

/* Free the part's memory. */
static void free_walls(void *memory) {
  free(((walls *)memory)->list);
  free(memory);
}

const brio_world_part brio_world_part_walls = {
    .name = "walls",
    .solids = put_walls,
    .count = count_walls,
    .find = find_wall,
    .pose = wall_pose,
    .name_of = name_of_wall,
    .free = free_walls,
};
