--- Checks before a session: rates, devices, motors, the store and its disk, the voice, the names in the
--- session script, the people present.  Each check examines a run that has run for a moment.
---
---   { name, look(run, facts) }   returns a state ("good", "warn" or "bad"), a finding, and a remedy
---
--- `facts`: store_mb, disk_mb (nil: unknown), writes (nil, or why the store cannot be written), wants_people
--- (whether somebody must be attached).
local axes = require "brio.operator.axes"
local programs = require "brio.character.speech.programs"

local preflight = {}

--- Maximum share of late ticks, and of lost motor periods; maximum p99 of a tick's CPU time, as a share of
--- its period.
local most_late, most_lost, most_tick = 0.01, 0.001, 0.5

--- Maximum share of failed exchanges of a device; free disk space below which to warn, and to fail, MB;
--- maximum temperature of a motor, C; minimum charge of a battery, as a share.
local most_failures, low_disk, no_disk, hot, low_battery = 0.02, 5120, 512, 65, 0.3

local function look_at_behavior(run)
  local host = run.host
  if host.halted then return "bad", "it failed: " .. tostring(host.failed), "mend it; `go STATE` wakes it" end
  if host.held_since then return "warn", "on hold", "`go on` lets it go on" end
  return "good", ("%s, in state %s"):format(host.definition.name, host:state() or "none")
end

local function look_at_ticks(run)
  local report = run.engine:report()
  local share = report.late_ticks / math.max(1, report.ticks)
  local said = ("%d Hz, p99 %.0f us of %.0f us, %d of %d late"):format(run.rate, report.tick_p99_us,
    1e6 / run.rate, report.late_ticks, report.ticks)
  if run.fast then return "good", said .. " (fast clock)" end
  if share > most_late then return "bad", said, "close other programs, or run with a lower --rate" end
  if report.tick_p99_us > most_tick * 1e6 / run.rate then
    return "warn", said, "`brio profile FILE` says what takes the time"
  end
  return "good", said
end

local function look_at_motors(run)
  local report = run.engine:motors()
  if not report.threaded then return "good", "no motor thread on this clock" end
  local said = ("%d periods, %d lost, late p99 %.0f us%s"):format(report.periods, report.lost,
    report.late_p99_us, report.realtime and "" or ", without real-time scheduling")
  if report.lost > most_lost * report.periods then
    return "bad", said, "another program holds up the motor thread: look with top"
  end
  if not report.realtime and #report.devices > 0 then
    return "warn", said, "let brio use real-time scheduling: ulimit -r 50, or setcap cap_sys_nice"
  end
  return "good", said
end

