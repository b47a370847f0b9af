import { Chart, Testing, type ApiObject } from 'cdk8s';
import { expect, test } from '@jest/globals';
import { Bundle } from '@tenantry/olm/constructs/bundle';
import { Catalog } from '@tenantry/olm/constructs/catalog';
import {
  CatalogSource,
  ClusterCatalog,
  ClusterExtension,
  OperatorCondition,
  OperatorGroup,
  Subscription,
} from '@tenantry/olm/constructs/objects';
import { App } from '../../../synth/app.ts';
import { setOutputPath } from '../../../synth/charts.ts';
import type { InstallModeType } from '@tenantry/olm/bundle/csv/types';
import { props } from '@tenantry/olm/test/constructs/operators';

const app = (): { app: App; chart: Chart } => {
  const made = new App();
  return { app: made, chart: new Chart(made, 'olm') };
};

const messagesOf = (made: App): string[] =>
  made.node.findAll().flatMap((one) => one.node.validate());

const metadata = { name: 'redis', namespace: 'redis' };
const subscribed = { name: 'redis-operator', source: 'ours', sourceNamespace: 'olm' };

function catalogIn(made: App, installModes: readonly InstallModeType[]): Catalog {
  const version = (one: string, replaces?: string): Bundle =>
    new Bundle(made, one, {
      ...props,
      operator: { ...props.operator, version: one },
      installModes: replaces === undefined ? ['AllNamespaces'] : installModes,
      ...(replaces !== undefined && { replaces }),
    });
  const bundles = [version('1.0.0'), version('1.1.0', 'redis-operator.v1.0.0')];
  return new Catalog(made, 'catalog', { bundles, image: 'quay.io/example/{name}' });
}

