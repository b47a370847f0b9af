import { builtinNamespaced } from '../../../kube/builtinkinds.ts';
import { groupOf, type KubeObject } from '../../../kube/object.ts';
import { show } from '../../../kube/problem.ts';
import { parseQuantity } from '../../../kube/quantity.ts';
import type { RuleContext } from './context.ts';
import { countKey } from './quotakeys.ts';

/** What Kubernetes itself puts into every namespace. */
const always: Readonly<Record<string, readonly string[]>> = {
  '/ConfigMap': ['kube-root-ca.crt'],
  '/ServiceAccount': ['default'],
};

/**
 * A quota that counts what is rendered into its namespace has room for all of it: otherwise the API
 * server refuses the rest, which can be a policy that isolates it, or another quota.
 */
export function roomRules(
  { namespace, where, report }: RuleContext,
  objects: readonly KubeObject[],
): void {
  const { hard } = namespace.settings.quota;
  for (const [key, bound] of Object.entries(hard)) {
    const counted = countedKind.get(key);
    if (counted === undefined) continue;
    const names = objects
      .filter(({ apiVersion, kind }) => `${groupOf(apiVersion)}/${kind}` === counted)
      .map(({ metadata }) => metadata.name);
    const count = new Set([...names, ...(always[counted] ?? [])]).size;
    if (parseQuantity(bound)! >= parseQuantity(count)!) continue;
    report(
      where('quota', 'hard', key),
      `must be at least ${count} for ${key}, which namespace ${namespace.name} has from the start, got ${show(bound)}`,
      'quota-room',
    );
  }
}

/** What is counted by its plain name too. Source: k8s.io/kubernetes pkg/quota/v1/evaluator/core legacyObjectCountAliases */
const plain: ReadonlySet<string> = new Set([
  'configmaps',
  'persistentvolumeclaims',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'services',
]);

/** The kind behind a key that counts objects, as `group/Kind`. */
const countedKind: ReadonlyMap<string, string> = new Map(
  [...builtinNamespaced].flatMap(([id, plural]): [string, string][] => {
    const [group = ''] = id.split('/');
    const names = group === '' && plain.has(plural) ? [plural] : [];
    return [countKey(group, plural), ...names].map((key) => [key, id]);
  }),
);
