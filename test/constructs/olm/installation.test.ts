import { Chart, Testing } from 'cdk8s';
import { expect, test } from '@jest/globals';
import type { BundleProps } from '@tenantry/olm/constructs/bundle/props';
import { Bundle } from '@tenantry/olm/constructs/bundle';
import type { OperatorSpec } from '@tenantry/operator-kit/parts/spec';
import { Catalog } from '@tenantry/olm/constructs/catalog';
import {
  BundleInstallation,
  type BundleInstallationProps,
} from '@tenantry/olm/constructs/installation';
import { App } from '../../../synth/app.ts';
import { props } from '@tenantry/olm/test/constructs/operators';

const { access } = props.operator as OperatorSpec;

type InstallationOptions = BundleInstallationProps extends infer P
  ? P extends unknown
    ? Omit<P, 'bundle'>
    : never
  : never;

function installed(options: InstallationOptions, more: Partial<BundleProps> = {}) {
  const app = new App();
  const bundle = new Bundle(app, 'bundle', { ...props, installModes: ['AllNamespaces'], ...more });
  const chart = new Chart(app, 'install');
  const construct = new BundleInstallation(chart, 'redis', { ...options, bundle });
  return { app, bundle, chart, construct };
}

const messagesOf = (app: App): string[] => app.node.findAll().flatMap((one) => one.node.validate());

test('a bundle is installed by a Subscription, or by a ClusterExtension with its account', () => {
  const v0 = installed({ namespace: 'caches', channel: 'candidate' });
  expect(messagesOf(v0.app)).toEqual([]);
  expect(v0.construct.node.children.map(({ node }) => node.id)).toEqual([
    'namespace',
    'operator-group',
    'subscription',
  ]);
  expect(Testing.synth(v0.chart)[2]).toMatchObject({
    metadata: { namespace: 'caches' },
    spec: { channel: 'candidate', name: 'redis-operator' },
  });
  const v1 = installed({ olm: 'v1' });
  expect(messagesOf(v1.app)).toEqual([]);
  expect(v1.construct.node.children.map(({ node }) => node.id)).toEqual([
    'namespace',
    'service-account',
    'cluster-role',
    'cluster-role-binding',
    'role',
    'role-binding',
    'cluster-role-grants',
    'cluster-role-binding-grants',
    'cluster-extension',
  ]);
});

test('an installation that OLM would refuse is reported, and nothing of it is rendered', () => {
  const own = { installModes: ['OwnNamespace'] } as const;
  const v1 = installed({ olm: 'v1' }, own);
  expect(messagesOf(v1.app)).toEqual([
    expect.stringMatching(/^bundle\["manifests.*spec\.installModes must support AllNamespaces/),
  ]);
  expect(v1.construct.node.children).toEqual([]);
  const v0 = installed({ watch: ['shop'] }, own);
  expect(messagesOf(v0.app)).toEqual([expect.stringMatching(/^watch must be namespaces that/)]);
});

test('the errors of a refused bundle are not reported again by its installation', () => {
  const { app, construct } = installed({ olm: 'v1' }, { channels: [] });
  expect(messagesOf(app).filter((one) => !one.startsWith('channels'))).toEqual([]);
  expect(construct.node.children).toEqual([]);
});

test('an installation is validated against the catalog, and a second OperatorGroup is refused', () => {
  const app = new App();
  const bundle = new Bundle(app, 'bundle', { ...props, installModes: ['AllNamespaces'] });
  const catalog = new Catalog(app, 'catalog', {
    bundles: [bundle],
    image: 'quay.io/example/{name}',
  });
  const chart = new Chart(app, 'install');
  new BundleInstallation(chart, 'one', { bundle, catalog, channel: 'fast' });
  new BundleInstallation(chart, 'two', { bundle, catalog, makesNamespace: false });
  new BundleInstallation(chart, 'three', { bundle, catalog, olm: 'v1', channels: ['slow'] });
  expect(messagesOf(app)).toEqual([
    expect.stringMatching(/^spec\.channel must be a channel of the package/),
    expect.stringMatching(/must be the only OperatorGroup .*\[install\/one\/operator-group\]/),
    expect.stringMatching(/channels\[0\] must be a channel/),
  ]);
});

test('the same app gives the same bytes, and an older bundle adds rights by resource name only', () => {
  const rendered = (upgrade: boolean): string => {
    const app = new App();
    const version = (one: string, rules = access): Bundle =>
      new Bundle(app, one, {
        ...props,
        operator: { ...props.operator, version: one, access: rules },
        installModes: ['AllNamespaces'],
      });
    const chart = new Chart(app, 'install');
    const [older, bundle] = [version('1.0.0', access.slice(1)), version('1.1.0')];
    const upgradesFrom = upgrade ? [older] : [];
    new BundleInstallation(chart, 'redis', { bundle, olm: 'v1', upgradesFrom });
    return JSON.stringify(Testing.synth(chart));
  };
  expect(rendered(true)).toBe(rendered(true));
  const verbs = (text: string): string[] => [...text.matchAll(/"verbs":\[[^\]]*\]/g)].map(String);
  expect(verbs(rendered(true))).toEqual(verbs(rendered(false)));
  expect(rendered(true).length).toBeGreaterThan(rendered(false).length);
});
