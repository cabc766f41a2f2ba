/* A robot for tests of paths: a ball on two slides, whose configurations are points of a plane; and a
** block. */
#ifndef BRIO_TESTS_PLAN_BALL_H
#define BRIO_TESTS_PLAN_BALL_H

#include "plan/joints/search.h"

static const char ball_text[] =
    "<robot name='ball'><link name='base'/><link name='beam'/>"
    "<link name='ball'><collision><geometry><sphere radius='0.05'/></geometry></collision></link>"
    "<joint name='x' type='prismatic'><parent link='base'/><child link='beam'/><axis xyz='1 0 0'/>"
    "<limit lower='-1' upper='1' velocity='1' effort='1'/></joint>"
    "<joint name='y' type='prismatic'><parent link='beam'/><child link='ball'/><axis xyz='0 1 0'/>"
    "<limit lower='-1' upper='1' velocity='1' effort='1'/></joint></robot>";

static const brio_obstacle block = {
    "block", {.kind = BRIO_SHAPE_BOX, .size = {0.4, 0.4, 0.4}}, {{0, 0, 0}, {0, 0, 0, 1}}};

#endif
