import type { ResourceAction, ResourceActions } from './settings.ts';

/** What the actions of a Tenant depend on. */
export interface TenantActionsProps {
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
export function buildTenantActions({ mayHeal }: TenantActionsProps): ResourceActions {
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
