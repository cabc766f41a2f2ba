--- Cameras: rows of a behavior, a robot's file or `--camera`, each of which becomes a detector.
---
---     cameras = { eye = { from = "v4l2:/dev/video0", frame = "head_camera", size = 0.08 } }
---
--- The pictures are taken, and searched for tags, faces and people, by a program of its own, brio_camera,
--- which the detector's feed starts (engine/feed/places/program.c): docs/perception/cameras.md.
local detectors = require "brio.perception.detectors"
local lazy = require "brio.lib.lazy"
local paths = require "brio.lib.paths"
local process = lazy "brio.io.process"
local records = lazy "brio.perception.records"
local suggest = require "brio.lib.suggest"

local cameras = {}

--- Name of the program, and what to do where it is missing.
cameras.program = "brio_camera"
cameras.missing =
  "cameras need the program brio_camera, which is built where libapriltag, libjpeg and libpng are: \z
  `make vision` installs them and builds it"

--- Kinds of recordings: the others are devices.
local recorded = { folder = true, film = true }

--- Fields of a row that are for the detector; all others are settings of the program.
local for_detector = { asked_for = true, frame = true, oldest = true, silent = true, classes = true,
  begin = true }

--- The error in rows of cameras: a sentence, or nil.
function cameras.fault(rows)
  if rows == nil then return nil end
  local why = detectors.fault(rows, "cameras", records.camera)
  if why then return why end
  for _, name in ipairs(suggest.keys(rows)) do
    local kind = rows[name].from:match "^(%a[%w]*):."
    if kind ~= "v4l2" and not recorded[kind] then
      return ('cameras.%s.from must be "v4l2:/dev/video0", "folder:PATH" or "film:FILE", not "%s"')
        :format(name, rows[name].from)
    end
  end
end

-- Words for the program ---------------------------------------------------------------------------

--- A word of a command: other bytes than these are written as %20.
local function word(text)
  return (text:gsub("[^%w%-_./:=]", function(byte) return ("%%%02X"):format(byte:byte()) end))
end

local function list_of(numbers)
  local texts = {}
  for index, number in ipairs(numbers) do texts[index] = ("%.17g"):format(number) end
  return table.concat(texts, ",")
end

--- A path of a row, which is relative to its behavior's or robot's folder.
local function beside(folder, path) return path:sub(1, 1) == "/" and path or folder .. "/" .. path end

--- Writers of settings that are tables or paths: each adds NAME=VALUE texts.
local writers = {}

function writers.from(list, value, folder)
  local kind, rest = value:match "^(%a[%w]*):(.*)$"
  list[#list + 1] = ("from=%s:%s"):format(kind, recorded[kind] and beside(folder, rest) or rest)
end

function writers.calibration(list, value, folder)
  list[#list + 1] = "calibration=" .. beside(folder, value)
end

function writers.intrinsics(list, value)
  for _, key in ipairs { "fx", "fy", "cx", "cy" } do
    list[#list + 1] = ("%s=%.17g"):format(key, value[key])
  end
  list[#list + 1] = ("cwidth=%d"):format(value.width)
  list[#list + 1] = ("cheight=%d"):format(value.height)
  if value.k and value.k[1] then list[#list + 1] = "k=" .. list_of(value.k) end
  if value.p and value.p[1] then list[#list + 1] = "p=" .. list_of(value.p) end
  if value.fisheye then list[#list + 1] = "fisheye=1" end
end

local function tag(list, id, size, name)
  list[#list + 1] = ("tag=%s:%.17g%s"):format(id, size or 0, name and ":" .. name or "")
end

--- Tags with a size or a name of their own.
local function write_tags(list, row)
  local ids = {}
  for id in next, row.sizes or {} do ids[id] = true end
  for id in next, row.names or {} do ids[id] = true end
  local sorted = {}
  for id in next, ids do sorted[#sorted + 1] = id end
  table.sort(sorted, function(a, b) return tonumber(a) < tonumber(b) end)
  for _, id in ipairs(sorted) do tag(list, id, row.sizes and row.sizes[id], row.names and row.names[id]) end
end

--- The settings of a row as texts NAME=VALUE, in a fixed order.
function cameras.settings(row, folder)
  local list = {}
  for _, key in ipairs(suggest.keys(row)) do
    local value = row[key]
    if writers[key] then writers[key](list, value, folder)
    elseif value == true or value == false then list[#list + 1] = key .. (value and "=1" or "=0")
    elseif type(value) == "number" then list[#list + 1] = ("%s=%.17g"):format(key, value)
    elseif type(value) == "string" and not for_detector[key] then list[#list + 1] = key .. "=" .. value end
  end
  -- nothing is asked for: tags
  if row.tags == nil and (row.faces or row.people) then list[#list + 1] = "tags=0" end
  write_tags(list, row)
  return list
end

--- The path of the program; nil and a sentence if it is not there.
function cameras.find()
  local path = process.find(paths.folder(process.program()) .. "/" .. cameras.program)
  if not path then return nil, cameras.missing end
  return path
end

-- Rows --------------------------------------------------------------------------------------------

--- The detector's row of a camera.  `fast`: the run's clock, on which recordings count by their own times;
--- `picture`: the file for people who look (drivers/cameras/look.h), or nil.
local function detector_row(path, row, folder, fast, picture)
  local kind, settings, words = row.from:match "^%a[%w]*", {}, {}
  for key, value in next, row do
    if not for_detector[key] then settings[key] = value end
  end
  for index, text in ipairs(cameras.settings(settings, folder)) do words[index] = word(text) end
  local steady = fast and recorded[kind]
  if picture then words[#words + 1] = word("look=" .. picture) end
  local command = ("%s %s %s"):format(word(path), steady and "check" or "serve", table.concat(words, " "))
  return { from = (steady and "output:" or "program:") .. command, label = row.from, frame = row.frame,
    clock = "monotonic", oldest = row.oldest, silent = row.silent, classes = row.classes, begin = row.begin,
    asked_for = row.asked_for }
end

--- Rows of detectors for the cameras of one run: parts as for detectors.rows, with `fast`, `pictures` (a
--- folder for people who look), and `base_folder` of the robot's file.
--- Return them by name, and the files for people by name; nil and a sentence.
function cameras.rows(parts)
  local rows, folders = {}, {}
  for name, row in next, parts.base or {} do rows[name], folders[name] = row, parts.base_folder or "." end
  for name, row in next, parts.more or {} do rows[name], folders[name] = row, parts.folder end
  for index, words in ipairs(parts.said or {}) do
    local name, row = detectors.read(words, records.camera)
    if not row or type(row) == "string" then return nil, ("'%s': %s"):format(words, row) end
    name = name or "camera" .. (index > 1 and index or "")
    row.asked_for, rows[name], folders[name] = true, row, "."
    local why = cameras.fault { [name] = { from = row.from } }
    if why then return nil, why end
  end
  if not next(rows) then return rows end
  local path, why = cameras.find()
  if not path then return nil, why end
  local made, pictures = {}, {}
  for name, row in next, rows do
    -- a recording on the fast clock is read in one go: there is nothing to look at
    local shown = parts.pictures and not (parts.fast and recorded[row.from:match "^%a[%w]*"])
    pictures[name] = shown and ("%s/%s.jpg"):format(parts.pictures, name) or nil
    made[name] = detector_row(path, row, folders[name], parts.fast, pictures[name])
  end
  return made, pictures
end

return cameras
