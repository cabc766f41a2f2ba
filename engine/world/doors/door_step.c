/* How a door moves. In the plane of the floor, about the hinge, the panel is a board of half thickness h. A
** touch of radius rho at distance r from the hinge and angle phi touches the board's face where |phi -
** angle| = asin((h + rho) / r), and its free edge, at w, where cos|phi - angle| = (r^2 + w^2 - (h + rho)^2)
** / (2 r w): plain geometry of circles. So each touch bounds the angle, from the side it came from, and the
** free motion of the board is clamped between the bounds. A hand that has grasped sets the angle directly.
**
** Whether a grasp holds is drawn when it begins: with probability grip (1 - 0.25 miss^2), where miss is the
** hand's distance from the handle as a share of its reach, it holds; otherwise it slips after a random
** progress, measured by the handle's turn relative to what frees the latch, and the panel's travel relative
** to SLIP_WAY.
**
** A drawer slides: its angle is in m, and a touch bounds it where it meets the face of its front.
**
** One step costs O(touches); nothing is allocated. */
#include <assert.h>
#include <math.h>

#include "math/scalar.h"
#include "world/doors/door_internal.h"

#define SHUT 0.6          /* closed this far, a hand has grasped */
#define OPEN 0.4          /* closed less, it has released */
#define STRETCH 0.04      /* m beyond a hand's reach at which it is torn off */
#define BAR 0.01          /* m, half the thickness of levers and bars */
#define SPRING 6.0        /* rad/s with which a handle returns; a push bar: a twentieth, m/s */
#define SLIP_WAY 0.5      /* rad of the panel's travel that count as full progress */
#define MAX_SPEED 10.0    /* rad/s of a panel that was struck */
#define MAX_STEP 0.1      /* s per step */

/* A touch in the door's coordinates. */
typedef struct place {
  /* about the hinge; phi from the shut panel the way it opens, rad; r NAN: nowhere */
  double r, phi;
  double along, across, z;    /* from the panel as it stands, across positive where it opens to */
  /* at which it meets the panel; from the panel's angle, rad, negative: out of reach */
  double radius, bound;
} place;

/* Whether a touch consists of finite numbers. */
static bool sound(const brio_door_touch *touch) {
  bool ball = brio_pose_finite(touch->pose) && touch->radius >= 0 && isfinite(touch->radius) &&
              isfinite(touch->above);
  return ball &&
         (!touch->hand || (brio_vec3_finite(touch->grasp) && touch->reach >= 0 && isfinite(touch->reach)));
}

/* Whether a touch is at the panel's height: a ball around z, a cylinder from z up. */
static bool at_height(const brio_door *door, const brio_door_touch *touch, double z) {
  double low = touch->above > 0 ? z : z - touch->radius,
         high = touch->above > 0 ? z + touch->above : z + touch->radius;
  return high > 0 && low < door->settings.height;
}

/* How close a touch's angle can come to the panel's, rad; negative: it is beyond the panel's edge or in the
** hinge. */
static double bound_of(const brio_door *door, const place *at) {
  double w = door->settings.width, gap = door->settings.thickness / 2 + at->radius;
  /* A drawer: in front of its front, or in it. */
  if (door->settings.slides) {
    bool beside = at->along <= -at->radius || at->along >= w + at->radius;
    return beside || at->across < -door->settings.depth ? -1 : gap;
  }
  /* Within the panel's length its face is touched, beyond it the free edge. */
  if (at->r <= gap || at->r >= w + gap) return -1;
  if (at->r * at->r - gap * gap <= w * w) return asin(gap / at->r);
  return acos(brio_clamp((at->r * at->r + w * w - gap * gap) / (2 * at->r * w), -1, 1));
}

/* Whether a touch is at the height of a push bar, on its face, and within its length. */
static bool before_bar(const brio_door_settings *s, const brio_door_touch *touch, const place *at) {
  double up = at->z - s->handle_height, low = touch->above > 0 ? up : up - touch->radius;
  double high = touch->above > 0 ? up + touch->above : up + touch->radius;
  bool level = low <= BAR && high >= -BAR;
  return at->across < 0 && level && fabs(at->along - s->width / 2) <= s->length / 2 + touch->radius;
}

