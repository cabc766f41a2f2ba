/* <keyframe> of MJCF: named configurations.  Their numbers are MuJoCo's qpos: joints in the order of the
** bodies, one number for a hinge or a slide (rad, m), a quaternion (w first) for a ball, position and
** quaternion for a free one. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "robot/formats/mjcf_internal.h"

enum { MAX_NUMBERS = 1 << 22 }; /* of all keys together */

/* How many numbers a joint has in a key. */
static int count_of(const brio_mjcf *mjcf, const brio_mjcf_joint *joint) {
  if (joint->place < 0 || mjcf->draft->joints[joint->place].type == BRIO_JOINT_FLOATING) return 7;
  return joint->count == 3 ? 4 : 1;
}

/* A quaternion of the file. */
static brio_quat quat_of(const double *n) {
  return brio_quat_unit((brio_quat){n[1], n[2], n[3], n[0]});
}

/* Write yaw, pitch and roll of a rotation, each `step` behind the one before: the angles of
** brio_quat_from_rpy. */
static void write_angles(brio_quat q, double *yaw, double *pitch, double *roll) {
  brio_transform t = brio_transform_of((brio_pose){{0, 0, 0}, q});
  *yaw = atan2(t.r[3], t.r[0]);
  *pitch = asin(fmax(-1, fmin(1, -t.r[6])));
  *roll = atan2(t.r[7], t.r[8]);
}

/* Write the values of a floating joint, which are seen from its origin. */
static void write_floating(const brio_joint *joint, const double *n, double *out) {
  brio_pose world = {{n[0], n[1], n[2]}, quat_of(n + 3)};
  /* The key has the pose in the world; the variables start at the pose of the file. */
  brio_pose pose = brio_pose_mul(brio_pose_inverse(brio_pose_of(&joint->origin)), world);
  out[0] = pose.p.x, out[1] = pose.p.y, out[2] = pose.p.z;
  write_angles(pose.q, &out[5], &out[4], &out[3]);
}

/* Write the numbers of all joints into a pose. */
static void write_values(const brio_mjcf *mjcf, const double *n, brio_draft_pose *pose, double *values) {
  for (int i = 0; i < mjcf->njoint; n += count_of(mjcf, &mjcf->joints[i]), i++) {
    const brio_mjcf_joint *joint = &mjcf->joints[i];
    /* Six places for each joint of the robot, of which most use one. */
    double *out = values + (ptrdiff_t)BRIO_BASE_NV * joint->place;
    if (joint->place < 0)
      pose->base = (brio_pose){{n[0], n[1], n[2]}, quat_of(n + 3)};
    else if (joint->count == 3)
      write_angles(quat_of(n), out, out + BRIO_BASE_NV, out + 2 * BRIO_BASE_NV);
    else if (count_of(mjcf, joint) == 7)
      write_floating(&mjcf->draft->joints[joint->place], n, out);
    else
      *out = *n;
  }
}

/* Read a key; one without positions (only velocities or controls) is ignored. */
static bool read_key(brio_mjcf *mjcf, const brio_xml *element, double *numbers, int count) {
  brio_draft *draft = mjcf->draft;
  const char *value = brio_xml_value(element, "qpos"), *name = brio_xml_value(element, "name");
  char made[24];
  if (!value) return brio_mjcf_ignore(mjcf, element), true;
  if (!brio_draft_row(draft, element, "qpos", value, count, numbers)) return false;
  double *values = BRIO_TAKE(&draft->scratch, double, BRIO_BASE_NV * draft->robot->njoint);
  brio_draft_pose *pose = &draft->poses[draft->npose++];
  snprintf(made, sizeof made, "key%d", draft->npose);
  *pose = (brio_draft_pose){.element = element, .values = values};
  if (!values) return brio_draft_no_memory(draft);
  /* Only a body that nothing holds has a place of its own. */
  if (mjcf->free_root) pose->root = draft->links[0].name;
  write_values(mjcf, numbers, pose, values);
  return (pose->name = brio_draft_keep(draft, name && *name ? name : made)) != NULL;
}

/* Read all keys of all <keyframe>s. */
bool brio_mjcf_read_keys(brio_mjcf *mjcf) {
  brio_draft *draft = mjcf->draft;
  int count = 0, nkey = brio_mjcf_count(mjcf, "keyframe");
  for (int i = 0; i < mjcf->njoint; i++) count += count_of(mjcf, &mjcf->joints[i]);
  /* Keys times joints can be far more than the file has bytes. */
  if ((double)nkey * BRIO_BASE_NV * (count + 1) > MAX_NUMBERS)
    return brio_draft_wrong(draft, brio_xml_child(mjcf->root, "keyframe"),
                            "%d keys of %d numbers are too many", nkey, count);
  draft->poses = BRIO_TAKE(&draft->scratch, brio_draft_pose, nkey);
  double *numbers = BRIO_TAKE(&draft->scratch, double, count + 1);
  if (!draft->poses || !numbers) return brio_draft_no_memory(draft);
  for (const brio_xml *s = brio_xml_child(mjcf->root, "keyframe"); s; s = brio_xml_next(s, "keyframe"))
    for (const brio_xml *e = s->child; e; e = e->next) {
      if (strcmp(e->name, "key") != 0)
        brio_mjcf_ignore(mjcf, e);
      else if (!read_key(mjcf, e, numbers, count))
        return false;
    }
  return true;
}
