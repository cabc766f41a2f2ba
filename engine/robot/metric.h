/* How far the links of a robot go for a motion of its joints, all together. */
#ifndef BRIO_ROBOT_METRIC_H
#define BRIO_ROBOT_METRIC_H

#include "robot/kinematics.h"

/* Return how many numbers of scratch brio_state_link_metric needs on this robot. */
int brio_robot_metric_scratch(const brio_robot *robot);

/* Write the sum over all links of J^T J, J being the Jacobian of the link's origin (3 x nv): the lower half
** of `metric` (nv x nv, row by row), so that  v . metric v  is the sum of the squared speeds (m/s) of all
** links' origins at the tangent rates v.  Columns before `first` stay 0: BRIO_BASE_NV leaves the base out.
** Of the configuration last updated; `scratch` as above. */
void brio_state_link_metric(const brio_state *state, int first, double *scratch, double *metric);

#endif
