/**
 * The health check of Applications, as Lua for Argo CD, which has none of its own. An Application that keeps others
 * starts a wave when those of the wave before are healthy. An Application is progressing until it has been compared
 * with its current source. It is also progressing until it was synced once as a whole: most kinds have no health, so
 * half of the objects would look as healthy as all of them.
 *
 * Being out of sync later does not count: a prune that waits for a person would hold up everything after it.
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
