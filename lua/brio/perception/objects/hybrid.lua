--- The derived object `hybrid`: the position of one frame with the orientation of another.
return {
  name = "hybrid",
  doc = "A frame in the place of `a`, turned as `b`.",
  fields = {
    a = { "string", doc = "the frame whose place it has" },
    b = { "string", doc = "the frame whose orientation it has" },
  },
  needs = { "a", "b" },
  frames = { "a", "b" },
  pure = true,
  work = function(at) return { position = at.frames.a.position, orientation = at.frames.b.orientation } end,
}
