import { builtinScope } from '@tenantry/kube/builtin-kinds';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import type { PlatformSpec } from '../../../crds/platform.ts';
import type { TenantSpec } from '../../../crds/tenant.ts';
import { counted } from './counting.ts';
import type { Original } from './originals.ts';

/** The label for the environment on this platform. */
const ENVIRONMENT = 'platform.example.com/environment-name';
const POD_SECURITY = 'pod-security.kubernetes.io/';

type Entries = Readonly<Record<string, string>>;

/** The labels and annotations of a Namespace, by the fields to which they belong. */
export interface NamespaceFacts {
  readonly environment: string;
  readonly labels: Entries;
  readonly podSecurity: NonNullable<TenantSpec['podSecurity']>;
  readonly contact: Entries;
  readonly annotations: Entries;
}

/** The platform of the fleet: the trusted labels, and the annotations that are contacts. */
export function platformOf(originals: readonly Original[]): PlatformSpec {
  const keys = originals.flatMap((one) => Object.keys(namespaceIn(one).metadata.annotations ?? {}));
  const contacts = counted(keys).flatMap(({ value, times }) => (times > 1 ? [value] : []));
  return {
    clusters: [{ name: 'live' }],
    defaultClass: 'standard',
    environments: counted(originals.map(environmentOf)).map(({ value }) => value),
    ingressControllers: [labelled('ingress-controllers')],
    monitoring: [labelled('monitoring')],
    metadataKeys: Object.fromEntries(contacts.map((key) => [key.slice(key.indexOf('/') + 1), key])),
    kinds: counted(
      originals.flatMap(({ objects }) =>
        objects.filter(isForeign).map(({ apiVersion, kind }) => ({
          group: groupOf(apiVersion),
          kind,
          scope: 'Namespaced' as const,
        })),
      ),
    ).map(({ value }) => value),
  };
}

const labelled = (component: string) => ({ namespaceSelector: { matchLabels: { component } } });

/** Returns whether an object is of a kind that Kubernetes does not have. */
export function isForeign({ apiVersion, kind }: KubeObject): boolean {
  return builtinScope(groupOf(apiVersion), kind) === undefined;
}

/** Sorts the labels and annotations of a namespace. */
export function factsOf(original: Original, { metadataKeys = {} }: PlatformSpec): NamespaceFacts {
  const { labels = {}, annotations = {} } = namespaceIn(original).metadata;
  const isContact = (key: string): boolean => Object.values(metadataKeys).includes(key);
  return {
    environment: environmentOf(original),
    labels: filtered(labels, (key) => !key.startsWith(POD_SECURITY)),
    podSecurity: Object.fromEntries(
      Object.entries(labels)
        .filter(([key]) => key.startsWith(POD_SECURITY))
        .map(([key, level]) => [key.slice(POD_SECURITY.length), level]),
    ),
    contact: Object.fromEntries(
      Object.entries(metadataKeys)
        .filter(([, key]) => annotations[key] !== undefined)
        .map(([name, key]) => [name, annotations[key]!]),
    ),
    annotations: filtered(annotations, (key) => !isContact(key)),
  };
}

function filtered(entries: Entries, keep: (key: string) => boolean): Entries {
  return Object.fromEntries(Object.entries(entries).filter(([key]) => keep(key)));
}

function environmentOf(original: Original): string {
  const environment = namespaceIn(original).metadata.labels?.[ENVIRONMENT];
  if (environment === undefined) throw new Error(`${original.namespace} must have an environment`);
  return environment;
}

export function namespaceIn({ namespace, objects }: Original): KubeObject {
  const found = objects.find(({ kind }) => kind === 'Namespace');
  if (!found) throw new Error(`${namespace} must have a Namespace`);
  return found;
}
