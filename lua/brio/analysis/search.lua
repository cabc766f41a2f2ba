--- Full-text search in a store: all words must occur, in any form ("nodding" finds "nod"); "a phrase" in
--- quotes, gree* for beginnings, -word for exclusion, OR between two.
local store = require "brio.store"

local words = {}

--- A word for FTS5: always quoted, so that typed text is never parsed as its grammar.
local function quoted(text, is_beginning)
  return '"' .. text:gsub('"', '""') .. '"' .. (is_beginning and "*" or "")
end

--- Split typed text: a list of {text, phrase = whether it was in quotes}.
local function pieces_of(typed)
  local list, at = {}, 1
  while true do
    at = typed:find("%S", at)
    if not at then return list end
    local minus, phrase, after = typed:match('^(%-?)"([^"]*)"?()', at)
    if phrase then
      list[#list + 1] = { text = phrase, minus = minus == "-", phrase = true }
    else
      local word
      word, after = typed:match("^(%S+)()", at)
      local body = word:match "^%-(.+)$"
      list[#list + 1] = { text = body or word, minus = body ~= nil }
    end
    at = after
  end
end

--- The query for FTS5; nil and a sentence if nothing remains.
function words.expression(typed)
  local wanted, without, either = {}, {}, false
  for _, piece in ipairs(pieces_of(typed)) do
    local text, beginning = piece.text, nil
    if not piece.phrase and text:match "^.+%*$" then text, beginning = text:sub(1, -2), true end
    if text:match "^OR$" and not piece.phrase and #wanted > 0 then
      either = true
    elseif text:find "[%w\128-\255]" then
      local made = quoted(text, beginning)
      if piece.minus then without[#without + 1] = made
      elseif either then wanted[#wanted], either = ("(%s OR %s)"):format(wanted[#wanted], made), false
      else wanted[#wanted + 1] = made end
    end
  end
  if #wanted == 0 then return nil, "there is no word to search for in that" end
  local all = table.concat(wanted, " AND ")
  return #without > 0 and ("(%s) NOT (%s)"):format(all, table.concat(without, " OR ")) or all
end

--- Search the store at `path`.  Options: kind, runs (a list of numbers; nil: all), most (50), mark (two texts
--- around each match).  Return {hits = list of {run, t, kind, row, text, version, name}, more = whether there
--- are more, gaps = list of {kind, why}}, best first; nil and a sentence.
function words.find(path, typed, options)
  local expression, why = words.expression(typed)
  if not expression then return nil, why end
  local db, fault = store.search(path)
  if not db then return nil, fault end
  local most, mark = options.most or 50, options.mark or { "", "" }
  local runs = options.runs and ("AND run IN (%s)"):format(table.concat(options.runs, ",")) or ""
  local hits, sentence = db:query(("SELECT run, t, kind, row, snippet(found, 0, ?3, ?4, '...', 24) AS text \z
    FROM found"
    .. " WHERE found MATCH ?1"
    .. " AND (?2 IS NULL OR kind = ?2) %s ORDER BY rank, run DESC, t LIMIT"
    .. " ?5"):format(runs), expression, options.kind or store.null,
    mark[1], mark[2], most + 1)
  local gaps = db:query "SELECT kind, why FROM gaps ORDER BY kind"
  db:close()
  if not hits then return nil, sentence end
  local more = #hits > most
  hits[most + 1] = nil
  return { hits = hits, more = more, gaps = gaps or {} }
end

--- The kinds of rows that are searched.
words.kinds = { "run", "note", "annotation", "event", "log", "fault", "operator", "action", "state",
  "activation", "source", "object", "tree", "version" }

--- Add the runs that used a version (`name` and `runs`), and what happened around other hits (`context`).
function words.explain(db, found)
  local sets = require "brio.analysis.run_sets"
  for _, hit in ipairs(found.hits) do
    if hit.kind == "version" then
      local rows = db:query("SELECT name FROM versions WHERE hash = ?", hit.row)
      hit.name = rows and rows[1] and rows[1].name
      local list = {}
      for _, row in ipairs(db:query("SELECT DISTINCT run FROM run_versions WHERE hash = ? ORDER BY run",
          hit.row) or {}) do
        list[#list + 1] = row.run
      end
      hit.runs = sets.text(list)
    elseif hit.run then
      local rows = db:query("SELECT r.behavior, r.started_at, (SELECT group_concat(state, ', ') FROM states \z
        s WHERE s.run = r.id"
        .. " AND s.entered <= ?2 AND (s.left_at IS NULL OR s.left_at > ?2)) AS states FROM runs r WHERE \z
          r.id ="
        .. " ?1", hit.run, hit.t or 0)
      local row = rows and rows[1] or {}
      hit.behavior, hit.started_at, hit.states = row.behavior, row.started_at, row.states
    end
  end
end

return words
