import type { Client } from '../../client/client.ts';
import { ApiError } from '../../errors/api-error.ts';
import { Unreachable } from '../../errors/client-errors.ts';
import type { Event } from '../../kinds/events.ts';
import type { Live } from '../../kinds/kind.ts';
import { isQualifiedName, isSubdomain } from '@tenantry/kube/names';
import { parseTime } from '@tenantry/kube/time';

export type LiveEvent = Live<typeof Event>;

type How = 'create' | 'patch';

/** A fault of a call: the error it throws, and whether it throws after the call was processed. */
export type Fault = { readonly error: unknown; readonly afterwards?: boolean } | undefined;

export const unreachable = { error: new Unreachable('the cluster cannot be reached') };
export const refusal = (code: number, reason: string, retryAfter?: number): Fault => ({
  error: new ApiError({ code, reason }, { retryAfter }),
});

/**
 * A double of the events of an API server. It validates as a real server does, which the simulated server does not;
 * test/cluster/runtime-events.test.ts compares it with a real one.
 */
export class PretendEvents {
  readonly stored = new Map<string, LiveEvent>();
  /** The calls in order, such as `create shop/web.17a`. */
  readonly calls: string[] = [];
  /** Decides the fault of each call. */
  fault: (how: How, name: string) => Fault = () => undefined;
  /** A promise that every call waits for. */
  before: Promise<void> = Promise.resolve();

  readonly client: Pick<Client, 'create' | 'patch'> = {
    create: async (kind, object, { signal } = {}) => {
      const { name = '', namespace = '' } = object.metadata;
      return this.#call('create', `${namespace}/${name}`, signal, (key) => {
        if (this.stored.has(key)) throw new ApiError({ code: 409, reason: 'AlreadyExists' });
        return { apiVersion: 'events.k8s.io/v1', kind: kind.kind, ...object };
      });
    },
    patch: async (_, { namespace = '', name }, patch, { signal } = {}) =>
      this.#call('patch', `${namespace}/${name}`, signal, (key) => {
        const before = this.stored.get(key);
        if (!before) throw new ApiError({ code: 404, reason: 'NotFound' });
        return { ...before, ...patch };
      }),
  };

  /** Returns a line such as `web in shop: note x3` for each event, in the order of creation. */
  get summaries(): string[] {
    return [...this.stored.values()].map(({ regarding, metadata, note, series }) => {
      const times = series ? ` x${series.count}` : '';
      return `${regarding?.name} in ${metadata.namespace}: ${note}${times}`;
    });
  }

  async #call<T>(
    how: How,
    key: string,
    signal: AbortSignal | undefined,
    change: (key: string) => unknown,
  ): Promise<T> {
    signal?.throwIfAborted();
    this.calls.push(`${how} ${key}`);
    await Promise.race([this.before, abortOf(signal)]);
    const fault = this.fault(how, key);
    if (fault && !fault.afterwards) throw fault.error;
    const text = JSON.stringify(change(key));
    const event: LiveEvent = JSON.parse(text);
    const wrong = wrongOf(event);
    if (wrong !== undefined) throw new ApiError({ code: 422, reason: 'Invalid', message: wrong });
    this.stored.set(key, event);
    if (fault) throw fault.error;
    const answer: T = JSON.parse(text);
    return answer;
  }
}

function abortOf(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
  });
}

/** The rules of Kubernetes 1.36, pkg/apis/core/validation/events.go, for events.k8s.io/v1. */
export function wrongOf(event: LiveEvent): string | undefined {
  const { metadata, eventTime, series, regarding, type = '' } = event;
  const { reportingController = '', reportingInstance, action, reason, note = '' } = event;
  const isWord = (text: string | undefined) => text !== undefined && within(text, 1, 128);
  const isMicro = (time: string | undefined) =>
    /\.\d{6}Z$/.test(time ?? '') && parseTime(time ?? '') !== undefined;
  const rules: Readonly<Record<string, boolean>> = {
    name: isSubdomain(metadata.name),
    namespace: isSubdomain(metadata.namespace ?? ''),
    place: metadata.namespace === (regarding?.namespace || 'default'),
    eventTime: isMicro(eventTime),
    type: type === 'Normal' || type === 'Warning',
    reportingController: isQualifiedName(reportingController),
    reportingInstance: isWord(reportingInstance),
    action: isWord(action),
    reason: isWord(reason),
    note: within(note, 0, 1024),
    series: series === undefined || (series.count >= 2 && isMicro(series.lastObservedTime)),
  };
  return Object.keys(rules).find((name) => !rules[name]);
}

function within(text: string, least: number, most: number): boolean {
  const bytes = Buffer.byteLength(text);
  return bytes >= least && bytes <= most;
}
