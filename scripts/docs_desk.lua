--- Generates the pictures of the desk in docs: the terminal output of a prompt during
--- behaviors/kiosk_session.lua.
---
---     build/brio lua scripts/docs_desk.lua [--check]
---
--- --check: fail if the pictures are out of date.
package.path = "scripts/make/?.lua;tests/lib/?.lua;" .. package.path
local generated = require "generated"
local operators = require "brio.operator.desk.operators"
local runner = require "brio.runner"
local screen = require "screen"
local terminal = require "brio.terminal.attach.terminal"

local store = os.tmpname()

--- A terminal that renders to a screen buffer.
local function device_of(made, colored)
  local now = 0
  return { colored = colored, ascii = false, forgets = true, write = function(_, bytes) made:write(bytes) end,
    size = function() return made.width, made.height end,
    seconds = function()
      now = now + 0.0012 -- latency of an answer, s
      return now
    end }
end

local Visit = {}
Visit.__index = Visit

--- A run of the kiosk with its session script, and a prompt.
local function begin(width, height, colored)
  local made, on = screen.new(width, height, true), {}
  local self = setmetatable({ screen = made, on = on }, Visit)
  self.run = assert(runner.new { file = "behaviors/kiosk.lua", robot = "pepper", clock = "fast", seed = 4,
    session = "behaviors/kiosk_session.lua", store = store, operators = assert(operators.read("", "")),
    say = function(level, text) if on.log then on.log(text, level) end end })
  local client = { open = true }
  function client.ask(_, fields, answered)
    if fields.panic then return answered { text = "" } end
    answered(self.run.prompt:perform { kind = fields.complete and "complete" or "say",
      text = fields.line or fields.complete, who = "ann", device = "prompt", received = 0 })
  end
  self.session = terminal.begin(client, device_of(made, colored), on,
    { behavior = "behaviors/kiosk.lua", robot = "pepper" })
  self:pass(1)
  return self
end

--- Let robot time pass, and update the panel.
function Visit:pass(seconds)
  self.run:advance(seconds)
  local view = self.run.prompt.desk:view()
  view.tick_p99_us, view.recorded = 0, true
  self.on.desk(view)
end

--- Press keys, with a pause after each group.
function Visit:types(...)
  for _, bytes in ipairs { ... } do
    self.session:feed(bytes)
    self.session:late()
    self:pass(0.4)
  end
end

local function closed(self)
  for _, handle in ipairs(self.session.handles) do handle:close() end
  self.run:close()
  return self.screen
end

--- Go to the session's question.
local function to_question(self)
  self:types("check all\r", "fill name Bo\r", "step greet\r", "\27")
  self:types("\r", "x")
  self:types(":every 20 look away until state idle\r", "\27")
  self:types "\r"
  self:pass(3)
end

local pictures = {
  ["docs/operators/desk.svg"] = { "the desk of a session at a terminal of 80 by 24 characters", function()
    local self = begin(80, 24, true)
    to_question(self)
    return closed(self)
  end },
  ["docs/operators/desk-palette.svg"] = { "the palette, which finds what may be done", function()
    local self = begin(80, 24, true)
    self:types("check all\r", "step greet\r", "\15", "gre")
    return closed(self)
  end },
  ["docs/operators/desk-small.svg"] = { "the desk in a window of 60 by 10, without color", function()
    local self = begin(60, 10, false)
    to_question(self)
    return closed(self)
  end },
}

local writer = generated.writer("build/brio lua scripts/docs_desk.lua", arg[1] == "--check")
for path, picture in pairs(pictures) do writer:write(path, picture[2]():svg(picture[1])) end
for _, ending in ipairs { "", "-wal", "-shm" } do os.remove(store .. ending) end
writer:finish()
if arg[1] == "--show" then
  for _, picture in pairs(pictures) do print(picture[2]():text()) end
end
