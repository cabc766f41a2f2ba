---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/base/lua_file.c by scripts/docs.lua.

---@class brio.file
local file = {}

---All bytes of a file, at most `limit` (16 MB). A folder or a pipe is refused, since a pipe might block
---forever. Codes: no_file, io, limit, no_memory.
---@param path string
---@param limit? any
---@return string? # text | nil, sentence, code
---@return string? sentence
---@return string? code
function file.read(path, limit) end

---Replaces a file atomically: a reader gets the whole old text or the whole new one. Writes to a file beside
---it first, with ".new" appended to the name. The permissions stay, and so does a symbolic link: the file
---that it names is replaced. Codes: io.
---@param path string
---@param text string
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function file.replace(path, text) end

---Whether up to 4096 bytes can be written to the standard output (1) or error (2) at once: false while a pipe
---is full, or a terminal is stopped.
---@param number number
---@return any # boolean
function file.ready(number) end

---The names in a folder, without those that begin with a dot, sorted. Codes: no_file, io, no_memory.
---@param path string
---@return table? # list of texts | nil, sentence, code
---@return string? sentence
---@return string? code
function file.list(path) end

return file
