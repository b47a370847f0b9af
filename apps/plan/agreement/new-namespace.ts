import { isMapping, listAt, valueAt } from '@tenantry/kube/mapping';
import { TENANT_LABEL } from '@tenantry/kube/cascade-root';
import { NAME_LABEL } from '@tenantry/kube/label-selector';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import type { Path } from '@tenantry/kube/problem';
import { isAbove } from '../../../model/approval.ts';
import { MANAGED_BY_LABEL } from '../../../model/ownership.ts';
import { networkReport, type ReportedConnection, type ReportedSide } from '../../network-report.ts';
import { podSecurityLevels, readLevel } from '../isolation.ts';
import { isCovered } from '../network.ts';
import type { AgreementContext } from './context.ts';
import { decideConnection } from './network-agreement.ts';
import { decideKind, decideNamespaceKey } from './object-agreement.ts';
import type { Verdict } from '../verdict.ts';

/** A reason why the platform must agree to a new namespace. */
interface TemplateFault {
  readonly reason: string;
  readonly more?: Pick<Verdict, 'hint'>;
}

/**
 * Returns what a new namespace lacks of what the tenant's other namespaces have: a level of Pod
 * Security, a quota within the bounds, limits within the bounds, and isolation.
 */
export function findFaultOfTemplate(
  namespace: string,
  { approval, change, facts }: AgreementContext,
): TemplateFault | undefined {
  const inIt = change.after.filter(({ metadata }) => metadata.namespace === namespace);
  const own = change.after.find(
    ({ kind, metadata }) => kind === 'Namespace' && metadata.name === namespace,
  );
  const tenant = facts.tenantOf(namespace);
  const siblings = findSiblings(tenant, { change, facts });
  // Without a namespace to compare with, it must be as strict as can be.
  const weakest =
    siblings.length === 0 ? podSecurityLevels.length - 1 : Math.min(...siblings.map(rankLevel));
  if (own !== undefined && rankLevel(own) < weakest)
    return { reason: 'it enforces a weaker Pod Security than the other namespaces of the tenant' };
  // A quota with scopes bounds only some pods.
  const quotas = inIt.filter(
    (one) =>
      one.kind === 'ResourceQuota' &&
      listAt(one, ['spec', 'scopes']).length === 0 &&
      valueAt(one, ['spec', 'scopeSelector']) === undefined,
  );
  for (const [key, most] of approval.quota) {
    const values = quotas.flatMap((quota) => {
      const value = valueAt(quota, ['spec', 'hard', key]);
      return value === undefined ? [] : [String(value)];
    });
    const hint = `with ${key} up to ${most} the owners decide`;
    if (values.length === 0) return { reason: `it has no quota for ${key}`, more: { hint } };
    if (values.every((value) => isAbove(value, most)))
      return { reason: `its quota for ${key} is above ${most}`, more: { hint } };
  }
  for (const [key, most] of approval.limits) {
    const [field, resource] = splitKey(key);
    const values = inIt
      .filter(({ kind }) => kind === 'LimitRange')
      .flatMap((range) => listAt(range, ['spec', 'limits']).filter(isMapping))
      .flatMap((item) => valueAt(item, [field, resource]) ?? []);
    if (values.some((value) => isAbove(String(value), most)))
      return {
        reason: `its ${key} is above ${most}`,
        more: { hint: `up to ${most} the owners decide` },
      };
  }
  const isIsolated = (name: string, objects: readonly KubeObject[]): boolean =>
    objects.some((object) => object.metadata.namespace === name && isIsolation(object));
  const areOthers = siblings.every(({ metadata }) => isIsolated(metadata.name, change.before));
  if (areOthers && !isIsolated(namespace, inIt)) return { reason: 'no network policy isolates it' };
  return undefined;
}

/** Finds the namespaces of a team before the change. */
function findSiblings(
  tenant: string | undefined,
  { change, facts }: Pick<AgreementContext, 'change' | 'facts'>,
): KubeObject[] {
  return change.before.filter(
    (one) => isNamespace(one) && facts.isSameTeam(facts.tenantOf(one.metadata.name), tenant),
  );
}

/** Finds the namespaces that a new one of a tenant is compared with: those of its team, or of all tenants. */
function findTemplates(
  tenant: string | undefined,
  context: Pick<AgreementContext, 'change' | 'facts'>,
): KubeObject[] {
  const siblings = findSiblings(tenant, context);
  if (siblings.length > 0) return siblings;
  const { change, facts } = context;
  return change.before.filter(
    (one) => isNamespace(one) && facts.tenantOf(one.metadata.name) !== undefined,
  );
}

