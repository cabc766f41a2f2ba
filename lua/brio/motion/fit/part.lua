--- Cuts a part out of a motion: a span of time, and some DOFs.
local clip = require "brio.formats.clip"
local mask = require "brio.motion.tracks.mask"

local part = {}

--- Refuse a span that contains nothing of a motion from 0 to `last` s.
local function check(options, last)
  if (options.from or 0) >= last and last > 0 then
    clip.fail(nil, "it lasts %.2f s: nothing is in it from %g s on (--from)", last, options.from)
  end
end

--- The frames of a flat list in a span.
local function slice(flat, size, first, last)
  return flat and table.move(flat, size * (first - 1) + 1, size * last, 1, {})
end

local function sliced_node(node, first, last)
  local made = {}
  for key, value in next, node do made[key] = value end
  made.rotations = slice(node.rotations, 4, first, last)
  made.positions = slice(node.positions, 3, first, last)
  return made
end

--- A clip of a skeleton from `options.from` to `options.to`, s from its first frame; the same clip if neither
--- is given.
function part.skeleton(clip_, options)
  if not (options.from or options.to) then return clip_ end
  check(options, clip_.duration)
  local begins, times, first, last = clip_.times[1], {}, nil, 0
  for frame, t in ipairs(clip_.times) do
    if t - begins >= (options.from or 0) - 1e-6 and t - begins <= (options.to or math.huge) + 1e-6 then
      first, last = first or frame, frame
    end
  end
  if not first then clip.fail(nil, "no frame is from %g to %g s", options.from or 0, options.to) end
  local made = {}
  for key, value in next, clip_ do made[key] = value end
  made.times, made.nodes = table.move(clip_.times, first, last, 1, times), {}
  for index, node in ipairs(clip_.nodes) do made.nodes[index] = sliced_node(node, first, last) end
  made.duration = times[#times] - times[1]
  return made
end

--- The samples of a span, interpolated linearly at its ends; times count from `from`.
local function cut(samples, from, to)
  local made = {}
  local function between(a, b, t) return { t - from, a[2] + (t - a[1]) / (b[1] - a[1]) * (b[2] - a[2]) } end
  for index, sample in ipairs(samples) do
    local before, t = samples[index - 1], sample[1]
    if before and before[1] < from and t > from then made[#made + 1] = between(before, sample, from) end
    if t >= from and t <= to then made[#made + 1] = { t - from, sample[2] } end
    if before and before[1] < to and t > to then made[#made + 1] = between(before, sample, to) end
  end
  return made
end

--- Cut the samples of rows, { dof, samples }, and drop empty rows; also return the events in the span.
function part.rows(rows, events, options, last)
  local from, to, kept, left = options.from or 0, options.to or math.huge, {}, {}
  check(options, last)
  for _, row in ipairs(rows) do
    row.samples = cut(row.samples, from, to)
    if row.samples[1] then kept[#kept + 1] = row end
  end
  for _, event in ipairs(events or {}) do
    local t = event[1]
    if t >= from and t <= to then left[#left + 1] = { t - from, table.unpack(event, 2) } end
  end
  if not kept[1] then clip.fail(nil, "nothing moves in it from %g to %g s", from, to) end
  return kept, left
end

--- The rows whose DOFs are named, directly or by groups; all if none is named.
function part.dofs(rows, description, names)
  if not names then return rows end
  local wanted, kept, moved = {}, {}, {}
  for _, name in ipairs(names) do
    local list, why = mask.dofs(description, name)
    if not list then clip.fail(nil, "--dof: %s", why) end
    for _, number in ipairs(list) do wanted[description.dofs[number].name] = true end
  end
  for index, row in ipairs(rows) do
    moved[index] = row.dof.name
    if wanted[row.dof.name] then kept[#kept + 1] = row end
  end
  if not kept[1] then
    clip.fail(nil, "it does not move %s: it moves %s", table.concat(names, ", "), table.concat(moved, ", "))
  end
  return kept
end

return part
