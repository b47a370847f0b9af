import { expect, test } from '@jest/globals';
import { isAddedPullSecret } from '../../../operator/stored/controller-writes.ts';
import { keepAddedPullSecrets } from '../../../operator/stored/content.ts';

const account = (name: string, ...secrets: readonly string[]) => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name, namespace: 'acme' },
  ...(secrets.length > 0 && { imagePullSecrets: secrets.map((one) => ({ name: one })) }),
});

const long = 'a-service-account-with-a-name-that-is-too-long-for-its-secret';

test.each([
  ['builder', 'builder-dockercfg-abc12'],
  ['a-dockercfg-x', 'a-dockercfg-x-dockercfg-7k2pq'],
  [long, `${long.slice(0, 38)}-0badc0de-dockercfg-abc12`],
])('a pull secret named after the account %s belongs to a controller: %s', (name, secret) => {
  expect(isAddedPullSecret(name, { name: secret })).toBe(true);
});

test.each([
  ['builder', 'default-dockercfg-abc12'],
  ['builder', 'builder-2-dockercfg-abc12'],
  ['builder', 'builder-dockercfg'],
  ['builder', 'builder-dockercfg-abc123'],
  ['builder', 'builder-dockercfg-ABC12'],
  ['builder', 'regcred'],
  [long, `${long}-dockercfg-abc12`],
  [long, `${long.slice(0, 37)}-0badc0de-dockercfg-abc12`],
  [long, `${long.slice(0, 38)}-nothash1-dockercfg-abc12`],
])('another pull secret of the account %s was declared or added by a user: %s', (name, secret) => {
  expect(isAddedPullSecret(name, { name: secret })).toBe(false);
  expect(isAddedPullSecret(name, secret)).toBe(false);
});

test('a written account contains exactly the declared entries and those of controllers', () => {
  const added = 'builder-dockercfg-abc12';
  const live = account('builder', 'mine', added);
  const secretsOf = (object: object): unknown =>
    (object as { readonly imagePullSecrets?: unknown }).imagePullSecrets;
  expect(secretsOf(keepAddedPullSecrets(account('builder', 'regcred'), live))).toEqual([
    { name: 'regcred' },
    { name: added },
  ]);
  expect(secretsOf(keepAddedPullSecrets(account('builder'), live))).toEqual([{ name: added }]);
  const older = account('builder', 'regcred', 'builder-dockercfg-old99');
  expect(secretsOf(keepAddedPullSecrets(older, live))).toEqual([
    { name: 'regcred' },
    { name: added },
  ]);
  expect(keepAddedPullSecrets(account('builder'), account('builder', 'mine'))).toEqual(
    account('builder'),
  );
});
