--- `brio camera`: cameras of this machine, and what is found in pictures, by the program brio_camera.
local cameras = require "brio.perception.cameras"
local cli = require "brio.terminal.cli"
local detectors = require "brio.perception.detectors"
local finder = require "brio.commands.camera.program"
local records = require "brio.perception.records"
local schema = require "brio.lib.schema"

local command = {
  name = "camera",
  summary = "list cameras, check what is found in pictures, show it, print a board for calibration",
  usage = "brio camera list\n       brio camera check WHERE|FILE [options]\n       brio camera show \z
    WHERE|FILE OUT.png [options]\n       brio camera board OUT.svg [options]",
  options = {
    { "set", "NAME=VALUE",
      "a setting of the camera, such as size=0.08, as in a behavior's row; can be repeated",
      many = true },
    { "calibration", "FILE", "the intrinsics, of `brio calibrate camera`" },
    { "json", nil, "print the messages, one JSON object a line: a recording for --detections file:PATH" },
    { "columns", "N", "of a board: tags in a row, 5" },
    { "rows", "N", "of a board, 7" },
    { "size", "M", "side of tags, m; of a board 0.03, else 0.1" },
    { "spacing", "M", "of a board: between tags, m; a fifth of the size" },
    { "family", "NAME", "of tags; tag36h11" },
  },
}

--- A place from a person's word: files and folders need no prefix, those in /dev/shm neither.
local function place_of(text)
  if text:match "^v4l2:" or text:match "^folder:" or text:match "^film:" then return text end
  if text:match "^/dev/[^/]+$" or text:match "^/dev/v4l/" then return "v4l2:" .. text end
  return (text:lower():match "%.avi$" and "film:" or "folder:") .. text
end

--- The settings of the options as texts NAME=VALUE; nil: wrong (printed).
local function settings_of(args, where)
  local said = where and { place_of(where) } or { "folder:." }
  for _, text in ipairs(args.set or {}) do said[#said + 1] = text end
  for _, name in ipairs { "calibration", "size", "family" } do
    if args[name] then said[#said + 1] = name .. "=" .. args[name] end
  end
  local name, row = detectors.read(table.concat(said, ","), records.camera)
  if name or type(row) ~= "table" then
    return cli.error("%s", type(row) == "string" and row or "a camera's place is expected")
  end
  local why = schema.fault(row, records.camera, "camera")
  if why then return cli.error("%s", why) end
  return cameras.settings(row, ".")
end

local verbs = {}

function verbs.list()
  local count, problem = 0, nil
  local code = finder.run({ "list" }, function(message)
    if message.fault then problem = message.fault return end
    count = count + 1
    print(("v4l2:%s  %s"):format(message.file, message.name))
    for _, format in ipairs(message.formats) do
      print(("  %s  %s"):format(format.code, table.concat(format.sizes, " ")))
    end
  end)
  if problem then cli.error("%s", problem) end
  if code == 0 and count == 0 then print "no camera is connected" end
  return code
end

--- Print what was found in a picture.
local function print_detections(message)
  print(("picture at %.3f s: %s: %d found"):format(message.t, message.model, #message.detections))
  for _, one in ipairs(message.detections) do
    local pose, cov = one.pose, one.covariance
    local words = ("  %-8s %-16s %5.1f %%  at %7.3f %7.3f %7.3f m"):format(one.class, one.id or "",
      100 * one.confidence, pose[1], pose[2], pose[3])
    if cov then
      words = words .. (" +- %.4f"):format(math.sqrt(cov[1] + cov[7] + cov[12])) -- x, y and z of the triangle
    end
    print(words .. (one.covariance and not pose[4] and "  orientation ambiguous" or ""))
  end
end

function verbs.check(args)
  local words = settings_of(args, args[2])
  if not words then return 2 end
  local faults, pictures = 0, 0
  if not args.json then words[#words + 1] = "details=1" end
  local code = finder.run({ "check", table.unpack(words) }, function(message, line)
    if message.fault then
      faults = faults + 1
      return cli.error("%s", message.fault)
    end
    pictures = pictures + 1
    if args.json then print(line) else print_detections(message) end
  end)
  return code == 0 and pictures == 0 and faults > 0 and 1 or code -- no picture could be read
end

function verbs.show(args)
  local words = settings_of(args, args[2])
  if not words then return 2 end
  table.move({ "details=1", "--", args[3] }, 1, 3, #words + 1, words)
  return finder.run({ "show", table.unpack(words) }, function(message)
    if message.fault then return cli.error("%s", message.fault) end
    print_detections(message)
  end)
end

function verbs.board(args)
  local words = finder.board_words(args)
  if not words then return 2 end
  table.move({ "--", args[2] }, 1, 2, #words + 1, words)
  local failed
  local code = finder.run({ "board", table.unpack(words) }, function(message) failed = message.fault end)
  if failed then cli.error("%s", failed) return code end
  print(args[2] .. " is written: print it without scaling, and measure a tag's black edge")
  return code
end

--- How many words each verb takes, itself among them.
local counts = { list = 1, check = 2, show = 3, board = 2 }

function command.run(args)
  local verb = args[1]
  if not verb or not verbs[verb] or #args ~= counts[verb] then
    cli.error("usage: %s", command.usage)
    return 2
  end
  return verbs[verb](args)
end

return command