/* A point in door coordinates; phi is unwrapped to the range around the door's travel, so that it is
** comparable with the angle. */
static place point_at(const brio_door *door, brio_vec3 point) {
  brio_vec3 p = brio_door_into(door, point);
  if (door->settings.slides)
    return (place){.r = 1, .phi = p.y, .along = p.x, .across = p.y - door->angle, .z = p.z, .bound = -1};
  place at = {.r = hypot(p.x, p.y), .phi = atan2(p.y, p.x), .z = p.z, .bound = -1};
  if (at.phi < door->settings.most / 2 - BRIO_PI) at.phi += 2 * BRIO_PI;
  at.along = at.r * cos(at.phi - door->angle);
  at.across = at.r * sin(at.phi - door->angle);
  return at;
}

/* A touch in door coordinates, with the angle that it bounds. */
static place place_of(const brio_door *door, const brio_door_touch *touch) {
  const brio_door_settings *s = &door->settings;
  place at = point_at(door, touch->pose.p);
  at.radius = touch->radius;
  if (s->handle == BRIO_DOOR_PUSH_BAR && before_bar(s, touch, &at)) /* it meets the bar that is pressed in */
    at.radius += fmax(0, s->off + BAR - s->handle_most);
  at.bound = at_height(door, touch, at.z) ? bound_of(door, &at) : -1;
  return at;
}

/* ---- handles ---- */

/* Distance of the handle's axis from the hinge, m. */
static double axis_along(const brio_door_settings *s) {
  return s->slides ? s->width / 2 : s->width - s->inset;
}

/* Distance of a hand from the handle's bar or knob, m, on whichever face it is. */
static double handle_distance(const brio_door *door, const place *at) {
  const brio_door_settings *s = &door->settings;
  double off = s->thickness / 2 + s->off, half = s->length / 2;
  double across = fabs(at->across) - off, along = at->along - axis_along(s), up = at->z - s->handle_height;
  /* The nearest point of the bar: clamp along it. */
  if (s->slides) {
    across = at->across - off;
    along -= brio_clamp(along, -half, half);
  } else if (s->handle == BRIO_DOOR_PUSH_BAR) {
    if (at->across > 0) return INFINITY;
    along = at->along - s->width / 2;
    along -= brio_clamp(along, -half, half);
  } else if (s->handle == BRIO_DOOR_PULL) {
    up -= brio_clamp(up, -half, half);
  } else if (s->handle == BRIO_DOOR_LEVER) {
    /* Along the lever from its axis, about which it is turned down by door->handle. */
    double c = cos(door->handle), n = sin(door->handle), on = brio_clamp(-along * c - up * n, 0, s->length);
    along += on * c;
    up += on * n;
  }
  return sqrt(across * across + along * along + up * up);
}

/* The angle of a hand about a lever's axis, downwards from horizontal, rad. */
static double lever_angle(const brio_door_settings *s, const place *at) {
  return atan2(s->handle_height - at->z, axis_along(s) - at->along);
}

/* Rotation of a hand about the panel's normal since it grasped a knob, rad: the twist part of the
** swing-twist decomposition, within half a turn. */
static double twist(const brio_door *door, const brio_door_touch *touch, const brio_door_memory *memory) {
  /* The hand's rotation in the panel's frame, now relative to the grasp. */
  brio_quat panel = brio_quat_mul(door->settings.pose.q, brio_quat_from_rpy(0, 0, brio_door_yaw(door)));
  brio_quat now = brio_quat_mul(brio_quat_conj(panel), touch->pose.q);
  brio_quat turn = brio_quat_mul(now, brio_quat_conj(memory->q));
  double angle = 2 * atan2(turn.x, turn.w);
  return angle - 2 * BRIO_PI * floor(angle / (2 * BRIO_PI) + 0.5);
}

