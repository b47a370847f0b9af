/**
 * How an Application stands, as Lua for Argo CD, which has none of its own: an Application that holds others
 * waits with a wave until those of the wave before are healthy. One that has not yet been compared with the
 * source that it names now is on its way, whatever it was before; so is one that was never synced as a whole,
 * since most kinds have no health, and half of them looks as well as all.
 *
 * That it is out of sync later is not asked: a prune that waits for a person would hold up all that comes after.
 * Source: https://argo-cd.readthedocs.io/en/stable/operator-manual/health/#argocd-app
 */
export const applicationHealth = `local status = obj.status or {}
local errors = {
  ComparisonError = true,
  DeletionError = true,
  InvalidSpecError = true,
  SyncError = true,
  UnknownError = true,
}
local messages = {}
for _, condition in ipairs(status.conditions or {}) do
  if errors[condition.type] then
    table.insert(messages, condition.message)
  end
end
local message = table.concat(messages, "; ")

if status.health == nil or status.health.status == nil then
  return { status = "Progressing", message = message ~= "" and message or "not compared yet" }
end

local source = obj.spec.source
local compared = status.sync and status.sync.comparedTo and status.sync.comparedTo.source
if source ~= nil and compared ~= nil then
  for _, field in ipairs({ "repoURL", "path", "targetRevision" }) do
    if (source[field] or "") ~= (compared[field] or "") then
      return { status = "Progressing", message = "not yet compared with this " .. field }
    end
  end
end

local operation = status.operationState or {}
local synced = #(status.history or {}) > 0 or operation.phase == "Succeeded"
if not synced and status.sync ~= nil and status.sync.status ~= "Synced" then
  return { status = "Progressing", message = message ~= "" and message or "not synced yet" }
end

return { status = status.health.status, message = message }
`;
