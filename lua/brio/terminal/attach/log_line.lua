--- Lines of a run's log as text, for the terminal, the prompt and the panels.
local log_line = {}

--- The levels, in ascending order; "silent" is above all.
log_line.levels = { debug = 1, info = 2, warning = 3, error = 4, silent = 5 }

--- A line of the log as text, as in "12.35 s: warning: the motor is hot".
---@param level string? "info" is not written
---@param sentence string
---@param t number? time of the run, s; nil: before its first tick, after its end, or not of the run
---@return string
function log_line.text(level, sentence, t)
  local time = type(t) == "number" and ("%.2f s: "):format(t) or ""
  local severity = level and level ~= "info" and tostring(level) .. ": " or ""
  return time .. severity .. sentence
end

--- A log on standard error, as the option `say` of brio.runner.
---@param least string the lowest level that is written
---@return fun(level: string, sentence: string, t: number?)
function log_line.writer(least)
  local from = log_line.levels[least]
  return function(level, sentence, t)
    if (log_line.levels[level] or from) >= from then
      io.stderr:write("brio: ", log_line.text(level, sentence, t), "\n")
    end
  end
end

return log_line
