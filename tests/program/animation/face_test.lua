--- `brio face`: how a robot shows the emotions, as a table and as a picture.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, brio = harness.test, harness.brio

local folder = harness.files.temporary()

test("a robot's expressions are told by emotion", function(t)
  local run = brio("face", "probo")
  t:code(run, 0)
  for _, word in ipairs { "EyelidLeft", "MouthCornerRight", "surprised", "depressed", "+0.95",
      "rad, added" } do
    t:has(run.out, word)
  end
end)

test("a face is drawn, and a posture where there is none", function(t)
  for robot, word in pairs { probo = "face", mycobot280 = "posture" } do
    local path = folder .. "/" .. robot .. ".svg"
    t:code(brio("face", robot, "--out", path, "--view", "side"), 0)
    local text = harness.files.read(path) or ""
    t:check(#text > 50000 and text:find("</svg>", 1, true), "%s: %d bytes", word, #text)
    t:check(not text:find("nan", 1, true), "a number is none")
  end
  t:code(brio("face", "probo", "--out", folder .. "/linear.png", "--curve", "linear"), 0)
  t:check((harness.files.read(folder .. "/linear.png") or ""):sub(2, 4) == "PNG", "no PNG")
end)

test("another table of expressions is drawn, or refused in words", function(t)
  local path = folder .. "/mine.lua"
  harness.files.write(path, "return { dofs = { EarLeft = { { 10, 1 }, { 100, -1 }, { 200, 0.5 } }, NeckTilt \z
    = { { 0, 0.2 } } } }")
  t:code(brio("face", "probo", "--expressions", path, "--out", folder .. "/mine.svg"), 0)
  local run = brio("face", "pepper", "--expressions", path)
  t:code(run, 1)
  t:has(run.err, "robot 'pepper' has none of their DOFs, EarLeft and 1 more")
  for _, row in ipairs {
    { { "face" }, 2, "expects one robot" },
      { { "face", "probo", "--out", folder .. "/x.gif" }, 1, "ends with .svg or .png" },
    { { "face", "probo", "--curve", "wavy" }, 1, "curve must be one of" },
      { { "face", "nobody" }, 1, "no robot 'nobody'" },
    { { "face", "panda", "--view", "top", "--out", folder .. "/x.svg" }, 1, "there is no view 'top'" },
    { { "face", "probo", "--expressions", "/no/such.lua" }, 1, "/no/such.lua" },
    { { "face", "probo", "--out", "/no/such/x.svg" }, 1, "/no/such/x.svg" },
  } do
    run = brio(table.unpack(row[1]))
    t:code(run, row[2])
    t:has(run.err, row[3])
  end
end)

test("what was felt in a run is drawn over time", function(t)
  local store, file = folder .. "/run.db", folder .. "/pet.lua"
  harness.files.write(file, [[
local pet = require("brio").behavior "pet" { robot = "probo", start = "idle", character = { emotion = true } }
pet.idle = { enter = function(self) self.emotion:feel("happy", 0.8, 1) end }
return pet]])
  t:code(brio("run", file, "--for", "2", "--clock", "fast", "--store", store), 0)
  t:code(brio("plot", "--store", store, "--panel", "emotion", "--out", folder .. "/felt.svg"), 0)
  t:check(#(harness.files.read(folder .. "/felt.svg") or "") > 2000, "nothing is drawn")
  t:check(harness.number(store, "SELECT max(valence) FROM emotions") > 0.6, "it was not felt")
end)

harness.files.remove(folder)
harness.done()
