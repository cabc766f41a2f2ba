/* Set-up of a checker: bodies, covers, and the pairs of links that must not touch. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "plan/joints/checker_internal.h"

/* --- what the request asks for --- */

/* Whether carried shapes are solids on links that exist. */
static bool check_carried(const brio_joint_checker_request *request, brio_error *err) {
  if (request->ncarried < 0 || request->ncarried > BRIO_OBSTACLES)
    return brio_fail(err, BRIO_LIMIT, "%d carried shapes: at most %d", request->ncarried, BRIO_OBSTACLES);
  for (int i = 0; i < request->ncarried; i++) {
    const brio_link_shape *own = &request->carried[i];
    const char *name = own->name ? own->name : "-";
    if (own->link < 0 || own->link >= request->robot->nlink)
      return brio_fail(err, BRIO_MISUSE, "carried shape %d (%.60s): there is no link %d", i + 1, name,
                       own->link);
    if (!brio_shape_check(&own->shape, err))
      return brio_fail_in(err, "carried shape %d (%.60s)", i + 1, name);
    if (own->shape.kind == BRIO_SHAPE_HALF_SPACE)
      return brio_fail(err, BRIO_MISUSE, "carried shape %d (%.60s) has no end", i + 1, name);
    if (!brio_pose_finite(own->pose))
      return brio_fail(err, BRIO_MISUSE, "carried shape %d (%.60s): its pose must be finite numbers", i + 1,
                       name);
  }
  return true;
}

static bool check_request(const brio_joint_checker_request *request, brio_error *err) {
  const brio_robot *robot = request->robot;
  if (request->nvariable < 1 || request->nvariable > BRIO_JOINTS_PLANNED)
    return brio_fail(err, BRIO_MISUSE, "%d joints to plan: 1 to %d", request->nvariable, BRIO_JOINTS_PLANNED);
  /* Variables exist, are planned once, and have ends or none. */
  for (int i = 0; i < request->nvariable; i++) {
    int v = request->variables[i];
    if (v < 0 || v >= robot->nvariable)
      return brio_fail(err, BRIO_MISUSE, "robot '%.80s' has no variable %d, only %d", robot->name, v,
                       robot->nvariable);
    const brio_variable *own = &robot->variables[v];
    if (!own->circular && !(isfinite(own->lower) && isfinite(own->upper)))
      return brio_fail(err, BRIO_MISUSE,
                       "variable '%.80s' has no limits: only circular ones are planned without", own->name);
    for (int k = 0; k < i; k++)
      if (request->variables[k] == v)
        return brio_fail(err, BRIO_MISUSE, "variable '%.80s' is planned twice", robot->variables[v].name);
  }
  for (int i = 0; i < robot->nq; i++)
    if (!isfinite(request->q[i])) return brio_fail(err, BRIO_MISUSE, "number %d of q is not finite", i + 1);
  if (!(request->clearance >= 0 && request->clearance < 1e6))
    return brio_fail(err, BRIO_MISUSE, "a clearance is 0 or more, m, not %g", request->clearance);
  if (!(request->resolution >= 0 && request->resolution < 1e6))
    return brio_fail(err, BRIO_MISUSE, "a resolution is above 0, m, not %g", request->resolution);
  for (int i = 0; i < robot->ncollision; i++)
    if (robot->collisions[i].shape.kind == BRIO_SHAPE_HALF_SPACE)
      return brio_fail(err, BRIO_MISUSE, "shape '%.80s' of the robot has no end", robot->collisions[i].name);
  return check_carried(request, err);
}

/* --- links and their spheres --- */

/* Add a sphere; the shape's own if there is just one around it. */
static void add_sphere(brio_joint_checker *checker, brio_cover_sphere sphere, int body, bool exact) {
  checker->spheres[checker->nsphere++] = (brio_checked_sphere){sphere.center, sphere.radius, body, exact};
}

