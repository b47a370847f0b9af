local function declared(field)
  for _, entry in ipairs(obj.metadata.managedFields or {}) do
    local spec = entry.fieldsV1 and entry.fieldsV1["f:spec"] or {}
    if entry.manager == "argocd-controller" and spec["f:" .. field] ~= nil then
      return true
    end
  end
  return false
end

local spec = obj.spec or {}
local status = obj.status or {}
local actions = {}
actions["cordon"] = {
  disabled = declared("cordoned") or spec.cordoned == true,
  displayName = "Cordon: the operator leaves it alone",
  iconClass = "fa fa-fw fa-pause",
}
actions["uncordon"] = {
  disabled = declared("cordoned") or spec.cordoned ~= true,
  displayName = "Uncordon",
  iconClass = "fa fa-fw fa-play",
}
actions["heal"] = {
  disabled = declared("driftPolicy") or spec.driftPolicy == "Heal" or status.driftPolicy == "Heal",
  displayName = "Heal: the operator restores what is declared",
  iconClass = "fa fa-fw fa-wrench",
}
actions["stop-healing"] = {
  disabled = declared("driftPolicy") or spec.driftPolicy ~= "Heal",
  displayName = "Stop healing: follow the class",
  iconClass = "fa fa-fw fa-stop",
}
return actions
