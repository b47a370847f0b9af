import type { ResourceAttributes } from '@tenantry/kube/api/authorization';
import { roleObjects, type AccessRule } from '@tenantry/kube/access';
import { omitUndefined } from '@tenantry/kube/mapping';
import type { Client } from '@tenantry/runtime/client/client';
import type { Connection } from '@tenantry/runtime/connection/connection';
import { ifExists } from '@tenantry/runtime/errors/reaction';
import { SubjectAccessReview } from '@tenantry/runtime/kinds/authorization';
import { Namespace } from '@tenantry/runtime/kinds/core';
import { until } from '../waiting/until.ts';

/** A user of a control plane. */
export interface ClusterUser {
  /** The name in RBAC and in the audit log: `alice`, `system:serviceaccount:shop:operator`. */
  readonly name: string;
  /** For `openClient` and the fault proxies. */
  readonly connection: Connection;
  /** A client that acts as this user, without a rate limit. It is closed with the control plane. */
  readonly client: Client;
  /** The path of a kubeconfig file, for programs. It is deleted with the control plane. */
  readonly kubeconfig: string;
}

/** The subject of a grant, as RBAC and a SubjectAccessReview name it. */
export interface Subject {
  readonly user: string;
  readonly groups: readonly string[];
  /** The subject in a role binding. */
  readonly of: object;
  /** The name of the roles and their bindings. */
  readonly roleName: string;
}

/**
 * Grants exactly these rights, and waits until the API server enforces them. Namespaces that do not
 * exist are created.
 */
export async function grantAccess(
  admin: Client,
  subject: Subject,
  access: readonly AccessRule[],
  apply: (object: object) => Promise<void>,
): Promise<void> {
  for (const name of new Set(access.flatMap(({ namespaces = [] }) => namespaces))) {
    await admin.create(Namespace, { metadata: { name } }).catch(ifExists);
  }
  const { roleName: name, of } = subject;
  for (const object of Object.values(roleObjects({ name, namespace: 'default', access }))) {
    await apply('roleRef' in object ? { ...object, subjects: [of] } : object);
  }
  for (const rule of access) {
    await until(`${subject.user} may ${rule.verbs[0]} ${rule.resource}`, () =>
      isGranted(admin, subject, rule),
    );
  }
}

/** Checks one verb of a rule: a role takes effect as a whole. */
async function isGranted(
  admin: Client,
  { user, groups }: Subject,
  { group, resource: path, verbs: [verb = 'get'], resourceNames, namespaces }: AccessRule,
): Promise<boolean> {
  const [resource = '', subresource] = path.split('/');
  const resourceAttributes: ResourceAttributes = omitUndefined({
    group,
    resource,
    verb,
    subresource,
    name: resourceNames && (resourceNames[0] ?? ''),
    namespace: namespaces && (namespaces[0] ?? ''),
  });
  const spec = { user, groups, resourceAttributes };
  const { status } = await admin.create(SubjectAccessReview, { metadata: {}, spec });
  return status?.allowed === true;
}
