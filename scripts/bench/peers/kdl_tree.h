// A URDF as a tree of KDL's, for it reads none itself: urdfdom does.
#ifndef BRIO_SCRIPTS_BENCH_PEERS_KDL_TREE_H
#define BRIO_SCRIPTS_BENCH_PEERS_KDL_TREE_H

#include "scripts/bench/peers/peers.h"

#include <stdlib.h>

#include <kdl/tree.hpp>
#include <urdf_parser/urdf_parser.h>

inline KDL::Frame frame_of(const urdf::Pose &pose) {
  const urdf::Rotation &r = pose.rotation;
  const urdf::Vector3 &p = pose.position;
  return {KDL::Rotation::Quaternion(r.x, r.y, r.z, r.w), KDL::Vector(p.x, p.y, p.z)};
}

inline KDL::Joint joint_of(const urdf::Joint &joint, const KDL::Frame &origin) {
  KDL::Vector axis = origin.M * KDL::Vector(joint.axis.x, joint.axis.y, joint.axis.z);
  if (joint.type == urdf::Joint::REVOLUTE || joint.type == urdf::Joint::CONTINUOUS)
    return {joint.name, origin.p, axis, KDL::Joint::RotAxis};
  if (joint.type == urdf::Joint::PRISMATIC) return {joint.name, origin.p, axis, KDL::Joint::TransAxis};
  return KDL::Joint(joint.name, KDL::Joint::None);
}

inline void add_children(KDL::Tree &tree, const urdf::LinkConstSharedPtr &link) {
  for (const auto &child : link->child_links) {
    KDL::Frame origin = frame_of(child->parent_joint->parent_to_joint_origin_transform);
    tree.addSegment(KDL::Segment(child->name, joint_of(*child->parent_joint, origin), origin), link->name);
    add_children(tree, child);
  }
}

inline bool read_tree(const char *file, KDL::Tree &tree) {
  char *text = peers_read(file);
  urdf::ModelInterfaceSharedPtr model = urdf::parseURDF(text);
  free(text);
  if (!model) return false;
  tree = KDL::Tree(model->getRoot()->name);
  add_children(tree, model->getRoot());
  return true;
}

#endif
