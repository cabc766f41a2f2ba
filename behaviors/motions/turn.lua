-- A biped leans forward, turns to one side, whips round to the other by more than 50 degrees within a second,
-- and comes back; keys are {s, m or rad}. The example of Li, Cummings, Sreenath, "Animated Cassie", 2020:
-- this animation is too fast for the robot to keep its balance.
return {
  tracks = {
    pelvis_yaw = { { 0, 0 }, { 1, -0.47 }, { 1.2, -0.47 }, { 2.1, 0.47 }, { 2.3, 0.47 }, { 3.3, 0 } },
    pelvis_roll = { { 0, 0 }, { 1, -0.15 }, { 1.2, -0.15 }, { 2.1, 0.15 }, { 2.3, 0.15 }, { 3.3, 0 } },
    pelvis_y = { { 0, 0 }, { 1, 0.1 }, { 1.2, 0.1 }, { 2.1, -0.1 }, { 2.3, -0.1 }, { 3.3, 0 } },
    pelvis_pitch = { { 0, 0 }, { 1, 0.4 }, { 2.3, 0.4 }, { 3.3, 0 } },
    pelvis_z = { { 0, 0 }, { 1, -0.05 }, { 2.3, -0.05 }, { 3.3, 0 } },
  },
}
