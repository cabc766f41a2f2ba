--- What `brio compare` measures of two repeats (`brio repeat`, a point of `brio batch`): how often the whole
--- and each leaf succeeded, and how long the tree took.
local compare_repeats = {}

--- The number of a word "repeat 3" or "repeat=3"; nil: it means runs.
function compare_repeats.number(word) return math.tointeger(tonumber(word:match "^repeat[%s=]+(%d+)$")) end

local summary = [[SELECT r.behavior, r.varied, r.seed, count(x.run) AS count,
    total(x.outcome = 'success') AS hits
  FROM repeats r LEFT JOIN repeat_runs x ON x.repeat = r.id WHERE r.id = ?1 GROUP BY r.id]]

--- Rows {name, hits, count} of leaves: nodes that are nobody's parent.
local leaves = [[SELECT n.node, n.name, n.runs AS count, n.successes AS hits FROM repeat_nodes n
  WHERE n.repeat = ?1 AND n.runs > 0 AND n.node NOT IN (SELECT json_extract(p.value, '$[2]') FROM repeats r,
    json_each(r.nodes) p WHERE r.id = ?1) ORDER BY n.node]]

local lasted = [[SELECT seconds FROM repeat_runs WHERE repeat = ?1 AND outcome = 'success'
    AND seconds IS NOT NULL
  ORDER BY run]]

--- A side: what it is, its counts and its durations.  nil and a sentence.
local function side_of(db, number)
  local rows, why = db:query(summary, number)
  if not rows then return nil, why end
  local about = rows[1]
  if not about then return nil, ("there is no repeat %d in this store"):format(number) end
  local side = { word = "repeat " .. number, runs = {}, copies = 0, seed = about.seed, names = {}, rows = {},
    text = about.behavior:match "[^/]*$"
      .. (about.varied and about.varied ~= "[]" and ", " .. about.varied or "") }
  for index = 1, about.count do side.runs[index] = index end
  local function add(name, row)
    side.names[#side.names + 1], side.rows[name] = name, row
  end
  add("runs that succeed", { hits = about.hits, count = about.count })
  local nodes, fault = db:query(leaves, number)
  local times
  if nodes then times, fault = db:query(lasted, number) end
  if not times then return nil, fault end
  for _, row in ipairs(nodes) do add(("%d %s succeeds"):format(row.node, row.name), row) end
  local values = {}
  for index, row in ipairs(times) do values[index] = row.seconds end
  side.lasted = { unit = "s", values = values }
  return side
end

--- Compare two repeats.  `row_of`: {share, length}, functions that make a row of two counts, of two lists
--- (see compare.lua).  Return {a, b, shared, rows, caution}, or nil and a sentence.
function compare_repeats.of(db, first, second, row_of)
  local a, why = side_of(db, first)
  if not a then return nil, why end
  local b, fault = side_of(db, second)
  if not b then return nil, fault end
  local rows, nothing = {}, { hits = 0, count = 0 }
  for _, name in ipairs(a.names) do
    rows[#rows + 1] = row_of.share(name, a.rows[name], b.rows[name] or nothing)
  end
  for _, name in ipairs(b.names) do
    if not a.rows[name] then rows[#rows + 1] = row_of.share(name, nothing, b.rows[name]) end
  end
  rows[#rows + 1] = row_of.length("the tree, when it succeeds", a.lasted, b.lasted)
  local caution = a.seed == b.seed and "both have the same seeds: the intervals are those of independent \z
    runs, which are rather too wide" or nil
  for _, side in ipairs { a, b } do side.names, side.rows, side.lasted, side.seed = nil, nil, nil, nil end
  return { a = a, b = b, shared = 0, rows = rows, caution = caution }
end

return compare_repeats
