import type { VirtualClock } from '../../../testing/clock/virtualclock.ts';
import type { Client } from '../../../runtime/client/client.ts';
import { ApiError } from '../../../runtime/errors/apierror.ts';
import type { Lease, LeaseSpec } from '../../../runtime/kinds/coordination.ts';
import type { Live, Written } from '../../../runtime/kinds/kind.ts';
import type { ProcessClock } from '../../../testing/clock/processclock.ts';

type Stored = Live<typeof Lease>;

/** What becomes of one call; a lost one has no answer, and the signal of its caller ends it. */
export interface Fate {
  /** Milliseconds until the server does it. */
  readonly there: number;
  /** And until the answer is there. */
  readonly back: number;
  /** @default - neither */
  readonly lost?: 'request' | 'answer' | undefined;
  /** The server fails before it does anything. @default false */
  readonly isRefused?: boolean;
}

type LeaseClient = Pick<Client, 'get' | 'create' | 'update'>;

/** One Lease behind a network that delays and loses calls, and the clients of several processes. */
export class LeaseServer {
  readonly #time: VirtualClock;
  #lease: Stored | undefined;
  #version = 0;
  /** Asked for each call. */
  fate: () => Fate = () => ({ there: 1, back: 1 });
  readonly writes: { readonly holder: string | undefined; readonly at: number }[] = [];

  constructor(time: VirtualClock) {
    this.#time = time;
  }

  get lease(): Stored | undefined {
    return this.#lease;
  }

  /** Called when a write has been stored. */
  stored: () => void = () => {};

  /** As an administrator does who gives the lead to somebody else. */
  seize(holderIdentity: string): void {
    this.edit({ holderIdentity });
  }

  /** As an administrator does with kubectl. */
  edit(spec: Partial<LeaseSpec>): void {
    if (!this.#lease) return;
    const metadata = { ...this.#lease.metadata, resourceVersion: this.#next() };
    this.#lease = { ...this.#lease, metadata, spec: { ...this.#lease.spec, ...spec } };
  }

  /** As an administrator does. */
  delete(): void {
    this.#lease = undefined;
  }

  /** As somebody who labels what there is does. */
  label(value: string): void {
    if (!this.#lease) return;
    const metadata = { ...this.#lease.metadata, labels: { value } };
    this.#lease = { ...this.#lease, metadata: { ...metadata, resourceVersion: this.#next() } };
  }

  clientOf(process: ProcessClock, isCut: () => boolean): LeaseClient {
    return this.#clientBy((signal, serve) => this.#call(process, isCut, signal, serve));
  }

  /** Without a network: whatever is asked is done at once. */
  directClient(): LeaseClient {
    return this.#clientBy(async (_signal, serve) => serve());
  }

  /** Of Leases, as the client of an election is asked for nothing else. */
  #clientBy(call: <T>(signal: AbortSignal | undefined, serve: () => T) => Promise<T>): LeaseClient {
    return {
      get: (_kind, _name, { signal } = {}) => call(signal, () => this.#get() as never),
      create: (_kind, object, { signal } = {}) =>
        call(signal, () => this.#create(object as Written<typeof Lease>) as never),
      update: (_kind, object, { signal } = {}) =>
        call(signal, () => this.#update(object as Written<typeof Lease>) as never),
    };
  }

  #call<T>(
    process: ProcessClock,
    isCut: () => boolean,
    signal: AbortSignal | undefined,
    serve: () => T,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      const { there, back, lost, isRefused } = this.fate();
      if (lost === 'request' || isCut()) return;
      this.#time.after(there, () => {
        const answer = isRefused
          ? () => reject(new ApiError({ code: 500 }))
          : this.#answer(serve, resolve, reject);
        if (lost === 'answer' || isCut()) return;
        this.#time.after(back, () => process.hear(answer));
      });
    });
  }

  #answer<T>(
    serve: () => T,
    resolve: (value: T) => void,
    reject: (error: unknown) => void,
  ): () => void {
    try {
      const value = serve();
      return () => resolve(value);
    } catch (error) {
      return () => reject(error);
    }
  }

  #get(): Stored {
    if (!this.#lease) throw new ApiError({ code: 404 });
    return this.#lease;
  }

  #create(object: Written<typeof Lease>): Stored {
    if (this.#lease) throw new ApiError({ code: 409, reason: 'AlreadyExists' });
    return this.#store(object);
  }

  #update(object: Written<typeof Lease>): Stored {
    const { resourceVersion } = this.#get().metadata;
    if (object.metadata.resourceVersion !== resourceVersion) throw new ApiError({ code: 409 });
    return this.#store(object);
  }

  #store(object: Written<typeof Lease>): Stored {
    const { name = '', namespace = '', labels = {} } = object.metadata;
    const said = { name, namespace, labels, uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z' };
    const own = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' as const };
    const metadata = { ...said, resourceVersion: this.#next() };
    // As JSON: what is undefined is not sent.
    const stored = JSON.parse(JSON.stringify({ ...own, spec: object.spec, metadata })) as Stored;
    this.#lease = stored;
    this.writes.push({ holder: object.spec?.holderIdentity, at: this.#time.now() });
    this.stored();
    return stored;
  }

  #next(): string {
    this.#version += 1;
    return String(this.#version);
  }
}
