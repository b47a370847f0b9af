import type { Platform } from '../../model/declaration.ts';
import type { Lifecycle } from '../../crds/types.ts';
import { Tenant } from '../../operator/cluster/kinds.ts';
import type { Live } from '@tenantry/runtime/kinds/kind';
import type { RoleBinding } from '@tenantry/runtime/kinds/rbac';
import type { ClusterView } from '@tenantry/testing/simulation/cluster-view';
import { declarationIn, fleetIn } from './oracle.ts';

type View = Pick<ClusterView, 'list'>;

/** The bindings that may be revoked from a tenant at a moment, whether or not it is being deleted. */
export interface Ending {
  readonly tenant: string;
  readonly lifecycle: Lifecycle;
  readonly lifecycles: ReadonlyMap<string, Lifecycle>;
  /** Names of the declared bindings, as `namespace/name`; undefined if they are unknown. */
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

/** Returns the tenants that are to be healed, including those that are being deleted. */
export function endingsIn(view: View, platform: Platform, cluster: string): readonly Ending[] {
  const fleet = fleetIn(view, platform);
  return view.list(Tenant).flatMap((one): Ending[] => {
    if (one.spec?.cordoned === true) return [];
    const declaration = declarationIn(one);
    const { driftPolicy, lifecycle = 'Active', namespaces = [] } = declaration.spec;
    const klass = fleet.classes.resolve(declaration);
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

/** Returns whether a binding may be revoked in the given state. */
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

/**
 * Returns whether an undeclared binding in an Active namespace is of others, so that it may stay for a limited time.
 */
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

/** Returns whether a tenant declares the binding. */
export function isDeclared({ metadata }: Live, endings: readonly Ending[]): boolean {
  const key = `${metadata.namespace}/${metadata.name}`;
  return endings.some(({ declared }) => declared?.has(key) === true);
}

/** Returns whether a manual binding gives users access in a namespace whose lifecycle allows none. */
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
  // All bound subjects in a simulation are users.
  const { subjects = [] } = binding as Live<typeof RoleBinding>;
  return subjects.length > 0;
}
