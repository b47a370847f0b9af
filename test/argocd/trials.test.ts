import { expect } from '@jest/globals';
import { RESERVED_KEYS_NAME } from '../../model/policies/reserved-keys.ts';
import type { PlatformSpec } from '../../crds/platform.ts';
import { toReference, type Body } from '@tenantry/testing/controlplane/objects';
import { until } from '@tenantry/testing/waiting/until';
import { tenant } from '../cli/project.ts';
import { isAllowed } from '../cluster/accounts.ts';
import { testUnless } from '../skipping.ts';
import { readTrial, readTrialText, trialsReason } from '../trials.ts';
import { isSettled } from './application.ts';
import { argoCdTests } from './tests.ts';
import { sharedWorld } from './world.ts';

const given = await argoCdTests();
const test = testUnless(trialsReason, given.test);

const FAULTY = ['gamma', 'kappa', 'iota'];
const SOUND = ['payments', 'mallory', 'alpha', 'beta'];

const gamma = () => readTrialText('missing-crd/gamma.yaml');
const unhealthy = (name: string) => readTrialText(`refused-plus-unhealthy/${name}.yaml`);
const payments = () => readTrialText('argocd-tracking-forge/tenants/payments.yaml');

const inProd = (name: string, access: object = {}) =>
  tenant(name, { namespaces: [{ name: `${name}-prod` }], access });

/** The files of the trials, with the tenants that they need and lack. */
const worldOf = sharedWorld(given, () => {
  const [{ spec }] = readTrial('missing-crd/tenantry.yaml') as [{ spec: Required<PlatformSpec> }];
  const { kinds, environments, defaultClass } = spec;
  const files = {
    'tenants/classes/standard.yaml': readTrialText('refused-plus-unhealthy/classes/standard.yaml'),
    'tenants/gamma.yaml': gamma(),
    'tenants/kappa.yaml': unhealthy('kappa'),
    'tenants/iota.yaml': unhealthy('iota'),
    'tenants/payments.yaml': payments(),
    'tenants/mallory.yaml': inProd('mallory', { admins: { users: ['mallory-second'] } }),
    'tenants/alpha.yaml': inProd('alpha'),
    'tenants/beta.yaml': inProd('beta'),
  };
  return { files, platform: { kinds, environments, defaultClass } };
});

/** Returns the text without the users of one role. Throws if the role has none. */
function without(text: string, role: string): string {
  const revoked = text.replace(new RegExp(`${role}: \\{users: \\[[^\\]]*\\]\\}`), `${role}: {}`);
  if (revoked === text) throw new Error(`no users of ${role} in ${text}`);
  return revoked;
}

/** The users and tenants of each revocation in the commit. */
const revoked: readonly [user: string, namespace: string][] = [
  ['carol@example.com', 'gamma-dev'],
  ['carol@example.com', 'gamma-prod'],
  ['fay@example.com', 'kappa-prod'],
  ['fay@example.com', 'iota-prod'],
  ['payments-admin', 'payments-prod'],
];

test('a missing definition, a refused object next to a waiting workload, and a forged object block no revocation', async () => {
  const { argoCd, cluster, company } = await worldOf();
  const whoMay = async () => {
    const asked = { group: '', resource: 'configmaps', verb: 'update' } as const;
    const may = await Promise.all(
      revoked.map(([user, namespace]) => isAllowed(cluster, user, { ...asked, namespace })),
    );
    return revoked.filter((_, i) => may[i]);
  };
  const refresh = () => argoCd.refresh([...FAULTY, ...SOUND].map((name) => `eu1.${name}`));
  await argoCd.refresh();
  for (const name of SOUND) await argoCd.untilTenantSettled(`eu1.${name}`, company.git.head);
  await until('all have access', async () => (await whoMay()).length === revoked.length);

  const [forged] = readTrial('argocd-tracking-forge/forged.yaml') as [Body];
  const mallory = cluster.user('mallory-second');
  await until('the admission policy refuses it', async () => {
    const { status, body } = await mallory.create(forged, { dryRun: true });
    return status === 403 && body.message?.includes(RESERVED_KEYS_NAME);
  });
  expect((await cluster.admin.create(forged)).status).toBe(201);

  await company.merge('Revoke, and one more namespace', {
    'tenants/gamma.yaml': without(gamma(), 'editors').replace(
      /^ {2}namespaces:$/m,
      '$&\n    - {name: gamma-new}',
    ),
    'tenants/kappa.yaml': without(unhealthy('kappa'), 'editors'),
    'tenants/iota.yaml': without(unhealthy('iota'), 'editors'),
    'tenants/payments.yaml': without(payments(), 'admins'),
  });
  await refresh();
  await until('all is revoked', async () => (await whoMay()).length === 0, { every: 500 });
  const added = { apiVersion: 'v1', kind: 'Namespace', name: 'gamma-new' };
  await until('the namespace is there', async () => {
    return (await cluster.admin.get(added)).status === 200;
  });
  for (const name of FAULTY) {
    const resources = await argoCd.application(`eu1.${name}.tenantry.resources`);
    expect([name, isSettled(resources!)]).toEqual([name, false]);
  }
  expect((await cluster.admin.get(toReference(forged))).status).toBe(200);
});

test('a file in the folder of one tenant binds nobody in a namespace of another', async () => {
  const { argoCd, cluster, company } = await worldOf();
  const file = 'cross-tenant-file/stray.yaml';
  company.git.commit('Stray', {
    'dist/clusters/eu1/tenants/alpha/stray.yaml': readTrialText(file),
  });
  await argoCd.refresh(['eu1.alpha', 'eu1.beta']);
  await argoCd.untilApplication('it refuses the file', 'eu1.alpha', ({ status }) =>
    /beta-prod.*not permitted in project/s.test(status?.operationState?.message ?? ''),
  );
  const [binding] = readTrial(file) as [Body];
  expect((await cluster.admin.get(toReference(binding))).status).toBe(404);
});
