/* Broken MJCF: seeds that hold every element are cut, spliced, repeated and changed, then read.
** The invariant: reading gives either a model that kinematics can run on, or NULL and an error
** message.  Run it under sanitizers.
**
** With libFuzzer: clang -fsanitize=fuzzer,address -DBRIO_LIBFUZZER.  By itself: a generator of
** its own changes the seeds; arguments: seed, number of texts. */
#include "tests/fuzz/fuzz_robot.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  return fuzz_robot("fuzz.mjcf", data, size);
}

#ifndef BRIO_LIBFUZZER
static const char *const seeds[] = {
    "<mujoco model='m'><compiler angle='radian' eulerseq='zyx' autolimits='true' meshdir='x' "
    "settotalmass='3'/>"
    "<default><geom contype='0'/><default class='c'><joint damping='1' range='-1 1'/><geom type='capsule' "
    "size='.1 .2'/><default class='d'><motor gear='3' ctrlrange='-1 1'/></default></default></default>"
    "<asset><mesh name='t' file='t.obj' scale='1 1 -1'/><texture/></asset>"
    "<worldbody><light/><geom type='plane' size='1 1 1'/><body name='a' pos='0 0 1' "
    "childclass='c'><freejoint/>"
    "<inertial pos='1 0 0' mass='2' fullinertia='1 1 1 .1 .2 .3'/><site name='s' zaxis='0 1 1'/>"
    "<body name='b' xyaxes='0 1 0 1 0 0'><joint name='j' type='hinge' axis='0 1 0' pos='0 0 1' ref='.5' "
    "stiffness='2' springref='1' armature='.1' frictionloss='1'/><joint name='k' type='slide' range='0 1'/>"
    "<geom fromto='0 0 0 1 1 1' size='.1'/><geom type='mesh' mesh='t'/><body name='e' quat='0 1 0 0'>"
    "<joint name='l' type='ball'/><geom type='ellipsoid' size='1 2 3' mass='2'/></body></body>"
    "<frame euler='1 2 3'><body name='f'><joint name='n' axis='1 1 1'/></body></frame></body></worldbody>"
    "<equality><connect body1='e' body2='f' anchor='1 0 0'/><weld body1='a' body2='f' relpose='0 1 0 0 0 0 "
    "0'/>"
    "<joint joint1='j' joint2='k' polycoef='0 2 0 0 0'/><connect site1='s' site2='s'/></equality>"
    "<contact><exclude body1='a' body2='b'/></contact><actuator><motor joint='j' class='d'/><position "
    "joint='n' "
    "forcerange='-1 1'/><general joint='k' gainprm='2'/></actuator><sensor/><keyframe><key name='h' qpos='1 "
    "0 3 1 0 0 0 .5 .1 1 0 0 0 2'/></keyframe></mujoco>",
    "<mujoco><worldbody><geom type='box' size='1 1 1'/><body><geom size='1'/></body><body name='b' "
    "axisangle='1 0 0 90'><joint type='free'/><inertial pos='0 0 0' mass='1' diaginertia='1 2 3' euler='1 2 "
    "3'/>"
    "<geom type='cylinder' size='.1 .1' density='10'/></body></worldbody><worldbody/></mujoco>",
    "<mujoco model='m'><include file='none.xml'/><worldbody><body/></worldbody></mujoco>",
    "<!DOCTYPE mujoco [<!ENTITY a 'b'>]><mujoco model='&a;'><worldbody><body/></worldbody></mujoco>"};
static const char *const pieces[] = {"<body name='a'>",
                                     "</body>",
                                     "'",
                                     ">",
                                     "/>",
                                     "<joint/>",
                                     "<joint name='j'/>",
                                     "<freejoint/>",
                                     "<geom type='box' size='1 1 1'/>",
                                     "<default class='c'>",
                                     "</default>",
                                     "<default>",
                                     "<frame>",
                                     "class='d'",
                                     "childclass='main'",
                                     "type='ball'",
                                     "type='free'",
                                     "type='ellipsoid'",
                                     "size='0 0 0'",
                                     "name='b'",
                                     "body1='world'",
                                     "joint2='k'",
                                     "nan",
                                     "-1",
                                     "0",
                                     "1e9",
                                     "1e400",
                                     "<include file='fuzz.mjcf'/>",
                                     "<worldbody>",
                                     "</worldbody>",
                                     "</mujoco>",
                                     "<!--",
                                     "inertiafromgeom='true'",
                                     "\xff"};

FUZZ_PROGRAM("mjcf")
#endif
