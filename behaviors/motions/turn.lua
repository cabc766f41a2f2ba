-- A biped leans forward, looks to one side, whips round to the other by more than 50 degrees within a
-- second, and comes back. The example of Li, Cummings, Sreenath, "Animated Cassie", 2020: the animation
-- is too quick to stand.
return {
  tracks = {
    pelvis_yaw = { { 0, 0 }, { 1, -0.47 }, { 1.2, -0.47 }, { 2.1, 0.47 }, { 2.3, 0.47 }, { 3.3, 0 } },
    pelvis_roll = { { 0, 0 }, { 1, -0.15 }, { 1.2, -0.15 }, { 2.1, 0.15 }, { 2.3, 0.15 }, { 3.3, 0 } },
    pelvis_y = { { 0, 0 }, { 1, 0.1 }, { 1.2, 0.1 }, { 2.1, -0.1 }, { 2.3, -0.1 }, { 3.3, 0 } },
    pelvis_pitch = { { 0, 0 }, { 1, 0.4 }, { 2.3, 0.4 }, { 3.3, 0 } },
    pelvis_z = { { 0, 0 }, { 1, -0.05 }, { 2.3, -0.05 }, { 3.3, 0 } },
  },
}
