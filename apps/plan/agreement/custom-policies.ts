import { listAt, valueAt } from '@tenantry/kube/mapping';
import { groupOf, type KubeObject } from '@tenantry/kube/object';

/** Groups with policies that open or close what other objects do. */
const groups: ReadonlySet<string> = new Set([
  'projectcalico.org',
  'crd.projectcalico.org',
  'cilium.io',
  'policy.networking.k8s.io',
  'security.istio.io',
  'kyverno.io',
  'policies.kyverno.io',
  'crd.antrea.io',
  'consul.hashicorp.com',
  'policy.linkerd.io',
]);

/** Whether a kind (`group/Kind`) is a policy of another system. */
export const isCustomPolicy = (kind: string): boolean => groups.has(kind.split('/')[0]!);

/**
 * Whether a policy of Calico is new and only denies, or lets pods out to other pods, which must let them in themselves.
 * The order of policies decides about everything else.
 * Source: https://docs.tigera.io/calico/latest/reference/resources/networkpolicy
 */
export function opensNothing(
  before: KubeObject | undefined,
  after: KubeObject | undefined,
): boolean {
  if (before || !after || after.kind !== 'NetworkPolicy') return false;
  if (groupOf(after.apiVersion) !== 'projectcalico.org') return false;
  const denies = (rule: unknown): boolean => valueAt(rule, ['action']) === 'Deny';
  const staysInside = (rule: unknown): boolean => {
    const to = valueAt(rule, ['destination']);
    const isAddressed = ['nets', 'domains', 'notNets', 'services'].some(
      (field) => valueAt(to, [field]) !== undefined,
    );
    const isSelected = ['selector', 'namespaceSelector'].some(
      (field) => typeof valueAt(to, [field]) === 'string',
    );
    return isSelected && !isAddressed;
  };
  return (
    listAt(after, ['spec', 'ingress']).every(denies) &&
    listAt(after, ['spec', 'egress']).every((rule) => denies(rule) || staysInside(rule))
  );
}
