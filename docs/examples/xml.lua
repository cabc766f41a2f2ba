-- Other programs' files: elements with their attributes and where they stand.
local xml = require "brio.xml"

local root = xml.parse('<Animation version="2"><Key frame="0"/>\n<Key frame="20"/></Animation>')
print(root.name, root.attributes.version, #root) --> Animation	2	2
print(root[2].attributes.frame, root[2].line)    --> 20	2

-- The texts of elements are kept if they are asked for.
print(xml.parse("<a><b>x &lt; y</b><c/></a>", "a.xml", true)[1].text) --> x < y

-- What is no document says where it goes wrong.
print(xml.parse("<a><b></a>", "arm.xml"))
--> nil	arm.xml:1:9: not well-formed XML: mismatched tag	format
