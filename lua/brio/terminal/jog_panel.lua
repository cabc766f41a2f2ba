--- Screen and keys of `brio move`, independent of the terminal.
local panel = {}
local Panel = {}
Panel.__index = Panel

local steps = { 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1 }

--- Key repeat: a held key is sent again after a first delay, then faster.  After a longer pause it counts as
--- released, s.
local first_repeat, next_repeat = 0.6, 0.18

local kept = 3 -- messages

local styles = { good = "32", warn = "33", bad = "31;1", dim = "2", chosen = "7" }

--- A panel over a jog.  Options: speed, step, ascii, colored.
function panel.new(jog, options)
  return setmetatable({ jog = jog, speed = options.speed, step = options.step, ascii = options.ascii,
    colored = options.colored, chosen = 1, first = 1, log = {} }, Panel)
end

function Panel:tell(severity, text)
  self.log[#self.log + 1] = { text = text, style = severity == "info" and "dim" or severity == "warning"
    and "warn" or "bad" }
  if #self.log > kept then table.remove(self.log, 1) end
end

-- Keys ------------------------------------------------------------------------------------------------

local function axis_of(self) return self.jog.axes[self.chosen] end

--- Call a function that may refuse, and show the refusal.
local function try(self, good, why)
  if not good then self:tell("warning", why) end
  return good
end

local function let_go(self)
  if self.pushed then self.jog:push(self.pushed, 0, self.speed) end
  self.pushed = nil
end

--- A step, limited to the range; at the limit it is refused.
local function make_step(self, axis, direction)
  local value = axis.aim + direction * self.step
  if direction > 0 and axis.aim < axis.upper then value = math.min(value, axis.upper) end
  if direction < 0 and axis.aim > axis.lower then value = math.max(value, axis.lower) end
  try(self, self.jog:go(axis, value, self.speed))
end

local function move(self, direction, now)
  local axis = axis_of(self)
  if not self.holds then return make_step(self, axis, direction) end
  local goes_on = self.pushed == axis and self.direction == direction
  if not goes_on then
    let_go(self)
    if not try(self, self.jog:push(axis, direction, self.speed)) then return end
  end
  self.pushed, self.direction, self.pushed_at, self.wait = axis, direction, now,
    goes_on and next_repeat or first_repeat
end

