/* A chain: the movers of a robot's program (program_internal.h) that carry a few links, with the same
** constants and numbered without gaps, so that no other mover is computed. */
#include "robot/chain.h"

#include <assert.h>
#include <string.h>

#include "robot/frame_internal.h"

/* A link of the chain. */
typedef struct chain_end {
  int frame; /* that the link hangs in */
  bool held; /* the link is not the frame itself, but stands at `place` in it */
  double place[BRIO_FRAME];
} chain_end;

/* A mover of the chain, with its number among the chain's variables. */
typedef struct chain_mover {
  int parent; /* frame it stands in */
  int x;      /* its variable's place among the chain's */
  bool slides;
  double multiplier, offset;
  brio_vec3 axis;
} chain_mover;

/* The program and the scratch of a chain. */
struct brio_chain_private {
  int nmover;
  chain_mover *movers;                /* nmover + 1, by frame; 0 is the root link's and not used */
  double (*constants)[3][BRIO_FRAME]; /* beside movers */
  double *values, *sines, *cosines;   /* nmover + 2, by frame */
  double *frames;                     /* (nmover + 1) x BRIO_FRAME: world_from_frame */
  chain_end *ends;                    /* nlink */
};

/* Mark in `used` (nmover + 1 of the program) the frames that carry the links. Return their number; shared
** frames count once. O(links x depth) */
static int mark_frames(const brio_chain *chain, int *used) {
  const struct brio_robot_program *program = chain->robot->program;
  int count = 0;
  for (int k = 0; k < chain->nlink; k++)
    for (int m = program->frame_of[chain->links[k]]; m > 0; m = program->movers[m].parent) {
      count += !used[m];
      used[m] = 1;
    }
  return count;
}

/* List the variables of the marked frames, ascending, and write the index of each into `place_of` (nvariable
** of the robot). */
static void list_variables(brio_chain *chain, const int *used, int *variables, int *place_of) {
  const struct brio_robot_program *program = chain->robot->program;
  /* Mark the variables; several movers may share one (mimic joints). */
  for (int m = 1; m <= program->nmover; m++)
    if (used[m]) place_of[program->movers[m].q - BRIO_BASE_NQ] = 1;
  /* Marks become indices in the same array. */
  for (int i = 0; i < chain->robot->nvariable; i++) {
    if (!place_of[i]) continue;
    assert(chain->nvariable <= i);
    place_of[i] = chain->nvariable;
    variables[chain->nvariable++] = i;
  }
}

/* Copy the marked movers in their order, and write the new number of each into `used`. */
static void copy_movers(brio_chain *chain, int *used, const int *place_of) {
  const struct brio_robot_program *program = chain->robot->program;
  struct brio_chain_private *work = chain->work;
  for (int m = 1; m <= program->nmover; m++) {
    /* Frames that carry none of the links are left out. */
    if (!used[m]) continue;
    const brio_mover *mover = &program->movers[m];
    used[m] = ++work->nmover;
    /* A parent has a smaller number, so its new one is known. */
    assert(mover->parent < m && (mover->parent == 0 || used[mover->parent] < used[m]));
    work->movers[used[m]] = (chain_mover){used[mover->parent], place_of[mover->q - BRIO_BASE_NQ],
                                          mover->slides,       mover->multiplier,
                                          mover->offset,       mover->axis};
    /* The constants are relative to the parent frame, which is the same in both. */
    memcpy(work->constants[used[m]], program->constants[m], sizeof work->constants[0]);
  }
  /* The frame of each link, and its pose in it where the link is not the frame itself. */
  for (int k = 0; k < chain->nlink; k++) {
    int link = chain->links[k], held = program->held_of[link];
    work->ends[k].frame = used[program->frame_of[link]];
    work->ends[k].held = held >= 0;
    if (held >= 0) memcpy(work->ends[k].place, program->held[held].place, sizeof work->ends[k].place);
  }
}

/* Allocate all arrays except the scratch, for `count` movers. False: no memory. */
static bool make_room(brio_chain *chain, const int *links, int count) {
  /* The list of links is copied, as the caller's may end. */
  brio_arena *arena = &chain->arena;
  struct brio_chain_private *work = chain->work = BRIO_TAKE(arena, struct brio_chain_private, 1);
  int *own = BRIO_TAKE(arena, int, chain->nlink), *variables = BRIO_TAKE(arena, int, count + 1);
  chain->ends = BRIO_TAKE(arena, brio_transform, chain->nlink);
  if (!work || !own || !variables || !chain->ends) return false;
  memcpy(own, links, (size_t)chain->nlink * sizeof *own);
  chain->links = own;
  chain->variables = variables;
  work->movers = BRIO_TAKE(arena, chain_mover, count + 1);
  work->constants = brio_arena_take(arena, (size_t)(count + 1) * sizeof *work->constants);
  work->values = BRIO_TAKE(arena, double, 3 * (count + 2));
  work->frames = BRIO_TAKE(arena, double, (count + 1) * BRIO_FRAME);
  work->ends = BRIO_TAKE(arena, chain_end, chain->nlink);
  if (!work->movers || !work->constants || !work->values || !work->frames || !work->ends) return false;
  /* One array in three parts, each with one more number: brio_sincos_list works in pairs. */
  work->sines = work->values + count + 2;
  work->cosines = work->sines + count + 2;
  return true;
}

