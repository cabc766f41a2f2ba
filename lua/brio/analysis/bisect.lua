--- Bisection of versions: finds the one that broke something, in a number of steps logarithmic in the number
--- of versions.
---
--- A version is good if a share of its runs meets the criterion.  Intermittent failures may mislead a search,
--- so each version is run several times, and the result has the confidence of the break.
local history = require "brio.record.history"
local intervals = require "brio.lib.intervals"

local bisect = {}

--- Find the first bad version among `versions`, from the oldest to the newest.  try(version) returns {hits,
--- count, why}, or nil and a sentence (which ends the search).  Options: least (share of runs, default 1),
--- said(version, result, good, left).  Return {found = index, tried = {index = result}, steps, why}; `found`
--- is nil if there is none, with the reason in `why`.
function bisect.search(versions, try, options)
  local tried, steps, least = {}, 0, options.least or 1
  local function look(index)
    local result, fault = try(versions[index])
    if not result then return nil, fault end
    steps = steps + 1
    result.good = result.count > 0 and result.hits / result.count >= least - 1e-12
    tried[index] = result
    return result
  end
  local good, bad = 1, #versions
  local function tell(index)
    if options.said then options.said(versions[index], tried[index], bad - good - 1) end
  end
  local newest, why = look(bad)
  if not newest then return nil, why end
  tell(bad)
  if newest.good then
    return { tried = tried, steps = steps, why = "the newest version holds it: nothing is broken" }
  end
  local oldest = newest
  if #versions > 1 then oldest, why = look(good) end
  if not oldest then return nil, why end
  if #versions > 1 then tell(good) end
  if not oldest.good then
    return { tried = tried, steps = steps,
      why = "the oldest version does not hold it either: what broke it is older, or"
      .. " it never did" }
  end
  while bad - good > 1 do
    local middle = (good + bad) // 2
    local result, fault = look(middle)
    if not result then return nil, fault end
    if result.good then good = middle else bad = middle end
    tell(middle)
  end
  return { found = bad, before = good, tried = tried, steps = steps }
end

--- Confidence of a break: the difference of the success rates of its two sides, and its interval.
function bisect.difference(found)
  local before, after = found.tried[found.before], found.tried[found.found]
  return intervals.share_difference(after.hits, after.count, before.hits, before.count)
end

--- The versions of a file in the order in which they first ran: list of {hash, name, source, run, t}, or nil
--- and a sentence.
function bisect.versions(db, file)
  local rows, why = db:query("SELECT v.hash, v.name, v.source, u.run, min(u.id) AS id, u.t FROM versions v"
    .. " JOIN run_versions u ON u.hash = v.hash AND u.run = (SELECT min(o.run) FROM run_versions o WHERE \z
      o.hash = v.hash)"
    .. " WHERE u.name = ?1 OR substr(u.name, -length(?1) - 1) = '/' || ?1 OR substr(?1, -length(u.name) - \z
      1) = '/' || u.name"
    .. " GROUP BY v.hash ORDER BY u.run, id", file)
  if not rows then return nil, why end
  if #rows == 0 then return nil, ("no version of %s is in the store"):format(file) end
  for _, row in ipairs(rows) do row.source = history.exact(db, row) end
  return rows
end

return bisect
