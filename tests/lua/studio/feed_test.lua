--- Frames of poses, and the files and marks of pages, as the studio's own process treats them.
local code = require "brio.studio.code"
local disk = require "brio.file"
local feed = require "brio.studio.feed"
local marks = require "brio.studio.marks"
local random = require "brio.random"

test("a frame comes back as it was made, with and without a base", function(t)
  local stream = random.stream(3, "frames")
  for round = 1, 40 do
    local values, base = {}, round % 2 == 0 and {} or nil
    for k = 1, stream:whole(60) do values[k] = ("f"):unpack(("f"):pack(stream:uniform(-9, 9))) end
    for k = 1, base and 7 or 0 do base[k] = ("f"):unpack(("f"):pack(stream:uniform(-9, 9))) end
    local source, at = round % 4, round / 8
    local bytes = feed.frame(source, round, at, values, base)
    t:equal(#bytes, 16 + 4 * #values + (base and 28 or 0))
    t:equal({ feed.read(bytes) }, { source, round, at, values, base })
    t:equal(feed.read(bytes .. "x"), nil, "a frame that is too long")
    t:equal(feed.read(bytes:sub(1, -2)), nil, "one that is too short")
  end
  local sixty = {}
  for k = 1, 60 do sixty[k] = 0 end
  t:equal(#feed.frame(0, 1, 0, sixty, { 0, 0, 0, 0, 0, 0, 1 }) <= 300, true, "60 axes and a base")
end)

--- The files of a run in a folder, as a page has them.
local function files_of(t)
  local own, other = t:temporary "own.lua", t:temporary "other.lua"
  assert(disk.replace(own, "return 1\n"))
  assert(disk.replace(other, "secret"))
  local folder, name = own:match "^(.*)/([^/]*)$"
  local live = { client = {}, about = { behavior = name, folder = folder } }
  return code.new { program = "brio", live = live, names = function() return { "more.lua" } end }, name, own,
    other,
    live
end

test("a page reads and writes the run's own files, and no others", function(t)
  local files, name, own, other, live = files_of(t)
  local seen = assert(files:read(name))
  t:equal(seen.text, "return 1\n")
  for _, wrong in ipairs { other:match "[^/]*$", "../" .. name, other, "/etc/passwd", "" } do
    local found, why = files:read(wrong)
    t:equal({ found or false, why }, { false, "the run has no such file" })
    t:equal((files:write(wrong, "x", seen.hash)), nil)
  end
  t:equal(disk.read(other), "secret")
  local made = assert(files:write(name, "return 2\n", seen.hash))
  t:equal(assert(files:read(name)), { text = "return 2\n", hash = made.hash })
  local again, why = files:write(name, "return 3\n", seen.hash)
  t:equal(again, nil)
  t:match(why, "another program has changed the file")
  t:equal((files:write(name, ("x"):rep(code.most_bytes + 1), made.hash)), nil, "a text that is too long")
  t:equal(disk.read(own), "return 2\n")
  live.client = nil
  t:match(select(2, files:read(name)), "no run is attached")
end)

test("a mark says what, when and by whom", function(t)
  local good = { run = 3, tier = "coding", t0 = 1.5, t1 = 2, label = "smiles", coder = "C1" }
  t:equal(marks.fault(good), nil)
  t:equal(marks.fault { run = 3, tier = "note", t0 = 0, label = "x" }, nil)
  for field, values in next, { run = { 0, 1.5, "3", false }, tier = { "", " ", 5, ("x"):rep(61) },
    t0 = { -1, "0", 0 / 0, math.huge }, t1 = { 1.5, 1, "2" }, label = { "", 7, ("x"):rep(501) },
    coder = { "Ann", "", 1, false } } do
    for _, value in ipairs(values) do
      local mark = {}
      for key, one in next, good do mark[key] = one end
      mark[field] = value
      t:match(marks.fault(mark) or "good", "^" .. field .. ": ")
    end
  end
  t:equal(marks.fault "x", "a mark was expected")
end)
