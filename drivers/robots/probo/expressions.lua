-- What Probo's face does at each emotion: a value for every angle below, DOFs as in robot.lua, 0 neutral.
--
-- Which way parts go is after the descriptions of Saldien, Goris, Vanderborght, Vanderfaeillie and Lefeber,
-- "Expressing emotions with the social robot Probo", Int. J. of Social Robotics 2, 2010, and of faces in
-- Ekman and Friesen's coding system; how far is chosen by us, on the drawn face (brio face probo).
local lids        = {  0.10,  0.15, -0.10,  1.00,  0.90,  0.10, -0.30, -0.40, -0.55, -0.85, -0.35 }
local brow_inner  = {  0.25,  0.35,  0.45,  0.90,  0.95, -1.00, -0.60,  0.85,  0.75,  0.10,  0.10 }
local brow_outer  = {  0.35,  0.45,  0.60,  0.95,  0.15,  0.60, -0.20, -0.50, -0.55, -0.25,  0.15 }
local ears        = {  0.35,  0.60,  0.80,  1.00, -0.70, -0.40, -0.60, -0.85, -0.95, -0.70, -0.10 }
local corners     = {  0.70,  0.95,  1.00,  0.00, -0.55, -0.80, -0.85, -0.90, -0.75, -0.15,  0.40 }

return {
  robot = "probo",
  about = "the face of a Probo-class head: lids, brows, ears, mouth, trunk; the neck bends a little with it",
  source = "directions: Saldien et al., IJSR 2, 2010; amounts chosen by us",
  angles = { "pleased", "happy", "laughing", "surprised", "afraid", "angry", "disgusted", "sad", "depressed",
    "tired", "relaxed" },
  dofs = {
    EyelidLeft = lids, EyelidRight = lids,
    BrowInnerLeft = brow_inner, BrowInnerRight = brow_inner,
    BrowOuterLeft = brow_outer, BrowOuterRight = brow_outer,
    EarLeft = ears, EarRight = ears,
    MouthCornerLeft = corners, MouthCornerRight = corners,
    MouthOpen =  {  0.05,  0.30,  0.90,  0.95,  0.60, -0.50, -0.20, -0.30, -0.25, -0.10, -0.05 },
    TrunkTilt =  {  0.40,  0.60,  0.80,  0.85,  0.30,  0.25, -0.30, -0.80, -0.95, -0.80, -0.20 },
    TrunkCurl =  {  0.40,  0.60,  0.80,  0.80, -0.70, -0.60, -0.60, -0.40, -0.40, -0.30,  0.20 },
    -- rad, over wherever the head looks: above 0 is down
    NeckTilt =   { -0.06, -0.10, -0.16, -0.14, -0.06,  0.10,  0.02,  0.22,  0.28,  0.30,  0.05 },
    NeckSwing =  {  0.00,  0.03,  0.05,  0.00,  0.00,  0.00, -0.06, -0.08, -0.08, -0.05,  0.06 },
  },
}
