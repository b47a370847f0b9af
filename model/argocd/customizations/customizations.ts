import { tenant } from '../../../crds/tenant.ts';
import type { Platform } from '../../declaration.ts';
import type { ResourceCustomization, ResourceAction, ResourceActions } from './settings.ts';

/**
 * Builds the customizations of an Argo CD that syncs what a platform renders. TenantClasses have no status, and so no
 * health: they are done when they are applied. No fields need to be excluded from comparisons. The operator writes only
 * status and finalizers, which are not in Git, and Argo CD compares what is in Git.
 */
export function buildCustomizations(platform: Platform): readonly ResourceCustomization[] {
  const hasOperator = platform.declared.operator?.image !== undefined;
  const mayHeal = platform.driftPolicy === 'Heal';
  return [
    {
      group: tenant.group,
      kind: tenant.kind,
      health: renderTenantHealth({ hasOperator }),
      ...(hasOperator && { actions: buildTenantActions({ mayHeal }) }),
      ignoreResourceUpdates: { jsonPointers: ['/status', '/metadata/finalizers'] },
    },
    { group: 'argoproj.io', kind: 'Application', health: applicationHealth },
  ];
}

/**
 * The health check of Applications, as Lua for Argo CD, which has none of its own. An Application that keeps others
 * starts a wave when those of the wave before are healthy. An Application is progressing until it has been compared
 * with its current source. It is also progressing until it was synced once as a whole: most kinds have no health, so
 * half of the objects would look as healthy as all of them.
 *
 * Being out of sync later does not count: a prune that waits for a person would hold up everything after it.
 * Source: https://argo-cd.readthedocs.io/en/stable/operator-manual/health/#argocd-app
 */
const applicationHealth = `local status = obj.status or {}
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

/** What the health of a Tenant depends on. */
interface TenantHealthProps {
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
function renderTenantHealth({ hasOperator }: TenantHealthProps): string {
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

/** What the actions of a Tenant depend on. */
interface TenantActionsProps {
  /** Whether the platform allows the operator to heal; otherwise an action to heal would have no effect. */
  readonly mayHeal: boolean;
}

/** The field manager under which Argo CD applies what is in Git. Source: ArgoCDSSAManager of its code */
const ARGOCD = 'argocd-controller';

/**
 * Lua that tests whether Git declares a field. Argo CD would reset such a field within seconds. An action on it is
 * therefore disabled. It also fails when it runs, because the server does not check whether an action is disabled.
 */
const DECLARED = `local function declared(field)
  for _, entry in ipairs(obj.metadata.managedFields or {}) do
    local spec = entry.fieldsV1 and entry.fieldsV1["f:spec"] or {}
    if entry.manager == "${ARGOCD}" and spec["f:" .. field] ~= nil then
      return true
    end
  end
  return false
end
`;

/** The effect of an action on a field of `spec`. */
interface FieldAction {
  readonly name: string;
  readonly field: 'cordoned' | 'driftPolicy';
  /** Lua for the new value. */
  readonly value: string;
  /** Lua that tests whether the action would have no effect now. */
  readonly idle: string;
  readonly display: string;
  readonly icon: string;
}

const cordoning: readonly FieldAction[] = [
  {
    name: 'cordon',
    field: 'cordoned',
    value: 'true',
    idle: 'spec.cordoned == true',
    display: 'Cordon: the operator leaves it alone',
    icon: 'fa fa-fw fa-pause',
  },
  {
    name: 'uncordon',
    field: 'cordoned',
    value: 'nil',
    idle: 'spec.cordoned ~= true',
    display: 'Uncordon',
    icon: 'fa fa-fw fa-play',
  },
];

const healing: readonly FieldAction[] = [
  {
    name: 'heal',
    field: 'driftPolicy',
    value: '"Heal"',
    idle: 'spec.driftPolicy == "Heal" or status.driftPolicy == "Heal"',
    display: 'Heal: the operator restores what is declared',
    icon: 'fa fa-fw fa-wrench',
  },
  {
    name: 'stop-healing',
    field: 'driftPolicy',
    value: 'nil',
    idle: 'spec.driftPolicy ~= "Heal"',
    display: 'Stop healing: follow the class',
    icon: 'fa fa-fw fa-stop',
  },
];

/**
 * Builds the buttons of a Tenant in Argo CD, for fields of `spec` that are not in Git. Values that they set persist,
 * because Argo CD compares and writes only what Git declares.
 */
function buildTenantActions({ mayHeal }: TenantActionsProps): ResourceActions {
  const actions = mayHeal ? [...cordoning, ...healing] : cordoning;
  return { discovery: renderDiscovery(actions), definitions: actions.map(renderAction) };
}

function renderDiscovery(actions: readonly FieldAction[]): string {
  const entries = actions.map(
    ({ name, field, idle, display, icon }) => `actions["${name}"] = {
  disabled = declared("${field}") or ${idle},
  displayName = "${display}",
  iconClass = "${icon}",
}
`,
  );
  return `${DECLARED}
local spec = obj.spec or {}
local status = obj.status or {}
local actions = {}
${entries.join('')}return actions
`;
}

function renderAction({ name, field, value }: FieldAction): ResourceAction {
  return {
    name,
    lua: `${DECLARED}
if declared("${field}") then
  error("spec.${field} is declared in Git: change it there", 0)
end
obj.spec = obj.spec or {}
obj.spec.${field} = ${value}
return obj
`,
  };
}
