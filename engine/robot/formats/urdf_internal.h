/* What the two files that read URDF share: urdf.c (elements) and urdf_shape.c (shapes).  Not for other rooms.
 */
#ifndef BRIO_ROBOT_FORMATS_URDF_INTERNAL_H
#define BRIO_ROBOT_FORMATS_URDF_INTERNAL_H

#include "robot/formats/draft_internal.h"

/* Read the <origin> child of `element`, if it has one. */
bool brio_urdf_origin(brio_draft *draft, const brio_xml *element, brio_pose *pose);

/* Read the collision and visual shapes of a link, given by its place in `links`. */
bool brio_urdf_shapes(brio_draft *draft, const brio_xml *element, int link);

#endif
