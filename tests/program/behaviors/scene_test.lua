--- `brio scene`: clouds read, binned, drawn, and refused with a message.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, brio, files = harness.test, harness.brio, harness.files

--- A slanted wall as a camera sees it, 40 x 30 pixels, one of them without a point; optical axes.
local function wall()
  local rows = { "VERSION 0.7\nFIELDS x y z rgb\nSIZE 4 4 4 4\nTYPE F F F U\nCOUNT 1 1 1 1",
    "WIDTH 40\nHEIGHT 30\nPOINTS 1200\nDATA ascii" }
  for v = 0, 29 do
    for u = 0, 39 do
      local z = 2 + u / 40
      rows[#rows + 1] = u == 0 and v == 0 and "nan nan nan 0"
        or ("%.5f %.5f %.5f %d"):format((u - 19.5) / 40 * z, (v - 14.5) / 40 * z, z,
          u < 20 and 0xff0000 or 0x0000ff)
    end
  end
  return table.concat(rows, "\n") .. "\n"
end

test("a cloud is described, its axes guessed, and counted in", function(t)
  local folder = t:folder()
  files.write(folder .. "/wall.pcd", wall())
  local run = brio("scene", folder .. "/wall.pcd", "--shape", "sphere:0.3@2.5,0,0", "--shape",
    "half_space@0,0,0",
    "--find", "none")
  t:code(run, 0)
  t:has(run.out, "points     1199, and 1 places without one")
  t:has(run.out, "organized  40 x 30")
  t:has(run.out, "optical (guessed")
  t:has(run.out, "red 0.50, green 0.00, blue 0.50")
  t:has(run.out, "half_space@0,0,0: 600 points")
  run = brio("scene", folder .. "/wall.pcd", "--axes", "robot", "--json", "--voxels", "0.1", "--find", "none")
  t:code(run, 0)
  local made = require("cjson").decode(run.out)
  t:equal(made.axes, "robot", "as said")
  t:equal(made.facts.organized, false, "thinned")
  t:check(made.facts.count > 100 and made.facts.count < 1199, "thinned")
end)

test("a cloud is drawn as pixels and as a vector picture", function(t)
  local folder = t:folder()
  files.write(folder .. "/wall.pcd", wall())
  for _, kind in ipairs { "png", "svg" } do
    local run = brio("scene", folder .. "/wall.pcd", "--picture", folder .. "/w." .. kind,
      "--shape", "box:0.2,0.2,0.2@2.5,0,0,0,0,0.5")
    t:code(run, 0)
    local bytes = files.read(folder .. "/w." .. kind)
    t:check(#bytes > 5000, "a picture")
    t:has(bytes, kind == "png" and "PNG" or "</svg>")
  end
end)

test("what is no cloud, or no wish, is said", function(t)
  local folder = t:folder()
  files.write(folder .. "/wall.pcd", wall():sub(1, -500):match "^(.*)\n")
  files.write(folder .. "/text", "hello")
  local run = brio("scene", folder .. "/wall.pcd")
  t:code(run, 1)
  t:has(run.err, "cut off")
  run = brio("scene", folder .. "/text")
  t:code(run, 1)
  t:has(run.err, "PCD, PLY or a raw frame")
  run = brio("scene", folder .. "/none.pcd")
  t:code(run, 1)
  t:has(run.err, "none.pcd")
  for wish, piece in pairs { ["--shape=ball:1"] = "a solid is sphere",
      ["--axes=up up up"] = "where x, y and z point",
    ["--picture=x.jpg"] = ".png or .svg", ["--find=treasure"] = "nothing looks for 'treasure'",
    ["--unit=-1"] = "--unit must be" } do
    files.write(folder .. "/wall.pcd", wall())
    run = brio("scene", folder .. "/wall.pcd", wish)
    t:code(run, 2)
    t:has(run.err, piece)
  end
  run = brio("scene")
  t:code(run, 2)
end)

--- A depth camera's view, 1.2 m above a floor, 20 degrees down: the floor to 4 m, and, where `top` is given,
--- a table with its top `top` m over the floor, from `from` to `to` m ahead.  Points in the sensor's frame, x
--- forward, z up.
local function room(top, from, to)
  local points = {}
  for row = 0, 119 do
    for column = 0, 159 do
      local down, aside = math.rad(2 + 40 * row / 119), math.rad(25 - 50 * column / 159)
      local x = 1.2 / math.tan(down)
      local height = -1.2
      if top then
        local reach = (1.2 - top) / math.tan(down)
        if reach >= from and reach <= to then x, height = reach, top - 1.2 end
      end
      local y = x * math.tan(aside)
      points[#points + 1] = x <= 4 and ("%.4f %.4f %.4f"):format(x, y,
        height + 0.0005 * ((row * 7 + column * 3) % 5 - 2)) or "nan nan nan"
    end
  end
  return ("VERSION .7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 160\nHEIGHT 120\n"
    .. "VIEWPOINT 0 0 0 1 0 0 0\nPOINTS 19200\nDATA ascii\n%s\n"):format(table.concat(points, "\n"))
end

test("the near end of a floor is not called a table's edge; a table's is", function(t)
  local folder = t:folder()
  files.write(folder .. "/floor.pcd", room())
  local run = brio("scene", folder .. "/floor.pcd", "--axes", "robot", "--find", "table")
  t:code(run, 0)
  t:has(run.out, "near end of a level surface: ")
  t:has(run.out, "1.20 m below the sensor")
  t:has(run.out, "a table's edge or a floor's")
  t:check(not run.out:find "table edge:", "it is called a table's edge: %s", run.out)
  files.write(folder .. "/table.pcd", room(0.7, 0.9, 1.6))
  run = brio("scene", folder .. "/table.pcd", "--axes", "robot", "--find", "table")
  t:code(run, 0)
  t:has(run.out, "table edge: ")
  t:has(run.out, "0.70 m over the ground")
end)

harness.done()