/* Add the cover of a shape of the robot, in its frame. */
static void add_body(brio_joint_checker *checker, const brio_link_shape *shape) {
  int b = checker->nbody++, frame = checker->frames.frame_of[shape->link];
  brio_transform pose = brio_transform_of(shape->pose);
  brio_checked_body *body = &checker->bodies[b];
  *body = (brio_checked_body){&shape->shape, shape->link, frame,
                              brio_transform_mul(&checker->frames.link_places[shape->link], &pose)};
  brio_cover_sphere cover[BRIO_COVER_SPHERES];
  /* In the frame that carries the link. */
  int n = brio_cover_shape(&shape->shape, cover);
  for (int i = 0; i < n; i++) {
    cover[i].center = brio_transform_point(&body->pose, cover[i].center);
    add_sphere(checker, cover[i], b, shape->shape.kind == BRIO_SHAPE_SPHERE);
  }
}

/* Add a link that has shapes. */
static void add_link(brio_joint_checker *checker, int index) {
  const brio_robot *robot = checker->robot;
  brio_checked_link link = {.link = index,
                            .frame = checker->frames.frame_of[index],
                            .first = checker->nsphere,
                            .first_body = checker->nbody};
  for (int i = 0; i < robot->ncollision; i++)
    if (robot->collisions[i].link == index) add_body(checker, &robot->collisions[i]);
  for (int i = 0; i < checker->ncarried; i++)
    if (checker->carried[i].link == index) add_body(checker, &checker->carried[i]);
  link.nbody = checker->nbody - link.first_body;
  if (!link.nbody) return;
  /* One sphere around all: the middle of the box around them. */
  brio_vec3 lower = {INFINITY, INFINITY, INFINITY}, upper = {-INFINITY, -INFINITY, -INFINITY};
  for (int s = link.first; s < checker->nsphere; s++) {
    brio_vec3 c = checker->spheres[s].center;
    double r = checker->spheres[s].radius;
    lower = (brio_vec3){fmin(lower.x, c.x - r), fmin(lower.y, c.y - r), fmin(lower.z, c.z - r)};
    upper = (brio_vec3){fmax(upper.x, c.x + r), fmax(upper.y, c.y + r), fmax(upper.z, c.z + r)};
  }
  link.center = brio_vec3_scale(0.5, brio_vec3_add(lower, upper));
  /* Its radius, and how far the joints behind it move its points at most. */
  for (int s = link.first; s < checker->nsphere; s++) {
    const brio_checked_sphere *sphere = &checker->spheres[s];
    double far = brio_vec3_norm(brio_vec3_sub(sphere->center, link.center)) + sphere->radius;
    link.radius = fmax(link.radius, far);
    link.extent = fmax(link.extent, brio_vec3_norm(sphere->center) + sphere->radius);
  }
  /* Groups of four are filled with spheres of a negative radius, which are near nothing. */
  while ((checker->nsphere - link.first) % 4)
    add_sphere(checker, (brio_cover_sphere){link.center, -1e9}, -1, true);
  link.count = checker->nsphere - link.first;
  checker->links[checker->nlink++] = link;
}

/* Add the links that move, from the tips on, then those that do not: what is far out collides most often. */
static void add_links(brio_joint_checker *checker) {
  for (int i = checker->robot->nlink - 1; i >= 0; i--)
    if (checker->frames.frame_of[i] > 0) add_link(checker, i);
  checker->nmoving = checker->nlink;
  for (int i = checker->robot->nlink - 1; i >= 0; i--)
    if (checker->frames.frame_of[i] == 0) add_link(checker, i);
}

/* --- pairs --- */

/* Return the frame of the robot in which a link is fixed. */
static int group_of(const brio_robot *robot, int link) {
  return brio_robot_frame_of(robot, link, NULL);
}

/* Whether a link has a shape. */
static bool has_shape(const brio_joint_checker *checker, int link) {
  for (int i = 0; i < checker->nlink; i++)
    if (checker->links[i].link == link) return true;
  return false;
}

