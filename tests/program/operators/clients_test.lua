--- Programs beside a run: the Python client and its page's example, subscriptions at the socket, and a
--- subscriber that does not read; where runs are found. Runs of their own on the real clock.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local uv = require "luv"
local test, files = harness.test, harness.files

local brio = files.quote(harness.program)

local behavior = [[
local brio = require "brio"
local made = brio.behavior "host" { robot = "pepper", start = "wait", memory = {} }
made.wait = { on = { guest = "greet" }, wants = { brio.want.joint_match { joint = "HeadYaw", goal = 0.2 } } }
made.greet = {
  enter = function(self, data)
    self:emit("greeted", { name = data.name, seats = data.seats and #data.seats, good = data.good })
  end,
  tree = { "sequence", { "wait", name = "bow", seconds = 0.2 }, { "wait", name = "stand", seconds = 0.2 } },
  on = { again = "wait" },
}
return made
]]

local function has_python() return files.output "command -v python3" ~= "" end

--- Start a run in a folder: {process, socket, folder}.
local function started(folder, options)
  files.write(folder .. "/host.lua", behavior)
  local run = { folder = folder, socket = folder .. "/x.sock", store = folder .. "/x.db" }
  run.process = harness.start(("%s run %s/host.lua --store %s --socket %s --quiet --rate 50 --motor-rate \z
    200 %s")
    :format(brio, folder, run.store, run.socket, options or ""))
  harness.listening(run)
  harness.await_answer(run, "state", "wait, for")
  return run
end

--- Run a Python program with the client beside it; if it fails, the run is ended.
local function python(folder, text, arguments, run)
  files.write(folder .. "/program.py", text)
  local answer = harness.run { ("env PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=%s/scripts/clients python3 \z
    %s/program.py %s"):format(
    files.quote(harness.root), folder, arguments) }
  if answer.code ~= 0 and run then harness.say(run, "stop\nstop") end
  return answer
end

test("the example of the page sends detections and words, and waits for events", function(t)
  if not has_python() then t:skip "there is no python3 here" end
  local page = files.read(harness.root .. "/docs/operators/clients.md")
  local port = 20000 + uv.os_getpid() % 20000
  local run = started(t:folder(), ("--detections udp:%d,clock=monotonic"):format(port))
  local answer = python(run.folder, page:match "```python\n(.-)```", ("%s %d"):format(run.socket, port), run)
  t:code(answer, 0)
  t:has(answer.out, "~^wait, for [%d.]+ s\nseen: cup%-1\ngreeted: Ann\n$")
  t:equal(harness.wait(run.process), 0, "the run's exit code")
  t:equal(harness.sql(run.store, "SELECT data ->> 'seats' FROM events WHERE name = 'greeted'"), "2",
    "what it was sent")
end)

-- Features of the client that the page's example does not use, and the output expected of each.
local everything = [[
import sys, brio
robot = brio.connect(sys.argv[1], name="tester", timeout=60)
print(robot.about["robot"], robot.about["number"])
try:
    robot.say("go nowhere")
except brio.Refused as why:
    print("refused:", why)
try:
    robot.subscribe("evnets")
except brio.Refused as why:
    print("refused:", why)
print(robot.subscribe("events=greeted", "states", "tree", "poses=50"))
robot.emit("guest", name='Zoë "the\nfirst"', seats=[], good=True)
kinds, running = set(), set()
while not {"event", "state", "tree", "pose"} <= kinds or not {"bow", "stand"} <= running:
    one = robot.next(timeout=60)
    kinds.add(one["push"])
    running |= {node["name"] for node in one.get("running", [])}
    if one["push"] == "event": print(one["name"], one["data"]["name"], one["data"]["good"], one["source"])
    if one["push"] == "state": print("state", one["state"])
    if one["push"] == "pose": pose = one
print(abs(pose["command"]["HeadYaw"]) < 1, sorted(pose) == ["command", "measured", "push", "t"])
robot.subscribe()
while robot.next(timeout=0) is not None: pass
robot.emit("again")
print("quiet:", robot.next(timeout=0.3), robot.dropped)
print(robot.say("subscribe"))
robot.subscribe("states")
robot.say("stop")
print([one["state"] for one in robot])
try:
    robot.say("state")
except brio.Ended:
    print("ended")
]]

test("the client hears events, states, the tree and poses; what is wrong is raised", function(t)
  if not has_python() then t:skip "there is no python3 here" end
  local run = started(t:folder())
  local answer = python(run.folder, everything, run.socket, run)
  t:code(answer, 0)
  for _, piece in ipairs { "pepper 1\n", "refused: there is no state 'nowhere'", "(did you mean 'events'?)",
    "subscribes to events=greeted states tree poses=50", 'greeted Zoë "the\nfirst" True', "state greet",
      "True True\n",
    "quiet: None 0\n", "nobody has subscribed to anything", "[]\nended\n" } do
    t:has(answer.out, piece)
  end
  t:equal(harness.wait(run.process), 0, "the run's exit code")
end)

test("an engine that is killed is no run that has ended", function(t)
  if not has_python() then t:skip "there is no python3 here" end
  local run = started(t:folder())
  local answer = python(run.folder, [[
import os, signal, sys, brio
robot = brio.connect(sys.argv[1], timeout=60)
robot.subscribe("events")
os.kill(]] .. run.process.pid .. [[, signal.SIGKILL)
try:
    for one in robot: pass
    print("ended")
except brio.Crashed as why:
    print(why)
]], run.socket, run)
  t:equal(answer.out, "the engine is gone: it crashed or was killed\n")
  harness.wait(run.process)
end)

test("runs are found by process and by name", function(t)
  if not has_python() then t:skip "there is no python3 here" end
  local folder = t:folder()
  local name = ("host%d"):format(uv.os_getpid())
  files.write(("%s/%s.lua"):format(folder, name), behavior)
  local process = harness.start(("env XDG_RUNTIME_DIR=%s %s run %s/%s.lua --store %s/runs.db --quiet \z
    --rate 50 --motor-rate 200"):format(
    folder, brio, folder, name, folder))
  local socket = harness.await_path(("%s/brio/%d.sock"):format(folder, process.pid))
  harness.await_answer({ socket = socket, process = process }, "state", "wait, for")
  local answer = python(folder, ([[
import os, brio
os.environ["XDG_RUNTIME_DIR"] = "%s"
for run in (%d, "%s.lua", "%s", "%s/runs.db#1", "%s/runs.db#last"):
    with brio.connect(run) as robot: print(robot.say("state"))
try:
    brio.connect("no such run")
except brio.BrioError as why:
    print(why)
brio.connect(%d).say("stop")
]]):format(folder, process.pid, name, name:sub(1, -2), folder, folder, process.pid), "", { socket = socket })
  t:code(answer, 0)
  t:has(answer.out, "~^" .. ("wait, for [^\n]+\n"):rep(5) .. "no run matches 'no such \z
    run'\n$")
  t:equal(harness.wait(process), 0, "the run's exit code")
end)

test("where somebody else has the socket's folder, another one is used, and said", function(t)
  local folder = t:folder()
  files.write(folder .. "/host.lua", behavior)
  files.write(folder .. "/brio", "somebody was here first")
  local environment = "env XDG_RUNTIME_DIR=" .. folder .. " "
  local process = harness.start(environment
    .. ("%s run %s/host.lua --store none --rate 50"):format(brio, folder))
  harness.await_output(process, "~somebody may want to keep people from the prompt: %g+/brio is no folder")
  local listed = harness.await("the run in the list", function()
    local text = files.output(environment .. brio .. " attach --list")
    return text:find("host.lua", 1, true) and text
  end)
  local socket = listed:match("(%g+/brio%.%w+/%d+%.sock)")
  t:check(socket, "its socket is in the list: %s", listed)
  t:equal(files.output("stat -c %a " .. socket:match "^(.*)/"), "700", "the folder's mode")
  t:code(harness.say({ socket = socket }, "stop\nstop"), 0)
  t:equal(harness.wait(process), 0, "exit code")
end)

test("a run that stands still is in the list, and keeps nobody from the others", function(t)
  local folder, runs = t:folder(), {}
  files.write(folder .. "/host.lua", behavior)
  local environment = "env XDG_RUNTIME_DIR=" .. folder .. " "
  for place = 1, 2 do
    runs[place] = harness.start(environment
      .. ("%s run %s/host.lua --store none --rate 50"):format(brio, folder))
    harness.await_path(("%s/brio/%d.sock"):format(folder, runs[place].pid))
  end
  uv.kill(runs[1].pid, "sigstop")
  local listed = files.output(environment .. brio .. " attach --list")
  t:has(listed, ("~%d%%.sock +%%(does not answer%%)"):format(runs[1].pid))
  t:has(listed, ("~%d%%.sock +%%g+host.lua"):format(runs[2].pid))
  t:has(files.output(("echo panic | %s%s attach 2>&1"):format(environment, brio)),
    "~there are %d+ runs: name one")
  uv.kill(runs[1].pid, "sigcont")
  for place = 1, 2 do
    t:code(harness.say({ socket = ("%s/brio/%d.sock"):format(folder, runs[place].pid) }, "stop\nstop"), 0)
    t:equal(harness.wait(runs[place]), 0, "exit code")
  end
end)

test("a subscriber that does not read costs the run no tick, and nobody else an answer", function(t)
  local run = started(t:folder())
  local pipe = uv.new_pipe(false)
  pipe:connect(run.socket, function(fault)
    t:check(not fault, "%s", tostring(fault))
    pipe:write '{"id":1,"line":"subscribe poses=100 events"}\n'
  end)
  harness.await("the subscription to drop lines", function()
    -- events of 30 KB, which nobody reads: more than the run buffers
    local listed = harness.say(run, "for i = 1, 40 do self:emit('big', { text = ('x'):rep(30000) }) \z
      end\nsubscribe").out
    return listed:find "slow readers in this run: [1-9]"
  end)
  harness.await_output(run.process, "warning: a subscriber reads too slowly")
  local before = harness.say(run, "self.now").out
  t:check(tonumber(before), "an answer comes: %s", before)
  harness.go_on(run.store, 0.5)
  pipe:close()
  harness.await_answer(run, "subscribe", "nobody has subscribed")
  t:equal(harness.ended(run), 0, "the run's exit code")
end)

harness.done()
