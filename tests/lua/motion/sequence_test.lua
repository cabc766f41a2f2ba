-- Sequences as tables and files: what is accepted, what is refused with which message, and that written files
-- read back.
local random = require "brio.random"
local sequence = require "brio.sequence"

local function track(...) return { tracks = { Neck = { ... } } } end

test("a sequence is checked field by field", function(t)
  t:equal(sequence.fault(track({ 0, 1 }, { 1, 2 })), nil)
  local wrong = {
    { {}, "needs 'tracks'" },
    { { tracks = {}, trakcs = {} }, "no field 'trakcs' %(did you mean 'tracks'%?%)" },
    { { tracks = { Neck = {} } }, "tracks.Neck has no keys" },
    { track({ 0, 1 }, { 0, 2 }), "tracks.Neck%[2%] is at 0 s, which must be after" },
    { track({ 0.5, 1 }, { 0.2, 2 }), "is at 0.2 s, which must be after the key before it, at 0.5 s" },
    { track({ 0 }), "tracks.Neck%[1%] of kind 'normal' needs a finite number" },
    { track({ 0, 0 / 0 }), "finite number as its value, not %-?nan" },
    { track({ 0, math.huge }), "finite number as its value, not inf" },
    { track({ 0 / 0, 1 }), "finite time" },
    { track({ -1, 1 }), "must be from 0 to" },
    { track({ 0, 1, 2 }), "has no field" },
    { track({ 0, 1, kind = "input" }), "of kind 'input' has no value" },
    { track({ 0, 1, kind = "imput" }), "did you mean 'input'" },
    { track({ 0, kind = "random" }), "needs a range" },
    { track({ 0, { 2, 1 }, kind = "random" }), "upside down" },
    { track({ 0, 1, curve = "cubik" }), "did you mean 'cubic'" },
    { track({ 0, 1, out = { -1, 0 } }), "must lead on" },
    { track({ 0, 1, into = { 1, 0 } }), "must lead back" },
    { track({ 0, 1, out = { 1 } }), "must be a list of 2 numbers" },
    { { tracks = { Neck = { { 0, 1 }, speed = 2 } } }, "tracks.Neck has no field 'speed'" },
    { { tracks = { { { 0, 1 } } } }, "by the name of their DOF" },
    { { unit = "degrees", tracks = {} }, "unit must be one of deg, normalized, rad" },
    { { loop = { 1, 0 }, tracks = {} }, "loop" },
    { { loop = { 0, 5 }, tracks = { Neck = { { 0, 1 }, { 1, 1 } } } }, "loop ends at 5 s, after" },
    { { length = 0.5, tracks = { Neck = { { 0, 1 }, { 1, 1 } } } },
      "length is 0.5 s, but there is something at 1 s" },
    { { events = { { 1, "b" }, { 0.5, "a" } }, tracks = {} }, "events%[2%] is at 0.5 s, before" },
    { { events = { { 1, "b", data = function() end } }, tracks = {} }, "plain data" },
    { { audio = { { 1, "" } }, tracks = {} }, "audio%[1%]%[2%] must be a text" },
    { { name = "\xff", tracks = {} }, "UTF%-8" },
    { { fade = -1, tracks = {} }, "fade" },
    { 5, "must be a table" },
  }
  for index, case in ipairs(wrong) do
    local fault = sequence.fault(case[1])
    t:ok(fault, "case " .. index .. " passed")
    t:match(fault or "", case[2])
  end
end)

test("a file that is none is refused with its name and line", function(t)
  local function refused(text, pattern, code)
    local made, why, cause = sequence.parse(text, "x.lua")
    t:equal(made, nil)
    t:match(why, pattern)
    t:equal(cause, code or "format")
  end
  refused("return {\n  tracks = {,\n}", "^x.lua:2: ")
  refused("return 5", "x.lua: must return the table")
  refused("return os.time()", "x.lua:1: ")
  refused("while true do end", "x.lua")
  refused("\27Lua", "x.lua")
  refused("return { tracks = { Neck = { { 0, 1 }, { 0, 1 } } } }", "x.lua: tracks.Neck%[2%]")
  local none, why, code = sequence.read "/nowhere/x.lua"
  t:equal(none, nil)
  t:equal(code, "no_file")
  t:match(why, "/nowhere/x.lua")
end)

