import type { ResourceAction, ResourceActions } from './customization.ts';

/** What the actions of a Tenant depend on. */
export interface TenantActionsProps {
  /** Whether the platform lets the operator heal: else an action to heal would change nothing. */
  readonly mayHeal: boolean;
}

/** The field manager under which Argo CD applies what is in Git. Source: ArgoCDSSAManager of its code */
const ARGOCD = 'argocd-controller';

/**
 * A field that Git declares is Argo CD's: it would put it back within seconds. So an action on it is
 * disabled, and refuses where somebody runs it all the same, as the server asks nobody whether it is.
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

/** What an action does to a field of `spec`. */
interface FieldAction {
  readonly name: string;
  readonly field: 'cordoned' | 'driftPolicy';
  /** Lua. */
  readonly value: string;
  /** Lua: whether it is of no use now. */
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
    display: 'Stop healing: as the class says',
    icon: 'fa fa-fw fa-stop',
  },
];

/**
 * Buttons of a Tenant in Argo CD, for fields of `spec` that are not in Git: what is set there stays, since
 * Argo CD compares and writes what Git declares, and nothing else.
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
