--- `brio preflight`: checks before a session.
local cli = require "brio.terminal.cli"
local operators = require "brio.operator.desk.operators"
local preflight = require "brio.operator.desk.preflight"
local rehearsal = require "brio.terminal.desk_options"
local run = require "brio.commands.run"
local store = require "brio.store"
local uv = require "luv"

local wanted = { robot = true, driver = true, store = true, world = true, rate = true, ["motor-rate"] = true,
  packages = true,
  load = true, set = true, drive = true, fault = true, ["speak-with"] = true, ["play-with"] = true,
    gamepad = true,
  ["gamepad-device"] = true, detections = true, camera = true, clouds = true, session = true, clock = true }

local command = {
  name = "preflight",
  summary = "before a session: check rates, devices, motors, disk, store, voice and session script, and \z
    report problems",
  usage = "brio preflight FILE.lua [options]",
  options = {
    { "for", "SECONDS", "duration of the check, 0.2 to 60; default 2" },
    { "arm", nil, "arm the motors, as the session will; without it they get no commands" },
    { "json", nil, "print what was found as JSON" },
  },
}

for _, option in ipairs(run.options) do
  if wanted[option[1]] then command.options[#command.options + 1] = option end
end

--- Why a store cannot be written at a path; nil: it can.
local function write_fault(path)
  local folder = path:match "^(.*)/[^/]*$" or "."
  if uv.fs_stat(path) then
    if not uv.fs_access(path, "W") then return path .. " may not be written" end
    local db, why = store.open(path)
    if not db then return path .. ": " .. why end
    db:close()
    return nil
  end
  return not uv.fs_access(folder, "W") and folder .. " may not be written" or nil
end

--- Checks other than those of the run.
local function facts_of(path)
  local facts = { is_checked = true, store = path, wall = os.time(),
    wall_text = os.date "!%Y-%m-%d %H:%M:%S UTC" }
  if not path then return facts end
  facts.writes = write_fault(path)
  local stat, disk = uv.fs_stat(path), uv.fs_statfs(path:match "^(.*)/[^/]*$" or ".")
  facts.store_mb = stat and stat.size / 2 ^ 20 or 0
  facts.disk_mb = disk and disk.bavail * disk.bsize / 2 ^ 20
  return facts
end

function command.run(args)
  if #args ~= 1 then
    cli.error("preflight expects one file: %s", command.usage)
    return 2
  end
  local seconds = cli.number(args, "for", 0.2, 60, 2)
  local path = args.store ~= "none" and (args.store or "brio.db") or nil
  args["for"] = nil
  local options = seconds and run.read(args)
  if not options or not rehearsal.read(args, options) then return 2 end
  options.store, options.store_file, options.front, options.reload, options.seconds = nil, nil, nil, false,
    nil
  options.operators = options.operators or operators.read("", "")
  local rows, worst
  local facts = facts_of(path)
  local current, code = cli.open_run(options)
  if not current then return code end
  function current.prompt.desk.before_end() -- afterwards comes power-off
    if not rows and current.host.now >= seconds - 0.1 then rows, worst = preflight.look(current, facts) end
  end
  local went, fault = current:go(seconds)
  if not rows then rows, worst = preflight.look(current, facts) end
  current:close()
  cli.close_handles()
  if args.json then
    print(store.json { checks = store.array(rows), worst = worst })
  else
    print(table.concat(preflight.lines(rows, worst), "\n"))
  end
  if not went then
    cli.error("%s", fault)
    return 1
  end
  return worst == "bad" and 3 or 0
end

return command
