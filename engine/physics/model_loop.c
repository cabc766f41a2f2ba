/* Loops that a tree cannot hold: constraints between the frames of two links. */
#include <math.h>

#include "physics/model_internal.h"

/* Add a loop.  The library's welds have both ends, its points (<connect>) only one, and the other from the
** pose in which all joints are 0, where a loop may be open: so a point is a weld whose turn counts
** nothing. */
static void write_loop(brio_text *out, const brio_robot *robot, const brio_loop *loop) {
  bool is_point = loop->type == BRIO_LOOP_POINT;
  brio_pose first = loop->frames[0], second = loop->frames[1];
  if (is_point) first.q = second.q = (brio_quat){0, 0, 0, 1};
  /* The point that both have in common, in the second body and in the first, and how the second is turned
  ** there. */
  const brio_quat turn = brio_quat_mul(first.q, brio_quat_conj(second.q));
  const double anchor[] = {second.p.x, second.p.y, second.p.z}, scale = is_point ? 0 : 1,
               relative[] = {first.p.x, first.p.y, first.p.z, turn.w, turn.x, turn.y, turn.z};
  brio_text_format(out, "    <weld solref=\"0.004 1\" solimp=\"0.99 0.999 1e-4\"");
  brio_model_name(out, "body1", brio_model_body(robot->links[loop->links[0]].name));
  brio_model_name(out, "body2", brio_model_body(robot->links[loop->links[1]].name));
  brio_model_numbers(out, "relpose", relative, 7);
  brio_model_numbers(out, "anchor", anchor, 3);
  brio_model_numbers(out, "torquescale", &scale, 1);
  brio_text_format(out, "/>\n");
}

void brio_model_loops(brio_text *out, const brio_robot *robot) {
  for (int i = 0; i < robot->nloop; i++) write_loop(out, robot, &robot->loops[i]);
}

/* Whether a link is another one, or carried by it.  Parents have smaller numbers. */
static bool is_carried(const brio_robot *robot, int link, int by) {
  while (link > by) link = robot->links[link].parent;
  return link == by;
}

bool brio_model_is_passive(const brio_robot *robot, int variable) {
  if (isfinite(robot->variables[variable].effort)) return false;
  for (int link = 0; link < robot->nlink; link++) {
    int joint = robot->links[link].joint;
    if (joint < 0 || robot->joints[joint].variable != variable || robot->joints[joint].nvariable != 1)
      continue;
    /* It is in a loop if it carries one of the two ends alone. */
    for (int i = 0; i < robot->nloop; i++) {
      const int *ends = robot->loops[i].links;
      if (is_carried(robot, ends[0], link) != is_carried(robot, ends[1], link)) return true;
    }
  }
  return false;
}
