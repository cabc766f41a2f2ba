--- Publishes what a run does to an MQTT broker.  It is an observer of the run, and can change nothing in it.
local client = require "brio.runs.client"
local mqtt = require "brio.runs.fleet.mqtt"
local store = require "brio.store"
local uv = require "luv"

local gateway = {}
local Gateway = {}
Gateway.__index = Gateway

--- Least time between two states, ms; seconds for which a wish for poses is valid; greatest rate of poses,
--- Hz.
gateway.pause, gateway.wish, gateway.most_poses = 500, 10, 30

--- The topic of a robot's part.
function gateway.topic(site, robot, part) return ("brio/v1/%s/%s/%s"):format(site, robot, part) end

--- Whether a word can be the name of a site or robot in a topic.
function gateway.is_name(word) return word:match "^[%w_.-]+$" ~= nil and #word <= 64 end

local function wall_time()
  local seconds, microseconds = uv.gettimeofday()
  return seconds + microseconds * 1e-6
end

function Gateway:publish(part, data, options)
  data.at = wall_time()
  return self.broker:publish(gateway.topic(self.site, self.robot, part), store.json(data), options)
end

--- Publish the state soon: at once, or when the pause since the last one is over.
function Gateway:state_changed()
  if self.pending then return end
  self.pending = true
  self.timer:start(math.max(0, (self.last or -gateway.pause) + gateway.pause - uv.now()), 0, function()
    self.pending, self.last = false, uv.now()
    local about = self.about
    self:publish("state", { t = self.t, state = self.state, running = self.running, behavior = about.behavior,
      robot = about.robot, run = about.number, operators = self.operators }, { qos = 1, retain = true })
  end)
end

--- Subscribe to the run's lines, with poses while somebody wants them.
function Gateway:listen()
  self.run:ask({ line = "subscribe events states tree"
    .. (self.rate and (" poses=%g"):format(self.rate) or "") },
    function(reply)
      if reply.error then self.on.log(reply.error, "error") end
    end)
end

--- Somebody wants poses: a rate in Hz, for some seconds.
function Gateway:wish(text)
  local rate = tonumber(text:match "^%s*(%d+%.?%d*)%s*$")
  if not rate or rate < 0.1 then return end
  rate = math.min(rate, gateway.most_poses)
  self.wishes:start(gateway.wish * 1000, 0, function()
    self.rate = nil
    self:listen()
  end)
  if rate ~= self.rate then
    self.rate = rate
    self:listen()
  end
end

--- What is done with each kind of line of the run.
local pushed = {}

function pushed.event(self, line)
  self:publish("event", { t = line.t, name = line.name, source = line.source, data = line.data }, { qos = 1 })
end

function pushed.state(self, line)
  self.state, self.t = line.state, line.t
  self:state_changed()
end

function pushed.tree(self, line)
  self.running, self.t = line.running, line.t
  self:state_changed()
end

function pushed.pose(self, line)
  self:publish("pose", { t = line.t, command = line.command, measured = line.measured }, { qos = 0 })
end

--- The run is over: say how, and end when the broker knows.
function Gateway:finish(how)
  self:publish("connection", { connection = how }, { qos = 1, retain = true })
  self.how = how
end

--- Whether nothing waits for the broker any more.
function Gateway:is_over() return self.how ~= nil and self.broker.count == 0 end

function Gateway:close()
  self.timer:close()
  self.wishes:close()
  self.broker:close()
  if self.run then self.run:close() end
end

--- Begin to publish a run.  options: path (the run's socket), place (of the broker), site, robot, token, on =
--- {log(text, level), connected(), lost(sentence)}; done(gateway), or done(nil, sentence) if the run cannot
--- be observed.
function gateway.begin(options, done)
  local self = setmetatable({ site = options.site, robot = options.robot, on = options.on,
    timer = uv.new_timer(), wishes = uv.new_timer() }, Gateway)
  local on = { ended = function(how) self:finish(how) end,
    push = function(line)
      local take = pushed[line.push]
      if take then take(self, line) end
    end,
    state = function(state)
      self.operators = state
      self:state_changed()
    end,
    log = function(text, level)
      if level == "error" or level == "warning" then
        self:publish("fault", { text = text, level = level }, { qos = 1 })
      end
    end }
  client.begin(options.path, { as = "fleet", role = "observer", device = "pipe", token = options.token,
    session = true }, on, function(run, reply)
    if not run then return done(nil, reply) end
    self.run, self.about = run, type(reply.about) == "table" and reply.about or {}
    local topic = gateway.topic(self.site, self.robot, "connection")
    self.broker = mqtt.new { place = options.place, client = ("brio-%s-%s"):format(self.site, self.robot),
      will = { topic = topic, payload = '{"connection":"lost"}', qos = 1, retain = true },
      filters = { gateway.topic(self.site, self.robot, "want/pose") },
      on = { lost = options.on.lost,
        connected = function()
          if not self.how then
            self:publish("connection", { connection = "online" }, { qos = 1, retain = true })
          end
          options.on.connected()
        end,
        message = function(message) if not message.retain then self:wish(message.payload) end end } }
    self:listen()
    self:state_changed()
    done(self)
  end)
end

return gateway
