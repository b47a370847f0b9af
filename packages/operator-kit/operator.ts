import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { toProblem, type Finding } from '@tenantry/kube/finding';
import { InvalidInput } from '@tenantry/kube/problem';
import { addErrorValidation } from '@tenantry/crd/constructs/error-validation';
import { buildObjects, buildUncheckedParts, type OperatorParts } from './parts/parts.ts';
import { validateOperatorSpec } from './parts/problems.ts';
import { findAccessFault } from './parts/problems/access.ts';
import type { OperatorSpec } from './parts/spec.ts';
import { createPlusObjects } from './plus/objects.ts';
import type { CdkPlus } from './plus/module.ts';

/** An operator, and the version of cdk8s-plus that makes its objects. */
export interface OperatorProps<P extends CdkPlus | undefined = undefined> extends OperatorSpec {
  /**
   * The module: `import * as plus from 'cdk8s-plus-28'`, or another version. It makes the
   * Deployment, the ServiceAccount, the Services, the roles and their bindings, so its methods can
   * change them.
   * @default - each object is an ApiObject
   */
  readonly plus?: P;
}

/** The construct of an operator's object: one of cdk8s-plus if it has that kind, otherwise an ApiObject. */
export type OperatorObject<
  P extends CdkPlus | undefined,
  Name extends Exclude<keyof CdkPlus, 'LabelSelector' | 'Volume'>,
> = P extends CdkPlus ? InstanceType<P[Name]> : ApiObject;

/**
 * Any operator as plain YAML for kubectl and Argo CD. The objects are:
 *
 * - its Namespace, and the definitions that it owns;
 * - a ServiceAccount with the declared rights and no others;
 * - a Deployment that passes the Pod Security Standard `restricted`;
 * - Services, a NetworkPolicy and a PodDisruptionBudget;
 * - a ServiceMonitor if the spec requests one;
 * - webhooks, and the objects that issue their certificate.
 *
 * The order of the objects is one in which they can be applied. Their names depend only on the
 * spec. All errors are reported when the app is synthesized, with the line that made the operator.
 *
 * Each object is a child that can be patched: `namespace`, `service-account`, `deployment`,
 * `service`, `webhook-service`, `service-monitor`, `network-policy`, `disruption-budget`,
 * `cluster-role`, `role-<namespace>`, definitions by their names, and others.
 *
 * @example
 * ```ts
 * import { Chart } from 'cdk8s';
 * import * as plus from 'cdk8s-plus-28';
 * import { App } from 'tenantry';
 * import { Operator } from '@tenantry/operator-kit/constructs';
 * import { redis } from './redis.ts';
 *
 * const app = new App();
 * const operator = new Operator(new Chart(app, 'operator'), 'redis', {
 *   name: 'redis-operator',
 *   image: 'registry.example.com/redis-operator:1.0.0',
 *   owned: [redis],
 *   access: [{ group: '', resource: 'pods', verbs: ['list', 'watch', 'create', 'delete'] }],
 *   plus,
 * });
 * operator.deployment.podMetadata.addLabel('team', 'caches');
 * app.synth();
 * console.log(operator.parts.workload.deployment.spec.replicas); // 2
 * ```
 */
export class Operator<P extends CdkPlus | undefined = undefined> extends Construct {
  /** The objects as plain data, before methods or patches change them. */
  readonly parts: OperatorParts;
  readonly deployment: OperatorObject<P, 'Deployment'>;
  readonly serviceAccount: OperatorObject<P, 'ServiceAccount'>;
  /** The Service that Prometheus scrapes; undefined without metrics. */
  readonly metricsService: OperatorObject<P, 'Service'> | undefined;
  /** Undefined without webhooks. */
  readonly webhookService: OperatorObject<P, 'Service'> | undefined;
  /** Undefined if the operator has no cluster-wide rights. */
  readonly clusterRole: OperatorObject<P, 'ClusterRole'> | undefined;
  /** By namespace. */
  readonly roles: ReadonlyMap<string, OperatorObject<P, 'Role'>>;

  constructor(scope: Construct, id: string, { plus, ...spec }: OperatorProps<P>) {
    super(scope, id);
    const findings = validateOperatorSpec(spec);
    addErrorValidation(this, new.target, () => findings);
    // A rule that is refused is left out until the errors are reported.
    const access = spec.access.filter((rule) => findAccessFault(rule) === undefined);
    this.parts = buildUncheckedParts({ ...spec, access });
    const made = makeOrThrow(findings, () =>
      plus ? createPlusObjects(this, this.parts, spec, plus) : addPlainObjects(this, this.parts),
    );
    const one = <Name extends Exclude<keyof CdkPlus, 'LabelSelector' | 'Volume'>>(name: string) =>
      made.get(name) as OperatorObject<P, Name>;
    this.deployment = one<'Deployment'>('deployment');
    this.serviceAccount = one<'ServiceAccount'>('service-account');
    this.metricsService = one<'Service'>('service');
    this.webhookService = one<'Service'>('webhook-service');
    this.clusterRole = one<'ClusterRole'>('cluster-role');
    const names = Object.keys(this.parts.roles).filter((name) => name.startsWith('role-'));
    this.roles = new Map(names.map((name) => [name.slice('role-'.length), one<'Role'>(name)]));
  }
}

/** Makes the objects, and reports the findings if cdk8s-plus itself refuses the spec: its messages differ. */
function makeOrThrow<T>(findings: readonly Finding[], make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (findings.length === 0) throw error;
    throw new InvalidInput(findings.map((finding) => toProblem(finding)));
  }
}

function addPlainObjects(scope: Construct, parts: OperatorParts): ReadonlyMap<string, Construct> {
  const objects = Object.entries(buildObjects(parts));
  return new Map(objects.map(([id, object]) => [id, new ApiObject(scope, id, object)]));
}
