import { isMapping, listAt, valueAt } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import { isAbove } from '../../../model/approval.ts';
import type { AgreementContext } from './context.ts';
import type { Verdict } from './verdict.ts';

/** A reason why the platform must agree to a new namespace. */
interface TemplateFault {
  readonly reason: string;
  readonly more?: Pick<Verdict, 'hint'>;
}

const ENFORCE = 'pod-security.kubernetes.io/enforce';
const LEVELS = ['privileged', 'baseline', 'restricted'];

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
  const siblings = change.before.filter(
    ({ kind, metadata }) =>
      kind === 'Namespace' && facts.isSameTeam(facts.tenantOf(metadata.name), tenant),
  );
  const weakest = Math.min(...siblings.map(readLevel));
  if (own !== undefined && readLevel(own) < weakest)
    return { reason: 'it enforces a weaker Pod Security than the other namespaces of the tenant' };
  const quotas = inIt.filter(({ kind }) => kind === 'ResourceQuota');
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
  if (!inIt.some(isIsolation)) return { reason: 'no network policy isolates it' };
  return undefined;
}

function readLevel({ metadata }: KubeObject): number {
  return Math.max(0, LEVELS.indexOf(metadata.labels?.[ENFORCE] ?? 'privileged'));
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
