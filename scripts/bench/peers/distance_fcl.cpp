// The work of distance.c done by FCL with libccd: signed distance and nearest points of each pair. It
// carries nothing from query to query: its warm rows are the same pairs, asked cold, but without the sign,
// which most of them do not need and some kinds pay for dearly.
#include <memory>
#include <vector>

#include <fcl/narrowphase/distance.h>

#include "scripts/bench/geometry/distance.h"

namespace {

using Shape = std::shared_ptr<fcl::CollisionGeometryd>;

struct Scene {
  std::vector<std::unique_ptr<fcl::CollisionObjectd>> a, b;
  fcl::DistanceRequestd request;
};

// The faces of the rings of distance_corners: three corners each at the poles, four elsewhere.
std::shared_ptr<std::vector<int>> faces_of_rings(int *count) {
  auto faces = std::make_shared<std::vector<int>>();
  auto at = [](int ring, int segment) { return 2 + ring * DISTANCE_SEGMENTS + segment % DISTANCE_SEGMENTS; };
  *count = 0;
  for (int s = 0; s < DISTANCE_SEGMENTS; s++) {
    for (int corner : {3, 0, at(0, s + 1), at(0, s)}) faces->push_back(corner);
    for (int corner : {3, 1, at(DISTANCE_RINGS - 1, s), at(DISTANCE_RINGS - 1, s + 1)})
      faces->push_back(corner);
    *count += 2;
    for (int r = 0; r + 1 < DISTANCE_RINGS; r++, ++*count)
      for (int corner : {4, at(r, s), at(r, s + 1), at(r + 1, s + 1), at(r + 1, s)}) faces->push_back(corner);
  }
  return faces;
}

Shape hull_of(const double size[3]) {
  double corners[DISTANCE_CORNERS][3];
  int count = 0;
  distance_corners(size, corners);
  auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
  for (auto &c : corners) vertices->emplace_back(c[0], c[1], c[2]);
  auto faces = faces_of_rings(&count);
  return std::make_shared<fcl::Convexd>(vertices, count, faces);
}

Shape shape_of(distance_kind kind, const distance_solid &solid) {
  const double *s = solid.size;
  switch (kind) {
    case DISTANCE_SPHERE: return std::make_shared<fcl::Sphered>(s[0]);
    case DISTANCE_CAPSULE: return std::make_shared<fcl::Capsuled>(s[0], s[2]);
    case DISTANCE_BOX: return std::make_shared<fcl::Boxd>(s[0], s[1], s[2]);
    case DISTANCE_CYLINDER: return std::make_shared<fcl::Cylinderd>(s[0], s[2]);
    case DISTANCE_HULL: return hull_of(s);
    default: return std::make_shared<fcl::Halfspaced>(fcl::Vector3d::UnitZ(), 0);
  }
}

std::unique_ptr<fcl::CollisionObjectd> object_of(distance_kind kind, const distance_solid &solid) {
  fcl::Transform3d pose = fcl::Transform3d::Identity();
  pose.linear() =
      fcl::Quaterniond(solid.turn[3], solid.turn[0], solid.turn[1], solid.turn[2]).toRotationMatrix();
  pose.translation() << solid.position[0], solid.position[1], solid.position[2];
  return std::make_unique<fcl::CollisionObjectd>(shape_of(kind, solid), pose);
}

double measure(void *context, int k) {
  Scene &scene = *static_cast<Scene *>(context);
  fcl::DistanceResultd result;
  return fcl::distance(scene.a[(size_t)k].get(), scene.b[(size_t)k].get(), scene.request, result);
}

void run(const distance_row &row, bool warm) {
  Scene scene;
  double check = 0;
  scene.request.enable_nearest_points = true;
  scene.request.enable_signed_distance = !warm;
  scene.request.distance_tolerance = 1e-6;
  for (int k = 0; k < BENCH_CONFIGURATIONS; k++) {
    distance_solid a, b;
    distance_pair(&row, warm, k, &a, &b);
    scene.a.push_back(object_of(row.a, a));
    scene.b.push_back(object_of(row.b, b));
    check += measure(&scene, k);
  }
  bench_measure((std::string(row.name) + (warm ? " warm" : " cold")).c_str(), measure, &scene, check);
}

}  // namespace

int main() {
  // FCL has no signed distance from a half-space.
  for (const distance_row &row : distance_rows)
    for (int warm = 0; warm < 2 && row.a != DISTANCE_HALF_SPACE; warm++) run(row, warm);
  return 0;
}
