import type { Client, MergePatch } from '../../client/client.ts';
import { ApiError } from '../../errors/api-error.ts';
import { Lease, type LeaseSpec } from '../../kinds/coordination.ts';
import { Namespace } from '../../kinds/core.ts';
import { resourceOf, type FieldsOf, type Live } from '../../kinds/kind.ts';
import type { ProcessClock } from '@tenantry/testing/simulation/operator/process';
import type { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { SimulatedApiServer } from '@tenantry/testing/simulation/server/simulated-api-server';
import { asLive } from '@tenantry/testing/simulation/server/object-store';
import { directWire, type Wire } from '@tenantry/testing/simulation/server/wire';

/** The outcome of one call. A lost call has no answer, and ends by the signal of its caller. */
export interface CallOutcome {
  /** Milliseconds until the server processes the call. */
  readonly there: number;
  /** Milliseconds from there until the answer arrives. */
  readonly back: number;
  /** @default - neither */
  readonly lost?: 'request' | 'answer' | undefined;
  /** Whether the server fails before it does anything. @default false */
  readonly isRefused?: boolean;
}

const operatorLease = { name: 'operator', namespace: 'shop' };

/** The network between several processes and the simulated API server, which delays and loses calls. */
export class LeaseNetwork {
  readonly #time: VirtualClock;
  readonly #server: SimulatedApiServer;
  /** Decides the outcome of each call. */
  decideOutcome: () => CallOutcome = () => ({ there: 1, back: 1 });
  /** The writes of candidates. */
  readonly writes: { readonly holder: string | undefined; readonly at: number }[] = [];
  /** Called after a candidate has written the Lease. */
  stored: () => void = () => {};

  constructor(time: VirtualClock) {
    this.#time = time;
    this.#server = new SimulatedApiServer({ clock: time });
    this.#api.create(Namespace, { metadata: { name: operatorLease.namespace } });
    this.#server.follow(({ resource, type, object, who }) => {
      if (resource !== resourceOf(Lease) || type === 'DELETED' || who === somebody) return;
      const holder = asLive(Lease, object).spec?.holderIdentity;
      this.writes.push({ holder, at: time.now() });
      this.stored();
    });
  }

  get lease(): Live<typeof Lease> | undefined {
    return this.#api.list(Lease, { namespace: operatorLease.namespace }).items[0];
  }

  /** Gives the lead to another holder, as an administrator might. */
  seize(holderIdentity: string): void {
    this.edit({ holderIdentity });
  }

  /** Edits the Lease, as an administrator might with kubectl. */
  edit(spec: Partial<LeaseSpec>): void {
    this.#patch({ spec });
  }

  /** Deletes the Lease, as an administrator might. */
  delete(): void {
    if (this.lease) this.#api.delete(Lease, operatorLease);
  }

  /** Adds a label to an existing Lease. */
  label(value: string): void {
    this.#patch({ metadata: { labels: { value } } });
  }

  clientOf(process: ProcessClock, isCut: () => boolean): Client {
    const send: Wire['send'] = (_, { signal }, ask) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
        const { there, back, lost, isRefused } = this.decideOutcome();
        if (lost === 'request' || isCut()) return;
        this.#time.after(there, () => {
          const answer = isRefused
            ? () => reject(new ApiError({ code: 500 }))
            : answered(ask, resolve, reject);
          if (lost === 'answer' || isCut()) return;
          this.#time.after(back, () => process.runWhenAwake(answer));
        });
      });
    return this.#server.clientOver('candidate', { ...directWire, send });
  }

  /** Returns a client without a network, whose calls are processed at once. */
  directClient(): Pick<Client, 'get' | 'create' | 'update'> {
    const client = this.#server.client('candidate');
    return {
      get: (...asked) => client.get(...asked),
      create: (...asked) => client.create(...asked),
      update: (...asked) => client.update(...asked),
    };
  }

  get #api() {
    return this.#server.api(somebody);
  }

  #patch(patch: MergePatch<FieldsOf<typeof Lease>>): void {
    if (this.lease) this.#api.patch(Lease, operatorLease, patch);
  }
}

/** The user of writes that do not come from a candidate. */
const somebody = 'somebody';

/** Processes the call now, and returns a function that delivers the result. */
function answered<T>(
  ask: () => T,
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
): () => void {
  try {
    const value = ask();
    return () => resolve(value);
  } catch (error) {
    return () => reject(error);
  }
}
