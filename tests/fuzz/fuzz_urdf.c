/* Broken URDF: seeds that hold every element are cut, spliced, repeated and changed, then read.
** The invariant: reading gives either a model that kinematics can run on, or NULL and an error
** message.  Run it under sanitizers.
**
** With libFuzzer: clang -fsanitize=fuzzer,address -DBRIO_LIBFUZZER.  By itself: a generator of
** its own changes the seeds; arguments: seed, number of texts. */
#include "tests/fuzz/fuzz_robot.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_robot("fuzz.urdf", data, size); }

#ifndef BRIO_LIBFUZZER
#define LINK(name)                                                                                           \
  "<link name='" name "'><inertial><origin xyz='0 1 0' rpy='1 0 0'/><mass value='1'/><inertia ixx='1' "      \
                      "iyy='1' izz='1'/></inertial>"                                                         \
  "<collision><origin rpy='1 2 3'/><geometry><box size='1 2 3'/></geometry></collision>"                     \
  "<visual><geometry><mesh filename='package://x/y.stl' scale='1 1 1'/></geometry></visual></link>\n"
#define JOINT(name, type, parent, child, inside)                                                             \
  "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child "'/>" inside       \
  "</joint>\n"

static const char *const seeds[] = {
    "<robot name='r'>" LINK("a") LINK("b") LINK("c") LINK("d") LINK("e") LINK("f")
        JOINT("1", "revolute", "a", "b",
              "<origin xyz='1 2 3' rpy='0 .5 1e-3'/><axis xyz='0 0 1'/><limit lower='-1' upper='1' "
              "velocity='2' effort='3'/>")
            JOINT("2", "prismatic", "b", "c",
                  "<mimic joint='1' multiplier='2' offset='-1'/><dynamics damping='1' friction='2'/>")
                JOINT("3", "planar", "c", "d", "<axis xyz='1 1 1'/>") JOINT("4", "floating", "d", "e", "")
                    JOINT("5", "continuous", "a", "f", "<mimic joint='2'/>") "</robot>",
    "<?xml version='1.0'?><robot name='r'><link name='a'/>" JOINT("1", "fixed", "world", "a", "") "</robot>",
    "<robot name='r'><link name='a'><collision><geometry><capsule radius='1' "
    "length='2'/></geometry></collision>"
    "<collision name='&lt;'><geometry><cylinder radius='1' length='2'/></geometry></collision><!-- &amp; -->"
    "<collision><geometry><sphere radius='1'/></geometry></collision></link></robot>",
    "<!DOCTYPE robot [<!ENTITY a 'b'>]><robot name='&a;'><link name='a'/></robot>"};
static const char *const pieces[] = {"<link name='a'/>",
                                     "'",
                                     ">",
                                     "/>",
                                     "</link>",
                                     "</robot>",
                                     "nan",
                                     "-1",
                                     "0",
                                     "1e400",
                                     "0x1",
                                     "<robot name='r'>",
                                     "${x}",
                                     "<!--",
                                     "<mimic joint='5'/>",
                                     "type='floating'",
                                     "type='planar'",
                                     "name='b'",
                                     "link='f'",
                                     "link='zzz'",
                                     "xyz='0 0 0'",
                                     "<![CDATA[",
                                     "\xff"};

FUZZ_PROGRAM("urdf")
#endif
