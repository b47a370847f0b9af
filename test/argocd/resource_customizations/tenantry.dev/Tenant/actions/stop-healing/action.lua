local function declared(field)
  for _, entry in ipairs(obj.metadata.managedFields or {}) do
    local spec = entry.fieldsV1 and entry.fieldsV1["f:spec"] or {}
    if entry.manager == "argocd-controller" and spec["f:" .. field] ~= nil then
      return true
    end
  end
  return false
end

if declared("driftPolicy") then
  error("spec.driftPolicy is declared in Git: change it there", 0)
end
obj.spec = obj.spec or {}
obj.spec.driftPolicy = nil
return obj
