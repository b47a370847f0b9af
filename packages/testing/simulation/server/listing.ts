import type { ListOptions, Selection } from '@tenantry/runtime/client/client';
import type { Kind } from '@tenantry/runtime/kinds/kind';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { NotSimulated, badRequest, expired } from './errors.ts';
import type { ObjectStore, StoredObject } from './object-store.ts';
import type { ServedKind } from './served-kinds.ts';
import { matchesLabels, parseLabelSelector } from '@tenantry/kube/label-selector';
import { valueAt } from '@tenantry/kube/mapping';

/** One page of the objects at a version. */
interface Page {
  readonly items: readonly StoredObject[];
  readonly resourceVersion: string;
  readonly continue?: string;
}

interface PendingPage {
  readonly version: number;
  readonly items: readonly StoredObject[];
}

/** Lists objects in pages, all of the state that the first page showed. */
export class Paginator {
  readonly #store: ObjectStore;
  readonly #rests = new Map<string, PendingPage>();

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /** @throws {ApiError} */
  list(kind: Kind, served: ServedKind, options: ListOptions): Page {
    const { limit = 500 } = options;
    const { version, items } = this.#items(kind, served, options);
    const resourceVersion = String(version);
    if (limit === 0 || items.length <= limit) return { items, resourceVersion };
    const next = `${version} ${this.#rests.size}`;
    this.#rests.set(next, { version, items: items.slice(limit) });
    return { items: items.slice(0, limit), resourceVersion, continue: next };
  }

  #items(kind: Kind, served: ServedKind, options: ListOptions): PendingPage {
    const { continue: next, resourceVersion, resourceVersionMatch } = options;
    if (next) {
      if (resourceVersion) {
        throw badRequest('specifying resource version is not allowed when using continue');
      }
      const rest = this.#rests.get(next);
      if (!rest) throw badRequest('continue key is not valid');
      if (!this.#store.hasVersion(rest.version)) throw expired();
      return rest;
    }
    const { version } = this.#store;
    const asked = Number(resourceVersion ?? 0);
    if (asked > version) throw resourceVersionTooLarge(asked, version);
    if (resourceVersionMatch === 'Exact' && asked !== version) {
      throw new NotSimulated('a list of an older version');
    }
    return { version, items: this.#store.all(kind).filter(buildSelectionMatcher(served, options)) };
  }
}

/** Builds the error for a version that the server has not reached yet. */
export function resourceVersionTooLarge(asked: number, version: number): ApiError {
  const message = `Too large resource version: ${asked}, current: ${version}`;
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  const details = { retryAfterSeconds: 1, causes };
  return new ApiError({ code: 504, reason: 'Timeout', message, details });
}

/** Builds a predicate for objects of a selection. @throws {ApiError} for an invalid selector */
export function buildSelectionMatcher(
  served: ServedKind,
  { namespace, labelSelector = '', fieldSelector = '' }: Selection,
): (object: StoredObject) => boolean {
  if (namespace === undefined && labelSelector === '' && fieldSelector === '') return () => true;
  const labels = parseLabels(labelSelector);
  const fields = fieldSelector === '' ? [] : fieldSelector.split(',');
  const conditions = fields.map((text) => parseFieldCondition(served, text.trim()));
  return (object) =>
    (namespace === undefined || object.metadata.namespace === namespace) &&
    matchesLabels(labels, object.metadata.labels ?? {}) &&
    conditions.every((holds) => holds(object));
}

function parseLabels(text: string) {
  try {
    return parseLabelSelector(text);
  } catch {
    throw badRequest(`unable to parse requirement: ${text}`);
  }
}

function parseFieldCondition(served: ServedKind, text: string): (object: StoredObject) => boolean {
  const [, field = '', sign, value] = /^([^=!]+)(==?|!=)(.*)$/.exec(text) ?? [];
  const known = ['metadata.name', 'metadata.namespace', ...(served.selectable ?? [])];
  if (sign === undefined)
    throw badRequest(`invalid selector: '${text}'; can't understand '${text}'`);
  if (!known.includes(field)) throw badRequest(`field label not supported: ${field}`);
  const path = field.split('.');
  return (object) => {
    const found = valueAt(object, path) ?? '';
    return (String(found) === value) === (sign !== '!=');
  };
}
