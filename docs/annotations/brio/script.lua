---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/runtime/lua_script.c by scripts/docs.lua.

---@class brio.script
local script = {}

---Call a function with at most `budget` seconds of CPU time; a message carries its traceback.
---@param budget number
---@param fn any
---@param ... any
---@return boolean # true, results... | false, message
function script.call(budget, fn, ...) end

---coroutine.resume with the coroutine under the budget.
---@param coroutine any
---@param ... any
---@return boolean # true, values... | false, what was raised
function script.resume(coroutine, ...) end

---Run a coroutine, made from a function without arguments, for `seconds`: if it has not ended by then it is
---interrupted and continues there at the next call.
---@param coroutine any
---@param seconds number
---@return any # over, [good, values... | false, what was raised]
function script.work(coroutine, seconds) end

---coroutine.close with the coroutine under the budget: its __close functions run in it.
---@param coroutine any
---@return boolean # true | false, what was raised
function script.close(coroutine) end

---The error of a coroutine as a text, with the coroutine's traceback.
---@param coroutine any
---@param raised any
---@return any # message
function script.traceback(coroutine, raised) end

---Where a function of the stack is now, by its level as in debug.getinfo, but without a table: a file that
---describes a thousand states calls it as often.
---@param level any
---@return any # file, line | nil
function script.caller(level) end

---Sets the table of the scripts' memory: part of the position at which a replay repeats an interruption by
---the budget.
---@param table any
function script.remembers(table) end

---A script is never cut in the functions among the values of a table, nor in what they call, but behind them:
---a replay does not execute them as the run does.
---@param functions any
function script.apart(functions) end

return script
