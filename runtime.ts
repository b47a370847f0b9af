/**
 * What `import ... from 'tenantry/runtime'` gives: controllers, what runs them, and the API of a
 * cluster. It knows no tenant.
 */

/** Kinds of admission webhooks and policies (admissionregistration.k8s.io). */
export * as admissionregistration from './runtime/kinds/admissionregistration.ts';
/** The kind of definitions (apiextensions.k8s.io). */
export * as apiextensions from './runtime/kinds/apiextensions.ts';
/** The kind of aggregated APIs (apiregistration.k8s.io). */
export * as apiregistration from './runtime/kinds/apiregistration.ts';
/** Kinds of workloads (apps). */
export * as apps from './runtime/kinds/apps.ts';
/** Kinds of questions who somebody is (authentication.k8s.io). */
export * as authentication from './runtime/kinds/authentication.ts';
/** Kinds of questions who may do what (authorization.k8s.io). */
export * as authorization from './runtime/kinds/authorization.ts';
/** The kind of horizontal autoscalers (autoscaling). */
export * as autoscaling from './runtime/kinds/autoscaling.ts';
/** Kinds of jobs (batch). */
export * as batch from './runtime/kinds/batch.ts';
/** The kind of requests for certificates (certificates.k8s.io). */
export * as certificates from './runtime/kinds/certificates.ts';
/** The kind of leases (coordination.k8s.io). */
export * as coordination from './runtime/kinds/coordination.ts';
/** Kinds of the core group, such as `core.Pod`, which is a kind and the type of its fields. */
export * as core from './runtime/kinds/core.ts';
/** The kind of endpoint slices (discovery.k8s.io). */
export * as discovery from './runtime/kinds/discovery.ts';
/** The kind of events (events.k8s.io). */
export * as events from './runtime/kinds/events.ts';
/** Types that kinds of several groups use (meta.k8s.io). */
export type * as meta from './kube/api/meta.ts';
/** Kinds of networks (networking.k8s.io). */
export * as networking from './runtime/kinds/networking.ts';
/** The kind of container runtimes (node.k8s.io). */
export * as node from './runtime/kinds/node.ts';
/** The kind of disruption budgets (policy). */
export * as policy from './runtime/kinds/policy.ts';
/** Kinds of roles and their bindings (rbac.authorization.k8s.io). */
export * as rbac from './runtime/kinds/rbac.ts';
/** The kind of priorities of pods (scheduling.k8s.io). */
export * as scheduling from './runtime/kinds/scheduling.ts';
/** Kinds of storage (storage.k8s.io). */
export * as storage from './runtime/kinds/storage.ts';

// The same as of `tenantry/crd`, whose constructs load cdk8s: an operator needs none.
export { define } from './crds/define.ts';
export { crdManifest } from './crds/definition.ts';
export {
  keyOf,
  nameOf,
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
} from './runtime/kinds/kind.ts';
export { scaleOf, type Scale } from './runtime/kinds/scale.ts';

export {
  certificateAccess,
  electionForLifeAccess,
  leaseElectionAccess,
  roleObjects,
  rolesOf,
  type AccessRoles,
  type AccessRule,
  type CertificateAccessProps,
  type LeaseName,
  type PolicyRule,
  type RoleObjectsProps,
  type Verb,
} from './kube/access.ts';
export { allow, type Grant } from './runtime/access/grant.ts';
export { restricted } from './runtime/access/restricted.ts';
export type {
  AllowedClient,
  DeclaredKinds,
  GrantedKinds,
  GrantedLog,
  GrantedOptions,
  GrantedParts,
  GrantedWholeKinds,
  Undeclared,
} from './runtime/access/allowed-client.ts';

