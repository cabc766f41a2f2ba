/* How a robot stands: torques of its joints that make the ground push its centre of mass and its base where
** they belong.
**
** Of the centre of mass c, its velocity v, the base's rotation R and its angular velocity w a wrench on the
** whole robot is wanted (a spring and a damper for the mass, and for the inertia I about c):
**     force  = m (g + k (c* - c) - d v),     moment = I (k_t log(R* R^T) - d_t w).
** Forces f_i at the contacts, each within its cone of friction, are found that give it as well as they can,
**     min |A f - wrench|_W^2 + e |f|^2,   f_i in the cone,
** and the joints' torques that have the ground give them while nothing accelerates,
**     tau = h(q, u) - sum J_i^T f_i.
** Sources: Hyon, Hale, Cheng, "Full-body compliant human-humanoid interaction: balancing in the presence of
** unknown external forces", 2007; Ott, Roa, Hirzinger, "Posture and balance control for biped robots based on
** contact force optimization", 2011.
**
** The dynamics' robot has a base that is free.  Units are SI, vectors those of dynamics.h.  After set-up
** nothing allocates. */
#ifndef BRIO_DYNAMICS_STANCE_H
#define BRIO_DYNAMICS_STANCE_H

#include "dynamics/dynamics.h"

enum { BRIO_STANCE_CONTACTS = 32 };

/* A point of the robot that stands on the ground. */
typedef struct brio_stance_contact {
  int link;
  brio_vec3 point; /* in the link's frame, m */
} brio_stance_contact;

typedef struct brio_stance_options {
  const brio_stance_contact *contacts; /* ncontact, 1 to BRIO_STANCE_CONTACTS; copied */
  int ncontact;
  double friction;               /* Coulomb's coefficient that is relied on, above 0 */
  double stiffness, damping;     /* k, 1/s^2, and d, 1/s: of the centre of mass; >= 0 */
  double turn_stiffness, turn_damping; /* k_t and d_t: of the base's rotation; >= 0 */
} brio_stance_options;

/* No contacts; friction 0.6, k = 40 1/s^2, d = 10 1/s, k_t = 60 1/s^2, d_t = 12 1/s. */
brio_stance_options brio_stance_default_options(void);

typedef struct brio_stance {
  brio_dynamics *dynamics;
  brio_stance_options options; /* its contacts are the stance's own */
  struct brio_stance_private *work;
  brio_arena arena;
} brio_stance;

/* Make one on a workspace, which must outlive it.  Errors: misuse (a base that is fixed, a robot without
** mass, an option out of range, no contact, no such link), no_memory. */
bool brio_stance_start(brio_stance *stance, brio_dynamics *dynamics, const brio_stance_options *options,
                       brio_error *err);
void brio_stance_end(brio_stance *stance);

/* Where the robot is to stand. */
typedef struct brio_stance_goal {
  brio_vec3 com;         /* c*, world, m */
  brio_quat orientation; /* R*: of the root link in the world */
} brio_stance_goal;

/* How it stands. */
typedef struct brio_stance_report {
  brio_vec3 com, velocity; /* m, m/s */
  brio_vec3 capture;       /* where a step brings it to rest: c + v sqrt(h / g), on the ground, m */
  brio_vec3 press;         /* where the wanted forces act: the centre of pressure, m */
  double force;            /* N: of all contacts, along the vertical */
  double misfit;           /* of the wanted wrench, that no forces in the cones give: 0 to 1 */
} brio_stance_report;

/* Write the torques (nvariable) that have the robot stand, in configuration `q` (nq) at velocity `u` (nv);
** and how it stands, unless NULL.  Errors: misuse (a number that is not finite), which write nothing.
** O(contacts x joints) */
bool brio_stance_torques(brio_stance *stance, const double *q, const double *u, const brio_stance_goal *goal,
                         double *tau, brio_stance_report *report, brio_error *err);

/* Write where the robot stands in configuration `q`: over the middle of its contacts, at its present height,
** with its base as it is. */
void brio_stance_here(brio_stance *stance, const double *q, brio_stance_goal *goal);

#endif
