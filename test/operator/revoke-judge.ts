import type { Platform } from '../../constructs/tenant/declaration.ts';
import type { Lifecycle } from '../../crds/tenantry/types.ts';
import { Tenant } from '../../operator/cluster/kinds.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import type { RoleBinding } from '../../runtime/kinds/rbac.ts';
import type { ClusterView } from '../../testing/simulation/view.ts';
import { declarationIn, fleetIn } from './oracle.ts';

type View = Pick<ClusterView, 'list'>;

/** What may be taken away from a tenant at a moment, whether it stays or goes. */
export interface Ending {
  readonly tenant: string;
  readonly lifecycle: Lifecycle;
  readonly lifecycles: ReadonlyMap<string, Lifecycle>;
  /** Names of the bindings that it declares, as `namespace/name`; undefined: nobody knows. */
  readonly declared: ReadonlySet<string> | undefined;
  /** The Tenant is being deleted. */
  readonly isLeaving: boolean;
  /** Its namespaces on the cluster. */
  readonly named: ReadonlySet<string>;
}

const label = 'tenantry.dev/tenant';
const strength = ['Active', 'Suspended', 'Retired'] as const;
const worse = (a: Lifecycle, b: Lifecycle): Lifecycle =>
  strength[Math.max(strength.indexOf(a), strength.indexOf(b))]!;

/** The tenants that are to be healed, those that are going among them. */
export function endingsIn(view: View, platform: Platform, cluster: string): readonly Ending[] {
  const fleet = fleetIn(view, platform);
  return view.list(Tenant).flatMap((one): Ending[] => {
    if (one.spec?.cordoned === true) return [];
    const declaration = declarationIn(one);
    const { driftPolicy, lifecycle = 'Active', namespaces = [] } = declaration.spec;
    const klass = fleet.classOf(declaration);
    const ofClass = 'severity' in klass ? 'Heal' : klass.spec.driftPolicy;
    if (platform.driftPolicy !== 'Heal' || (driftPolicy ?? ofClass) !== 'Heal') return [];
    const wanted = fleet.desired(declaration);
    const isRefused = wanted.findings.some(({ severity }) => severity === 'error');
    const here = wanted.namespaces.filter((namespace) => namespace.cluster === cluster);
    const bindings = here
      .flatMap(({ objects }) => objects)
      .filter(({ kind }) => kind === 'RoleBinding')
      .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
    return [
      {
        tenant: one.metadata.name,
        lifecycle,
        isLeaving: one.metadata.deletionTimestamp !== undefined,
        lifecycles: new Map(
          namespaces.map((entry) => [entry.name, worse(lifecycle, entry.lifecycle ?? 'Active')]),
        ),
        declared: isRefused ? undefined : new Set(bindings),
        named: new Set(here.map((namespace) => namespace.name)),
      },
    ];
  });
}

/** Whether a binding may be taken away by what is so at a moment. */
export function mayRevoke(
  binding: Live,
  endings: readonly Ending[],
  labels: ReadonlyMap<string, Readonly<Record<string, string>>>,
): boolean {
  const { metadata } = binding;
  const { name, namespace = '', managedFields = [] } = metadata;
  const holder = metadata.labels?.[label];
  if (isByHand(binding, endings, labels)) return true;
  const ending = endings.find(({ tenant }) => tenant === holder);
  if (!ending || labels.get(namespace)?.[label] !== holder) return false;
  if (ending.declared?.has(`${namespace}/${name}`)) return false;
  const lifecycle = ending.lifecycles.get(namespace) ?? ending.lifecycle;
  if (lifecycle === 'Retired') return true;
  if (!ending.declared) return false;
  const isByUs = managedFields.some(({ manager }) => manager === 'tenantry-operator');
  return lifecycle === 'Suspended' || isByUs;
}

/** Whether others made it for an Active namespace and nobody declares it, so that it may stay for a while only. */
export function mayRevokeLater(
  { metadata }: Live,
  endings: readonly Ending[],
  labels: ReadonlyMap<string, Readonly<Record<string, string>>>,
): boolean {
  const { name, namespace = '' } = metadata;
  const holder = metadata.labels?.[label];
  const ending = endings.find(({ tenant }) => tenant === holder);
  if (!ending?.declared || ending.isLeaving) return false;
  if (labels.get(namespace)?.[label] !== holder || !ending.named.has(namespace)) return false;
  return !ending.declared.has(`${namespace}/${name}`);
}

/** Whether somebody declares it. */
export function isDeclared({ metadata }: Live, endings: readonly Ending[]): boolean {
  const key = `${metadata.namespace}/${metadata.name}`;
  return endings.some(({ declared }) => declared?.has(key) === true);
}

/** Whether somebody made it by hand, and people have access by it in a namespace of which the lifecycle gives none. */
function isByHand(
  binding: Live,
  endings: readonly Ending[],
  labels: ReadonlyMap<string, Readonly<Record<string, string>>>,
): boolean {
  const { name, namespace = '', labels: own = {} } = binding.metadata;
  const holder = labels.get(namespace)?.[label];
  const ending = endings.find(({ tenant }) => tenant === holder);
  if (!ending || own[label] === holder || ending.declared?.has(`${namespace}/${name}`))
    return false;
  const lifecycle = ending.lifecycles.get(namespace) ?? ending.lifecycle;
  const isNamed = ending.declared !== undefined && ending.named.has(namespace);
  if (lifecycle === 'Active' || (lifecycle === 'Suspended' && !isNamed)) return false;
  // All that anybody binds in a simulation are people.
  const { subjects = [] } = binding as Live<typeof RoleBinding>;
  return subjects.length > 0;
}