test("what is written reads back as it was", function(t)
  local stream = random.stream(3, "sequences")
  local kinds = { "normal", "input", "superposition", "random" }
  local function number() return (stream:uniform(-1, 1)) * 10 ^ stream:uniform(-9, 6) end
  for _ = 1, 200 do
    local made = { tracks = {}, about = "a \"quoted\"\ntext\0 with \xc3\xa9", loop = { 0.1, 0.2, times = 3 },
      fade = { 0.1, number() ^ 2 % 60 },
      events = { { 0.25, "end", data = { 1, 2, { deep = true, ["odd key"] = number() } } } },
        audio = { { 0, "a b.wav", gain = 0.5 } } }
    for index = 1, stream:whole(4) do
      local list, at = { curve = "cubic", follow = 3.25 }, stream:uniform()
      for place = 1, stream:whole(6) do
        local kind, key = kinds[stream:whole(4)], { at }
        if kind ~= "input" then key[2] = number() end
        if kind == "random" then key[2] = { -math.abs(number()), math.abs(number()) } end
        if kind ~= "normal" then key.kind = kind end
        if stream:uniform() < 0.3 then
          key.out, key.into, key.curve = { 0.1, number() }, { -0.1, number() }, "bezier"
        end
        list[place], at = key, at + math.abs(number()) % 10 + 1e-3
      end
      made.tracks[({ "Neck", "and", "left arm", "x.y" })[index]] = list
    end
    local text = sequence.text(sequence.describe(made))
    local back, why = sequence.parse(text, "made.lua")
    t:ok(back, why)
    t:equal(back, made)
    t:equal(sequence.text(back), text)
  end
end)

test("too many keys are refused in words, many are taken", function(t)
  local keys = {}
  for index = 1, 100000 do keys[index] = { index / 100, index % 7 / 10 } end
  t:equal(sequence.fault { tracks = { Neck = keys } }, nil)
  local text = sequence.text { tracks = { Neck = keys } }
  local back, why = sequence.parse(text, "long.lua")
  t:ok(back, why)
  t:equal(sequence.count(back), 100000)
  local most = sequence.most_keys
  sequence.most_keys = 99999
  t:match(sequence.fault { tracks = { Neck = keys } }, "100000 keys, and there may be 99999")
  sequence.most_keys = most
end)

test("a damaged file is a sequence or a sentence, never more", function(t)
  local stream = random.stream(11, "damage")
  local text = sequence.text { unit = "deg", loop = { 0, 1 }, events = { { 0.5, "e", data = { 1 } } },
    tracks = { Neck = { { 0, kind = "input" }, { 0.5, 12, curve = "bezier", out = { 0.1, 2 } },
      { 1, { -1, 1 }, kind = "random" } } } }
  local taken = 0
  for _ = 1, 3000 do
    local bytes = { text:byte(1, -1) }
    for _ = 1, stream:whole(4) do
      local act, at = stream:whole(3), stream:whole(#bytes)
      if act == 1 then bytes[at] = stream:whole(256) - 1
      elseif act == 2 then table.remove(bytes, at)
      else bytes[at] = bytes[stream:whole(#bytes)] end
    end
    local damaged = string.char(table.unpack(bytes))
    if stream:whole(5) == 1 then damaged = damaged:sub(1, stream:whole(#damaged)) end
    local made, why, code = sequence.parse(damaged, "x.lua")
    if made then
      taken = taken + 1
      t:equal(sequence.fault(made), nil)
      t:ok(sequence.parse(sequence.text(made), "y.lua"))
    else
      t:ok(type(why) == "string" and why:find("x.lua", 1, true) and code, "%s", why)
    end
  end
  t:ok(taken > 100, "%d were taken", taken)
end)
