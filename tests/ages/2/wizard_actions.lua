-- The wizard's library of movements: for each its keys {seconds from its beginning, joint = rad, ...}.
-- A joint that a movement does not name stays where the robot stands; after the last key all go back there.
return {
  wave = {
    { 1.0, RShoulderPitch = 0.40, RShoulderRoll = -0.45, RElbowYaw = 1.7, RElbowRoll = 1.00, RWristYaw = 0.6, RHand = 0.95 },
    { 1.6, RElbowRoll = 1.50 }, { 2.2, RElbowRoll = 1.00 }, { 2.8, RElbowRoll = 1.50 }, { 3.4, RElbowRoll = 1.00 },
  },
  point = {
    { 1.2, RShoulderPitch = 0.20, RShoulderRoll = -0.16, RElbowYaw = 1.0, RElbowRoll = 0.10, RHand = 0.30 },
    { 3.0, RShoulderPitch = 0.20 },
  },
  nod = { { 0.4, HeadPitch = 0.25 }, { 0.8, HeadPitch = -0.25 }, { 1.2, HeadPitch = 0.25 }, { 1.6, HeadPitch = -0.15 } },
  shake = { { 0.5, HeadYaw = 0.45 }, { 1.0, HeadYaw = -0.45 }, { 1.5, HeadYaw = 0.45 }, { 2.0, HeadYaw = 0.0 } },
  welcome = {
    { 1.2, LShoulderPitch = 0.9, LShoulderRoll = 0.6, LElbowYaw = -1.6, LElbowRoll = -0.7, LWristYaw = -1.0, LHand = 0.95,
      RShoulderPitch = 0.9, RShoulderRoll = -0.6, RElbowYaw = 1.6, RElbowRoll = 0.7, RWristYaw = 1.0, RHand = 0.95 },
    { 2.5, LHand = 0.95 },
  },
}
