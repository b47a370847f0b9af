import { groupOf, type KubeObject } from '../../../kube/object.ts';
import type { Lifecycle } from '../../../crds/tenantry/settings.ts';
import type { SelfService } from '../../../crds/tenantry/selfservice.ts';
import type { TenantClassSpec } from '../../../crds/tenantry/tenantclass.ts';
import { accessRoles, bindingNameOf, subjectsOf } from '../layers/grants.ts';
import { hardeningLabels } from '../hardening/labels.ts';
import { concernLabel, CONCERNS, DISABLED, FACTS } from '../ownership.ts';
import { stronger } from '../layers/lifecycle.ts';
import type { ResolvedNamespace, ResolvedTenant } from '../layers/resolved.ts';

type Fact = keyof typeof FACTS;

/** What the admission policies read of a Namespace. */
export interface Facts {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

type Texts = Partial<Record<Fact, string>>;

/** Facts that are the same in all namespaces of a tenant on a cluster which share a lifecycle. */
export type SharedFacts = (lifecycle: Lifecycle) => Texts;

/** @param siblings the namespaces of the tenant on one cluster */
export function sharedFacts(
  { klass }: ResolvedTenant,
  siblings: readonly ResolvedNamespace[],
): SharedFacts {
  const { services, tokens } = klass.spec.selfService ?? {};
  const roles = siblings.flatMap(({ settings }) =>
    settings.grants.flatMap(({ role }) => (role.kind === 'ClusterRole' ? [role.name] : [])),
  );
  const clusterRoles = [
    ...Object.values(accessRoles(klass.spec)),
    ...(klass.spec.allow?.clusterRoles ?? []),
    ...roles,
  ].filter((name) => name !== 'cluster-admin' && !name.startsWith('system:'));
  const same: Texts = {
    namespaces: linesOf(siblings.map(({ name }) => name)),
    clusterRoles: linesOf(clusterRoles),
    externalIPs: linesOf(services?.externalIPs ?? []),
    tokenSeconds: tokens?.maxSeconds === undefined ? '' : String(tokens.maxSeconds),
  };
  const known = new Map<Lifecycle, Texts>();
  return (lifecycle) => {
    let texts = known.get(lifecycle);
    if (!texts) {
      const allowed = allowedIn(lifecycle, klass.spec);
      texts = {
        ...same,
        // In a Retired namespace nobody is bound again, not even its own service accounts.
        ...(lifecycle === 'Retired' && { namespaces: '' }),
        subjects: linesOf([...declaredIn(lifecycle, siblings), ...allowed.filter(isExact)]),
        subjectPatterns: linesOf(allowed.filter((one) => !isExact(one))),
      };
      known.set(lifecycle, texts);
    }
    return texts;
  };
}

const isExact = (name: string): boolean => !name.includes('*');

/** Whom the class lets people bind besides. */
function allowedIn(lifecycle: Lifecycle, { allow, selfService }: TenantClassSpec): string[] {
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

/** Nobody who was suspended or retired, here or wherever they are declared, is let in again. */
function declaredIn(here: Lifecycle, siblings: readonly ResolvedNamespace[]): string[] {
  return siblings.flatMap(({ settings, lifecycle }) => {
    const life = stronger(here, lifecycle);
    if (life === 'Retired') return [];
    return settings.grants.flatMap((grant) => subjectsOf(grant, life).map(([id]) => id));
  });
}

/**
 * The facts of one namespace.
 * @param inside what the platform has in it
 */
export function factsOf(
  { klass }: ResolvedTenant,
  namespace: ResolvedNamespace,
  inside: readonly KubeObject[],
  shared: SharedFacts,
): Facts {
  const selfService: SelfService = klass.spec.selfService ?? {};
  const { ingressFrom, egressTo } = selfService.networkPolicies ?? {};
  const texts: Texts = {
    ...shared(namespace.lifecycle),
    ingressFrom: linesOf(openedIn('Ingress', ingressFrom, inside)),
    egressTo: linesOf(openedIn('Egress', egressTo, inside)),
    names: linesOf([
      ...inside.map(idOf),
      ...namesToCome(klass.spec.presets?.roles ?? [], namespace),
    ]),
  };
  const disabled = CONCERNS.filter((concern) => selfService[concern]?.policy === 'Disabled');
  return {
    labels: {
      ...Object.fromEntries(disabled.map((concern) => [concernLabel(concern), DISABLED])),
      ...hardeningLabels(klass.spec.hardening ?? {}),
    },
    annotations: Object.fromEntries(
      Object.entries(texts).flatMap(([key, text]) =>
        text === '' ? [] : [[FACTS[key as Fact], text]],
      ),
    ),
  };
}

/** A name with a line break in it would stand for two: the policies are not told of it. */
function linesOf(words: readonly string[]): string {
  if (words.length === 0) return '';
  return [...new Set(words)]
    .filter((word) => !/[\n\r]/.test(word))
    .toSorted()
    .join('\n');
}

type Opened = NonNullable<SelfService['networkPolicies']>['ingressFrom'];

/** Where no policy of the platform closes a direction, one of a person closes more or nothing. */
function openedIn(
  direction: 'Ingress' | 'Egress',
  opened: Opened,
  inside: readonly KubeObject[],
): string[] {
  const closed = inside.some((object) => isNetworkPolicy(object) && closes(object, direction));
  if (!closed || opened?.anywhere === 'Allow') return ['anywhere'];
  return [
    ...(opened?.namespaces ?? []).map((name) => `namespace ${name}`),
    ...(opened?.cidrs ?? []).map((cidr) => `cidr ${cidr}`),
  ];
}

function isNetworkPolicy({ apiVersion, kind }: KubeObject): boolean {
  return kind === 'NetworkPolicy' && groupOf(apiVersion) === 'networking.k8s.io';
}

/** Without policyTypes a policy is about what comes in, and about what goes out if it says so. */
function closes(policy: KubeObject, direction: 'Ingress' | 'Egress'): boolean {
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
 * Names of what is not there today and may be tomorrow, without a word of the tenant or by choosing
 * what the class offers: bindings without holders, policies that are switched off, roles of presets.
 */
function namesToCome(
  presets: readonly { readonly name: string; readonly bindingName?: string }[],
  { name: namespace, settings }: ResolvedNamespace,
): string[] {
  const bindings = [
    ...settings.grants.map(bindingNameOf),
    ...presets.flatMap(
      ({ bindingName }) => bindingName?.replaceAll('{namespace}', namespace) ?? [],
    ),
  ];
  return [
    ...bindings.map((name) => `RoleBinding.${RBAC} ${name}`),
    ...presets.map(({ name }) => `Role.${RBAC} ${name}`),
    ...Object.values(settings.network.policyNames).map(
      (name) => `NetworkPolicy.networking.k8s.io ${name}`,
    ),
  ];
}
