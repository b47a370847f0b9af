import { roleObjects } from '../../../kube/access.ts';
import { toProblem } from '../../../kube/finding.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { InvalidInput } from '../../../kube/problem.ts';
import type { CustomResourceDefinitionManifest } from '../../../crds/custom-resource-definition.ts';
import { CONFIRM, SYNC_OPTIONS } from '../../argocd-keys.ts';
import { buildAdmissionObjects } from './admission.ts';
import { buildCertificateObjects } from './certificates.ts';
import { buildDefinitions } from './definitions.ts';
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
} from './surroundings.ts';

/** Who an operator is, and what it may do. */
export interface AccountParts {
  /** Undefined where something else makes it. */
  readonly namespace: KubeObject | undefined;
  readonly serviceAccount: KubeObject;
  readonly rights: OperatorRights;
  /** `cluster-role`, `role-<namespace>` and their bindings, as `roleObjects` calls them. */
  readonly roles: Readonly<Record<string, KubeObject>>;
}

/** What runs, and what stands around it. */
export type WorkloadParts = {
  readonly deployment: OperatorDeployment;
  /** By which Prometheus finds the pods. */
  readonly service: OperatorService | undefined;
  readonly 'webhook-service': OperatorService | undefined;
  readonly 'service-monitor': KubeObject | undefined;
  readonly 'network-policy': KubeObject | undefined;
  readonly 'disruption-budget': KubeObject | undefined;
};

/** The objects of an operator, each where whoever needs it finds it; where one is not needed it is undefined. */
export interface OperatorParts extends AccountParts {
  /** By their names. */
  readonly definitions: Readonly<Record<string, CustomResourceDefinitionManifest>>;
  /** What the certificate of webhooks comes from. */
  readonly certificates: Readonly<Record<string, KubeObject>>;
  readonly workload: WorkloadParts;
  /** `validating-webhooks`, `mutating-webhooks`. */
  readonly admission: Readonly<Record<string, KubeObject>>;
}

/**
 * What an operator consists of, as plain data, which needs no cdk8s. The same for the same spec: it asks no clock,
 * and names nothing by chance.
 *
 * @example
 * ```ts
 * import { operatorParts } from 'tenantry';
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

/** The same, of a spec with which something may be wrong. @throws {Error} where a rule of access is none */
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
 * The account, which pods get by their Deployment alone, with its rights.
 * @throws {Error} where a rule would grant more than it says, or nothing
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
      // Its pods say that they want the token.
      automountServiceAccountToken: false,
    },
    rights,
    roles: roleObjects({ name, namespace, access }),
  };
}

/** It is not asked whether anything is wrong with the spec. */
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
 * All of them, in the order in which they can be applied, each under a key that is stable. Webhooks come last:
 * nobody is asked who does not run yet.
 *
 * @example
 * ```ts
 * import { emitYaml, objectsOf, operatorParts } from 'tenantry';
 *
 * const image = 'registry.example.com/keeper:1.0.0';
 * const objects = objectsOf(operatorParts({ name: 'keeper', image, access: [] }));
 * console.log(emitYaml(Object.values(objects)).split('\n')[1]); // kind: Namespace
 * ```
 */
export function objectsOf(parts: OperatorParts): Readonly<Record<string, KubeObject>> {
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

/** Those that there are. */
export function omitUndefined(
  objects: Readonly<Record<string, KubeObject | undefined>>,
): Readonly<Record<string, KubeObject>> {
  const entries = Object.entries(objects);
  return Object.fromEntries(entries.flatMap(([id, one]) => (one ? [[id, one] as const] : [])));
}

/** Argo CD asks a person before all that lies in it goes. */
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

/** Each with the labels of all objects; those by which it is found are its own. */
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
