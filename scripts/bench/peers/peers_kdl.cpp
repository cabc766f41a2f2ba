// The work of kinematics.c done by Orocos KDL: forward kinematics and Jacobian of the chain to
// one link, and the poses of all links.
//   peers_kdl FILE.urdf LINK
// KDL reads no URDF, so urdfdom does and the tree is built here.  KDL has no call for the poses
// of all links at once: its segments' poses are multiplied here, parents first.  It knows no
// free base and no centre of mass.
#include "scripts/bench/bench.h"
#include "scripts/bench/peers/kdl_tree.h"

#include <iostream>
#include <vector>

#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainjnttojacsolver.hpp>

namespace {

struct Place {  // a segment in the order parents come first
  const KDL::Segment *segment;
  int parent;
  int joint;  // number in a configuration, -1: fixed
};

struct Peer {
  KDL::Tree tree;
  KDL::Chain chain;
  std::vector<Place> places;
  std::vector<KDL::JntArray> all, along;  // configurations of the tree and of the chain
  std::vector<KDL::Frame> poses;
  KDL::Frame end;
  KDL::Jacobian jacobian;
  KDL::ChainFkSolverPos_recursive *forward = nullptr;
  KDL::ChainJntToJacSolver *differential = nullptr;
};

void list_places(Peer &peer, KDL::SegmentMap::const_iterator at, int parent) {
  for (const auto &child : at->second.children) {
    const KDL::Joint &joint = child->second.segment.getJoint();
    bool moves = joint.getType() != KDL::Joint::None;
    peer.places.push_back({&child->second.segment, parent, moves ? (int)child->second.q_nr : -1});
    list_places(peer, child, (int)peer.places.size() - 1);
  }
}

double value_of(const KDL::Joint &joint, int k) {
  return bench_value(joint.getName().c_str(), joint.getType() != KDL::Joint::TransAxis, k);
}

void fill_configurations(Peer &peer) {
  for (int k = 0; k < BENCH_CONFIGURATIONS; k++) {
    KDL::JntArray all(peer.tree.getNrOfJoints()), along(peer.chain.getNrOfJoints());
    for (const Place &place : peer.places)
      if (place.joint >= 0) all((unsigned)place.joint) = value_of(place.segment->getJoint(), k);
    unsigned next = 0;
    for (const KDL::Segment &segment : peer.chain.segments)
      if (segment.getJoint().getType() != KDL::Joint::None) along(next++) = value_of(segment.getJoint(), k);
    peer.all.push_back(all);
    peer.along.push_back(along);
  }
}

double poses(void *context, int k) {
  Peer &peer = *static_cast<Peer *>(context);
  const KDL::JntArray &q = peer.all[(size_t)k];
  for (size_t i = 0; i < peer.places.size(); i++) {
    const Place &place = peer.places[i];
    KDL::Frame own = place.segment->pose(place.joint < 0 ? 0.0 : q((unsigned)place.joint));
    peer.poses[i] = place.parent < 0 ? own : peer.poses[(size_t)place.parent] * own;
  }
  return peer.poses.back().p.x();
}

double chain(void *context, int k) {
  Peer &peer = *static_cast<Peer *>(context);
  peer.forward->JntToCart(peer.along[(size_t)k], peer.end);
  return peer.end.p.x();
}

double jacobian(void *context, int k) {
  Peer &peer = *static_cast<Peer *>(context);
  peer.differential->JntToJac(peer.along[(size_t)k], peer.jacobian);
  return peer.jacobian(0, 0);
}

double check_poses(Peer &peer) {
  double sum = 0;
  for (int k = 0; k < BENCH_CONFIGURATIONS; k++) {
    sum += 6;  // the root link: identity
    poses(&peer, k);
    for (const KDL::Frame &f : peer.poses)
      sum += f.p.x() + 2 * f.p.y() + 3 * f.p.z() + f.M(0, 0) + 2 * f.M(1, 1) + 3 * f.M(2, 2);
  }
  return sum;
}

double check_jacobian(Peer &peer) {
  double sum = 0;
  for (int k = 0; k < BENCH_CONFIGURATIONS; k++) {
    jacobian(&peer, k);
    for (unsigned row = 0; row < 6; row++)
      for (unsigned i = 0; i < peer.jacobian.columns(); i++) sum += (row + 1) * peer.jacobian(row, i);
  }
  return sum;
}

bool start(Peer &peer, const char *file, const char *link) {
  if (!read_tree(file, peer.tree)) return false;
  if (!peer.tree.getChain(peer.tree.getRootSegment()->first, link, peer.chain)) return false;
  list_places(peer, peer.tree.getRootSegment(), -1);
  fill_configurations(peer);
  peer.poses.resize(peer.places.size());
  peer.jacobian.resize(peer.chain.getNrOfJoints());
  return true;
}

}  // namespace

int main(int count, char **arguments) {
  Peer peer;
  if (count != 3 || !start(peer, arguments[1], arguments[2])) {
    std::cerr << "usage: peers_kdl FILE.urdf LINK, of a robot that urdfdom reads\n";
    return 2;
  }
  KDL::ChainFkSolverPos_recursive forward(peer.chain);
  KDL::ChainJntToJacSolver differential(peer.chain);
  peer.forward = &forward;
  peer.differential = &differential;
  bench_measure("poses", poses, &peer, check_poses(peer));
  bench_measure("chain", chain, &peer, 0);
  bench_measure("jacobian", jacobian, &peer, check_jacobian(peer));
  return 0;
}
