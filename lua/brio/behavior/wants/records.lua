--- The schemas of objectives, goal kinds and features written in Lua; loaded only if a behavior has any.
local records = {}

--- brio.goal_kind "NAME" { ... }
records.goal_kind = {
  doc = { "string", doc = "a sentence for people" },
  example = { "string", needed = true, doc = "how one is written, as a text" },
  fields = { "table", doc = "names of its numbers" },
  items = { "table", doc = "names of the numbers of each item of a list that ends it" },
  least = { "number", doc = "items there must be" }, most = { "number", doc = "items there may be" },
  check = { "function", doc = "check(goal): whether it is good; else false and why" },
}

--- brio.feature "NAME" { ... }
records.feature = { doc = "string", unit = "string", count = "number", compute = "function" }

--- brio.objective "NAME" { ... }
records.objective = {
  doc = { "string", doc = "a sentence for people" }, params = { "table",
    doc = "its arguments, each with a default" },
  goal = { "any", doc = "the kind of goal that it takes: a name, or a kind of one's own" },
  features = { "table", doc = "quantities of the pose that the function gets" }, loss = { "string",
    doc = "how its residual is weighed" },
  rows = { "number", doc = "numbers of its residual" }, step = { "number", doc = "step of differences" },
  residual = { "function", doc = "residual(self, state, goal): the numbers that are to be 0" },
  cost = { "function", doc = "cost(self, state, goal), instead of a residual" },
  jacobian = { "function", doc = "derivatives of the residual" }, gradient = { "function",
    doc = "that of the cost" },
  update = { "function", doc = "called once a solve" }, reset = { "function",
    doc = "called when history begins" },
  proximity = { "boolean", doc = "it gets distances" },
}

return records
