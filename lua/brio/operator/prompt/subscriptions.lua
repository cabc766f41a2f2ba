--- Subscriptions of programs at the prompt's socket: events, states, the running nodes of trees, and poses at
--- a rate, as lines {"push":...} (docs/operators/clients.md).  The run never waits for a subscriber: lines
--- without room are dropped and counted, here and in the front's thread (runtime/front/send.c), and the count
--- is sent as {"dropped":N} before the next line.
local columns = require "brio.lib.columns"
local store = require "brio.store"
local suggest = require "brio.lib.suggest"

local subscriptions = {}
local Subscriptions = {}
Subscriptions.__index = Subscriptions

--- Default rate of poses, and the range of rates, Hz.
subscriptions.rate, subscriptions.lowest, subscriptions.highest = 10, 0.1, 100

--- Interval between two checks of the tree, s.
local tree_period = 0.05

--- Maximum number of nodes of a tree in a line.
local most_nodes = 32

--- The subscriptions of a run: initially none.
function subscriptions.new(run)
  return setmetatable({ run = run, list = {}, lost = 0, look = 0 }, Subscriptions)
end

-- Topics ----------------------------------------------------------------------------------------------

--- The topics: read(one, value) applies "TOPIC=VALUE" to a subscription; returns a sentence if the value is
--- invalid.
local topics = {}

function topics.events(one, value)
  one.events = true
  for name in (value or ""):gmatch "[^,]+" do
    one.names = one.names or {}
    one.names[name] = true
  end
end

function topics.states(one, value)
  one.states = true
  return value and "states takes no value"
end

function topics.tree(one, value)
  one.tree = 0
  return value and "tree takes no value"
end

function topics.poses(one, value)
  local rate = tonumber(value or subscriptions.rate)
  if not rate or not (rate >= subscriptions.lowest and rate <= subscriptions.highest) then
    return ("poses=HZ expects a rate from %g to %g Hz, not '%s'"):format(subscriptions.lowest,
      subscriptions.highest, value)
  end
  one.period, one.due = 1 / rate, 0
end

--- Parse the words after `subscribe`: a subscription, or nil and a sentence.
local function read(rest)
  local one = { said = rest, missed = 0, lines = 0 }
  for word in rest:gmatch "%S+" do
    local name, value = word:match "^(%a+)=(.+)$"
    name = name or word
    local topic = topics[name]
    if not topic then
      local names = suggest.keys(topics)
      return nil, ("there is nothing to subscribe to called '%s'%s: there are %s"):format(name,
        suggest.hint(name, names), table.concat(names, ", "))
    end
    local fault = topic(one, value)
    if fault then return nil, fault end
  end
  return one
end

--- The number of lines dropped so far in the run, by the tick and by the front's thread.
function Subscriptions:dropped() return self.lost + (self.run.front and self.run.front:dropped() or 0) end

