/**
 * The exports of `@tenantry/runtime`: controllers, what runs them, and the API of a cluster. Nothing depends on tenants.
 */

/** Kinds of admission webhooks and policies (admissionregistration.k8s.io). */
export * as admissionregistration from './kinds/admissionregistration.ts';
/** The kind of definitions (apiextensions.k8s.io). */
export * as apiextensions from './kinds/apiextensions.ts';
/** The kind of aggregated APIs (apiregistration.k8s.io). */
export * as apiregistration from './kinds/apiregistration.ts';
/** Kinds of workloads (apps). */
export * as apps from './kinds/apps.ts';
/** Kinds of reviews that authenticate (authentication.k8s.io). */
export * as authentication from './kinds/authentication.ts';
/** Kinds of reviews that authorize (authorization.k8s.io). */
export * as authorization from './kinds/authorization.ts';
/** The kind of horizontal autoscalers (autoscaling). */
export * as autoscaling from './kinds/autoscaling.ts';
/** Kinds of jobs (batch). */
export * as batch from './kinds/batch.ts';
/** The kind of requests for certificates (certificates.k8s.io). */
export * as certificates from './kinds/certificates.ts';
/** The kind of leases (coordination.k8s.io). */
export * as coordination from './kinds/coordination.ts';
/** Kinds of the core group, such as `core.Pod`, which is a kind and the type of its fields. */
export * as core from './kinds/core.ts';
/** The kind of endpoint slices (discovery.k8s.io). */
export * as discovery from './kinds/discovery.ts';
/** The kind of events (events.k8s.io). */
export * as events from './kinds/events.ts';
/** Types that kinds of several groups use (meta.k8s.io). */
export type * as meta from '@tenantry/kube/api/meta';
/** Kinds of networks (networking.k8s.io). */
export * as networking from './kinds/networking.ts';
/** The kind of container runtimes (node.k8s.io). */
export * as node from './kinds/node.ts';
/** The kind of disruption budgets (policy). */
export * as policy from './kinds/policy.ts';
/** Kinds of roles and their bindings (rbac.authorization.k8s.io). */
export * as rbac from './kinds/rbac.ts';
/** The kind of priorities of pods (scheduling.k8s.io). */
export * as scheduling from './kinds/scheduling.ts';
/** Kinds of storage (storage.k8s.io). */
export * as storage from './kinds/storage.ts';

export {
  keyOf,
  parseKey,
  kindOf,
  type OwnFields,
  type FieldsOf,
  type Immutable,
  type Kind,
  type Live,
  type ManagedFields,
  type ObjectMeta,
  type ObjectName,
  type OwnerReference,
  type Sent,
  type Written,
  type WrittenFieldsOf,
  type WrittenMeta,
  scaleOf,
  type Scale,
  metadataOf,
  projectionOf,
  type MetadataOf,
  type ProjectionOf,
} from './kinds/kind.ts';

export {
  certificateAccess,
  electionForLifeAccess,
  leaseElectionAccess,
  roleObjects,
  buildRoles,
  type AccessRoles,
  type AccessRule,
  type CertificateAccessProps,
  type LeaseName,
  type PolicyRule,
  type RoleObjectsProps,
  type Verb,
} from '@tenantry/kube/access';
export { allow, type Grant } from './access/grant.ts';
export {
  restrictClient,
  type AllowedClient,
  type DeclaredKinds,
  type GrantedKinds,
  type GrantedLog,
  type GrantedOptions,
  type GrantedParts,
  type GrantedWholeKinds,
  type Undeclared,
} from './access/restricted-client.ts';

export { controller } from './controller/controller.ts';
export type { CacheView } from './controller/caches.ts';
export {
  done,
  requeueAfter,
  type Context,
  type GoneContext,
  type ObjectEvent,
  type Result,
} from './controller/context.ts';
export type {
  ContextOf,
  Controller,
  ControllerProps,
  Finalizer,
  GrantedEvent,
  OwnedKind,
  OwnedKinds,
  OwnedSelection,
  Owns,
  ReadingGrant,
  Watch,
  OwnMetrics,
} from './controller/declaration.ts';
export type { ControllerObserver, Outcome } from './controller/observer.ts';
/**
 * Which changes are worth a reconcile, for `predicate` of a controller and of what it watches.
 *
 * @example
 * ```ts
 * import { controller, core, done, predicates } from '@tenantry/runtime';
 *
 * const { and, generationChanged, labelsChanged, not, or } = predicates;
 * export const namespaces = controller({
 *   name: 'namespaces',
 *   for: core.Namespace,
 *   predicate: or(labelsChanged, and(generationChanged, not(({ type }) => type === 'deleted'))),
 *   reconcile: async () => done,
 * });
 * ```
 */
export * as predicates from './controller/predicate.ts';
export type { Change, Predicate } from './controller/predicate.ts';
export { ownedBy } from './controller/ownership.ts';

