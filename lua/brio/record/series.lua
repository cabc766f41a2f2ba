--- Evenly sampled time series of DOFs from a run store, for measures and plots.
local series = {}

local kinds = { command = true, goal = true, measured = true }

--- Whether there is a series of this kind: "command", "goal" or "measured".
function series.is_kind(kind) return kinds[kind] == true end

--- The DOFs of a run: a list of {name, unit}; nil, sentence, code on failure.
function series.dofs(db, run)
  return db:query("SELECT name, unit FROM dofs WHERE run = ? ORDER BY dof", run)
end

--- Values at `rate` Hz from the first to the last of `times`, by linear interpolation; nil if there are fewer
--- than three.
local function even(times, values, rate)
  if #times < 3 then return nil end
  local out, at = {}, 1
  for index = 0, math.floor((times[#times] - times[1]) * rate + 1e-6) do
    local t = times[1] + index / rate
    while at < #times - 1 and times[at + 1] < t do at = at + 1 end
    local span = times[at + 1] - times[at]
    local share = span > 0 and math.max(0, math.min(1, (t - times[at]) / span)) or 0
    out[index + 1] = values[at] + share * (values[at + 1] - values[at])
  end
  return out
end

--- The sample rate of a run: its ticks per second.
local function rate_of(db, run)
  local rows, why, code = db:query("SELECT coalesce(tick_rate, 200) AS rate FROM runs WHERE id = ?", run)
  if not rows then return nil, why, code end
  return rows[1] and rows[1].rate or 200
end

--- The series of a DOF of a run between `from` and `to`, s: { name, unit, rate (Hz), from (s), values (evenly
--- sampled), points = {t, value, ...} (as recorded) }.  nil if fewer than three values were recorded; nil,
--- sentence, code on failure.
function series.of_run(db, run, dof, kind, from, to)
  assert(kinds[kind], "command, goal or measured")
  local rate, why, code = rate_of(db, run)
  if not rate then return nil, why, code end
  local times, values, points = {}, {}, {}
  local rows, fault, sort = db:query((
    "SELECT t, %s AS value FROM samples WHERE run = ?1 AND name = ?2 AND t >= ?3 AND t <= ?4"
    .. " AND %s IS NOT NULL ORDER BY tick"):format(kind, kind), run, dof.name, from or -1, to or 1e12)
  if not rows then return nil, fault, sort end
  for index, row in ipairs(rows) do
    times[index], values[index] = row.t, row.value
    points[2 * index - 1], points[2 * index] = row.t, row.value
  end
  local evened = even(times, values, rate)
  return evened and { name = dof.name, unit = dof.unit, rate = rate, from = times[1], values = evened,
    points = points }
end

--- The series of all DOFs of a film, a sampled motion (brio.formats.motion.writers): a list.
function series.of_film(film)
  local list = {}
  for column, one in ipairs(film.dofs) do
    local values, points = {}, {}
    for frame, row in ipairs(film.values) do
      values[frame] = row[column]
      points[2 * frame - 1], points[2 * frame] = film.times[frame], row[column]
    end
    list[column] = { name = one.name, unit = one.dof.unit, rate = film.rate, from = film.times[1],
      values = values, points = points }
  end
  return list
end

--- The speed of a series, in its unit per second, as points {t, speed, ...}.
function series.speed_points(one)
  local points = {}
  for index = 2, #one.values do
    points[#points + 1] = one.from + (index - 1.5) / one.rate
    points[#points + 1] = (one.values[index] - one.values[index - 1]) * one.rate
  end
  return points
end

--- The range of a series' values, in its unit.
function series.amplitude(one)
  local least, most = math.huge, -math.huge
  for _, value in ipairs(one.values) do least, most = math.min(least, value), math.max(most, value) end
  return most - least
end

series.even = even

return series
