import type { Peer } from '../../../crds/tenantry/network.ts';
import { MANAGED_BY, MANAGED_BY_LABEL, TENANT_LABEL } from '../ownership.ts';
import { NAME_LABEL, requirements } from '../../../kube/labelselector.ts';
import type { TenantClassSpec } from '../../../crds/tenantry/tenantclass.ts';
import type { RuleContext } from './context.ts';

/**
 * Whose namespaces a peer selects: the tenant's own (or what the platform trusts), those of some
 * others, or everyone's. It is everyone's when it selects a namespace of a tenant about which
 * nothing else is known: by what every tenant's namespace carries, or by leaving some out.
 */
export function whoseNamespaces(
  { tenant, namespace }: RuleContext,
  peer: Peer,
): 'own' | 'others' | 'all' {
  const cluster = tenant.platform.clusters.find(({ name }) => name === namespace.cluster);
  const trusted = cluster
    ? [...cluster.ingressControllers, ...cluster.monitoring, ...cluster.dns]
    : [];
  const text = JSON.stringify(peer);
  if (trusted.some((one) => JSON.stringify(one) === text)) return 'own';
  const wanted = requirements(peer.namespaceSelector!);
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
  const given = givenLabels(tenant.klass.spec);
  return wanted.every((requirement) => holdsForAnyTenant(requirement, given)) ? 'all' : 'others';
}

type Requirement = ReturnType<typeof requirements>[number];
type Given = ReadonlyMap<string, ReadonlySet<string>>;

/** Labels that the namespaces of a class have without a word of the tenant. */
function givenLabels({ defaults, environments = [] }: TenantClassSpec): Given {
  const given = new Map<string, Set<string>>([[MANAGED_BY_LABEL, new Set([MANAGED_BY])]]);
  for (const { labels = {} } of [defaults ?? {}, ...environments]) {
    for (const [key, value] of Object.entries(labels)) {
      given.set(key, (given.get(key) ?? new Set()).add(value));
    }
  }
  return given;
}

/** Names of namespaces and of tenants are different for each. */
const identifying: ReadonlySet<string> = new Set([NAME_LABEL, TENANT_LABEL]);

/** Keys that the platform sets on tenants' namespaces, with one of a few values. */
const common = /^([^/]*\.)?(tenantry\.dev|pod-security\.kubernetes\.io)\//;

function holdsForAnyTenant({ key, operator, values = [] }: Requirement, given: Given): boolean {
  if (operator === 'NotIn' || operator === 'DoesNotExist') return true;
  if (identifying.has(key)) return operator === 'Exists';
  if (common.test(key)) return true;
  const known = given.get(key);
  return known !== undefined && (operator === 'Exists' || values.some((one) => known.has(one)));
}
