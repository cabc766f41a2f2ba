--- The scene objects of a behavior: chosen from detections, or derived from other frames.
---
---     self.scene:set_up { name = "ball", class = "ball", select = "closest", color = "red" }
---     self.scene:set_up { name = "before it", derive = "approach", a = "pelvis", b = "ball", distance = 0.4
---       }
---     self.scene:freeze "ball"
---
--- They are stored in the scene itself (engine/scene/objects.c), so that their names can be used as frames;
--- this module has their settings. Each kind of derived object is a file in objects/, a record
---
---   name, doc        of the kind
---   fields           its fields: name = field (see lib/fields.lua)
---   needs            the required fields
---   frames           the fields that name frames from which it is derived
---   pure             it depends only on these frames: if none has moved, it is not evaluated
---   work(at, form, memory)   its present pose, or nil and the reason. Called when it is set up, and in each
---                    tick until it is frozen. `form`: the fields; `memory`: a table of its own; `at`:
---                    {frames = {field = pose}, objects = {field = detection or object}, now, fresh (it is
---                    being set up), pose(name), yaw(pose), frame_at(name, time), scene, cloud(name),
---                    wait (on the fast clock: wait for slow computations)}
---
--- and a behavior may define kinds of its own (brio.scene_object).
local lazy = require "brio.lib.lazy"
local choose = lazy "brio.perception.select"
local fields = lazy "brio.lib.fields"
local geometry = lazy "brio.lib.geometry"
local scene_module = require "brio.scene"
local schema = require "brio.lib.schema"
local suggest = require "brio.lib.suggest"

local scene_objects = {}

--- Names of brio's own kinds: a file objects/<name>.lua each.
scene_objects.shipped = { "approach", "hybrid", "door_panel", "hinge", "slider", "table_edge", "door_plane",
  "door_frame" }

--- The kinds by name.
scene_objects.kinds = {}
for _, name in ipairs(scene_objects.shipped) do
  scene_objects.kinds[name] = lazy("brio.perception.objects." .. name)
end

--- Time within which an object that is set up again keeps the memory of its kind, s.
local patience = 1

local Manager = {}
Manager.__index = Manager

--- Owner of the derived objects of each scene.
local managers = setmetatable({}, { __mode = "k" })

--- Fields of an object that is chosen from detections.
scene_objects.seen_fields = {
  class = { "any", doc = "the class of its detections, or a list of classes; default: the object's name" },
  id = { "string", doc = "it is the one with this id" },
  history = { "whole", lower = 1, upper = 1e6, value = 5, doc = "minimum number of detections" },
  select = { "any", value = "closest",
    doc = "which of several: \"closest\", \"confident\", \"leftmost\", \"rightmost\", \"highest\", \z
      \"largest\", \"newest\", or a "
      .. "function that gets the list and returns one" },
  of = { "string", doc = "the reference frame of closest and leftmost; default: the camera" },
  within = { "number", unit = "m", lower = 0, upper = 1e6, doc = "no farther from there" },
  region = { "table", doc = "it is in this volume: { kind = \"box\", size = { 1, 1, 0.5 }, pose = ... }" },
  region_frame = { "string", doc = "the frame of the volume; default: the robot's base" },
  color = { "any", doc = "it is of this color: a name, or { hue = { 0, 30 }, saturation = { 0.4, 1 }, value \z
    = { 0.3, 1 } }" },
  where = { "skill", doc = "a function that is true for what may be chosen" },
}

-- Kinds -----------------------------------------------------------------------------------------------------

