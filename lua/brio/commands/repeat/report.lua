--- What `brio repeat` and `brio batch` print of repeated runs.
local columns = require "brio.lib.columns"
local suggest = require "brio.lib.suggest"

local report = {}

local function percent(rate) return rate and ("%.1f %%"):format(100 * rate) or "" end

local function between(low, high) return low and ("%.1f to %.1f %%"):format(100 * low, 100 * high) or "" end

--- The printed row of a leaf.
local function row_of(node)
  local name = node.name ~= node.kind and node.name or node.kind
  local length = utf8.len(name) or #name
  if length > 26 then name = name:sub(1, (utf8.offset(name, 26) or 26) - 1) .. "…" end
  return { n = ("%3d"):format(node.node), leaf = name, runs = ("%5d"):format(node.runs),
    succeeded = ("%9s"):format(percent(node.rate)),
    ["95 % interval"] = ("%15s"):format(between(node.low, node.high)),
    ["p50 s"] = node.p50 and ("%5.2f"):format(node.p50) or "",
      ["p95 s"] = node.p95 and ("%5.2f"):format(node.p95) or "" }
end

local heads = { "n", "leaf", "runs", "succeeded", "95 % interval", "p50 s", "p95 s" }

--- The command that repeats one run.
function report.again(args, options, number)
  local words = { "brio repeat", args[1], "--times 1 --seed", tostring(options.seed + number - 1) }
  for _, name in ipairs { "tree", "robot", "for" } do
    if args[name] then words[#words + 1] = ("--%s '%s'"):format(name, args[name]) end
  end
  for _, name in ipairs { "vary", "leaf", "load" } do
    for _, value in ipairs(args[name] or {}) do words[#words + 1] = ("--%s '%s'"):format(name, value) end
  end
  return table.concat(words, " ")
end

local function values_text(values)
  local words = {}
  for _, name in ipairs(suggest.keys(values)) do
    words[#words + 1] = type(values[name]) == "number" and ("%s %.4g"):format(name, values[name])
      or name .. " " .. tostring(values[name])
  end
  return #words > 0 and ", " .. table.concat(words, ", ") or ""
end

--- The sentence on the first run that did not succeed.
function report.failure(args, options, result)
  local where = result.node and (" at '%s'"):format(result.node) or ""
  print(("\nrun %d (seed %d%s): %s%s after %.2f s: %s\nagain: %s"):format(result.run, result.seed,
    values_text(result.values),
    result.outcome, where, result.seconds or 0, result.why or "without a reason",
      report.again(args, options, result.run)))
end

--- Leaves that cannot fail, and have no interesting statistics.
local sure = { ["goto"] = true, checkpoint = true, succeed = true }

function report.summary(args, options, summary, about)
  print(("%s, state %s%s on %s: %d run%s, seeds %d to %d\n"):format(args[1]:match "[^/]*$", about.state,
    about.node and (", from '%s'"):format(about.node) or "", about.robot, summary.runs,
      summary.runs == 1 and "" or "s",
    options.seed, options.seed + summary.runs - 1))
  local rows = {}
  for _, node in ipairs(summary.nodes) do
    if node.leaf and not sure[node.kind] and (node.runs > 0 or node.stopped > 0) then
      rows[#rows + 1] = row_of(node)
    end
  end
  print(columns.text(heads, rows))
  for _, node in ipairs(summary.nodes) do
    for _, reason in ipairs(node.leaf and node.why or {}) do
      print(("%6d x '%s': %s"):format(reason.times, node.name, reason.why))
    end
  end
  print(("\nthe whole: %d of %d succeeded, %s (%s); its leaves predict %s"):format(summary.successes,
    summary.runs, percent(summary.rate), between(summary.low, summary.high), percent(summary.predicted)))
  if summary.p50 then print(("it takes %.2f s (p50), %.2f s (p95)"):format(summary.p50, summary.p95)) end
  if summary.alike then
    print(#options.vary > 0 and "all runs went alike, whatever was varied"
      or "all runs went alike: nothing in them is random, and nothing was varied (see --vary)")
  end
end

return report
