--- Prints what the gateways of a site publish: a line for each change.
local cjson = require "cjson"
local gateway = require "brio.runs.fleet.gateway"
local mqtt = require "brio.runs.fleet.mqtt"
local store = require "brio.store"
local uv = require "luv"

local watch = {}

local function text_of(value)
  return type(value) == "string" and value or value ~= nil and store.json(value) or "?"
end

--- What a message says, as words, by the part of its topic.
local words = {}

function words.connection(data) return text_of(data.connection) end

function words.state(data)
  local leaves = {}
  for _, node in ipairs(type(data.running) == "table" and data.running or {}) do
    if type(node) == "table" then leaves[#leaves + 1] = text_of(node.name) end
  end
  return ("%s in %s%s"):format(text_of(data.behavior), data.state and text_of(data.state) or "no state",
    #leaves > 0 and ": " .. table.concat(leaves, " > ") or "")
end

function words.event(data) return "event " .. text_of(data.name) end

function words.fault(data) return text_of(data.level) .. ": " .. text_of(data.text) end

--- Print a message; nothing if the state reads as before.
local function show(seen, message, options)
  local robot, part = message.topic:match "^brio/v1/[^/]+/([^/]+)/([^/]+)$"
  if not words[part or ""] then return end
  local good, data = pcall(cjson.decode, message.payload)
  if not good or type(data) ~= "table" then
    return options.say(("%s: a message that is no object of JSON"):format(message.topic))
  end
  if options.json then
    print(store.json { robot = robot, part = part, data = data })
  else
    local line = ("%-16s %s"):format(robot, words[part](data))
    if part ~= "state" or seen[robot] ~= line then print(line) end
    if part == "state" then seen[robot] = line end
  end
  io.stdout:flush()
end

--- Watch a site.  options: place (of the broker), site; how: seconds (nil: until a signal), json,
--- say(sentence).  Return the exit code: 1 if there never was a connection.
function watch.run(options, how)
  local seen, connected, over, filters = {}, false, false, {}
  for part in next, words do filters[#filters + 1] = gateway.topic(options.site, "+", part) end
  table.sort(filters)
  local broker = mqtt.new { place = options.place, client = ("brio-watch-%d-%d"):format(uv.os_getpid(),
      uv.hrtime() // 1000 % 1000000), filters = filters,
    on = { connected = function() connected = true end,
      lost = function(sentence) how.say("the broker: " .. sentence .. "; trying again") end,
      message = function(message) show(seen, message, how) end } }
  local list = {}
  for index, name in ipairs { "sigint", "sigterm" } do
    list[index] = uv.new_signal()
    list[index]:start(name, function() over = true end)
  end
  local timer = uv.new_timer()
  if how.seconds then timer:start(math.floor(how.seconds * 1000), 0, function() over = true end) end
  while not over do uv.run "once" end
  broker:close(function() over = "sent" end)
  while over ~= "sent" do uv.run "once" end
  timer:close()
  for _, one in ipairs(list) do one:close() end
  uv.run "nowait"
  return connected and 0 or 1
end

return watch
