// The work of cloud.c done with a k-d tree (nanoflann): a tree of the cloud a frame, then for each solid the
// points in the sphere around it, each asked whether it is in the solid.  A half-space has no such sphere:
// all points are asked.
// Places without a point are left out before the clock runs.
#include <cmath>
#include <vector>

#include <nanoflann.hpp>

#include "scripts/bench/geometry/cloud.h"

namespace {

struct Cloud {
  std::vector<std::array<float, 3>> points;
  std::vector<std::array<uint8_t, 3>> colors;
  size_t kdtree_get_point_count() const { return points.size(); }
  float kdtree_get_pt(size_t i, size_t k) const { return points[i][k]; }
  template <class Box> bool kdtree_get_bbox(Box &) const { return false; }
};

using Tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<float, Cloud>, Cloud, 3>;

double radius_around(const cloud_solid &s) {
  if (s.kind == CLOUD_SPHERE) return s.size[0];
  if (s.kind == CLOUD_CAPSULE) return s.size[0] + s.size[2] / 2;
  if (s.kind == CLOUD_CYLINDER) return std::hypot(s.size[0], s.size[2] / 2);
  return std::hypot(s.size[0], s.size[1], s.size[2]) / 2;
}

struct Tally {
  long count = 0, color = 0;
  void add(const Cloud &cloud, size_t i) {
    count++;
    for (int k = 0; k < 3; k++) color += cloud.colors[i][(size_t)k];
  }
  double sum() const { return (double)count + (count ? (double)color / (255.0 * (double)count) : 0); }
};

double ask(const Tree &tree, const Cloud &cloud, const cloud_solid *solids) {
  std::vector<std::pair<uint32_t, float>> near;
  nanoflann::SearchParams how(0, 0, false);
  double sum = 0;
  for (int i = 0; i < CLOUD_SOLIDS; i++) {
    const cloud_solid &s = solids[i];
    Tally tally;
    if (s.kind == CLOUD_HALF_SPACE) {
      for (size_t k = 0; k < cloud.points.size(); k++)
        if (cloud_inside(&s, cloud.points[k].data())) tally.add(cloud, k);
    } else {
      const float at[3] = {(float)s.position[0], (float)s.position[1], (float)s.position[2]};
      double radius = radius_around(s) + 1e-5;
      near.clear();
      tree.radiusSearch(at, (float)(radius * radius), near, how);
      for (const auto &match : near)
        if (cloud_inside(&s, cloud.points[match.first].data())) tally.add(cloud, match.first);
    }
    sum += tally.sum();
  }
  return sum;
}

void measure(cloud_order order, const cloud_solid *solids) {
  enum { FRAMES = 5 };
  static float points[CLOUD_POINTS][3];
  static uint8_t colors[CLOUD_POINTS][3];
  double build[FRAMES], frame[FRAMES], check = 0;
  Cloud cloud;
  int count = cloud_draw(order, points, colors);
  for (int i = 0; i < count; i++) {
    if (std::isnan(points[i][0])) continue;
    cloud.points.push_back({points[i][0], points[i][1], points[i][2]});
    cloud.colors.push_back({colors[i][0], colors[i][1], colors[i][2]});
  }
  for (int f = 0; f < FRAMES; f++) {
    double from = bench_clock();
    Tree tree(3, cloud, nanoflann::KDTreeSingleIndexAdaptorParams(32));
    tree.buildIndex();
    build[f] = bench_clock() - from;
    check = ask(tree, cloud, solids);
    frame[f] = bench_clock() - from;
  }
  std::string name = cloud_order_names[order];
  bench_print((name + ": index").c_str(), build, FRAMES, check, 0);
  bench_print((name + ": frame").c_str(), frame, FRAMES, check, 0);
}

}  // namespace

int main() {
  static cloud_solid solids[CLOUD_SOLIDS];
  cloud_solids(solids);
  for (int order = 0; order < CLOUD_ORDERS; order++) measure((cloud_order)order, solids);
  return 0;
}
