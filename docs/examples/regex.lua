-- Regular expressions for texts that nobody here has written, as a language model's answers.
local regex = require "brio.regex"

local score = regex.new "(?i)score:\\s*(\\d+)(/10)?"
local first, last, groups = score:find "I would say Score: 7, all in all."
print(first, last, groups[1], groups[2]) --> 13	20	7	false
print(score:find "no idea")               --> nil

-- What is no pattern says where.
print(regex.new "(open|closed")
--> nil	no regular expression: missing closing parenthesis (at byte 12)	format

-- A search that would go on for ages is given up.
print(regex.new("^(a+)+$"):find(("a"):rep(40) .. "!"))
--> nil	the search was given up: match limit exceeded	limit
