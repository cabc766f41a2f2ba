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

return records
