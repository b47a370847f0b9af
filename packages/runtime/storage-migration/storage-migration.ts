import type { Definition } from '@tenantry/crd/definition';
import { allow } from '../access/grant.ts';
import type { Client } from '../client/client.ts';
import { controller } from '../controller/controller.ts';
import type { Controller } from '../controller/declaration.ts';
import { CustomResourceDefinition } from '../kinds/apiextensions.ts';
import { type Kind, resourceOf, type Live } from '../kinds/kind.ts';
import {
  StoringDefinition,
  resolveStorageVersions,
  type StorageVersions,
} from './stored-versions.ts';
import type { Clock } from '../clock/clock.ts';
import { done, requeueAfter, type Result } from '../controller/context.ts';
import type { Log } from '../log/log.ts';
import { ObjectRewriter } from './object-rewriter.ts';
import type { Counter, Gauge, Instruments } from '../metrics/instruments.ts';

/** The options of a storage migration. */
export interface StorageMigrationProps {
  /** The name of the controller: a DNS label. @default - `storage-of-` and the plural */
  readonly name?: string | undefined;
  /**
   * Milliseconds for which the definition must be unchanged before anything is rewritten. Within them, every API server
   * of the cluster must have noticed the storage version.
   * @default 60,000
   */
  readonly settle?: number | undefined;
  /**
   * Whether fields that the storage version lacks may be lost if no webhook converts.
   * @default false
   */
  readonly dropsFields?: boolean | undefined;
  /** The most objects per second, each of which is a change for all watchers. @default 20 */
  readonly perSecond?: number | undefined;
}

/**
 * Returns a controller that migrates all objects of a definition to its storage version, and then removes the other
 * versions from `status.storedVersions`. After that a version can be removed. Guarantees:
 *
 * - Each object that exists when the definition has been unchanged for `settle` is written once without a change, by an
 *   empty patch. The API server stores it in the storage version, and writes nothing if it already is.
 * - `storedVersions` is written only for that state of the definition. If its generation has changed, or it is another
 *   definition, the migration begins again.
 * - `storedVersions` stays unchanged while an object is not rewritten: one that cannot be converted, or that the
 *   schema, a policy or a webhook refuses. The error names the object, and it is retried with backoff.
 * - Nothing is lost: if no webhook converts, and the storage version lacks a field of another stored version, nothing
 *   is rewritten, unless `dropsFields` allows the loss. The error names the field.
 * - A program that ends in the middle leaves nothing behind; the next one begins again.
 *
 * It does nothing while only one version is stored. Its access is to read this definition, to patch its status, and to
 * list and patch all objects of the kind.
 *
 * @example
 * ```ts
 * import { Manager, storageMigration } from '@tenantry/runtime';
 * import { redis } from './redis.ts';
 *
 * const manager = new Manager({ controllers: [storageMigration(redis)] });
 * console.log(manager.access.at(-1)?.verbs, manager.access.at(-1)?.resource); // [ 'list', 'patch' ] redises
 * ```
 *
 * @throws {RangeError} for a time below 0, or a rate that is not above 0
 */
export function storageMigration(
  definition: Pick<Definition, 'group' | 'kind' | 'plural' | 'scope' | 'versions'>,
  { name, settle = 60_000, perSecond = 20, dropsFields = false }: StorageMigrationProps = {},
): Controller {
  if (!(settle >= 0 && Number.isFinite(settle))) {
    throw new RangeError(`settle must be milliseconds from 0 on, got ${settle}`);
  }
  if (!(perSecond > 0 && Number.isFinite(perSecond))) {
    throw new RangeError(`perSecond must be a number of objects above 0, got ${perSecond}`);
  }
  const { group, kind, plural, scope, versions } = definition;
  const [version = 'v1'] = Object.keys(versions);
  const objects: Kind = { group, version, kind, plural, scope };
  const definitionName = `${plural}.${group}`;
  const migration = new Migration({ settle, interval: 1000 / perSecond, dropsFields });
  let metrics: MigrationMetrics | undefined;
  return controller({
    name: name ?? `storage-of-${plural}`,
    for: StoringDefinition,
    selection: { fieldSelector: `metadata.name=${definitionName}` },
    access: [
      allow(CustomResourceDefinition, 'patch').subresource('status').named(definitionName),
      allow(objects, 'list', 'patch'),
    ],
    metrics: ({ instruments }) => {
      metrics = getMigrationMetrics(instruments);
    },
    reconcile: ({ object, client, clock, signal, log }) =>
      migration.reconcile({
        definition: object,
        // The objects that it writes are of the version that the cluster's definition stores.
        client: client as Client,
        clock,
        signal,
        log,
        metrics,
      }),
  });
}

/** Milliseconds after which a reconcile returns, so that it does not count as stuck. */
const maxStepDuration = 60_000;

const maxNamed = 5;

interface MigrationProps {
  readonly settle: number;
  /** Milliseconds between two objects. */
  readonly interval: number;
  /** Whether fields that the storage version lacks may be lost. */
  readonly dropsFields: boolean;
}

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
class Migration {
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
  async reconcile(context: MigrationContext): Promise<Result> {
    const { definition, clock, signal, metrics } = context;
    const storage = resolveStorageVersions(definition);
    const resource = definition.metadata.name;
    metrics?.pending.set({ resource }, storage && storage.others.length > 0 ? 1 : 0);
    if (!storage || storage.others.length === 0) {
      this.#seen = undefined;
      return done;
    }
    const seen = this.#observe(context, storage);
    const rest = seen.since + this.#props.settle - clock.now();
    if (rest > 0) return requeueAfter(rest);
    if (storage.losses.length > 0 && !this.#props.dropsFields)
      throw createLossError(resource, storage);
    const rewriting = (seen.rewriting ??= this.#begin(context, storage));
    await rewriting.run({ time: clock.now() + maxStepDuration, signal });
    if (!rewriting.isOver) return this.#requeue(context, rewriting);
    if (rewriting.refused.size > 0) throw createRefusalError(resource, storage, rewriting);
    await this.#dropStoredVersions(context, storage);
    const { rewritten } = rewriting;
    context.log.info('all objects are stored in one version', {
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
  const named = [...refused].slice(0, maxNamed).map(([name, why]) => `${name}: ${why}`);
  const more = refused.size - named.length;
  const rest = more > 0 ? `; and ${more} more` : '';
  return new Error(
    `${resource}: each object must be stored in ${version} before ${others.join(', ')} can go, but the API server refuses to write ${refused.size} without a change: ${named.join('; ')}${rest}`,
  );
}

/** The metrics of migrations; `resource` is `redises.cache.example.com`. */
interface MigrationMetrics {
  readonly objects: Counter<'resource' | 'result'>;
  readonly pending: Gauge<'resource'>;
}

/** Several controllers of one manager, one for each definition, share these metrics. */
const metricsByInstruments = new WeakMap<Instruments, MigrationMetrics>();

function getMigrationMetrics(instruments: Instruments): MigrationMetrics {
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
