import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { builtinScope } from '@tenantry/kube/builtin-kinds';
import { omitUndefined } from '@tenantry/kube/mapping';
import type { PlatformSpec } from '../crds/platform.ts';
import type { PodSecurity } from '../crds/types.ts';
import { listFrequent, nonEmpty } from './counting.ts';
import type { FoundObject } from './manifests.ts';
import type { FoundNamespace } from './namespaces.ts';
import { selectPolicies } from './network.ts';
import { findEnvironment } from './tenant-names.ts';

/** The prefix of the labels that Pod Security reads. */
export const POD_SECURITY = 'pod-security.kubernetes.io/';

type Entries = Readonly<Record<string, string>>;

/** The labels and annotations of a Namespace, by the fields to which they belong. */
export interface NamespaceFacts {
  readonly environment?: string;
  readonly labels: Entries;
  readonly podSecurity: PodSecurity;
  readonly contact: Entries;
  readonly annotations: Entries;
}

/** The key of a Namespace by which the platform names its environment. */
export interface EnvironmentKey {
  readonly part: 'labels' | 'annotations';
  readonly key: string;
}

/** Metadata that the API server and kubectl write, and no declaration. */
export function isServerKey(key: string): boolean {
  return (
    key === 'kubernetes.io/metadata.name' ||
    key === 'kubectl.kubernetes.io/last-applied-configuration'
  );
}

/** Finds the label or annotation that names environments: in most namespaces, with words such as `prod` as values. */
export function findEnvironmentKey(
  namespaces: readonly FoundNamespace[],
): EnvironmentKey | undefined {
  const counts = new Map<string, { key: EnvironmentKey; times: number }>();
  for (const { namespace } of namespaces) {
    for (const part of ['labels', 'annotations'] as const) {
      for (const [key, value] of Object.entries(namespace.object.metadata[part] ?? {})) {
        if (findEnvironment(value) === undefined || key === 'kubernetes.io/metadata.name') continue;
        const entry = counts.get(`${part} ${key}`) ?? { key: { part, key }, times: 0 };
        entry.times += 1;
        counts.set(`${part} ${key}`, entry);
      }
    }
  }
  // A key such as `app-prod` on a few namespaces is no environment.
  const isUsual = ({ key, times }: { key: EnvironmentKey; times: number }): boolean =>
    times * 2 > namespaces.length || /env/i.test(key.key);
  const best = [...counts.values()].filter(isUsual).toSorted((a, b) => b.times - a.times)[0];
  return best?.key;
}

/** Sorts the labels and annotations of a Namespace. */
export function readFacts(
  { namespace }: FoundNamespace,
  { metadataKeys = {} }: PlatformSpec,
  environmentKey: EnvironmentKey | undefined,
): NamespaceFacts {
  const { labels = {}, annotations = {} } = namespace.object.metadata;
  const contacts = new Set(Object.values(metadataKeys));
  return omitUndefined<NamespaceFacts>({
    environment: environmentKey && readEnvironment(namespace.object, environmentKey),
    labels: filterKeys(labels, (key) => !key.startsWith(POD_SECURITY) && !isServerKey(key)),
    podSecurity: readPodSecurity(labels),
    contact: Object.fromEntries(
      Object.entries(metadataKeys)
        .filter(([, key]) => annotations[key] !== undefined)
        .map(([name, key]) => [name, annotations[key]!]),
    ),
    annotations: filterKeys(annotations, (key) => !contacts.has(key) && !isServerKey(key)),
  });
}

function readEnvironment(object: KubeObject, { part, key }: EnvironmentKey): string | undefined {
  const value = object.metadata[part]?.[key];
  return value !== undefined && /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/.test(value)
    ? value
    : undefined;
}

/** Pod Security has a version for each mode; a declaration has one for all, so they must be equal. */
function readPodSecurity(labels: Entries): PodSecurity {
  const entries = Object.entries(labels)
    .filter(([key]) => key.startsWith(POD_SECURITY))
    .map(([key, level]): [string, string] => [key.slice(POD_SECURITY.length), level]);
  const modes = entries.filter(([mode]) => !mode.endsWith('-version'));
  const versions = new Set(
    entries.flatMap(([mode, value]) => (mode.endsWith('-version') ? [value] : [])),
  );
  const [version] = versions;
  return Object.fromEntries([
    ...modes,
    ...(versions.size === 1 ? [['version', version]] : []),
  ]) as PodSecurity;
}

function filterKeys(entries: Entries, isKept: (key: string) => boolean): Entries {
  return Object.fromEntries(Object.entries(entries).filter(([key]) => isKept(key)));
}

/** Whether Kubernetes itself lacks the kind. */
export function isCustom({ object: { apiVersion, kind } }: FoundObject): boolean {
  return builtinScope(groupOf(apiVersion), kind) === undefined;
}

/** The share of namespaces with an annotation that makes it a contact of the platform. */
const CONTACT_SHARE = 0.1;

/** Derives the platform: who is trusted on the network, environments, contacts, and the kinds of others. */
export function derivePlatform(
  namespaces: readonly FoundNamespace[],
  environmentKey: EnvironmentKey | undefined,
  names: { readonly cluster: string; readonly className: string },
): PlatformSpec {
  const objects = namespaces.flatMap((one) => one.objects);
  const environments = environmentKey
    ? namespaces.flatMap((one) => readEnvironment(one.namespace.object, environmentKey) ?? [])
    : [];
  const kinds = objects.filter(isCustom).map(({ object: { apiVersion, kind } }) => ({
    group: groupOf(apiVersion),
    kind,
    scope: 'Namespaced' as const,
  }));
  return omitUndefined<PlatformSpec>({
    clusters: [{ name: names.cluster }],
    defaultClass: names.className,
    environments: nonEmpty(listFrequent(environments, 1)),
    ingressControllers: findTrustedPeers(objects, /ingress|nginx|traefik|haproxy|gateway/i),
    monitoring: findTrustedPeers(objects, /monitor|prometheus|observ|metrics/i),
    metadataKeys: nonEmpty(findContacts(namespaces, environmentKey)),
    kinds: nonEmpty(listFrequent(kinds, 1)),
  });
}

function findContacts(
  namespaces: readonly FoundNamespace[],
  environmentKey: EnvironmentKey | undefined,
): Record<string, string> {
  const keys = namespaces.flatMap(({ namespace }) =>
    Object.keys(namespace.object.metadata.annotations ?? {}),
  );
  const least = Math.max(2, namespaces.length * CONTACT_SHARE);
  const contacts: Record<string, string> = {};
  for (const key of listFrequent(keys, least)) {
    const isSystem = /(^|[./])(k8s\.io|kubernetes\.io|openshift\.io|cattle\.io)\//.test(key);
    if (isSystem || key === environmentKey?.key) continue;
    const name = key.slice(key.indexOf('/') + 1);
    if (/^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/.test(name)) contacts[name] ??= key;
  }
  return contacts;
}

/** Finds the peers that the most namespaces let in from namespaces with a name or label like this. */
function findTrustedPeers(
  objects: readonly FoundObject[],
  pattern: RegExp,
): PlatformSpec['ingressControllers'] {
  const peers = selectPolicies(objects).flatMap(({ object: { spec } }) => {
    const [rule, ...more] = spec?.ingress ?? [];
    const isWhole = Object.keys(spec?.podSelector ?? {}).length === 0 && more.length === 0;
    if (!isWhole || !rule?.from || rule.ports) return [];
    return rule.from.length > 0 && pattern.test(JSON.stringify(rule.from)) ? [rule.from] : [];
  });
  return listFrequent(peers, 2)[0];
}
