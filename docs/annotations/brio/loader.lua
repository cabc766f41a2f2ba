---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/runtime/lua_loader.c by scripts/docs.lua.

---@class brio.loader
local loader = {}

---End the thread; may be called again.
function loader:close() end

---Start a thread with a Lua state of its own.  With `poll` it looks at the files again and again, for file
---systems that tell nothing.  There `module` is required, and its new(settings),
---a list of texts, gives an object whose step(saved_at, request) is called when files changed: see
---runtime/script/loader.h.
---@param module any
---@param settings any
---@param poll? any
---@return brio.loader? # loader | nil, sentence, code
---@return string? sentence
---@return string? code
function loader.start(module, settings, poll) end

---The oldest of what the thread has found.
---@return table # list of texts | nil
function loader:take() end

---Ask the thread for something: a list of texts.  False: it has too much to do already.
---@param request any
---@return any # asked
function loader:ask(request) end

return loader