/* Write for each rigid group of links whether it has shapes (nlink at most). */
static void mark_solid(const brio_joint_checker *checker, bool *solid) {
  for (int i = 0; i < checker->robot->nlink; i++)
    if (has_shape(checker, i)) solid[group_of(checker->robot, i)] = true;
}

/* Return the nearest group with shapes that carries a group; -1: none. */
static int carrier_of(const brio_mover *movers, const bool *solid, int group) {
  do group = group ? movers[group].parent : -1;
  while (group >= 0 && !solid[group]);
  return group;
}

static bool listed(const brio_link_pair *list, int count, int a, int b) {
  for (int i = 0; i < count; i++) {
    const int *links = list[i].links;
    if ((links[0] == a && links[1] == b) || (links[0] == b && links[1] == a)) return true;
  }
  return false;
}

/* List the joints from frame `a` to frame `b`: up to the frame that carries both, then down.  A length is
** that to the joint before. */
static void list_steps(brio_joint_checker *checker, brio_checked_chain *chain, int a, int b) {
  const brio_joint_frame *list = checker->frames.list;
  int down[BRIO_JOINTS_FRAMES], n = 0, at = chain->first;
  double behind = 0;
  /* A frame has a greater number than what carries it. */
  for (int f = b; a != f;) {
    if (a > f) {
      checker->steps[at++] = (brio_checked_step){a, behind};
      behind = list[a].length;
      a = list[a].parent;
    } else {
      assert(n < BRIO_JOINTS_FRAMES);
      down[n++] = f;
      f = list[f].parent;
    }
  }
  /* Down again, in the order in which the joints follow. */
  for (int k = n - 1; k >= 0; k--) {
    checker->steps[at++] = (brio_checked_step){down[k], behind + list[down[k]].length};
    behind = 0;
  }
  chain->count = at - chain->first;
  chain->behind = behind;
}

/* Return the chain between two frames, a new one if there is none yet. */
static int chain_of(brio_joint_checker *checker, int a, int b) {
  for (int k = 0; k < checker->nchain; k++)
    if (checker->chains[k].frames[0] == a && checker->chains[k].frames[1] == b) return k;
  brio_checked_chain *chain = &checker->chains[checker->nchain];
  const brio_checked_chain *last = chain - 1;
  *chain = (brio_checked_chain){.frames = {a, b}, .first = checker->nchain ? last->first + last->count : 0};
  list_steps(checker, chain, a, b);
  return checker->nchain++;
}

/* List the pairs, and return their number; before there is memory for them, they are only counted. */
static int list_pairs(brio_joint_checker *checker, const brio_joint_checker_request *request,
                      const bool *solid) {
  const brio_robot *robot = checker->robot;
  int count, n = 0;
  const brio_mover *movers = brio_robot_movers(robot, &count);
  for (int i = 0; i < checker->nmoving; i++)
    for (int j = i + 1; j < checker->nlink; j++) {
      const brio_checked_link *one = &checker->links[i], *other = &checker->links[j];
      /* Rigid together, neighbors, or let touch: no pair. */
      int a = group_of(robot, one->link), b = group_of(robot, other->link);
      if (one->frame == other->frame) continue;
      if (carrier_of(movers, solid, a) == b || carrier_of(movers, solid, b) == a) continue;
      if (listed(robot->excludes, robot->nexclude, one->link, other->link)) continue;
      if (listed(request->allowed, request->nallowed, one->link, other->link)) continue;
      if (checker->pairs) {
        /* The second moves in the frame of the first, which is nearer to the base. */
        checker->pairs[n] = (brio_checked_pair){j, i, chain_of(checker, other->frame, one->frame)};
      }
      n++;
    }
  return n;
}

