--- The run that a studio shows live, for all of its pages: its feeds of poses, its status, events, log, tree
--- and objectives.  A run that ends is waited for: the next one of the same behavior is joined.
---
---     local made = live.new { tell = function(kind, value) ... end, frame = function(bytes) ... end }
---     made:join(path)
local clients = require "brio.runs.client"
local feed = require "brio.studio.feed"
local message = require "brio.studio.message"
local pictures = require "brio.studio.pictures"
local place = require "brio.robots.place"
local robot_model = require "brio.studio.model"
local suggest = require "brio.lib.suggest"
local uv = require "luv"

local live = {}
local Live = {}
Live.__index = Live

--- Hz of the feed of measured poses, and of commands; s between two searches for the next run.
live.rate, live.command_rate, live.search_every = 60, 20, 0.4

--- What pages may watch: the line that is sent, the field of the answer, and s between two requests.
local watched = {
  states = { line = "states json", every = 0.25 },
  wants = { line = "wants json", every = 0.25 },
  scene = { line = "sees json", every = 0.2 },
  axes = { line = "axes json", every = 0.5 },
}

--- Layers of the view, and s between two requests: they go in one line (operator/prompt/pages.lua).
local layers = { frames = 0.2, gaze = 0.1, goals = 0.2, near = 0.2, steps = 0.2, balance = 0.1, mind = 0.2,
  contacts = 0.1, clouds = 0.5 }
local layer_names = suggest.keys(layers)

--- A run to be shown: tell(kind, value) is called with what pages are told, frame(bytes) with each frame.
---@param options { tell: fun(kind: string, value: any), frame: fun(bytes: string), token: string? }
function live.new(options)
  return setmetatable({ options = options, status = "none", wanted = {}, due = {}, asked = {}, logs = {} },
    Live)
end

-- Joining ------------------------------------------------------------------------------------------

--- The description of the run that pages get.
function Live:view()
  local about = self.about or {}
  return { status = self.status, behavior = about.behavior, robot = about.robot, number = about.number,
    store = about.store, why = self.why, version = about.version,
    cameras = message.list(pictures.names(about)) }
end

local function tell_status(self, status, why)
  self.status, self.why = status, why
  self.options.tell("run", self:view())
end

