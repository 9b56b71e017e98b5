local M = {}

--- doc of h
function M.h(x)
  return x + 2
end

return M
