import { isDeepStrictEqual } from 'node:util';
import { buildRequestPolicy, REQUEST_POLICY } from '../../model/operator/request-policy.ts';
import { formatFinding } from '@tenantry/kube/finding';
import type { Fleet } from '../../model/fleet.ts';
import type { DriftPolicy } from '../../crds/types.ts';
import type { CacheView } from '@tenantry/runtime/controller/caches';
import {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '@tenantry/runtime/kinds/admissionregistration';
import type { Live } from '@tenantry/runtime/kinds/kind';
import type { AccessRequest, Tenant } from '../cluster/kinds.ts';
import { findLifecycle, toDeclaration } from '../fleet/declarations.ts';
import { resolveIntent } from '../heal/policy.ts';
import type { Requestable } from './decision.ts';

/** The tenant in the label of a namespace, and what decides about it. */
export interface NamespaceTenant {
  /** Undefined if the namespace has no tenant that exists. */
  readonly tenant: Live<typeof Tenant> | undefined;
  readonly fleet: Fleet;
  readonly cluster: string;
  /** The strongest drift policy that is allowed. */
  readonly maxPolicy: DriftPolicy;
}

/** Returns what can be requested in a namespace, or why nothing can. */
export function readRequestable(
  namespace: string,
  { tenant, fleet, cluster, maxPolicy }: NamespaceTenant,
): Requestable {
  if (!tenant) return { unavailable: 'the namespace belongs to no Tenant' };
  const { name, deletionTimestamp } = tenant.metadata;
  if (deletionTimestamp !== undefined) {
    return { unavailable: `Tenant ${name} is being deleted` };
  }
  const lifecycle = findLifecycle(tenant, namespace);
  if (lifecycle !== 'Active') return { unavailable: `the namespace is ${lifecycle}` };
  const { policy } = resolveIntent(tenant, fleet, maxPolicy);
  if (policy !== 'Heal') {
    return { unavailable: `under drift policy ${policy} the operator makes and ends no grants` };
  }
  if (tenant.spec?.cordoned) return { unavailable: `Tenant ${name} is cordoned`, isPassing: true };
  const { namespaces, findings } = fleet.desired(toDeclaration(tenant));
  const error = findings.find(({ severity }) => severity === 'error');
  if (error) {
    const why = `Tenant ${name} breaks a rule: ${formatFinding(error)}`;
    return { unavailable: why, isPassing: true };
  }
  const here = namespaces.find((one) => one.name === namespace && one.cluster === cluster);
  if (!here) return { unavailable: `Tenant ${name} does not declare the namespace here` };
  return here.requestable ?? [];
}

/** Selects the admission policy of requests, and its binding. */
export const requestPolicy = { fieldSelector: `metadata.name=${REQUEST_POLICY}` } as const;

/** The kinds that verify who creates a request. */
type PolicyKind = typeof ValidatingAdmissionPolicy | typeof ValidatingAdmissionPolicyBinding;

/** Milliseconds after a change of a policy until every API server enforces it. */
const SETTLE = 10_000;

const declared = buildRequestPolicy();

/** Whether the admission policy is as rendered, and was when the request was created. */
export function isVerified(
  { metadata: { creationTimestamp } }: Live<typeof AccessRequest>,
  cache: CacheView<PolicyKind>,
): boolean {
  const name = { name: REQUEST_POLICY };
  const policy = cache.get(ValidatingAdmissionPolicy, name);
  const binding = cache.get(ValidatingAdmissionPolicyBinding, name);
  if (!policy || !binding) return false;
  const isAsRendered =
    isDeepStrictEqual(policy.spec, declared['request-policy']['spec']) &&
    isDeepStrictEqual(binding.spec, declared['request-policy-binding']['spec']);
  const changed = Math.max(findLastChange(policy), findLastChange(binding));
  return isAsRendered && Date.parse(creationTimestamp) >= changed + SETTLE;
}

function findLastChange({ metadata: { creationTimestamp, managedFields = [] } }: Live): number {
  const times = managedFields.flatMap(({ time, subresource }) =>
    time === undefined || subresource !== undefined ? [] : [time],
  );
  return Math.max(...[creationTimestamp, ...times].map((time) => Date.parse(time)));
}