local function look_at_devices(run)
  local report, bad, said = run.engine:motors(), {}, {}
  for _, device in ipairs(report.devices) do
    said[#said + 1] = ("%s %.0f Hz%s"):format(device.name, device.rate,
      device.open_loop and " (it reports its commands: no motor is monitored)" or "")
    local share = device.failures / math.max(1, device.exchanges or 0)
    if device.lost then bad[#bad + 1] = device.name .. " is lost"
        .. (device.error and ": " .. device.error or "")
    elseif share > most_failures then bad[#bad + 1] = ("%s fails in %.0f %% of its cycles"):format(
        device.name, 100 * share) end
  end
  if #bad > 0 then return "bad", table.concat(bad, "; "), "look at cables, power and `brio scan`" end
  return "good", #said > 0 and table.concat(said, ", ") or "none: the robot is simulated"
end

local function look_at_arming(run)
  local report = run.engine:motors()
  if #report.held_by > 0 then
    return "bad", "held by " .. table.concat(report.held_by, ", "), "`release` lets them go on"
  end
  if not report.armed then return "warn", "disarmed", "`arm` at the prompt, or brio run --arm" end
  return "good", "armed"
end

--- Temperature and voltage from devices.
local function look_at_health(run)
  local warm, reports, low = {}, 0, {}
  for _, axis in ipairs(axes.snapshot(run).axes) do
    if axis.temperature then
      reports = reports + 1
      if axis.temperature > hot then warm[#warm + 1] = ("%s %.0f C"):format(axis.name, axis.temperature) end
    end
  end
  for _, name in ipairs(run.inputs.names) do
    local value = run.inputs.by_name[name].value
    if name:lower():find "battery" and type(value) == "number" and value >= 0 and value <= 1
        and value < low_battery then
      low[#low + 1] = ("%s %.0f %%"):format(name, 100 * value)
    end
  end
  if #warm > 0 then return "warn", "warm: " .. table.concat(warm, ", "), "let it rest first" end
  if #low > 0 then return "bad", table.concat(low, ", "), "charge it" end
  return "good", reports > 0 and ("%d motors report, none above %d C"):format(reports, hot)
    or "no motor reports a temperature"
end

local function look_at_faults(run)
  local seen = run.prompt and run.prompt.desk.seen or { faults = 0 }
  if seen.faults == 0 then return "good", "none" end
  return "warn", ("%d, last: %s"):format(seen.faults, seen.last_fault),
    "`sql SELECT * FROM faults` at the prompt"
end

local function look_at_store(run, facts)
  if facts.writes then return "bad", facts.writes, "give another place: --store FILE" end
  if not run.recorder.writer and not facts.is_checked then
    return "warn", "the run is not recorded", "run it without --store none"
  end
  if run.recorder.writer then
    local loss = run.recorder:loss()
    if loss then
      return "bad", loss.rows > 0 and ("%d rows lost: %s"):format(loss.rows, loss.why)
        or "cannot be written: " .. loss.why, "is the disk full, or slow?"
    end
  end
  return "good", facts.store_mb and ("%s, %.1f MB"):format(run.store_file or facts.store, facts.store_mb)
    or "can be written"
end

local function look_at_disk(_, facts)
  if not facts.disk_mb then return "good", "not known" end
  local said = ("%.1f GB left"):format(facts.disk_mb / 1024)
  if facts.disk_mb < no_disk then return "bad", said, "make room: a long session does not fit" end
  if facts.disk_mb < low_disk then return "warn", said, "make room for long sessions" end
  return "good", said
end

--- 1 January 2024: a machine whose clock is before that has lost the time.
local earliest = 1704067200

local function look_at_clock(_, facts)
  if facts.wall and facts.wall < earliest then
    return "bad", "the machine's clock is not set", "set it (date, NTP): the store has the times of runs"
  end
  return "good", facts.wall_text or "not looked at"
end

local function look_at_voice(run)
  local speech = run.host.speech
  if not speech or not run.host.definition.fields.character then
    return "good", "the behavior does not speak"
  end
  speech:equip()
  local row = programs.choose(programs.speak, speech.voice.sound.speak_with or speech.voice.said)
  if row then return "good", row.name end
  if run.fast then return "good", "silent on the fast clock" end
  return "warn", "no program speaks: texts are timed silence", "install espeak-ng, or say --speak-with"
end

local function look_at_detectors(run)
  local silent, count = {}, 0
  for _, detector in ipairs(run.detectors.list) do
    count = count + 1
    local state = detector:state()
    if not state.here and not state.over and not run.fast then silent[#silent + 1] = state.name end
  end
  if #silent > 0 then
    return "warn", table.concat(silent, ", ") .. (#silent > 1 and " are" or " is") .. " not heard",
      "start the program; `detectors` shows its address"
  end
  return "good", count > 0 and ("%d heard"):format(count) or "none is expected"
end

local function look_at_session(run)
  local desk = run.prompt and run.prompt.desk
  local session = desk and desk.session
  if not session then return "good", "no session script" end
  local faults = desk:faults_of(session.fields)
  if #faults > 0 then return "bad", table.concat(faults, "; "), "mend " .. session.loaded.file end
  local empty, left = {}, 0
  for name, slot in next, session.slots do
    if not session.values[name] and not slot.default then empty[#empty + 1] = name end
  end
  table.sort(empty)
  for _, row in ipairs(session.phase == "before" and session:checklist() or {}) do
    left = left + (row.done and 0 or 1)
  end
  local said = ("%s: %d steps, %d on the checklist left"):format(session.fields.name, #session.fields.steps,
    left)
  if #empty > 0 then
    return "warn", said .. "; empty: " .. table.concat(empty, ", "), ("fill %s TEXT"):format(empty[1])
  end
  return "good", said
end

local function look_at_people(run, facts)
  local list, wizard = {}, false
  for _, person in ipairs(run.host.operators.order) do
    list[#list + 1] = ("%s (%s)"):format(person.who, person.role)
    wizard = wizard or person.role ~= "observer"
  end
  if facts.wants_people and not wizard then
    return "warn", #list > 0 and table.concat(list, ", ") or "nobody is attached",
      "`brio attach` from the desk's terminal"
  end
  return "good", #list > 0 and table.concat(list, ", ") or "nobody has to be there yet"
end

preflight.checks = {
  { "behavior", look_at_behavior }, { "ticks", look_at_ticks }, { "motor rate", look_at_motors },
    { "devices", look_at_devices },
  { "motors", look_at_arming }, { "heat, power", look_at_health }, { "faults", look_at_faults },
    { "store", look_at_store },
  { "disk", look_at_disk }, { "clock", look_at_clock }, { "voice", look_at_voice },
    { "detectors", look_at_detectors },
  { "session", look_at_session }, { "people", look_at_people },
}

--- Check a run.  Return rows {name, state, said, help}, and the worst state.
function preflight.look(run, facts)
  local rows, rank, worst = {}, { good = 1, warn = 2, bad = 3 }, "good"
  for index, check in ipairs(preflight.checks) do
    local good, state, said, help = pcall(check[2], run, facts)
    if not good then state, said, help = "bad", "cannot be looked at: " .. tostring(state), nil end
    rows[index] = { name = check[1], state = state, said = said, help = help }
    if rank[state] > rank[worst] then worst = state end
  end
  return rows, worst
end

local signs = { good = "ok  ", warn = "look", bad = "BAD " }

--- The rows as lines for people.
function preflight.lines(rows, worst)
  local lines, off = {}, 0
  for index, row in ipairs(rows) do
    lines[index] = ("%s  %-11s %s%s"):format(signs[row.state], row.name, row.said,
      row.help and "\n" .. (" "):rep(18) .. "-> " .. row.help or "")
    off = off + (row.state ~= "good" and 1 or 0)
  end
  lines[#lines + 1] = worst == "good" and "all is well"
    or ("%d to look at%s"):format(off, worst == "bad" and ", before it can begin" or "")
  return lines
end

return preflight
