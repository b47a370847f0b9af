import type { Change } from '@tenantry/runtime/controller/predicate';
import { compareVersions } from '@tenantry/runtime/watch/sink-writer';

interface Last {
  readonly version: string;
  readonly isGone: boolean;
}

/**
 * Checks what the handlers of one run of an operator received after the start: each state of an object at most once and
 * in order, and each deletion once.
 */
export class NotificationLog {
  /** States that were delivered twice or out of order, one line each. */
  readonly problems: string[] = [];
  /** The uids of added objects, by kind and name. */
  readonly made = new Map<string, Set<string>>();
  count = 0;
  readonly #last = new Map<string, Last>();

  take({ type, object, old }: Change): void {
    const { namespace, name, uid, resourceVersion } = object.metadata;
    const key = `${object.kind} ${namespace}/${name}`;
    const last = this.#last.get(key);
    this.count += 1;
    this.#last.set(key, { version: resourceVersion, isGone: type === 'deleted' });
    if (type === 'added') this.#making(key).add(uid);
    const order = last ? (compareVersions(resourceVersion, last.version) ?? NaN) : 1;
    const problem = {
      added: last && (!last.isGone || !(order > 0)),
      changed: last && (last.isGone || old?.metadata.resourceVersion !== last.version),
      deleted: last && (last.isGone || order !== 0),
    }[type];
    const isSame = old?.metadata.resourceVersion === resourceVersion;
    if (problem || isSame || (type === 'changed' && !(order > 0))) {
      const before = last ? `${last.version}${last.isGone ? ', gone' : ''}` : 'nothing';
      this.problems.push(`${key} was ${type} at ${resourceVersion} after ${before}`);
    }
  }

  #making(key: string): Set<string> {
    const uids = this.made.get(key) ?? new Set();
    this.made.set(key, uids);
    return uids;
  }
}
