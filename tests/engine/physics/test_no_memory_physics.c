/* Physics when memory is refused: of brio's own allocations, with a library that has none, each may fail,
** alone or with all after it; of MuJoCo's a sample, and all of them in `make soak`. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/allocations.h"
#include "tests/engine/physics/scene.h"
#include "tests/refusals.h"
#include "world/doors/doors.h"

static const char arm[] =
    "<robot name='arm'><link name='base'/><link name='tip'><inertial><mass value='1'/><inertia ixx='0.01' "
    "iyy='0.01' izz='0.01' ixy='0' ixz='0' iyz='0'/></inertial><collision><geometry>"
    "<sphere radius='0.05'/></geometry>"
    "</collision></link><link name='bare'/>"
    "<joint name='lift' type='prismatic'><parent link='base'/><child link='tip'/><origin xyz='-3 0 1'/>"
    "<axis xyz='0 0 1'/><limit lower='0' upper='0.5' velocity='0.5' effort='200'/></joint>"
    "<joint name='turn' type='revolute'><parent link='tip'/><child link='bare'/>"
    "<axis xyz='0 1 0'/><limit lower='-1' upper='1' velocity='2' effort='10'/></joint></robot>";

/* A library that simulates nothing: one block of memory. */
static void *open_nothing(const char *model, size_t length, const brio_physics_bounds *bounds, char *why,
                          size_t room) {
  (void)model, (void)length, (void)bounds;
  void *made = malloc(8);
  if (!made) snprintf(why, room, "no memory for nothing");
  return made;
}
static int find_nothing(const void *simulation, const char *name) { return (void)simulation, (void)name, 0; }
static void place_nothing(void *simulation, int joint, double position) {
  (void)simulation, (void)joint, (void)position;
}
static void settle_nothing(void *simulation) { (void)simulation; }
static double no_time(const void *simulation) { return (void)simulation, 0; }
static void read_nothing(const void *simulation, int joint, brio_physics_joint *out) {
  (void)simulation, (void)joint;
  *out = (brio_physics_joint){0};
}
static void lay_off_nothing(void *simulation, int body, bool off) { (void)simulation, (void)body, (void)off; }
static void limit_nothing(void *simulation, int joint, double lower, double upper) {
  (void)simulation, (void)joint, (void)lower, (void)upper;
}
static bool match_nothing(void *simulation, const void *other) {
  (void)simulation, (void)other;
  void *block = malloc(8);
  free(block);
  return block != NULL;
}

static const brio_physics_library nothing = {
    .version = BRIO_PHYSICS_LIBRARY_VERSION, .size = sizeof(brio_physics_library), .name = "nothing",
    .open = open_nothing, .close = free, .body = find_nothing, .joint = find_nothing, .servo = find_nothing,
    .sensor = find_nothing, .place = place_nothing, .settle = settle_nothing, .time = no_time,
    .read_joint = read_nothing, .lay_off = lay_off_nothing, .limit = limit_nothing, .match = match_nothing};

static brio_robot *robot;
static brio_world *world;
static const brio_physics_library *library;

/* Furniture, a thing without a mass, a door and a drawer. */
static void set_up(const brio_physics_library *of) {
  brio_error err = {0};
  const float color[3] = {NAN, NAN, NAN};
  const brio_door_settings lever = brio_door_defaults(BRIO_DOOR_LEVER);
  brio_door_settings drawer = brio_drawer_defaults(0.4, 0.15, 0.45);
  drawer.pose.p.x = 3;
  library = of;
  robot = robot_of(arm);
  world = brio_world_new(1, &err);
  const brio_furniture_form table = {.form = BRIO_FURNITURE_TABLE, .kind = "table", .id = "table", .x = 1,
                                     .size = {0.6, 1, 0.7}, .board = 0.03, .color = {NAN, NAN, NAN}};
  CHECK(brio_world_add_furniture(world, &table, &err) &&
            brio_world_add_door(world, "door", &lever, color, &err) &&
            brio_world_add_door(world, "drawer", &drawer, color, &err),
        "%s", err.message);
  brio_thing_form box = scene_box("box", (brio_vec3){0.1, 0.1, 0.1}, 1, 0, NAN, 0);
  scene_thing(world, &box);
}

static void tear_down(void) {
  brio_world_free(world);
  brio_robot_free(robot);
}

/* Physics, its model as a text, and a change to other contents. */
static bool work(brio_error *err) {
  static const char *const touches[] = {"tip"};
  const brio_physics_options options = {.simulator = library,
                                        .robot = robot,
                                        .world = world,
                                        .massless = 0.05,
                                        .imu = "tip",
                                        .touches = touches,
                                        .ntouch = 1};
  brio_physics *physics = brio_physics_new(&options, err);
  brio_text text = {0};
  brio_assembly *made = NULL;
  bool good = physics && brio_physics_write(physics, &text, err) &&
              (made = brio_physics_prepare(physics, world, err)) != NULL &&
              brio_physics_compile(physics, made, err);
  if (good && brio_physics_change(physics, made, err)) made = NULL;
  brio_assembly_free(made);
  brio_physics_free(physics);
  brio_text_end(&text);
  return good;
}

static void any_allocation_may_fail(void) {
  static const refusals_job job = {"physics", work};
  set_up(&nothing);
  refusals_of(&job, 1);
  tear_down();
}

/* Refuse the n-th allocation, and `span` - 1 after it, in a process of its own: what the library held is
** lost, and it cannot compile again.  Return whether the job succeeded or said that there is no memory. */
static bool is_survived(size_t nth, size_t span) {
  int status = 0;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    brio_error err = {0};
    alarm(120); /* a lock that nobody frees */
    allocations_refused_from = allocations + nth;
    allocations_refused = span;
    bool good = work(&err);
    allocations_refused_from = 0;
    if (!good && err.code != BRIO_NO_MEMORY) fprintf(stderr, "#   '%s'\n", err.message);
    /* Once more: it works, or says why not. */
    brio_error again = {0};
    bool second = work(&again) || again.code == BRIO_NO_MEMORY;
    _exit((good || err.code == BRIO_NO_MEMORY) && second ? 0 : 1);
  }
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* It must not end the process, hang, or report anything else. */
static void any_allocation_of_the_library_may_fail(void) {
#ifdef SANITIZED
  check_skip = "a sanitizer has its own malloc, which refuses nothing";
  return;
#endif
  const brio_physics_library *found = the_library();
  if (!found) return;
  set_up(found);
  brio_error err = {0};
  CHECK(work(&err), "%s", err.message);
  size_t before = allocations;
  CHECK(work(&err), "again: %s", err.message);
  size_t all = allocations - before, step = check_scale() > 1 ? 1 : all / 8 + 1;
  for (size_t n = 1; n <= all; n += step) {
    CHECK(is_survived(n, 1), "allocation %zu of %zu", n, all);
    CHECK(is_survived(n, SIZE_MAX), "allocations from %zu of %zu", n, all);
  }
  printf("#   MuJoCo: %zu allocations\n", all);
  tear_down();
}

CHECK_SUITE(CHECK_TEST(any_allocation_may_fail), CHECK_TEST(any_allocation_of_the_library_may_fail))
