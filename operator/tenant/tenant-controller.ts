import { isDeepStrictEqual } from 'node:util';
import { APP_OBJECTS } from '../../model/app-objects.ts';
import type { ComparedResource } from '../../model/compared-kinds.ts';
import type { Platform } from '../../model/declaration.ts';
import type { DriftPolicy } from '../../crds/types.ts';
import { TENANT_LABEL } from '@tenantry/kube/cascade-root';
import type { KubeObject } from '@tenantry/kube/object';
import { allow } from '@tenantry/runtime/access/grant';
import type { CacheView } from '@tenantry/runtime/controller/caches';
import { requeueAfter, type Context } from '@tenantry/runtime/controller/context';
import { controller } from '@tenantry/runtime/controller/controller';
import {
  generationChanged,
  labelsChanged,
  or,
  type Predicate,
} from '@tenantry/runtime/controller/predicate';
import { eventAccess } from '@tenantry/runtime/events/events';
import type { Kind, Live, ObjectName } from '@tenantry/runtime/kinds/kind';
import {
  AccessRequest,
  observedKinds,
  Tenant,
  TenantClass,
  getWholeKind,
  wholeKinds,
  type ObservedKind,
  type Kept,
} from '../cluster/kinds.ts';
import {
  declaredObjects,
  toDeclaredVersion,
  otherKind,
  findOtherKind,
  type OtherKind,
} from '../cluster/other-kinds.ts';
import { TenantObjects } from '../cluster/tenant-objects.ts';
import { MAX_OUTAGE } from '../cluster/unobserved.ts';
import { listClaimedNamespaces, KnownClasses } from '../fleet/declarations.ts';
import { allowedPolicy } from '../../model/drift-policy.ts';
import { healAccess } from '../heal/policy.ts';
import { Healer } from '../heal/healer.ts';
import {
  createRevokeAccessTask,
  FINALIZER,
  type FinalizerTask,
} from '../finalize/finalizer-task.ts';
import { finalizersChanged, createFinalization } from './finalization.ts';
import { TenantMetrics } from '../metrics/tenant-metrics.ts';
import { TenantReconciler } from './tenant-reconciler.ts';
import { computeLevels, type UsedQuota } from './pressure.ts';

/** The dependencies of the tenant controller. */
interface TenantControllerProps {
  readonly platform: Platform;
  /** The cluster in which it runs, as the platform names it. */
  readonly cluster: string;
  /** Milliseconds within which the cluster follows a changed declaration. @default 600,000 */
  readonly rolloutDeadline?: number | undefined;
  /** The number of tenants that are reconciled concurrently. @default 4 */
  readonly concurrency?: number | undefined;
  /**
   * Kinds of `resources` that it compares in addition to the kinds of which tenants consist; it never writes them.
   * @default - the kinds in `operator.comparedKinds` of the platform
   */
  readonly kinds?: readonly ComparedResource[] | undefined;
  /**
   * The strongest drift policy, whatever tenants request. The controller's access is limited to what it needs.
   * @default - what the platform allows, which is also the upper limit
   */
  readonly policy?: DriftPolicy | undefined;
}

/**
 * Reports for every Tenant whether the cluster matches its declaration, in its status and in events about changes. It
 * reads tenants' objects from memory. If the platform and the tenant request it, it creates missing objects or restores
 * drifted ones.
 */
export function tenantController(props: TenantControllerProps) {
  const { platform, cluster, rolloutDeadline = 600_000, concurrency = 4 } = props;
  const maxPolicy = allowedPolicy(props.policy ?? 'Heal', platform.driftPolicy);
  const healer = new Healer(platform);
  const classes = new KnownClasses(platform);
  const others = (props.kinds ?? platform.comparedKinds).map(otherKind);
  const metrics = new TenantMetrics({ ...platform.operatorMonitoring, others });
  const shared = { platform, cluster, rolloutDeadline, maxPolicy, others, healer, metrics };
  const reconciler = new TenantReconciler(shared);
  const fleetOf = ({ cache, object: tenant, clock }: FleetContext) =>
    classes.buildFleet(cache.list(TenantClass), { tenant, now: clock.date() });
  const grantsAccess = maxPolicy === 'Heal';
  const tasks = maxPolicy === 'Heal' ? [createRevokeAccessTask(healer)] : [];
  const leave = createFinalization({ tasks, cluster, maxPolicy, fleetOf });
  const declared = controller({
    name: 'tenant',
    for: Tenant,
    predicate: or(generationChanged, labelsChanged, appObjectsChanged, finalizersChanged),
    concurrency,
    finalizer: declaresFinalizer(platform, tasks)
      ? {
          name: FINALIZER,
          isNeeded: (context) => leave.isNeeded(context),
          cleanUp: (context) => leave.cleanUp(context),
        }
      : undefined,
    waiting: (context) => leave.waiting(context),
    watches: [
      { kind: Tenant, predicate: generationChanged, map: findRivals },
      { kind: TenantClass, predicate: generationChanged, map: everyTenant },
      ...observedWatches,
      ...(grantsAccess ? [watchedRequests] : []),
      ...others.map(watched),
    ],
    access: listAccess(maxPolicy, others),
    longestRetry: MAX_RETRY,
    reconcileOutagesAfter: MAX_OUTAGE,
    reconcile: (context) => {
      const get = (one: KubeObject) => context.client.get(findKind(one, others), nameIn(one));
      const requests = grantsAccess ? (context.cache as View) : undefined;
      return reconciler.reconcile({ ...context, fleet: fleetOf(context), get, requests });
    },
    async onGone({ name }) {
      reconciler.forget(name.name);
    },
  });
  const measured = metrics.instrument(declared);
  return {
    ...measured,
    async reconcile(context: Context) {
      const wait = reconciler.remaining(context.object.metadata.name, context.clock.now());
      return wait > 0 ? requeueAfter(wait) : measured.reconcile(context);
    },
  };
}

