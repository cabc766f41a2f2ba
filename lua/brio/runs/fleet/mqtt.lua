--- A client of an MQTT broker on the loop of luv: it reconnects, and sends again what was not acknowledged.
local packets = require "brio.runs.fleet.packets"
local uv = require "luv"

local mqtt = {}
local Mqtt = {}
Mqtt.__index = Mqtt

--- Pauses between attempts to connect, ms; messages that wait for their acknowledgment at most; seconds
--- between signs of life.
mqtt.pauses, mqtt.most_waiting, mqtt.keep = { 250, 500, 1000, 2000, 5000 }, 10000, 20

local refusals = { "the broker speaks another version of MQTT", "the broker refuses this client's name",
  "the broker is not available", "wrong user or password", "this user may not connect" }

--- Parse mqtt://USER:PASSWORD@HOST:PORT.  Return {host, port, user, password}, or nil and a sentence.
function mqtt.place(url)
  local rest = url:match "^mqtt://([^/]+)/?$"
  local who, where = (rest or ""):match "^(.*)@([^@]*)$"
  local host, port = (where or rest or ""):match "^([^:]+):?(%d*)$"
  port = port == "" and 1883 or math.tointeger(tonumber(port))
  if not host or not port or port < 1 or port > 65535 then
    return nil, ("'%s' is no broker: mqtt://HOST:PORT was expected"):format(url)
  end
  local user, password = (who or ""):match "^([^:]*):?(.*)$"
  return { host = host, port = port, user = user ~= "" and user or nil,
    password = user ~= "" and password ~= "" and password or nil }
end

--- Begin to connect.  options: place (see mqtt.place), client (its name there), will, filters (topics it
--- subscribes to), on = {connected(), lost(sentence), message(packet)}.
function mqtt.new(options)
  local self = setmetatable({ options = options, tries = 0, next_id = 0, waiting = {}, order = {}, first = 1,
    count = 0, dropped = 0, open = true, timer = uv.new_timer(), life = uv.new_timer() }, Mqtt)
  self:dial()
  return self
end

--- Call method(...); if it raises, the connection is lost: nothing else would begin another one.
function Mqtt:guarded(method, ...)
  local good, why = pcall(method, self, ...)
  if not good then self:lose(tostring(why)) end
end

--- End the connection, and try again later.
function Mqtt:lose(why)
  local pipe = self.pipe
  self.pipe, self.ready = nil, false
  self.life:stop()
  if pipe and not pipe:is_closing() then pipe:close() end
  if not self.open then return end
  if why ~= self.why then
    self.why = why
    if self.options.on.lost then self.options.on.lost(why) end
  end
  self.tries = self.tries + 1
  self.timer:start(mqtt.pauses[math.min(self.tries, #mqtt.pauses)], 0, function() self:dial() end)
end

--- Connect to an address.
local function connect(self, address)
  local place, pipe = self.options.place, uv.new_tcp()
  self.pipe = pipe
  pipe:connect(address, place.port, function(why)
    if pipe ~= self.pipe then return end
    if why then return self:lose(("%s:%d: %s"):format(place.host, place.port, why)) end
    self:guarded(self.greet, pipe)
  end)
end

--- Look up the broker's address.
local function resolve(self)
  local place = self.options.place
  uv.getaddrinfo(place.host, nil, { socktype = "stream" }, function(fault, found)
    if not self.open then return end
    if fault or not found[1] then return self:lose(("%s has no address"):format(place.host)) end
    self:guarded(connect, found[1].addr)
  end)
end

function Mqtt:dial() self:guarded(resolve) end

--- Say who this is, and listen.
function Mqtt:greet(pipe)
  local options, rest = self.options, ""
  pipe:nodelay(true)
  pipe:read_start(function(fault, bytes)
    if pipe ~= self.pipe then return end
    if fault or not bytes then return self:lose "the broker closed the connection" end
    self.heard = uv.now()
    local why
    rest, why = packets.read(rest .. bytes, function(one)
      if pipe == self.pipe then self:take(one) end
    end)
    if not rest and pipe == self.pipe then self:lose("the broker sends what is no MQTT: " .. why) end
    rest = rest or ""
  end)
  pipe:write(packets.connect { client = options.client, keep = mqtt.keep, user = options.place.user,
    password = options.place.password, will = options.will })
  self.heard = uv.now()
  self.life:start(mqtt.keep * 500, mqtt.keep * 500, function()
    if uv.now() - self.heard > mqtt.keep * 1500 then return self:lose "the broker does not answer" end
    if self.ready then pipe:write(packets.ping) end
  end)
end

--- The connection stands: subscribe, and send again what was not acknowledged, in its order.
local function begin(self)
  self.ready, self.tries, self.why = true, 0, nil
  if self.options.filters then self.pipe:write(packets.subscribe(self:number(), self.options.filters)) end
  for index = self.first, #self.order do
    local one = self.waiting[self.order[index]]
    if one then
      self.pipe:write(packets.publish(one.topic, one.payload, { qos = 1, retain = one.retain, id = one.id,
        again = one.sent }))
      one.sent = true
    end
  end
  if self.options.on.connected then self.options.on.connected() end
end

function Mqtt:take(one)
  if one.kind == "connected" then
    if one.code > 0 then
      return self:lose(refusals[one.code] or ("the broker refuses: %d"):format(one.code))
    end
    begin(self)
  elseif one.kind == "message" then
    if one.id then self.pipe:write(packets.acknowledge(one.id)) end
    if self.options.on.message then self.options.on.message(one) end
  elseif one.kind == "acknowledged" then
    if self.waiting[one.id] then self.waiting[one.id], self.count = nil, self.count - 1 end
    while self.first <= #self.order and not self.waiting[self.order[self.first]] do
      self.order[self.first], self.first = false, self.first + 1
    end
    if self.first > #self.order then self.order, self.first = {}, 1 end
  elseif one.kind == "subscribed" and one.codes[1] == 128 then
    self:lose "the broker refuses the subscription"
  end
end

--- A number that no waiting message has.
function Mqtt:number()
  repeat self.next_id = self.next_id % 65535 + 1 until not self.waiting[self.next_id]
  return self.next_id
end

--- Publish.  options: qos (0: lost without a connection; 1: sent until it is acknowledged), retain.  Return
--- whether it was taken: with QoS 1 not if too many wait, which `dropped` counts.
function Mqtt:publish(topic, payload, options)
  if options.qos ~= 1 then
    if self.ready then self.pipe:write(packets.publish(topic, payload, options)) end
    return self.ready
  end
  if self.count >= mqtt.most_waiting then
    self.dropped = self.dropped + 1
    return false
  end
  local one = { topic = topic, payload = payload, retain = options.retain, id = self:number(),
    sent = self.ready }
  self.waiting[one.id], self.count = one, self.count + 1
  self.order[#self.order + 1] = one.id
  if self.ready then
    self.pipe:write(packets.publish(topic, payload, { qos = 1, retain = one.retain, id = one.id }))
  end
  return true
end

--- Say goodbye, so that the will is not published; done() when it is sent.
function Mqtt:close(done)
  self.open = false
  self.timer:close()
  self.life:close()
  local pipe = self.pipe
  self.pipe = nil
  local function over()
    if pipe and not pipe:is_closing() then pipe:close() end
    if done then done() end
  end
  if pipe and self.ready then pipe:write(packets.disconnect, over) else over() end
  self.ready = false
end

return mqtt
