import { ApiError } from '../../errors/api-error.ts';
import type { Client, WatchOptions } from '../../client/client.ts';

interface Stored {
  metadata: { name: string; namespace?: string; resourceVersion: string };
  [field: string]: unknown;
}

/**
 * A double of an API server, with the features that certificates need: objects by kind and name, resource versions,
 * merge patches. The simulated server does not know the kinds that have a `caBundle`.
 * test/cluster/runtime-grants.test.ts runs the same on a real server. While `fails` is set, it is thrown instead of
 * an answer.
 */
export class PretendCluster {
  readonly objects = new Map<string, Stored>();
  /** The requests in order, such as `get secrets`. */
  readonly asked: string[] = [];
  fails: Error | undefined;
  /** Runs before a write is processed, in place of another replica. */
  meanwhile: (() => void) | undefined;
  /** The error of every watch while it is set. */
  unwatched: Error | undefined;
  readonly #watching = new Set<(key: string) => void>();
  #version = 0;

  readonly client = this as unknown as Client;

  put(plural: string, object: { metadata: object; [field: string]: unknown }): void {
    const resourceVersion = String((this.#version += 1));
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion } } as Stored;
    this.objects.set(`${plural} ${stored.metadata.name}`, stored);
    for (const tell of this.#watching) tell(`${plural} ${stored.metadata.name}`);
  }

  /** Reports an existing object, and each write to it, without its contents. */
  async *watch(
    { plural }: { plural: string },
    { fieldSelector = '', signal }: WatchOptions,
  ): AsyncGenerator<{ type: 'MODIFIED' }, void, undefined> {
    const key = `${plural} ${fieldSelector.replace('metadata.name=', '')}`;
    this.asked.push(`watch ${key}`);
    if (this.unwatched) throw this.unwatched;
    let news = Promise.withResolvers<void>();
    if (this.objects.has(key)) news.resolve();
    const over = new Promise<'over'>((resolve) => {
      signal?.addEventListener('abort', () => resolve('over'), { once: true });
    });
    const tell = (written: string): void => {
      if (written === key) news.resolve();
    };
    this.#watching.add(tell);
    while ((await Promise.race([over, news.promise])) !== 'over') {
      news = Promise.withResolvers();
      yield { type: 'MODIFIED' };
    }
    this.#watching.delete(tell);
  }

  get({ plural }: { plural: string }, { name }: { name: string }): Promise<Stored> {
    return this.#answer('get', plural, () => {
      const found = this.objects.get(`${plural} ${name}`);
      if (!found) throw new ApiError({ code: 404 });
      return structuredClone(found);
    });
  }

  create({ plural }: { plural: string }, object: Stored): Promise<Stored> {
    return this.#answer('create', plural, () => {
      const key = `${plural} ${object.metadata.name}`;
      if (this.objects.has(key)) throw new ApiError({ code: 409, reason: 'AlreadyExists' });
      this.put(plural, object);
      return this.objects.get(key)!;
    });
  }

  update({ plural }: { plural: string }, object: Stored): Promise<Stored> {
    return this.#answer('update', plural, () => this.#replace(plural, object, object));
  }

  patch(
    { plural }: { plural: string },
    { name }: { name: string },
    patch: { metadata: { resourceVersion: string } },
  ): Promise<Stored> {
    return this.#answer('patch', plural, () => {
      const found = this.objects.get(`${plural} ${name}`)!;
      const given = { metadata: { name, ...patch.metadata } };
      return this.#replace(plural, given, merged(found, patch) as Stored);
    });
  }

  #replace(plural: string, given: Pick<Stored, 'metadata'>, object: Stored): Stored {
    const key = `${plural} ${given.metadata.name}`;
    if (this.objects.get(key)?.metadata.resourceVersion !== given.metadata.resourceVersion) {
      throw new ApiError({ code: 409, reason: 'Conflict' });
    }
    this.put(plural, object);
    return this.objects.get(key)!;
  }

  async #answer<T>(verb: string, plural: string, answer: () => T): Promise<T> {
    this.asked.push(`${verb} ${plural}`);
    await Promise.resolve();
    if (this.fails) throw this.fails;
    if (verb !== 'get') {
      const run = this.meanwhile;
      this.meanwhile = undefined;
      run?.();
    }
    return answer();
  }
}

function merged(into: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const start = typeof into === 'object' && into !== null ? { ...into } : {};
  const fields = start as Record<string, unknown>;
  for (const [name, value] of Object.entries(patch)) fields[name] = merged(fields[name], value);
  return fields;
}
