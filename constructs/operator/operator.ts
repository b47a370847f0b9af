import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { toProblem, type Finding } from '../../kube/finding.ts';
import { InvalidInput } from '../../kube/problem.ts';
import { addErrorValidation } from '../error-validation.ts';
import { objectsOf, buildUncheckedParts, type OperatorParts } from './parts/parts.ts';
import { validateOperatorSpec } from './parts/problems.ts';
import { findAccessFault } from './parts/problems/access.ts';
import type { OperatorSpec } from './parts/spec.ts';
import { createPlusObjects } from './plus/objects.ts';
import type { CdkPlus } from './plus/plus.ts';

/** An operator, and with which cdk8s-plus its objects are made. */
export interface OperatorProps<P extends CdkPlus | undefined = undefined> extends OperatorSpec {
  /**
   * `import * as plus from 'cdk8s-plus-28'`, or another version: it makes the Deployment, the ServiceAccount, the
   * Services, the roles and their bindings, which can be changed by its methods then.
   * @default - each object is an ApiObject
   */
  readonly plus?: P;
}

/** What an object of an operator is in code: that of cdk8s-plus where one makes it, or an ApiObject. */
export type OperatorObject<
  P extends CdkPlus | undefined,
  Name extends Exclude<keyof CdkPlus, 'LabelSelector' | 'Volume'>,
> = P extends CdkPlus ? InstanceType<P[Name]> : ApiObject;

/**
 * An operator, whoever wrote it, as plain YAML for kubectl and Argo CD: its Namespace, the definitions that it
 * owns, a ServiceAccount with the rights that are declared and no others, a Deployment that passes the Pod Security
 * Standard `restricted`, and what stands around it: Services, a NetworkPolicy, a PodDisruptionBudget, a
 * ServiceMonitor where it is said that there is the kind, and webhooks with what their certificate comes from.
 * Objects are in an order in which they can be applied, under names that depend on nothing but the spec. All that is
 * wrong with it is told when the app is synthesized, with the line that made the operator.
 *
 * Each is a child (`namespace`, `service-account`, `deployment`, `service`, `webhook-service`, `service-monitor`,
 * `network-policy`, `disruption-budget`, `cluster-role`, `role-<namespace>`, definitions by their names ...), which
 * can be patched.
 *
 * @example
 * ```ts
 * import { Chart } from 'cdk8s';
 * import * as plus from 'cdk8s-plus-28';
 * import { App, Operator } from 'tenantry';
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
  /** The objects as plain data, before anything was changed by methods or patches. */
  readonly parts: OperatorParts;
  readonly deployment: OperatorObject<P, 'Deployment'>;
  readonly serviceAccount: OperatorObject<P, 'ServiceAccount'>;
  /** Where Prometheus reads; undefined without metrics. */
  readonly metricsService: OperatorObject<P, 'Service'> | undefined;
  /** Undefined without webhooks. */
  readonly webhookService: OperatorObject<P, 'Service'> | undefined;
  /** Undefined where nothing is allowed everywhere. */
  readonly clusterRole: OperatorObject<P, 'ClusterRole'> | undefined;
  /** By the namespaces in which they are. */
  readonly roles: ReadonlyMap<string, OperatorObject<P, 'Role'>>;

  constructor(scope: Construct, id: string, { plus, ...spec }: OperatorProps<P>) {
    super(scope, id);
    const findings = validateOperatorSpec(spec);
    addErrorValidation(this, new.target, () => findings);
    // Nothing of what is refused is rendered; until then it is there.
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

/** Of what is wrong, cdk8s-plus refuses some itself, and in other words. */
function makeOrThrow<T>(findings: readonly Finding[], make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (findings.length === 0) throw error;
    throw new InvalidInput(findings.map((finding) => toProblem(finding)));
  }
}

function addPlainObjects(scope: Construct, parts: OperatorParts): ReadonlyMap<string, Construct> {
  const objects = Object.entries(objectsOf(parts));
  return new Map(objects.map(([id, object]) => [id, new ApiObject(scope, id, object)]));
}
