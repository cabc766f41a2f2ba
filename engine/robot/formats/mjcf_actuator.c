/* <actuator> of MJCF: the greatest torque or force of joints.  A joint's effort is the sum of what its
** actuators can do, each the lesser of its force and its control, times its gear. */
#include <assert.h>
#include <string.h>

#include "robot/formats/mjcf_internal.h"

/* The greatest control of an actuator whose force is gain times control; infinite for others, and without a
** range. */
static bool read_control(brio_mjcf *mjcf, const brio_mjcf_item *item, double *most) {
  bool motor = strcmp(item->element->name, "motor") == 0,
       general = strcmp(item->element->name, "general") == 0;
  double gain[BRIO_DRAFT_NUMBERS] = {1}, range[2];
  bool limited = false;
  *most = INFINITY;
  if (!brio_mjcf_range(mjcf, item, "ctrlrange", "ctrllimited", range, &limited)) return false;
  /* Only a gain without bias makes the force proportional to the control. */
  const char *gains = general ? brio_mjcf_value(mjcf, item, "gaintype") : NULL;
  const char *bias = general ? brio_mjcf_value(mjcf, item, "biastype") : NULL;
  bool plain =
      motor || (general && (!gains || strcmp(gains, "fixed") == 0) && (!bias || strcmp(bias, "none") == 0));
  if (general && plain && brio_mjcf_numbers(mjcf, item, "gainprm", 1, BRIO_DRAFT_NUMBERS, gain) < 0)
    return false;
  if (limited && plain) *most = fabs(gain[0]) * fmax(fabs(range[0]), fabs(range[1]));
  return true;
}

/* What an actuator can do at its joint, N m or N; infinite: it has no limit. */
static bool read_effort(brio_mjcf *mjcf, const brio_mjcf_item *item, double *effort) {
  double gear[6] = {1}, range[2];
  bool limited = false;
  if (!read_control(mjcf, item, effort) || brio_mjcf_numbers(mjcf, item, "gear", 1, 6, gear) < 0 ||
      !brio_mjcf_range(mjcf, item, "forcerange", "forcelimited", range, &limited))
    return false;
  if (limited) *effort = fmin(*effort, fmax(fabs(range[0]), fabs(range[1])));
  /* A gear of 0 moves nothing. */
  *effort = gear[0] == 0 ? 0 : *effort * fabs(gear[0]);
  return true;
}

/* Read an actuator. Those of tendons, sites, bodies, balls and the base are ignored.
 */
static bool read_actuator(brio_mjcf *mjcf, const brio_xml *element) {
  static const char *const names[] = {"joint", "jointinparent", NULL};
  brio_mjcf_item item = brio_mjcf_item_of(mjcf, element);
  const char *joint, *name = brio_mjcf_first(mjcf, &item, names, &joint);
  double effort;
  if (!brio_mjcf_is_actuator(element) || !name) return brio_mjcf_ignore(mjcf, element), true;
  int place = brio_mjcf_joint_of(mjcf, element, name, joint);
  if (place < 0 || !read_effort(mjcf, &item, &effort)) return false;
  brio_mjcf_joint *driven = &mjcf->joints[place];
  /* A ball or the base has no single effort. */
  if (driven->count != 1) return brio_mjcf_ignore(mjcf, element), true;
  driven->driven = true;
  driven->effort += effort;
  return true;
}

bool brio_mjcf_read_actuators(brio_mjcf *mjcf) {
  for (const brio_xml *a = brio_xml_child(mjcf->root, "actuator"); a; a = brio_xml_next(a, "actuator"))
    for (const brio_xml *e = a->child; e; e = e->next)
      if (!read_actuator(mjcf, e)) return false;
  /* A joint may limit its actuators, too: the lesser counts. Without a limit, or with one of 0, it is not
  ** known. */
  for (int i = 0; i < mjcf->njoint; i++) {
    const brio_mjcf_joint *joint = &mjcf->joints[i];
    if (!joint->driven) continue;
    assert(joint->place >= 0 && joint->count == 1);
    /* Efforts of actuators are sums by now. */
    double *effort = &mjcf->draft->raw[joint->place].effort;
    *effort = fmin(*effort, joint->effort);
    if (!(*effort > 0)) *effort = INFINITY;
  }
  return true;
}
