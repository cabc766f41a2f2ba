--- Promises about single operations: scripts that never yield are interrupted, the store and the HTTP client
--- block nobody, and events of words coincide with the voice.
local tools = require "promises.promises_tools"
local harness, files = tools.harness, tools.files

-- Scripts that never yield ------------------------------------------------------------------------

local loops = {
  "while true do end", "while true do pcall(function() while true do end end) end",
  "local function f() return f() end f()", "coroutine.wrap(function() while true do end end)()",
}

local patterns = {
  'local _ = ("a"):rep(39):match(("a?"):rep(40) .. ("a"):rep(40))',
  'local _ = string.find(("x"):rep(30000), ".-.-.-b")', 'local _ = ("x"):rep(30000):gsub(".-.-.-b", "")',
  'for _ in ("x"):rep(30000):gmatch(".-.-.-b") do end',
  'coroutine.wrap(function() local _ = ("x"):rep(30000):find(".-.-.-b") end)()',
}

--- Run each of these in a tick, twice; the duration of the longest tick, s.
local function cut(list)
  return function()
    return tools.repeated(2 * #list, function(place, n)
      local folder = place:folder()
      files.write(folder .. "/made.lua", ([[
        local made = require("brio").behavior "made" { robot = "ur3e", start = "one" }
        made.one = { tick = function(self) %s end }
        return made]]):format(list[(n - 1) % #list + 1]))
      local ran = harness.brio("run", folder .. "/made.lua", "--clock", "fast", "--for", 0.1, "--store",
        folder .. "/x.db", "--quiet")
      place:code(ran, 3)
      place:check(ran.text:find "time budget", "it was not cut: %s", ran.text)
      return harness.number(folder .. "/x.db", "select max(tick_us) from solves") * 1e-6
    end)
  end
end

-- Programs that measure themselves ----------------------------------------------------------------

--- A program prints "longest begin end" (s of the monotonic clock).
local function told(count, command)
  return tools.repeated(count, function(place)
    local ran = harness.run(command(place))
    place:code(ran, 0)
    local longest, from, to = ran.out:match "(%S+) (%S+) (%S+)"
    return tonumber(longest), tonumber(from), tonumber(to)
  end)
end

local function puts(options)
  return told(5, function(place)
    return ("%s/bench/promises/promises_put %s/x.db"):format(files.quote(options.build), place:folder())
  end)
end

local function http(options)
  return told(10, function()
    return ("%s lua %s/scripts/bench/promises/promises_http.lua")
      :format(files.quote(harness.program), options.root)
  end)
end

-- A voice -----------------------------------------------------------------------------------------

--- A sound of 1 s, audible from 0.2 s to 0.8 s.
local function tone()
  local data, rate = {}, 16000
  for n = 0, rate - 1 do
    local heard = n >= 0.2 * rate and n < 0.8 * rate
    data[n + 1] = string.pack("<i2", heard and math.floor(9000 * math.sin(n / 5)) or 0)
  end
  local sound = table.concat(data)
  return "RIFF" .. string.pack("<I4", 36 + #sound) .. "WAVEfmt "
    .. string.pack("<I4I2I2I4I4I2I2", 16, 1, 1, rate, rate * 2, 2, 16)
    .. "data" .. string.pack("<I4", #sound) .. sound
end

--- A program speaks; the time from its beginning to the event of the first word, s.
local function first_word(place)
  local folder = place:folder()
  files.write(folder .. "/tone.wav", tone())
  files.write(folder .. "/speaker", ("cat >/dev/null; cp %s/tone.wav \"$1\""):format(folder))
  files.write(folder .. "/player", "exec sleep 1")
  files.write(folder .. "/talk.lua", [[
    local talk = require("brio").behavior "talk" { robot = "probo", start = "a" }
    talk.a = { run = function(self) self.speech:say("Hello there, my friend."):wait() return "b" end }
    talk.b = {}
    return talk]])
  local store = folder .. "/x.db"
  local run = harness.start_brio("run", folder .. "/talk.lua", "--quiet", "--store", store, "--speak-with",
    ("sh %s/speaker {file} {words}"):format(folder), "--play-with", ("sh %s/player {file}"):format(folder))
  harness.await_row(store, "SELECT count(*) >= 4 FROM events WHERE name = 'word'",
    { stop = function() return harness.has_ended(run) and "the run ended" end })
  return harness.number(store, [[SELECT min(w.t) - s.t FROM events w,
    (SELECT min(t) AS t FROM events WHERE name = 'speaking') s WHERE w.name = 'word']])
end

return {
  { name = "a script that loops without end: its tick", unit = "ms", factor = 1e3, most = 150,
    measure = cut(loops) },
  { name = "a pattern that tries everything: its tick", unit = "ms", factor = 1e3, most = 150,
    measure = cut(patterns) },
  { name = "a put into the store while the disk is full", unit = "ms", factor = 1e3, most = 100,
    measure = puts },
  { name = "a piece of work while 16 MB come by HTTP", unit = "ms", factor = 1e3, most = 100,
    measure = http },
  { name = "the first word of a voice, silent for 0.2 s", unit = "s", factor = 1, least = 0.27, most = 0.45,
    measure = function() return tools.repeated(5, first_word) end },
}
