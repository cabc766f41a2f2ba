/* Random models in MJCF.  They are trees of bodies with up to three joints each (anchors, odd axes, `ref`),
** orientations written in five ways, geoms of all solids (sizes or `fromto`, density or mass), defaults in
** classes, and connects between bodies. */
#ifndef BRIO_PEERS_MODELS_H
#define BRIO_PEERS_MODELS_H

#include "base/random.h"
#include "base/text.h"

enum { MODEL_BODIES = 8 };

/* A model in the making. */
typedef struct model {
  brio_random random;
  brio_text text;
  int nbody, njoint, left; /* bodies and joints so far; bodies that are still to come */
  bool principal;          /* every body gets a mass and principal inertias of its own */
} model;

static inline double model_between(model *m, double lower, double upper) {
  return brio_random_uniform(&m->random, lower, upper);
}

static inline int model_below(model *m, int n) {
  return (int)brio_random_below(&m->random, (uint64_t)n);
}

/* Write an attribute of `count` numbers from `lower` to `upper`. */
static inline void model_numbers(model *m, const char *name, int count, double lower, double upper) {
  brio_text_format(&m->text, " %s='", name);
  for (int i = 0; i < count; i++)
    brio_text_format(&m->text, "%s%.17g", i ? " " : "", model_between(m, lower, upper));
  brio_text_format(&m->text, "'");
}

static inline void model_orientation(model *m) {
  static const struct {
    const char *name;
    int count;
    double most;
  } ways[] = {{"quat", 4, 1}, {"axisangle", 4, 2}, {"euler", 3, 3}, {"xyaxes", 6, 1}, {"zaxis", 3, 1}};
  int way = model_below(m, 6);
  if (way < 5) model_numbers(m, ways[way].name, ways[way].count, -ways[way].most, ways[way].most);
}

static inline void model_geom(model *m) {
  static const struct {
    const char *name;
    int sizes;
    bool fromto;
  } kinds[] = {{"sphere", 1, false},
               {"capsule", 2, true},
               {"cylinder", 2, true},
               {"box", 3, true},
               {"ellipsoid", 3, true}};
  int kind = model_below(m, 5);
  bool fromto = kinds[kind].fromto && model_below(m, 2);
  brio_text_format(&m->text, "<geom type='%s'", kinds[kind].name);
  model_numbers(m, "size", fromto ? 1 : kinds[kind].sizes, .05, .4);
  if (fromto)
    model_numbers(m, "fromto", 6, -1, 1);
  else
    model_numbers(m, "pos", 3, -1, 1), model_orientation(m);
  if (model_below(m, 2))
    model_numbers(m, "density", 1, 100, 3000);
  else if (model_below(m, 2))
    model_numbers(m, "mass", 1, .1, 9);
  if (model_below(m, 3) == 0) brio_text_format(&m->text, " class='light'");
  brio_text_format(&m->text, "/>");
}

static inline void model_joint(model *m, bool ball) {
  static const char *const types[] = {"hinge", "slide"};
  brio_text_format(&m->text, "<joint name='j%d' type='%s'", m->njoint++,
                   ball ? "ball" : types[model_below(m, 2)]);
  model_numbers(m, "pos", 3, -.5, .5);
  if (!ball) {
    model_numbers(m, "axis", 3, -1, 1);
    if (model_below(m, 2)) model_numbers(m, "ref", 1, -1, 1);
    if (model_below(m, 2))
      brio_text_format(&m->text, " range='%g %g'", model_between(m, -2, 0), model_between(m, .1, 2));
    if (model_below(m, 2)) model_numbers(m, "springref", 1, -1, 1), model_numbers(m, "stiffness", 1, 0, 9);
  }
  if (model_below(m, 2)) brio_text_format(&m->text, " class='stiff'");
  if (model_below(m, 2)) model_numbers(m, "armature", 1, 0, 1);
  if (model_below(m, 2)) model_numbers(m, "damping", 1, 0, 1);
  brio_text_format(&m->text, "/>");
}

static inline void model_body(model *m) {
  bool free_root = m->nbody == 0 && model_below(m, 2);
  brio_text_format(&m->text, "<body name='b%d'", m->nbody++);
  model_numbers(m, "pos", 3, -1, 1);
  model_orientation(m);
  if (model_below(m, 3) == 0) brio_text_format(&m->text, " childclass='light'");
  brio_text_format(&m->text, ">");
  if (free_root) brio_text_format(&m->text, "<freejoint name='root'/>");
  for (int n = free_root ? 0 : model_below(m, 4), k = 0; k < n; k++)
    model_joint(m, n == 1 && model_below(m, 3) == 0);
  if (!m->principal && model_below(m, 3)) {
    for (int n = 1 + model_below(m, 3); n > 0; n--) model_geom(m);
  } else {
    brio_text_format(&m->text, "<inertial mass='%g'", model_between(m, .1, 5));
    model_numbers(m, "pos", 3, -1, 1);
    model_numbers(m, "diaginertia", 3, 1, 1.9);
    model_orientation(m);
    brio_text_format(&m->text, "/><geom size='.1'/>");
  }
  while (m->left > 0 && model_below(m, 4)) m->left--, model_body(m);
  brio_text_format(&m->text, "</body>");
}

static inline void model_write(model *m) {
  static const char *const sequences[] = {"xyz", "zyx", "XYZ", "xZx"};
  brio_text_format(&m->text, "<mujoco model='m'><compiler angle='%s' eulerseq='%s' autolimits='true'/>",
                   model_below(m, 2) ? "radian" : "degree", sequences[model_below(m, 4)]);
  brio_text_format(
      &m->text, "<default><geom density='800'/><default class='light'><geom density='50'/>"
                "<joint damping='3'/></default><default class='stiff'><joint stiffness='4' springref='.2'/>"
                "</default></default><worldbody>");
  m->left = 1 + model_below(m, MODEL_BODIES - 1);
  model_body(m);
  brio_text_format(&m->text, "</worldbody><equality>");
  for (int n = model_below(m, 3); n > 0 && m->nbody > 1; n--) {
    int one = model_below(m, m->nbody), other = (one + 1 + model_below(m, m->nbody - 1)) % m->nbody;
    brio_text_format(&m->text, "<connect body1='b%d' body2='b%d'", one, other);
    model_numbers(m, "anchor", 3, -1, 1);
    brio_text_format(&m->text, "/>");
  }
  brio_text_format(&m->text, "</equality></mujoco>");
}

#endif
