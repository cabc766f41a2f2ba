--- The topics of a recorded run in an MCAP file, each from a table or view of the store. To add a topic, add
--- a row here.
---
--- A row is { topic, schema = its name, from = a table, a view or a select in parentheses, needs = the
--- required table (default: from), time = the column with the time, fields = { name, type, ... } }; types are
--- those of JSON schemas, "json" for a column with JSON (usually an object), and "value" for one with
--- numbers, usually, or JSON. Viewers need one plain type for each field: a value that is not an object, or
--- not a number, is a text in a field NAME_json. Nulls are omitted. `shape` = "log" or "pose" selects a form
--- of message that others define.
local run_topics = {}

run_topics.list = {
  { topic = "/events", schema = "brio.Event", from = "events", time = "t",
    fields = { "name", "string", "source", "string", "data", "json", "version", "string" } },
  { topic = "/states", schema = "brio.State", from = "states", time = "entered",
    fields = { "machine", "string", "state", "string", "previous", "string", "cause", "string", "detail",
      "string", "entered", "number",
      "left_at", "number", "version", "string" } },
  { topic = "/activations", schema = "brio.Activation", from = "activations", time = "started",
    fields = { "name", "string", "behavior", "string", "started", "number", "ended", "number", "result",
      "string", "reason", "string" } },
  { topic = "/actions", schema = "brio.Action", needs = "actions", time = "t",
    from = "(SELECT *, coalesce(t_dispatch, t_accept, t_input, t_cue) AS t FROM actions)",
    fields = { "name", "string", "who", "string", "role", "string", "device", "string", "arguments", "json",
      "t_cue", "number",
      "t_input", "number", "t_accept", "number", "t_dispatch", "number", "t_first_motion", "number", "t_done",
        "number", "outcome", "string",
      "reason", "string", "expected", "string", "step", "string", "error_class", "string" } },
  { topic = "/operator", schema = "brio.OperatorCommand", from = "operator", time = "t",
    fields = { "who", "string", "command", "string", "arguments", "json", "late_ms", "number" } },
  { topic = "/locks", schema = "brio.Lock", from = "locks", time = "taken",
    fields = { "part", "string", "who", "string", "taken", "number", "given", "number", "how", "string",
      "to_whom", "string" } },
  { topic = "/session", schema = "brio.SessionStep", needs = "session_steps", time = "t",
    from = "(SELECT *, coalesce(t_begun, t_cue, t_ended) AS t FROM session_steps)",
    fields = { "step", "string", "expected", "string", "t_cue", "number", "t_begun", "number", "t_ended",
      "number", "outcome", "string",
      "branch", "string" } },
  { topic = "/inputs", schema = "brio.Input", from = "inputs", time = "t",
    fields = { "name", "string", "value", "value", "source", "string" } },
  { topic = "/speech", schema = "brio.Speech", from = "speech", time = "started",
    fields = { "text", "string", "started", "number",
    "ended", "number" } },
  { topic = "/gaze", schema = "brio.Gaze", from = "gaze", time = "started",
    fields = { "target", "string", "kind", "string", "why", "string", "salience", "number", "started",
      "number", "ended", "number" } },
  { topic = "/emotion", schema = "brio.Emotion", from = "emotions", time = "t",
    fields = { "valence", "number", "arousal", "number", "intensity", "number", "name", "string",
      "mood_valence", "number", "mood_arousal", "number", "operator", "number", "needs", "json" } },
  { topic = "/tree_nodes", schema = "brio.TreeNode", from = "tree_nodes", time = "started",
    fields = { "tree", "integer", "state", "string", "node", "integer", "kind", "string", "name", "string",
      "status", "string", "started", "number", "ended", "number", "why", "string" } },
  { topic = "/detections", schema = "brio.Detection", needs = "detections", time = "t",
    from = "(SELECT e.*, d.name AS detector_name FROM detections e LEFT JOIN detectors d ON d.run = e.run \z
      AND d.id = e.detector)",
    fields = { "detector_name", "string", "class", "string", "name", "string", "confidence", "number", "seen",
      "number", "x", "number",
      "y", "number", "z", "number", "qx", "number", "qy", "number", "qz", "number", "qw", "number", "size_x",
        "number", "size_y", "number",
      "size_z", "number" } },
  { topic = "/watched", schema = "brio.WatchedValue", needs = "watched_values", time = "t",
    from = "(SELECT v.*, w.name, w.unit FROM watched_values v JOIN watched w ON w.run = v.run AND w.id = \z
      v.variable)",
    fields = { "name", "string", "unit", "string", "value", "value" } },
  { topic = "/annotations", schema = "brio.Annotation", from = "annotations", time = "t0",
    fields = { "tier", "string", "label", "string", "coder", "string", "t0", "number", "t1", "number" } },
  { topic = "/devices", schema = "brio.Device", needs = "device_samples", time = "t",
    from = "(SELECT s.*, d.name, d.driver FROM device_samples s JOIN devices d ON d.run = s.run AND d.id = \z
      s.device)",
    fields = { "name", "string", "driver", "string", "lost", "integer", "rate", "number", "exchanges",
      "integer", "failures", "integer",
      "losses", "integer", "retries", "integer", "timeouts", "integer", "typical_ms", "number", "slowest_ms",
        "number", "error", "string" } },
  { topic = "/solver", schema = "brio.Solve", from = "solves", time = "t",
    fields = { "tick", "integer", "status", "string", "cost", "number", "iterations", "integer",
      "evaluations", "integer", "active",
      "integer", "distance", "number", "solve_us", "number", "tick_us", "number", "late_us", "number" } },
  { topic = "/log", schema = "foxglove.Log", shape = "log", needs = "faults", time = "t",
    from = "(SELECT run, t, severity, source AS name, message FROM faults)" },
  { topic = "/log", schema = "foxglove.Log", shape = "log", needs = "notes", time = "t",
    from = "(SELECT run, t, 'info' AS severity, 'note' AS name, text AS message FROM notes)" },
  { topic = "/log", schema = "foxglove.Log", shape = "log", needs = "logs", time = "t",
    from = "(SELECT run, t, severity, source AS name, text AS message FROM logs)" },
  { topic = "/objects/", schema = "foxglove.PoseInFrame", shape = "pose", needs = "scene_objects", time = "t",
    from = "(SELECT * FROM scene_objects WHERE x IS NOT NULL)" },
}

