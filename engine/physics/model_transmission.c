/* What is between a motor and its joint: the rotor is a body of its own that turns about the joint's axis,
** and a tendon, whose length is how far the rotor is ahead of the joint, is spring, stop, or both.
**
** The rotor's inertia is an armature, which no turn of the link that carries it feels: that is how a rotor
** counts without a transmission, too. */
#include <stddef.h>
#include <stdio.h>

#include "physics/model_internal.h"

#define SPECK 1e-9       /* kg: the mass of a rotor, which counts by its inertia alone */
#define SPECK_TURN 1e-12 /* kg m^2 */

static const struct {
  const char *name;
  size_t offset;
  double most;
} numbers[] = {
    {"rotor", offsetof(brio_model_transmission, rotor), 1e4},
    {"stiffness", offsetof(brio_model_transmission, stiffness), 1e9},
    {"damping", offsetof(brio_model_transmission, damping), 1e6},
    {"backlash", offsetof(brio_model_transmission, backlash), 1},
};

const brio_model_transmission *brio_model_transmission_of(const brio_model_options *options,
                                                          const brio_joint *joint) {
  bool driven = joint->mimic < 0 && joint->nvariable == 1;
  return options->transmissions && driven ? &options->transmissions[joint->variable] : NULL;
}

bool brio_model_is_elastic(const brio_model_transmission *transmission) {
  return transmission && (transmission->stiffness > 0 || transmission->backlash > 0);
}

bool brio_model_transmissions_check(const brio_model_options *options, brio_error *err) {
  const brio_robot *robot = options->robot;
  for (int i = 0; options->transmissions && i < robot->nvariable; i++) {
    const brio_model_transmission *one = &options->transmissions[i];
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
      double value = *(const double *)((const char *)one + numbers[k].offset);
      if (!(value >= 0 && value <= numbers[k].most))
        return brio_fail(err, BRIO_MISUSE, "the transmission of '%s': its %s must be from 0 to %g, not %g",
                         robot->variables[i].name, numbers[k].name, numbers[k].most, value);
    }
    /* A damper alone would lose its position for ever. */
    if (one->damping > 0 && !(one->stiffness > 0))
      return brio_fail(err, BRIO_MISUSE, "the transmission of '%s': damping needs a stiffness",
                       robot->variables[i].name);
  }
  return true;
}

void brio_model_rotor_of(const char *joint, char out[BRIO_MODEL_ROTOR_NAME]) {
  snprintf(out, BRIO_MODEL_ROTOR_NAME, "%.80s" BRIO_MODEL_ROTOR, joint);
}

/* Add the name of a rotor, by that of its joint or link. */
static void write_name(brio_text *out, const char *key, const char *of) {
  char name[BRIO_MODEL_ROTOR_NAME];
  brio_model_rotor_of(of, name);
  brio_model_name(out, key, name);
}

void brio_model_rotor(brio_text *out, const brio_joint *joint, const char *link, brio_pose pose,
                      const double *pos, const double *axis, double armature) {
  const double com[] = {0, 0, 0}, mass = SPECK, moments[] = {SPECK_TURN, SPECK_TURN, SPECK_TURN};
  /* It stands where the link does with its joint at 0; faults name it as the link. */
  brio_text_format(out, "    <body");
  write_name(out, "name", link);
  brio_model_pose(out, pose);
  brio_text_format(out, "><inertial");
  brio_model_numbers(out, "pos", com, 3);
  brio_model_numbers(out, "mass", &mass, 1);
  brio_model_numbers(out, "diaginertia", moments, 3);
  brio_text_format(out, "/><joint");
  write_name(out, "name", joint->name);
  brio_model_name(out, "type", joint->type == BRIO_JOINT_PRISMATIC ? "slide" : "hinge");
  brio_model_numbers(out, "pos", pos, 3);
  brio_model_numbers(out, "axis", axis, 3);
  brio_model_numbers(out, "armature", &armature, 1);
  brio_text_format(out, "/></body>\n");
}

void brio_model_motor(brio_text *out, const brio_joint *joint, bool elastic) {
  if (elastic)
    write_name(out, "joint", joint->name);
  else
    brio_model_name(out, "joint", joint->name);
}

void brio_model_transmissions(brio_text *out, const brio_model_options *options) {
  const brio_robot *robot = options->robot;
  bool any = false;
  for (int i = 0; i < robot->njoint; i++) {
    const brio_joint *joint = &robot->joints[i];
    const brio_model_transmission *one = brio_model_transmission_of(options, joint);
    if (!brio_model_is_elastic(one)) continue;
    if (!any) brio_text_format(out, "  <tendon>\n");
    any = true;
    brio_text_format(out, "    <fixed");
    brio_model_name(out, "name", joint->name);
    /* Its length is rotor - joint.  A stiff one stops it at half the backlash on either side; a spring begins
    ** there, which the library's own springs do not know: mujoco/transmission.c moves their rest length. */
    const double range[] = {-0.5 * one->backlash, 0.5 * one->backlash};
    if (one->backlash > 0) brio_model_numbers(out, "range", range, 2);
    if (one->stiffness > 0) {
      brio_text_format(out, " limited=\"false\" springlength=\"0\"");
      brio_model_numbers(out, "stiffness", &one->stiffness, 1);
      brio_model_numbers(out, "damping", &one->damping, 1);
    } else {
      brio_text_format(out, " limited=\"true\" solreflimit=\"0.004 1\" solimplimit=\"0.99 0.999 1e-4\"");
    }
    brio_text_format(out, "><joint");
    write_name(out, "joint", joint->name);
    brio_text_format(out, " coef=\"1\"/><joint");
    brio_model_name(out, "joint", joint->name);
    brio_text_format(out, " coef=\"-1\"/></fixed>\n");
  }
  if (any) brio_text_format(out, "  </tendon>\n");
}
