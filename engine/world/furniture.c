/* Furniture as boards: each piece becomes a few oriented boxes when it is added, and never moves. */
#include "world/furniture.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world/world_internal.h"

#define LEG 0.05 /* m, thickness of a table's legs */

enum { MAX_PIECES = 512, MAX_BOARDS = 5 };

/* A piece: its form, the boards in the world, and streams of its own. */
typedef struct piece {
  brio_furniture_kind form;
  char kind[BRIO_DETECTION_KIND], id[BRIO_DETECTION_ID];
  brio_pose foot, mark;      /* in the world: its frame, and where detectors see it */
  brio_vec3 size;
  float color[3];
  bool colored, hidden;
  brio_solid boards[MAX_BOARDS];
  int nboard;
  brio_random noise, dropout;
} piece;

/* All pieces, in one fixed block. */
typedef struct furniture {
  piece list[MAX_PIECES];
  int count;
} furniture;

/* The furniture of a world; NULL: none was added. */
static furniture *furniture_of(const brio_world *world) { return world->parts[BRIO_WORLD_PART_furniture]; }

/* Add a board to a piece: its middle in the piece's frame, rotated by `pitch` about y. */
static void board(piece *to, brio_vec3 middle, brio_vec3 size, double pitch) {
  assert(to->nboard < MAX_BOARDS);
  brio_solid *solid = &to->boards[to->nboard++];
  brio_pose at = brio_pose_mul(to->foot, (brio_pose){middle, brio_quat_from_rpy(0, pitch, 0)});
  *solid = (brio_solid){
      .kind = BRIO_SOLID_BOX, .at = brio_transform_of(at), .half = brio_vec3_scale(0.5, size)};
  memcpy(solid->color, to->color, sizeof solid->color);
}

/* A board on four legs; detected at the middle of its top. */
static void make_table(piece *to, double thick) {
  brio_vec3 size = to->size;
  board(to, (brio_vec3){0, 0, size.z - thick / 2}, (brio_vec3){size.x, size.y, thick}, 0);
  /* The bits of i choose the corner. */
  for (int i = 0; i < 4; i++) {
    double x = (i & 1 ? 1 : -1) * (size.x / 2 - LEG), y = (i & 2 ? 1 : -1) * (size.y / 2 - LEG),
           high = size.z - thick;
    board(to, (brio_vec3){x, y, high / 2}, (brio_vec3){LEG, LEG, high}, 0);
  }
  to->mark = brio_pose_mul(to->foot, (brio_pose){{0, 0, size.z}, {0, 0, 0, 1}});
}

/* A bottom and four sides; detected at the middle of the opening. */
static void make_bin(piece *to, double thick) {
  brio_vec3 size = to->size;
  double x = (size.x - thick) / 2, y = (size.y - thick) / 2;
  /* The bottom, then the sides in front and at the back, then left and right. */
  board(to, (brio_vec3){0, 0, thick / 2}, (brio_vec3){size.x, size.y, thick}, 0);
  board(to, (brio_vec3){x, 0, size.z / 2}, (brio_vec3){thick, size.y, size.z}, 0);
  board(to, (brio_vec3){-x, 0, size.z / 2}, (brio_vec3){thick, size.y, size.z}, 0);
  board(to, (brio_vec3){0, y, size.z / 2}, (brio_vec3){size.x, thick, size.z}, 0);
  board(to, (brio_vec3){0, -y, size.z / 2}, (brio_vec3){size.x, thick, size.z}, 0);
  to->mark = brio_pose_mul(to->foot, (brio_pose){{0, 0, size.z}, {0, 0, 0, 1}});
}

/* A slope with a board on each side; detected at its lower end. */
static void make_chute(piece *to, double thick) {
  brio_vec3 size = to->size;
  /* The slope is the diagonal of the piece's side: it falls by size.z along size.x. */
  double pitch = atan2(size.z, size.x), length = hypot(size.x, size.z), side = size.y / 2 - thick / 2;
  board(to, (brio_vec3){0, 0, size.z / 2}, (brio_vec3){length, size.y, thick}, pitch);
  board(to, (brio_vec3){0, side, size.z / 2 + 2 * thick}, (brio_vec3){length, thick, 5 * thick}, pitch);
  board(to, (brio_vec3){0, -side, size.z / 2 + 2 * thick}, (brio_vec3){length, thick, 5 * thick}, pitch);
  to->mark = brio_pose_mul(to->foot, (brio_pose){{size.x / 2, 0, 0}, {0, 0, 0, 1}});
}

