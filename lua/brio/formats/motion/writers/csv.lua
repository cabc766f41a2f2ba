--- CSV: a column for the time, and one for each DOF, in rad, m or 1.
local csv = { name = "csv", extensions = { "csv" }, doc = "a table: time (s), then a column for each DOF" }

local function cell(text) return text:find '[",\n]' and '"' .. text:gsub('"', '""') .. '"' or text end

function csv.write(film)
  local lines, head = {}, { "time" }
  for _, one in ipairs(film.dofs) do head[#head + 1] = cell(one.name) end
  lines[1] = table.concat(head, ",")
  for index, row in ipairs(film.values) do
    local cells = { ("%.6f"):format(film.times[index]) }
    for _, value in ipairs(row) do cells[#cells + 1] = ("%.6f"):format(value) end
    lines[#lines + 1] = table.concat(cells, ",")
  end
  return table.concat(lines, "\n") .. "\n"
end

return csv
