--- The input gate of a run: all input that does not follow from the record passes it and is written to the
--- run's tape; in a replay it is read from the tape instead (brio.tape, docs/analysis/replay.md).
---
---     local text = door.ask("prompt", front.poll, front)     usually absent
---     local good, why = door.must("file", file.replace, path, text)   always has a value
---     local count = door.value("clients", "all", front.clients, front)  changes seldom
---
--- Each calls the function, records its results and returns them; a replay calls nothing. The tape is that
--- of the run whose tick is running: door.within(gate). Without a gate, as in tools, the function is only
--- called.
local script = require "brio.script"
local store = require "brio.store"
local tapes = require "brio.tape"

local door = {}
local Gate = {}
Gate.__index = Gate

--- The gate of the run whose tick is running, or that is being put together.
local current

--- Maximum size of a file's text in the record, bytes: with a longer one the run cannot be replayed, which
--- is reported.
door.longest_text = 2 ^ 20 * 3

-- Gates --------------------------------------------------------------------------------------------

--- A gate that records. `opening`: the run is being put together, and readings are identified by name, not
--- by their order.
function door.recording() return setmetatable({ opening = true, looks = {}, kept = {}, last = {} }, Gate) end

--- A gate for a replay: `tape` has the recorded values; `looks`, what was read when the run was put
--- together, {key = {values}}; text(hash) returns a text; with `loose`, another behavior is tried, and
--- files that were not read in the run may be read now.
function door.replaying(parts)
  return setmetatable({ opening = true, replays = true, tape = parts.tape, looks = parts.looks,
    text = parts.text,
    disk = parts.loose, loose = parts.loose, of = parts.of, missing = {}, last = {} }, Gate)
end

local function put_back(self)
  current, self.before[self.depth] = self.before[self.depth] or nil, nil
  self.depth = self.depth - 1
end

local guard = setmetatable({ depth = 0, before = {} }, { __close = put_back })

--- Use this gate (nil: none) until the returned value is closed: `local _ <close> = door.within(gate)`.
function door.within(gate)
  guard.depth = guard.depth + 1
  guard.before[guard.depth] = current or false
  current = gate
  return guard
end

--- The gate of the run whose tick is running; nil: there is none, or a recorded run is still being put
--- together.
function door.gate()
  if current and current.opening then return nil end
  return current
end

--- Whether this is a replay in which another behavior is tried.
function door.loose() return current ~= nil and current.loose == true end

--- Whether this is a replay.
function door.replays() return current ~= nil and current.replays == true end

-- Reading ------------------------------------------------------------------------------------------

local function noted(tape, channel, ...)
  if (...) == nil then tape:pass(channel) else tape:note(channel, ...) end
  return ...
end

--- Inputs that are mostly absent: nil.
function door.ask(channel, fn, ...)
  local gate = current
  if not gate or gate.opening then return fn(...) end
  if gate.replays then return select(2, gate.tape:ask(channel)) end
  return noted(gate.tape, channel, fn(...))
end

local function kept(tape, channel, ...)
  tape:note(channel, ...)
  return ...
end

--- Inputs that always have a value.
function door.must(channel, fn, ...)
  local gate = current
  if not gate or gate.opening then return fn(...) end
  if gate.replays then
    local got = table.pack(gate.tape:must(channel))
    if not got[1] and gate.loose and (channel == "file" or channel == "clock") then return fn(...) end
    return table.unpack(got, 2, got.n)
  end
  return kept(gate.tape, channel, fn(...))
end

--- Inputs that seldom change: recorded on a change. `key` distinguishes inputs of one channel.
function door.value(channel, key, fn, ...)
  local gate = current
  if not gate or gate.opening then return fn(...) end
  local name = channel .. " " .. key
  if gate.replays then
    local came, value = gate.tape:ask(channel)
    if came then gate.last[name] = value end
    return gate.last[name]
  end
  local value = fn(...)
  local bytes = tapes.pack(value)
  if bytes == gate.last[name] then
    gate.tape:pass(channel)
  else
    gate.last[name] = bytes
    gate.tape:note(channel, value)
  end
  return value
end

--- Record an input that is only reported; in a replay it is read back, and `told(...)` returns whether it
--- is the same.
function door.note(channel, ...)
  local gate = current
  if gate and not gate.opening and not gate.replays then gate.tape:note(channel, ...) end
end

-- Texts --------------------------------------------------------------------------------------------

