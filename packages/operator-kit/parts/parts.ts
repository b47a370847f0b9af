import { roleObjects } from '@tenantry/kube/access';
import { toProblem } from '@tenantry/kube/finding';
import { omitUndefined } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import { InvalidInput } from '@tenantry/kube/problem';
import type { CustomResourceDefinitionManifest } from '@tenantry/crd/custom-resource-definition';
import { CONFIRM, SYNC_OPTIONS } from '@tenantry/kube/argocd-directives';
import { buildAdmissionObjects, buildDefinitions } from './webhooks.ts';
import { buildCertificateObjects } from './certificates.ts';
import { buildDeployment, type OperatorDeployment } from './deployment.ts';
import { namespaceOf } from './names.ts';
import { validateOperatorSpec } from './problems.ts';
import { resolveRights, type OperatorRights } from './rights.ts';
import type { ImagelessSpec, OperatorSpec } from './spec.ts';
import {
  buildDisruptionBudget,
  buildMetricsService,
  buildNetworkPolicy,
  buildServiceMonitor,
  buildWebhookService,
  type OperatorService,
} from './workload-objects.ts';

/** The identity and the rights of an operator. */
export interface AccountParts {
  /** Undefined if something else creates it. */
  readonly namespace: KubeObject | undefined;
  readonly serviceAccount: KubeObject;
  readonly rights: OperatorRights;
  /** `cluster-role`, `role-<namespace>` and their bindings, as `roleObjects` names them. */
  readonly roles: Readonly<Record<string, KubeObject>>;
}

/** The Deployment and the objects around it. */
export type WorkloadParts = {
  readonly deployment: OperatorDeployment;
  /** The Service by which Prometheus finds the pods. */
  readonly service: OperatorService | undefined;
  readonly 'webhook-service': OperatorService | undefined;
  readonly 'service-monitor': KubeObject | undefined;
  readonly 'network-policy': KubeObject | undefined;
  readonly 'disruption-budget': KubeObject | undefined;
};

/** The objects of an operator by purpose. An object that is not needed is undefined. */
export interface OperatorParts extends AccountParts {
  /** By name. */
  readonly definitions: Readonly<Record<string, CustomResourceDefinitionManifest>>;
  /** The objects that issue the certificate of webhooks. */
  readonly certificates: Readonly<Record<string, KubeObject>>;
  readonly workload: WorkloadParts;
  /** `validating-webhooks`, `mutating-webhooks`. */
  readonly admission: Readonly<Record<string, KubeObject>>;
}

/**
 * Builds the objects of an operator as plain data, without cdk8s. The same spec always gives the
 * same objects: no clock and no random names.
 *
 * @example
 * ```ts
 * import { operatorParts } from '@tenantry/operator-kit';
 *
 * const { workload, rights } = operatorParts({
 *   name: 'keeper',
 *   image: 'registry.example.com/keeper:1.0.0',
 *   access: [{ group: '', resource: 'configmaps', verbs: ['list', 'watch'] }],
 * });
 * console.log(workload.deployment.metadata.namespace, rights.election.length); // keeper 2
 * ```
 *
 * @throws {InvalidInput} with all that is wrong with the spec
 */
export function operatorParts(spec: OperatorSpec): OperatorParts {
  const findings = validateOperatorSpec(spec);
  if (findings.length > 0) throw new InvalidInput(findings.map((finding) => toProblem(finding)));
  return buildUncheckedParts(spec);
}

/** Builds the objects even if the spec has errors. @throws {Error} if an access rule is invalid */
export function buildUncheckedParts(spec: OperatorSpec): OperatorParts {
  return addLabels(spec, {
    ...buildAccountParts(spec),
    definitions: buildDefinitions(spec),
    certificates: buildCertificateObjects(spec),
    workload: buildWorkloadParts(spec),
    admission: buildAdmissionObjects(spec),
  });
}

/**
 * Builds the account and its rights. Only the Deployment gives the account to pods.
 * @throws {Error} if a rule would grant nothing, or more than it states
 */
export function buildAccountParts(spec: ImagelessSpec): AccountParts {
  const { name, makesNamespace = true } = spec;
  const namespace = namespaceOf(spec);
  const rights = resolveRights(spec);
  const access = [...rights.declared, ...rights.election, ...rights.certificates];
  return {
    namespace: makesNamespace ? buildNamespace(namespace) : undefined,
    serviceAccount: {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name, namespace },
      // The pods request the token themselves.
      automountServiceAccountToken: false,
    },
    rights,
    roles: roleObjects({ name, namespace, access }),
  };
}

/** Builds the Deployment and the objects around it, without validating the spec. */
export function buildWorkloadParts(spec: OperatorSpec): WorkloadParts {
  return {
    deployment: buildDeployment(spec),
    service: buildMetricsService(spec),
    'webhook-service': buildWebhookService(spec),
    'service-monitor': buildServiceMonitor(spec),
    'network-policy': buildNetworkPolicy(spec),
    'disruption-budget': buildDisruptionBudget(spec),
  };
}

/**
 * Lists all objects in an order in which they can be applied, each under a stable key. Webhooks
 * come last, so that no API server calls an operator that does not run yet.
 *
 * @example
 * ```ts
 * import { emitYaml } from 'tenantry';
 * import { buildObjects, operatorParts } from '@tenantry/operator-kit';
 *
 * const image = 'registry.example.com/keeper:1.0.0';
 * const objects = buildObjects(operatorParts({ name: 'keeper', image, access: [] }));
 * console.log(emitYaml(Object.values(objects)).split('\n')[1]); // kind: Namespace
 * ```
 */
export function buildObjects(parts: OperatorParts): Readonly<Record<string, KubeObject>> {
  return omitUndefined({
    namespace: parts.namespace,
    ...parts.definitions,
    'service-account': parts.serviceAccount,
    ...parts.roles,
    ...parts.certificates,
    ...parts.workload,
    ...parts.admission,
  });
}

/** Argo CD requires a person's confirmation before it deletes the namespace with its contents. */
function buildNamespace(name: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name,
      labels: { 'pod-security.kubernetes.io/enforce': 'restricted' },
      annotations: { [SYNC_OPTIONS]: CONFIRM },
    },
  };
}

/** Adds the labels of all objects. Those that select an object keep their value. */
function addLabels({ labels = {} }: OperatorSpec, parts: OperatorParts): OperatorParts {
  if (Object.keys(labels).length === 0) return parts;
  const one = <O extends KubeObject>(object: O): O => ({
    ...object,
    metadata: { ...object.metadata, labels: { ...labels, ...object.metadata.labels } },
  });
  const maybe = <O extends KubeObject>(object: O | undefined): O | undefined =>
    object && one(object);
  const all = <O extends KubeObject>(objects: Readonly<Record<string, O>>): Record<string, O> =>
    Object.fromEntries(Object.entries(objects).map(([id, object]) => [id, one(object)]));
  const { workload } = parts;
  return {
    rights: parts.rights,
    namespace: maybe(parts.namespace),
    definitions: all(parts.definitions),
    serviceAccount: one(parts.serviceAccount),
    roles: all(parts.roles),
    certificates: all(parts.certificates),
    workload: {
      deployment: one(workload.deployment),
      service: maybe(workload.service),
      'webhook-service': maybe(workload['webhook-service']),
      'service-monitor': maybe(workload['service-monitor']),
      'network-policy': maybe(workload['network-policy']),
      'disruption-budget': maybe(workload['disruption-budget']),
    },
    admission: all(parts.admission),
  };
}
