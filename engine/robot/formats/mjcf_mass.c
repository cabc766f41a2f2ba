/* Mass of bodies: as <inertial> gives it, or that of their geoms as solids of even density. */
#include <string.h>

#include "math/hull.h"
#include "robot/formats/mjcf_internal.h"

bool brio_mjcf_uses_geom_mass(const brio_mjcf *mjcf, const brio_mjcf_body *body) {
  int from_geoms = mjcf->option.inertia_from_geoms;
  return from_geoms == BRIO_MJCF_TRUE ||
         (from_geoms == BRIO_MJCF_AUTO && !brio_xml_child(body->element, "inertial"));
}

/* Add m (|c|^2 1 - c c^T) to an inertia: what a point mass has at c. Steiner's theorem. Source:
** Featherstone, 2008, section 2.13. */
static void add_point(double inertia[6], double m, brio_vec3 c) {
  inertia[0] += m * (c.y * c.y + c.z * c.z);
  inertia[1] -= m * c.x * c.y;
  inertia[2] -= m * c.x * c.z;
  inertia[3] += m * (c.x * c.x + c.z * c.z);
  inertia[4] -= m * c.y * c.z;
  inertia[5] += m * (c.x * c.x + c.y * c.y);
}

/* Add a mass with its centre and its inertia about that, in the axes of the body. */
static void add(brio_mjcf_mass *sum, double mass, brio_vec3 center, const double inertia[6]) {
  sum->mass += mass;
  sum->moment = brio_vec3_add_scaled(sum->moment, mass, center);
  for (int k = 0; k < 6; k++) sum->inertia[k] += inertia[k];
  add_point(sum->inertia, mass, center);
}

void brio_mjcf_add_solid(brio_mjcf_body *body, double mass, const double unit[3], const brio_pose *pose) {
  double inertia[6] = {mass * unit[0], 0, 0, mass * unit[1], 0, mass * unit[2]};
  /* Principal moments in the axes of the geom, rotated into those of the body. */
  brio_draft_turn_inertia(pose->q, inertia);
  add(&body->mass, mass, pose->p, inertia);
}

bool brio_mjcf_add_hull(brio_mjcf *mjcf, brio_mjcf_body *body, const brio_xml *geom,
                        const brio_link_shape *shape, double mass, double density) {
  brio_hull_solid solid;
  brio_error why;
  if (!brio_hull_mass_properties(shape->shape.points, shape->shape.npoint, &solid, &why))
    return why.code == BRIO_NO_MEMORY ? brio_draft_no_memory(mjcf->draft)
                                      : brio_draft_wrong(mjcf->draft, geom, "its mesh: %.200s", why.message);
  /* A mass in the file overrides the density. */
  if (mass < 0) mass = density * solid.volume;
  /* A flat mesh has no volume: what it weighs is in its middle. */
  double inertia[6];
  for (int k = 0; k < 6; k++) inertia[k] = solid.volume > 0 ? mass * solid.inertia[k] / solid.volume : 0;
  brio_draft_turn_inertia(shape->pose.q, inertia);
  add(&body->mass, mass, brio_pose_point(shape->pose, solid.center), inertia);
  return true;
}

/* Move the sum of the geoms into the link: centre of mass, and the inertia about it. */
static void settle_geoms(const brio_mjcf_mass *sum, brio_link *link) {
  /* Geoms without mass leave the link without one. */
  if (!(sum->mass > 0)) return;
  link->mass = sum->mass;
  link->com = brio_vec3_scale(1 / sum->mass, sum->moment);
  memcpy(link->inertia, sum->inertia, sizeof link->inertia);
  /* Steiner backwards: from the origin of the body to its center of mass. */
  add_point(link->inertia, -sum->mass, link->com);
}

/* Read the moments: three about the axes of the frame of <inertial>, or six of the whole matrix, which are in
** the axes of the body. */
static bool read_moments(brio_mjcf *mjcf, const brio_mjcf_item *item, brio_quat q, brio_link *link) {
  double n[6] = {0};
  int full = brio_mjcf_numbers(mjcf, item, "fullinertia", 6, 6, n);
  if (full < 0) return false;
  /* MJCF: xx yy zz xy xz yz. */
  const double whole[6] = {n[0], n[3], n[4], n[1], n[5], n[2]};
  memcpy(link->inertia, whole, sizeof whole);
  int diagonal = brio_mjcf_numbers(mjcf, item, "diaginertia", 3, 3, n);
  if (diagonal < 0) return false;
  if (full && diagonal)
    return brio_draft_wrong(mjcf->draft, item->element,
                            "it has both 'fullinertia' and 'diaginertia': expected one");
  if (!diagonal) return true;
  const double moments[6] = {n[0], 0, 0, n[1], 0, n[2]};
  memcpy(link->inertia, moments, sizeof moments);
  brio_draft_turn_inertia(q, link->inertia);
  return true;
}

/* Read <inertial>. Errors: without a mass, or negative. */
static bool read_inertial(brio_mjcf *mjcf, const brio_xml *element, brio_link *link) {
  static const char *const turns[] = {"quat", "axisangle", "euler", "xyaxes", "zaxis", NULL};
  brio_mjcf_item item = {element, -1};
  const char *value;
  brio_pose pose;
  if (!brio_draft_numbers(mjcf->draft, element, "mass", 1, &link->mass) ||
      !brio_mjcf_pose(mjcf, &item, &pose))
    return false;
  if (link->mass < 0)
    return brio_draft_wrong(mjcf->draft, element, "mass=%g: expected a mass of at least 0 kg", link->mass);
  if (brio_xml_value(element, "fullinertia") && brio_mjcf_first(mjcf, &item, turns, &value))
    return brio_draft_wrong(mjcf->draft, element,
                            "it has both 'fullinertia' and an orientation: expected one");
  /* The frame of <inertial> is at the center of mass. */
  link->com = pose.p;
  if (!read_moments(mjcf, &item, pose.q, link)) return false;
  brio_draft_check_inertia(mjcf->draft, element, link->inertia);
  return true;
}

bool brio_mjcf_set_mass(brio_mjcf *mjcf, const brio_mjcf_body *body) {
  brio_link *link = &mjcf->draft->links[body->link];
  const brio_xml *inertial = brio_xml_child(body->element, "inertial");
  /* Geoms have been summed while they were read. */
  if (brio_mjcf_uses_geom_mass(mjcf, body))
    settle_geoms(&body->mass, link);
  else if (inertial && !read_inertial(mjcf, inertial, link))
    return false;
  /* boundmass also makes massless bodies movable. */
  link->mass = fmax(link->mass, mjcf->option.bound_mass);
  return true;
}

void brio_mjcf_settle_mass(brio_mjcf *mjcf) {
  brio_draft *draft = mjcf->draft;
  double sum = 0;
  for (int i = 0; i < draft->robot->nlink; i++) sum += draft->links[i].mass;
  /* No total is asked for, or there is nothing to scale. */
  if (!(mjcf->option.total_mass > 0) || !(sum > 0)) return;
  /* One factor for masses and inertias, so that shapes keep their density. */
  double factor = mjcf->option.total_mass / sum;
  for (int i = 0; i < draft->robot->nlink; i++) {
    draft->links[i].mass *= factor;
    for (int k = 0; k < 6; k++) draft->links[i].inertia[k] *= factor;
  }
}