--- The kind of that name: one of the behavior's own, or of brio's; nil and a sentence.
function Manager:kind(name)
  local own = self.host and self.host.definition.fields.scene_objects or {}
  local names = {}
  for _, kind in ipairs(own) do
    if kind.name == name then return kind end
    names[#names + 1] = kind.name
  end
  if scene_objects.kinds[name] then return scene_objects.kinds[name] end
  for _, known in ipairs(scene_objects.shipped) do names[#names + 1] = known end
  return nil, ("there is no kind of object '%s'%s: there are %s"):format(tostring(name),
    suggest.hint(tostring(name), names), table.concat(names, ", "))
end

--- The error in the fields of an object of a kind: a sentence, or nil.
function scene_objects.fault(kind, form)
  local why = schema.fault(form, kind.fields, kind.name)
  if why then return why end
  for _, key in ipairs(kind.needs or {}) do
    if form[key] == nil then return ("%s needs `%s`"):format(kind.name, key) end
  end
end

--- brio.scene_object "NAME" { ... }
scene_objects.own_fields = {
  work = { "function", needed = true, doc = "computes its pose: work(at, form, memory)" }, doc = "string",
  fields = { "table", doc = "its fields, each a type's name or a record" },
  needs = { "table", doc = "names of the fields that must be there" },
  frames = { "table", doc = "fields that name frames" },
  pure = { "boolean", doc = "the same fields and frames give the same place" },
}

--- brio.scene_object(name) { doc =, fields =, needs =, frames =, work = }: a behavior's own kind of derived
--- object.
function scene_objects.define(name)
  if type(name) ~= "string" or not name:find "^[%a_][%w_]*$" then
    error("brio.scene_object expects a name, as in brio.scene_object \"rim\" { ... }", 2)
  end
  if scene_objects.kinds[name] then
    error(("brio.scene_object: a kind '%s' comes with brio"):format(name), 2)
  end
  return function(said)
    local what = ("scene object '%s'"):format(name)
    schema.check(said, scene_objects.own_fields, what)
    local kind = { name = name, doc = said.doc, fields = said.fields or {}, needs = said.needs or {},
      frames = said.frames or {}, work = said.work, pure = said.pure, own = true }
    for _, field in ipairs(kind.frames) do
      kind.fields[field] = kind.fields[field] or { "string" }
    end
    for key, field in next, kind.fields do
      local type_name = type(field) == "table" and field[1] or field
      if not fields.is_type(type_name) then
        error(("%s: the field '%s' has no type that is known"):format(what, key), 2)
      end
    end
    return kind
  end
end

-- Frames ----------------------------------------------------------------------------------------------------

--- The scene's name of a frame: roles are links; nil is the robot's base.
function Manager:link(name)
  local description = self.description
  if not description then return name or "world" end
  if name == nil then return description.robot:links()[1] end
  return description.roles[name] or name
end

--- The pose of a frame now; nil and a sentence.
function Manager:pose(name) return self.scene:frame(self:link(name)) end

--- The robot's viewpoint: its camera, its head, its base.
function Manager:view()
  local roles = self.description and self.description.roles or {}
  return self.scene:frame(self:link(roles.gaze or roles.head))
    or { position = { 0, 0, 0 }, orientation = { 0, 0, 0, 1 } }
end

local function yaw_of(pose)
  local q = pose.orientation
  return math.atan(2 * (q[4] * q[3] + q[1] * q[2]), 1 - 2 * (q[2] * q[2] + q[3] * q[3]))
end

--- The orientation for detections without one: level, in the direction of the robot's chest.
function Manager:facing()
  local roles = self.description and self.description.roles or {}
  local pose = self.scene:frame(self:link(roles.chest or roles.torso))
  local yaw = pose and yaw_of(pose) or 0
  return { 0, 0, math.sin(yaw / 2), math.cos(yaw / 2) }
end

-- Setting up ------------------------------------------------------------------------------------------------

--- The confirmed persistent detections of a class, or of several.
function Manager:candidates(class)
  local list = {}
  for _, name in ipairs(type(class) == "table" and class or { class }) do
    for _, one in ipairs(self.scene:tracks(name)) do
      if one.number > 0 then list[#list + 1] = one end
    end
  end
  return list
end

local function set_up_seen(self, said)
  local list = self:candidates(said.class)
  local view, why
  if said.of then view, why = self:pose(said.of) else view = self:view() end
  if not view then return nil, why end
  local one
  if self.host and self.host.preview then
    said = setmetatable({ history = 1, unstable = true }, { __index = said })
  end
  one, why = choose.one(list, said, { view = view, site = self.site, frame = not self.description and "world"
    or nil, call = said.call or function(fn, ...) return fn(...) end })
  if not one then return nil, why end
  return self.scene:adopt(said.name, one.number, self:facing(), said.who)
end

--- Detections or chosen objects by the names in an entry's fields, looked up when they are read.
local things = {}

function things.__index(objects, field)
  local self, said = objects[things].manager, objects[things].form[field]
  if type(said) ~= "string" then return nil end
  local name = self:link(said)
  return self.scene:object(name) or self.scene:find(name)
end

--- Sources of a derived object: poses and things by field, and whether one of them is stale; nil and a
--- sentence.
local function parts_of(self, entry)
  local frames, stale = {}, false
  local objects = setmetatable({ [things] = { manager = self, form = entry.form } }, things)
  for _, field in ipairs(entry.kind.frames or {}) do
    local said = entry.form[field]
    local name = said and self:link(said)
    local pose, why
    if name then pose, why = self.scene:frame(name) end
    if name and not pose then return nil, why end
    if name then stale = stale or select(3, self.scene:state(name)) == true end
    frames[field] = pose
  end
  return frames, objects, stale
end

--- The pose of a derived object now, and whether it is stale: nil and a sentence.
local function derive(self, entry, fresh)
  local frames, objects, stale = parts_of(self, entry)
  if not frames then return nil, objects end
  local at = { frames = frames, objects = objects, now = self.scene:time(), fresh = fresh, scene = self.scene,
    yaw = yaw_of, pose = function(name) return self:pose(name) end,
    frame_at = function(name, time) return self.scene:frame(name, time) or self.scene:frame(name) end,
    wait = self.host == nil or self.host.fast,
    cloud = function(name) return self:cloud(name) end }
  local pose, why = entry.kind.work(at, entry.form, entry.memory)
  if not pose then return nil, why or "its pose is unknown" end
  local wrong = fields.fault(pose, { "pose" })
  if wrong then return nil, ("the kind '%s' gave a pose that %s"):format(entry.kind.name, wrong) end
  return { position = pose.position or { 0, 0, 0 }, orientation = pose.orientation or { 0, 0, 0, 1 } }, stale
end

--- Whether an object is derived from a name, directly or through others.
local function depends(self, name, on)
  if name == on then return true end
  local entry = self.derived[name]
  for _, field in ipairs(entry and entry.kind.frames or {}) do
    if entry.form[field] and depends(self, self:link(entry.form[field]), on) then return true end
  end
  return false
end

--- The memory of an object that is set up repeatedly until its pose is known; a new one after a pause, or if
--- its settings changed.
function Manager:remembered(entry)
  local now, before = self.scene:time(), self.tried[entry.name]
  local same = before and before.kind_name == entry.kind_name and now - before.last <= patience
    and now >= before.last
  for key, value in next, entry.form do
    same = same and (before.form[key] == value or type(value) == "table")
  end
  if not same then before = { kind_name = entry.kind_name, form = entry.form, memory = {} } end
  before.last = now
  self.tried[entry.name] = before
  return before.memory
end

local set_up_own = { name = true, derive = true, who = true, call = true }

local function set_up_derived(self, said)
  local kind, why = self:kind(said.derive)
  if not kind then return nil, why end
  local form = {}
  for key, value in next, said do
    if not set_up_own[key] then form[key] = value end
  end
  why = scene_objects.fault(kind, form)
  if why then return nil, why end
  form = fields.filled(form, kind.fields)
  for _, field in ipairs(kind.frames or {}) do
    if form[field] and depends(self, self:link(form[field]), said.name) then
      return nil, ("'%s' would be derived from itself, through `%s`"):format(said.name, field)
    end
  end
  local entry = { name = said.name, kind = kind, kind_name = said.derive, form = form }
  entry.memory = self:remembered(entry)
  local pose, stale = derive(self, entry, true)
  if not pose then return nil, stale end
  self.tried[said.name] = nil
  local object
  object, why = self.scene:put { name = said.name, kind = said.derive, pose = pose, origin = "derived",
    change = "set_up", who = said.who }
  if not object then return nil, why end
  if stale then self.scene:move(said.name, pose, true) end
  if not self.derived[said.name] then self.order[#self.order + 1] = said.name end
  self.derived[said.name] = entry
  return object
end

--- Set an object up: from a detection, or derived. Return it, or nil and the reason.
function Manager:set_up(said)
  local object, why
  if said.derive then
    object, why = set_up_derived(self, said)
  else
    local filled = fields.filled(said, scene_objects.seen_fields)
    if filled == said then filled = fields.filled(said, {}) end
    local form = setmetatable({ class = said.class or said.name }, { __index = filled })
    object, why = set_up_seen(self, form)
    if object then self:forget(said.name) end
  end
  if object then self:work() end -- update objects derived from it in the same tick
  return object, why
end

--- An object is no longer derived.
function Manager:forget(name)
  if not self.derived[name] then return end
  self.derived[name] = nil
  for index, other in ipairs(self.order) do
    if other == name then table.remove(self.order, index) break end
  end
end

--- Whether the frames of an entry have not moved, so that nothing of it changes: for kinds that depend only
--- on them.
local function unchanged(self, entry)
  if not entry.kind.pure then return false end
  local before, place, same = entry.before or {}, 0, true
  entry.before = before
  local function note(value)
    place = place + 1
    if before[place] ~= value then before[place], same = value, false end
  end
  for _, field in ipairs(entry.kind.frames) do
    local name = entry.form[field] and self:link(entry.form[field])
    local pose = name and self.scene:frame(name)
    for i = 1, pose and 3 or 0 do note(pose.position[i]) end
    for i = 1, pose and 4 or 0 do note(pose.orientation[i]) end
    note(name and select(3, self.scene:state(name)) or pose ~= nil)
  end
  return same
end

--- Update a derived object, after those from which it is derived.
local function renew(self, name, done)
  local entry = self.derived[name]
  if not entry or done[name] then return end
  done[name] = true
  for _, field in ipairs(entry.kind.frames or {}) do
    if entry.form[field] then renew(self, self:link(entry.form[field]), done) end
  end
  local origin, frozen = self.scene:state(name)
  if origin ~= "derived" then
    entry.gone = true
  elseif not frozen then
    local kind = self:kind(entry.kind_name) or entry.kind -- of the present version of the behavior
    if kind ~= entry.kind then entry.kind, entry.before = kind, nil end
    if unchanged(self, entry) then return end
    local pose, stale = derive(self, entry, false)
    entry.why = not pose and stale or nil
    self.scene:move(name, pose or self.scene:frame(name), not pose or stale)
  end
end

--- Once a tick: update derived objects.
function Manager:work()
  if not self.order[1] then return end
  local done = {}
  for _, name in ipairs(self.order) do renew(self, name, done) end
  for index = #self.order, 1, -1 do
    local name = self.order[index]
    if self.derived[name].gone then self:forget(name) end
  end
end

--- The newest cloud of a sensor's name; nil: none.
function Manager:cloud(name)
  local clouds = self.host and self.host.clouds
  return clouds and clouds:find(name)
end

-- For a ghost -----------------------------------------------------------------------------------------------

--- All objects as plain data, for a ghost of the robot.
function Manager:told()
  local list = {}
  for index, object in ipairs(self.scene:chosen()) do
    local entry = self.derived[object.name]
    list[index] = { name = object.name, kind = object.kind, source = object.source, pose = object.pose,
      size = object.size,
      frozen = object.frozen, stale = object.stale, origin = object.origin, form = entry and entry.form }
  end
  return list
end

--- Set up an object from a description of another run, as far as possible.
local function take_one(self, told)
  local seen = told.origin == "seen" and not told.stale and self.scene:find(told.source)
  if seen then
    self.scene:adopt(told.name, seen.number, told.pose.orientation)
  elseif told.origin == "derived" and told.form then
    local said = { name = told.name, derive = told.kind }
    for key, value in next, told.form do said[key] = value end
    set_up_derived(self, said)
  end
  if not self.scene:object(told.name) or told.frozen then
    self:place { name = told.name, kind = told.kind, pose = told.pose, size = told.size }
  end
  if told.frozen then self.scene:freeze(told.name) end
end

--- Set up the objects of another run: frozen, stale or invisible ones keep their poses.
function Manager:take(told)
  for _, one in ipairs(told) do take_one(self, one) end
end

-- By hand ---------------------------------------------------------------------------------------------------


--- Place an object: {name, position or pose, yaw, frame, kind, size, who}. Return it, or nil and the reason.
function Manager:place(said)
  local pose = said.pose or { position = said.position }
  if said.position and said.pose then return nil, "place takes a pose or a position, not both" end
  if said.yaw then
    if type(said.yaw) ~= "number" then return nil, "yaw must be a number, in rad" end
    pose = { position = pose.position, orientation = geometry.times(
      { 0, 0, math.sin(said.yaw / 2), math.cos(said.yaw / 2) },
      pose.orientation or { 0, 0, 0, 1 }) }
  end
  local wrong = fields.fault(pose, { "pose" })
  if wrong then return nil, "the pose " .. wrong end
  if not pose.position then return nil, "give position = { x, y, z }" end
  local frame, why = { position = { 0, 0, 0 }, orientation = { 0, 0, 0, 1 } }, nil
  if said.frame then frame, why = self:pose(said.frame) end
  if not frame then return nil, why end
  local before = self.scene:object(said.name)
  local object
  object, why = self.scene:put { name = said.name, kind = said.kind or before and before.kind or said.name,
    pose = geometry.within(frame, pose), size = said.size or before and before.size,
      origin = said.origin or "placed",
    change = said.origin == "nominal" and "set_up" or "placed", frozen = said.frozen, who = said.who }
  if not object then return nil, why end
  self:forget(said.name)
  self:work()
  return object
end

--- Move an object by hand, along the axes of a frame (default: the world), and turn it: it then stays there.
--- Return it, or nil and the reason.
function Manager:nudge(name, by, frame, yaw, who)
  local object = self.scene:object(name)
  if not object then return nil, ("the scene has no object '%s'"):format(tostring(name)) end
  if fields.fault(by, { "vector", size = 3 }) then return nil, "give the offset { x, y, z } in m" end
  local turn, why = { orientation = { 0, 0, 0, 1 } }, nil
  if frame then turn, why = self:pose(frame) end
  if not turn then return nil, why end
  local moved, p = geometry.turn(turn.orientation, by), object.position
  local orientation = geometry.times({ 0, 0, math.sin((yaw or 0) / 2), math.cos((yaw or 0) / 2) },
    object.pose.orientation)
  object, why = self.scene:put { name = name, kind = object.kind, size = object.size, change = "nudged",
    who = who,
    pose = { position = { p[1] + moved[1], p[2] + moved[2], p[3] + moved[3] }, orientation = orientation },
    frozen = object.frozen }
  if not object then return nil, why end
  self:forget(name)
  self:work()
  return object
end

-- The scene's own methods -----------------------------------------------------------------------------------

local function new_manager(scene, host)
  local self = setmetatable({ scene = scene, host = host, description = host and host.description,
    derived = {}, order = {}, tried = {} }, Manager)
  self.site = { description = self.description or { roles = {} }, host = host or { scene = scene } }
  managers[scene] = self
  return self
end

--- Owner of a scene's derived objects.
function scene_objects.of(scene) return managers[scene] or new_manager(scene) end

--- Make the roles of the robot names of frames, unless another frame has that name.
function Manager:name_roles()
  for _, role in ipairs(suggest.keys(self.description.roles)) do
    -- fails for a name that is too long, or of no link
    pcall(self.scene.alias, self.scene, role, self.description.roles[role])
  end
end

--- The same for a run's behavior.
function scene_objects.attach(host) return new_manager(host.scene, host) end

local methods = getmetatable(assert(scene_module.new())).__index

local seen_record = { name = { "string", needed = true }, who = "any" }
for key, field in next, scene_objects.seen_fields do seen_record[key] = field end

--- scene:set_up { name =, class =, history =, select =, of =, within =, region =, region_frame =, color =,
--- where = }, or { name =, derive =, ... }.
function methods.set_up(scene, said)
  local self = scene_objects.of(scene)
  if type(said) == "table" and said.derive ~= nil then
    if type(said.name) ~= "string" then error("scene:set_up needs the object's name", 2) end
    return self:set_up(said)
  end
  schema.check(said, seen_record, "scene:set_up")
  local wrong = choose.fault(said)
  if wrong then error("scene:set_up: " .. wrong, 2) end
  return self:set_up(said)
end

local place_record = {
  name = { "string", needed = true }, position = "table", pose = "table", yaw = "number", frame = "string",
  kind = "string", size = "table", frozen = "boolean", who = "any",
}

--- scene:place { name =, position =, yaw =, frame =, kind =, size =, frozen =, who = }.
function methods.place(scene, said)
  schema.check(said, place_record, "scene:place")
  return scene_objects.of(scene):place(said)
end

--- scene:nudge(name, { x, y, z } [, frame [, yaw [, who]]]).
function methods.nudge(scene, name, by, frame, yaw, who)
  if type(name) ~= "string" then error("scene:nudge expects the object's name", 2) end
  return scene_objects.of(scene):nudge(name, by, frame, yaw, who)
end

return scene_objects