/* A block; detected at the middle of its top. */
static void make_box(piece *to, double thick) {
  (void)thick;
  board(to, (brio_vec3){0, 0, to->size.z / 2}, to->size, 0);
  to->mark = brio_pose_mul(to->foot, (brio_pose){{0, 0, to->size.z}, {0, 0, 0, 1}});
}

/* A slope without sides; detected at its upper end. */
static void make_ramp(piece *to, double thick) {
  brio_vec3 size = to->size;
  double pitch = atan2(size.z, size.x), length = hypot(size.x, size.z);
  /* Its top is the diagonal, so that its middle is half a board below it. */
  brio_vec3 middle = {thick / 2 * sin(pitch), 0, size.z / 2 - thick / 2 * cos(pitch)};
  board(to, middle, (brio_vec3){length, size.y, thick}, -pitch);
  to->mark = brio_pose_mul(to->foot, (brio_pose){{size.x / 2, 0, size.z}, {0, 0, 0, 1}});
}

/* Each step is a block from the floor; detected at the front of the highest. */
static void make_stairs(piece *to, double thick) {
  enum { STEPS = 5 };
  brio_vec3 size = to->size;
  double deep = size.x / STEPS;
  (void)thick;
  for (int i = 0; i < STEPS; i++) {
    double high = size.z * (i + 1) / STEPS;
    board(to, (brio_vec3){(i + 0.5) * deep - size.x / 2, 0, high / 2}, (brio_vec3){deep, size.y, high}, 0);
  }
  to->mark = brio_pose_mul(to->foot, (brio_pose){{size.x / 2, 0, size.z}, {0, 0, 0, 1}});
}

/* Name, maker and number of boards of each form. */
static const struct {
  const char *name;
  void (*make)(piece *to, double thick);
  int boards;
} forms[BRIO_NFURNITURE] = {
    [BRIO_FURNITURE_TABLE] = {"table", make_table, 5}, [BRIO_FURNITURE_BIN] = {"bin", make_bin, 5},
    [BRIO_FURNITURE_CHUTE] = {"chute", make_chute, 3}, [BRIO_FURNITURE_BOX] = {"box", make_box, 1},
    [BRIO_FURNITURE_RAMP] = {"ramp", make_ramp, 1},    [BRIO_FURNITURE_STAIRS] = {"stairs", make_stairs, 5},
};

const char *brio_furniture_name(brio_furniture_kind form) { return forms[form].name; }

/* Validate a form: finite position, lengths of 1 mm to 100 m. A comparison with NaN fails. */
static bool check_form(const brio_world *world, const brio_furniture_form *form, brio_error *err) {
  if (!brio_world_check_names(world, form->kind, form->id, err)) return false;
  /* Position in m, yaw in rad. */
  const double numbers[] = {form->x, form->y, form->z, form->yaw};
  for (int i = 0; i < 4; i++)
    if (!(fabs(numbers[i]) <= 1e4))
      return brio_fail(err, BRIO_MISUSE, "'%s': it must stand at finite numbers", form->id);
  /* Lengths, m. */
  const double sizes[] = {form->size.x, form->size.y, form->size.z, form->board};
  for (int i = 0; i < 4; i++)
    if (!(sizes[i] >= 1e-3 && sizes[i] <= 100))
      return brio_fail(err, BRIO_MISUSE, "'%s': lengths of furniture must be from 0.001 to 100 m, not %g",
                       form->id, sizes[i]);
  return true;
}

