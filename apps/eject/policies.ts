import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { isMapping } from '@tenantry/kube/mapping';

/**
 * What tenants' users may do without each admission policy of Tenantry, as the end of a sentence. docs/guard.md and
 * docs/multi-tenancy.md have the details.
 */
const losses = new Map(
  Object.entries({
    guard:
      'change and delete what the platform put into their namespaces, as far as RBAC lets them: network policies, role bindings, workloads',
    'reserved-keys':
      'set the keys that Argo CD obeys, and so stop or capture objects of Applications',
    names: 'take the names of the platform, evict and scale what the platform declares',
    'role-bindings': 'bind any user and group of the cluster to any role whose rights they have',
    'network-policies': 'open their pods to and from every namespace and address',
    services:
      'take addresses of the cluster with externalIPs (CVE-2020-8554), and lead ingress controllers into other namespaces with ExternalName',
    'token-secrets': 'create tokens that never expire',
    tokens: 'request tokens of service accounts for as long as the API server allows',
    pods: 'choose nodes, tolerate every taint and delay the end of pods',
    'disruption-budgets': 'block the draining of nodes with disruption budgets',
    templates: 'let controllers create objects with labels of Tenantry',
    'image-pull-policy': 'run images that a node has in its cache, without the right to pull them',
    'image-version': 'run images without a fixed version',
    'pod-volumes': 'use every type of volume that Pod Security allows',
    'new-volumes': 'bind existing volumes with the data of others',
    'reclaim-policy': 'use storage whose data outlives the claim',
    images: 'run images of every registry',
    'storage-classes': 'use every StorageClass',
    'volume-snapshot-classes': 'use every VolumeSnapshotClass',
    'volume-attributes-classes': 'use every VolumeAttributesClass',
    'ingress-classes': 'have every ingress controller serve their Ingresses',
    'gateway-classes': 'have Gateways of every class',
    'runtime-classes': 'use every RuntimeClass',
    'device-classes': 'claim devices of every class',
    schedulers: 'have their pods placed by every scheduler',
  }),
);

/** What happens without the policies that do not limit tenants' users. */
const otherLosses = new Map(
  Object.entries({
    adoption:
      'a manifest of an existing namespace takes it over, and objects with the label of a tenant may be in any namespace',
    'pod-defaults': 'Pod Security refuses pods that do not set every field that it requires',
  }),
);

const NAME = /^tenant-(?<name>[a-z-]+)\.tenantry\.dev$/;

/** Returns what happens without a policy of Tenantry, for people; undefined for a policy of others. */
export function describeLoss(policy: string): string | undefined {
  const name = NAME.exec(policy)?.groups?.['name'];
  if (name === undefined) return undefined;
  const loss = losses.get(name);
  return loss === undefined ? otherLosses.get(name) : `tenants' users may ${loss}`;
}

/** Whether an object is an admission policy, or the binding of one. */
export function isAdmissionPolicy({ apiVersion, kind }: KubeObject): boolean {
  return (
    groupOf(apiVersion) === 'admissionregistration.k8s.io' &&
    /^(Validating|Mutating)AdmissionPolicy(Binding)?$/.test(kind)
  );
}

/**
 * Removes identities from the lists of those that an admission policy exempts. An identity that is gone must not stay
 * exempt: anyone who creates it again would be.
 * @param users names as the API server has them: `system:serviceaccount:tenantry-system:tenantry-operator`
 */
export function removeExemptions(policy: KubeObject, users: ReadonlySet<string>): KubeObject {
  const spec = policy['spec'];
  if (!isMapping(spec) || !Array.isArray(spec['matchConditions'])) return policy;
  const before: readonly unknown[] = spec['matchConditions'];
  const matchConditions = before.map((condition) => {
    if (!isMapping(condition) || typeof condition['expression'] !== 'string') return condition;
    const expression = removeFromLists(condition['expression'], users);
    return expression === condition['expression'] ? condition : { ...condition, expression };
  });
  if (matchConditions.every((condition, i) => condition === before[i])) return policy;
  return { ...policy, spec: { ...spec, matchConditions } };
}

/** A list of strings in CEL, as `celList` writes it. */
const LIST = /\["(?:[^"\\]|\\.)*"(?:,"(?:[^"\\]|\\.)*")*\]/g;

function removeFromLists(expression: string, users: ReadonlySet<string>): string {
  return expression.replaceAll(LIST, (text) => {
    const names = JSON.parse(text) as readonly string[];
    const rest = names.filter((name) => !users.has(name));
    return rest.length === names.length ? text : JSON.stringify(rest);
  });
}
