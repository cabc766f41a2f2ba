--- The status for a person at the desk: present and next actions of the robot, owners of parts, faults, and
--- the state of the record.  As data, for the panel, and in words.
local behavior = require "brio.behavior.define"

local status = {}

--- The names of the running leaves of trees, and of the next ones.
local function leaves_of(host)
  local now, coming = {}, {}
  local top = host.top
  if not top then return now, coming end
  top:each_outer_first(function(active)
    local tree = active.tree
    if not tree then return end
    for _, number in ipairs(tree.nodes:running()) do
      local record = tree.compiled.list[number]
      if record and not record.nodes and #now < 3 then now[#now + 1] = record.name end
    end
    local number = tree:coming()
    local record = type(number) == "number" and tree.compiled.list[number]
    if record then coming[#coming + 1] = record.name end
  end)
  return now, coming
end

--- Possible next transitions, innermost states first: rows {to, at (robot time, for timers), event, label}.
local function next_of(host)
  local rows = {}
  if not host.top then return rows end
  host.top:each_inner_first(function(active)
    for _, transition in ipairs(active.state.transitions) do
      if #rows >= 6 then return end
      local to = type(transition.to) == "string" and transition.to or "?"
      rows[#rows + 1] = { to = to, event = transition.event,
        label = not transition.event and transition.label or nil,
        at = transition.after and active.entered + transition.after or nil }
    end
  end)
  return rows
end

local function plays_of(host)
  local list, known = {}, {}
  for _, playing in ipairs(host.tracks:list()) do
    local taken = playing.name:match "^take "
    if playing.owner ~= "autonomy" and not taken and not known[playing.name] and #list < 4 then
      known[playing.name] = true
      list[#list + 1] = playing.name
    end
  end
  return list
end

local function owners_of(host)
  local list = {}
  for _, taking in ipairs(host.control and host.control.takings or {}) do
    list[#list + 1] = { part = taking.name, who = taking.who or "?", share = taking.share }
  end
  return list
end

--- The faults of the motor side, in a word or two each.
local function troubles_of(run, stop)
  local report, list = run.engine:motors(), {}
  if not report.armed then list[1] = "disarmed" end
  for _, cause in ipairs(report.held_by) do
    local by = cause == "panic" and stop:by()
    list[#list + 1] = "held by " .. cause .. (by and ", " .. by or "")
  end
  if report.collision then list[#list + 1] = "collision at " .. report.collision.axis end
  for _, device in ipairs(report.devices) do
    if device.lost then list[#list + 1] = device.name .. " is lost" end
  end
  return list
end

--- Devices that report their commands as measurements, so that faults of their motors are not detected.
local function unwatched_of(run)
  local list = {}
  for _, device in ipairs(run.engine:motors().devices) do
    if device.open_loop then list[#list + 1] = device.name end
  end
  return list
end

--- The state of the record: "off", "kept", "waits" (in memory, for a store that cannot be written), "lost"
--- (some rows are lost, and the store cannot be written now) or "gap" (it is written, and some rows are
--- missing); the number of lost rows, and why.
local function record_of(recorder)
  if not recorder.writer then return "off", 0 end
  local loss = recorder:loss()
  if not loss then return "kept", 0 end
  if not loss.failing then return "gap", loss.rows, loss.why end
  return loss.rows > 0 and "lost" or "waits", loss.rows, loss.why
end

local record_words = {
  off = function() return "off" end,
  kept = function() return "all rows kept" end,
  waits = function(view) return "NOT WRITTEN, waits in memory: " .. view.why_lost end,
  lost = function(view) return ("%d rows NOT RECORDED: %s"):format(view.lost, view.why_lost) end,
  gap = function(view) return ("%d rows lost: %s"):format(view.lost, view.why_lost) end,
}

--- The state of the record in a view (see record_of); an older engine reports less.
function status.record(view)
  return view.record or not view.recorded and "off" or view.lost > 0 and "gap" or "kept"
end

--- The same in words.
function status.record_text(view) return record_words[status.record(view)](view) end

--- Status of the run.  `seen`: {faults, last_fault, disk_mb, store_mb}, from the desk; `stop`: its panic
--- stop, during which nothing plays.
function status.now(run, seen, stop)
  local host = run.host
  local speech, gaze = host.speech, host.gaze
  local at = gaze and gaze.face:at()
  local leaves, coming = leaves_of(host)
  local report = run.engine:report()
  local record, lost, why_lost = record_of(run.recorder)
  local innermost
  if host.top then host.top:each_outer_first(function(active) innermost = active end) end
  return {
    t = host.now, state = host:state(), since = innermost and innermost.entered, leaves = leaves,
      coming = coming,
    plays = stop.on and {} or plays_of(host), stopped = stop.on and stop.stopped or nil, panic = stop:by(),
    says = speech and speech.current and speech.current.shown or nil,
    waits = speech and #speech.queue or 0, looks = at and (at.target or "a place") or nil,
      nexts = next_of(host),
    owners = owners_of(host), troubles = troubles_of(run, stop), unwatched = unwatched_of(run),
      held = host.held_since,
    halted = host.halted and tostring(host.failed) or nil,
    ending = host.power_off ~= nil, faults = seen.faults, fault = seen.last_fault, record = record,
    recorded = record == "kept" or record == "gap", lost = lost, why_lost = why_lost,
    store_mb = seen.store_mb, disk_mb = seen.disk_mb,
    tick_p99_us = report.tick_p99_us, late_ticks = report.late_ticks,
  }
end

local function joined(list, none) return #list > 0 and table.concat(list, ", ") or none end

--- A possible next transition, in words.
function status.next_text(row, now)
  local cause = row.event or row.at and ("in %.0f s"):format(math.max(0, row.at - now)) or row.label
    or "condition"
  return ("%s -> %s"):format(cause, row.to)
end

--- The whole status as lines for people.
function status.lines(view)
  local lines, nexts, owners = {}, {}, {}
  local now = view.halted and "nothing: the behavior failed and the pose is held: " .. view.halted
    or ("%s%s%s"):format(view.state or "none yet",
      view.since and (", for %.1f s"):format(view.t - view.since) or "",
      view.held and (", on hold for %.1f s"):format(view.t - view.held) or "")
  lines[#lines + 1] = "state    " .. now .. (view.ending and " (the run is ending)" or "")
  if #view.leaves > 0 then lines[#lines + 1] = "tree     " .. table.concat(view.leaves, ", ") end
  if view.panic then
    lines[#lines + 1] = ("panic    %s; stopped: %s"):format(view.panic,
      joined(view.stopped, "nothing played"))
  end
  lines[#lines + 1] = ("does     plays %s; says %s%s; looks at %s"):format(joined(view.plays, "nothing"),
    view.says and '"' .. view.says .. '"' or "nothing", view.waits > 0 and (" (%d wait)"):format(view.waits)
      or "",
    view.looks or "nothing in particular")
  for index, row in ipairs(view.nexts) do nexts[index] = status.next_text(row, view.t) end
  for _, name in ipairs(view.coming) do nexts[#nexts + 1] = "node " .. name end
  lines[#lines + 1] = "next     " .. joined(nexts, "nothing that leads on")
  for index, row in ipairs(view.owners) do
    owners[index] = ("%s: %s%s"):format(row.part, row.who, row.share < 1 and (" (%g)"):format(row.share)
      or "")
  end
  lines[#lines + 1] = "parts    " .. joined(owners, "all are the robot's")
  local unwatched = #view.unwatched > 0 and "; not monitored, because they report their commands: "
    .. table.concat(view.unwatched, ", ") or ""
  lines[#lines + 1] = ("motors   %s%s; tick p99 %.0f us, %d late"):format(joined(view.troubles, "well"),
    unwatched, view.tick_p99_us or 0, view.late_ticks or 0)
  lines[#lines + 1] = view.faults > 0 and ("faults   %d, last: %s"):format(view.faults, view.fault)
    or "faults   none"
  lines[#lines + 1] = "record   " .. status.record_text(view) .. (view.record == "off" and "" or
    (view.store_mb and ("; store %.1f MB"):format(view.store_mb) or "")
    .. (view.disk_mb and ("; %.1f GB left on the disk"):format(view.disk_mb / 1024) or ""))
  return lines
end

--- The states of a behavior by path and by name.
function status.states(run)
  local names = {}
  behavior.each_state(run.host.machine, function(state)
    names[#names + 1] = state.path
    names[#names + 1] = state.name
  end)
  return names
end

return status
