--- `brio fleet`: runs of many robots in one place, by an MQTT broker.
local cli = require "brio.terminal.cli"

local command = {
  name = "fleet",
  summary = "publish what a run does to an MQTT broker, and watch all robots there",
  usage = "brio fleet publish [RUN] --robot NAME | brio fleet watch     [options]",
  options = {
    { "broker", "URL", "the broker, mqtt://USER:PASSWORD@HOST:PORT; default mqtt://127.0.0.1:1883" },
    { "site", "NAME", "the site, a part of the topics; default: site" },
    { "robot", "NAME", "publish: the robot's name, a part of the topics" },
    { "token", "TEXT", "publish: the token of an observer of the run, if it needs one" },
    { "for", "SECONDS", "watch: end after this time; default: never" },
    { "json", nil, "watch: print a line of JSON for each message" },
  },
}

--- Check the options.  Return {place, site, robot}, or nil on errors (printed).
local function read_options(args)
  local place, why = require("brio.runs.fleet.mqtt").place(args.broker or "mqtt://127.0.0.1:1883")
  if not place then return cli.error("%s", why) end
  local is_name = require("brio.runs.fleet.gateway").is_name
  for _, name in ipairs { "site", "robot" } do
    if args[name] and not is_name(args[name]) then
      return cli.error("--%s must have letters, digits and _ . - only, 64 at most, not '%s'", name,
        args[name])
    end
  end
  return { place = place, site = args.site or "site", robot = args.robot }
end

local function say(text) cli.error("%s", text) end

--- The verbs: each returns the exit code.
local verbs = {}

function verbs.publish(args, options)
  if not options.robot then
    cli.error("publish needs --robot NAME: %s", command.usage)
    return 2
  end
  local uv = require "luv"
  local path, why = require("brio.runs.live").find(args[2])
  if not path then
    cli.error("%s", why)
    return 1
  end
  local one, fault
  options.path, options.token = path, args.token
  options.on = { lost = function(sentence) say("the broker: " .. sentence .. "; trying again") end,
    connected = function() say("publishes brio/v1/" .. options.site .. "/" .. options.robot) end, log = say }
  require("brio.runs.fleet.gateway").begin(options, function(made, sentence) one, fault = made, sentence end)
  while not one and not fault do uv.run "once" end
  if not one then
    cli.error("%s", fault)
    return 1
  end
  while not one:is_over() do uv.run "once" end
  one:close()
  cli.close_handles()
  return 0
end

function verbs.watch(args, options)
  local seconds = cli.number(args, "for", 0.1, 1e9, false)
  if seconds == nil then return 2 end
  return require("brio.runs.fleet.watch").run(options,
    { seconds = seconds or nil, json = args.json, say = say })
end

function command.run(args)
  local verb = verbs[args[1]]
  if not verb or #args > 2 then
    cli.error("fleet expects publish or watch: %s", command.usage)
    return 2
  end
  local options = read_options(args)
  if not options then return 2 end
  return verb(args, options)
end

return command
