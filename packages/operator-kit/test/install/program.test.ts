import { expect, test } from '@jest/globals';
import {
  findAccount,
  buildContextKubeconfig,
  buildImpersonationKubeconfig,
} from '../../install/program/operator-program.ts';
import { resolveContext, mergeKubeconfigs } from '@tenantry/runtime/connection/kubeconfig';
import type { PlacedObject } from '../../install/objects/placed-objects.ts';
import { Deployment } from '@tenantry/runtime/kinds/apps';
import { ServiceAccount } from '@tenantry/runtime/kinds/core';

const kubeconfig = (user: object): string =>
  JSON.stringify({
    'current-context': 'home',
    clusters: [
      { name: 'home', cluster: { server: 'https://a', 'certificate-authority': 'ca.crt' } },
    ],
    contexts: [{ name: 'home', context: { cluster: 'home', user: 'me', namespace: 'shops' } }],
    users: [{ name: 'me', user }],
  });

const chosen = (user: object) =>
  resolveContext(mergeKubeconfigs([{ file: '/etc/me/.kube/config', text: kubeconfig(user) }]));

const account = { name: 'shops', namespace: 'shops-system' };

test('impersonation uses the credentials of the context, whose files are found from any folder', () => {
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: './login' };
  expect(
    buildImpersonationKubeconfig(chosen({ tokenFile: '../token', exec }), account),
  ).toMatchObject({
    clusters: [
      { cluster: { server: 'https://a', 'certificate-authority': '/etc/me/.kube/ca.crt' } },
    ],
    contexts: [{ context: { namespace: 'shops' } }],
    users: [
      {
        user: {
          tokenFile: '/etc/me/token',
          exec: { command: '/etc/me/.kube/login' },
          as: 'system:serviceaccount:shops-system:shops',
        },
      },
    ],
  });
});

test('a context that already impersonates a user is refused', () => {
  expect(() =>
    buildImpersonationKubeconfig(chosen({ token: 'secret', as: 'boss' }), account),
  ).toThrow('the context must not impersonate a user already, got as: boss');
});

test('a context is selected without writing down a credential', () => {
  expect(JSON.stringify(buildContextKubeconfig(chosen({ token: 'secret' })))).not.toContain(
    'secret',
  );
});

const workload = (name: string, serviceAccountName?: string): PlacedObject => ({
  kind: Deployment,
  object: {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shops-system' },
    spec: { template: { spec: { serviceAccountName } } },
  },
});
const lone = (name: string): PlacedObject => ({
  kind: ServiceAccount,
  object: {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name, namespace: 'shops-system' },
  },
});

test('the account is that of the Deployment, or the only one', () => {
  expect(findAccount([lone('other'), workload('a', 'shops')])).toEqual(account);
  expect(findAccount([workload('a', 'shops'), workload('b', 'shops')])).toEqual(account);
  expect(findAccount([workload('a')])).toEqual({ ...account, name: 'default' });
  expect(findAccount([lone('shops')])).toEqual(account);
  const must = 'the manifests must have one Deployment with a ServiceAccount, got ';
  expect(findAccount([])).toBe(`${must}none`);
  expect(findAccount([workload('a', 'x'), workload('b', 'y')])).toBe(
    `${must}shops-system/x, shops-system/y`,
  );
});
