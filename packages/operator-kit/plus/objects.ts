import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { PolicyRule } from '@tenantry/kube/access';
import type { KubeObject } from '@tenantry/kube/object';
import { resolvePod } from '../parts/resolved-pod.ts';
import { buildObjects, type OperatorParts } from '../parts/parts.ts';
import type { OperatorSpec } from '../parts/spec.ts';
import { createPlusDeployment } from './deployment.ts';
import {
  toPlusModule,
  type CdkPlus,
  type PlusModule,
  type PlusResource,
  type PlusService,
} from './module.ts';
import type { OperatorDeployment } from '../parts/deployment.ts';
import type { OperatorService } from '../parts/workload-objects.ts';

/**
 * The objects of an operator as constructs, each under its key: of cdk8s-plus where it has them, in the order
 * in which they can be applied.
 */
export function createPlusObjects(
  scope: Construct,
  parts: OperatorParts,
  spec: OperatorSpec,
  module: CdkPlus,
): ReadonlyMap<string, Construct> {
  const made = new Map<string, Construct>();
  const plus = toPlusModule(module);
  for (const [id, object] of Object.entries(buildObjects(parts))) {
    made.set(id, createObject(plus, { scope, id, object, parts, spec, made }));
  }
  return made;
}

interface ObjectInput {
  readonly scope: Construct;
  readonly id: string;
  readonly object: KubeObject;
  readonly parts: OperatorParts;
  readonly spec: OperatorSpec;
  /** The objects that were made before. */
  readonly made: ReadonlyMap<string, Construct>;
}

function createObject(
  plus: PlusModule,
  { scope, id, object, parts, spec, made }: ObjectInput,
): Construct {
  const { metadata, kind } = object;
  const { workload, roles } = parts;
  const account = made.get('service-account');
  if (id === 'service-account') {
    return new plus.ServiceAccount(scope, id, { metadata, automountToken: false });
  }
  if (id in roles && isRole(object)) return createPlusRole(plus, scope, id, object);
  if (id in roles && account) {
    const role = made.get(findRoleKey(id));
    if (role) return createPlusBinding(plus, scope, id, { kind, metadata, role, subject: account });
  }
  if (object === workload.deployment && account) {
    const { containers, volumes } = resolvePod(spec);
    const files = containers.map((one) => one.files);
    const { deployment } = workload;
    const props = { deployment, files, volumes, serviceAccount: account };
    return createPlusDeployment(plus, scope, id, props);
  }
  if (object === workload.service) {
    return createPlusService(plus, scope, id, workload.service, workload.deployment);
  }
  if (object === workload['webhook-service']) {
    return createPlusService(plus, scope, id, workload['webhook-service'], workload.deployment);
  }
  return new ApiObject(scope, id, object);
}

/** The key of the role that a binding binds. */
function findRoleKey(id: string): string {
  return id === 'cluster-role-binding' ? 'cluster-role' : id.replace(/^rolebinding-/, 'role-');
}

function isRole(
  object: KubeObject,
): object is KubeObject & { readonly rules: readonly PolicyRule[] } {
  return object.kind === 'Role' || object.kind === 'ClusterRole';
}

/** A role of cdk8s-plus that grants the same; it has a rule for each resource, and for each name. */
function createPlusRole(
  plus: PlusModule,
  scope: Construct,
  id: string,
  { kind, metadata, rules }: KubeObject & { readonly rules: readonly PolicyRule[] },
): Construct {
  const role = new plus[kind === 'Role' ? 'Role' : 'ClusterRole'](scope, id, { metadata });
  for (const { apiGroups, resources, resourceNames = [undefined], verbs } of rules) {
    const named = apiGroups.flatMap((group) =>
      resources.flatMap((plural) =>
        resourceNames.map((name) => buildPlusResource(group, plural, name)),
      ),
    );
    role.allow(verbs, ...named);
  }
  return role;
}

function createPlusBinding(
  plus: PlusModule,
  scope: Construct,
  id: string,
  {
    kind,
    metadata,
    role,
    subject,
  }: Pick<KubeObject, 'kind' | 'metadata'> & {
    readonly role: object;
    readonly subject: object;
  },
): Construct {
  const bindings = { RoleBinding: plus.RoleBinding, ClusterRoleBinding: plus.ClusterRoleBinding };
  const binding = new bindings[kind === 'RoleBinding' ? kind : 'ClusterRoleBinding'](scope, id, {
    metadata,
    role,
  });
  binding.addSubjects(subject);
  return binding;
}

function buildPlusResource(group: string, plural: string, name: string | undefined): PlusResource {
  const one: PlusResource = {
    apiGroup: group,
    resourceType: plural,
    ...(name !== undefined && { resourceName: name }),
    asApiResource: () => one,
    asNonApiResource: () => undefined,
  };
  return one;
}

/** A Service of cdk8s-plus, which knows ports of pods by their numbers. */
function createPlusService(
  plus: PlusModule,
  scope: Construct,
  id: string,
  { metadata, spec }: OperatorService,
  deployment: OperatorDeployment,
): PlusService {
  const { selector, ports, clusterIP } = spec;
  const [{ ports: known = [] }] = deployment.spec.template.spec.containers;
  const numberOf = new Map(known.map(({ name, containerPort }) => [name, containerPort]));
  const made = new plus.Service(scope, id, {
    metadata,
    ...(clusterIP && { clusterIP }),
    ports: ports.map(({ name, port, targetPort }) => ({
      name,
      port,
      targetPort: numberOf.get(targetPort) ?? port,
    })),
  });
  for (const [key, value] of Object.entries(selector)) made.selectLabel(key, value);
  return made;
}