export { controller } from './runtime/controller/controller.ts';
export type { CacheView } from './runtime/controller/caches.ts';
export {
  done,
  requeueAfter,
  type Context,
  type GoneContext,
  type ObjectEvent,
  type Result,
} from './runtime/controller/context.ts';
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
} from './runtime/controller/declaration.ts';
export {
  metadataOf,
  projectionOf,
  type MetadataOf,
  type ProjectionOf,
} from './runtime/controller/projection.ts';
export type { ControllerObserver, Outcome } from './runtime/controller/observer.ts';
/**
 * Which changes are worth a reconcile, for `predicate` of a controller and of what it watches.
 *
 * @example
 * ```ts
 * import { controller, core, done, predicates } from 'tenantry/runtime';
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
export * as predicates from './runtime/controller/predicate.ts';
export type { Change, Predicate } from './runtime/controller/predicate.ts';
export { ownedBy } from './runtime/controller/ownership.ts';

export type { CacheDeclaration, CacheFollowing, SharedCache } from './runtime/cache/cache.ts';
export type {
  Cached,
  CachedSelection,
  CacheHandlers,
  CacheIndex,
  CacheSubscription,
} from './runtime/cache/cached.ts';
export {
  CacheSet,
  type CacheLease,
  type CacheSetProps,
  type ObjectHeader,
} from './runtime/cache/cache-set.ts';
export type { BackoffProps } from './runtime/clock/pacing.ts';
export {
  WorkQueue,
  type AddOptions,
  type QueueObserver,
  type RetryOptions,
  type WorkQueueProps,
} from './runtime/queue/work-queue.ts';
export type { FailureCause, ReflectorEvent, Outage } from './runtime/watch/reflector-event.ts';
export {
  ListStreams,
  type Reflected,
  type ReflectOptions,
  type Sink,
} from './runtime/watch/options.ts';
export { reflect } from './runtime/watch/reflect.ts';

export {
  Manager,
  type ConditionReporter,
  type ConditionReporterDeps,
  type LeaderDeps,
  type ManagerProps,
} from './runtime/manager/manager.ts';
export type { ManagerHealthProps } from './runtime/manager/manager-health.ts';
export type { Runnable } from './runtime/manager/tasks.ts';
export { PublicProblem, type HealthCheck } from './runtime/health/check.ts';
export {
  LeadershipLost,
  NotLeading,
  type LeaderElection,
  type Lock,
} from './runtime/leader/leader-election.ts';
export type { Election, ElectionDeps, ElectionProps } from './runtime/leader/election.ts';
export { leaseElection, type LeaseElectionProps } from './runtime/leader/lease-election.ts';
export { electionForLife, type ElectionForLifeProps } from './runtime/leader/election-for-life.ts';
export type { Timing, TimingProps } from './runtime/leader/term.ts';

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
} from './runtime/client/client.ts';
export type { ApiClientOptions } from './runtime/client/api-client.ts';
export {
  openClient,
  type OpenClientOptions,
  type OpenedClient,
} from './runtime/client/open-client.ts';

export { connectionFrom, type ConnectionOptions } from './runtime/connection/connection-from.ts';
export {
  connectionTo,
  type Authorization,
  type Connection,
  type RequestHeaders,
  type TlsMaterial,
  type ConnectionProps,
  type Impersonation,
  type TextOrFile,
} from './runtime/connection/connection.ts';
export type { Environment } from './runtime/connection/environment.ts';
export type { TransportObserver, TransportOptions } from './runtime/connection/transport.ts';

export {
  AccessDenied,
  TooLarge,
  TooDeep,
  Malformed,
  Unreachable,
  type MalformedContext,
  type UnreachableContext,
} from './runtime/errors/client-errors.ts';
export {
  ApiError,
  type ApiErrorContext,
  type Status,
  type StatusCause,
  type StatusDetails,
} from './runtime/errors/api-error.ts';
export { ifExists, ifGone } from './runtime/errors/expected.ts';
export { reactionTo, type Reaction } from './runtime/errors/reaction.ts';

export {
  eventAccess,
  Events,
  type EventRecorder,
  type EventsProps,
} from './runtime/events/events.ts';
export type {
  EventSubject,
  Reporter,
  EventInput,
  EventsObserver,
  LossCause,
  LostEvent,
} from './runtime/events/event.ts';
export type { ManagerMetricsProps } from './runtime/manager/manager-metrics.ts';
export type {
  Counter,
  Gauge,
  Histogram,
  Instruments,
  MetricLabels,
  MetricProps,
  MetricsRegistry,
} from './runtime/metrics/instruments.ts';
export {
  storageMigration,
  type StorageMigrationProps,
} from './runtime/storagemigration/storage-migration.ts';
export {
  operatorConditionAccess,
  type OperatorConditionName,
} from './runtime/operatorcondition/operator-condition-access.ts';
export {
  OperatorConditions,
  type ConditionInForce,
  type OperatorConditionsProps,
} from './runtime/operatorcondition/operator-conditions.ts';
export {
  conditionOf,
  isConditionTrue,
  setCondition,
  withoutCondition,
  type GivenCondition,
  type ConditionInput,
} from './runtime/conditions/conditions.ts';
export { systemClock, type Clock, type Random } from './runtime/clock/clock.ts';
export {
  jsonLog,
  type JsonLog,
  type JsonLogProps,
  type Log,
  type LogFields,
  type LogLevel,
} from './runtime/log/log.ts';

/**
 * What admission webhooks answer.
 *
 * @example
 * ```ts
 * import { admission } from 'tenantry/runtime';
 *
 * const verdict = admission.denied('spec.replicas must be odd, got 2', { code: 422 });
 * console.log(verdict.allowed, admission.allowed.allowed); // false true
 * ```
 */
export * as admission from './runtime/webhooks/admission/verdict.ts';
export type { AdmissionVerdict, Mutation } from './runtime/webhooks/admission/verdict.ts';
export {
  mutatingWebhook,
  validatingWebhook,
  type AdmissionWebhookProps,
  type MutatingWebhookProps,
  type ValidatingWebhookProps,
} from './runtime/webhooks/admission/admission-webhook.ts';
export type {
  Admitted,
  AdmissionRequest,
  AdmissionUser,
  Operation,
} from './runtime/webhooks/admission/request.ts';
export {
  conversionWebhook,
  type ConversionWebhookProps,
} from './runtime/webhooks/conversion-webhook.ts';
export type { Webhook, WebhookCall } from './runtime/webhooks/webhook.ts';
export { WebhookServer, type WebhookServerProps } from './runtime/webhooks/webhook-server.ts';
export {
  CertificateFiles,
  type CertificateFilesProps,
} from './runtime/certificates/certificate-files.ts';
export {
  SharedCertificates,
  type SharedCertificatesProps,
} from './runtime/certificates/shared-certificates.ts';
export type { InjectionTarget } from './runtime/certificates/injection.ts';
export type { RotationStep, SecretName } from './runtime/certificates/rotation.ts';
export type { KeyPair, CertificateSource } from './runtime/certificates/key-pair.ts';
