import { isMapping, valueAt } from '@tenantry/kube/mapping';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { findPodTemplate } from '@tenantry/kube/pod-templates';
import type { Lifecycle } from '../../crds/settings.ts';
import type { SelfService } from '../../crds/self-service.ts';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import {
  formatTolerations,
  listBindableRoles,
  allowsServiceAccount,
} from '../classes/allowances.ts';
import { formatLoadBalancerClasses } from '../classes/services.ts';
import type { TenantClassDeclaration } from '../declaration.ts';
import { NamespacePlaceholders } from '../layers/namespace-placeholders.ts';
import { resolveBindingName, buildSubjects, type Grant } from '../layers/grants.ts';
import { buildListLabels, formatLists } from '../allow-lists/labels.ts';
import { buildHardeningLabels } from '../hardening/policy.ts';
import { concernLabel, CONCERNS, DISABLED, FACTS } from '../ownership.ts';
import {
  computeMaxPods,
  pickStricterLifecycle,
  type ResolvedNamespace,
  type ResolvedTenant,
} from '../layers/resolved.ts';

type Fact = keyof typeof FACTS;

/** The annotations of a Namespace that the admission policies read. */
export interface Facts {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

type Texts = Partial<Record<Fact, string>>;

/** Returns the facts that are the same in all namespaces of a tenant on a cluster with the same lifecycle and class. */
export type SharedFacts = (namespace: ResolvedNamespace) => Texts;

/** @param siblings the namespaces of the tenant on one cluster */
export function buildSharedFacts(
  tenant: ResolvedTenant,
  siblings: readonly ResolvedNamespace[],
): SharedFacts {
  const own = new Set(tenant.namespaces.map(({ name }) => name));
  const known = new Map<TenantClassDeclaration, Map<Lifecycle, Texts>>();
  return ({ klass, lifecycle }) => {
    const ofClass = known.get(klass) ?? new Map<Lifecycle, Texts>();
    known.set(klass, ofClass);
    const texts = ofClass.get(lifecycle) ?? buildSharedTexts(klass, lifecycle, { siblings, own });
    ofClass.set(lifecycle, texts);
    return texts;
  };
}

interface SiblingNamespaces {
  /** The namespaces of the tenant on one cluster. */
  readonly siblings: readonly ResolvedNamespace[];
  /** The names of the tenant's namespaces on all clusters. */
  readonly own: ReadonlySet<string>;
}

function buildSharedTexts(
  { spec }: TenantClassDeclaration,
  lifecycle: Lifecycle,
  { siblings, own }: SiblingNamespaces,
): Texts {
  const { services, tokens } = spec.selfService ?? {};
  const allowed = listAllowedSubjects(lifecycle, spec);
  const namespaces = siblings.map(({ name }) => name);
  const clusterRoles = [
    ...listBindableRoles(spec),
    ...listBoundClusterRoles(siblings, spec),
  ].filter((name) => name !== 'cluster-admin' && !name.startsWith('system:'));
  return {
    ...Object.fromEntries(
      Object.entries(formatLists(spec)).map(([field, entries]) => [field, formatLines(entries)]),
    ),
    // In a Retired namespace no new binding is allowed, not even for its own service accounts.
    namespaces: lifecycle === 'Retired' ? '' : formatLines(namespaces),
    clusterRoles: formatLines(clusterRoles),
    externalIPs: formatLines(services?.externalIPs ?? []),
    externalNames: formatLines(services?.externalNames ?? []),
    serviceTypes: formatLines(services?.types ?? []),
    loadBalancerClasses: formatLines(
      formatLoadBalancerClasses(services?.loadBalancerClasses ?? []),
    ),
    tokenSeconds: formatNumber(tokens?.maxSeconds),
    tolerations: formatLines(formatTolerations(spec)),
    terminationSeconds: formatNumber(spec.ceilings?.terminationSeconds),
    subjects: formatLines([
      ...listDeclaredSubjects(lifecycle, spec, { siblings, own }),
      ...allowed.filter(isExact),
    ]),
    subjectPatterns: formatLines(allowed.filter((one) => !isExact(one))),
  };
}

/** Lists the ClusterRoles that are bound, without those that an exception allows for another namespace. */
function listBoundClusterRoles(
  siblings: readonly ResolvedNamespace[],
  spec: TenantClassSpec,
): string[] {
  const allowed = new Set(listBindableRoles(spec));
  return siblings.flatMap(({ settings }) =>
    settings.grants
      .filter(
        ({ role, byTenant, isSync }) =>
          role.kind === 'ClusterRole' && !isSync && (!byTenant || allowed.has(role.name)),
      )
      .map(({ role }) => role.name),
  );
}

const isExact = (name: string): boolean => !name.includes('*');

/** Lists the subjects that the class allows people to bind besides declared ones. */
function listAllowedSubjects(
  lifecycle: Lifecycle,
  { allow, selfService }: TenantClassSpec,
): string[] {
  if (lifecycle === 'Retired') return [];
  const machines = (allow?.serviceAccounts ?? []).map(
    ({ namespace, name = '*' }) => `ServiceAccount ${namespace}/${name}`,
  );
  if (lifecycle === 'Suspended') return machines;
  const { users = [], groups = [] } = selfService?.roleBindings ?? {};
  return [
    ...users.map((name) => `User ${name}`),
    ...groups.map((name) => `Group ${name}`),
    ...machines,
  ];
}

/** Lists the declared subjects, without those that are suspended or retired here or wherever they are declared. */
function listDeclaredSubjects(
  here: Lifecycle,
  spec: TenantClassSpec,
  { siblings, own }: SiblingNamespaces,
): string[] {
  return siblings.flatMap(({ settings, lifecycle }) => {
    const life = pickStricterLifecycle(here, lifecycle);
    if (life === 'Retired') return [];
    return settings.grants.flatMap((grant) =>
      grant.isSync ? [] : buildSubjects(withoutExcepted(grant, own, spec), life).map(([id]) => id),
    );
  });
}

/** Removes the foreign service accounts of a grant that only an exception for another namespace allows. */
function withoutExcepted(grant: Grant, own: ReadonlySet<string>, spec: TenantClassSpec): Grant {
  const { byTenant, holders } = grant;
  if (!byTenant || !holders.serviceAccounts) return grant;
  const serviceAccounts = holders.serviceAccounts.filter(
    (one) => own.has(one.namespace) || allowsServiceAccount(spec, one),
  );
  return { ...grant, holders: { ...holders, serviceAccounts } };
}

/**
 * Builds the facts of one namespace.
 * @param inside the objects that the platform declares in it
 */
export function buildFacts(
  tenant: string,
  namespace: ResolvedNamespace,
  inside: readonly KubeObject[],
  shared: SharedFacts,
): Facts {
  const { klass } = namespace;
  const selfService: SelfService = klass.spec.selfService ?? {};
  const { ingressFrom, egressTo } = selfService.networkPolicies ?? {};
  const texts: Texts = {
    ...shared(namespace),
    ingressFrom: formatLines(listOpenPeers('Ingress', ingressFrom, inside)),
    egressTo: formatLines(listOpenPeers('Egress', egressTo, inside)),
    pods: formatNumber(computeMaxPods(namespace.settings.quota.hard)),
    podLabels: formatLines(listPodLabels(inside)),
    names: formatLines([...inside.map(idOf), ...listReservedNames(klass.spec, tenant, namespace)]),
  };
  const disabled = CONCERNS.filter((concern) => selfService[concern]?.policy === 'Disabled');
  return {
    labels: {
      ...Object.fromEntries(disabled.map((concern) => [concernLabel(concern), DISABLED])),
      ...buildHardeningLabels(klass.spec.hardening ?? {}),
      ...buildListLabels(klass.spec),
    },
    annotations: Object.fromEntries(
      Object.entries(texts).flatMap(([key, text]) =>
        text === '' ? [] : [[FACTS[key as Fact], text]],
      ),
    ),
  };
}

/** Joins names to lines. It drops names with a line break, which the policies would read as two names. */
function formatLines(words: readonly string[]): string {
  if (words.length === 0) return '';
  return [...new Set(words)]
    .filter((word) => !/[\n\r]/.test(word))
    .toSorted()
    .join('\n');
}

const formatNumber = (number: number | undefined): string =>
  number === undefined ? '' : String(number);

/** The labels of pods that the platform declares, or that its budgets select by labels alone, sorted by key. */
function listPodLabels(inside: readonly KubeObject[]): string[] {
  return inside.flatMap((object) => {
    const labels =
      object.kind === 'PodDisruptionBudget'
        ? valueAt(object, ['spec', 'selector', 'matchLabels'])
        : findPodTemplate(object)?.metadata['labels'];
    if (!isMapping(labels) || Object.keys(labels).length === 0) return [];
    const pairs = Object.entries(labels).map(([key, value]) => `${key}=${String(value)}`);
    return [pairs.toSorted().join(',')];
  });
}

type SelfServicePeers = NonNullable<SelfService['networkPolicies']>['ingressFrom'];

/** Lists the open peers. If no policy of the platform closes a direction, a person's policy can only close more. */
function listOpenPeers(
  direction: 'Ingress' | 'Egress',
  opened: SelfServicePeers,
  inside: readonly KubeObject[],
): string[] {
  const closed = inside.some(
    (object) => isNetworkPolicy(object) && appliesToDirection(object, direction),
  );
  if (!closed || opened?.anywhere === 'Allow') return ['anywhere'];
  return [
    ...(opened?.namespaces ?? []).map((name) => `namespace ${name}`),
    ...(opened?.cidrs ?? []).map((cidr) => `cidr ${cidr}`),
  ];
}

function isNetworkPolicy({ apiVersion, kind }: KubeObject): boolean {
  return kind === 'NetworkPolicy' && groupOf(apiVersion) === 'networking.k8s.io';
}

/**
 * Whether a policy applies to a direction. Without policyTypes it applies to ingress, and to egress if it has such
 * rules.
 */
function appliesToDirection(policy: KubeObject, direction: 'Ingress' | 'Egress'): boolean {
  const { policyTypes, egress } = policy['spec'] as {
    readonly policyTypes?: readonly string[];
    readonly egress?: readonly unknown[];
  };
  if (policyTypes && policyTypes.length > 0) return policyTypes.includes(direction);
  return direction === 'Ingress' || (egress?.length ?? 0) > 0;
}

const RBAC = 'rbac.authorization.k8s.io';

function idOf({ apiVersion, kind, metadata }: KubeObject): string {
  const group = groupOf(apiVersion);
  return `${group === '' ? kind : `${kind}.${group}`} ${metadata.name}`;
}

/**
 * Lists names of objects that do not exist now but may later, without a change by the tenant or because it chooses what
 * the class offers: bindings without subjects, policies that are switched off, roles of presets.
 */
function listReservedNames(
  { presets: { roles = [] } = {}, bindingNames = {} }: TenantClassSpec,
  tenant: string,
  { name: namespace, environment, settings }: ResolvedNamespace,
): string[] {
  const templates = [
    ...roles.flatMap(({ bindingName = [] }) => bindingName),
    ...Object.values(bindingNames),
  ];
  const bindings = [
    ...settings.grants.map(resolveBindingName),
    ...templates.flatMap((template) => {
      let isComplete = true;
      const filling = new NamespacePlaceholders(
        { tenant, namespace, environment },
        () => (isComplete = false),
      );
      const name = filling.fillText(template, []);
      return isComplete ? [name] : [];
    }),
  ];
  return [
    ...bindings.map((name) => `RoleBinding.${RBAC} ${name}`),
    ...roles.map(({ name }) => `Role.${RBAC} ${name}`),
    ...Object.values(settings.network.policyNames).map(
      (name) => `NetworkPolicy.networking.k8s.io ${name}`,
    ),
  ];
}
