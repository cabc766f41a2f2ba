-- What it looks with (docs/animation/gaze.md): two eyes that the head carries. The eyes' ranges and speeds
-- follow from their joints.
return {
  base = "body",
  eyes = { carrier = "head", links = { "eye_left", "eye_right" } },
  head = { link = "gaze_frame", carrier = "body", threshold = 0.26, align = 0.75, settle = 3, speed = 1.8,
    tau = 0.08 },
  explore = { spread = 0.22 },
  source = {
    "eyes first, the neck takes the rest through a slower filter, 2 x 80 ms: after Probo's motion system",
    "threshold of 15 deg: Freedman and Sparks, J. Neurophysiology 77, 1997",
    "the share that the head takes, and its speed: chosen by us",
  },
}