--- Keep the newest lines of the log for pages that open later.
local function keep_log(self, text, level, t)
  local line = { text = text, level = level, t = t }
  self.logs[#self.logs + 1] = line
  if #self.logs > 400 then table.remove(self.logs, 1) end
  self.options.tell("log", line)
end

--- Read the robot of the run; without it pages get everything but the drawing.
local function read_robot(self)
  local about = self.about
  local row = { robot = about.robot, options = message.text { robot_file = about.robot_file } }
  local good, description, why = pcall(place.find, row)
  if good and description then
    local made, model = pcall(robot_model.of, description)
    if made then
      self.model = message.text(model)
      return
    end
    description, why = nil, model
  end
  self.model = nil
  keep_log(self, "the robot cannot be drawn: " .. tostring(why or description), "warning")
end

--- Take part in a run: status at each change, events, states, poses.
local function begin_watch(self, path)
  local client = self.client
  local function line(text, take) client:ask({ line = text }, take or function() end) end
  line("desk on", function(reply)
    if reply.error then keep_log(self, reply.error, "warning") end
  end)
  line "subscribe events states"
  self.feeds = {}
  for of, rate in pairs { measured = live.rate, command = live.command_rate } do
    self.feeds[#self.feeds + 1] = feed.open(path, { rate = rate, of = of, token = client.said.token },
      function(frame) self.options.frame(frame) end)
  end
end

--- The functions that a client calls.
local function hooks_of(self)
  return {
    log = function(text, level, t) keep_log(self, text, level, t) end,
    ended = function(how) self:lost(how) end,
    desk = function(view) self.desk = view self.options.tell("desk", view) end,
    push = function(one) self.options.tell("push", one) end,
  }
end

--- Join the run at a socket; done(good) is called at last.
---@param path string
---@param done? fun(good: boolean)
function Live:join(path, done)
  done = done or function() end
  self.joining = true
  local said = { as = "studio", device = "pipe", token = self.options.token }
  clients.begin(path, said, hooks_of(self), function(client, reply)
    self.joining = false
    if not client then
      tell_status(self, self.status, reply)
      return done(false)
    end
    self.client, self.path, self.about = client, path, type(reply.about) == "table" and reply.about or {}
    self.logs, self.desk = {}, nil
    read_robot(self)
    begin_watch(self, path)
    tell_status(self, "live")
    done(true)
  end)
end

--- The run has ended; `how`: see client.ends.
function Live:lost(how)
  for _, one in ipairs(self.feeds or {}) do one:close() end
  self.client, self.feeds, self.asked, self.refused = nil, nil, {}, {}
  tell_status(self, how == "ended" and "ended" or "crashed", clients.ends[how])
end

--- Whether another run is the next one of this: the same behavior, or any if none was joined.
local function is_next(self, about)
  return not self.about or self.about.behavior == about.behavior
end

local function ignore() end

--- Ask the run at a socket what it is, and join it if it is the next one.
local function try(self, path)
  local refused = self.refused
  refused[path] = true
  local function again() refused[path] = nil end
  clients.begin(path, { device = "pipe", token = self.options.token }, { log = ignore, ended = again },
    function(client, reply)
      if not client then return again() end
      local next_one = is_next(self, type(reply.about) == "table" and reply.about or {})
      client:close()
      if next_one and not self.client and not self.joining then self:join(path) end
    end)
end

--- Look for the next run at sockets that were not there before, and where the last one was.
local function search(self)
  local here = {}
  for _, path in ipairs(clients.sockets()) do here[path] = true end
  if self.path then here[self.path] = true end
  for path in pairs(here) do
    if not self.refused[path] and not self.joining then try(self, path) end
  end
  for path in pairs(self.refused) do
    if not here[path] then self.refused[path] = nil end
  end
end

-- Requests -----------------------------------------------------------------------------------------

--- Nodes in an answer (tree/model/view.lua).
local window = 300

--- Note an answer about the tree: the rows that are known by now, and the window to ask for next.
local function note_tree(self, tree, view, from)
  if view.version ~= tree.version or view.state ~= tree.state then
    tree = { known = from == 1 and #(view.rows or {}) or 0, version = view.version, state = view.state }
  elseif view.rows then
    tree.known = tree.known + #view.rows
  end
  local nodes = view.nodes
  local after = view.first + window
  tree.first = tree.known < nodes and tree.known // window * window + 1 or after <= nodes and after or 1
  tree.nodes = nodes
  self.tree, self.shows_tree = tree, true
  if tree.first > 1 or tree.known < nodes then self.due.tree = 0 end
end

--- Ask for a window of the tree, with rows that are not known yet.
local function ask_tree(self)
  local tree = self.tree or { first = 1, known = 0 }
  local from = tree.known < (tree.nodes or 1) and tree.known + 1 or nil
  self.asked.tree = true
  self.client:ask({ line = ("tree view %d %d %s"):format(tree.first, window, from or "") }, function(reply)
    self.asked.tree = nil
    local view = reply.tree
    if type(view) ~= "table" then
      if self.shows_tree then self.options.tell("tree", false) end
      self.tree, self.shows_tree = nil, nil
      return
    end
    view.from = from
    for _, name in ipairs { "first", "nodes" } do view[name] = math.tointeger(view[name]) end
    note_tree(self, tree, view, from)
    self.options.tell("tree", view)
  end)
end

--- Ask for the layers that are due, in one line.
local function ask_layers(self, now)
  local line = "layers"
  for _, name in ipairs(layer_names) do
    if self.wanted["layer " .. name] and now >= (self.due["layer " .. name] or 0) then
      self.due["layer " .. name] = now + layers[name]
      line = line .. " " .. name
    end
  end
  if line == "layers" then return end
  self.asked.layers = true
  self.client:ask({ line = line }, function(reply)
    self.asked.layers = nil
    local value = reply.text and message.read(reply.text)
    if value then self.options.tell("layers", value) end
  end)
end

--- Send the requests of pages that are due.
local function work(self)
  local now = uv.now() / 1000
  if not self.client then
    if now >= (self.due.search or 0) then
      self.due.search, self.refused = now + live.search_every, self.refused or {}
      search(self)
    end
    return
  end
  for name, row in pairs(watched) do
    if self.wanted[name] and not self.asked[name] and now >= (self.due[name] or 0) then
      self.due[name], self.asked[name] = now + row.every, true
      self.client:ask({ line = row.line }, function(reply)
        self.asked[name] = nil
        local value = reply.text and message.read(reply.text)
        if value then self.options.tell(name, value) end
      end)
    end
  end
  if not self.asked.layers then ask_layers(self, now) end
  if self.wanted.tree and not self.asked.tree and now >= (self.due.tree or 0) then
    self.due.tree = now + 0.1
    ask_tree(self)
  end
end

--- Begin the work that is due at times.
function Live:start()
  self.timer = uv.new_timer()
  self.timer:start(50, 50, function() work(self) end)
end

--- Watch what pages show now, {name = true}; a page that has just opened gets all rows of the tree.
function Live:watch(names)
  self.wanted = names
  self.tree = nil
end

--- Send the run a request that needs no lock, from any page: the panic stop.
function Live:panic(done)
  if not self.client then return done { error = "no run is attached" } end
  self.client:ask({ panic = true }, done)
end

function Live:close()
  if self.timer then self.timer:close() end
  for _, one in ipairs(self.feeds or {}) do one:close() end
  if self.client then self.client:close() end
end

return live