local time_type = [[{"type":"object","title":"time","properties":{"sec":{"type":"integer","minimum":0},]]
  .. [["nsec":{"type":"integer","minimum":0,"maximum":999999999}}}]]

local function xyz(letters)
  local parts = {}
  for letter in letters:gmatch "." do parts[#parts + 1] = ('"%s":{"type":"number"}'):format(letter) end
  return '{"type":"object","properties":{' .. table.concat(parts, ",") .. "}}"
end

--- A schema of a message with these properties, {name, JSON schema, ...}.
function run_topics.schema(name, properties)
  local parts = { '"timestamp":' .. time_type }
  for index = 1, #properties, 2 do
    parts[#parts + 1] = ('"%s":%s'):format(properties[index], properties[index + 1])
  end
  return ('{"title":"%s","type":"object","properties":{%s}}'):format(name, table.concat(parts, ","))
end

local text, number = '{"type":"string"}', '{"type":"number"}'

--- Schemas whose names and fields Foxglove knows (https://docs.foxglove.dev/docs/sdk/schemas).
run_topics.known = {
  ["foxglove.Log"] = run_topics.schema("foxglove.Log",
    { "level", '{"type":"integer"}', "message", text, "name", text, "file",
    text,
    "line", '{"type":"integer","minimum":0}' }),
  ["foxglove.PoseInFrame"] = run_topics.schema("foxglove.PoseInFrame", { "frame_id", text, "pose",
    ('{"type":"object","properties":{"position":%s,"orientation":%s}}'):format(xyz "xyz", xyz "xyzw") }),
  ["foxglove.JointStates"] = run_topics.schema("foxglove.JointStates", { "joints",
    ('{"type":"array","items":{"type":"object","properties":{"name":%s,"position":%s}}}'):format(text,
      number) }),
  ["foxglove.FrameTransforms"] =
    ('{"title":"foxglove.FrameTransforms","type":"object","properties":{"transforms":'
    .. '{"type":"array",'
    .. '"items":{"type":"object","title":"foxglove.FrameTransform","properties":{"timestamp":%s,\z
      "parent_frame_id":%s,'
    .. '"child_frame_id":%s,"translation":%s,"rotation":%s}}}}}'):format(time_type, text, text, xyz "xyz",
      xyz "xyzw"),
}

--- Types without a name in JSON schemas.
local special = { json = '{"type":"object","properties":{}}', value = number }

--- The schema of a row of the list.
function run_topics.schema_of(row)
  if run_topics.known[row.schema] then return run_topics.known[row.schema] end
  local properties = {}
  for index = 1, #row.fields, 2 do
    local name, kind = row.fields[index], row.fields[index + 1]
    local more = { name, special[kind] or ('{"type":"%s"}'):format(kind), special[kind] and name .. "_json",
      text }
    table.move(more, 1, special[kind] and 4 or 2, #properties + 1, properties)
  end
  return run_topics.schema(row.schema, properties)
end

return run_topics
