import type { DriftPolicy } from '../../crds/types.ts';
import type { Platform } from '../../model/declaration.ts';
import { allowedPolicy } from '../../model/drift-policy.ts';
import { millisecondsToNextEnd } from '../../model/end-dates.ts';
import { TENANT_LABEL } from '@tenantry/kube/cascade-root';
import type { CacheView } from '@tenantry/runtime/controller/caches';
import { done, requeueAfter, type Result } from '@tenantry/runtime/controller/context';
import { controller } from '@tenantry/runtime/controller/controller';
import type { Controller, Watch } from '@tenantry/runtime/controller/declaration';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { ifGone } from '@tenantry/runtime/errors/reaction';
import {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '@tenantry/runtime/kinds/admissionregistration';
import type { Kind, Live, ObjectName } from '@tenantry/runtime/kinds/kind';
import { AccessRequest, namespaces, roleBindings, Tenant, TenantClass } from '../cluster/kinds.ts';
import { describeError } from '../cluster/unobserved.ts';
import { KnownClasses, listClaimedNamespaces, toDeclaration } from '../fleet/declarations.ts';
import { listRequestsIn } from './active-grants.ts';
import { bindingName, isBindingOf, REQUEST_ANNOTATION } from './binding.ts';
import { decide, isExpired, type Decision } from './decision.ts';
import { bind, end, report, requestAccess, type RequestContext } from './grant-steps.ts';
import { isVerified, readRequestable, requestPolicy } from './request-facts.ts';
import { registerRequestMetrics } from './request-metrics.ts';

/** What a decision depends on. */
const watches = [
  watch(Tenant, (tenant, cache) => listClaimedNamespaces(tenant).flatMap(requestsIn(cache))),
  watch(TenantClass, (_, cache) => listRequests(cache)),
  watch(namespaces, ({ metadata }, cache) => requestsIn(cache)(metadata.name)),
  watch(roleBindings, findRequest),
  watchPolicy(ValidatingAdmissionPolicy),
  watchPolicy(ValidatingAdmissionPolicyBinding),
] as const;

/** The dependencies of the controller of requests. */
interface RequestControllerProps {
  readonly platform: Platform;
  /** The cluster in which it runs, as the platform names it. */
  readonly cluster: string;
  /** @default - what the platform allows, which is also the upper limit */
  readonly policy?: DriftPolicy | undefined;
}

/** Milliseconds for which the record of an ended request is kept: 90 days. */
export const RECORD_TIME = 90 * 86_400_000;
/** The longest time between two looks at a request, since timers have a maximum. */
const DAY = 86_400_000;

/**
 * Binds requested ClusterRoles to the requesters, and removes the RoleBindings when the access ends. It depends on no
 * comparison of the tenant, so that neither a cordoned nor a refused Tenant delays an end.
 */
export function requestController(props: RequestControllerProps): Controller {
  const { platform, cluster } = props;
  const classes = new KnownClasses(platform);
  const maxPolicy = allowedPolicy(props.policy ?? 'Heal', platform.driftPolicy);
  return controller({
    name: 'access-requests',
    for: AccessRequest,
    concurrency: 2,
    longestRetry: 30_000,
    access: requestAccess,
    watches,
    metrics: registerRequestMetrics,
    reconcile,
  });

  async function reconcile(context: RequestContext): Promise<Result> {
    const { object: request, cache, clock } = context;
    const { namespace = '' } = request.metadata;
    const name = cache.get(namespaces, { name: namespace })?.metadata.labels?.[TENANT_LABEL];
    const tenant = name === undefined ? undefined : cache.get(Tenant, { name });
    const live = cache.get(roleBindings, { name: bindingName(request), namespace });
    const now = clock.date();
    const fleet = classes.buildFleet(cache.list(TenantClass), tenant ? { tenant, now } : { now });
    const decision = decide(request, {
      // Most requests are records of the past, for which nothing needs to be computed.
      requestable: isExpired(request, now)
        ? []
        : readRequestable(namespace, { tenant, fleet, cluster, maxPolicy }),
      isBound: tenant !== undefined && isBindingOf(request, tenant.metadata.name, live),
      isVerified: isVerified(request, cache),
      now,
    });
    try {
      const again = decision.isGranted
        ? await bind(context, tenant!, decision)
        : await end(context, tenant, decision);
      await report(context, decision);
      if (again) return again;
      const ends = tenant && millisecondsToNextEnd(fleet.endings(toDeclaration(tenant)), now);
      return await computeRequeue(context, decision, ends);
    } catch (error) {
      if (error instanceof ApiError) await report(context, explainRefusal(decision, error));
      throw error;
    }
  }
}

function explainRefusal(decision: Decision, error: ApiError): Decision {
  const reason = decision.isGranted ? 'Refused' : 'NotEnded';
  return { ...decision, isGranted: !decision.isGranted, reason, message: describeError(error) };
}

/**
 * Requeues a grant for its end, or for the end of what allows it. The record of an ended request is deleted after
 * `RECORD_TIME`.
 */
async function computeRequeue(
  { object: request, client, clock }: RequestContext,
  { isGranted, expires }: Decision,
  ends: number | undefined,
): Promise<Result> {
  const left = expires.getTime() - clock.date().getTime();
  const due = [left, left + RECORD_TIME, ends ?? Infinity].filter((one) => one > 0);
  if (isGranted || left + RECORD_TIME > 0) return requeueAfter(Math.max(1, Math.min(...due, DAY)));
  const { name, namespace, uid } = request.metadata;
  await client.delete(AccessRequest, { name, namespace }, { preconditions: { uid } }).catch(ifGone);
  return done;
}

function watch<K extends Kind>(kind: K, map: Watch<K>['map']): Watch<K> {
  return { kind, map };
}

/** The policy may not be installed, or not yet. */
function watchPolicy<K extends Kind>(kind: K): Watch<K> {
  const map = (_: Live, cache: CacheView): readonly ObjectName[] => listRequests(cache);
  return { kind, selection: requestPolicy, isOptional: true, map };
}

function requestsIn(cache: CacheView) {
  return (namespace: string): readonly ObjectName[] => listRequestsIn(namespace, cache).map(toName);
}

function listRequests(cache: CacheView): readonly ObjectName[] {
  return cache.list(AccessRequest).map(toName);
}

/** Returns the request that a RoleBinding names. */
function findRequest({ metadata: { namespace, annotations } }: Live): readonly ObjectName[] {
  const name = annotations?.[REQUEST_ANNOTATION];
  return name === undefined ? [] : [{ name, namespace }];
}

function toName({ metadata: { name, namespace } }: Live): ObjectName {
  return { name, namespace };
}