bool brio_chain_start(brio_chain *chain, const brio_robot *robot, const int *links, int nlink,
                      brio_error *err) {
  memset(chain, 0, sizeof *chain);
  chain->robot = robot;
  chain->nlink = nlink;
  chain->links = links;
  brio_arena_start(&chain->arena, 4096);
  brio_arena scratch;
  /* The scratch is only needed during setup. */
  brio_arena_start(&scratch, 4096);
  int *used = BRIO_TAKE(&scratch, int, robot->program->nmover + 1);
  int *place_of = BRIO_TAKE(&scratch, int, robot->nvariable + 1);
  /* mark_frames runs first: its result sizes the arrays. */
  bool good = used && place_of && make_room(chain, links, mark_frames(chain, used));
  if (good) {
    list_variables(chain, used, (int *)chain->variables, place_of);
    copy_movers(chain, used, place_of);
  } else {
    brio_chain_end(chain);
    brio_fail(err, BRIO_NO_MEMORY, "no memory for a chain of robot '%.80s'", robot->name);
  }
  brio_arena_end(&scratch);
  return good;
}

void brio_chain_end(brio_chain *chain) {
  brio_arena_end(&chain->arena);
  memset(chain, 0, sizeof *chain);
}

/* As brio_state_update, for the chain alone: O(nmover of the chain). */
void brio_chain_update(brio_chain *chain, const brio_transform *base, const double *x) {
  struct brio_chain_private *work = chain->work;
  bool large = false;
  /* The values of all movers; those that turn then need sine and cosine. */
  for (int m = 1; m <= work->nmover; m++) {
    const chain_mover *mover = &work->movers[m];
    double value = mover->multiplier * x[mover->x] + mover->offset;
    work->values[m] = value;
    large |= !(fabs(value) < BRIO_SINCOS_LARGEST);
  }
  brio_sincos_list(work->values + 1, work->sines + 1, work->cosines + 1, work->nmover, large);
  /* Frame 0 is the root link's. */
  brio_frame_read(base, work->frames);
  /* Parents come first, so each frame is one product. Movers that slide have the value in the place of the
  ** sine. */
  for (int m = 1; m <= work->nmover; m++) {
    const chain_mover *mover = &work->movers[m];
    double sine = mover->slides ? work->values[m] : work->sines[m],
           cosine = mover->slides ? 0 : work->cosines[m];
    brio_frame_place(work->frames + BRIO_FRAME * mover->parent, work->constants[m][0], sine, cosine,
                     work->frames + BRIO_FRAME * m);
  }
  /* Links that are not frames need one more product. */
  for (int k = 0; k < chain->nlink; k++) {
    const chain_end *end = &work->ends[k];
    double frame[BRIO_FRAME];
    const double *at = work->frames + BRIO_FRAME * end->frame;
    if (end->held) brio_frame_multiply(at, end->place, frame), at = frame;
    brio_frame_write(at, &chain->ends[k]);
  }
}

void brio_chain_columns(const brio_chain *chain, int end, brio_vec3 point, double *columns, int stride) {
  assert(end >= 0 && end < chain->nlink && stride >= BRIO_CHAIN_COLUMN);
  const struct brio_chain_private *work = chain->work;
  /* Columns of variables that do not move the link are 0. */
  for (int i = 0; i < chain->nvariable; i++)
    memset(columns + i * stride, 0, BRIO_CHAIN_COLUMN * sizeof *columns);
  /* From the link inward; a variable that moves several movers adds up. */
  for (int m = work->ends[end].frame; m > 0; m = work->movers[m].parent) {
    const chain_mover *mover = &work->movers[m];
    const double *frame = work->frames + BRIO_FRAME * m;
    assert(work->movers[m].parent < m);
    double *column = columns + mover->x * stride;
    /* Turning: axis x (point - origin); sliding: the axis itself. */
    brio_vec3 axis = brio_vec3_scale(mover->multiplier, brio_frame_direction(frame, mover->axis));
    brio_vec3 linear =
        mover->slides ? axis : brio_vec3_cross(axis, brio_vec3_sub(point, brio_frame_origin(frame)));
    column[0] += linear.x, column[1] += linear.y, column[2] += linear.z;
    if (!mover->slides) column[3] += axis.x, column[4] += axis.y, column[5] += axis.z;
  }
}