/* Make the list of pairs. */
static bool make_pairs(brio_joint_checker *checker, const brio_joint_checker_request *request) {
  int count;
  brio_robot_movers(checker->robot, &count);
  bool *solid = BRIO_TAKE(&checker->arena, bool, count + 1);
  if (!solid) return false;
  /* They are counted first, then listed. */
  mark_solid(checker, solid);
  checker->npair = list_pairs(checker, request, solid);
  /* At most a chain for each pair, or for any two frames. */
  int frames = checker->frames.count, chains = frames * frames;
  if (chains > checker->npair) chains = checker->npair;
  checker->steps = BRIO_TAKE(&checker->arena, brio_checked_step, chains * frames + 1);
  checker->chains = BRIO_TAKE(&checker->arena, brio_checked_chain, chains + 1);
  checker->pairs = BRIO_TAKE(&checker->arena, brio_checked_pair, checker->npair + 1);
  if (!checker->steps || !checker->chains || !checker->pairs) return false;
  list_pairs(checker, request, solid);
  return true;
}

/* --- memory --- */

/* Copy the carried shapes, whose points belong to the caller. */
static bool take_carried(brio_joint_checker *checker, const brio_joint_checker_request *request) {
  brio_arena *arena = &checker->arena;
  checker->carried = BRIO_TAKE(arena, brio_link_shape, request->ncarried + 1);
  for (int i = 0; checker->carried && i < request->ncarried; i++) {
    brio_link_shape *own = &checker->carried[i];
    *own = request->carried[i];
    own->pose.q = brio_quat_unit(own->pose.q);
    own->name = NULL; /* sentences have the link's */
    brio_vec3 *points = BRIO_TAKE(arena, brio_vec3, own->shape.npoint + 1);
    if (!points) return false;
    if (own->shape.npoint)
      memcpy(points, own->shape.points, (size_t)own->shape.npoint * sizeof *points);
    own->shape.points = own->shape.npoint ? points : NULL;
    checker->ncarried++;
  }
  return checker->carried != NULL;
}

/* Take what the shapes need: every one could have a whole cover, and its link three more spheres. */
static bool take_shapes(brio_joint_checker *checker) {
  brio_arena *arena = &checker->arena;
  const brio_robot *robot = checker->robot;
  int count = robot->ncollision + checker->ncarried, most = (BRIO_COVER_SPHERES + 4) * count + 4;
  checker->links = BRIO_TAKE(arena, brio_checked_link, robot->nlink + 1);
  checker->bodies = BRIO_TAKE(arena, brio_checked_body, count + 1);
  checker->spheres = BRIO_TAKE(arena, brio_checked_sphere, most);
  return checker->links && checker->bodies && checker->spheres;
}

/* Take what checks need, when the numbers are known. */
static bool take_scratch(brio_joint_checker *checker) {
  brio_arena *arena = &checker->arena;
  checker->centers = BRIO_TAKE(arena, brio_vec3, checker->nlink + 1);
  checker->placed = BRIO_TAKE(arena, bool, checker->nlink + 1);
  for (int k = 0; k < 3; k++) {
    checker->at[k] = BRIO_TAKE(arena, float, checker->nsphere + 4);
    if (!checker->at[k]) return false;
  }
  checker->radii = BRIO_TAKE(arena, float, checker->nsphere + 4);
  checker->near = BRIO_TAKE(arena, int, checker->field.nfour + 1);
  checker->bounds = BRIO_TAKE(arena, brio_checked_bound, checker->nitem + 1);
  /* The ring of pieces, with a mask of items each. */
  checker->pieces = brio_arena_take(arena, BRIO_JOINTS_PIECES * sizeof *checker->pieces);
  checker->masks = BRIO_TAKE(arena, uint64_t, BRIO_JOINTS_PIECES * checker->nword);
  return checker->centers && checker->placed && checker->radii && checker->near && checker->bounds &&
         checker->pieces && checker->masks;
}

