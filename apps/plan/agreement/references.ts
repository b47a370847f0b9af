import { isMapping, listAt, valueAt } from '@tenantry/kube/mapping';
import { findPossibleNames, listRequirements } from '@tenantry/kube/label-selector';
import type { LabelSelector, Requirement } from '@tenantry/kube/label-selector';
import type { KubeObject } from '@tenantry/kube/object';
import { text, texts } from '@tenantry/kube/rights/rights';

/** Returns the other namespaces that an object names: in network policies and bindings. */
export function listNamedNamespaces(object: KubeObject): string[] {
  if (object.kind === 'NetworkPolicy')
    return listPeerSelectors(object).flatMap((selector) => {
      return [...(findPossibleNames(listRequirements(selector)) ?? [])];
    });
  if (object.kind !== 'RoleBinding' && object.kind !== 'ClusterRoleBinding') return [];
  return listAt(object, ['subjects'])
    .filter(isMapping)
    .map((subject) => findAccountNamespace(subject))
    .filter((namespace) => namespace !== '' && namespace !== object.metadata.namespace);
}

/** Returns the namespace of the ServiceAccounts that a subject of a binding is; empty for any other subject. */
function findAccountNamespace({
  kind,
  name,
  namespace,
}: Readonly<Record<string, unknown>>): string {
  if (kind === 'ServiceAccount') return text(namespace);
  const [, accounts = ''] =
    (kind === 'Group' && /^system:serviceaccounts:(.+)$/.exec(text(name))) ||
    (kind === 'User' && /^system:serviceaccount:([^:]+):/.exec(text(name))) ||
    [];
  return accounts;
}

/** Returns the selectors by which an object selects namespaces. */
export function listSelectors(object: KubeObject): LabelSelector[] {
  if (object.kind === 'NetworkPolicy') return listPeerSelectors(object);
  return listNamespaceSelectors(object).filter(isMapping).map(readSelector);
}

/** Returns the valid parts of a selector. */
function readSelector(value: unknown): LabelSelector {
  const labels = valueAt(value, ['matchLabels']);
  return {
    matchLabels: isMapping(labels)
      ? Object.fromEntries(Object.entries(labels).filter(([, one]) => typeof one === 'string'))
      : {},
    matchExpressions: listAt(value, ['matchExpressions'])
      .filter(isMapping)
      .map(({ key, operator, values }) => ({
        key: text(key),
        operator: operator as Requirement['operator'],
        values: texts(values),
      })),
  } as LabelSelector;
}

function listPeerSelectors(policy: KubeObject): LabelSelector[] {
  return (['ingress', 'egress'] as const).flatMap((direction) => {
    const side = direction === 'ingress' ? 'from' : 'to';
    const peers = listAt(policy, ['spec', direction])
      .filter(isMapping)
      .flatMap((rule) => listAt(rule, [side]));
    return peers
      .filter(isMapping)
      .flatMap(({ namespaceSelector }) =>
        isMapping(namespaceSelector) ? [readSelector(namespaceSelector)] : [],
      );
  });
}

/**
 * Returns the selectors of namespaces wherever an object has them: in admission policies, webhooks, gateways, secret stores
 * and monitors.
 */
function listNamespaceSelectors(object: KubeObject): unknown[] {
  const found: unknown[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (!isMapping(value)) return;
    for (const [field, inner] of Object.entries(value)) {
      if (/namespaceSelectors?$/i.test(field))
        found.push(...(Array.isArray(inner) ? inner : [inner]));
      else if (field === 'namespaces' && isMapping(inner)) found.push(inner['selector']);
      visit(inner);
    }
  };
  const { metadata: _metadata, ...rest } = object;
  visit(rest);
  return found;
}
