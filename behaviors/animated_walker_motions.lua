-- The motions of animated_walker: ID, mode, emotion, and keys of joints (rad) and of the gait (m/s, rad/s,
-- m).
local list = {
  bow = { mode = "standing", emotion = "happy", curve = "minimum_jerk", tracks = {
    waist_pitch = { { 0, 0 }, { 1.2, 0.45 }, { 1.8, 0.45 }, { 3, 0 } },
    neck_pitch = { { 0, 0 }, { 1.2, 0.3 }, { 1.8, 0.3 }, { 3, 0 } } } },
  wave = { mode = "standing", emotion = "happy", curve = "cubic", tracks = {
    right_shoulder_pitch = { { 0, 0.1 }, { 1.2, -1.2 }, { 2.8, -1.2 }, { 4, 0.1 } },
    right_shoulder_roll = { { 0, -0.15 }, { 1.2, -0.6 }, { 1.6, -0.75 }, { 2, -0.6 }, { 2.4, -0.45 },
      { 2.8, -0.6 }, { 4, -0.15 } },
    right_elbow = { { 0, -0.4 }, { 1.2, -1.7 }, { 2.8, -1.7 }, { 4, -0.4 } } } },
  look_around = { mode = "standing", emotion = "curious", curve = "cubic", tracks = {
    neck_yaw = { { 0, 0.5 }, { 1, 0.7 }, { 2.4, -0.7 }, { 3.4, 0 } },
    HeadYaw = { { 0, 0.5 }, { 1, 0.7 }, { 2.4, -0.7 }, { 3.4, 0 } }, -- of Pepper and NAO
    height = { { 0, -0.05 }, { 1.5, -0.12 }, { 3.4, 0 } } } },
  stroll = { mode = "walking", emotion = "happy", curve = "cubic", tracks = {
    vx = { { 0, 0.1 }, { 2, 0.25 }, { 5, 0.25 }, { 7, 0.1 } },
    neck_yaw = { { 0, 0 }, { 2, 0.4 }, { 4, -0.4 }, { 6, 0 } },
    left_elbow = { { 0, -0.4 }, { 2, -0.9 }, { 5, -0.9 }, { 7, -0.4 } },
    right_elbow = { { 0, -0.4 }, { 2, -0.9 }, { 5, -0.9 }, { 7, -0.4 } } } },
  sneak = { mode = "walking", emotion = "curious", curve = "cubic", tracks = {
    vx = { { 0, 0.08 }, { 6, 0.08 } },
    height = { { 0, -0.1 }, { 2, -0.16 }, { 6, -0.16 } },
    waist_pitch = { { 0, 0.2 }, { 6, 0.2 } },
    neck_pitch = { { 0, -0.1 }, { 6, -0.1 } } } },
  trudge = { mode = "walking", emotion = "tired", curve = "cubic", tracks = {
    vx = { { 0, 0.05 }, { 3, 0.12 }, { 6, 0.05 } },
    waist_pitch = { { 0, 0.15 }, { 6, 0.25 } },
    neck_pitch = { { 0, 0.3 }, { 6, 0.4 } } } },
}

return { list = list, home = "stand" }