/* Place once what does not move. */
static void place_still(brio_joint_checker *checker) {
  double reach = 0;
  for (int s = 0; s < checker->nsphere; s++) checker->radii[s] = (float)checker->spheres[s].radius;
  for (int i = checker->nmoving; i < checker->nlink; i++) {
    const brio_checked_link *link = &checker->links[i];
    checker->centers[i] = link->center;
    checker->placed[i] = true;
    for (int s = link->first; s < link->first + link->count; s++) {
      brio_vec3 p = checker->spheres[s].center;
      checker->at[0][s] = (float)p.x, checker->at[1][s] = (float)p.y, checker->at[2][s] = (float)p.z;
    }
    reach = fmax(reach, link->extent);
  }
  /* As far out as the planned joints may carry something. */
  double length = 0;
  for (int f = 1; f < checker->frames.count; f++) length += checker->frames.list[f].length;
  for (int i = 0; i < checker->nmoving; i++) reach = fmax(reach, length + checker->links[i].extent);
  /* Some ten roundings of 2^-24 of the greatest number: see box_distance. */
  checker->slack = (float)(ldexp(1, -19) * (checker->field.extent + reach));
}

static bool start(brio_joint_checker *checker, const brio_joint_checker_request *request, brio_error *err) {
  brio_arena *arena = &checker->arena;
  /* What the request says; lists are copied. */
  checker->robot = request->robot;
  checker->nx = request->nvariable;
  memcpy(checker->variables, request->variables, (size_t)checker->nx * sizeof *checker->variables);
  checker->clearance = request->clearance;
  checker->resolution = request->resolution > 0 ? request->resolution : 1e-4;
  if (!brio_joint_frames_start(&checker->frames, arena, request->robot, request->q, request->variables,
                               checker->nx, err) ||
      !brio_field_start(&checker->field, arena, request->obstacles, request->nobstacle, err) ||
      !brio_keeps_add(&checker->keeps, arena, &checker->frames, request->robot, request->keeps,
                      request->nkeep, err))
    return false;
  if (checker->frames.count - 1 > BRIO_JOINTS_FRAMES)
    return brio_fail(err, BRIO_LIMIT, "the planned variables move %d joints: at most %d",
                     checker->frames.count - 1, BRIO_JOINTS_FRAMES);
  /* Links before pairs, pairs before what depends on their numbers. */
  bool good = take_carried(checker, request) && take_shapes(checker);
  if (good) add_links(checker);
  good = good && make_pairs(checker, request);
  checker->nitem = checker->nmoving + checker->npair;
  checker->nword = (checker->nitem + 63) / 64 + (checker->nitem == 0);
  if (good && checker->nword > BRIO_CHECKED_WORDS)
    return brio_fail(err, BRIO_LIMIT, "%d links and pairs of links to check: at most %d", checker->nitem,
                     64 * BRIO_CHECKED_WORDS);
  if (!good || !take_scratch(checker))
    return brio_fail(err, BRIO_NO_MEMORY, "no memory to check robot '%.80s'", checker->robot->name);
  place_still(checker);
  return true;
}

brio_joint_checker *brio_joint_checker_new(const brio_joint_checker_request *request, brio_error *err) {
  if (!check_request(request, err)) return NULL;
  brio_joint_checker *checker = calloc(1, sizeof *checker);
  if (!checker) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory to check robot '%.80s'", request->robot->name);
    return NULL;
  }
  brio_arena_start(&checker->arena, 1 << 16);
  if (!start(checker, request, err)) {
    brio_joint_checker_free(checker);
    return NULL;
  }
  return checker;
}

void brio_joint_checker_free(brio_joint_checker *checker) {
  if (!checker) return;
  brio_arena_end(&checker->arena);
  free(checker);
}

void brio_joint_checker_set_clearance(brio_joint_checker *checker, double clearance) {
  assert(clearance >= 0 && clearance < 1e6);
  checker->clearance = clearance;
}

const brio_robot *brio_joint_checker_robot(const brio_joint_checker *checker) {
  return checker->robot;
}

int brio_joint_checker_size(const brio_joint_checker *checker, const int **variables) {
  if (variables) *variables = checker->variables;
  return checker->nx;
}

double brio_joint_checker_clearance(const brio_joint_checker *checker) { return checker->clearance; }