const isNamespace = ({ kind, apiVersion }: KubeObject): boolean =>
  kind === 'Namespace' && apiVersion === 'v1';

/** Decides about what a new namespace holds: no other judge reports it. */
export function decideContents(namespace: string, context: AgreementContext): Verdict[] {
  const { change, facts } = context;
  const tenant = facts.tenantOf(namespace);
  const [network] = networkReport([{ name: change.cluster, objects: change.after }], {
    namespaces: new Set([namespace]),
  });
  const connections = (network?.namespaces ?? []).flatMap((one) => [
    ...one.in.map(({ with: side }) => ({ with: side, direction: 'in' as const })),
    ...findNewExits(one.out, tenant, context).map((side) => ({
      with: side,
      direction: 'out' as const,
    })),
  ]);
  const objects = change.after.filter(
    ({ apiVersion, kind, metadata }) =>
      metadata.namespace === namespace && !judgedKinds.has(`${groupOf(apiVersion)}/${kind}`),
  );
  return [
    ...connections.map((one) => decideConnection(one, tenant, context)),
    ...objects.map((after) =>
      decideKind(`${groupOf(after.apiVersion)}/${after.kind}`, { after }, tenant, context),
    ),
    ...listNewKeys(namespace, context).map(([path, after]) =>
      decideNamespaceKey(path, { after }, context),
    ),
  ];
}

/** Finds what pods may reach that those of no other namespace of the team may. */
function findNewExits(
  exits: readonly ReportedConnection[],
  tenant: string | undefined,
  { change, facts }: AgreementContext,
): ReportedSide[] {
  const names = findTemplates(tenant, { change, facts }).map(({ metadata }) => metadata.name);
  const [network] = networkReport([{ name: change.cluster, objects: change.before }], {
    namespaces: new Set(names),
  });
  const known = (network?.namespaces ?? []).flatMap((one) => one.out);
  return exits.filter((one) => !isCovered(one, known)).map((one) => one.with);
}

/** Kinds of which other judges report the effect also in a new namespace. */
const judgedKinds: ReadonlySet<string> = new Set([
  'rbac.authorization.k8s.io/Role',
  'rbac.authorization.k8s.io/RoleBinding',
  'networking.k8s.io/NetworkPolicy',
  '/ResourceQuota',
  '/LimitRange',
]);

/** Lists the labels and annotations that no other namespace of the team has with this value. */
function listNewKeys(
  namespace: string,
  { change, facts }: AgreementContext,
): (readonly [path: Path, object: KubeObject])[] {
  const own = change.after.find((one) => isNamespace(one) && one.metadata.name === namespace);
  if (!own) return [];
  const others = findTemplates(facts.tenantOf(namespace), { change, facts });
  const { labels = {}, annotations = {} } = own.metadata;
  // The level of Pod Security is compared with the weakest of the team.
  const isJudged = (key: string, value: string): boolean =>
    key === TENANT_LABEL ||
    key === MANAGED_BY_LABEL ||
    (key === NAME_LABEL && value === namespace) ||
    /^pod-security\.kubernetes\.io\/(enforce$|warn|audit)/.test(key);
  return [
    ...Object.entries(labels).flatMap(([key, value]) =>
      isJudged(key, value) || others.some(({ metadata }) => metadata.labels?.[key] === value)
        ? []
        : [[['metadata', 'labels', key], own] as const],
    ),
    ...Object.entries(annotations).flatMap(([key, value]) =>
      others.some(({ metadata }) => metadata.annotations?.[key] === value)
        ? []
        : [[['metadata', 'annotations', key], own] as const],
    ),
  ];
}

/** The place of the enforced level of Pod Security in their order; an unknown one is the weakest. */
function rankLevel(namespace: KubeObject): number {
  return Math.max(0, podSecurityLevels.indexOf(readLevel(namespace)));
}

function splitKey(key: string): [field: string, resource: string] {
  const dot = key.indexOf('.');
  return [key.slice(0, dot), key.slice(dot + 1)];
}

/** Whether a policy isolates all pods of its namespace from others that no policy names. */
function isIsolation(object: KubeObject): boolean {
  if (object.kind !== 'NetworkPolicy' || object.apiVersion !== 'networking.k8s.io/v1') return false;
  const selector = valueAt(object, ['spec', 'podSelector']) ?? {};
  const types = listAt(object, ['spec', 'policyTypes']);
  const hasIngress = types.length === 0 || types.includes('Ingress');
  return isMapping(selector) && Object.keys(selector).length === 0 && hasIngress;
}
