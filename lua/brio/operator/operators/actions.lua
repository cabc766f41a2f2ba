--- Actions of people, with six times: the cue of the session script, the key press, the arrival at the
--- engine, the tick in which it takes effect, the first motion, the end. Each is a row of `actions` in the
--- run store.
---
--- Times are of the run. On the real clock a time of the monotonic clock is converted by means of the present
--- tick; on the fast clock, where no time passes between ticks, the time of the key press is that of the
--- tick.
local lazy = require "brio.lib.lazy"
local endings = lazy "brio.operator.operators.endings"
local motion = require "brio.operator.operators.motion"
local store = require "brio.store"
local taped = require "brio.io.run_tape"

local actions = {}
local Actions = {}
Actions.__index = Actions

--- Maximum number of actions that are followed at once; others end when they are executed.
local most = 64

--- Time after an action within which a beginning motion does not count as autonomous, s.
local settles = 0.3

--- Maximum time between a key press and the arrival of its line, s.
local oldest = 600

--- The actions of a run's operators: initially none.
function actions.new(operators)
  return setmetatable({ operators = operators, host = operators.host, going = {}, next_id = 0,
    motion = motion.new(operators.host) }, Actions)
end

-- Times -----------------------------------------------------------------------------------------------------

--- The time of the key press as reported by the client, if plausible; nil: not reported.
local function input_of(request)
  local t, received = request.input, request.received
  if not (t and received) then return nil end
  local error = request.input_error or 0
  if t > received + error + 1e-3 or t < received - oldest then return nil end
  return math.min(t, received)
end

--- The row for an action of a person now.
local function row_of(self, request, name, rest, cue)
  local operators = self.operators
  cue = cue or {}
  local person = operators.present[request.client or false]
  self.next_id = self.next_id + 1
  local input = input_of(request)
  local row = { id = self.next_id, operator = person and person.row, who = request.who or "somebody",
    role = request.role or "author", device = request.device or "prompt", name = name,
    arguments = rest ~= "" and store.json(rest) or nil,
    t_cue = cue.t_cue, expected = cue.expected, step = cue.step,
    t_input = input and operators:time(input), t_input_error = input and request.input_error,
    t_accept = request.received and operators:time(request.received), t_dispatch = operators:time() }
  if row.t_accept then row.t_accept = math.min(row.t_accept, row.t_dispatch) end
  return row
end

-- Beginning -------------------------------------------------------------------------------------------------

--- Not allowed, or failed: outcome "refused" or "error".
function Actions:failed(request, name, rest, outcome, reason, cue)
  local row = row_of(self, request, name, rest, cue)
  row.said, row.outcome, row.reason, row.t_done = 0, outcome, tostring(reason):match "^[^\n]*", row.t_dispatch
  self.host.recorder:put("actions", row)
end

--- A line was executed, as the newest row of `operator`. Return the action's number.
function Actions:did(request, name, rest, cue)
  local row, ending = row_of(self, request, name, rest, cue), endings.rows[name]
  local it = ending and ending.begin and ending.begin(self.host, request, rest)
  local follows = ending and #self.going < most and (it or ending.moves)
  row.said = 1
  if not it then row.outcome, row.t_done = "done", row.t_dispatch end
  self.host.recorder:put("actions", row)
  self.dispatched = self.host.now
  if not follows then return row.id end
  self.going[#self.going + 1] = { row = row, ending = ending, it = it, rest = rest,
    watch = ending.moves and self.motion:watch(self.operators.before or self.host.now), outcome = row.outcome,
    t_done = row.t_done }
  return row.id
end

-- Following -------------------------------------------------------------------------------------------------

--- Whether it has ended; `by`: the person who acted just now.
local function look(self, action, by)
  if action.outcome or not action.it then return end
  local outcome, why, at = action.ending.look(self.host, action.it)
  if not outcome then return end
  action.outcome, action.reason, action.t_done = outcome, why,
    math.max(at or self.host.now, action.row.t_dispatch)
  if outcome == "interrupted" then action.by = by or "the robot" end
end

--- Number of exchanges of each device that answers; nil if no time passes between ticks.
local function exchanges_of(self)
  local desk = self.host.desk
  if self.host.fast or not desk then return nil end
  local counts = {}
  for index, device in ipairs(taped.motors(desk.run).devices) do
    counts[index] = not device.lost and device.exchanges or nil
  end
  return counts
end

--- Whether the device's call with the command has returned: each device had another exchange since.
local function was_sent(self, counts)
  if not counts then return true end
  for index, count in next, exchanges_of(self) or {} do
    if counts[index] and count <= counts[index] then return false end
  end
  return true
end

--- Detect the first motion of an action: the time of its device's first such command, and by how much earlier
--- it may have been.
local function feel(self, action)
  if not action.watch then return end
  if not action.commanded then
    local moves = action.ending.moves(self.host, action.it, action.rest)
    action.commanded, action.vague = self.motion:seen(action.watch, moves)
    if not action.commanded then return end
    action.sent = exchanges_of(self)
  end
  if not was_sent(self, action.sent) then return end
  local at = math.max(action.sent and self.host.now or action.commanded, action.row.t_dispatch)
  local vague = action.vague + at - action.commanded
  if vague <= motion.vaguest then action.t_motion, action.t_motion_error = at, vague end
  action.watch = nil
end

--- Whether nothing more of it needs to be recorded.
local function is_over(self, action)
  if not action.outcome then return false end
  local since = self.host.now - action.row.t_dispatch
  return not action.watch or since > motion.longest or self.host.now - action.t_done > motion.patience
end

local function finish(self, action)
  self.host.recorder:put("action_end", { id = action.row.id, t_first_motion = action.t_motion,
    t_first_motion_error = action.t_motion_error, t_done = action.t_done,
    outcome = action.outcome, reason = action.reason, interrupted_by = action.by })
end

--- Update all active actions; `by`: the person who acted just now, which may have ended some.
function Actions:look(by)
  for _, action in ipairs(self.going) do look(self, action, by) end
end

--- Work of a tick; the one before was at time t.  Commands are read if people may attach: so autonomous
--- motion is known when they act.
function Actions:work(t)
  local acting = #self.going > 0 or self.dispatched and self.host.now - self.dispatched < settles
  if t and (self.host.front or #self.going > 0) then
    self.motion:read(t, acting)
  elseif t then
    self.motion:rest()
  end
  for place = #self.going, 1, -1 do
    local action = self.going[place]
    feel(self, action)
    look(self, action)
    if is_over(self, action) then
      finish(self, action)
      table.remove(self.going, place)
    end
  end
end

--- End of the run: active actions end with it.
function Actions:close()
  for _, action in ipairs(self.going) do
    if not action.outcome then
      action.outcome, action.reason, action.by, action.t_done = "interrupted", "the run's end",
        "the run's end", self.host.now
    end
    finish(self, action)
  end
  self.going = {}
end

return actions