local function choose(self, by)
  let_go(self)
  self.chosen = math.max(1, math.min(#self.jog.axes, self.chosen + by))
end

local function change_step(self, by)
  local nearest = 1
  for index, step in ipairs(steps) do
    if math.abs(step - self.step) < math.abs(steps[nearest] - self.step) then nearest = index end
  end
  self.step = steps[math.max(1, math.min(#steps, nearest + by))]
end

local function change_speed(self, factor)
  self.speed = math.max(0.001, math.min(100, self.speed * factor))
end

local function ask_arm(self)
  let_go(self)
  local armed = self.jog.report and self.jog.report.armed
  self.question = armed and "Let the motors go limp? What they carry falls. y/n"
    or "Let the motors hold and move? y/n"
  self.yes = function() self.jog:order(armed and "disarm" or "arm") end
end

local function stop(self)
  self.pushed = nil
  self.jog:stop()
end

local function panic(self)
  self.pushed = nil
  self.jog:order "panic"
end

local function leave(self)
  stop(self)
  self.left = true
end

--- Keys, by the bytes of terminals; each gets the panel and the time.
local acts = {
  ["\27[A"] = function(self) choose(self, -1) end,
  ["\27[B"] = function(self) choose(self, 1) end,
  ["\27[C"] = function(self, now) move(self, 1, now) end,
  ["\27[D"] = function(self, now) move(self, -1, now) end,
  ["\27[5~"] = function(self) choose(self, -10) end,
  ["\27[6~"] = function(self) choose(self, 10) end,
  ["+"] = function(self) change_step(self, 1) end,
  ["-"] = function(self) change_step(self, -1) end,
  [">"] = function(self) change_speed(self, 1.25) end,
  ["<"] = function(self) change_speed(self, 0.8) end,
  ["h"] = function(self)
    let_go(self)
    self.holds = not self.holds
  end,
  ["g"] = function(self) self.entry = "" end,
  ["a"] = ask_arm,
  [" "] = stop,
  ["P"] = panic,
  ["r"] = function(self) self.jog:order "release" end,
  ["q"] = leave,
  ["\3"] = leave, -- Ctrl-C
  ["\4"] = leave, -- Ctrl-D
}
for letter, arrow in next, { k = "A", j = "B", l = "C" } do acts[letter] = acts["\27[" .. arrow] end
for _, arrow in ipairs { "A", "B", "C", "D" } do acts["\27O" .. arrow] = acts["\27[" .. arrow] end

--- A key while a value is typed.
local function enter(self, key)
  if key == "\r" or key == "\n" then
    local value, axis = tonumber(self.entry), axis_of(self)
    if value then try(self, self.jog:go(axis, value, self.speed))
    elseif self.entry ~= "" then self:tell("warning", ("'%s' is no number"):format(self.entry)) end
    self.entry = nil
  elseif key == "\27" then self.entry = nil
  elseif key == "\127" or key == "\b" then self.entry = self.entry:sub(1, -2)
  elseif key:match "^[%d.eE+-]$" and #self.entry < 20 then self.entry = self.entry .. key
  elseif key == "P" or key == " " or key == "\3" then
    self.entry = nil
    acts[key](self)
  end
end

--- A key during a question: panic and stop still work.
local function answer(self, key)
  local yes = self.yes
  self.question, self.yes = nil, nil
  if key == "y" or key == "Y" then yes()
  elseif key == "P" or key == " " or key == "\3" then acts[key](self) end
end

--- Process the keys in `bytes`, at time `now`; unknown ones are ignored.
function Panel:type(bytes, now)
  while bytes ~= "" do
    local key = bytes:match "^\27[%[O][%d;]*[%a~]" or bytes:sub(1, 1)
    if self.question then answer(self, key)
    elseif self.entry then enter(self, key)
    elseif acts[key] then acts[key](self, now) end
    bytes = bytes:sub(#key + 1)
  end
end

--- Release a key that was not repeated.
function Panel:work(now)
  if self.pushed and now - self.pushed_at > self.wait then let_go(self) end
end

-- Display ---------------------------------------------------------------------------------------------

local function styled(self, text, style)
  return self.colored and style and ("\27[%sm%s\27[0m"):format(styles[style], text) or text
end

--- Cut or pad to a width in characters.
local function fit(text, width)
  local length = utf8.len(text) or #text
  if length <= width then return text .. (" "):rep(width - length) end
  return text:sub(1, (utf8.offset(text, width + 1) or #text + 1) - 1)
end

local function value_text(value)
  return value and math.abs(value) < 1e5 and ("%9.4f"):format(value) or value and ("%9.3g"):format(value)
    or "        ?"
end

--- An axis within its limits: a line with its position and target.
local function bar(self, axis, state, width)
  local low, high = axis.lower, axis.upper
  if not (high - low < math.huge) or width < 8 then return (" "):rep(math.max(width, 0)) end
  local line, place, aim = self.ascii and "-" or "─", self.ascii and "o" or "●", self.ascii and "x" or "◇"
  local cells = {}
  for index = 1, width do cells[index] = line end
  local function cell(value)
    return 1 + math.floor((math.max(low, math.min(high, value)) - low) / (high - low) * (width - 1) + 0.5)
  end
  cells[cell(axis.aim)] = aim
  if state.valid then cells[cell(state.position)] = place end
  return table.concat(cells)
end

local function row(self, index, width)
  local axis = self.jog.axes[index]
  local state = self.jog.actuator:state(axis.name)
  local limits = ("%8.3g"):format(axis.lower)
  local after = ("%-8s %-4s"):format(("%.3g"):format(axis.upper), axis.unit)
  local name_width = math.max(10, math.min(26, width - 60))
  local text = ("%s %s %s %s %s "):format(index == self.chosen and ">" or " ", fit(axis.name, name_width),
    value_text(state.valid and state.position or nil), value_text(axis.aim), limits)
  local room = width - #text - #after - 1
  text = fit(text .. bar(self, axis, state, room) .. " " .. after, width)
  return styled(self, text, index == self.chosen and "chosen" or nil)
end

local function status(self)
  local report = self.jog.report
  if not report then return "starting", "warn" end
  for _, device in ipairs(report.devices) do
    if device.lost then
      return ("%s is lost: %s"):format(device.name, device.error or "it does not answer"), "bad"
    end
  end
  if not report.armed then return "not armed: nothing moves until you press a", "warn" end
  if #report.held_by > 0 then
    return "held by " .. table.concat(report.held_by, ", ") .. ": r releases", "bad"
  end
  return "armed", "good"
end

local key_lines = {
  "up/down choose  left/right move  g go to  h step/hold  +/- step  </> speed",
  "space stop  P panic stop  r release  a arm  q leave",
}

--- Messages wrapped to a width, between words.
local function wrapped(messages, width)
  local list = {}
  for _, message in ipairs(messages) do
    local line = ""
    for word in message.text:gmatch "%S+" do
      if line ~= "" and #line + #word + 1 > width then
        list[#list + 1] = { text = line, style = message.style }
        line = "  "
      end
      line = (line == "" or line == "  ") and line .. word or line .. " " .. word
    end
    list[#list + 1] = { text = line, style = message.style }
  end
  return list
end

--- Draw a screen: a list of `height` lines of `width` characters.
function Panel:lines(width, height)
  local lines, text, style = {}, status(self)
  local title = fit("brio move  " .. self.jog.description.name, math.max(12, math.min(30, width // 3)))
  lines[1] = title .. " " .. styled(self, fit(text, width - #title - 1), style)
  lines[2] = fit(("%s   step %g   speed %.3g per s"):format(self.holds and "moves while a key is held"
    or "moves step by step", self.step, self.speed), width)
  local heading = fit("DOF", math.max(10, math.min(26, width - 60)))
  lines[3] = styled(self, fit(("  %s %9s %9s %8s"):format(heading, "is at", "goes to", "from"), width), "dim")
  local room = math.max(1, height - 3 - 3 - kept)
  self.first = math.max(1, math.min(self.first, self.chosen, math.max(1, #self.jog.axes - room + 1)))
  if self.chosen > self.first + room - 1 then self.first = self.chosen - room + 1 end
  for index = self.first, math.min(#self.jog.axes, self.first + room - 1) do
    lines[#lines + 1] = row(self, index, width)
  end
  while #lines < height - 3 - kept do lines[#lines + 1] = "" end
  local messages = wrapped(self.log, width)
  for index = #messages - kept + 1, #messages do
    local message = messages[index]
    lines[#lines + 1] = message and styled(self, fit(message.text, width), message.style) or ""
  end
  lines[#lines + 1] = self.question and styled(self, fit(self.question, width), "warn")
    or self.entry and fit(("%s goes to: %s_"):format(axis_of(self).name, self.entry), width) or ""
  for _, keys in ipairs(key_lines) do lines[#lines + 1] = styled(self, fit(keys, width), "dim") end
  while #lines > height do table.remove(lines, 2) end
  return lines
end

return panel
