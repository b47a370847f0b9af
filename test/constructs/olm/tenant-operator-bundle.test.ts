import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TenantOperatorBundle } from '../../../constructs/operator/tenant-operator-bundle.ts';
import type { PlatformSpec } from '../../../model/declaration.ts';
import { resolvePlatform } from '../../../model/platform.ts';
import { InvalidInput } from '@tenantry/kube/problem';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { readBundle } from '@tenantry/olm/folder/read-bundle';
import { validateBundle } from '@tenantry/olm/rules/validate-bundle';
import { readSettings, resolveCluster } from '../../../operator/settings/read-settings.ts';
import { formatFlag, settingNames } from '../../../operator/settings/settings.ts';
import { App } from '../../../synth/app.ts';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { distFolders } from '../../cluster/dist.ts';
import { bundleIn } from '../../cluster/olm/committed.ts';
import { partsOf } from '../../cluster/olm/install-bundle.ts';
import { ownPlatform } from '../../cluster/tenants.ts';
import { inFolder } from '../../synth/output/folders.ts';

const repository = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(repository, path), 'utf8');
const { version } = JSON.parse(read('package.json')) as { readonly version: string };

/** Reads the objects without types; tests in test/cluster check what API servers make of the fields. */
// oxlint-disable-next-line typescript/no-explicit-any
type Fields = Record<string, any>;

/** The committed bundle. */
const ownFiles = bundleIn(`olm/bundle/${version}`);

const about = {
  version: '1.2.3',
  provider: { name: 'Example' },
  maintainers: [{ name: 'Platform', email: 'platform@example.com' }],
};
const image = 'registry.example.com/tenantry:1.2.3';

/** Returns the messages of its synthesis. */
function messagesOf(spec: PlatformSpec): string[] {
  const messages: string[] = [];
  inFolder((folder) => {
    const app = new App({ outdir: join(folder, 'dist') });
    new TenantOperatorBundle(app, 'b', { platform: resolvePlatform(spec), ...about });
    try {
      app.synth();
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      messages.push(...error.problems.map((one) => `${one.path} ${one.message}`));
    }
  })();
  return messages;
}

const specOf = (spec: PlatformSpec): Fields =>
  partsOf(
    new TenantOperatorBundle(new App(), 'b', { platform: resolvePlatform(spec), ...about, image })
      .files,
  ).csv.spec;

test("Tenantry's own operator has a bundle, and no suite reports a finding for it", () => {
  const bundle = readBundle(join(repository, 'dist/olm/bundle', version));
  for (const suite of ['default', 'operatorhub', 'community', 'good-practices'] as const) {
    expect(
      validateBundle(bundle, { suite }).filter(({ severity }) => severity === 'error'),
    ).toEqual([]);
  }
  expect(partsOf(ownFiles).csv.metadata?.name).toBe(`tenantry-operator.v${version}`);
  const catalog = read('dist/olm/catalog/tenantry-operator/catalog.yaml');
  expect(catalog).toContain(`name: tenantry-operator.v${version}`);
});

test('it has exactly the rights of the operator in dist', () => {
  const { clusterPermissions, permissions } = partsOf(ownFiles).csv.spec.install.spec;
  const objects = distFolders('fra1').flatMap((folder) => folder.objects) as Fields[];
  const rulesOf = (kind: string): unknown =>
    objects.find((one) => one['kind'] === kind && one['metadata'].name === 'tenantry-operator')![
      'rules'
    ];
  const account = { serviceAccountName: 'tenantry-operator' };
  expect(clusterPermissions).toEqual([{ ...account, rules: rulesOf('ClusterRole') }]);
  expect(permissions).toEqual([{ ...account, rules: rulesOf('Role') }]);
});

test.each(ownPlatform().clusters.map(({ name }) => name))(
  'with the ConfigMap of %s installed, the operator knows its cluster',
  (cluster) => {
    const { data, metadata } = readDocuments(read(`dist/olm/platform/${cluster}.yaml`))
      .documents[0]!.value as Fields;
    expect(metadata).toMatchObject({ name: 'tenantry-platform', namespace: 'tenantry-system' });
    const [deployment] = (partsOf(ownFiles).csv.spec.install.spec as Fields)['deployments'];
    const [container] = deployment.spec.template.spec.containers;
    const flags = container.args.slice(2).map((flag: string) => {
      const [, name = '', value = ''] = /^--([a-z-]+)=(.*)$/.exec(flag)!;
      return [settingNames.find((one) => formatFlag(one) === name)!, value];
    });
    const { name, key } = container.env[0].valueFrom.configMapKeyRef;
    expect(name).toBe(metadata.name);
    const parsed = readSettings({
      flags: Object.fromEntries(flags),
      environment: { [container.env[0].name]: data[key], [container.env[1].name]: 'elsewhere' },
      readFile: () => '',
    });
    expect(parsed.problems).toEqual([]);
    expect(parsed.settings).toMatchObject({ cluster, leaseNamespace: 'elsewhere' });
    expect(container.env[1].valueFrom.fieldRef.fieldPath).toBe('metadata.namespace');
    const text = data['platform.yaml'];
    expect(resolveCluster(parsed, { platform: ownPlatform(), text })).toEqual({
      cluster,
      problems: [],
    });
    // The same text as Argo CD applies in other clusters.
    const applied = distFolders(cluster).flatMap((folder) => folder.objects);
    const other = applied.find((one: Body) => one.metadata?.name === 'tenantry-platform') as Fields;
    expect(other['data']['platform.yaml']).toBe(text);
  },
);

test('its pods reach what they need on any cluster of the platform', () => {
  const policy = partsOf(ownFiles).others.find(({ kind }) => kind === 'NetworkPolicy') as Fields;
  const text = JSON.stringify(policy['spec']);
  for (const { monitoring, dns } of ownPlatform().clusters) {
    for (const peer of [...monitoring, ...dns]) expect(text).toContain(JSON.stringify(peer));
  }
  expect(policy['spec'].egress.at(-1)).toEqual({
    ports: [
      { port: 443, protocol: 'TCP' },
      { port: 6443, protocol: 'TCP' },
    ],
  });
});

test('kinds to compare are part of its rights', () => {
  const rules = (spec: PlatformSpec): Fields[] =>
    specOf(spec)['install'].spec.clusterPermissions[0].rules;
  const asked = (spec: PlatformSpec) =>
    rules(spec).some(({ resources }) => resources.includes('configmaps'));
  expect(asked({ operator: { comparedKinds: [{ kind: 'ConfigMap' }] } })).toBe(true);
  expect(asked({})).toBe(false);
});

test('a platform whose operator writes has no bundle, as a bundle cannot contain the policy that bounds it', () => {
  const instead =
    'a bundle holds no ValidatingAdmissionPolicy that bounds it; use clusters/<cluster>/operator/';
  expect(messagesOf({ operator: { image } })).toEqual([]);
  expect(messagesOf({ operator: { image, driftPolicy: 'Heal' } })).toEqual([
    `platform.operator.driftPolicy must be 'Observe' in a bundle, got 'Heal': ${instead}`,
  ]);
  const hooks = [
    {
      name: 'cmdb',
      events: ['Onboarded'],
      webhook: { url: 'https://cmdb.example.com' },
      secret: 'cmdb',
    },
  ];
  expect(messagesOf({ operator: { image, hooks: hooks as never } })).toEqual([
    `platform.operator.hooks must be left out for a bundle: ${instead}`,
  ]);
});

test('without an image there is no bundle', () => {
  expect(messagesOf({})).toEqual([expect.stringMatching(/^operator\.image must be /)]);
});
