-- Rules of Truco in Neovim (0.7 and newer): save as ~/.config/nvim/lua/truco.lua and say require("truco") in init.lua.
-- It wants truco-spec on the path: pip install 'truco-spec[editor]'.

local M = { command = { "truco-spec", "lsp", "--stdio" }, clients = {} }

M.keys = {
  K = vim.lsp.buf.hover,
  gd = vim.lsp.buf.definition,
  grr = vim.lsp.buf.references,
  grn = vim.lsp.buf.rename,
  gra = vim.lsp.buf.code_action,
  grf = vim.lsp.buf.format or vim.lsp.buf.formatting,
  grx = vim.lsp.codelens.run,
}

-- Colours until the server tells the kinds of words, which Neovim asks from 0.9 on.
M.words = "above action all also and answers as ask at because bid but by calls choice closed concordance count datum "
  .. "decision deck define do drop during each effect else every except extends fault first fresh from highest if in "
  .. "interrupts is ladder last later lest lowest may move must not of on once opens option or order pays phase "
  .. "possible rank rather refusal refuse replace resolves resume rule seats seen set settles some special stake stakes "
  .. "sum table tacit teams than then title to trump upto variant when where with within without written x"

local function colour()
  vim.cmd([[
    syntax match Identifier /@[a-z][a-z0-9-]*:[A-Za-z0-9.-]*/
    syntax region String start=/"/ end=/"/
    syntax match Comment /#.*/
    syntax keyword Statement ]] .. M.words)
end

-- Completion (CTRL-X CTRL-O) as the server offers it: clauses by words of what they say, too, which Neovim's own leaves out.
function M.complete(find_start)
  if find_start == 0 then return {} end
  local where = vim.lsp.util.make_position_params(0, "utf-16")
  vim.lsp.buf_request(0, "textDocument/completion", where, function(_, found)
    if not found or #found.items == 0 or vim.fn.mode() ~= "i" then return end
    local line, column = vim.api.nvim_get_current_line(), vim.fn.col(".") - 1
    local start = vim.str_byteindex(line, found.items[1].textEdit.range.start.character, true)
    local typed, items = line:sub(start + 1, column), {}
    for _, item in ipairs(found.items) do
      if found.isIncomplete or vim.startswith(item.label, typed) then
        table.insert(items, { word = item.label, menu = item.detail, info = item.documentation })
      end
    end
    vim.fn.complete(start + 1, items)
  end)
  return -2
end

vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
  pattern = "*.truco",
  callback = function() vim.bo.filetype = "truco" end,
})

-- The commands of lenses: the cases that test a statement, as a list; what a verb tells of the first of them, in a tab.
local function show_cases(command)
  local items = {}
  for _, place in ipairs(command.arguments[3]) do
    table.insert(items, { filename = vim.uri_to_fname(place.uri), lnum = place.range.start.line + 1, col = 1 })
  end
  vim.fn.setqflist({}, " ", { title = command.title, items = items })
  vim.cmd("copen")
end

local function tell_case(verb)
  return function(command)
    local asked = { command = "truco-spec.logOfCase", arguments = command.arguments }
    vim.lsp.buf_request(0, "workspace/executeCommand", asked, function(mistake, log)
      if not log then return vim.notify(mistake and mistake.message or "") end
      vim.cmd("tabnew")
      local buffer = vim.api.nvim_get_current_buf()
      vim.bo.buftype, vim.bo.bufhidden = "nofile", "wipe"
      local function put(_, lines)
        if vim.api.nvim_buf_is_valid(buffer) and lines[2] then vim.api.nvim_buf_set_lines(buffer, 0, -1, true, lines) end
      end
      vim.fn.jobstart({ M.command[1], verb, log }, {
        stdout_buffered = true, on_stdout = put, stderr_buffered = true, on_stderr = put,
      })
    end)
  end
end

vim.lsp.commands["truco-spec.showCases"] = show_cases
vim.lsp.commands["truco-spec.playCase"] = tell_case("run")
vim.lsp.commands["truco-spec.disputeCase"] = tell_case("dispute")

local function show_lenses(_, buffer)
  if vim.lsp.codelens.enable then return vim.lsp.codelens.enable(true, { bufnr = buffer }) end
  vim.schedule(vim.lsp.codelens.refresh)
  local now = { "BufEnter", "BufWritePost", "InsertLeave" }
  vim.api.nvim_create_autocmd(now, { buffer = buffer, callback = vim.lsp.codelens.refresh })
end

function M.attach(buffer)
  local root = vim.fn.getcwd()
  local config = { name = "truco-spec", cmd = M.command, root_dir = root, on_attach = show_lenses }
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
    vim.bo[event.buf].omnifunc = "v:lua.require'truco'.complete"
    vim.bo[event.buf].iskeyword = "@,48-57,_,-,.,:,@-@"
    vim.bo[event.buf].shiftwidth = 2
    vim.bo[event.buf].expandtab = true
    for key, act in pairs(M.keys) do
      vim.keymap.set("n", key, act, { buffer = event.buf })
    end
    if vim.bo[event.buf].filetype == "truco" then
      vim.bo[event.buf].commentstring = "# %s"
      vim.schedule(colour) -- what Neovim clears meanwhile would be gone
    end
  end,
})

return M
