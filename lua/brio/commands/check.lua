--- `brio check`: say what is wrong with a behavior without running it.
local cli = require "brio.cli"

local check = {
  name = "check",
  summary = "check a behavior: syntax, states, links and joints, with file and line for every fault",
  usage = "brio check FILE.lua... [options]",
  options = {
    { "robot", "R", "check its links and joints against this robot; default: what the behavior says" },
    { "packages", "DIR", "where package:// meshes are looked for" },
    cli.load,
    { "json", nil, "print the faults as JSON" },
  },
}

--- The faults of one file: list of {file, line, message}; nil and a sentence when the robot fails.
local function faults_of(file, args)
  local runner = require "brio.runner"
  local loaded, faults, unread = runner.load(file, {})
  if not loaded then return faults, unread end
  local name = args.robot or loaded.definition.fields.robot or "pepper"
  local description, why = require("brio.robots").find(name, { packages = args.packages and { args.packages } })
  if not description then return nil, why end
  faults = runner.faults_on(loaded, description)
  table.sort(faults, function(a, b) return a.line < b.line end)
  local world = loaded.definition.fields.world
  if world then
    local made, fault = runner.open_world(require("brio.paths").folder(file) .. "/" .. world, 0, nil, description.inputs)
    if not made then faults[#faults + 1] = { file = file, line = 0, message = "world: " .. fault } end
  end
  return faults
end

function check.run(args)
  if #args == 0 then
    cli.error("check expects a file: %s", check.usage)
    return 2
  end
  local all, unread = {}, false
  for _, file in ipairs(args) do
    local faults, why = faults_of(file, args)
    if not faults then
      cli.error("%s", why)
      unread = true
    else
      table.move(faults, 1, #faults, #all + 1, all)
      if #faults == 0 and not args.json then print(file .. ": good") end
    end
  end
  if args.json then
    local store = require "brio.store"
    print(store.json { faults = store.array(all), count = #all })
  else
    for _, fault in ipairs(all) do
      local place = fault.line > 0 and ("%s:%d"):format(fault.file, fault.line) or fault.file
      print(place .. ": " .. fault.message)
    end
  end
  return unread and 1 or #all > 0 and 3 or 0
end

return check
