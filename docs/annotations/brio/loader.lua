---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/runtime/lua_loader.c by scripts/docs.lua.

---@class brio.loader
local loader = {}

---End the thread; may be called again.
function loader:close() end

---Start a thread with a Lua state of its own.  With `poll` it polls the files, for file systems without
---events.  The thread requires `module` and calls its new(settings, announce) with a list of texts and a
---function.  That returns an object; its step(saved_at, request) is called when files have changed: see
---runtime/script/loader.h.
---@param module any
---@param settings any
---@param poll? any
---@return brio.loader? # loader | nil, sentence, code
---@return string? sentence
---@return string? code
function loader.start(module, settings, poll) end

---The oldest result of the thread.
---@return table # list of texts | nil
function loader:take() end

---Send the thread a request: a list of texts. False: too many requests wait.
---@param request any
---@return any # asked
function loader:ask(request) end

return loader
