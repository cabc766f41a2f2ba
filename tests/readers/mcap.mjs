// Reads an MCAP file with the reference reader: all of it by its index, and once more from front to end with every check
// code held against its bytes.  Prints what it found as JSON.  node mcap.mjs FILE; its packages are in NODE_PATH's folder.
import { createRequire } from "node:module";
import { open } from "node:fs/promises";
const require = createRequire(process.env.BRIO_READERS + "/");
const { McapIndexedReader, McapStreamReader } = require("@mcap/core");
const { loadDecompressHandlers } = require("@mcap/support");

const file = await open(process.argv[2]);
const size = (await file.stat()).size;
const readable = {
  size: async () => BigInt(size),
  read: async (offset, length) => {
    const buffer = new Uint8Array(Number(length));
    const { bytesRead } = await file.read(buffer, 0, Number(length), Number(offset));
    if (bytesRead !== Number(length)) throw new Error("the file ends early");
    return buffer;
  },
};
const { crc32 } = await import("node:zlib");
const whole = await readable.read(0n, BigInt(size));
const view = new DataView(whole.buffer);

// The check codes of the data and of the summary, which that reader leaves alone.
function summaryChecks() {
  const footer = size - 8 - 20 - 9;
  const summaryStart = Number(view.getBigUint64(footer + 9, true));
  const dataEnd = summaryStart - 13;
  return {
    data: view.getUint32(dataEnd + 9, true) === crc32(whole.subarray(0, dataEnd)),
    summary: view.getUint32(footer + 25, true) === crc32(whole.subarray(summaryStart, footer + 25)),
  };
}
const decompressHandlers = await loadDecompressHandlers();

const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers });

// Viewers turn a schema into types: each field has one plain type, objects say their properties, lists what is in them.
function plain(schema, path) {
  if (schema.type === "object") {
    for (const [name, one] of Object.entries(schema.properties)) plain(one, `${path}.${name}`);
  } else if (schema.type === "array") {
    plain(schema.items, `${path}[]`);
  } else if (!["string", "number", "integer", "boolean"].includes(schema.type)) {
    throw new Error(`${path} has the type ${JSON.stringify(schema.type)}`);
  }
}

// A message holds nothing that its schema does not name, of another type.
const kinds = { object: "object", array: "object", string: "string", number: "number", integer: "number", boolean: "boolean" };
function fits(value, schema, path) {
  if (typeof value !== kinds[schema.type] || value === null) throw new Error(`${path} is no ${schema.type}`);
  for (const [name, one] of Object.entries(schema.properties ?? {})) if (name in value) fits(value[name], one, `${path}.${name}`);
  if (schema.type === "array") value.forEach((one) => fits(one, schema.items, `${path}[]`));
}

const topics = {};
let last = 0n, ordered = true, messages = 0;
for await (const message of reader.readMessages()) {
  const channel = reader.channelsById.get(message.channelId);
  const schema = reader.schemasById.get(channel.schemaId);
  const value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(message.data));
  const topic = (topics[channel.topic] ??= { schema: schema.name, count: 0, first: value, encoding: schema.encoding });
  const said = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(schema.data));
  if (topic.count === 0) plain(said, channel.topic);
  fits(value, said, channel.topic);
  topic.count++;
  topic.last = value;
  ordered &&= message.logTime >= last;
  last = message.logTime;
  messages++;
}

const stream = new McapStreamReader({ decompressHandlers, validateCrcs: true });
let streamed = 0, chunks = 0, end;
for (let at = 0; at < size; at += 1 << 20) {
  stream.append(await readable.read(BigInt(at), BigInt(Math.min(1 << 20, size - at))));
  for (let record; (record = stream.nextRecord()); ) {
    if (record.type === "Message") streamed++;
    if (record.type === "ChunkIndex") chunks++;
    if (record.type === "DataEnd") end = record.dataSectionCrc;
  }
}
console.log(JSON.stringify({
  messages, streamed, chunks, ordered, whole: stream.done(), topics, data_crc: end, checks: summaryChecks(),
  chunk_indexes: reader.chunkIndexes.length,
  counted: Number(reader.statistics.messageCount),
  start: String(reader.statistics.messageStartTime), end: String(reader.statistics.messageEndTime),
  metadata: reader.metadataIndexes.map((one) => one.name),
}));
