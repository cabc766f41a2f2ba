--- A writer of MCAP files (https://mcap.dev/spec): messages of channels in chunks, with an index of messages
--- by time, a summary with all indexes and statistics, and checksums of everything.
---
---     local file = mcap.new(function(bytes) out:write(bytes) end)
---     local schema = file:schema("foxglove.Log", "jsonschema", text)
---     local channel = file:channel("/log", schema, "json")
---     file:message(channel, nanoseconds, text)
---     file:finish()
local archive = require "brio.archive"
local version = require "brio.version"

local Writer = {}
Writer.__index = Writer

local mcap = {}

local magic = "\x89MCAP0\r\n"

local opcode = { header = 1, footer = 2, schema = 3, channel = 4, message = 5, chunk = 6, message_index = 7,
  chunk_index = 8, statistics = 11, metadata = 12, metadata_index = 13, summary_offset = 14, data_end = 15 }

--- Bytes of messages in a chunk.
mcap.chunk_bytes = 1 << 20

local function record(kind, content) return ("<B I8"):pack(opcode[kind], #content) .. content end

--- Texts by name, in order of the names.
local function map_of(entries)
  local parts = {}
  for _, name in ipairs(require("brio.lib.suggest").keys(entries)) do
    parts[#parts + 1] = ("<s4 s4"):pack(name, entries[name])
  end
  return ("<s4"):pack(table.concat(parts))
end

--- Write bytes of the data section, counted and added to the checksum.
local function put(self, bytes)
  self.crc, self.at = archive.crc32(bytes, self.crc), self.at + #bytes
  self.out(bytes)
end

local function new_chunk() return { parts = {}, size = 0, index = {}, order = {} } end

--- A new file. `out` gets its bytes in order; options: compression "zstd" (default) or "".
---@param out fun(bytes: string)
---@param options { compression: string? }?
function mcap.new(out, options)
  local self = setmetatable({ out = out, crc = 0, at = 0, chunk = new_chunk(), schemas = {}, channels = {},
    counts = {}, chunks = {},
    metadata_index = {}, messages = 0, compression = options and options.compression or "zstd" }, Writer)
  put(self, magic)
  put(self, record("header", ("<s4 s4"):pack("", "brio " .. version)))
  return self
end

local function into_chunk(self, bytes)
  local chunk = self.chunk
  chunk.parts[#chunk.parts + 1], chunk.size = bytes, chunk.size + #bytes
end

--- A schema: its name, its encoding ("jsonschema") and its text. Return its number.
function Writer:schema(name, encoding, text)
  local id = #self.schemas + 1
  self.schemas[id] = record("schema", ("<I2 s4 s4 s4"):pack(id, name, encoding, text))
  into_chunk(self, self.schemas[id])
  return id
end

--- A channel: its topic, the number of its schema, the encoding of its messages, and texts by name about it.
--- Return its number.
function Writer:channel(topic, schema, encoding, metadata)
  local id = #self.channels + 1
  self.channels[id] = record("channel",
    ("<I2 I2 s4 s4"):pack(id, schema, topic, encoding) .. map_of(metadata or {}))
  self.counts[id] = 0
  into_chunk(self, self.channels[id])
  return id
end

--- Compress the present chunk, and write it with its index.
local function end_chunk(self)
  local chunk = self.chunk
  if #chunk.order == 0 then return end
  local bytes = table.concat(chunk.parts)
  local kept = self.compression == "zstd" and assert(archive.zstd(bytes)) or bytes
  local start = self.at
  put(self, record("chunk", ("<I8 I8 I8 I4 s4 s8"):pack(chunk.first, chunk.last, #bytes, archive.crc32(bytes),
    self.compression, kept)))
  local length, offsets = self.at - start, {}
  for _, channel in ipairs(chunk.order) do
    offsets[#offsets + 1] = ("<I2 I8"):pack(channel, self.at)
    put(self, record("message_index", ("<I2 s4"):pack(channel, table.concat(chunk.index[channel]))))
  end
  self.chunks[#self.chunks + 1] = record("chunk_index",
    ("<I8 I8 I8 I8 s4 I8 s4 I8 I8"):pack(chunk.first, chunk.last, start,
    length,
    table.concat(offsets), self.at - start - length, self.compression, #kept, #bytes))
  self.chunk = new_chunk()
end

--- Add a message to a channel, at a time in nanoseconds.
function Writer:message(channel, time, text)
  local chunk, sequence = self.chunk, self.counts[channel] + 1
  local index = chunk.index[channel]
  if not index then
    index = {}
    chunk.index[channel], chunk.order[#chunk.order + 1] = index, channel
  end
  index[#index + 1] = ("<I8 I8"):pack(time, chunk.size)
  into_chunk(self, ("<B I8 I2 I4 I8 I8"):pack(opcode.message, 22 + #text, channel, sequence & 0xFFFFFFFF,
    time, time))
  into_chunk(self, text)
  chunk.first, chunk.last = math.min(chunk.first or time, time), math.max(chunk.last or time, time)
  self.first, self.last = math.min(self.first or time, time), math.max(self.last or time, time)
  self.counts[channel], self.messages = sequence, self.messages + 1
  if chunk.size >= mcap.chunk_bytes then end_chunk(self) end
end

--- Texts by name about the whole file.
function Writer:metadata(name, entries)
  end_chunk(self)
  local bytes = record("metadata", ("<s4"):pack(name) .. map_of(entries))
  self.metadata_index[#self.metadata_index + 1] = record("metadata_index",
    ("<I8 I8 s4"):pack(self.at, #bytes, name))
  put(self, bytes)
end

local function statistics(self)
  local counts = {}
  for channel, count in ipairs(self.counts) do counts[channel] = ("<I2 I8"):pack(channel, count) end
  return record("statistics", ("<I8 I2 I4 I4 I4 I4 I8 I8 s4"):pack(self.messages, #self.schemas,
    #self.channels, 0, #self.metadata_index,
    #self.chunks, self.first or 0, self.last or 0, table.concat(counts)))
end

--- The summary, group by group, and the offset of each group.
local function summary(self)
  local groups = { { "schema", self.schemas }, { "channel", self.channels },
    { "statistics", { statistics(self) } },
    { "chunk_index", self.chunks }, { "metadata_index", self.metadata_index } }
  local parts, offsets, at = {}, {}, self.at
  for _, group in ipairs(groups) do
    local bytes = table.concat(group[2])
    if #bytes > 0 then
      offsets[#offsets + 1] = record("summary_offset", ("<B I8 I8"):pack(opcode[group[1]], at, #bytes))
    end
    parts[#parts + 1], at = bytes, at + #bytes
  end
  return table.concat(parts), table.concat(offsets), at
end

--- Write the last chunk and the summary: the file is complete.
function Writer:finish()
  end_chunk(self)
  local crc = self.crc
  put(self, record("data_end", ("<I4"):pack(crc)))
  local start = self.at
  local groups, offsets, offsets_at = summary(self)
  local head = ("<B I8 I8 I8"):pack(opcode.footer, 20, start, offsets_at)
  local check = archive.crc32(head, archive.crc32(offsets, archive.crc32(groups)))
  self.out(groups .. offsets .. head .. ("<I4"):pack(check) .. magic)
end

return mcap
