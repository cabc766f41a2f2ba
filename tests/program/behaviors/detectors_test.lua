--- Detectors as a user has them: the senders in Python that the docs show, beside a run on the real clock.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local files = harness.files

local behavior = [[
local brio = require "brio"
local made = brio.behavior "made" { robot = "ur3e", start = "looking", memory = {} }
made.looking = {
  enter = function(self)
    local eye = self.detectors.detector
    if eye then self:log("listens at %s", eye:state().from) end
  end,
  on = {
    cup_appeared = function(self, cup)
      local eye = self.detectors.detector
      self:log("a cup at %.1f %.1f %.1f", cup.position[1], cup.position[2], cup.position[3])
      eye:use { "simple", "other" }
      eye:configure { confidence = 0.95 }
    end,
    cup_lost = function(self)
      local eye = self.detectors.detector
      self:log("lost; acknowledged: %s, off: %s", tostring(eye:acknowledged()), tostring(eye:state().refused.off))
      self.memory.lost = true
    end,
  },
  tick = function(self)
    local depth = self:cloud()
    if depth and not self.memory.told then
      local facts = depth:facts()
      self:log("a cloud of %d x %d, colors %s, seen %s", facts.width, facts.height, tostring(facts.colors),
        self.now - facts.time < 60 and "now" or "long ago")
      self.memory.told = true
    end
  end,
}
return made
]]

--- The n-th block of Python in the docs.
local function python_of_docs(number)
  local page = files.read(harness.root .. "/docs/perception/detectors.md")
  for block in page:gmatch "```python\n(.-)```" do
    number = number - 1
    if number == 0 then return block end
  end
end

local function has_python()
  return files.output("command -v python3 && python3 -c 'import multiprocessing.shared_memory'") ~= ""
end

--- Wait until a process has written a line that matches.  Return the captures.
local function wait_for(process, pattern)
  return harness.await_output(process, "~" .. pattern):match(pattern)
end

--- The output of a run, without refusals that a stall of the machine causes.
local function refusals(text) return (text:gsub("[^\n]*no room: the run does not take them[^\n]*", "")) end

local function with_files(fn)
  local folder = files.temporary()
  files.write(folder .. "/made.lua", behavior)
  files.write(folder .. "/detector.py", python_of_docs(1))
  files.write(folder .. "/clouds.py", python_of_docs(2))
  fn(folder)
  files.remove(folder)
end

harness.test("the detector in Python is seen, asked, and does what it is asked", function(t)
  if not has_python() then t:skip "there is no python3 here" end
  with_files(function(folder)
    local run = harness.start_brio("run", folder .. "/made.lua", "--store", "none", "--detections", "udp:0")
    local port = wait_for(run, "listens at udp:127%.0%.0%.1:(%d+)")
    t:check(port, "it listens: %s", harness.output_of(run))
    local sender = harness.start(("python3 %s %s"):format(files.quote(folder .. "/detector.py"), port or 1))
    t:equal(wait_for(run, "a cup at ([%d. ]+)"), "0.8 0.1 0.4", "where the cup is")
    t:check(wait_for(run, "lost; acknowledged: true"), "it stops sending what is not wanted: %s",
      harness.output_of(run))
    harness.signal(sender, "KILL")
    harness.wait(sender)
    harness.signal(run, "INT")
    local code, text = harness.wait(run)
    t:equal(code, 0, "exit code")
    t:check(not refusals(text):find "warning: detector", "nothing was refused: %s", text)
  end)
end)

harness.test("the clouds in Python come over shared memory", function(t)
  if not has_python() then t:skip "there is no python3 here" end
  with_files(function(folder)
    local name = "brio-test-" .. folder:match "[^/]*$"
    local sender = harness.start(("python3 %s %s"):format(files.quote(folder .. "/clouds.py"), name))
    local run = harness.start_brio("run", folder .. "/made.lua", "--store", "none", "--clouds",
      "shm:" .. name)
    t:equal(wait_for(run, "a cloud of ([^\n]+)"), "160 x 120, colors true, seen now", "what comes")
    harness.signal(sender, "KILL")
    harness.wait(sender)
    harness.signal(run, "INT")
    local code, text = harness.wait(run)
    t:equal(code, 0, "exit code")
    t:check(not refusals(text):find "warning: clouds", "nothing was refused: %s", text)
    os.remove("/dev/shm/" .. name)
  end)
end)

harness.done()
