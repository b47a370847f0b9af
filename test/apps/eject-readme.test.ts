import { expect, test } from '@jest/globals';
import { formatReadme } from '../../apps/eject/readme.ts';
import { planLeaving } from '../../apps/eject/steps.ts';
import { eject } from './ejected.ts';
import { platform, tenant, tenantClass, withFleet } from './fleet.ts';

const readmeOf = (spec: object, withoutPolicies = false): string =>
  withFleet({ 'tenantry.yaml': platform(spec), 'tenants/shop.yaml': tenant('shop') }, (fleet) => {
    const ejection = eject(fleet.rendered(), withoutPolicies);
    const folders = { out: "the team's", to: 'ejected' };
    return formatReadme(ejection, planLeaving(ejection), folders);
  });

test('without Argo CD the files are applied and the Tenants are deleted by hand', () => {
  const readme = readmeOf({ clusters: [{ name: 'eu1' }, { name: 'us1' }] });
  expect(readme).toContain(
    `kubectl apply --server-side --force-conflicts -R -f 'the team'\\''s/clusters/us1'`,
  );
  expect(readme).toContain('kubectl delete tenants.tenantry.dev --all');
  expect(readme).toContain('On each of the clusters eu1, us1:');
  expect(readme).not.toContain('argocd-cm');
});

test('policies are removed after the operator, and before the marks that they read', () => {
  const readme = readmeOf({ clusters: [{ name: 'eu1' }] }, true);
  const titles = Array.from(readme.matchAll(/^## Step \d: (.*)$/gm), ([, title]) => title);
  expect(titles).toEqual([
    'stop using Tenantry',
    'release what is removed by hand',
    'remove the operator',
    'remove the admission policies',
    'replace the files',
    'remove the definitions',
  ]);
  const bindings = readme.indexOf('delete validatingadmissionpolicybinding');
  expect(bindings).toBeGreaterThan(0);
  expect(readme.indexOf('delete validatingadmissionpolicy.')).toBeGreaterThan(bindings);
  expect(readme.indexOf('jq -r')).toBeGreaterThan(bindings);
});

test('the account of an operator that heals loses its rights before the policy that limits it', () => {
  const readme = readmeOf({
    clusters: [{ name: 'eu1' }],
    operator: { image: 'registry.example.com/tenantry:1', driftPolicy: 'Heal' },
  });
  const order = [
    'delete deployment',
    'clusterrolebinding',
    'serviceaccount',
    'admissionpolicybinding',
    'admissionpolicy.',
  ];
  const places = order.map((word) => readme.indexOf(word));
  expect(places.every((place) => place > 0)).toBe(true);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(readme).toContain('--field-manager=tenantry-operator');
  expect(readmeOf({ clusters: [{ name: 'eu1' }] })).not.toContain(
    '--field-manager=tenantry-operator',
  );
});

test('requested access ends after the operator is removed, and before its definition', () => {
  const readme = readmeOf({
    clusters: [{ name: 'eu1' }],
    operator: { image: 'registry.example.com/tenantry:1', driftPolicy: 'Heal' },
  });
  const order = ['delete deployment', 'delete accessrequests.tenantry.dev --all', 'delete crd'];
  const places = order.map((word) => readme.indexOf(word));
  expect(places.every((place) => place > 0)).toBe(true);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(readme).toContain('tenantclasses.tenantry.dev accessrequests.tenantry.dev');
  expect(readmeOf({ clusters: [{ name: 'eu1' }] })).not.toContain('accessrequests');
});

test('a namespace stays whose accounts have rights', () => {
  const source = { repoURL: 'https://git.example.com/a.git' };
  const clusters = [{ name: 'eu1', server: 'https://eu1.example.com' }];
  const impersonated = { clusters, argocd: { source, impersonation: 'Enabled' } };
  const argocd = { sourceRepos: ['https://git.example.com/shop.git'] };
  const klass = { allow: argocd };
  const readme = withFleet(
    {
      'tenantry.yaml': platform({ ...impersonated, defaultClass: 'standard' }),
      'tenants/classes/standard.yaml': tenantClass('standard', klass),
      'tenants/shop.yaml': tenant('shop', { argocd }),
    },
    (fleet) => {
      const ejection = eject(fleet.rendered());
      return formatReadme(ejection, planLeaving(ejection), { out: 'dist', to: 'ejected' });
    },
  );
  expect(readme).toContain('On eu1, keep the namespace `tenantry-system`: ');
  expect(readmeOf({ clusters })).toContain('`kubectl delete namespace tenantry-system`');
});

test('clusters that sync a branch of their own need the commits there', () => {
  const source = { repoURL: 'https://git.example.com/a.git', targetRevision: 'main' };
  const eu1 = { name: 'eu1', server: 'https://eu1.example.com' };
  const readme = readmeOf({
    clusters: [{ ...eu1, targetRevision: 'env/eu1' }],
    argocd: { source },
  });
  expect(readme).toContain('Some clusters sync another revision: `env/eu1`.');
  expect(readmeOf({ clusters: [eu1], argocd: { source } })).not.toContain('another revision');
});
