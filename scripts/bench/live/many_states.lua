--- The text of a behavior of `count` states of five lines each: a property, a function and a timer.
local head = [[
local brio = require "brio"
local want = brio.want
local made = brio.behavior "made" { robot = "pepper", start = "s1", memory = { n = 0 } }
]]

return function(count)
  local parts = { head }
  for n = 1, count do
    parts[#parts + 1] = ([[
made.s%d = {
  wants = { want.joint_match { joint = "HeadYaw", goal = %g } },
  tick = function(self) self.memory.n = self.memory.n + %d end,
  after = { 5, "s%d" },
}]]):format(n, n % 10 / 20, n, n % count + 1)
  end
  parts[#parts + 1] = "return made\n"
  return table.concat(parts, "\n")
end
