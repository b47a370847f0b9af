import type { Client } from '../client/client.ts';
import type { Clock } from '../clock/clock.ts';
import { done, requeueAfter, type Result } from '../controller/context.ts';
import { CustomResourceDefinition } from '../kinds/apiextensions.ts';
import { resourceOf, type Live } from '../kinds/kind.ts';
import type { Log } from '../log/log.ts';
import { ObjectRewriter } from './rewriting.ts';
import {
  resolveStorageVersions,
  type StorageVersions,
  type StoringDefinition,
} from './stored-versions.ts';
import type { Counter, Gauge, Instruments } from '../metrics/instruments.ts';

/** Milliseconds after which a reconcile returns, so that it does not count as stuck. */
const maxStepDuration = 60_000;

/** The most objects that an error names. */
const mostNamed = 5;

interface MigrationProps {
  /** Milliseconds. */
  readonly settle: number;
  /** Milliseconds between two objects. */
  readonly interval: number;
  /** Whether fields that the storage version lacks may be lost. */
  readonly dropsFields: boolean;
}

/** The context of a reconcile. */
interface MigrationContext {
  readonly definition: Live<typeof StoringDefinition>;
  readonly client: Pick<Client, 'list' | 'patch'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly metrics: MigrationMetrics | undefined;
}

/** A state of a definition. Each change of its spec leads to another generation. */
interface ObservedDefinition {
  readonly uid: string;
  readonly generation: number | undefined;
  readonly since: number;
  rewriting?: ObjectRewriter;
}

/**
 * The migration of one definition, in steps. Its state is only in memory: a restart begins again, and the API server
 * writes nothing for objects that are rewritten already.
 */
export class Migration {
  readonly #props: MigrationProps;
  #seen: ObservedDefinition | undefined;

  constructor(props: MigrationProps) {
    this.#props = props;
  }

  /**
   * Rewrites all objects once the definition has been unchanged for a while. API servers store later writes in the
   * storage version that they have noticed by then. If the definition changes meanwhile, the migration begins again,
   * since the storage version may have changed in between.
   *
   * @throws {Error} with the names of objects that the API server refuses, or of fields that would be lost
   */
  async reconcile(given: MigrationContext): Promise<Result> {
    const { definition, clock, signal, metrics } = given;
    const storage = resolveStorageVersions(definition);
    const resource = definition.metadata.name;
    metrics?.pending.set({ resource }, storage && storage.others.length > 0 ? 1 : 0);
    if (!storage || storage.others.length === 0) {
      this.#seen = undefined;
      return done;
    }
    const seen = this.#observe(given, storage);
    const rest = seen.since + this.#props.settle - clock.now();
    if (rest > 0) return requeueAfter(rest);
    if (storage.losses.length > 0 && !this.#props.dropsFields)
      throw createLossError(resource, storage);
    const rewriting = (seen.rewriting ??= this.#begin(given, storage));
    await rewriting.run({ time: clock.now() + maxStepDuration, signal });
    if (!rewriting.isOver) return this.#requeue(given, rewriting);
    if (rewriting.refused.size > 0) throw createRefusalError(resource, storage, rewriting);
    await this.#dropStoredVersions(given, storage);
    const { rewritten } = rewriting;
    given.log.info('all objects are stored in one version', {
      version: storage.version,
      struck: storage.others,
      rewritten,
    });
    return done;
  }

  #observe(
    { definition, clock, log }: MigrationContext,
    { version, others }: StorageVersions,
  ): ObservedDefinition {
    const { uid, generation } = definition.metadata;
    const seen = this.#seen;
    if (seen?.uid === uid && seen.generation === generation) return seen;
    const { settle } = this.#props;
    log.info('objects may be stored in several versions, and will be rewritten', {
      version,
      others,
      settle,
    });
    return (this.#seen = { uid, generation, since: clock.now() });
  }

  #begin({ client, clock, metrics }: MigrationContext, { kind }: StorageVersions): ObjectRewriter {
    const { interval } = this.#props;
    const resource = resourceOf(kind);
    return new ObjectRewriter({
      client,
      clock,
      kind,
      interval,
      observe: (result) => metrics?.objects.inc({ resource, result }),
    });
  }

  #requeue({ log }: MigrationContext, { rewritten, refused }: ObjectRewriter): Result {
    log.info('objects are being rewritten', { rewritten, refused: refused.size });
    return requeueAfter(1);
  }

  /**
   * Writes to this state of the definition only: a write by anybody else in between is a conflict, after which it is
   * checked again.
   */
  async #dropStoredVersions(
    { definition, client, signal }: MigrationContext,
    storage: StorageVersions,
  ): Promise<void> {
    const { name, uid, resourceVersion } = definition.metadata;
    const patch = {
      metadata: { uid, resourceVersion },
      status: { storedVersions: [storage.version] },
    };
    await client.patch(CustomResourceDefinition, { name }, patch, {
      subresource: 'status',
      signal,
    });
  }
}

/** For example, OLM removes the conversion before each upgrade until the new pods are installed. */
function createLossError(resource: string, { version, losses }: StorageVersions): Error {
  const fields = losses.map((one) => `${one.field} of ${one.version}`).join(', ');
  return new Error(
    `${resource}: spec.conversion must be of the strategy Webhook before objects are stored in ${version}, which has no ${fields}: it would be lost`,
  );
}

function createRefusalError(
  resource: string,
  { version, others }: StorageVersions,
  { refused }: ObjectRewriter,
): Error {
  const named = [...refused].slice(0, mostNamed).map(([name, why]) => `${name}: ${why}`);
  const more = refused.size - named.length;
  const rest = more > 0 ? `; and ${more} more` : '';
  return new Error(
    `${resource}: each object must be stored in ${version} before ${others.join(', ')} can go, but the API server refuses to write ${refused.size} without a change: ${named.join('; ')}${rest}`,
  );
}

/** The metrics of migrations; `resource` is `redises.cache.example.com`. */
export interface MigrationMetrics {
  readonly objects: Counter<'resource' | 'result'>;
  readonly pending: Gauge<'resource'>;
}

/** Several controllers of one manager, one for each definition, share these metrics. */
const metricsByInstruments = new WeakMap<Instruments, MigrationMetrics>();

export function migrationMetrics(instruments: Instruments): MigrationMetrics {
  const found = metricsByInstruments.get(instruments);
  if (found) return found;
  const metrics: MigrationMetrics = {
    objects: instruments.counter({
      name: 'tenantry_storage_migration_objects_total',
      help: 'Objects written once without a change, to be stored in the storage version, by result',
      labels: ['resource', 'result'],
    }),
    pending: instruments.gauge({
      name: 'tenantry_storage_migration_pending',
      help: 'Whether objects may be stored in another version than the storage version: 1 or 0',
      labels: ['resource'],
    }),
  };
  metricsByInstruments.set(instruments, metrics);
  return metrics;
}
