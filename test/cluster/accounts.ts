import { expect } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';
import { roleObjects, type AccessRequest, type AccessRule } from '@tenantry/kube/access';
import { accessUse } from '@tenantry/testing/access/access-use';
import type { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import type { Client } from '@tenantry/testing/controlplane/client';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { until } from '@tenantry/testing/waiting/until';
import { uniqueName } from '@tenantry/testing/test/controlplane/shared';

/** A right that no test uses, and the reason why it is granted. */
export type NeverUsed = readonly [right: AccessRule, because: string];

export const STREAMED =
  'lists are streamed by watches; servers that cannot stream them return pages';

/** See runtime-owners.test.ts. */
export const ASKED_BY_ADMISSION =
  'the admission plugin OwnerReferencesPermissionEnforcement requires it on clusters that enable it';

/** A ServiceAccount whose roles grant exactly the declared rights. */
export class Account {
  readonly client: Client;
  readonly user: string;
  readonly #cluster: ClusterAccess;
  readonly #access: readonly AccessRule[];

  private constructor(
    cluster: ClusterAccess,
    client: Client,
    user: string,
    access: readonly AccessRule[],
  ) {
    this.#cluster = cluster;
    this.client = client;
    this.user = user;
    this.#access = access;
  }

  /** Creates a new account in this namespace. */
  static async make(
    cluster: ClusterAccess,
    namespace: string,
    access: readonly AccessRule[],
  ): Promise<Account> {
    const name = uniqueName('account');
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } };
    const roles: readonly object[] = Object.values(roleObjects({ name, namespace, access }));
    for (const object of [account, ...roles]) {
      const { status, body } = await cluster.admin.create(object as Body);
      if (status !== 201) throw new Error(body.message);
    }
    return this.of(cluster, { name, namespace }, access);
  }

  /** Returns an existing account, once the API server knows its roles. */
  static async of(
    cluster: ClusterAccess,
    { name, namespace }: { readonly name: string; readonly namespace: string },
    access: readonly AccessRule[],
  ): Promise<Account> {
    const user = `system:serviceaccount:${namespace}:${name}`;
    const client = await cluster.serviceAccount(namespace, name);
    const requests = access.flatMap(requestsOf);
    await until(`the roles of ${user} are known`, async () => {
      const answers = requests.map((request) => isAllowed(cluster, user, request));
      return (await Promise.all(answers)).every(Boolean);
    });
    return new Account(cluster, client, user, access);
  }

  /**
   * Expects that no request was refused so far and that no undeclared right was granted. Every declared right must
   * have been used, except those in `neverUsed`.
   */
  async expectExactAccess(neverUsed: readonly NeverUsed[] = []): Promise<void> {
    const expected = linesOf(neverUsed.map(([right]) => right));
    const use = () => {
      const entries = this.#cluster.auditLog();
      const { unused, ...rest } = accessUse({ user: this.user, access: this.#access, entries });
      return { unused: linesOf(unused), ...rest };
    };
    // A request reaches the audit log some time after its answer.
    const isComplete = () => isDeepStrictEqual(use().unused, expected);
    await until('the log has every used right', isComplete).catch(() => undefined);
    expect(use()).toEqual({ unused: expected, refused: [], ungranted: [] });
  }
}

/** Reports whether an authorizer of the cluster allows a request. */
export async function isAllowed(
  cluster: ClusterAccess,
  user: string,
  request: AccessRequest,
): Promise<boolean> {
  const [resource, subresource] = request.resource.split('/');
  const { status, body } = await cluster.admin.create({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    metadata: {},
    spec: { user, resourceAttributes: { ...request, resource, subresource } },
  });
  if (status !== 201) throw new Error(body.message);
  return (body.status as { allowed: boolean }).allowed;
}

/** Returns the requests that a rule allows: one for each verb, name and namespace. */
function requestsOf({
  group,
  resource,
  verbs,
  resourceNames = [],
  namespaces = [],
}: AccessRule): AccessRequest[] {
  const names = resourceNames.length > 0 ? resourceNames : [undefined];
  const places = namespaces.length > 0 ? namespaces : [undefined];
  return verbs.flatMap((verb) =>
    names.flatMap((name) =>
      places.map((namespace) => ({ group, resource, verb, name, namespace })),
    ),
  );
}

function linesOf(rules: readonly AccessRule[]): string[] {
  const lines = rules
    .flatMap(requestsOf)
    .map(({ verb, group, resource, name, namespace }) =>
      [
        `${verb} ${group === '' ? resource : `${resource}.${group}`}`,
        name === undefined ? '' : ` named ${name}`,
        namespace === undefined ? '' : ` in ${namespace}`,
      ].join(''),
    );
  return lines.toSorted();
}
