// The work of kinematics.c done by DART: every link's pose, the Jacobian of one link, the centre
// of mass and its Jacobian.
//   peers_dart FILE.urdf LINK fixed|free
// DART computes what is asked for when it is asked for, so new positions are set before every
// call and every body's pose is read.  Shapes are cut out of the file (peers.cpp): DART would
// move them along with their links, which is no part of this work.
#include "scripts/bench/bench.h"
#include "scripts/bench/peers/peers.h"

#include <iostream>
#include <vector>

#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/DegreeOfFreedom.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/utils/urdf/DartLoader.hpp>

namespace {

struct Peer {
  dart::dynamics::SkeletonPtr robot;
  dart::dynamics::BodyNode *link = nullptr;
  bool free = false;
  std::vector<Eigen::VectorXd> positions;
  dart::math::Jacobian jacobian;
  dart::math::LinearJacobian com_jacobian;
};

void fill_positions(Peer &peer) {
  for (int k = 0; k < BENCH_CONFIGURATIONS; k++) {
    Eigen::VectorXd q = peer.robot->getPositions();
    for (size_t i = 0; i < peer.robot->getNumDofs(); i++) {
      const dart::dynamics::Joint *joint = peer.robot->getDof(i)->getJoint();
      bool angular = joint->getType() != dart::dynamics::PrismaticJoint::getStaticType();
      q[(Eigen::Index)i] = bench_value(joint->getName().c_str(), angular, k);
    }
    if (peer.free) {
      double base[6];
      bench_base(k, base);
      q.head<6>() << base[3], base[4], base[5], base[0], base[1], base[2];
    }
    peer.positions.push_back(q);
  }
}

void move(Peer &peer, int k) { peer.robot->setPositions(peer.positions[(size_t)k]); }

double poses(void *context, int k) {
  Peer &peer = *static_cast<Peer *>(context);
  move(peer, k);
  double sum = 0;
  for (size_t i = 0; i < peer.robot->getNumBodyNodes(); i++)
    sum += peer.robot->getBodyNode(i)->getWorldTransform().translation().x();
  return sum;
}

double jacobian(void *context, int k) {
  Peer &peer = *static_cast<Peer *>(context);
  move(peer, k);
  peer.jacobian = peer.robot->getJacobian(peer.link, dart::dynamics::Frame::World());
  return peer.jacobian(0, 0);
}

double com(void *context, int k) {
  Peer &peer = *static_cast<Peer *>(context);
  move(peer, k);
  return peer.robot->getCOM().x();
}

double com_jacobian(void *context, int k) {
  Peer &peer = *static_cast<Peer *>(context);
  move(peer, k);
  peer.com_jacobian = peer.robot->getCOMLinearJacobian();
  return peer.com_jacobian(0, 0);
}

double check_poses(Peer &peer) {
  double sum = 0;
  for (int k = 0; k < BENCH_CONFIGURATIONS; k++) {
    move(peer, k);
    for (size_t i = 0; i < peer.robot->getNumBodyNodes(); i++) {
      const Eigen::Isometry3d &f = peer.robot->getBodyNode(i)->getWorldTransform();
      sum += f.translation().dot(Eigen::Vector3d(1, 2, 3));
      sum += f.linear().diagonal().dot(Eigen::Vector3d(1, 2, 3));
    }
  }
  return sum;
}

double check_com(Peer &peer) {
  double sum = 0;
  for (int k = 0; k < BENCH_CONFIGURATIONS; k++) {
    move(peer, k);
    sum += peer.robot->getCOM().dot(Eigen::Vector3d(1, 2, 3));
  }
  return sum;
}

// Sums over the columns of joints; DART's rows are angular before linear.
double check_jacobian(Peer &peer) {
  double sum = 0;
  for (int k = 0; k < BENCH_CONFIGURATIONS; k++) {
    jacobian(&peer, k);
    for (Eigen::Index i = peer.free ? 6 : 0; i < peer.jacobian.cols(); i++)
      for (int row = 0; row < 6; row++) sum += (row + 1) * peer.jacobian((row + 3) % 6, i);
  }
  return sum;
}

double check_com_jacobian(Peer &peer) {
  double sum = 0;
  for (int k = 0; k < BENCH_CONFIGURATIONS; k++) {
    com_jacobian(&peer, k);
    for (Eigen::Index i = peer.free ? 6 : 0; i < peer.com_jacobian.cols(); i++)
      sum += peer.com_jacobian.col(i).dot(Eigen::Vector3d(1, 2, 3));
  }
  return sum;
}

bool start(Peer &peer, const char *file, const char *link) {
  dart::utils::DartLoader::Options options;
  options.mDefaultRootJointType = peer.free ? dart::utils::DartLoader::RootJointType::FLOATING
                                            : dart::utils::DartLoader::RootJointType::FIXED;
  // A link without mass in the file has none: DART would give it 1 kg.
  options.mDefaultInertia.setMass(1e-12);
  dart::utils::DartLoader loader(options);
  char *text = peers_read(file);
  peer.robot = loader.parseSkeletonString(text, "");
  free(text);
  peer.link = peer.robot ? peer.robot->getBodyNode(link) : nullptr;
  if (peer.link) fill_positions(peer);
  return peer.link;
}

}  // namespace

int main(int count, char **arguments) {
  Peer peer;
  peer.free = count == 4 && std::string(arguments[3]) == "free";
  if (count != 4 || !start(peer, arguments[1], arguments[2])) {
    std::cerr << "usage: peers_dart FILE.urdf LINK fixed|free, of a robot that DART reads\n";
    return 2;
  }
  bench_measure("poses", poses, &peer, check_poses(peer));
  bench_measure("jacobian", jacobian, &peer, check_jacobian(peer));
  bench_measure("com", com, &peer, check_com(peer));
  bench_measure("com_jacobian", com_jacobian, &peer, check_com_jacobian(peer));
  return 0;
}
