---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/store/lua_store.c by scripts/docs.lua.

---@class brio.store
local store = {}

---@class brio.store.db
local db = {}

---@class brio.store.writer
local writer = {}

---SHA-256 as 64 hex digits: the store's key of a version.
---@param text string
---@return string # text
function store.hash(text) end

---Whether the process that recorded a run (column `process`) has certainly ended.
---@param process any
---@return any # ended
function store.ended(process) end

---The name of this process on this machine, for a later store.ended.
---@return string # name
function store.process() end

---Run one statement and return all its rows, tables by column name, and the columns' names in
---order. Parameters stand for ?1, ?2, ... or, given as a table with fields, for :name. A statement
---that would write is refused.
---@param sql string
---@param parameter? any
---@param ... any
---@return any? # rows, columns | nil, sentence, code
---@return string? sentence
---@return string? code
function db:query(sql, parameter, ...) end

---Like db:query, one row at a time: for row in db:rows("SELECT ...") do ... end. It holds a read transaction,
---so finish it soon while a run is recorded.
---@param sql string
---@param parameter? any
---@param ... any
---@return any? # iterator, columns | nil, sentence, code
---@return string? sentence
---@return string? code
function db:rows(sql, parameter, ...) end

---The names of the columns that a statement would have.
---@param sql string
---@return table? # list | nil, sentence, code
---@return string? sentence
---@return string? code
function db:columns(sql) end

---Close; may be called again.
function db:close() end

---Open a run store for reading, also while a run is recorded in it. `seconds` (0.001 to 86400) is the
---timeout of queries.
---@param path string
---@param seconds? number
---@return brio.store.db? # db | nil, sentence, code
---@return string? sentence
---@return string? code
function store.open(path, seconds) end

---Open an existing run store for maintenance, and bring its schema up to date: its statements may change
---it.
---@param path string
---@return brio.store.db? # db | nil, sentence, code
---@return string? sentence
---@return string? code
function store.change(path) end

---An empty store in memory, with this program's schema.
---@return brio.store.db? # db | nil, sentence, code
---@return string? sentence
---@return string? code
function store.blank() end

---Copy a consistent snapshot of a store, also during a recording, and verify the copy. An existing file is
---replaced only with force.
---@param from any
---@param to any
---@param force? any
---@return any? # bytes | nil, sentence, code
---@return string? sentence
---@return string? code
function store.backup(from, to, force) end

---Open the index of the words of a run store, brought up to date: its tables are found (FTS5: text, run, t,
---kind, row) and gaps (kind, why: what could not be read). Recording goes on meanwhile.
---@param path string
---@return brio.store.db? # db | nil, sentence, code
---@return string? sentence
---@return string? code
function store.search(path) end

---Begin a run: add a row to `runs`. Return its number.
---@param fields table
---@return any? # run | nil, sentence, code
---@return string? sentence
---@return string? code
function writer:begin(fields) end

---End the run after all rows so far, completing its row in `runs`.
---@param fields table
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function writer:finish(fields) end

---Record a version of a file, which this run uses from t on, with the hash of the one it replaces.
---@param name string
---@param source any
---@param parent? any
---@param t? any
---@return any? # hash | nil, sentence, code
---@return string? sentence
---@return string? code
function writer:version(name, source, parent, t) end

---Declare the DOFs of this run's samples. steps: {command, measured} for each, the step to which goals and
---commands are kept and that of what is measured (0: to the last bit; default: a millionth of the unit).
---@param names any
---@param units any
---@param steps? any
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function writer:dofs(names, units, steps) end

---Put a row; missing columns are null. False: no room; the row is counted as lost.
---@param table any
---@param fields table
---@return any # kept
function writer:put(table, fields) end

---Put the sample of one tick: three lists with a number for each DOF (NaN: none).
---@param tick any
---@param t any
---@param goal table
---@param command any
---@param measured any
---@return any # kept
function writer:sample(tick, t, goal, command, measured) end

---The number of rows lost so far, and the reason ("": no error).
---@return any # rows, why
function writer:lost() end

---Whether the newest attempt to write failed: rows wait for the next one.
---@return any # failing
function writer:failing() end

---The number of ticks whose samples were dropped since the store reached its limit, and whether it exceeds it
---with nothing left to drop.
---@return any # ticks, beyond
function writer:dropped() end

---Write out everything and close. Fails when rows were lost.
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function writer:close() end

---Open or create a store for recording. wait (default true): a row waits for room instead of
---being lost; durable: also survive a power cut; limit: bytes of the file at which the oldest samples are
---dropped (default: none).
---@param path string
---@param fields? table
---@return brio.store.writer? # writer | nil, sentence, code
---@return string? sentence
---@return string? code
function store.record(path, fields) end

return store