export type { CacheDeclaration, OutageSubscription, SharedCache } from './cache/cache.ts';
export type {
  Cached,
  CachedSelection,
  CacheHandlers,
  CacheIndex,
  CacheSubscription,
} from './cache/cached.ts';
export {
  CacheSet,
  type CacheLease,
  type CacheSetProps,
  type ObjectHeader,
} from './cache/cache-set.ts';
export type { BackoffProps } from './clock/pacing.ts';
export {
  WorkQueue,
  type AddOptions,
  type QueueObserver,
  type RetryOptions,
  type WorkQueueProps,
} from './queue/work-queue.ts';
export type { FailureCause, Outage } from './watch/failures.ts';
export {
  type ReflectorEvent,
  ListStreams,
  type Reflected,
  type ReflectOptions,
  type Sink,
} from './watch/options.ts';
export { reflect } from './watch/reflect.ts';

export {
  Manager,
  type ConditionReporter,
  type ConditionReporterDeps,
  type LeaderDeps,
  type ManagerProps,
} from './manager/manager.ts';
export type { ManagerHealthProps, ManagerMetricsProps } from './manager/manager-servers.ts';
export type { Runnable } from './manager/tasks.ts';
export { PublicProblem, type HealthCheck } from './health/health-server.ts';
export {
  LeadershipLost,
  NotLeading,
  type LeaderElection,
  type Lock,
} from './leader/leader-election.ts';
export type { Election, ElectionDeps, ElectionProps } from './leader/election.ts';
export { leaseElection, type LeaseElectionProps } from './leader/lease-election.ts';
export { electionForLife, type ElectionForLifeProps } from './leader/election-for-life.ts';
export type { Timing, TimingProps } from './leader/term.ts';

export type {
  ApplyOptions,
  CallOptions,
  Client,
  DeleteOptions,
  List,
  ListOptions,
  UnreadableObject,
  MergePatch,
  PodLogOptions,
  Reader,
  ReadOptions,
  Selection,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from './client/client.ts';
export type { ApiClientOptions } from './client/api-client.ts';
export { openClient, type OpenClientOptions, type OpenedClient } from './client/open-client.ts';

export { connectionFrom, type ConnectionOptions } from './connection/connection-from.ts';
export {
  connectionTo,
  type Authorization,
  type Connection,
  type RequestHeaders,
  type TlsMaterial,
  type ConnectionProps,
  type Impersonation,
  type TextOrFile,
} from './connection/connection.ts';
export type { Environment } from './connection/connection.ts';
export type { TransportObserver, TransportOptions } from './connection/transport.ts';

export {
  AccessDenied,
  TooLarge,
  TooDeep,
  Malformed,
  Unreachable,
  type MalformedContext,
  type UnreachableContext,
} from './errors/client-errors.ts';
export {
  ApiError,
  type ApiErrorContext,
  type Status,
  type StatusCause,
  type StatusDetails,
} from './errors/api-error.ts';
export { ifExists, ifGone, reactionTo, type Reaction } from './errors/reaction.ts';

export { eventAccess, Events, type EventRecorder, type EventsProps } from './events/events.ts';
export type {
  EventSubject,
  Reporter,
  EventInput,
  EventsObserver,
  LossCause,
  LostEvent,
} from './events/event.ts';
export type {
  Counter,
  Gauge,
  Histogram,
  Instruments,
  MetricLabels,
  MetricProps,
  MetricsRegistry,
} from './metrics/instruments.ts';
export {
  storageMigration,
  type StorageMigrationProps,
} from './storage-migration/storage-migration.ts';
export {
  findCondition,
  isConditionTrue,
  setCondition,
  withoutCondition,
  type GivenCondition,
  type ConditionInput,
} from './conditions/conditions.ts';
export { systemClock, type Clock, type Random } from './clock/clock.ts';
export {
  jsonLog,
  type JsonLog,
  type JsonLogProps,
  type Log,
  type LogFields,
  type LogLevel,
} from './log/log.ts';

/**
 * What admission webhooks answer.
 *
 * @example
 * ```ts
 * import { admission } from '@tenantry/runtime';
 *
 * const verdict = admission.denied('spec.replicas must be odd, got 2', { code: 422 });
 * console.log(verdict.allowed, admission.allowed.allowed); // false true
 * ```
 */
export * as admission from './webhooks/admission/verdict.ts';
export type { AdmissionVerdict, Mutation } from './webhooks/admission/verdict.ts';
export {
  mutatingWebhook,
  validatingWebhook,
  type AdmissionWebhookProps,
  type MutatingWebhookProps,
  type ValidatingWebhookProps,
} from './webhooks/admission/admission-webhook.ts';
export type {
  Admitted,
  AdmissionRequest,
  AdmissionUser,
  Operation,
} from './webhooks/admission/request.ts';
export { conversionWebhook, type ConversionWebhookProps } from './webhooks/conversion-webhook.ts';
export type { Webhook, WebhookCall } from './webhooks/webhook.ts';
export { WebhookServer, type WebhookServerProps } from './webhooks/webhook-server.ts';
export { CertificateFiles, type CertificateFilesProps } from './certificates/certificate-files.ts';
export {
  SharedCertificates,
  type SharedCertificatesProps,
} from './certificates/shared-certificates.ts';
export type { InjectionTarget } from './certificates/injection.ts';
export type { RotationStep, SecretName } from './certificates/rotation.ts';
export type { KeyPair, CertificateSource } from './certificates/key-pair.ts';
