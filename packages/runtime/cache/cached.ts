import type { Immutable, Live, ObjectMeta } from '../kinds/kind.ts';
import { matchesLabels, parseLabelSelector } from '@tenantry/kube/label-selector';
import type { Selection } from '../client/client.ts';

/** The part that every cached object has, whatever the projection keeps. */
export interface Cached {
  readonly metadata: Immutable<ObjectMeta>;
}

/**
 * Returns the words under which an object is found: the names of its owners, or a field. Must be pure; gets what is
 * kept of the object. The cache keeps one index per function, so define the function once instead of in each call.
 */
export type CacheIndex<O extends Cached = Live> = (object: O) => readonly string[];

/** A selection of cached objects. All criteria must match. */
export interface CachedSelection<O extends Cached = Live> {
  /** @default - all */
  readonly namespace?: string | undefined;
  /** In the syntax of kubectl: `app=shop,tier!=db`. @default - all */
  readonly labelSelector?: string | undefined;
  /** An index of the cache, and a word to look up. @default - all */
  readonly index?: { readonly by: CacheIndex<O>; readonly is: string } | undefined;
}

/** Handlers of changes. They are called once for each change, in order and one at a time. */
export interface CacheHandlers<O extends Cached = Live> {
  /** `isInitial`: the object existed when the handlers or the cache began, so it is not a change. */
  readonly added?: (object: O, origin: { readonly isInitial: boolean }) => void;
  readonly changed?: (before: O, now: O) => void;
  /** Called with the last delivered state. */
  readonly deleted?: (last: O) => void;
}

/** A subscription of handlers. */
export interface CacheSubscription {
  /** Resolves when the handlers were called for all existing objects; rejects if they or the cache end before. */
  readonly synced: Promise<void>;
  /** Ends the calls. */
  end(): void;
}

/**
 * Returns whether a selection matches an object; undefined if that depends on a field that only the server evaluates.
 * Throws if the label selector is invalid.
 */
export function buildSelectionMatcher({
  namespace,
  labelSelector = '',
  fieldSelector = '',
}: Selection): (object: Cached) => boolean | undefined {
  const labels = parseLabelSelector(labelSelector);
  const fields = fieldSelector === '' ? [] : fieldSelector.split(',').map(parseFieldCondition);
  return ({ metadata }) => {
    if (namespace !== undefined && metadata.namespace !== namespace) return false;
    if (!matchesLabels(labels, metadata.labels ?? {})) return false;
    const answers = new Set(fields.map((holds) => holds(metadata)));
    if (answers.has(false)) return false;
    return answers.has(undefined) ? undefined : true;
  };
}

function parseFieldCondition(text: string): (metadata: Cached['metadata']) => boolean | undefined {
  const [, field, sign, value] = /^\s*metadata\.(name|namespace)(==?|!=)(\S*)\s*$/.exec(text) ?? [];
  if (field !== 'name' && field !== 'namespace') return () => undefined;
  return (metadata) => ((metadata[field] ?? '') === value) === (sign !== '!=');
}
