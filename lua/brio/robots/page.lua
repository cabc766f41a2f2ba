--- Description of a robot, as a page of text, at most 80 columns wide.
local suggest = require "brio.lib.suggest"

local page = {}

local wide = 80

--- Columns that a text takes.
local function width(text) return utf8.len(text) or #text end

local function pad(text, columns) return text .. (" "):rep(columns - width(text)) end

--- A text cut to a number of columns.
local function clip(text, columns)
  if width(text) <= columns then return text end
  return text:sub(1, (utf8.offset(text, columns) or columns) - 1) .. "…"
end

--- Words as lines that begin with `first`, then with `rest`, none wider than the page.
local function wrapped(lines, first, rest, words)
  local line, empty = first, true
  for _, word in ipairs(words) do
    if line ~= rest and width(line) + 1 + width(word) > wide then
      lines[#lines + 1], line, empty = (line:gsub("%s+$", "")), rest, true
    end
    line = line .. (empty and "" or " ") .. word
    empty = false
  end
  lines[#lines + 1] = (line:gsub("%s+$", ""))
end

local function words_of(text)
  local words = {}
  for word in text:gmatch("%S+") do words[#words + 1] = word end
  return words
end

local function number(value, digits)
  if value == math.huge then return "∞" elseif value == -math.huge then return "-∞" end
  return (("%." .. (digits or 4) .. "g"):format(value + 0.0):gsub("^-0$", "0"))
end

local function counted(count, noun) return count .. " " .. noun .. (count == 1 and "" or "s") end

local function span(lower, upper, factor)
  return number(lower * factor) .. " to " .. number(upper * factor)
end

local function axis_name(axis)
  for k, name in ipairs { "x", "y", "z" } do
    if math.abs(math.abs(axis[k]) - 1) < 1e-6 then return (axis[k] < 0 and "-" or "") .. name end
  end
  return ("(%s, %s, %s)"):format(number(axis[1], 3), number(axis[2], 3), number(axis[3], 3))
end

-- The tree ----------------------------------------------------------------------------------------

local about = { revolute = "about", continuous = "about", prismatic = "along", planar = "across" }

--- Description of a joint, as pieces that stay on one line each.
local function joint_pieces(joint, variables)
  if joint.type == "fixed" then return { "fixed" } end
  local way = about[joint.type]
  local pieces = { joint.name .. ":", joint.type
    .. (way and (" " .. way .. " " .. axis_name(joint.axis)) or "") }
  if joint.mimic then
    pieces[2] = pieces[2] .. ","
    local copied = ("%s × %s"):format(number(joint.mimic.multiplier), joint.mimic.joint)
    if joint.mimic.offset ~= 0 then copied = copied .. (" %+.4g"):format(joint.mimic.offset) end
    pieces[3] = "mimic: " .. copied
    return pieces
  end
  for _, name in ipairs(joint.variables) do
    local one = variables[name]
    local label = #joint.variables > 1 and name:match("[^.]*$") .. " " or ""
    pieces[#pieces] = pieces[#pieces] .. ","
    if one.circular or one.lower == -math.huge then
      pieces[#pieces + 1] = label .. "no limit"
    elseif one.angular then
      pieces[#pieces + 1] = ("%s%s°"):format(label, span(one.lower, one.upper, 180 / math.pi))
      pieces[#pieces + 1] = ("(%s rad)"):format(span(one.lower, one.upper, 1))
    else
      pieces[#pieces + 1] = ("%s%s m"):format(label, span(one.lower, one.upper, 1))
    end
  end
  return pieces
end

local deepest = 14 -- links drawn inside each other; below, a number says how deep

--- The links in the order of a tree printed from top to bottom, with the bars before them.
local function tree_rows(tree)
  local rows, stack = {}, { { node = tree[1], bars = "", mark = "", below = "", depth = 0 } }
  while #stack > 0 do
    local row = table.remove(stack)
    rows[#rows + 1] = row
    local children, bars, depth = row.node.children, row.bars .. row.below, row.depth + 1
    if depth > deepest then bars = ("%d… "):format(depth) end
    row.under = bars .. (#children > 0 and "│  " or "   ")
    for index = #children, 1, -1 do
      local last = index == #children
      stack[#stack + 1] = { node = children[index], bars = bars, mark = last and "└─ " or "├─ ",
        below = last and "   " or "│  ", depth = depth }
    end
  end
  return rows
end

local function print_tree(lines, tree, variables)
  lines[#lines + 1] = "Tree"
  for _, row in ipairs(tree_rows(tree)) do
    local head, under = "  " .. row.bars .. row.mark .. row.node.name, "  " .. row.under .. " "
    if not row.node.joint then
      lines[#lines + 1] = head
    else
      wrapped(lines, head .. "  ", clip(under, 40), joint_pieces(row.node.joint, variables))
    end
  end
end

-- Tables ------------------------------------------------------------------------------------------

--- Rows of texts as columns; those named in `right` are right-aligned.
local function columns(lines, rows, right)
  local widths = {}
  for _, row in ipairs(rows) do
    for k, cell in ipairs(row) do widths[k] = math.max(widths[k] or 0, width(cell)) end
  end
  for _, row in ipairs(rows) do
    local cells = {}
    for k, cell in ipairs(row) do
      cells[k] = right[k] and (" "):rep(widths[k] - width(cell)) .. cell or pad(cell, widths[k])
    end
    lines[#lines + 1] = ("  " .. table.concat(cells, "  ")):gsub("%s+$", "")
  end
end

--- A range with decimals according to its width: "-2.09..2.09", "0..0.04".
local function range_of(dof)
  if dof.lower == -math.huge or dof.upper == math.huge then return "no limit" end
  local decimals = math.max(0, 2 - math.floor(math.log(math.max(dof.upper - dof.lower, 1e-6), 10)))
  local function short(value)
    local text = ("%." .. decimals .. "f"):format(value)
    if decimals > 0 then text = text:gsub("0+$", ""):gsub("%.$", "") end
    return text == "-0" and "0" or text
  end
  return short(dof.lower) .. ".." .. short(dof.upper)
end

local function dof_rows(dofs)
  local rows, room = { { "name", "label", "group", "range", "", "speed", "accel." } }, wide - 2 - 12
  for _, dof in ipairs(dofs) do
    rows[#rows + 1] = { dof.name, dof.label ~= dof.name and dof.label or "", dof.group or "", range_of(dof),
      dof.unit, number(dof.velocity, 3), number(dof.acceleration, 3) }
  end
  for k = 1, 7 do
    local most = 0
    for _, row in ipairs(rows) do most = math.max(most, width(row[k])) end
    if k ~= 2 then room = room - most end
  end
  for _, row in ipairs(rows) do row[2] = clip(row[2], math.max(room, 5)) end
  return rows
end

local right_columns = { [4] = true, [6] = true, [7] = true }

local function print_dofs(lines, dofs)
  local inside, outside = {}, {}
  for _, dof in ipairs(dofs) do table.insert(dof.outside and outside or inside, dof) end
  lines[#lines + 1] = "DOFs (speed: unit/s, acceleration: unit/s²)"
  columns(lines, dof_rows(inside), right_columns)
  if #outside == 0 then return end
  lines[#lines + 1], lines[#lines + 2] = "", "DOFs outside the tree"
  columns(lines, dof_rows(outside), right_columns)
end

-- Shapes ------------------------------------------------------------------------------------------

local sizes = {
  sphere = function(s) return "sphere r " .. number(s.size[1]) end,
  capsule = function(s) return ("capsule r %s length %s"):format(number(s.size[1]), number(s.size[3])) end,
  cylinder = function(s) return ("cylinder r %s length %s"):format(number(s.size[1]), number(s.size[3])) end,
  box = function(s) return ("box %s × %s × %s"):format(number(s.size[1]), number(s.size[2]),
    number(s.size[3])) end,
  hull = function(s)
    local corners = ("hull of %d corners"):format(s.corners)
    return s.mesh and ("%s (%s)"):format(corners, s.mesh:match "[^/]*$") or corners
  end,
}

local function print_shapes(lines, links, collisions)
  local of, most = {}, 0
  for _, shape in ipairs(collisions) do
    of[shape.link] = of[shape.link] or {}
    table.insert(of[shape.link], sizes[shape.kind](shape))
    most = math.max(most, width(shape.link))
  end
  lines[#lines + 1] = #collisions > 0 and ("Collision shapes (%d; m)"):format(#collisions)
    or "Collision shapes: none"
  for _, link in ipairs(links) do
    if of[link] then
      local pieces = of[link]
      for k = 1, #pieces - 1 do pieces[k] = pieces[k] .. "," end
      wrapped(lines, "  " .. pad(link, most) .. "  ", (" "):rep(most + 4), pieces)
    end
  end
end

--- The pairs of links with collision avoidance.
local function print_pairs(lines, watched)
  lines[#lines + 1] = ("Self-collision: %s of links watched"):format(counted(#watched, "pair"))
  local with, order, most = {}, {}, 0 -- of each link: those that it is watched against
  for _, pair in ipairs(watched) do
    local a, b = pair[1], pair[2]
    if not with[a] then
      with[a], order[#order + 1] = {}, a
      most = math.max(most, width(a))
    end
    table.insert(with[a], b)
  end
  for _, link in ipairs(order) do
    wrapped(lines, "  " .. pad(link, most) .. "  ", (" "):rep(most + 4), with[link])
  end
end

-- The page ----------------------------------------------------------------------------------------

local function print_facts(lines, description, counts)
  lines[#lines + 1] = ("%s (%s)"):format(description.title, description.name)
  local model = description.robot
  local facts = {
    { "file", description.file }, { "model", model:file() ~= description.file and model:file() or nil },
    { "source", table.concat(description.source, "; ") },
    { "base", description.base },
    { "mass", model:mass() > 0 and ("%.4g kg"):format(model:mass()) or "not given" },
    { "points", description.point_speed
      and ("at most %g m/s (docs/behaviors/calmer.md)"):format(description.point_speed) },
    { "has", ("%s, %s (%d fixed, %d mimic), %s (%d outside the tree)"):format(counted(counts.links, "link"),
      counted(counts.joints, "joint"), counts.fixed, counts.mimic, counted(counts.dofs, "DOF"),
        counts.outside) },
  }
  for _, fact in ipairs(facts) do
    if fact[2] and fact[2] ~= "" then
      wrapped(lines, "  " .. pad(fact[1], 8), (" "):rep(10), words_of(fact[2]))
    end
  end
end

local function print_named(lines, title, rows)
  if #rows == 0 then return end
  local most = 0
  for _, row in ipairs(rows) do most = math.max(most, width(row[1])) end
  lines[#lines + 1], lines[#lines + 2] = "", title
  for _, row in ipairs(rows) do
    wrapped(lines, "  " .. pad(row[1], most) .. "  ", (" "):rep(most + 4), words_of(row[2]))
  end
end

--- The poses, one on each line if they have descriptions, else their names.
local function print_poses(lines, description)
  local rows, names, labels = {}, suggest.keys(description.poses), false
  for index, name in ipairs(names) do
    local home, label = name == description.home and " (home)" or "", description.poses[name].label
    labels = labels or label ~= nil
    rows[index], names[index] = { name, (label or "") .. home },
      name .. home .. (index < #names and "," or "")
  end
  if labels then return print_named(lines, "Poses", rows) end
  lines[#lines + 1], lines[#lines + 2] = "", "Poses"
  wrapped(lines, "  ", "  ", names)
end

--- The roles: of a robot with a robot.lua its links; of a bare model with the confidence of each guess, and
--- why.
local function role_rows(description)
  local rows, guesses = {}, description.guesses or {}
  for _, role in ipairs(suggest.keys(description.roles)) do
    local one = guesses[role]
    local how = one and (" (%s: %s)"):format(one.sure, one.why) or ""
    rows[#rows + 1] = { role, description.roles[role] .. how }
  end
  return rows
end

local function warning_rows(warnings)
  local rows = {}
  for index, warning in ipairs(warnings) do rows[index] = { "-", warning } end
  return rows
end

--- What closes loops, each with its two links.
local function loop_rows(loops)
  local rows = {}
  for index, loop in ipairs(loops) do
    local same = loop.type == "pose" and "are welded" or "share a point"
    rows[index] = { loop.name, ("%s and %s %s"):format(loop.links[1], loop.links[2], same) }
  end
  return rows
end

--- The unreadable meshes, by link.
local function mesh_rows(missing)
  local rows = {}
  for index, one in ipairs(missing) do rows[index] = { one.link, one.mesh } end
  return rows
end

--- Write the page of a robot.
---@param description table from brio.robots
---@param tree table from brio.draw.parts
---@param counts { links: integer, joints: integer, fixed: integer, mimic: integer, dofs: integer,
---  outside: integer }
---@param watched string[][]? the pairs of links that are watched: { a, b } each
---@param unwatched string? why these are not known
---@return string
function page.text(description, tree, counts, watched, unwatched)
  local lines, variables, model = {}, {}, description.robot
  for _, variable in ipairs(model:variables()) do variables[variable.name] = variable end
  print_facts(lines, description, counts)
  lines[#lines + 1] = ""
  print_tree(lines, tree, variables)
  lines[#lines + 1] = ""
  print_dofs(lines, description.dofs)
  lines[#lines + 1] = ""
  print_shapes(lines, model:links(), model:collisions())
  if watched then
    lines[#lines + 1] = ""
    print_pairs(lines, watched)
  elseif unwatched then
    lines[#lines + 1] = ""
    wrapped(lines, "Self-collision: ", "  ", words_of("pairs are not worked out: " .. unwatched))
  end
  local loops = model:loops()
  print_named(lines, ("Loop closures, which the solver does not enforce (%d)"):format(#loops),
    loop_rows(loops))
  print_poses(lines, description)
  print_named(lines, description.guesses
    and "Roles (guessed; brio robot FILE --init FOLDER writes a file to edit)" or "Roles",
    role_rows(description))
  print_named(lines, ("Warnings (%d)"):format(#description.warnings), warning_rows(description.warnings))
  local missing = description.missing_meshes or {}
  if #missing > 1 then
    print_named(lines, ("Meshes that cannot be read (%d)"):format(#missing), mesh_rows(missing))
  end
  return table.concat(lines, "\n")
end

return page
