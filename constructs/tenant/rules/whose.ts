import type { Peer } from '../../../crds/tenantry/network.ts';
import { MANAGED_BY, MANAGED_BY_LABEL, TENANT_LABEL } from '../ownership.ts';
import { NAME_LABEL, listRequirements } from '../../../kube/label-selector.ts';
import { listClassLayers } from '../classes/extend.ts';
import type { TenantClassDeclaration } from '../declaration.ts';
import type { RuleContext } from './context.ts';

/**
 * Classifies the owner of the namespaces that a peer selects: the tenant itself (or trusted namespaces), some other
 * tenants, or everyone. It is everyone if the peer selects the namespace of an arbitrary tenant: by a label that every
 * tenant's namespace has, or by excluding some.
 */
export function classifyPeer(
  { tenant, namespace }: RuleContext,
  peer: Peer,
): 'own' | 'others' | 'all' {
  const cluster = tenant.platform.clusters.find(({ name }) => name === namespace.cluster);
  const trusted = cluster
    ? [...cluster.ingressControllers, ...cluster.monitoring, ...cluster.dns]
    : [];
  const text = JSON.stringify(peer);
  if (trusted.some((one) => JSON.stringify(one) === text)) return 'own';
  const wanted = listRequirements(peer.namespaceSelector!);
  const siblings = tenant.namespaces.filter((one) => one.cluster === namespace.cluster);
  const own = new Map([
    [NAME_LABEL, new Set(siblings.map(({ name }) => name))],
    [TENANT_LABEL, new Set([tenant.declaration.name])],
  ]);
  const isOwn = wanted.some(
    ({ key, operator, values = [] }) =>
      operator === 'In' && own.has(key) && values.every((name) => own.get(key)!.has(name)),
  );
  if (isOwn) return 'own';
  const given = listClassLabels(tenant.klass);
  return wanted.every((requirement) => matchesAnyTenant(requirement, given)) ? 'all' : 'others';
}

type Requirement = ReturnType<typeof listRequirements>[number];
type ClassLabels = ReadonlyMap<string, ReadonlySet<string>>;

/** Lists the labels that the namespaces of a class have independent of the tenant. */
function listClassLabels(klass: TenantClassDeclaration): ClassLabels {
  const given = new Map<string, Set<string>>([[MANAGED_BY_LABEL, new Set([MANAGED_BY])]]);
  const layers = listClassLayers(klass).flatMap(({ defaults = {}, environments = [] }) => [
    defaults,
    ...environments,
  ]);
  for (const { labels = {} } of layers) {
    for (const [key, value] of Object.entries(labels)) {
      given.set(key, (given.get(key) ?? new Set()).add(value));
    }
  }
  return given;
}

/** Keys whose values are unique: names of namespaces and of tenants. */
const uniqueKeys: ReadonlySet<string> = new Set([NAME_LABEL, TENANT_LABEL]);

/** Keys that the platform sets on tenants' namespaces, with one of a few values. */
const platformKeyPattern = /^([^/]*\.)?(tenantry\.dev|pod-security\.kubernetes\.io)\//;

function matchesAnyTenant(
  { key, operator, values = [] }: Requirement,
  given: ClassLabels,
): boolean {
  if (operator === 'NotIn' || operator === 'DoesNotExist') return true;
  if (uniqueKeys.has(key)) return operator === 'Exists';
  if (platformKeyPattern.test(key)) return true;
  const known = given.get(key);
  if (known === undefined) return false;
  return (
    operator === 'Exists' ||
    values.some((one) => [...known].some((text) => canHaveValue(text, one)))
  );
}

/**
 * Whether a label of a class can have a value in the namespaces of an arbitrary tenant: of any tenant in an
 * environment, but not if it contains the name of the tenant or the namespace.
 */
function canHaveValue(text: string, value: string): boolean {
  if (text.includes('{tenant}') || text.includes('{namespace}')) return false;
  const [before = '', ...rest] = text.split('{environment}');
  const after = rest.at(-1);
  if (after === undefined) return text === value;
  const isLonger = value.length > before.length + after.length;
  return isLonger && value.startsWith(before) && value.endsWith(after);
}
