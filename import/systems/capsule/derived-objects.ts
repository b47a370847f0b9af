import { formatFinding } from '@tenantry/kube/finding';
import { groupOf, identityOf, type KubeObject } from '@tenantry/kube/object';
import { validateBuiltinObject } from '@tenantry/crd/schema/builtin-object';
import type { FoundObject } from '../../manifests.ts';
import type { SystemObject } from '../system-object.ts';
import type { SystemSource } from '../tenancy-system.ts';
import type { Translation } from '../translation.ts';
import { isMade } from './made.ts';

/**
 * What the source has in its namespaces. It is built once, when it is needed, so that lookups do not search the source.
 */
export class SourceIndex {
  readonly namespaces: ReadonlySet<string>;
  readonly #objects: readonly FoundObject[];
  #built: BuiltIndex | undefined;

  constructor({ namespaces, objects }: SystemSource) {
    this.namespaces = new Set(namespaces.map(({ object }) => object.metadata.name));
    this.#objects = objects;
  }

  get #index(): BuiltIndex {
    return (this.#built ??= buildIndex(this.#objects));
  }

  /** Whether the source has the object itself, not made by Capsule. */
  has(object: KubeObject): boolean {
    return this.#index.identities.has(identityOf(object));
  }

  /** Lists the objects of a kind in a namespace that Capsule did not make. */
  list(group: string, kind: string, namespace: string): readonly FoundObject[] {
    return this.#index.byKind.get(`${group}/${kind} ${namespace}`) ?? [];
  }

  /** Lists the objects of a kind in a namespace that Capsule made. */
  listMade(group: string, kind: string, namespace: string): readonly FoundObject[] {
    return this.#index.made.get(`${group}/${kind} ${namespace}`) ?? [];
  }
}

interface BuiltIndex {
  readonly identities: ReadonlySet<string>;
  readonly byKind: ReadonlyMap<string, readonly FoundObject[]>;
  readonly made: ReadonlyMap<string, readonly FoundObject[]>;
}

function buildIndex(objects: readonly FoundObject[]): BuiltIndex {
  const written = objects.filter(({ object }) => !isMade(object));
  const made = objects.filter(({ object }) => isMade(object));
  const place = ({ object: { apiVersion, kind, metadata } }: FoundObject): string =>
    `${groupOf(apiVersion)}/${kind} ${metadata.namespace ?? ''}`;
  return {
    identities: new Set(written.map(({ object }) => identityOf(object))),
    byKind: Map.groupBy(written, place),
    made: Map.groupBy(made, place),
  };
}

/** Adds objects to namespaces, and knows which have a ResourceQuota for all pods. */
export class DerivedObjects {
  readonly #translation: Translation;
  readonly #bounded = new Set<string>();

  constructor(translation: Translation) {
    this.#translation = translation;
  }

  add(namespace: string, object: KubeObject, origin: SystemObject): void {
    if (isUnscopedQuota(object)) this.#bounded.add(namespace);
    this.#translation.addObject(namespace, object, origin);
  }

  /** Whether a namespace gets a ResourceQuota for all pods. */
  isBounded(namespace: string): boolean {
    return this.#bounded.has(namespace);
  }
}

/** Whether an object is a ResourceQuota for all pods. */
export function isUnscopedQuota({ apiVersion, kind, ...fields }: KubeObject): boolean {
  const spec = fields['spec'] as Readonly<Record<string, unknown>> | null | undefined;
  return (
    apiVersion === 'v1' && kind === 'ResourceQuota' && !spec?.['scopes'] && !spec?.['scopeSelector']
  );
}

/** Returns why the API server refuses an object of Kubernetes' own kinds. */
export function findFault(object: KubeObject): string | undefined {
  const [fault] = validateBuiltinObject(object) ?? [];
  return fault && `the API server refuses it: ${formatFinding(fault)}`;
}
