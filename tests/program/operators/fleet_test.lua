--- `brio fleet` with a real mosquitto, judged by its own tools: the connection and its last will, retained
--- state, events, poses on demand, a broker that is killed and comes back.  Skipped without mosquitto.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local cjson = require "cjson"
local harness = require "harness"
local uv = require "luv"
local test, brio, files = harness.test, harness.brio, harness.files

local folder = files.temporary()
local absent
for _, program in ipairs { "mosquitto", "mosquitto_sub", "mosquitto_pub" } do
  if harness.run("PATH=$PATH:/usr/sbin command -v " .. program).code ~= 0 then
    absent = program .. " is not installed (packages mosquitto and mosquitto-clients)"
  end
end

local function free_port()
  local socket = uv.new_tcp()
  socket:bind("127.0.0.1", 0)
  local number = socket:getsockname().port
  socket:close()
  uv.run "nowait"
  return number
end

local port = free_port()

--- The configuration of a robot's broker as the page has it, on our port.
local function configuration()
  local page = files.read(harness.root .. "/docs/operators/fleet.md")
  local text = page:match "```conf\n(# The broker of the site.-)```"
  return (text:gsub("listener 1883 %S+", ("listener %d 127.0.0.1"):format(port))
    :gsub("/etc/mosquitto/brio", folder):gsub("persistence true", "persistence false"))
    .. "\nuser root\n" -- a broker that root starts: another user may not read the folder
end

local function start_broker()
  files.write(folder .. "/m.conf", configuration())
  local process = harness.start(("/usr/sbin/mosquitto -c %s/m.conf"):format(folder))
  harness.await("the broker listens", function()
    return harness.run(("mosquitto_pub -p %d -u admin -P secret -t brio/x -m x"):format(port)).code == 0
  end, { seen = function() return harness.output_of(process) end })
  return process
end

local broker
if not absent then
  files.write(folder .. "/users", "")
  for user, password in next, { admin = "secret", pepper = "salt", watcher = "look" } do
    harness.run(("mosquitto_passwd -b %s/users %s %s"):format(folder, user, password))
  end
  local page = files.read(harness.root .. "/docs/operators/fleet.md")
  files.write(folder .. "/rights", page:match "```conf\n(# Who may do what.-)```")
  harness.run("chmod 644 " .. folder .. "/users " .. folder .. "/rights; chmod 755 " .. folder)
end

local function url(user, password) return ("mqtt://%s:%s@127.0.0.1:%d"):format(user, password, port) end

--- A retained message, as a table; nil: none.
local function retained(part)
  local run = harness.run(("mosquitto_sub -p %d -u admin -P secret -t brio/v1/lab/pepper/%s -C 1 -W 2")
    :format(port, part))
  local good, data = pcall(cjson.decode, run.out)
  return good and data or nil
end

local function await_connection(how)
  harness.await("the connection is " .. how, function()
    local data = retained "connection"
    return data and data.connection == how
  end)
end

local function start_run()
  local socket = folder .. "/run.sock"
  return harness.listening { socket = socket,
    process = harness.start_brio("run", "behaviors/kiosk.lua", "--for",
    "600", "--store", "none", "--socket", socket) }
end

local function start_gateway(path)
  return harness.start_brio("fleet", "publish", path, "--broker", url("pepper", "salt"), "--site", "lab",
    "--robot",
    "pepper")
end

test("a run is published: connection, state, events and poses on demand; and how it ends", function(t)
  if absent then t:skip(absent) end
  broker = start_broker()
  local run = start_run()
  local path = run.socket
  local gateway = start_gateway(path)
  local watcher = harness.start_brio("fleet", "watch", "--site", "lab", "--broker", url("watcher", "look"))
  harness.await_output(watcher, "online")
  await_connection "online"
  local state
  harness.await("a state", function()
    state = retained "state"
    return state and state.state
  end)
  t:equal(state.robot, "pepper", "the robot")
  t:has(state.behavior, "kiosk")
  local events = harness.start(("mosquitto_sub -p %d -u admin -P secret -v -t brio/v1/lab/pepper/event")
    :format(port))
  harness.await("an event", function()
    harness.say(run, "emit fleet_test")
    return harness.contains(harness.output_of(events), "fleet_test")
  end)
  harness.await_output(watcher, "event fleet_test")
  -- poses come when they are wanted
  local poses = harness.start(("mosquitto_sub -p %d -u admin -P secret -t brio/v1/lab/pepper/pose")
    :format(port))
  harness.await("poses", function()
    harness.run(("mosquitto_pub -p %d -u admin -P secret -t brio/v1/lab/pepper/want/pose -m 20"):format(port))
    return harness.contains(harness.output_of(poses), "HeadYaw")
  end)
  -- the broker is killed and comes back: the gateway returns by itself
  harness.signal(broker, "KILL")
  harness.wait(broker)
  broker = start_broker()
  await_connection "online"
  harness.await("the state again", function() harness.say(run, "emit after") return retained "state" end)
  harness.signal(gateway, "KILL")
  await_connection "lost"
  gateway = start_gateway(path)
  await_connection "online"
  harness.ended(run)
  harness.wait(gateway)
  await_connection "ended"
  t:equal(gateway.code, 0, "the gateway's exit code")
end)

test("who may not publish is refused, and what is no message is said", function(t)
  if absent then t:skip(absent) end
  broker = start_broker()
  local denied = brio("fleet", "watch", "--site", "lab", "--for", "1", "--broker", url("watcher", "wrong"))
  t:code(denied, 1)
  t:has(denied.err, "this user may not connect")
  local watcher = harness.start_brio("fleet", "watch", "--site", "lab", "--broker", url("watcher", "look"))
  harness.await("a message that is none", function()
    harness.run(("mosquitto_pub -p %d -u admin -P secret -t brio/v1/lab/odd/state -m nonsense"):format(port))
    return harness.contains(harness.output_of(watcher),
      "brio/v1/lab/odd/state: a message that is no object of JSON")
  end)
  -- a watcher's user cannot pretend to be a robot
  harness.run(("mosquitto_pub -p %d -u watcher -P look -q 1 -t brio/v1/lab/pepper/fault -m \z
    '{\"text\":\"forged\"}'")
    :format(port))
  harness.run(("mosquitto_pub -p %d -u admin -P secret -q 1 -t brio/v1/lab/pepper/fault -m \z
    '{\"text\":\"true\"}'")
    :format(port))
  harness.await_output(watcher, "true")
  t:check(not harness.contains(harness.output_of(watcher), "forged"), "a forged fault came through")
end)

test("wrong words are refused", function(t)
  for _, row in ipairs {
    { { "watch", "--broker", "http://x" }, "mqtt://HOST:PORT was expected" },
    { { "watch", "--broker", "mqtt://x:99999" }, "mqtt://HOST:PORT was expected" },
    { { "watch", "--site", "a/b" }, "--site must have letters" },
    { { "publish" }, "publish needs --robot" },
    { { "command" }, "fleet expects publish or watch" },
  } do
    local run = brio("fleet", table.unpack(row[1]))
    t:code(run, 2)
    t:has(run.err, row[2])
  end
end)

files.remove(folder)
harness.done()
