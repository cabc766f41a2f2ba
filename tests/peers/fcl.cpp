// FCL's answer about two shapes: see fcl.h.
#include "tests/peers/fcl.h"

#include <cmath>
#include <exception>
#include <memory>
#include <vector>

#include <fcl/narrowphase/distance.h>

namespace {

using Shape = std::shared_ptr<fcl::CollisionGeometryd>;

Shape hull_of(const fcl_solid &solid) {
  auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
  auto faces = std::make_shared<std::vector<int>>();
  for (int i = 0; i < solid.npoint; i++)
    vertices->emplace_back(solid.points[i][0], solid.points[i][1], solid.points[i][2]);
  for (int i = 0; i < solid.nface; i++) {
    faces->push_back(3);
    for (int corner : solid.faces[i]) faces->push_back(corner);
  }
  return std::make_shared<fcl::Convexd>(vertices, solid.nface, faces);
}

Shape shape_of(const fcl_solid &solid) {
  const double *s = solid.size;
  switch (solid.kind) {
    case 0: return std::make_shared<fcl::Sphered>(s[0]);
    case 1: return std::make_shared<fcl::Capsuled>(s[0], s[2]);
    case 2: return std::make_shared<fcl::Boxd>(s[0], s[1], s[2]);
    case 3: return std::make_shared<fcl::Cylinderd>(s[0], s[2]);
    default: return hull_of(solid);
  }
}

fcl::CollisionObjectd object_of(const fcl_solid &solid) {
  fcl::Transform3d pose = fcl::Transform3d::Identity();
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) pose.linear()(i, j) = solid.rotation[3 * i + j];
    pose.translation()(i) = solid.position[i];
  }
  return fcl::CollisionObjectd(shape_of(solid), pose);
}

}  // namespace

fcl_answer fcl_ask(const fcl_solid *a, const fcl_solid *b) {
  fcl::CollisionObjectd p = object_of(*a), q = object_of(*b);
  fcl::DistanceRequestd request;
  fcl::DistanceResultd result;
  fcl_answer answer;
  request.enable_nearest_points = true;
  request.enable_signed_distance = true;
  try {
    answer.distance = fcl::distance(&p, &q, request, result);
  } catch (const std::exception &) {
    answer.distance = std::nan("");  // it says that it failed
  }
  for (int i = 0; i < 3; i++) {
    answer.a[i] = result.nearest_points[0](i);
    answer.b[i] = result.nearest_points[1](i);
  }
  return answer;
}
