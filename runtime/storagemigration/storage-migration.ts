import type { Definition } from '../../crds/definition.ts';
import { allow } from '../access/grant.ts';
import type { Client } from '../client/client.ts';
import { controller } from '../controller/controller.ts';
import type { Controller } from '../controller/declaration.ts';
import { CustomResourceDefinition } from '../kinds/apiextensions.ts';
import type { Kind } from '../kinds/kind.ts';
import { Migration } from './migration.ts';
import { migrationMetrics, type MigrationMetrics } from './migration-metrics.ts';
import { StoringDefinition } from './stored-versions.ts';

/** How objects are brought into their storage version. */
export interface StorageMigrationProps {
  /** Of the controller: a DNS label. @default - `storage-of-` and the plural */
  readonly name?: string | undefined;
  /**
   * Milliseconds for which the definition must have been the same before anything is rewritten. Within them every
   * API server of the cluster must have noticed in which version it is to store.
   * @default 60,000
   */
  readonly settle?: number | undefined;
  /**
   * Whether fields may go that the storage version has not, where no webhook converts.
   * @default false
   */
  readonly dropsFields?: boolean | undefined;
  /** So many objects a second, each of which is a change to whoever watches them. @default 20 */
  readonly perSecond?: number | undefined;
}

/**
 * A controller that brings all objects of a definition into its storage version, and then strikes the other
 * versions from `status.storedVersions`: after that a version can be removed. It guarantees:
 *
 * - Each object that there is when the definition has been the same for `settle` is written once without a change,
 *   by an empty patch; the API server stores it in the storage version, and writes nothing where it has.
 * - `storedVersions` is written for that very state of the definition. One that has another generation by then, or
 *   is another one, is begun anew.
 * - It stays as it is while one object is not rewritten: one that cannot be converted, or that the schema, a policy
 *   or a webhook refuses. The error names it, and it is tried again, less and less often.
 * - Nothing is lost: where no webhook converts, and the storage version has not all fields of another one that is
 *   stored, nothing is rewritten, unless `dropsFields` says that it may go. The error names the field.
 * - A program that ends in the middle leaves nothing behind; the next one begins anew.
 *
 * It does nothing while one version is stored. Its access is to read this definition, to patch its status, and to
 * list and patch all objects of the kind.
 *
 * @example
 * ```ts
 * import { Manager, storageMigration } from 'tenantry/runtime';
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
        // What it writes is of the version that the definition in the cluster stores.
        client: client as Client,
        clock,
        signal,
        log,
        metrics,
      }),
  });
}
