--- Valid values of the fields of nodes.
local fields = require "brio.lib.fields"

test("values of every type are taken or refused in words", function(t)
  local number = { "number", unit = "s", lower = 0, upper = 10, value = 4 }
  for _, case in ipairs {
    { 3, number }, { 0, number }, { 10, number }, { -1, number, "must be from 0 to 10 s, not %-1" },
    { 0 / 0, number, "must be a number, not %-?nan" }, { math.huge, number, "must be a number, not inf" },
    { "3", number, "must be a number, not a string" },
      { 5, { "number", lower = 6, unit = "" }, "must be at least 6, not 5" },
    { 5, { "number", upper = 4, unit = "m" }, "must be at most 4 m, not 5" },
    { 3, "number" }, { true, "boolean" }, { "x", "boolean", "must be a boolean, not a string" },
    { 3, { "whole" } }, { 3.0, { "whole" } }, { 3.5, { "whole" }, "must be a whole number" },
    { "left", { "choice", of = { "left", "right" } } },
    { "rihgt", { "choice", of = { "left", "right" } }, "must be one of left, right, not 'rihgt'.*right" },
    { 1, { "choice", of = { "a" } }, "must be one of a, not 1" },
    { { 1, 2, 3 }, { "vector" } }, { { 1, 2 }, { "vector" }, "must be a list of 3 numbers" },
    { { 1, 2, "x" }, { "vector" }, "must be a number" },
    { table.pack(nil, 5), { "vector", size = 2 }, "must be a number, not a nil" },
    { { 1, nil, 3 }, { "list", of = "number" }, "item 2 must be a number" },
    { 0, { "number", above = 0, unit = "s" }, "must be above 0 s, not 0" }, { 1e-9, { "number", above = 0 } },
    { "", { "text" }, "not empty" }, { 1, "text", "must be a text, not a number" }, { "a", { "text" } },
    { -1, { "choice", of = { 1, -1 } } }, { 2, { "choice", of = { 1, -1 } }, "must be one of 1, %-1, not 2" },
    { { position = { 1, 2, 3 } }, { "pose" } }, { { orientation = { 0, 0, 0, 1 } }, { "pose" } },
    { { orientation = { 0, 0, 0, 2 } }, { "pose" }, "unit quaternion" },
    { { posiion = { 1, 2, 3 } }, { "pose" }, "has no part 'posiion'.*position" },
    { { "a", "b" }, { "list", of = "string" } },
      { { "a", 2 }, { "list", of = "string" }, "item 2 must be a string" },
    { {}, "any" }, { print, "function" }, { "x", "function", "must be a function" },
  } do
    local why = fields.fault(case[1], case[2])
    if case[3] then t:match(why or "nothing", case[3]) else t:equal(why, nil) end
  end
end)

test("what a node leaves out is filled in, and its own table stays as it is", function(t)
  local own = { seconds = { "number", value = 4 }, side = "string" }
  local form = { "x", side = "left" }
  local filled = fields.filled(form, own)
  t:equal(filled.seconds, 4)
  t:equal(filled.side, "left")
  t:equal(form.seconds, nil)
  form.seconds = 2
  t:equal(fields.filled(form, own) == form, true)
end)
