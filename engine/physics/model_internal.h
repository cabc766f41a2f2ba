/* Shared by the files that write a model. */
#ifndef BRIO_PHYSICS_MODEL_INTERNAL_H
#define BRIO_PHYSICS_MODEL_INTERNAL_H

#include "physics/model.h"

/* What may touch what, as bits: geoms touch when the type of one is in the mask of the other. */
typedef struct brio_model_touch {
  int type, mask;
} brio_model_touch;

extern const brio_model_touch brio_model_of_links, brio_model_of_fixtures, brio_model_of_things;

/* Add ` key="a b c"` with `count` numbers. */
void brio_model_numbers(brio_text *out, const char *key, const double *values, int count);

/* Add ` key="name"`, with escapes. */
void brio_model_name(brio_text *out, const char *key, const char *name);

/* Add pos and quat. */
void brio_model_pose(brio_text *out, brio_pose pose);

/* Add type, size, pos and quat of a shape; a hull has the mesh of that number. */
void brio_model_shape(brio_text *out, const brio_shape *shape, brio_pose pose, int mesh);

/* Add contype and conaffinity. */
void brio_model_touches(brio_text *out, brio_model_touch touch);

/* Add the corners of a hull as a mesh of that number. */
void brio_model_mesh(brio_text *out, const brio_shape *shape, int mesh);

/* Add a door with its handle. */
void brio_model_door_write(brio_text *out, const brio_model_door *door);

/* The parts of a robot: meshes, bodies, couplings of mimic joints, servos. */
void brio_model_robot_meshes(brio_text *out, const brio_robot *robot);
bool brio_model_robot_bodies(brio_text *out, const brio_model_options *options, brio_model_notes *notes,
                            brio_error *err);
void brio_model_robot_couplings(brio_text *out, const brio_robot *robot);
void brio_model_robot_servos(brio_text *out, const brio_model_options *options);
void brio_model_robot_sensors(brio_text *out, const char *imu);

/* Add what closes the robot's loops. */
void brio_model_loops(brio_text *out, const brio_robot *robot);

/* The transmission of a joint's motor, or NULL. */
const brio_model_transmission *brio_model_transmission_of(const brio_model_options *options,
                                                          const brio_joint *joint);

/* Whether the numbers of all transmissions are in range. */
bool brio_model_transmissions_check(const brio_model_options *options, brio_error *err);

/* Add the rotor of a joint, in the body that carries the joint's link: `pose` is the link's with the joint
** at 0, pos and axis are the joint's. */
void brio_model_rotor(brio_text *out, const brio_joint *joint, const char *link, brio_pose pose,
                      const double *pos, const double *axis, double armature);

/* Add the joint that a servo turns: the rotor's, if that is one of its own. */
void brio_model_motor(brio_text *out, const brio_joint *joint, bool elastic);

/* Add springs and stops between rotors and joints. */
void brio_model_transmissions(brio_text *out, const brio_model_options *options);

#endif