/* Begin a grasp: remember where and how, and draw whether it will hold. */
static void begin_grasp(brio_door *door, const brio_door_touch *touch, brio_door_memory *memory,
                        const place *at) {
  const brio_door_settings *s = &door->settings;
  brio_quat panel = brio_quat_mul(s->pose.q, brio_quat_from_rpy(0, 0, brio_door_yaw(door)));
  double miss = handle_distance(door, at) / fmax(touch->reach, 1e-6);
  /* Both are always drawn, so that the stream does not depend on the outcome. */
  double chance = brio_random_uniform(&door->stream, 0, 1),
         far = brio_random_uniform(&door->stream, 0.1, 0.9);
  /* Where it grasped, as the panel and the handle are led from there. */
  memory->holds = true;
  memory->across = at->across;
  memory->from = door->angle;
  memory->turned = lever_angle(s, at) - door->handle;
  memory->q = brio_quat_mul(brio_quat_conj(panel), touch->pose.q);
  memory->slips_at = chance < s->grip * (1 - 0.25 * miss * miss) ? INFINITY : far;
}

/* End a grasp. After a slip the hand must open before it can grasp again. */
static void let_go(brio_door *door, brio_door_memory *memory, bool slipped) {
  memory->holds = false;
  memory->spent = slipped;
  if (slipped) door->slips++;
}

/* Decide whether a hand, whose point of grasp is at `at`, grasps, holds or releases; hysteresis between
** OPEN and SHUT. */
static void decide_grasp(brio_door *door, const brio_door_touch *touch, brio_door_memory *memory,
                         const place *at) {
  const brio_door_settings *s = &door->settings;
  double distance = handle_distance(door, at);
  /* An open hand releases; NaN counts as open. */
  if (!(touch->shut >= OPEN)) {
    let_go(door, memory, false);
  } else if (memory->holds) {
    /* The progress of this grasp: the panel's travel, and the handle's turn. */
    double got = fabs(door->angle - memory->from) / SLIP_WAY;
    /* A pull has no latch to free. */
    if (s->handle != BRIO_DOOR_PULL) got = fmax(got, door->handle / s->free);
    if (distance > touch->reach + STRETCH || got > memory->slips_at) let_go(door, memory, true);
  } else if (touch->shut >= SHUT && !memory->spent && distance <= touch->reach) {
    begin_grasp(door, touch, memory, at);
  }
}

/* How far an open hand presses a lever down by resting on it, rad; 0: it does not touch the lever. */
static double pressed_lever(const brio_door *door, double radius, const place *at) {
  const brio_door_settings *s = &door->settings;
  double in = axis_along(s) - at->along, across = fabs(at->across) - s->thickness / 2 - s->off;
  /* Height of the lever's bar at the hand. */
  double bar = s->handle_height - in * tan(door->handle);
  if (fabs(across) > radius + BAR || in < 0.02 || in > s->length + radius || at->z < bar) return 0;
  return atan2(s->handle_height + BAR - (at->z - radius), in);
}

/* How far a touch presses a push bar, m; 0: it is not in front of it. */
static double pressed_bar(const brio_door_settings *s, const brio_door_touch *touch, const place *at) {
  if (!before_bar(s, touch, at)) return 0;
  return s->thickness / 2 + s->off + BAR + touch->radius + at->across;
}

/* How far a touch turns or presses the handle, rad or m; 0 or less: not at all. */
static double works(const brio_door *door, const brio_door_touch *touch, const brio_door_memory *memory,
                    const place *at) {
  const brio_door_settings *s = &door->settings;
  switch (s->handle) {
    case BRIO_DOOR_PUSH_BAR: return pressed_bar(s, touch, at);
    case BRIO_DOOR_KNOB: return memory->holds ? fabs(twist(door, touch, memory)) : 0;
    case BRIO_DOOR_LEVER: {
      place grasp = point_at(door, touch->grasp);
      if (memory->holds) return lever_angle(s, &grasp) - memory->turned;
      return touch->hand ? pressed_lever(door, touch->radius, at) : 0;
    }
    default: return 0; /* a pull has nothing to turn */
  }
}

