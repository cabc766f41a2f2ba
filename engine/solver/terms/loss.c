/* The losses: each turns s, the squared length of a residual, into a cost, with its first and
** second derivative by s. Sources: Lively 1.1 (groove and ellipse, formulas and constants). Ours
** are the same curves raised by 1, so that the best cost of every term is 0 and a weighted sum
** measures how far a pose is from its goals. Minima and slopes are the same. */
#include "solver/terms/loss.h"

#include <math.h>
#include <stddef.h>

/* -exp(-s / (2 c^2)) + f s, plus `lift`. */
static double groove(double s, double c, double f, double lift, double *slope, double *bend) {
  double k = 1 / (2 * c * c), well = exp(-k * s);
  *slope = k * well + f;
  *bend = -k * k * well;
  return lift - well + f * s;
}

/* Lively's groove for m and rad of links: c = 0.1, best -1. */
static double groove_cartesian(double s, double *slope, double *bend) {
  return groove(s, 0.1, 10, 0, slope, bend);
}

/* Lively's groove for values of joints: c = 0.3295, best -1. */
static double groove_joint(double s, double *slope, double *bend) {
  return groove(s, 0.3295, 0.1, 0, slope, bend);
}

/* The groove for links, raised by 1: best 0. */
static double cartesian(double s, double *slope, double *bend) {
  return groove(s, 0.1, 10, 1, slope, bend);
}

/* The groove for joints, raised by 1: best 0. */
static double joint(double s, double *slope, double *bend) {
  return groove(s, 0.3295, 0.1, 1, slope, bend);
}

/* 1 / (1 + exp(4 - 2 D)) + D / 10: low inside the ellipsoid (D < 1), rising to 1 across
** its surface and slowly from there on. */
static double bounding(double s, double *slope, double *bend) {
  double step = 1 / (1 + exp(4 - 2 * s)), rise = 2 * step * (1 - step);
  *slope = rise + 0.1;
  *bend = 2 * rise * (1 - 2 * step);
  return step + s / 10;
}

/* s / 2: a plain least-squares term. */
static double quadratic(double s, double *slope, double *bend) {
  *slope = 0.5;
  *bend = 0;
  return s / 2;
}

/* Linear in s without end: it neither saturates, like a groove, nor bends. */
static double wall(double s, double *slope, double *bend) {
  *slope = 60; /* 1 / (2 c^2) + f of the groove for places: its slope at 0 */
  *bend = 0;
  return 60 * s;
}

const brio_loss_kind brio_loss_groove_cartesian = {
  "groove_cartesian", "Lively's groove for places, turns and smoothness; -1 at its best.", groove_cartesian};
const brio_loss_kind brio_loss_groove_joint = {
  "groove_joint", "Lively's groove for joint values, limits and collision; -1 at its best.", groove_joint};
const brio_loss_kind brio_loss_bounding = {
  "bounding", "Lively's step over the surface of an ellipsoid.", bounding};
const brio_loss_kind brio_loss_cartesian = {
  "cartesian", "The groove for places, raised so that its best is 0.", cartesian};
const brio_loss_kind brio_loss_joint = {
  "joint", "The groove for joint values, raised so that its best is 0.", joint};
const brio_loss_kind brio_loss_quadratic = {"quadratic", "Half the square.", quadratic};
const brio_loss_kind brio_loss_wall = {
    "wall",
    "As steep as the groove for positions near its minimum, and growing without limit: for values beyond an "
    "edge.",
    wall};

/* Ended by NULL. */
const brio_loss_kind *const brio_loss_kinds[] = {
  &brio_loss_groove_cartesian, &brio_loss_groove_joint, &brio_loss_bounding,
  &brio_loss_cartesian,        &brio_loss_joint,        &brio_loss_quadratic,
  &brio_loss_wall,
  NULL,
};
