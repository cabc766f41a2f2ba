--- Cameras as a user has them: pictures of a room against reference values, a run that sees tags, faults of
--- a camera, and the kiosk that greets a face.  There is no camera here: folders of pictures stand for one.
--- Tests of tags are skipped where brio was built without brio_camera, those of faces also without OpenCV.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local cjson = require "cjson"
local uv = require "luv"
local files = harness.files

local function needs(t, name)
  if not files.exists(harness.build .. "/" .. name) then
    t:skip(name .. " was not built: its libraries are missing")
  end
end

local function reference(t)
  local shared = harness.shared()
  local there = shared and files.exists(shared .. "/data/vision/FILES.tsv")
  if not there then t:skip "there is no reference data here" end
  return shared .. "/data/vision/"
end

local function with_folder(fn)
  local folder = files.temporary()
  fn(folder)
  files.remove(folder)
end

local function rows_of(path)
  local rows, head = {}, nil
  for line in files.read(path):gmatch "[^\r\n]+" do
    local cells = {}
    for cell in (line .. "\t"):gmatch "(.-)\t" do cells[#cells + 1] = cell end
    if head then rows[#rows + 1] = cells else head = cells end
  end
  return rows
end

local function quoted(...)
  local list = { ... }
  for index, word in ipairs(list) do list[index] = files.quote(word) end
  return table.concat(list, " ")
end

--- The messages of brio_camera about a folder of pictures.
local function messages(t, folder, settings)
  local run = harness.run(quoted(harness.build .. "/brio_camera", "check", "from=folder:" .. folder,
    "decimate=1",    "margin=0", "hamming=2", "details=1", table.unpack(settings)))
  t:equal(run.code, 0, "exit code: " .. run.err)
  local list = {}
  for line in run.out:gmatch "[^\n]+" do list[#list + 1] = cjson.decode(line) end
  return list
end

local function by_id(message)
  local found = {}
  for _, one in ipairs(message.detections) do found[tonumber(one.id:match ":(%d+)$")] = one end
  return found
end

local sets = {
  { name = "room", settings = { "size=0.127", "fx=765.00", "fy=764.18", "cx=393.72", "cy=304.66",
    "cwidth=816",
    "cheight=612" } },
  { name = "turned", settings = { "size=0.065", "fx=329.873", "fy=332.946", "cx=528", "cy=396" } },
  { name = "duckietown", settings = { "size=0.065", "fx=336.776", "fy=336.027", "cx=333.358",
    "cy=212.774" } },
}

--- The messages of each set by the picture's name.
local function seen_of(t, data)
  local seen = {}
  for _, set in ipairs(sets) do
    local names = {}
    for _, name in ipairs(files.lines("ls " .. files.quote(data .. set.name))) do
      if name:lower():match "%.jpg$" or name:match "%.png$" then names[#names + 1] = name end
    end
    for index, message in ipairs(messages(t, data .. set.name, set.settings)) do
      seen[set.name .. "/" .. names[index]] = message
    end
  end
  return seen
end

local function distance(a, b)
  return math.sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2 + (a[3] - b[3]) ^ 2)
end

local function median(list)
  table.sort(list)
  return (list[(#list + 1) // 2] + list[#list // 2 + 1]) / 2
end

--- Tag-to-tag distances of the room: median <= 1.5 %, each <= 3 % off the reference.
local function check_distances(t, data, seen)
  local pairs_of, errors = {}, {}
  for picture, message in pairs(seen) do
    local found = picture:match "^room/" and by_id(message) or {}
    for a, one in pairs(found) do
      for b, other in pairs(found) do
        if a < b then
          local key = a .. " " .. b
          pairs_of[key] = pairs_of[key] or {}
          table.insert(pairs_of[key], distance(one.pose, other.pose))
        end
      end
    end
  end
  for _, row in ipairs(rows_of(data .. "room/distances.tsv")) do
    local list = pairs_of[row[1] .. " " .. row[2]]
    local far = list and math.abs(median(list) / tonumber(row[4]) - 1) or 1
    errors[#errors + 1] = far
    t:check(far <= 0.03, "tags %s and %s: %.2f %% off", row[1], row[2], 100 * far)
  end
  t:check(#errors > 50 and median(errors) <= 0.015, "%d distances, median %.2f %% off", #errors,
    100 * median(errors))
end

--- The direction of a turned tag's face about the vertical, degrees, from its axes in the camera's frame.
local function turn_of(pose)
  local x, y, z, w = pose[4], pose[5], pose[6], pose[7]
  return math.deg(math.atan(2 * (x * y + w * z), -(1 - 2 * (y * y + z * z))))
end

harness.test("reference pictures: all tags, their distances, and how they are turned", function(t)
  needs(t, "brio_camera")
  local data = reference(t)
  local seen, listed = seen_of(t, data), 0
  for _, row in ipairs(rows_of(data .. "detections.tsv")) do
    listed = listed + 1
    local one = seen[row[1]] and by_id(seen[row[1]])[tonumber(row[2])]
    if t:check(one, "tag %s of %s is not found", row[2], row[1]) then
      for k = 1, 8 do -- the library counts from a pixel's corner, brio from its center
        t:check(math.abs(one.pixels[k] + 0.5 - tonumber(row[4 + k])) < 0.5, "%s tag %s: corner %g, not %s",
          row[1],
          row[2], one.pixels[k] + 0.5, row[4 + k])
      end
    end
  end
  t:check(listed > 70, "the list has %d tags", listed)
  check_distances(t, data, seen)
  for name, angle in pairs { ["turned_0.png"] = 1, ["turned_30.png"] = -27, ["turned_-60.png"] = 62 } do
    local one = by_id(seen["turned/" .. name])[76]
    t:check(#one.pose == 7 and math.abs(turn_of(one.pose) - angle) <= 2, "%s: %s", name,
      #one.pose == 7 and turn_of(one.pose) or "ambiguous")
  end
end)

-- Pictures of a tag --------------------------------------------------------------------------------

--- A tag's cells, by the board that brio prints: rows of true (black) by column.
local function cells_of(folder)
  local run = harness.brio("camera", "board", folder .. "/one.svg", "--columns", "1", "--rows", "1",
    "--size", "0.08",
    "--spacing", "0")
  local cells = {}
  local rectangle = '<rect x="([%d.]+)" y="([%d.]+)" width="([%d.]+)"'
  for x, y, width in files.read(folder .. "/one.svg"):gmatch(rectangle) do
    local row, first = (y - 10) // 10 + 1, (x - 10) // 10 + 1
    cells[row] = cells[row] or {}
    for column = first, first + width // 10 - 1 do cells[row][column] = true end
  end
  return cells, run
end

local function pgm(width, rows) return ("P5\n%d %d\n255\n"):format(width, #rows) .. table.concat(rows) end

--- A picture of the tag, 20 px a cell; two with other `marks` are not the same.
local function picture_of(cells, mark)
  local rows = {}
  for y = 1, 240 do
    local cell = cells[(y - 41) // 20 + 1] or {}
    local parts = { ("\220"):rep(80) }
    for column = 1, 8 do parts[#parts + 1] = (cell[column] and "\30" or "\220"):rep(20) end
    parts[#parts + 1] = ("\220"):rep(80)
    rows[y] = table.concat(parts)
  end
  rows[1] = string.char(mark) .. rows[1]:sub(2)
  return pgm(320, rows)
end

local function put(folder, first, second)
  for name, picture in pairs { a = first, b = second } do
    files.write(folder .. "/new", picture)
    assert(os.rename(folder .. "/new", ("%s/%s.pgm"):format(folder, name))) -- never half a picture
  end
end

local behavior = [[
local brio = require "brio"
local made = brio.behavior "made" { robot = "ur3e", start = "looking", memory = { sender = "" },
  cameras = { eye = { from = "folder:pictures", again = true, rate = 20, size = 0.08, decimate = 1,
    names = { [0] = "cup" }, intrinsics = { width = 320, height = 240, fx = 300, fy = 300, cx = 159.5,
      cy = 119.5 } } } }
made.looking = { tick = function(self)
  local sender = self.detectors.eye:state().sender
  if sender ~= self.memory.sender then self:log("sent by %s", sender) end
  self.memory.sender = sender
end, on = {
  detector_heard = function(self) self:log("heard %s", self.detectors.eye:state().sender) end,
  detector_lost = function(self) self:log("lost the eye") end,
  cup_appeared = function(self, cup)
    local at = cup.position
    self:log("a cup at %.2f %.2f %.2f", at[1], math.abs(at[2]), math.abs(at[3]))
  end,
  cup_lost = function(self) self:log("lost the cup") end,
} }
return made
]]

harness.test("a folder on the fast clock is seen the same in each run", function(t)
  needs(t, "brio_camera")
  with_folder(function(folder)
    local cells = cells_of(folder)
    assert(uv.fs_mkdir(folder .. "/pictures", 493))
    put(folder .. "/pictures", picture_of(cells, 1), picture_of(cells, 2))
    files.write(folder .. "/made.lua", behavior)
    local query = "SELECT count(*), max(t), group_concat(printf('%.9f', x), ' ') FROM detections"
    local answers = {}
    for k = 1, 2 do
      local store = folder .. "/" .. k .. ".db"
      local run = harness.brio("run", folder .. "/made.lua", "--clock", "fast", "--for", "2", "--store",
        store)
      t:equal(run.code, 0, "exit code: " .. run.text)
      -- 160 px of 0.08 m at 300 px: 0.15 m
      t:check(harness.contains(run.text, "a cup at 0.15 0.00 0.00"), "%s", run.text)
      answers[k] = harness.sql(store, query)
    end
    t:check(tonumber(answers[1]:match "^%d+") > 20, "detections: %s", answers[1])
    t:equal(answers[2], answers[1], "the second run")
    -- a replay needs neither the pictures nor the behavior's file
    assert(os.rename(folder .. "/pictures", folder .. "/away"))
    assert(os.remove(folder .. "/made.lua"))
    local replayed = harness.brio("replay", "1", "--store", folder .. "/1.db")
    t:check(replayed.code == 0 and harness.contains(replayed.text, "equal to the bit"), "%s", replayed.text)
  end)
end)

harness.test("a camera's faults are said, what it saw ages out, and it comes back", function(t)
  needs(t, "brio_camera")
  with_folder(function(folder)
    local cells = cells_of(folder)
    local pictures = folder .. "/pictures"
    local first, second = picture_of(cells, 1), picture_of(cells, 2)
    local black = pgm(320, { ("\2"):rep(320 * 240) }):gsub("320 1\n", "320 240\n")
    local wide = pgm(320, { ("\100"):rep(320 * 180) }):gsub("320 1\n", "320 180\n")
    assert(uv.fs_mkdir(pictures, 493))
    put(pictures, first, second)
    files.write(folder .. "/made.lua", behavior)
    local run = harness.start_brio("run", folder .. "/made.lua", "--store", folder .. "/run.db")
    harness.await_output(run, "a cup at 0.15")
    -- each fault, and the good pictures again
    local faults = { { black, black, "black: no pixel" }, { first, first, "frozen: the same picture" },
      { wide, wide, "wrong size: the pictures have 320 x 180 px" } }
    -- What the run said last of the eye and the cup decides, not how often: a machine that stalls for over a
    -- second makes it lose both for a moment.
    local function last(piece) return harness.output_of(run):match(".*()" .. piece) or 0 end
    local function await_both(what, eye, cup)
      harness.await(what, function() return last(eye[1]) > last(eye[2]) and last(cup[1]) > last(cup[2]) end,
        { seen = function() return harness.output_of(run) end })
    end
    local heard, lost = { "heard process", "lost the eye" }, { "lost the eye", "heard process" }
    local seen, gone = { "a cup at", "lost the cup" }, { "lost the cup", "a cup at" }
    await_both("the eye and the cup", heard, seen)
    for _, fault in ipairs(faults) do
      put(pictures, fault[1], fault[2])
      harness.await_output(run, fault[3])
      await_both("eye and cup to be lost, " .. fault[3], lost, gone)
      put(pictures, first, second)
      await_both("eye and cup to come back after " .. fault[3], heard, seen)
    end
    -- unplugged, and plugged in
    assert(os.rename(pictures, folder .. "/away"))
    harness.await_output(run, "~pictures:? [ic][sa]") -- is gone, or cannot be listed: whichever is first
    await_both("eye and cup to be lost without pictures", lost, gone)
    assert(os.rename(folder .. "/away", pictures))
    await_both("eye and cup to come back with the pictures", heard, seen)
    -- a crash of the program is no crash of the robot: it is started again, under another number
    local before = harness.output_of(run):match ".*sent by process (%d+)"
    harness.run("kill -SEGV " .. before)
    harness.await_output(run, "it ended by signal 11; it is started again")
    harness.await("another process", function()
      return harness.output_of(run):match ".*sent by process (%d+)" ~= before
    end, { seen = function() return harness.output_of(run) end })
    harness.signal(run, "INT")
    local code = harness.wait(run)
    t:equal(code, 0, "exit code")
    files.output(("mv %s %s/away"):format(files.quote(pictures), files.quote(folder)))
    local replayed = harness.brio("replay", "1", "--store", folder .. "/run.db")
    t:check(replayed.code == 0 and harness.contains(replayed.text, "equal to the bit"), "%s", replayed.text)
    t:check(harness.number(folder .. "/run.db",
      "SELECT count(*) FROM faults WHERE message LIKE '%sensor has a fault%'")
      >= 5, "the faults are recorded")
    t:check(harness.run("kill -0 " .. before).code ~= 0, "no program is left")
  end)
end)

harness.test("at the end of a recording its program is not started again", function(t)
  needs(t, "brio_camera")
  with_folder(function(folder)
    local cells = cells_of(folder)
    assert(uv.fs_mkdir(folder .. "/pictures", 493))
    put(folder .. "/pictures", picture_of(cells, 1), picture_of(cells, 2))
    files.write(folder .. "/made.lua", (behavior:gsub("again = true, ", "")))
    local run = harness.start_brio("run", folder .. "/made.lua", "--store", "none")
    harness.await_output(run, "lost the eye")
    harness.signal(run, "INT")
    local code, text = harness.wait(run)
    t:equal(code, 0, "exit code")
    t:check(not text:find("started again", 1, true) and select(2, text:gsub("sent by process", "")) == 1,
      "it plays once: %s", text)
  end)
end)

harness.test("wrong rows are named, and rows start no other programs", function(t)
  with_folder(function(folder)
    local function fault_of(row)
      files.write(folder .. "/odd.lua", ([[
local brio = require "brio"
local odd = brio.behavior "odd" { robot = "ur3e", start = "looking", %s }
odd.looking = {}
return odd
]]):format(row))
      local run = harness.brio("check", folder .. "/odd.lua")
      return run
    end
    local function refuses(row, piece)
      local run = fault_of(row)
      t:check(run.code ~= 0 and harness.contains(run.text, piece), "%s: %s", row, run.text)
    end
    refuses('cameras = { eye = { from = "usb:0" } }', 'must be "v4l2:/dev/video0"')
    refuses('cameras = { eye = { from = "v4l2:/dev/video0", size = -1 } }', "cameras.eye: size must be from")
    refuses('cameras = { eye = { from = "v4l2:/dev/video0", sise = 1 } }', "did you mean 'size'")
    refuses('cameras = { eye = { from = "v4l2:/dev/video0", names = { cup = "x" } } }', "no number of a tag")
    refuses('cameras = { eye = { size = 1 } }', "cameras.eye must be a table with from")
    refuses('detectors = { eye = { from = "program:touch x" } }', "only a person starts programs")
    refuses('detectors = { eye = { from = "output:touch x" } }', "only a person starts programs")
  end)
end)

harness.test("commands say what is wrong with pictures and words", function(t)
  needs(t, "brio_camera")
  with_folder(function(folder)
    files.write(folder .. "/broken.png", "\137PNG\r\n\26\nhello")
    local function says(piece, code, ...)
      local run = harness.brio(...)
      t:equal(run.code, code, run.text)
      t:check(harness.contains(run.text, piece), "%s", run.text)
    end
    says("no valid PNG", 1, "camera", "check", folder .. "/broken.png")
    says("nothing: cannot list: No such file", 1, "camera", "check", folder .. "/nothing")
    assert(uv.fs_mkdir(folder .. "/empty", 493))
    says("has no picture", 1, "camera", "check", folder .. "/empty")
    says("there is no szie (did you mean 'size'?)", 2, "camera", "check", folder, "--set", "szie=1")
    says("there is no family of tags 'x'", 2, "camera", "board", folder .. "/x.svg", "--family", "x")
    says("give at least 3 pictures", 2, "calibrate", "camera", "a.png")
    says("usage: brio camera list", 2, "camera", "lst")
    says("it cannot be opened: No such file", 1, "camera", "check", "/dev/video-none")
  end)
end)

-- A drawn board ------------------------------------------------------------------------------------

--- The black cells of a printed board, of 5 mm each, by row and column from its middle.
local function board_of(path)
  local text, black = files.read(path), {}
  local width, height = text:match 'viewBox="0 0 ([%d.]+) ([%d.]+)"'
  local left, top = width / 2, (height - 8) / 2 -- the line of words below it takes 8 mm
  for x, y, length in text:gmatch '<rect x="([%d.]+)" y="([%d.]+)" width="([%d.]+)" height="5' do
    local row, first = math.floor((y - top) / 5 + 0.5), math.floor((x - left) / 5 + 0.5)
    black[row] = black[row] or {}
    for column = first, first + math.floor(length / 5 + 0.5) - 1 do black[row][column] = true end
  end
  return black
end

--- A picture of the board by a lens of `f` px, tilted by `tilt` about an axis in the direction `way`, rad.
local function board_picture(black, f, tilt, way, far)
  local c, s, x, y = math.cos(tilt), math.sin(tilt), math.cos(way), math.sin(way)
  -- the board's axes and its normal, by Rodrigues' formula
  local r1 = { c + x * x * (1 - c), x * y * (1 - c), -y * s }
  local r2 = { x * y * (1 - c), c + y * y * (1 - c), x * s }
  local n = { y * s, -x * s, c }
  local rows = {}
  for v = 0, 239 do
    local row = {}
    for u = 0, 319 do
      local a, b = (u - 162) / f, (v - 117) / f
      local k = n[3] * far / (n[1] * a + n[2] * b + n[3])
      local px, py, pz = k * a, k * b, k - far
      local column = (r1[1] * px + r1[2] * py + r1[3] * pz) // 0.005
      local line = black[(r2[1] * px + r2[2] * py + r2[3] * pz) // 0.005]
      row[u + 1] = line and line[column] and 30 or 220
    end
    rows[v + 1] = string.char(table.unpack(row))
  end
  return pgm(320, rows)
end

harness.test("a camera is calibrated by pictures of the printed board, and the file is used", function(t)
  needs(t, "brio_camera")
  with_folder(function(folder)
    local board = { "--columns", "4", "--rows", "3", "--size", "0.04", "--spacing", "0.01" }
    harness.brio("camera", "board", folder .. "/board.svg", table.unpack(board))
    local black, pictures = board_of(folder .. "/board.svg"), {}
    for k = 1, 5 do
      pictures[k] = ("%s/%d.pgm"):format(folder, k)
      files.write(pictures[k], board_picture(black, 300, 0.6, 1.3 * k, 0.27))
    end
    local file = folder .. "/camera.json"
    local words = table.move(board, 1, #board, #pictures + 1, pictures)
    local run = harness.brio("calibrate", "camera", "--write", file, table.unpack(words))
    t:equal(run.code, 0, run.text)
    local fx = tonumber(run.text:match "fx +([%d.]+)")
    t:check(fx and math.abs(fx - 300) < 15, "300 px, and found is: %s", run.text)
    t:check(tonumber(run.text:match "error ([%d.]+) px") < 0.6, "the error: %s", run.text)
    -- the middle tag of the first picture, with the file
    local seen = harness.brio("camera", "check", pictures[1], "--calibration", file, "--size", "0.04",
      "--set", "decimate=1")
    local far = tonumber(seen.text:match "tag36h11:5 .-at +([%d.]+)")
    t:check(far and math.abs(far - 0.27) < 0.03, "tag 5 is 0.27 m away: %s", seen.text)
    -- one picture does not determine a camera, however often it is given
    local same = harness.brio("calibrate", "camera", pictures[1], pictures[1], pictures[1], "--write",
      folder .. "/none.json", table.unpack(board))
    t:check(same.code ~= 0 and not files.exists(folder .. "/none.json"), "one picture thrice: %s", same.text)
  end)
end)

-- A drawn face -------------------------------------------------------------------------------------

--- Blend an ellipse with a soft edge into rows of gray levels.
local function ellipse(rows, x, y, width, height, gray, soft)
  for v = math.floor(y - 1.4 * height), math.ceil(y + 1.4 * height) do
    local row = rows[v]
    for u = math.floor(x - 1.4 * width), row and math.ceil(x + 1.4 * width) or -1 do
      local far = math.sqrt(((u - x) / width) ^ 2 + ((v - y) / height) ^ 2)
      local share = math.max(0, math.min(1, (1 + soft - far) / (2 * soft)))
      if row[u] then row[u] = row[u] + share * (gray - row[u]) end
    end
  end
end

--- Parts of a face, from its middle in half widths: x, y, half width, half height, gray, softness; those off
--- the --- middle are there twice.
local parts = {
  { 0, -0.35, 1.15, 1.25, 35, 0.1 }, { 0, 0, 0.95, 1.3, 190, 0.12 }, -- hair, skin
  { 0.42, -0.28, 0.3, 0.17, 120, 0.5 }, { 0.42, -0.42, 0.28, 0.06, 50, 0.4 }, -- eye sockets, brows
  { 0.42, -0.24, 0.18, 0.09, 235, 0.3 }, { 0.42, -0.24, 0.09, 0.09, 25, 0.3 }, -- eyes
  { 0.5, 0.2, 0.25, 0.2, 205, 0.8 }, { 0, -0.02, 0.1, 0.3, 215, 0.6 }, { 0.12, 0.27, 0.07, 0.05, 90, 0.6 },
  { 0, 0.6, 0.36, 0.09, 110, 0.4 }, { 0, 0.6, 0.32, 0.03, 60, 0.4 } }

local function face_picture(x, y, half)
  local rows = {}
  for v = 1, 240 do
    rows[v] = {}
    for u = 1, 320 do rows[v][u] = 90 + (u * 7 + v * 13) % 5 end
  end
  for _, part in ipairs(parts) do
    for side = part[1] == 0 and 1 or -1, 1, 2 do
      ellipse(rows, x + side * part[1] * half, y + part[2] * half, part[3] * half, part[4] * half, part[5],
        part[6])
    end
  end
  for v = 1, 240 do
    for u = 1, 320 do rows[v][u] = math.floor(rows[v][u]) end
    rows[v] = string.char(table.unpack(rows[v]))
  end
  return pgm(320, rows)
end

harness.test("the kiosk greets a drawn face, and turns its head to it", function(t)
  needs(t, "brio_opencv.so")
  with_folder(function(folder)
    assert(uv.fs_mkdir(folder .. "/faces", 493))
    files.write(folder .. "/nobody.lua", "return {}")
    -- to the left of the middle
    files.write(folder .. "/faces/a.pgm", face_picture(110, 120, 40))
    local store = folder .. "/kiosk.db"
    local run = harness.brio("run", "behaviors/kiosk.lua", "--robot", "pepper", "--clock", "fast", "--for",
      "1.6",       "--world", folder .. "/nobody.lua", "--store", store, "--camera",
      "eye=folder:" .. folder .. "/faces,frame=Head,faces=true,again=true,rate=4,every=1")
    t:equal(run.code, 0, run.text)
    t:check(harness.number(store, "SELECT count(*) FROM events WHERE name = 'greeted'") == 1,
      "it greets: %s", run.text)
    local yaw = harness.number(store, "SELECT measured FROM samples(1, 'HeadYaw') ORDER BY tick DESC LIMIT 1")
    t:check(yaw and yaw > 0.2, "the head turns to the left: %s", tostring(yaw))
  end)
end)

harness.test("the end of a request that is too long is no request", function(t)
  needs(t, "brio_camera")
  with_folder(function(folder)
    files.write(folder .. "/requests", ("x"):rep(65536) .. '{"request": 5}\n{"request": 6}\n')
    local run = harness.run { ("exec %s serve from=film:%s/none.avi <%s/requests"):format(
      files.quote(harness.build .. "/brio_camera"), folder, folder) }
    t:has(run.out, '"ack": 6')
    t:check(not run.out:find('"ack": 5', 1, true), "answered: %s", run.out)
  end)
end)

harness.done()
