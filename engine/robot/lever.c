/* Levers: the greatest distance of anything that a joint carries from the joint's axis. A ball that contains
** a part of the robot is followed from link to link to the root. At each joint its greatest distance from the
** axis counts; then it grows to the ball that contains it at every position of the joint. O(shapes depth) */
#include "robot/lever.h"

#include <math.h>

static const double UNKNOWN = 0.1;  /* m: about the origin of a link of which no shape is known */
static const double MIN_LEVER = 0.05;   /* m: of a lever */
static const double ENDLESS = 10;   /* m: how far a slide without ends is taken to go */

/* A ball around a part of the robot. */
typedef struct ball {
  brio_vec3 center; /* in the link at hand, m */
  double radius;    /* m */
} ball;

/* The greatest distance of a slide from its zero, m. */
static double slide_of(const brio_robot *robot, const brio_joint *joint, int k) {
  const brio_variable *variable = &robot->variables[joint->variable + k];
  double way = fmax(fabs(variable->lower), fabs(variable->upper));
  return isfinite(way) ? fabs(joint->multiplier) * way + fabs(joint->offset) : ENDLESS;
}

/* The ball that contains the ball at every position of the joint, in the joint's frame. */
static ball swept(const brio_robot *robot, const brio_joint *joint, ball at) {
  switch (joint->type) {
    case BRIO_JOINT_FIXED: return at;
    case BRIO_JOINT_PRISMATIC: return (ball){at.center, at.radius + slide_of(robot, joint, 0)};
    case BRIO_JOINT_REVOLUTE:
    case BRIO_JOINT_CONTINUOUS: {
      /* A turn moves the center around its foot point on the axis. */
      brio_vec3 along = brio_vec3_scale(brio_vec3_dot(joint->axis, at.center), joint->axis);
      return (ball){along, at.radius + brio_vec3_norm(brio_vec3_sub(at.center, along))};
    }
    /* Planar and floating: any turn about the origin, and up to ENDLESS along each axis (sqrt(3) < 2). */
    default: return (ball){{0, 0, 0}, at.radius + brio_vec3_norm(at.center) + 2 * ENDLESS};
  }
}

/* The greatest distance of a ball, in the joint's frame, from the joint's axis; for a floating joint, from
** its origin. m */
static double lever_of(const brio_joint *joint, ball at) {
  /* The part of the center's vector across the axis. */
  brio_vec3 off = at.center;
  if (joint->type != BRIO_JOINT_FLOATING)
    off = brio_vec3_add_scaled(off, -brio_vec3_dot(joint->axis, off), joint->axis);
  return brio_vec3_norm(off) + at.radius;
}

/* Follow a ball in the frame of link `l` to the root, raising the levers on the way. O(depth) */
static void follow(const brio_robot *robot, int l, ball at, double *levers) {
  /* A shape without bounds, such as a half space, has no lever. */
  if (!isfinite(at.radius)) return;
  for (; l > 0; l = robot->links[l].parent) {
    int j = robot->links[l].joint;
    const brio_joint *joint = &robot->joints[j];
    /* Into the frame of the joint, where its axis is. */
    at.center = brio_transform_point(&joint->tail, at.center);
    levers[j] = fmax(levers[j], lever_of(joint, at));
    at = swept(robot, joint, at);
    /* Into the frame of the parent link. */
    at.center = brio_transform_point(&joint->origin, at.center);
  }
  /* Behind the joints' levers: the base's, from the root link's origin. */
  double *base = &levers[robot->njoint];
  *base = fmax(*base, brio_vec3_norm(at.center) + at.radius);
}

/* Follow the shapes of link `l`. Return whether it has any. */
static bool follow_shapes(const brio_robot *robot, const brio_link_shape *shapes, int count, int l,
                          double *levers) {
  /* Linear in all shapes, for each link: O(links x shapes), when a speed limit is set. */
  bool any = false;
  for (int i = 0; i < count; i++) {
    if (shapes[i].link != l) continue;
    follow(robot, l, (ball){shapes[i].pose.p, brio_shape_radius(&shapes[i].shape)}, levers);
    any = true;
  }
  return any;
}

void brio_robot_levers(const brio_robot *robot, double *levers) {
  /* A link without shapes counts as a small ball; each link counts with its origin. */
  for (int j = 0; j < robot->njoint; j++) levers[j] = MIN_LEVER;
  for (int l = 1; l < robot->nlink; l++) {
    bool known = follow_shapes(robot, robot->collisions, robot->ncollision, l, levers) ||
                 follow_shapes(robot, robot->visuals, robot->nvisual, l, levers);
    follow(robot, l, (ball){{0, 0, 0}, known ? 0 : UNKNOWN}, levers);
  }
}

void brio_robot_variable_levers(const brio_robot *robot, double *levers) {
  /* A variable of several joints (mimic joints) has the greatest of their levers. */
  for (int i = 0; i < robot->nvariable; i++) levers[i] = 0;
  for (int j = 0; robot->levers && j < robot->njoint; j++)
    for (int k = 0; k < robot->joints[j].nvariable; k++) {
      double *sum = &levers[robot->joints[j].variable + k];
      *sum = fmax(*sum, brio_joint_lever(robot, robot->levers, j, k));
    }
}

/* The mass of links that some joint moves, kg; what is fixed to the base does not count. O(links depth) */
double brio_robot_moving_mass(const brio_robot *robot) {
  double mass = 0;
  for (int l = 1; l < robot->nlink; l++) {
    bool moves = false;
    for (int at = l; at > 0 && !moves; at = robot->links[at].parent)
      moves = robot->joints[robot->links[at].joint].nvariable > 0;
    mass += moves ? robot->links[l].mass : 0;
  }
  return mass;
}

bool brio_robot_set_point_speed(brio_robot *robot, double speed, brio_error *err) {
  if (!(speed > 0))
    return brio_fail(err, BRIO_MISUSE, "robot '%.80s': a point's greatest speed must be above 0 m/s, not %g",
                     robot->name, speed);
  /* Levers are computed only if points have a speed limit. */
  double *levers = isfinite(speed) ? BRIO_TAKE(&robot->arena, double, robot->njoint + 1) : NULL;
  if (isfinite(speed) && !levers)
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for the levers of robot '%.80s'", robot->name);
  if (levers) brio_robot_levers(robot, levers);
  robot->point_speed = speed;
  robot->levers = levers;
  return true;
}
