--- The pose feed of a run: frames from its socket, without the prompt or a tick between (docs/operators/
--- prompt.md, "The protocol"; engine/runtime/live_poses.h has the bytes of a frame).
local store = require "brio.store"
local uv = require "luv"

local feed = {}
local Feed = {}
Feed.__index = Feed

--- Version of frames that is known; bytes of a frame's head; what is added to the source of a frame with the
--- base's pose.
feed.version, feed.head, feed.based = 2, 16, 0x80

--- Sources of frames, by number.
feed.sources = { [0] = "measured", "command", "ghost", "recorded" }

--- A frame: robot time t, s, of values in the order of the robot's DOFs.
---@param source integer
---@param number integer
---@param t number
---@param values number[] NaN: unknown
---@param base number[]? position and quaternion of the root link; nil: it stands
---@return string
function feed.frame(source, number, t, values, base)
  local count = #values
  local made = ("<BBI2I4d" .. ("f"):rep(count)):pack(feed.version, source | (base and feed.based or 0), count,
    number & 0xffffffff, t, table.unpack(values))
  return base and made .. ("<fffffff"):pack(table.unpack(base)) or made
end

--- The source, number, time, values and base of a frame; nil: it is none.
function feed.read(frame)
  if #frame < feed.head then return nil end
  local version, source, count, number, t = ("<BBI2I4d"):unpack(frame)
  local based = source & feed.based ~= 0
  if version ~= feed.version or #frame ~= feed.head + 4 * (count + (based and 7 or 0)) then return nil end
  local values = { ("<" .. ("f"):rep(count)):unpack(frame, feed.head + 1) }
  values[count + 1] = nil
  local base = based and { ("<fffffff"):unpack(frame, feed.head + 4 * count + 1) } or nil
  if base then base[8] = nil end
  return source & ~feed.based, number, t, values, base
end

--- Hand on the frames that are complete.
local function cut(self)
  while #self.buffer >= 2 do
    local length = ("<I2"):unpack(self.buffer)
    if #self.buffer < 2 + length then return end
    local frame = self.buffer:sub(3, 2 + length)
    self.buffer = self.buffer:sub(3 + length)
    self.take(frame)
  end
end

--- Read the run's answer, the last line before frames.
local function greet(self)
  local line, rest = self.buffer:match "^([^\n]*)\n(.*)$"
  if not line then return end
  self.buffer, self.greeted = rest, true
  if line:find('"error"', 1, true) then self:close() end
end

--- Open the feed of the run at a socket: take(frame) is called for each. `options`: rate (Hz), of ("measured"
--- or "command"), token.
---@return table feed with close()
function feed.open(path, options, take)
  local self = setmetatable({ wire = uv.new_pipe(false), buffer = "", take = take }, Feed)
  self.wire:connect(path, function(fault)
    if fault then return self:close() end
    self.wire:write(store.json { id = 1, token = options.token, feed = options.rate,
      of = options.of or "measured" } .. "\n")
    self.wire:read_start(function(wrong, bytes)
      if wrong or not bytes then return self:close() end
      self.buffer = self.buffer .. bytes
      if not self.greeted then greet(self) end
      if self.greeted then cut(self) end
    end)
  end)
  return self
end

function Feed:close()
  if not self.wire:is_closing() then self.wire:close() end
end

return feed
