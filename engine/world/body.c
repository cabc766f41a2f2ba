/* The poses of the parts of a robot's body, and which solids they are in: points on each cylinder's axis,
** APART or less from each other, are tested against the world's solids. O(solids x points). */
#include "world/body.h"

#include <stdio.h>
#include <string.h>

#include "world/world_internal.h"

#define APART 0.15 /* m between points on a cylinder's axis */

bool brio_world_add_body(brio_world *world, const brio_world_body_form *form, brio_error *err) {
  if (!form->link || !*form->link || strlen(form->link) >= sizeof world->bodies->link)
    return brio_fail(err, BRIO_MISUSE, "a part of the robot's body must have a link");
  /* Comparisons with NaN fail. */
  if (!(form->radius > 0 && form->radius <= 2) || !(form->below >= 0 && form->below <= 5) ||
      !(form->above >= 0 && form->above <= 5) || !(form->below + form->above > 0))
    return brio_fail(err, BRIO_MISUSE,
                     "body '%s': radius must be above 0 and at most 2 m, below and above from 0 to 5 m",
                     form->link);
  if (world->nbody == BRIO_WORLD_MOST_BODIES)
    return brio_fail(err, BRIO_LIMIT, "the world knows %d parts of a body at most", BRIO_WORLD_MOST_BODIES);
  brio_world_body *body = &world->bodies[world->nbody++];
  /* The link is looked up when a robot is bound. */
  *body = (brio_world_body){.link_index = -1, .radius = form->radius, .below = form->below,
                            .height = form->below + form->above};
  snprintf(body->link, sizeof body->link, "%s", form->link);
  return true;
}

bool brio_world_bodies_bind(brio_world *world, const brio_robot *robot, brio_error *err) {
  for (int i = 0; i < world->nbody; i++) {
    brio_world_body *body = &world->bodies[i];
    body->link_index = brio_robot_link(robot, body->link, err);
    if (body->link_index < 0) return brio_fail_in(err, "the robot's body");
  }
  return true;
}

void brio_world_bodies_look(brio_world *world, const brio_state *state) {
  /* The lower end of each cylinder follows its link; cylinders stay upright. */
  for (int i = 0; i < world->nbody; i++) {
    brio_world_body *body = &world->bodies[i];
    if (body->link_index < 0) continue;
    body->foot = state->links[body->link_index].p;
    body->foot.z -= body->below;
    body->known = true;
  }
}

/* How deep a part of the body is inside a solid, m; below 0: outside. Exact for points on the axis, less
** between them. */
static double depth_in(const brio_world_body *body, const brio_solid *solid) {
  double deepest = -INFINITY;
  brio_vec3 normal;
  /* Quick rejection by the surrounding balls. */
  if (brio_vec3_norm(brio_vec3_sub(solid->at.p, body->foot)) >
      brio_solid_radius(solid) + body->radius + body->height)
    return deepest;
  /* Points from the lower end to the upper one, at equal distances. */
  int n = (int)ceil(body->height / APART) + 1;
  for (int i = 0; i < n; i++) {
    brio_vec3 point = body->foot;
    point.z += body->height * (n > 1 ? (double)i / (n - 1) : 0);
    deepest = fmax(deepest, body->radius - brio_solid_distance(solid, point, &normal));
  }
  return deepest;
}

const char *brio_world_bumped(const brio_world *world, double *depth) {
  int owner = 0;
  *depth = 0;
  for (int i = 0; i < world->nsolid; i++) {
    const brio_solid *solid = &world->solids[i];
    /* Owners encode part and index; the floor and hands have none, and things are pushed aside. */
    int part = (solid->owner - 1) / BRIO_WORLD_OWNERS;
    if (solid->hand || solid->owner < 1 || part == BRIO_WORLD_PART_things) continue;
    /* The deepest part of the body counts. */
    for (int k = 0; k < world->nbody; k++) {
      double deep = world->bodies[k].known ? depth_in(&world->bodies[k], solid) : -1;
      if (deep <= *depth) continue;
      *depth = deep;
      owner = solid->owner;
    }
  }
  /* The id by the part that owns the solid; a part without ids has its own name. */
  if (owner == 0) return NULL;
  const brio_world_part *part = brio_world_part_table[(owner - 1) / BRIO_WORLD_OWNERS];
  return part->name_of ? part->name_of(world, (owner - 1) % BRIO_WORLD_OWNERS) : part->name;
}
