--- The schemas of rows of detectors and clouds, loaded if a run has any.
local records = {}

--- The fields of a row.
records.detector = {
  from = { "string", needed = true,
    doc = "where its messages come from: udp:[HOST:]PORT, unix:PATH or file:PATH" },
  frame = { "string", doc = "what its poses are in: a link, a role or a frame; without it the world" },
  axes = { "choice", of = { "robot", "optical" }, value = "robot",
    doc = "how its axes lie: robot: x forward, z up; optical: x right, y down, z forward" },
  clock = { "choice", of = { "own", "monotonic" }, value = "own",
    doc = "its time stamps: of a clock of its own, or this machine's monotonic one" },
  depth = { "string",
    doc = "the clouds with rows that have the same view: boxes and masks are looked up in them" },
  classes = { "list", of = "string", doc = "the permitted classes; others are refused" },
  rate = { "number", unit = "1/s", lower = 1, upper = 1e5, value = 500, doc = "messages that are read" },
  oldest = { "number", unit = "s", lower = 0.001, upper = 1e6, value = 1,
    doc = "what was seen longer ago is refused" },
  silent = { "number", unit = "s", lower = 0.01, upper = 1e6, value = 1,
    doc = "time without a message until it is lost" },
  speed = { "number", lower = 1e-3, upper = 1e3, value = 1,
    doc = "of a file: 2 is twice as fast as recorded" },
  begin = { "number", unit = "s", lower = 0, upper = 1e9, doc = "of a file: when its first message counts" },
  again = { "boolean", doc = "for a file: start again at its end" },
}

--- The fields of a row: those of a detector, except those that clouds lack, and some of their own.
local fields = {}
for name, field in next, records.detector do fields[name] = field end
fields.classes, fields.depth = nil, nil
fields.from = { "string", needed = true,
  doc = "where they come from: shm:NAME, udp:[HOST:]PORT, unix:PATH or file:PATH" }
fields.axes = { "string", value = "robot",
  doc = "where x, y and z point: robot, optical, opengl, unity, or as \"right down forward\"" }
fields.unit = { "number", unit = "m", lower = 1e-9, upper = 1e6, value = 1, doc = "its unit of length in m" }
fields.points = { "number", lower = 1, upper = 16000000, value = 1000000, doc = "of a cloud, at most" }
fields.period = { "number", unit = "s", lower = 0.001, upper = 1e6, value = 0.1,
  doc = "time between the clouds of a folder" }
records.cloud = fields

--- The fields of a camera: intrinsics, and the camera itself.
local intrinsics = {
  width = { "number", unit = "px", lower = 1, upper = 16384, needed = true,
    doc = "of the pictures they are for" },
  height = { "number", unit = "px", lower = 1, upper = 16384, needed = true, doc = "of those pictures" },
  fx = { "number", unit = "px", above = 0, needed = true, doc = "focal length across" },
  fy = { "number", unit = "px", above = 0, needed = true, doc = "focal length down" },
  cx = { "number", unit = "px", needed = true, doc = "principal point, from the middle of the first pixel" },
  cy = { "number", unit = "px", needed = true, doc = "principal point, from the middle of the first pixel" },
  k = { "list", of = "number", doc = "radial distortion, up to six coefficients, as in OpenCV" },
  p = { "list", of = "number", doc = "tangential distortion, two coefficients" },
  fisheye = { "boolean", doc = "k are the four coefficients of OpenCV's fisheye model" },
}

--- The error in a table by tags' numbers: a sentence, or nil.
local function by_number(check)
  return function(value)
    for id, one in next, value do
      if math.type(id) ~= "integer" or id < 0 then
        return ("has '%s', which is no number of a tag"):format(tostring(id))
      end
      local why = check(one)
      if why then return ("[%d] %s"):format(id, why) end
    end
  end
end

