import { namespaces, roleBindings, serviceAccounts } from '../../../operator/cluster/kinds.ts';
import { allow } from '@tenantry/runtime/access/grant';
import { controller } from '@tenantry/runtime/controller/controller';
import type { Controller } from '@tenantry/runtime/controller/declaration';
import { done } from '@tenantry/runtime/controller/context';
import { ifExists, ifGone } from '@tenantry/runtime/errors/reaction';
import { Namespace, ServiceAccount } from '@tenantry/runtime/kinds/core';
import { RoleBinding } from '@tenantry/runtime/kinds/rbac';

const apiGroup = 'rbac.authorization.k8s.io';

// One program runs these controllers together with the operator and shares its caches. They watch the fields that the
// operator keeps of a kind.

/** The pull secret of an account, as OpenShift names it; the suffix is always the same here. */
export const pullSecretOf = (account: string): string => `${account}-dockercfg-x7k2p`;

/** Creates these accounts in each new namespace before any other client can. */
export function accountMaker(names: readonly string[] = ['default']): Controller {
  return controller({
    name: 'account-maker',
    for: namespaces,
    watches: [
      {
        kind: serviceAccounts,
        map: ({ metadata: { namespace = '' } }) => [{ name: namespace }],
      },
    ],
    access: [allow(ServiceAccount, 'create')],
    async reconcile({ object, client, cache }) {
      const namespace = object.metadata.name;
      for (const name of names) {
        if (cache.get(serviceAccounts, { name, namespace })) continue;
        await client.create(ServiceAccount, { metadata: { name, namespace } }).catch(ifExists);
      }
      return done;
    },
  });
}

/**
 * Adds a pull secret to each account, and adds it again after a removal. OpenShift's controller for the internal
 * registry does the same: it applies the whole list, including the entries that it found.
 */
export function pullSecretWriter(): Controller {
  return controller({
    name: 'pull-secret-writer',
    for: serviceAccounts,
    access: [allow(ServiceAccount, 'get', 'patch')],
    async reconcile({ object, client }) {
      const whole = await client.get(ServiceAccount, object.metadata).catch(ifGone);
      if (!whole) return done;
      const { name, namespace, uid, resourceVersion } = whole.metadata;
      const { imagePullSecrets = [] } = whole;
      const secret = { name: pullSecretOf(name) };
      if (imagePullSecrets.some((one) => one.name === secret.name)) return done;
      const annotations = { 'openshift.io/internal-registry-pull-secret-ref': secret.name };
      const metadata = { name, namespace, uid, resourceVersion, annotations };
      const added = {
        metadata,
        secrets: [secret],
        imagePullSecrets: [...imagePullSecrets, secret],
      };
      await client.apply(ServiceAccount, added, { force: true });
      return done;
    },
  });
}

/** Labels each Namespace as OpenShift's Pod Security label controller does, unless another client has set the label. */
export function securityLabelWriter(): Controller {
  const labels = {
    'pod-security.kubernetes.io/audit': 'restricted',
    'pod-security.kubernetes.io/audit-version': 'latest',
    'pod-security.kubernetes.io/warn': 'restricted',
    'pod-security.kubernetes.io/warn-version': 'v1.24',
    'pod-security.kubernetes.io/enforce-version': 'latest',
  };
  return controller({
    name: 'security-label-writer',
    for: namespaces,
    access: [allow(Namespace, 'patch')],
    async reconcile({ object, client }) {
      const { name, labels: own = {} } = object.metadata;
      const missing = Object.entries(labels).filter(([key]) => !Object.hasOwn(own, key));
      if (missing.length === 0) return done;
      await client.patch(
        Namespace,
        { name },
        { metadata: { labels: Object.fromEntries(missing) } },
      );
      return done;
    },
  });
}

/** Creates the default bindings of OpenShift in each namespace, and creates deleted ones again. */
export function defaultBindingMaker(): Controller {
  const bindingsIn = (namespace: string) => [
    {
      name: 'system:image-pullers',
      role: 'system:image-puller',
      subject: { kind: 'Group', apiGroup, name: `system:serviceaccounts:${namespace}` },
    },
    {
      name: 'system:deployers',
      role: 'system:deployer',
      subject: { kind: 'ServiceAccount', namespace, name: 'deployer' },
    },
  ];
  return controller({
    name: 'default-binding-maker',
    for: namespaces,
    watches: [
      { kind: roleBindings, map: ({ metadata: { namespace = '' } }) => [{ name: namespace }] },
    ],
    access: [allow(RoleBinding, 'create')],
    async reconcile({ object, client, cache }) {
      const namespace = object.metadata.name;
      for (const { name, role, subject } of bindingsIn(namespace)) {
        if (cache.get(roleBindings, { name, namespace })) continue;
        const roleRef = { apiGroup, kind: 'ClusterRole', name: role };
        const binding = { metadata: { name, namespace }, roleRef, subjects: [subject] };
        await client.create(RoleBinding, binding).catch(ifExists);
      }
      return done;
    },
  });
}

/** Returns all controllers of OpenShift that write to tenant namespaces and to declared objects. */
export function openShiftControllers(): readonly Controller[] {
  return [
    accountMaker(['default', 'builder', 'deployer']),
    pullSecretWriter(),
    securityLabelWriter(),
    defaultBindingMaker(),
  ];
}