--- Store a text with the run, once; return its hash, which may be `known` already.
function Gate:keep(text, known)
  local hash = known or store.hash(text)
  if self.writer and not self.kept[hash] then
    self.kept[hash] = true
    if #text > door.longest_text or not self.writer:put("files",
        { hash = hash, length = #text, bytes = text }) then
      self.lost_text = self.lost_text or hash
    end
  end
  return hash
end

--- Store a text with the current run; return its placeholder on the tape: its hash, which may be `known`.
function door.keep(text, known)
  if not current or current.replays or current.opening then return known or store.hash(text) end
  return current:keep(text, known)
end

--- Record that the current run used a point cloud: `row` as in the store's kept_clouds; the file that its
--- hash names has `length` bytes.
function door.keep_cloud(row, length)
  local gate = current
  if not gate or not gate.writer then return end
  gate.clouds = (gate.clouds or 0) + 1
  row.id = gate.clouds
  if row.hash and not gate.kept[row.hash] then
    gate.kept[row.hash] = true
    gate.writer:put("files", { hash = row.hash, length = length, path = row.hash })
  end
  gate.writer:put("kept_clouds", row)
end

--- The text of a hash, in a replay.
function door.text(hash) return current.text(hash) end

--- The name of a reading, the same wherever brio is installed.
local function name_of(what, path)
  return what .. " " .. path:gsub("^.*drivers/robots/", "<robots>/"):gsub("^.*share/brio/robots/",
    "<robots>/")
end

--- The file as read when the run was created; otherwise the current one, if that is allowed.
local function look_back(gate, name, fn, ...)
  local known = gate.looks[name]
  if known and known.text then return known.text end
  if known then
    if known.hash then
      local text = gate.text(known.hash)
      if text then return text end
      gate.missing[#gate.missing + 1] = name:gsub("^%l+ ", "")
    else
      return table.unpack(known, 1, known.n)
    end
  end
  if gate.disk or known then return fn(...) end
  if name:find "^exists " then return false end
  return nil, name:gsub("^%l+ ", "") .. ": the run that is replayed has not read it", "no_file"
end

--- While a run is put together: the last reading counts.
local function look(gate, name, is_text, fn, ...)
  if gate.replays then return look_back(gate, name, fn, ...) end
  local got = table.pack(fn(...))
  gate.looks[name] = is_text and type(got[1]) == "string" and { text = got[1] } or got
  return table.unpack(got, 1, got.n)
end

local function text_noted(gate, channel, text, ...)
  if type(text) == "string" then
    gate.tape:note(channel, gate:keep(text))
  else
    gate.tape:note(channel, false, ...)
  end
  return text, ...
end

--- Read a file's text with fn(...), which returns it, or nil, a sentence and a code.
function door.read(path, fn, ...)
  local gate = current
  if not gate then return fn(...) end
  if gate.opening then return look(gate, name_of("text", path), true, fn, ...) end
  if not gate.replays then return text_noted(gate, "file", fn(...)) end
  local came, hash, why, code = gate.tape:must "file"
  if not came and gate.loose then return fn(...) end
  if hash then return gate.text(hash) end
  return nil, why, code
end

--- Another query of the disk with fn(...), such as whether a file exists (`what` is "exists"), which
--- returns plain values.
function door.look(what, path, fn, ...)
  local gate = current
  if not gate then return fn(...) end
  if gate.opening then return look(gate, name_of(what, path), false, fn, ...) end
  return door.must("file", fn, ...)
end

-- The run ------------------------------------------------------------------------------------------

--- The store is open: records go there from now on.
function Gate:record(writer)
  self.writer, self.tape = writer, tapes.record(writer)
  return self.tape
end

--- The run is put together: record its options, with the texts that were read for it. `versions`: hashes
--- that the store has.
function Gate:begin(about, versions)
  self.opening = false
  if self.replays then return end
  for _, hash in ipairs(versions) do self.kept[hash] = true end
  local looks = {}
  for name, got in next, self.looks do looks[name] = got.text and { hash = self:keep(got.text) } or got end
  self.looks = {}
  self.tape:note("begin", about)
  self.tape:note("texts", looks)
end

--- The run has ended after this number of ticks.
function Gate:finish(ticks)
  if not self.tape then return end
  if not self.replays then self.tape:note("end", ticks) end
  self.counts = self.tape:counts()
  if not self.replays then self.tape:close() end
end

-- Options ------------------------------------------------------------------------------------------

--- Options that do not affect behavior; excluded from the replay key.
local beside = { say = true, idle = true, front = true, store = true, store_file = true, reload = true,
  watch = true, trace = true, launched = true, seconds = true, record = true, keep_clouds = true }

local function plain(value, depth)
  if type(value) == "table" and depth > 0 and getmetatable(value) == nil then
    local made = {}
    for key, item in next, value do
      local copy = plain(item, depth - 1)
      if copy == nil then return nil end
      made[key] = copy
    end
    return made
  end
  if type(value) == "boolean" or type(value) == "number" or type(value) == "string" then return value end
end

--- The options of a run that a replay needs; and the names of those that cannot be recorded.
function door.options(options)
  local made, missing = {}, {}
  for name, value in next, options do
    if not beside[name] then
      made[name] = plain(value, 12)
      if made[name] == nil then missing[#missing + 1] = name end
    end
  end
  table.sort(missing)
  return made, missing
end

-- What a function here reads is on the tape as a whole, and a replay does not call it: no script is cut in
-- these functions, nor in what they call. Nor does a cut keep the gate from being put back.
script.apart { put_back, door.ask, door.must, door.value, door.note, door.keep, door.keep_cloud, door.read,
  door.look, noted, kept, text_noted, look, look_back, Gate.keep }

return door
