import { formatTime } from '@tenantry/kube/time';
import { isDeepStrictEqual } from 'node:util';
import type { AccessRequestStatus } from '../../crds/access-request.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { allow } from '@tenantry/runtime/access/grant';
import { setCondition } from '@tenantry/runtime/conditions/conditions';
import { requeueAfter, type Result } from '@tenantry/runtime/controller/context';
import type { ContextOf } from '@tenantry/runtime/controller/declaration';
import { ifExists, ifGone } from '@tenantry/runtime/errors/reaction';
import { eventAccess } from '@tenantry/runtime/events/events';
import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '@tenantry/runtime/kinds/admissionregistration';
import type { Live, Written } from '@tenantry/runtime/kinds/kind';
import { RoleBinding } from '@tenantry/runtime/kinds/rbac';
import {
  AccessRequest,
  roleBindings,
  type namespaces,
  type Tenant,
  type TenantClass,
} from '../cluster/kinds.ts';
import { FIELD_MANAGER } from '../heal/apply-step.ts';
import { bindingName, buildBinding, isBindingOf } from './binding.ts';
import type { Decision } from './decision.ts';

/** The access of the controller of requests, besides what it watches. */
export const requestAccess = [
  allow(AccessRequest, 'patch').subresource('status'),
  allow(AccessRequest, 'delete'),
  allow(RoleBinding, 'get', 'create', 'delete'),
  ...eventAccess,
] as const;

/** The context of a reconcile of a request. */
export type RequestContext = ContextOf<
  typeof AccessRequest,
  [],
  readonly [
    typeof Tenant,
    typeof TenantClass,
    typeof namespaces,
    typeof roleBindings,
    typeof ValidatingAdmissionPolicy,
    typeof ValidatingAdmissionPolicyBinding,
  ],
  typeof requestAccess
>;

/** Milliseconds until a RoleBinding that was replaced is looked at again. */
const AGAIN = 1_000;

/** Creates the RoleBinding of a request. One of its name with other content is replaced. */
export async function bind(
  { object: request, client, cache, event, log }: RequestContext,
  tenant: Live<typeof Tenant>,
  { expires }: Decision,
): Promise<Result | undefined> {
  const { name, namespace } = request.metadata;
  const place = { name: bindingName(request), namespace };
  const live = cache.get(roleBindings, place);
  if (isBindingOf(request, tenant.metadata.name, live)) return undefined;
  if (live) {
    const { uid, resourceVersion } = live.metadata;
    await client
      .delete(RoleBinding, place, { preconditions: { uid, resourceVersion } })
      .catch(ifGone);
    return requeueAfter(AGAIN);
  }
  const wanted = buildBinding(request, tenant.metadata.name) as KubeObject &
    Written<typeof RoleBinding>;
  const created = await client
    .create(RoleBinding, wanted, { fieldManager: FIELD_MANAGER })
    .catch(ifExists);
  if (!created) return requeueAfter(AGAIN);
  const { user, clusterRole, reason } = request.spec;
  const until = formatTime(expires);
  const note = `User ${user} has ClusterRole ${clusterRole} in ${namespace} until ${until} (request ${name}: ${reason})`;
  event({ type: 'Warning', reason: 'BreakGlassGranted', action: 'Grant', note, regarding: tenant });
  log.info('access was granted', { user, clusterRole, until, reason });
  return undefined;
}

/** Removes the RoleBinding of a request. */
export async function end(
  { object: request, client, cache, event, log }: RequestContext,
  tenant: Live<typeof Tenant> | undefined,
  { reason: why }: Decision,
): Promise<undefined> {
  const { name, namespace } = request.metadata;
  const place = { name: bindingName(request), namespace };
  if (!cache.get(roleBindings, place)) return;
  const live = await client.get(RoleBinding, place).catch(ifGone);
  if (!live) return;
  const { uid, resourceVersion } = live.metadata;
  await client
    .delete(RoleBinding, place, { preconditions: { uid, resourceVersion } })
    .catch(ifGone);
  const { user, clusterRole } = request.spec;
  const note = `User ${user} no longer has ClusterRole ${clusterRole} in ${namespace} (request ${name}: ${why})`;
  if (tenant)
    event({ type: 'Normal', reason: 'BreakGlassEnded', action: 'Revoke', note, regarding: tenant });
  log.info('access was ended', { user, clusterRole, why });
}

/** Writes the decision into the status of the request, if it changes anything. */
export async function report(
  { object: request, client, clock }: RequestContext,
  decision: Decision,
): Promise<void> {
  const { isGranted, reason, message, expires } = decision;
  const { name, namespace, generation } = request.metadata;
  const condition = {
    type: 'Granted',
    status: isGranted ? ('True' as const) : ('False' as const),
    reason,
    message,
    ...(generation !== undefined && { observedGeneration: generation }),
  };
  const status: AccessRequestStatus = {
    conditions: setCondition(request.status?.conditions, condition, clock.date()),
    expires: formatTime(expires),
    ...(isGranted && { roleBinding: bindingName(request) }),
  };
  if (isDeepStrictEqual(status, request.status)) return;
  const patch = { status: { ...status, roleBinding: status.roleBinding ?? null } };
  await client
    .patch(AccessRequest, { name, namespace }, patch as never, { subresource: 'status' })
    .catch(ifGone);
}