/* Let hands grasp, and set the handle to the strongest touch; otherwise its spring returns it by up to
** `back`. */
static void turn_handle(brio_door *door, double dt, const brio_door_touch *touches, const place *at,
                        int count) {
  const brio_door_settings *s = &door->settings;
  double back = (s->handle == BRIO_DOOR_PUSH_BAR ? SPRING / 20 : SPRING) * dt, most = 0;
  for (int i = 0; i < count; i++) {
    /* Hands decide about their grasp first, as a grasp turns the handle. */
    if (isnan(at[i].r)) continue;
    if (touches[i].hand) {
      place point = point_at(door, touches[i].grasp);
      decide_grasp(door, &touches[i], &door->memory[i], &point);
    }
    double far = works(door, &touches[i], &door->memory[i], &at[i]);
    door->contacts[i].holds = door->memory[i].holds;
    if (far > 0 || door->memory[i].holds) door->contacts[i].touches = true;
    most = fmax(most, far);
  }
  door->handle = brio_clamp(fmax(most, door->handle - back), 0, s->handle_most);
  /* Turned far enough, the handle frees the latch. */
  if (door->handle >= s->free && !s->locked) door->latched = false;
}

/* ---- the panel ---- */

/* The angle to which the panel would move by itself, rad; sets its speed. Damping is implicit, so that any
** step is stable; friction cannot reverse the motion. */
static double free_motion(brio_door *door, double dt) {
  const brio_door_settings *s = &door->settings;
  double closing = s->closer > 0 || s->closer_rise > 0 ? s->closer + s->closer_rise * door->angle : 0;
  double speed = (door->speed - dt * closing / s->inertia) / (1 + dt * s->damping / s->inertia);
  double held = dt * s->friction / s->inertia;
  door->speed = fabs(speed) <= held ? 0 : speed - copysign(held, speed);
  return door->angle + dt * door->speed;
}

/* The side that a touch comes from: kept while it overlaps the panel. Beyond the panel's edge or behind its
** hinge it may change sides. */
static void take_side(brio_door *door, brio_door_memory *memory, const place *at) {
  int side = at->phi >= door->angle ? 1 : -1;
  bool apart = fabs(at->phi - door->angle) >= at->bound;
  /* A touch that changes sides without going around has passed through the panel: count it. */
  if (at->bound >= 0 && at->along > 0 && memory->side != 0 && apart && memory->side != side) door->passed++;
  if (at->bound < 0 || memory->side == 0 || apart) memory->side = side;
}

/* The panel's angle at which its distance from a holding hand is that at the grasp, rad. */
static double led_to(const brio_door *door, const brio_door_touch *touch, const brio_door_memory *memory) {
  place grasp = point_at(door, touch->grasp);
  if (door->settings.slides) return grasp.phi - memory->across;
  return grasp.phi - asin(brio_clamp(memory->across / fmax(grasp.r, 1e-6), -1, 1));
}

/* Write the interval that touches leave for the panel's angle, rad; low > high: they contradict each
** other. */
static void find_bounds(brio_door *door, const brio_door_touch *touches, const place *at, int count,
                        double *low, double *high) {
  double led = 0;
  int leaders = 0;
  for (int i = 0; i < count; i++) {
    brio_door_memory *memory = &door->memory[i];
    if (isnan(at[i].r)) continue;
    /* Hands that hold lead the panel; several are averaged. */
    if (memory->holds) {
      led += led_to(door, &touches[i], memory);
      leaders++;
    }
    /* A touch bounds the angle from its side; a holding hand leads instead. */
    take_side(door, memory, &at[i]);
    if (at[i].bound < 0 || memory->holds) continue;
    if (memory->side < 0) *low = fmax(*low, at[i].phi + at[i].bound);
    else *high = fmin(*high, at[i].phi - at[i].bound);
  }
  /* Leaders move within the bounds of the other touches. */
  if (leaders == 0) return;
  *low = fmax(*low, fmin(led / leaders, *high));
  *high = fmin(*high, fmax(led / leaders, *low));
}

