import type { Definition } from '@tenantry/crd/definition';
import { allow } from '../access/grant.ts';
import type { Client } from '../client/client.ts';
import { controller } from '../controller/controller.ts';
import type { Controller } from '../controller/declaration.ts';
import { CustomResourceDefinition } from '../kinds/apiextensions.ts';
import type { Kind } from '../kinds/kind.ts';
import { Migration, migrationMetrics, type MigrationMetrics } from './migration.ts';
import { StoringDefinition } from './stored-versions.ts';

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
      metrics = migrationMetrics(instruments);
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
