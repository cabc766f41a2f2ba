--- The client of an MQTT broker when its own work fails between two callbacks.
local mqtt = require "brio.runs.fleet.mqtt"
local packets = require "brio.runs.fleet.packets"
local uv = require "luv"

--- Let the loop go on until a condition holds; a watchdog ends it.
local function await(t, what, condition)
  local late, timer = false, uv.new_timer()
  timer:start(60000, 0, function() late = true end)
  while not condition() and not late do uv.run "once" end
  timer:close()
  t:equal(condition() and true or false, true, what)
end

test("a client whose greeting fails says so, and connects again", function(t)
  local greeting, failed, heard, wires, lost = packets.connect, false, "", {}, nil
  local listener = uv.new_tcp()
  assert(listener:bind("127.0.0.1", 0))
  assert(listener:listen(8, function()
    local wire = uv.new_tcp()
    assert(listener:accept(wire))
    wires[#wires + 1] = wire
    wire:read_start(function(_, bytes) heard = heard .. (bytes or "") end)
  end))
  packets.connect = function(...)
    if not failed then
      failed = true
      error("not enough memory", 0)
    end
    return greeting(...)
  end
  local one = mqtt.new { place = { host = "127.0.0.1", port = listener:getsockname().port }, client = "c",
    on = { lost = function(why) lost = why end } }
  await(t, "a second greeting", function() return heard:find("MQTT", 1, true) end)
  packets.connect = greeting
  t:equal(lost, "not enough memory")
  one:close()
  for _, wire in ipairs(wires) do wire:close() end
  listener:close()
end)
