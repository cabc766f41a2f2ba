-- For exporters: files of records have check codes, and are compressed.
local archive = require "brio.archive"

print(("%08x"):format(archive.crc32 "123456789"))                          --> cbf43926
print(("%08x"):format(archive.crc32("6789", archive.crc32 "12345")))       --> cbf43926
local packed = archive.zstd(("the same again, "):rep(1000))
print(#packed < 100, packed:sub(1, 4) == "\x28\xb5\x2f\xfd")               --> true	true
