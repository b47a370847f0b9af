import { matchesLabels, parseLabelSelector } from '@tenantry/kube/label-selector';
import { deepFreeze } from '@tenantry/kube/immutable';
import {
  type Immutable,
  type Live,
  type ObjectMeta,
  apiVersionOf,
  type Kind,
} from '../kinds/kind.ts';
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
  /** An index of the cache, and the word to find. @default - all */
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

export type CacheTransform<K extends Kind, O extends Cached> = (object: Live<K>) => O;

/**
 * Builds the transform of a cache. It keeps everything but managedFields, which are half of many objects and which no
 * controller reads; `project` can reduce that. Texts that many objects contain are shared. The object is copied,
 * because deleting a field would make it slower and larger than one that never had it.
 */
export function buildCacheTransform<K extends Kind, O extends Cached>(
  kind: K,
  project: (object: Live<K>) => O,
  { freeze }: { readonly freeze: boolean },
): CacheTransform<K, O> {
  // Shared by all objects instead of one text each.
  const named = { apiVersion: apiVersionOf(kind), kind: kind.kind };
  const texts = new StringInterner();
  return (object) => {
    const { managedFields: _, ...metadata } = object.metadata;
    const kept = project({ ...object, ...named, metadata });
    texts.internAll(kept);
    return freeze ? deepFreeze(kept) : kept;
  };
}

/** Longer texts are rarely equal. */
const maxInternedLength = 100;

/** The number of slots, for two texts each. A power of two. */
const slotCount = 2048;

/**
 * Shares texts that many objects contain: names of namespaces and owners, labels, phases, reasons. The JSON parser
 * creates each of them again. A hash of the text determines its slot, where it displaces the least recently seen text.
 * So common texts stay, and memory is bounded.
 */
export class StringInterner {
  readonly #texts = createSlots();

  intern(text: string): string {
    // The engine already shares texts of one character.
    if (text.length < 2 || text.length > maxInternedLength) return text;
    const place = 2 * computeSlot(text);
    const last = this.#texts[place] ?? '';
    if (last === text) return last;
    const before = this.#texts[place + 1];
    const shared = before === text ? before : text;
    this.#texts[place] = shared;
    this.#texts[place + 1] = last;
    return shared;
  }

  /** Replaces all texts within a JSON value by shared ones. Readers see no difference. */
  internAll(value: object): void {
    if (Object.isFrozen(value)) return;
    const fields = value as Record<string, unknown>;
    for (const name of Object.keys(fields)) {
      const field = fields[name];
      if (typeof field === 'string') fields[name] = this.intern(field);
      else if (typeof field === 'object' && field !== null) this.internAll(field);
    }
  }
}

/** Allocated at once: a simulated operator that crashes and restarts creates many of these. */
function createSlots(): string[] {
  const texts: string[] = [];
  texts.length = 2 * slotCount;
  return texts.fill('');
}

/** FNV-1a. */
function computeSlot(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93);
  }
  return (hash ^ (hash >>> 16)) & (slotCount - 1);
}