/* Write how each touch touches the panel in its final position. */
static void tell_contacts(brio_door *door, const place *at, int count) {
  for (int i = 0; i < count; i++) {
    brio_door_contact *contact = &door->contacts[i];
    if (isnan(at[i].r) || at[i].bound < 0 || contact->holds) continue;
    /* How far past its bound the touch is, as an angle; times r: as a depth. */
    double past = at[i].bound - door->memory[i].side * (at[i].phi - door->angle);
    if (past > -1e-3) contact->touches = true;
    if (past > 1e-9) contact->depth = past * at[i].r;
  }
}

/* Hysteresis between 1 and 0.5 rad, of a drawer a half and a quarter of its way, so that an opening
** counts once. */
static void count_opening(brio_door *door) {
  double wide = brio_door_wide(&door->settings);
  if (door->angle > wide && !door->wide) {
    door->wide = true;
    door->opened++;
  }
  if (door->angle < wide / 2) door->wide = false;
}

/* The latch catches when the door is shut, unless the handle is turned. Opening beyond 1 rad is counted
** once, until the angle is below 0.5 rad again. */
static void settle(brio_door *door) {
  const brio_door_settings *s = &door->settings;
  /* It catches only while it closes or rests. */
  if (s->latch && door->angle <= BRIO_DOOR_CATCH && door->speed <= 0 &&
      (door->handle < s->free || s->locked)) {
    door->latched = true;
    door->angle = door->speed = 0;
  }
  count_opening(door);
}

void brio_door_follow(brio_door *door, double angle, double speed, double handle, bool latched) {
  const brio_door_settings *s = &door->settings;
  /* A simulation exceeds ends a little. */
  door->angle = brio_clamp(angle, 0, s->most);
  door->speed = speed;
  door->handle = brio_clamp(handle, 0, s->handle_most);
  door->latched = latched;
  for (int i = 0; i < BRIO_DOOR_TOUCHES; i++) door->contacts[i] = (brio_door_contact){0};
  count_opening(door);
}

void brio_door_step(brio_door *door, double dt, const brio_door_touch *touches, int count) {
  place at[BRIO_DOOR_TOUCHES];
  if (!(dt > 0)) return;
  /* Longer times are cut, as events within them would be missed. */
  dt = fmin(dt, MAX_STEP);
  if (count > BRIO_DOOR_TOUCHES) count = BRIO_DOOR_TOUCHES;
  /* An invalid touch has no position, and a hand lets go. */
  for (int i = 0; i < count; i++) {
    door->contacts[i] = (brio_door_contact){0};
    at[i] = (place){.r = NAN};
    if (sound(&touches[i])) at[i] = place_of(door, &touches[i]);
    else let_go(door, &door->memory[i], false);
  }
  turn_handle(door, dt, touches, at, count);
  /* The order from here on: free motion, bounds, clamp, latch, reports. */
  double before = door->angle, low = 0, high = door->settings.most;
  double wanted = free_motion(door, dt), from = -INFINITY, to = INFINITY;
  find_bounds(door, touches, at, count, &from, &to);
  /* Contradicting bounds: stay between them. */
  double next = from > to ? (from + to) / 2 : brio_clamp(wanted, from, to);
  /* A held door opens no further; a latched one stays. */
  if (door->held > 0) high = fmin(high, before);
  if (door->latched) low = high = before;
  door->angle = brio_clamp(next, low, high);
  /* A panel that touches moved has the speed of that motion. */
  if (door->angle != wanted) door->speed = brio_clamp((door->angle - before) / dt, -MAX_SPEED, MAX_SPEED);
  if (door->angle <= 0 || door->angle >= door->settings.most) door->speed = 0;
  door->held = fmax(0, door->held - dt);
  settle(door);
  assert(door->angle >= 0 && door->angle <= door->settings.most);
  tell_contacts(door, at, count);
}
