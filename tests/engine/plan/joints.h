/* What the tests of joint paths share: a small arm. */
#ifndef BRIO_TESTS_JOINTS_H
#define BRIO_TESTS_JOINTS_H

#include "base/random.h"
#include "tests/check.h"
#include "tests/engine/plan/plain.h"

enum { ARM_VARIABLES = 5 };

/* Turns about two axes, a slide, a roll without ends whose link is off its axis, a bend beside it, and a
** joint that mimics the elbow; links of all shapes that a URDF has. */
static const char arm_text[] =
    "<robot name='arm'>"
    "<link name='base'><collision><origin xyz='0 0 -0.05'/><geometry><box size='0.16 0.16 "
    "0.1'/></geometry></collision></link>"
    "<link name='upper'><collision><origin xyz='0.2 0 0' rpy='0 1.5707963 0'/><geometry><cylinder "
    "radius='0.03' length='0.4'/></geometry></collision></link>"
    "<link name='fore'><collision><origin xyz='0.14 0 0'/><geometry><box size='0.28 0.05 "
    "0.06'/></geometry></collision></link>"
    "<link name='hand'><collision><geometry><sphere radius='0.04'/></geometry></collision></link>"
    "<link name='finger'><collision><origin xyz='0.03 0.05 0'/><geometry><box size='0.1 0.02 "
    "0.02'/></geometry></collision></link>"
    "<link name='thumb'><collision><origin xyz='0.03 -0.1 0'/><geometry><sphere "
    "radius='0.015'/></geometry></collision></link>"
    "<joint name='pan' type='revolute'><parent link='base'/><child link='upper'/><origin xyz='0 0 "
    "0.1'/><axis xyz='0 0 1'/>"
    "<limit lower='-2.9' upper='2.9' velocity='1' effort='1'/></joint>"
    "<joint name='elbow' type='revolute'><parent link='upper'/><child link='fore'/><origin xyz='0.45 0 "
    "0'/><axis xyz='0 1 0'/>"
    "<limit lower='-2.5' upper='2.5' velocity='1' effort='1'/></joint>"
    "<joint name='slide' type='prismatic'><parent link='fore'/><child link='hand'/><origin xyz='0.3 0 "
    "0'/><axis xyz='1 0 0'/>"
    "<limit lower='0' upper='0.2' velocity='1' effort='1'/></joint>"
    "<joint name='roll' type='continuous'><parent link='hand'/><child link='finger'/><origin xyz='0.03 0 "
    "0'/><axis xyz='1 0 0'/>"
    "<limit velocity='1' effort='1'/></joint>"
    "<joint name='bend' type='revolute'><parent link='hand'/><child link='thumb'/><origin xyz='0.02 0 "
    "0'/><axis xyz='0 1 0'/>"
    "<limit lower='-1' upper='1' velocity='1' effort='1'/></joint>"
    "<link name='nail'><collision><origin xyz='0 -0.02 0.02'/><geometry><sphere radius='0.01'/></geometry>"
    "</collision></link>"
    "<joint name='tip' type='revolute'><parent link='thumb'/><child link='nail'/>"
    "<origin xyz='0.03 -0.1 0.03'/>"
    "<axis xyz='1 0 0'/><mimic joint='elbow' multiplier='-0.5' offset='0.1'/>"
    "<limit lower='-3' upper='3' velocity='1' effort='1'/></joint>"
    "</robot>";

static inline brio_robot *arm_load(void) {
  brio_error err;
  brio_robot *robot = brio_robot_parse(arm_text, sizeof arm_text - 1, "arm", NULL, &err);
  CHECK(robot != NULL, "%s", err.message);
  return robot;
}

#endif
