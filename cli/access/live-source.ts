import type { KubeObject } from '@tenantry/kube/object';
import { escapeForTerminal } from '@tenantry/kube/printable';
import { Namespace } from '@tenantry/runtime/kinds/core';
import { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '@tenantry/runtime/kinds/rbac';
import { apiVersionOf, type Kind } from '@tenantry/runtime/kinds/kind';
import type { OpenedCluster } from '../cluster/with-cluster.ts';
import { formatNumber } from '../console-output.ts';
import { KindList } from '../live-source/kind-list.ts';
import { MissingRights, readLists } from '../live-source/read-cluster.ts';
import { explainMissingRights } from '../live-source/reader-role.ts';
import { ProgressLine } from '../progress-line.ts';
import { UsageError } from '../usage-error.ts';
import { buildSource, type AccessSource } from './access-source.ts';

/** The kinds that are listed of a cluster. */
const kinds: readonly Kind[] = [Role, ClusterRole, RoleBinding, ClusterRoleBinding, Namespace];

/** The name of the ClusterRole that a refusal shows. */
const READER = 'tenantry-access';

/**
 * Reads all roles, bindings and Namespaces of a cluster. It only lists.
 * @throws {UsageError} if the user may not list them, or one of them cannot be read
 */
export async function readLiveSource({ client, server }: OpenedCluster): Promise<AccessSource> {
  const lists = kinds.map(
    (kind) =>
      new KindList<KubeObject>(client, kind, {
        read: (object) => ({
          ...(object as unknown as KubeObject),
          apiVersion: apiVersionOf(kind),
          kind: kind.kind,
        }),
        readUnreadable: ({ metadata, error }) => {
          throw new UsageError(
            `${kind.kind} ${escapeForTerminal(metadata.name ?? '')} of the cluster must be readable: ${escapeForTerminal(error.message)}`,
          );
        },
      }),
  );
  const progress = new ProgressLine(true);
  try {
    await readLists(lists, (objects) => progress.show(`${formatNumber(objects)} objects read`));
  } catch (error) {
    if (!(error instanceof MissingRights)) throw error;
    throw new UsageError(explainMissingRights(error.missing, error.kinds, READER), {
      cause: error,
    });
  } finally {
    progress.end();
  }
  const objects = lists.flatMap(({ items }) => items).map((object) => ({ object }));
  return buildSource(server, objects, true);
}