/** Matches changes of the objects that an app declares besides the Tenant's spec. */
const appObjectsChanged: Predicate = ({ object, old }) =>
  object.metadata.annotations?.[APP_OBJECTS] !== old?.metadata.annotations?.[APP_OBJECTS];

/** The most milliseconds until a failed comparison or report is retried. */
const MAX_RETRY = 60_000;

/**
 * Whether the controller has the finalizer. Also if no task is due, because it removes finalizers of an earlier
 * configuration.
 */
function declaresFinalizer(platform: Platform, tasks: readonly FinalizerTask[]): boolean {
  return platform.driftPolicy !== 'Observe' || tasks.length > 0;
}

/** The access to read drifted objects, to report, and to heal as far as `maxPolicy` allows. */
const listAccess = (maxPolicy: DriftPolicy, others: readonly OtherKind[]) => [
  ...[...wholeKinds, ...others.map(wholeOther)].map((kind) => allow(kind, 'get')),
  allow(Tenant, 'patch').subresource('status'),
  ...eventAccess,
  ...healAccess(maxPolicy),
];

function nameIn({ metadata: { name, namespace } }: KubeObject): ObjectName {
  return { name, namespace };
}

/** Returns the kind to read an object with, in the version of the object. */
function findKind(object: KubeObject, others: readonly OtherKind[]): Kind {
  const other = findOtherKind(object, others);
  return other ? toDeclaredVersion(other, object) : getWholeKind(object);
}

/** Returns the kind with whole objects. */
function wholeOther({ group, version, kind, plural, scope }: OtherKind): Kind {
  return { group, version, kind, plural, scope };
}

/** The kind may not be installed, or not yet. */
function watched(kind: OtherKind) {
  const map = listTenants;
  return {
    kind,
    selection: declaredObjects,
    isOptional: true,
    predicate: isSignificantChange,
    map,
  };
}

/**
 * Whether a change of an object matters to its tenant: its content, its tenant or its deletion. The API server updates
 * the usage of a quota at every start of a pod. Of that, only whether the quota is nearly used up matters.
 */
export const isSignificantChange: Predicate = ({ object, old }) =>
  old === undefined || !isDeepStrictEqual(extractRelevantState(object), extractRelevantState(old));

function extractRelevantState(object: Live): readonly unknown[] {
  const { labels, annotations, deletionTimestamp, uid, ownerReferences, finalizers } =
    object.metadata;
  const { digest, phase, waitsFor, ...used } = object as Live &
    Kept &
    UsedQuota & { readonly phase?: string; readonly waitsFor?: string };
  const lives = [deletionTimestamp, uid, ownerReferences, finalizers];
  return [digest, labels, annotations, lives, phase, waitsFor, computeLevels(used)];
}

/** What decides which fleet a Tenant is compared with. */
interface FleetContext extends Pick<Context<typeof Tenant>, 'object' | 'clock'> {
  readonly cache: View;
}

type View = CacheView<
  typeof Tenant | typeof TenantClass | typeof AccessRequest | ObservedKind | OtherKind
>;

/** Requests allow RoleBindings that no Tenant declares. The kind may not be installed, or not yet. */
const watchedRequests = { kind: AccessRequest, isOptional: true, map: listTenants };

/** Milliseconds of failures after which the operator reports without a kind. */
const STARTS_WITHOUT = 60_000;

const observedWatches = observedKinds.map((kind) => ({
  kind,
  predicate: isSignificantChange,
  map: listTenants,
  startsWithoutAfter: STARTS_WITHOUT,
}));

/** Returns other Tenants that name one of its namespaces: one of them gets it when this one is deleted. */
function findRivals(tenant: Live<typeof Tenant>, cache: CacheView): readonly ObjectName[] {
  return listClaimedNamespaces(tenant)
    .flatMap((namespace) => claimants(namespace, cache))
    .filter(({ name }) => name !== tenant.metadata.name);
}

function everyTenant(_: Live, cache: CacheView): readonly ObjectName[] {
  return cache.list(Tenant).map(({ metadata: { name } }) => ({ name }));
}

/**
 * Returns the tenants that name the namespace of an object, and the tenant in the namespace's label. The object's own
 * label counts only if it is a Namespace, since others can set it.
 */
function listTenants({ kind, metadata }: Live, cache: CacheView): readonly ObjectName[] {
  const isNamespace = kind === 'Namespace';
  const namespace = isNamespace ? metadata.name : (metadata.namespace ?? '');
  const label = isNamespace
    ? metadata.labels?.[TENANT_LABEL]
    : new TenantObjects(cache as View).tenantOf(namespace);
  const named = claimants(namespace, cache);
  return label === undefined ? named : [...named, { name: label }];
}

function claimants(namespace: string, cache: CacheView): readonly ObjectName[] {
  return (cache as View)
    .list(Tenant, { index: { by: listClaimedNamespaces, is: namespace } })
    .map(({ metadata: { name } }) => ({ name }));
}
