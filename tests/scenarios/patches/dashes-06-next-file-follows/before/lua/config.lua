-- Settings of the editor.
local M = {}

M.defaults = {
  width = 100,
  theme = "light",
  keys = { save = "<C-s>", quit = "<C-q>" },
}

-- merge(a, b): what b says wins
function M.merge(a, b)
  local out = {}
  for key, value in pairs(a) do
    out[key] = value
  end
  for key, value in pairs(b or {}) do
    out[key] = value
  end
  return out
end

function M.setup(options)
  M.options = M.merge(M.defaults, options)
  if M.options.theme == "dark" then
    vim.o.background = "dark"
  end
end

return M
