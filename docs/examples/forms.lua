-- An answer of a person, kept at once in a run store.
local forms, store = require "brio.forms", require "brio.store"

local path = os.tmpname()
local file = assert(forms.open(path))
assert(file:put("questionnaires", { hash = "1", name = "one", source = "return {}" }))
local kind = { questionnaire = "1", item = "kind", place = 1, subscale = "A", reverse = false,
  lowest = 1, highest = 5 }
assert(file:put("items", { kind }))
local sitting = assert(file:put("sittings",
  { questionnaire = "1", participant = "P7", language = "en", items = '["kind"]' }))
assert(file:put("responses", { sitting = sitting, item = "kind", value = 4 }))
file:close()

local db = assert(store.open(path))
for _, row in ipairs(assert(db:query "SELECT participant, item, scored FROM answers")) do
  print(row.participant, row.item, row.scored)            --> P7	kind	4
end
db:close()
for _, suffix in ipairs { "", "-wal", "-shm" } do os.remove(path .. suffix) end
