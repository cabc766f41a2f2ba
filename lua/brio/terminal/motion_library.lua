--- A library of motions: a folder of clips of other programs, each as a sequence for one robot.
---
--- The library's folder has the sequences, by the names of their clips, and `library.json`: what each clip
--- became, or why it was left out. It is written after each clip, so that a stopped import goes on where it
--- was: a clip that is in it, with the same size and time and the same options, is not done again.
local cjson = require "cjson"
local cli = require "brio.terminal.cli"
local motion_sets = require "brio.terminal.motion_sets"
local motions = require "brio.terminal.motion_files"
local sequence = require "brio.motion.sequence"
local suggest = require "brio.lib.suggest"
local uv = require "luv"

local library = {}

--- The name of the file that lists a library's clips.
library.index = "library.json"

--- Options that make other sequences, as one text: the same text, the same sequences.
local function digest(robot, options)
  local words = { "robot=" .. robot }
  for _, name in ipairs(suggest.keys(options)) do
    local value = options[name]
    value = type(value) == "table" and table.concat(value, ",") or tostring(value)
    words[#words + 1] = name .. "=" .. value
  end
  return table.concat(words, " ")
end

--- The rows of a library by their sources; empty if it has none yet, or none with these options.
local function read_index(path, made_with)
  local file = io.open(path, "rb")
  if not file then return {} end
  local text = file:read("a")
  file:close()
  local good, value = pcall(cjson.decode, text)
  if not good or type(value) ~= "table" or type(value.clips) ~= "table" then
    return nil, ("%s: is not the list of a library: %s"):format(path, good and "it has no clips" or value)
  end
  local rows = {}
  for _, row in ipairs(value.made_with == made_with and value.clips or {}) do rows[row.source] = row end
  return rows
end

--- Write a file as a whole: a stop while it is written leaves the one before.
local function write(path, text)
  local good, why = cli.write(path .. ".new", text)
  if not good then return nil, why end
  local renamed, fault = os.rename(path .. ".new", path)
  return renamed, fault
end

local function write_index(path, made_with, robot, rows)
  local clips = {}
  for index, source in ipairs(suggest.keys(rows)) do clips[index] = rows[source] end
  return write(path, cjson.encode { robot = robot, made_with = made_with, clips = clips } .. "\n")
end

--- Make the folders of a file below the library.
local function make_folders(root, name)
  local at = root
  for part in name:gmatch "([^/]+)/" do
    at = at .. "/" .. part
    local good, why = cli.make_folder(at)
    if not good then return nil, why end
  end
  return true
end

--- Import one clip: its row. `reason`: why it has been left out.
local function import_clip(item, root, robot, options)
  local stat = uv.fs_stat(item.file) or { size = 0, mtime = { sec = 0 } }
  local row = { source = item.file, bytes = stat.size, time = stat.mtime.sec }
  local clip, why = motions.read(item.file, options)
  local made, notes
  if clip then made, notes = motions.fit(clip, robot, options) else notes = why end
  if not made then
    row.reason = notes
    return row
  end
  row.file, row.notes, row.seconds = item.name .. ".lua", notes, sequence.length(made)
  made.name = made.name or item.name
  local good, fault = make_folders(root, row.file)
  if good then good, fault = write(root .. "/" .. row.file, sequence.text(made)) end
  if not good then return nil, fault end
  return row
end

--- Whether a row is still that of a file, and its sequence is there.
local function is_done(row, item, root)
  local stat = row and uv.fs_stat(item.file)
  if not stat or row.bytes ~= stat.size or row.time ~= stat.mtime.sec then return false end
  return row.reason ~= nil or uv.fs_stat(root .. "/" .. row.file) ~= nil
end

--- Names of clips whose files differ in their ending alone get it, too.
local function distinct(items)
  local count = {}
  for _, item in ipairs(items) do count[item.name] = (count[item.name] or 0) + 1 end
  for _, item in ipairs(items) do
    if count[item.name] > 1 then item.name = item.name .. "_" .. item.file:match "%.(%w+)$" end
  end
end

--- Import all clips below `folder` for a robot into the folder `root`. `options`: as of motions.fit;
--- `tell(number, count, row, done)` is called for each clip: `done`: it had been imported before. Returns the
--- rows, in the order of the clips, or nil and a sentence.
function library.make(folder, robot, root, options, tell)
  local items, why = motion_sets.files(folder)
  if not items then return nil, why end
  distinct(items)
  local good, fault = cli.make_folder(root)
  if not good then return nil, fault end
  local made_with, index = digest(robot, options), root .. "/" .. library.index
  local rows, wrong = read_index(index, made_with)
  if not rows then return nil, wrong end
  local out = {}
  for number, item in ipairs(items) do
    local row = rows[item.file]
    local done = is_done(row, item, root)
    if not done then
      row, fault = import_clip(item, root, robot, options)
      if not row then return nil, fault end
      rows[item.file] = row
      good, fault = write_index(index, made_with, robot, rows)
      if not good then return nil, fault end
    end
    out[number] = row
    tell(number, #items, row, done)
  end
  return out
end

return library