test('each kind is rendered as written, with its own version', () => {
  const { chart } = app();
  const made: ApiObject[] = [
    new CatalogSource(chart, 'source', {
      metadata,
      spec: { sourceType: 'grpc', image: 'quay.io/example/catalog:latest' },
    }),
    new OperatorGroup(chart, 'group', { metadata }),
    new Subscription(chart, 'subscription', { metadata, spec: subscribed }),
    new OperatorCondition(chart, 'condition', {
      metadata,
      spec: {
        overrides: [{ type: 'Upgradeable', status: 'True', reason: 'Sure', message: 'Looked.' }],
      },
    }),
    new ClusterExtension(chart, 'extension', {
      metadata: { name: 'redis' },
      spec: {
        namespace: 'redis',
        source: { sourceType: 'Catalog', catalog: { packageName: 'a' } },
      },
    }),
    new ClusterCatalog(chart, 'cluster-catalog', {
      metadata: { name: 'ours' },
      spec: { source: { type: 'Image', image: { ref: 'quay.io/example/catalog:latest' } } },
    }),
  ];
  expect(made.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual([
    'operators.coreos.com/v1alpha1 CatalogSource',
    'operators.coreos.com/v1 OperatorGroup',
    'operators.coreos.com/v1alpha1 Subscription',
    'operators.coreos.com/v2 OperatorCondition',
    'olm.operatorframework.io/v1 ClusterExtension',
    'olm.operatorframework.io/v1 ClusterCatalog',
  ]);
  expect(made.flatMap((one) => one.node.validate())).toEqual([]);
  expect((Testing.synth(chart)[2] as { spec: object }).spec).toEqual(subscribed);
});

test('a schema violation is reported at synthesis', () => {
  const { app: made, chart } = app();
  new Subscription(chart, 'a', {
    metadata,
    // @ts-expect-error: not a value of the enum
    spec: { ...subscribed, installPlanApproval: 'manual' },
  });
  new ClusterExtension(chart, 'b', {
    metadata: { name: 'b' },
    spec: {
      namespace: 'B',
      source: { sourceType: 'Catalog', catalog: { packageName: 'a', version: 'newest' } },
    },
  });
  // @ts-expect-error: unknown field
  new CatalogSource(chart, 'c', { metadata, spec: { sourceType: 'grpc', imgae: 'a' } });
  expect(messagesOf(made)).toEqual([
    expect.stringMatching(/spec\.installPlanApproval must be .*Manual.* got 'manual'/),
    expect.stringMatching(/spec\.namespace must be a DNS label/),
    expect.stringMatching(/spec\.source\.catalog\.version must be versions such as/),
    expect.stringMatching(/spec\.imgae .*'image'/),
  ]);
});

test('the pod settings of a Subscription are validated by their own schema', () => {
  const { app: made, chart } = app();
  const toleration = { key: 'a', operator: 'Exists', effekt: 'NoSchedule' };
  new Subscription(chart, 'a', {
    metadata,
    spec: {
      ...subscribed,
      config: { tolerations: [toleration as object], env: [{ name: 'A', value: 'b' }] },
    },
  });
  expect(messagesOf(made)).toEqual([expect.stringContaining('config.tolerations[0].effekt')]);
});

test('a second OperatorGroup of a namespace is reported, on the same cluster only', () => {
  const { app: made, chart } = app();
  new OperatorGroup(chart, 'one', { metadata });
  new OperatorGroup(chart, 'other', { metadata: { name: 'other', namespace: 'other' } });
  const eu = new Chart(made, 'eu');
  setOutputPath(eu, 'clusters/eu1/olm.yaml');
  new OperatorGroup(eu, 'one', { metadata });
  expect(messagesOf(made)).toEqual([]);
  new OperatorGroup(eu, 'two', { metadata: { name: 'two', namespace: 'redis' } });
  expect(messagesOf(made)).toEqual([
    "metadata.namespace must be the only OperatorGroup of the namespace 'redis', got one beside [eu/one]: OLM then installs nothing there",
  ]);
});

test('a Subscription must refer to a channel and a bundle of its catalog', () => {
  const asked = (spec: object): string[] => {
    const { app: made, chart } = app();
    const catalog = catalogIn(made, ['AllNamespaces']);
    new Subscription(chart, 'a', { metadata, spec: { ...subscribed, ...spec }, catalog });
    return messagesOf(made);
  };
  expect(asked({})).toEqual([]);
  expect(asked({ channel: 'candidate', startingCSV: 'redis-operator.v1.0.0' })).toEqual([]);
  expect(asked({ name: 'redis-oprator' })).toEqual([
    "spec.name must be a package of the catalog (redis-operator), got 'redis-oprator'; did you mean 'redis-operator'?",
  ]);
  expect(asked({ channel: 'fast' })).toEqual([
    "spec.channel must be a channel of the package 'redis-operator' (candidate, stable), got 'fast'",
  ]);
  expect(asked({ startingCSV: 'redis-operator.v2.0.0' })).toEqual([
    expect.stringMatching(/^spec\.startingCSV must be a bundle of the channel 'stable' \(.*got/),
  ]);
});

test('a ClusterExtension must refer to a package and a version of its catalog', () => {
  const { app: made, chart } = app();
  const catalog = catalogIn(made, ['AllNamespaces']);
  const from = (packageName: string, channels: readonly string[]) => ({
    metadata: { name: `redis-${packageName}` },
    spec: {
      namespace: 'redis',
      source: { sourceType: 'Catalog', catalog: { packageName, channels } },
    } as const,
    catalog,
  });
  new ClusterExtension(chart, 'a', from('redis-operator', ['stable']));
  new ClusterExtension(chart, 'b', from('redis', []));
  new ClusterExtension(chart, 'c', from('redis-operator', ['stable', 'fast']));
  expect(messagesOf(made)).toEqual([
    expect.stringContaining('spec.source.catalog.packageName must be a package of the catalog'),
    expect.stringContaining('spec.source.catalog.channels[1] must be a channel of the package'),
  ]);
});

test('the OperatorGroup of a Subscription must select namespaces that the operator can watch', () => {
  const asked = (spec: object, startingCSV?: string): string[] => {
    const { app: made, chart } = app();
    const catalog = catalogIn(made, ['OwnNamespace']);
    const subscriptionSpec = { ...subscribed, ...(startingCSV !== undefined && { startingCSV }) };
    new Subscription(chart, 'a', { metadata, spec: subscriptionSpec, catalog });
    // An OperatorGroup of another namespace is irrelevant.
    new OperatorGroup(chart, 'other', { metadata: { name: 'other', namespace: 'other' } });
    new OperatorGroup(chart, 'group', { metadata, spec });
    return messagesOf(made);
  };
  expect(asked({ targetNamespaces: ['redis'] })).toEqual([]);
  expect(asked({ selector: { matchLabels: { a: 'b' } } })).toEqual([]);
  expect(asked({})).toEqual([
    "metadata.namespace must be namespaces that the operator can watch (it supports OwnNamespace), got all in the OperatorGroup of 'redis' [olm/group], for 'redis-operator.v1.1.0'",
  ]);
  // The first bundle can only watch all namespaces, the next one only its own.
  expect(asked({ targetNamespaces: ['redis'] }, 'redis-operator.v1.0.0')).toHaveLength(1);
});
