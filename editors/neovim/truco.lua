-- Rules of Truco in Neovim (0.7 and newer): save as ~/.config/nvim/lua/truco.lua and say require("truco") in init.lua.
-- It wants truco-spec on the path: pip install 'truco-spec[editor]'.

local M = { command = { "truco-spec", "lsp", "--stdio" }, clients = {} }

vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
  pattern = "*.truco",
  callback = function() vim.bo.filetype = "truco" end,
})

-- The command of a lens: the cases that test a statement, as a list.
if vim.lsp.commands then
  vim.lsp.commands["truco-spec.showCases"] = function(command)
    local items = {}
    for _, place in ipairs(command.arguments[3]) do
      table.insert(items, { filename = vim.uri_to_fname(place.uri), lnum = place.range.start.line + 1, col = 1 })
    end
    vim.fn.setqflist({}, " ", { title = command.title, items = items })
    vim.cmd("copen")
  end
end

function M.attach(buffer)
  local root = vim.fn.getcwd()
  local config = { name = "truco-spec", cmd = M.command, root_dir = root }
  if vim.lsp.start then
    return vim.lsp.start(config, { bufnr = buffer })
  end
  M.clients[root] = M.clients[root] or vim.lsp.start_client(config)
  vim.lsp.buf_attach_client(buffer, M.clients[root])
end

vim.api.nvim_create_autocmd("FileType", {
  pattern = { "truco", "yaml" },
  callback = function(event)
    M.attach(event.buf)
    if vim.bo[event.buf].filetype == "truco" then
      vim.bo[event.buf].commentstring = "# %s"
      vim.bo[event.buf].shiftwidth = 2
      vim.bo[event.buf].omnifunc = "v:lua.vim.lsp.omnifunc"
    end
  end,
})

return M
