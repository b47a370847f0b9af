/** What the health of a Tenant depends on. */
export interface TenantHealthProps {
  /**
   * Whether an operator runs, which writes the status of a Tenant. Without one, a Tenant is healthy as soon as it
   * exists.
   */
  readonly hasOperator: boolean;
}

/**
 * Renders the health check of a Tenant, as Lua for Argo CD. `Progressing` takes precedence over errors, because a
 * change in progress may resolve them. Then comes `Degraded`, with the first differences. A cordoned Tenant is
 * `Suspended`. The status of an earlier generation is ignored.
 */
export function renderTenantHealth({ hasOperator }: TenantHealthProps): string {
  return `${CORDONED}${hasOperator ? '' : NO_OPERATOR}${CONDITIONS}`;
}

const CORDONED = `local spec = obj.spec or {}
if spec.cordoned then
  return { status = "Suspended", message = "cordoned: the operator leaves it alone" }
end

local status = obj.status or {}
`;

const NO_OPERATOR = `if status.observedGeneration == nil then
  return { status = "Healthy", message = "declared; no operator compares it" }
end
`;

const CONDITIONS = `if status.observedGeneration ~= obj.metadata.generation then
  return { status = "Progressing", message = "the operator has not looked at it yet as it is now" }
end

local conditions = {}
for _, condition in ipairs(status.conditions or {}) do
  conditions[condition.type] = condition
end
local function is(type)
  return conditions[type] ~= nil and conditions[type].status == "True"
end
local function said(type)
  return conditions[type] ~= nil and conditions[type].message or ""
end

local function difference(one)
  local place = one.namespace and one.namespace .. "/" or ""
  local what = one.kind .. " " .. place .. one.name
  local manager = one.manager and " (" .. one.manager .. ")" or ""
  if one.type == "Missing" then
    return what .. " is missing"
  end
  if one.field == nil then
    return what .. " is not declared" .. manager
  end
  local live = one.live or "not there"
  local desired = one.desired or "not there"
  return what .. ": " .. one.field .. " must be " .. desired .. ", is " .. live .. manager
end

if is("Progressing") then
  return { status = "Progressing", message = said("Ready") }
end
if is("Degraded") then
  local why = said("Degraded")
  return { status = "Degraded", message = why ~= "" and why or said("Ready") }
end
if is("Drifted") then
  local drift = status.drift or {}
  local lines = {}
  for i = 1, 3 do
    if drift[i] ~= nil then
      table.insert(lines, difference(drift[i]))
    end
  end
  local more = #drift - #lines + (status.moreDrift or 0)
  if more > 0 then
    table.insert(lines, "and " .. more .. " more")
  end
  return { status = "Degraded", message = table.concat(lines, "; ") }
end
if is("Ready") then
  local undeclared = status.counts and status.counts.undeclared or 0
  if undeclared > 0 then
    return { status = "Healthy", message = undeclared .. " that nobody declared" }
  end
  return { status = "Healthy", message = said("Ready") }
end
if conditions.Ready ~= nil and conditions.Ready.status == "False" then
  return { status = "Degraded", message = said("Ready") }
end
return { status = "Progressing", message = said("Ready") }
`;
