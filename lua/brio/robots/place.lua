--- Where a run's robot description is on the disk. It is recorded so that the robot can be found again: by
--- its name alone only the robots that ship with brio can.
local lazy = require "brio.lib.lazy"
local document = lazy "brio.formats.json"
local paths = require "brio.lib.paths"
local robots = require "brio.robots.catalog"
local store = require "brio.store"

local place = {}

--- The folders of packages that a run was given, as absolute paths; nil if there are none.
local function package_folders(packages)
  local list = {}
  for _, folder in ipairs(type(packages) == "string" and { packages } or packages or {}) do
    list[#list + 1] = paths.absolute(folder)
  end
  return #list > 0 and store.array(list) or nil
end

--- The location of a robot, to be recorded: its file, and the folders of its packages. Both nil for a robot
--- that ships.
---@param description table of robots.find
---@param packages string|string[]|nil the run's option
---@return string? file
---@return string[]? packages
function place.of(description, packages)
  local own = paths.robots() .. "/" .. description.name .. "/robot.lua"
  local file = paths.absolute(description.file)
  if file == paths.absolute(own) then return nil end
  return file, package_folders(packages)
end

--- The JSON options in a run's row; an empty table if it has none.
local function read(json)
  local good, options = pcall(document.json, json or "", "the store")
  return good and type(options) == "table" and options or {}
end

--- Find the robot of a run; nil and a sentence if it cannot be read.
---@param row { robot: string?, options: string? } of the table runs; options: JSON
---@param name string? another robot, in place of the run's
---@return table? description of robots.find
---@return string? sentence
function place.find(row, name)
  local options = read(row.options)
  if name or not options.robot_file then return robots.find(name or row.robot) end
  local description, why = robots.find(options.robot_file, { packages = options.packages })
  if description then return description end
  local text = "the run's robot, %s, cannot be read: %s; give its file by --robot"
  return nil, text:format(tostring(row.robot), why)
end

return place