--- Subscriptions of the clients, as a table for people.
local function listed(self)
  local rows = {}
  for client, one in next, self.list do
    rows[#rows + 1] = { client = client, to = one.said, lines = one.lines }
  end
  if #rows == 0 then return "nobody has subscribed to anything" end
  table.sort(rows, function(a, b) return a.client < b.client end)
  local listing = columns.text({ "client", "to", "lines" }, rows)
  return ("%s\nlines dropped for slow readers in this run: %d"):format(listing, self:dropped())
end

--- Execute `subscribe REST` for a client: it replaces the client's subscription.  Return the answer; nil,
--- sentence.
function Subscriptions:subscribe(client, rest)
  if rest == "" then return listed(self) end
  if not client then return nil, "only a program at the socket can subscribe" end
  if rest == "off" then
    self.list[client] = nil
    return "has no subscriptions now"
  end
  local one, fault = read(rest)
  if not one then return nil, fault end
  self.list[client] = one
  return "subscribes to " .. rest
end

--- A client has left.
function Subscriptions:leave(client) self.list[client] = nil end

-- Sending ----------------------------------------------------------------------------------------------

--- Send a line to a subscriber; without room it is counted.
local function push(self, client, one, line)
  local front = self.run.front
  if not front then return end
  if one.missed > 0 and front:push(client, ('{"dropped":%d}'):format(one.missed)) then one.missed = 0 end
  if one.missed == 0 and front:push(client, line) then
    one.lines = one.lines + 1
  else
    one.missed, self.lost = one.missed + 1, self.lost + 1
  end
end

--- A line, without its data if they cannot be represented in JSON.
local function line_of(fields)
  local good, line = pcall(store.json, fields)
  if good then return line end
  fields.data = nil
  return store.json(fields)
end

--- Call a function for the subscribers, if there are any.  If it fails, the run continues without
--- subscriptions.
local function guarded(fn)
  return function(self, value)
    if next(self.list) == nil then return end
    local good, why = pcall(fn, self, value)
    if good then return end
    self.list = {}
    self.run:tell("error", "subscriptions failed, and the run goes on without them: " .. tostring(why))
  end
end

--- An event was emitted.
Subscriptions.event = guarded(function(self, event)
  local line
  for client, one in next, self.list do
    if one.events and (not one.names or one.names[event.name]) then
      line = line or line_of { push = "event", t = event.time, name = event.name, source = event.source,
        data = event.data }
      push(self, client, one, line)
    end
  end
end)

--- A state was entered.
Subscriptions.state = guarded(function(self, path)
  local line = store.json { push = "state", t = self.run.host.now, state = path }
  for client, one in next, self.list do
    if one.states then push(self, client, one, line) end
  end
end)

--- The running nodes of trees, outermost first: rows {state, number, name}.
local function nodes_at_work(host)
  local rows = {}
  if not host.top then return rows end
  host.top:each_outer_first(function(active)
    for _, number in ipairs(active.tree and active.tree.nodes:running() or {}) do
      local record = active.tree.compiled.list[number]
      if record and #rows < most_nodes then
        rows[#rows + 1] = { state = active.state.path, number = number, name = record.name }
      end
    end
  end)
  return rows
end

--- A number that can be represented in JSON, or nil.
local function finite(value)
  return type(value) == "number" and value == value and math.abs(value) < math.huge and value or nil
end

--- The command and measured value of every DOF, in its unit.
local function pose_line(run)
  local states, command, measured = run.actuator:states(), {}, {}
  for _, dof in ipairs(run.description.dofs) do
    local state = states[dof.name]
    command[dof.name] = finite(state.command)
    measured[dof.name] = state.valid and finite(state.position) or nil
  end
  return store.json { push = "pose", t = run.host.now, command = command, measured = measured }
end

local function send_tree(self, client, one, now, made)
  if not one.tree or now < one.tree then return end
  one.tree = now + tree_period
  made.nodes = made.nodes or store.json(store.array(nodes_at_work(self.run.host)))
  if made.nodes == one.nodes then return end
  one.nodes = made.nodes
  push(self, client, one, ('{"push":"tree","t":%.9g,"running":%s}'):format(now, made.nodes))
end

local function send_pose(self, client, one, now, made)
  if not one.due or now < one.due then return end
  one.due = math.max(one.due + one.period, now) -- missed lines are not sent later
  made.pose = made.pose or pose_line(self.run)
  push(self, client, one, made.pose)
end

--- Report once that a client reads too slowly; checked once a second.
local function tell_of_loss(self, now)
  if self.told or now < self.look then return end
  self.look = now + 1
  self.told = self:dropped() > 0 or nil
  if not self.told then return end
  self.run:tell("warning",
    "a subscriber reads too slowly: lines for it are dropped (`subscribe` says how many)")
end

--- Work of a tick: the trees and poses that are due.  A line for several subscribers is made once.
Subscriptions.work = guarded(function(self, now)
  tell_of_loss(self, now)
  local made = {}
  for client, one in next, self.list do
    send_tree(self, client, one, now, made)
    send_pose(self, client, one, now, made)
  end
end)

return subscriptions