bool brio_world_add_furniture(brio_world *world, const brio_furniture_form *form, brio_error *err) {
  if (!check_form(world, form, err)) return false;
  /* All pieces are one fixed block: they never move in memory. */
  if (!furniture_of(world)) world->parts[BRIO_WORLD_PART_furniture] = calloc(1, sizeof(furniture));
  furniture *all = furniture_of(world);
  if (!all) return brio_fail(err, BRIO_NO_MEMORY, "no memory for furniture");
  if (all->count == MAX_PIECES)
    return brio_fail(err, BRIO_LIMIT, "the world holds %d pieces of furniture at most", MAX_PIECES);
  /* Room for its solids before it is counted: a failure leaves the world as it was. */
  if (!brio_world_reserve(world, forms[form->form].boards, err)) return false;
  /* Its foot is its frame: upright, turned by yaw. */
  piece *new = &all->list[all->count];
  *new = (piece){.form = form->form,
                 .size = form->size,
                 .hidden = form->hidden,
                 .foot = {{form->x, form->y, form->z}, brio_quat_from_rpy(0, 0, form->yaw)},
                 .colored = isfinite(form->color[0]),
                 .noise = brio_world_stream(world, form->id, "noise"),
                 .dropout = brio_world_stream(world, form->id, "dropout")};
  memcpy(new->color, form->color, sizeof new->color);
  snprintf(new->kind, sizeof new->kind, "%s", form->kind);
  snprintf(new->id, sizeof new->id, "%s", form->id);
  /* The boards of its form, in the world; all have the piece as their owner. */
  forms[form->form].make(new, form->board);
  assert(new->nboard == forms[form->form].boards);
  for (int i = 0; i < new->nboard; i++)
    new->boards[i].owner = BRIO_WORLD_OWNER(BRIO_WORLD_PART_furniture, all->count);
  all->count++;
  /* Sensors see it at once. */
  brio_world_collect(world);
  return true;
}

/* Add the boards of all pieces to the solids of this step. */
static void put_furniture(brio_world *world) {
  const furniture *all = furniture_of(world);
  for (int i = 0; i < all->count; i++)
    for (int k = 0; k < all->list[i].nboard; k++) brio_world_put_solid(world, &all->list[i].boards[k]);
}

/* The number of pieces, for sensors. */
static int count_furniture(const brio_world *world) { return furniture_of(world)->count; }

/* What a sensor sees of a piece; false: it is hidden from detectors. */
static bool furniture_sight(brio_world *world, int index, brio_world_sight *out) {
  piece *which = &furniture_of(world)->list[index];
  *out = (brio_world_sight){.kind = which->kind, .id = which->id, .pose = which->mark, .size = which->size,
                            .color = which->colored ? which->color : NULL, .oriented = true,
                            .owner = BRIO_WORLD_OWNER(BRIO_WORLD_PART_furniture, index),
                            .noise = &which->noise, .dropout = &which->dropout};
  return !which->hidden;
}

/* Index of a piece by id; -1: none. O(pieces). */
static int find_furniture(const brio_world *world, const char *id) {
  const furniture *all = furniture_of(world);
  for (int i = 0; i < all->count; i++)
    if (strcmp(all->list[i].id, id) == 0) return i;
  return -1;
}

/* Its frame: the middle of its foot. */
static bool furniture_pose(const brio_world *world, int index, brio_pose *pose) {
  *pose = furniture_of(world)->list[index].foot;
  return true;
}

/* Its id, for things that lie on it. */
static const char *name_of_furniture(const brio_world *world, int index) {
  return furniture_of(world)->list[index].id;
}

/* Pieces that are in both worlds keep their streams of noise. */
static void keep_furniture(brio_world *now, const brio_world *before) {
  /* By id; new pieces keep the streams that they began with. */
  for (int i = 0; i < furniture_of(now)->count; i++) {
    piece *which = &furniture_of(now)->list[i];
    int same = find_furniture(before, which->id);
    if (same < 0) continue;
    which->noise = furniture_of(before)->list[same].noise;
    which->dropout = furniture_of(before)->list[same].dropout;
  }
}

const brio_world_part brio_world_part_furniture = {
    .name = "furniture",
    .solids = put_furniture,
    .count = count_furniture,
    .sight = furniture_sight,
    .find = find_furniture,
    .pose = furniture_pose,
    .name_of = name_of_furniture,
    .keep = keep_furniture,
    .free = free,
};
