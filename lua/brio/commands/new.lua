--- `brio new`: creates a behavior from a small working one.
local cli = require "brio.terminal.cli"
local paths = require "brio.lib.paths"

local new = {
  name = "new",
  summary = "create a new behavior, with its test beside it",
  usage = "brio new NAME [options]",
  options = {
    { "robot", "R", "its robot; default pepper" },
    { "template", "T", "empty, or greeter: behaviors without functions, to be made in the studio; no test" },
  },
}

local behavior_text = [[
--- NAME: what it does, in a sentence.
local brio = require "brio"
local want = brio.want

local behavior = brio.behavior "NAME" {
  robot = ROBOT,
  start = "idle",
  memory = { seen = 0 },
}

behavior.idle = {
  wants = {
    want.collision_avoidance {},
    want.joint_limits {},
    want.joint_velocity_minimization {},
  },
  on = { person_appeared = "company" },
}

behavior.company = {
  enter = function(self, person)
    self.memory.seen = self.memory.seen + 1
    self:log("%s is visitor number %d", person.id, self.memory.seen)
  end,
  wants = {
    want.collision_avoidance {},
    want.joint_limits {},
    want.joint_velocity_minimization {},
  },
  on = { person_lost = "idle" },
}

return behavior
]]

local test_text = [[
--- Run with: brio test NAME_test.lua
test("NAME keeps whoever comes company until they go", function(t)
  local run = t:run "NAME.lua"
  run:advance(1)
  t:equal(run.state, "idle")
  run:see { kind = "person", id = "ann", at = { 1.2, 0, 1.6 }, during = 3 }
  run:advance(1)
  t:equal(run.state, "company")
  t:equal(run.memory.seen, 1)
  run:advance(5)
  t:equal(run.state, "idle")
end)
]]

local function write(file, text)
  local handle, why = io.open(file, "w")
  local good = handle and handle:write(text)
  if handle then handle:close() end
  if not good then cli.error("cannot write %s", why or file) end
  return good
end

function new.run(args)
  local name = args[1]
  if #args ~= 1 or not name:match("^[%a_][%w_]*$") then
    cli.error("new expects a name of letters, digits and '_': %s", new.usage)
    return 2
  end
  local file, test = name .. ".lua", name .. "_test.lua"
  for _, path in ipairs { file, test } do
    if paths.exists(path) then
      cli.error("%s is there already: nothing was written", path)
      return 1
    end
  end
  local robot = args.robot or "pepper"
  local found, why = require("brio.robots.catalog").find(robot)
  if not found then
    cli.error("%s", why)
    return 1
  end
  if args.template then
    local snippets = require "brio.behavior.text.snippets"
    local text = snippets.behavior(args.template, name, robot)
    if not text then
      local names = require("brio.lib.suggest").keys(snippets.behaviors)
      cli.error("there is no template '%s': %s", args.template, table.concat(names, ", "))
      return 2
    end
    if not write(file, text) then return 1 end
    print(("wrote %s. Next:\n  brio run %s --studio"):format(file, file))
    return 0
  end
  local words = { NAME = name, ROBOT = ("%q"):format(robot) }
  if not (write(file, (behavior_text:gsub("%u%u%u%u+", words)))
      and write(test, (test_text:gsub("NAME", words)))) then
    return 1
  end
  print(("wrote %s and %s. Next:\n  brio check %s\n  brio run %s --for 10\n  brio test %s"):format(file, test,
    file, file, test))
  return 0
end

return new
