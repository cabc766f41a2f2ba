// The work of inverse.c done by others: KDL's Levenberg-Marquardt solver, and NLopt's SLSQP on the squared
// error with KDL's Jacobian, each from the seed and then from random configurations for at most
// INVERSE_SECONDS of CPU time a goal.
//   inverse_kdl GOALS
// KDL's solver knows no limits: whole turns are taken out of what it finds, and what is then not within
// them does not count.  For NLopt the limits are bounds.
#include "scripts/bench/kinematics/inverse.h"
#include "scripts/bench/peers/kdl_tree.h"

#include <cmath>
#include <iostream>
#include <random>

#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainiksolverpos_lma.hpp>
#include <kdl/chainjnttojacsolver.hpp>
#include <nlopt.h>

namespace {

constexpr double radian = 0.3;  // m that a radian counts for in NLopt's sum

struct Peer {
  inverse_problem problem;
  KDL::Tree tree;
  KDL::Chain chain;
  KDL::ChainFkSolverPos_recursive *forward = nullptr;
  KDL::ChainJntToJacSolver *differential = nullptr;
  KDL::ChainIkSolverPos_LMA *lma = nullptr;
  KDL::JntArray q, out;
  KDL::Jacobian jacobian;
  KDL::Frame goal;
  nlopt_opt slsqp = nullptr;
  std::mt19937_64 random{1};
};

KDL::Frame frame_of(const inverse_goal &goal) {
  const double *p = goal.position, *q = goal.orientation;
  return {KDL::Rotation::Quaternion(q[0], q[1], q[2], q[3]), KDL::Vector(p[0], p[1], p[2])};
}

bool within(Peer &peer, const KDL::JntArray &q) {
  for (int i = 0; i < peer.problem.njoint; i++)
    if (!(q(i) >= peer.problem.lower[i] && q(i) <= peer.problem.upper[i])) return false;
  return true;
}

bool reaches(Peer &peer, const KDL::JntArray &q) {
  KDL::Frame is;
  peer.forward->JntToCart(q, is);
  KDL::Twist off = KDL::diff(is, peer.goal);
  return off.vel.Norm() <= INVERSE_POSITION && off.rot.Norm() <= INVERSE_ORIENTATION;
}

void draw(Peer &peer) {
  for (int i = 0; i < peer.problem.njoint; i++)
    peer.q(i) = std::uniform_real_distribution<>(peer.problem.lower[i], peer.problem.upper[i])(peer.random);
}

// Bring each angle within its limits by whole turns, where that is possible.
void unwind(Peer &peer, KDL::JntArray &q) {
  unsigned i = 0;
  for (const KDL::Segment &segment : peer.chain.segments) {
    if (segment.getJoint().getType() == KDL::Joint::None) continue;
    if (segment.getJoint().getType() != KDL::Joint::TransAxis) {
      double turn = 2 * M_PI, low = peer.problem.lower[i], high = peer.problem.upper[i];
      q(i) = std::remainder(q(i), turn);
      if (q(i) < low && q(i) + turn <= high) q(i) += turn;
      if (q(i) > high && q(i) - turn >= low) q(i) -= turn;
    }
    i++;
  }
}

bool solve_lma(Peer &peer) {
  peer.lma->CartToJnt(peer.q, peer.goal, peer.out);
  unwind(peer, peer.out);
  return within(peer, peer.out) && reaches(peer, peer.out);
}

double square_error(unsigned n, const double *x, double *gradient, void *context) {
  Peer &peer = *static_cast<Peer *>(context);
  KDL::Frame is;
  for (unsigned i = 0; i < n; i++) peer.out(i) = x[i];
  peer.forward->JntToCart(peer.out, is);
  KDL::Twist off = KDL::diff(peer.goal, is);
  if (gradient) {
    peer.differential->JntToJac(peer.out, peer.jacobian);
    for (unsigned i = 0; i < n; i++) {
      KDL::Twist column = peer.jacobian.getColumn(i);
      gradient[i] = 2 * (KDL::dot(off.vel, column.vel) + radian * radian * KDL::dot(off.rot, column.rot));
    }
  }
  return KDL::dot(off.vel, off.vel) + radian * radian * KDL::dot(off.rot, off.rot);
}

bool solve_slsqp(Peer &peer) {
  double x[INVERSE_JOINTS], least;
  for (int i = 0; i < peer.problem.njoint; i++) x[i] = peer.q(i);
  nlopt_optimize(peer.slsqp, x, &least);
  for (int i = 0; i < peer.problem.njoint; i++) peer.out(i) = x[i];
  return within(peer, peer.out) && reaches(peer, peer.out);
}

// From the seed, then from anywhere, until it is found or the time is up.
template <bool (*once)(Peer &)> bool solve(void *context, const inverse_goal *goal, double *q) {
  Peer &peer = *static_cast<Peer *>(context);
  double until = bench_clock() + 1e9 * INVERSE_SECONDS;
  peer.goal = frame_of(*goal);
  for (int i = 0; i < peer.problem.njoint; i++) peer.q(i) = goal->seed[i];
  while (!once(peer)) {
    if (bench_clock() > until) return false;
    draw(peer);
  }
  for (int i = 0; i < peer.problem.njoint; i++) q[i] = peer.out(i);
  return true;
}

bool judge(void *context, const inverse_goal *goal, double *q) {
  Peer &peer = *static_cast<Peer *>(context);
  peer.goal = frame_of(*goal);
  for (int i = 0; i < peer.problem.njoint; i++) peer.out(i) = q[i];
  return reaches(peer, peer.out);
}

bool start(Peer &peer, const char *goals) {
  if (!inverse_open(&peer.problem, goals) || !read_tree(peer.problem.model, peer.tree)) return false;
  if (!peer.tree.getChain(peer.problem.base, peer.problem.tip, peer.chain)) return false;
  int next = 0;
  for (const KDL::Segment &segment : peer.chain.segments) {
    if (segment.getJoint().getType() == KDL::Joint::None) continue;
    if (next == peer.problem.njoint || segment.getJoint().getName() != peer.problem.joints[next++])
      return false;
  }
  unsigned n = peer.chain.getNrOfJoints();
  peer.q.resize(n), peer.out.resize(n), peer.jacobian.resize(n);
  peer.forward = new KDL::ChainFkSolverPos_recursive(peer.chain);
  peer.differential = new KDL::ChainJntToJacSolver(peer.chain);
  peer.lma = new KDL::ChainIkSolverPos_LMA(peer.chain);
  peer.slsqp = nlopt_create(NLOPT_LD_SLSQP, n);
  nlopt_set_min_objective(peer.slsqp, square_error, &peer);
  nlopt_set_lower_bounds(peer.slsqp, peer.problem.lower);
  nlopt_set_upper_bounds(peer.slsqp, peer.problem.upper);
  nlopt_set_stopval(peer.slsqp, INVERSE_POSITION * INVERSE_POSITION / 4);
  nlopt_set_ftol_rel(peer.slsqp, 1e-4);
  nlopt_set_maxeval(peer.slsqp, 200);
  return true;
}

}  // namespace

int main(int count, char **arguments) {
  Peer lma, slsqp;
  if (count != 2 || !start(lma, arguments[1]) || !start(slsqp, arguments[1])) {
    std::cerr << "usage: inverse_kdl GOALS, of a robot that urdfdom reads\n";
    return 2;
  }
  return inverse_measure("KDL", &lma.problem, solve<solve_lma>, judge, &lma) ||
         inverse_measure("NLopt", &slsqp.problem, solve<solve_slsqp>, judge, &slsqp);
}