local function size_fault(size)
  if type(size) ~= "number" or not (size > 0 and size <= 100) then return "must be a length above 0 m" end
end

local function name_fault(name)
  if type(name) ~= "string" or not name:match "^[%w_%- ]+$" or #name > 23 then
    return "must be a name of 1 to 23 letters, digits, _, - and spaces"
  end
end

records.camera = {
  from = { "string", needed = true,
    doc = "v4l2:/dev/video0, folder:PATH (pictures) or film:FILE (AVI of MJPEG)" },
  frame = { "string",
    doc = "what it is in: a link, a role or a frame, x forward, z up; without it the world" },
  width = { "number", unit = "px", lower = 16, upper = 16384, doc = "asked of a device" },
  height = { "number", unit = "px", lower = 16, upper = 16384, doc = "asked of a device" },
  rate = { "number", unit = "1/s", lower = 0.1, upper = 1000, value = 30, doc = "pictures" },
  format = { "choice", of = { "yuyv", "mjpeg", "jpeg", "grey" }, doc = "of a device; without it the best" },
  again = { "boolean", doc = "a folder or film begins again at its end" },
  begin = { "number", unit = "s", lower = 0, upper = 1e9,
    doc = "of a recording on the fast clock: its first picture" },
  calibration = { "string", doc = "file of `brio calibrate camera`: intrinsics" },
  intrinsics = { "record", fields = intrinsics, doc = "instead of a file" },
  fov = { "number", unit = "deg", lower = 5, upper = 170, value = 60,
    doc = "angle across, where the intrinsics are unknown: distances are then as wrong as this is" },
  tags = { "boolean", doc = "find tags; true if neither faces nor people are asked for" },
  faces = { "boolean", doc = "find faces (needs OpenCV): class person" },
  people = { "boolean", doc = "find people from head to feet (needs OpenCV): class person" },
  family = { "choice", value = "tag36h11", of = { "tag36h11", "tag25h9", "tag16h5", "tag36h10",
    "tagCircle21h7",
    "tagCircle49h12", "tagCustom48h12", "tagStandard41h12", "tagStandard52h13" }, doc = "of the tags" },
  size = { "number", unit = "m", lower = 1e-4, upper = 100, value = 0.1,
    doc = "side of tags, between the corners" },
  sizes = { "table", fault = by_number(size_fault), doc = "tags of other sizes: number = m" },
  names = { "table", fault = by_number(name_fault),
    doc = "classes of tags: number = name; others are \"tag\"" },
  decimate = { "number", lower = 1, upper = 8, value = 2,
    doc = "factor by which pictures are reduced before tags are searched" },
  blur = { "number", unit = "px", lower = 0, upper = 10, value = 0, doc = "for noisy pictures: 0.8" },
  refine = { "boolean", value = true, doc = "corners of tags are moved to the nearest edges" },
  hamming = { "number", lower = 0, upper = 2, value = 1, doc = "wrong bits of a tag that are corrected" },
  margin = { "number", lower = 0, upper = 255, value = 20, doc = "least contrast of a tag's decision" },
  face = { "number", unit = "m", lower = 0.01, upper = 2, value = 0.19, doc = "height of a face's box" },
  person = { "number", unit = "m", lower = 0.1, upper = 5, value = 1.9, doc = "height of a person's box" },
  every = { "number", lower = 1, upper = 1000, value = 3, doc = "faces and people in every n-th picture" },
  frozen = { "number", unit = "s", lower = 0, upper = 3600, value = 0.5,
    doc = "equal or black pictures for so long are a fault; 0: never" },
  black = { "number", lower = 0, upper = 255, value = 8,
    doc = "gray level that a black picture does not exceed; 0: none" },
  gap = { "number", unit = "s", lower = 0.05, upper = 3600, value = 0.5,
    doc = "no picture for so long is a fault" },
  oldest = records.detector.oldest, silent = records.detector.silent, classes = records.detector.classes,
}

return records
