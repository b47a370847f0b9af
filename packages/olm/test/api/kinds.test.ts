import { expect, test } from '@jest/globals';
import { checkDefinition } from '@tenantry/crd/define';
import { listVersions, type Definition } from '@tenantry/crd/definition';
import { catalogSource } from '../../api/catalog-source.ts';
import { clusterCatalog } from '../../api/cluster-catalog.ts';
import { clusterExtension } from '../../api/cluster-extension.ts';
import { clusterServiceVersionKind } from '../../api/cluster-service-version.ts';
import { installPlan } from '../../api/install-plan.ts';
import { operatorCondition } from '../../api/operator-condition.ts';
import { operatorGroup } from '../../api/operator-group.ts';
import { subscription } from '../../api/subscription.ts';
import { compileSchema } from '@tenantry/crd/schema/validator';
import { differing, fieldsOf, wordsOf } from '@tenantry/crd/test/schema/fields';
import { publishedTest } from '../published.ts';

const kinds: readonly Definition[] = [
  catalogSource,
  clusterCatalog,
  clusterExtension,
  clusterServiceVersionKind,
  installPlan,
  operatorCondition,
  operatorGroup,
  subscription,
];

/** The fields that OLM requires by a CEL rule, and the schema here by `required`: `there, here`. */
const byRule = new Map([
  ['clustercatalogs spec.source.image', 'object, object!'],
  ['clustercatalogs status.resolvedSource.image', 'object!, object!'],
  ['clusterextensions spec.install.preflight', 'object, object!'],
  ['clusterextensions spec.serviceAccount.name', 'string, string!'],
  ['clusterextensions spec.source.catalog', 'object, object!'],
]);

/**
 * Enumerations that OLM's definitions do not declare, although its controllers, and selectors, accept no other values.
 */
const closed = /(^spec\.(sourceType|installPlanApproval)|\.matchExpressions\[\]\.operator)$/;

/** Kubernetes' own fields, whose required fields are not compared. */
const inPods = new Set([
  'affinity',
  'tolerations',
  'env',
  'envFrom',
  'volumes',
  'volumeMounts',
  'deployments',
]);
const ofPods = /\.(affinity|tolerations|env|envFrom|volumes|volumeMounts)\b./;

const fileOf = ({ plural, group }: Definition): string => `${group}_${plural}`;

for (const kind of kinds) {
  const [ours] = listVersions(kind);
  const { name: version, schema } = ours!;

  publishedTest(
    `every field of ${kind.kind} ${version} matches the definition that OLM publishes`,
    fileOf(kind),
    (published) => {
      const theirs = fieldsOf(published.versions[version]!.schema);
      const here = fieldsOf(schema);
      const differences = differing(theirs, here)
        .filter((path) => !/^(metadata|spec\.install\.spec\.deployments\[\]\.spec\.)/.test(path))
        .filter((path) => !ofPods.test(path) || !here.has(path))
        .filter((path) => {
          const allowed = byRule.get(`${kind.plural} ${path}`);
          return allowed !== `${theirs.get(path)}, ${here.get(path)}`;
        })
        .map((path) => `${path}: ${theirs.get(path)} there, ${here.get(path)} here`)
        .filter((line) => !line.includes('Descriptors[].value: string there, anything here'));
      expect(differences).toEqual([]);
    },
  );

  publishedTest(
    `${kind.kind} ${version} accepts the enumerated values that OLM accepts`,
    fileOf(kind),
    (published) => {
      const theirs = wordsOf(published.versions[version]!.schema);
      const here = wordsOf(schema);
      const differences = differing(theirs, here).filter(
        (path) => !isOfBundle(kind, path) && !(closed.test(path) && !theirs.has(path)),
      );
      expect(differences).toEqual([]);
    },
  );

  publishedTest(`${kind.kind} has the names that OLM gives it`, fileOf(kind), (published) => {
    const { versions: theirs, metadata: _, conversion: __, ...names } = published;
    const { versions: ___, ...here } = kind;
    expect(here).toEqual(names);
    expect(theirs[version]).toMatchObject({
      served: true,
      storage: true,
      subresources: { status: true },
    });
  });

  test(`an API server would accept the definition of ${kind.kind}`, () => {
    // The fields of pods use Kubernetes' own schema, which is not structural.
    const errors = checkDefinition(kind).errors.filter(
      ({ path }) => !path.some((part) => inPods.has(String(part))),
    );
    expect(errors).toEqual([]);
  });
}

/** Whether the spec belongs to a bundle, which other tests cover. */
function isOfBundle({ plural }: Definition, path: string): boolean {
  return plural === 'clusterserviceversions' && path.startsWith('spec.');
}

/** Returns a function that reports whether a value is accepted as the spec of a kind in a version. */
const takes = (definition: Definition, version: string): ((spec: object) => boolean) => {
  const spec = compileSchema(definition.versions[version]!.schema.properties!['spec']!);
  return (value) => spec.accepts(value);
};

const extension = (catalog: object, spec: object = {}) => ({
  namespace: 'redis',
  source: { sourceType: 'Catalog', catalog: { packageName: 'redis', ...catalog } },
  ...spec,
});

const versions = [
  '1.2.3',
  'v1.2.3',
  '1.2',
  '1',
  '1.x',
  '1.2.x',
  '1.2.*',
  '1.*',
  '*',
  'x',
  '1.*.*',
  '1.x.x',
  '>=1.2.0, <2.0.0',
  '>=1.2.0 <2.0.0',
  '>= 1.2.0,<2.0.0',
  '^1.2.3 || ~2.3',
  '~> 1.2',
  '!=1.2.3',
  '=> 1.2.3',
  '1.2.3-rc.1+build.5',
  '>1.0, <1.2.*',
  '>1.0, <1.2.x',
  '01.2.3',
  '1.02.3',
  'latest',
  '',
  '1.2.3.4',
  '1.2.3 - 2.0.0',
  '>=1.2.0 && <2',
  '==1.2.3',
  '1.2.3,',
];

publishedTest(
  'the versions of a ClusterExtension are those that OLM accepts',
  fileOf(clusterExtension),
  (published) => {
    const theirs = takes(published, 'v1');
    const here = takes(clusterExtension, 'v1');
    const verdicts = versions.map((version) => {
      const value = extension({ version });
      return [version, here(value), theirs(value)] as const;
    });
    expect(verdicts.filter(([, ours, judge]) => ours !== judge)).toEqual([]);
    expect(verdicts.filter(([, ours]) => ours).length).toBeGreaterThan(15);
    expect(verdicts.filter(([, ours]) => !ours).length).toBeGreaterThan(8);
  },
);

publishedTest(
  'further fields of a ClusterExtension are accepted where OLM accepts them',
  fileOf(clusterExtension),
  (published) => {
    const theirs = takes(published, 'v1');
    const here = takes(clusterExtension, 'v1');
    const values = [
      extension({}),
      extension({ packageName: 'Redis' }),
      extension({ channels: ['stable', '1.1.x'] }),
      extension({ channels: ['-stable'] }),
      extension({ channels: ['original_40'] }),
      extension({ upgradeConstraintPolicy: 'SelfCertified' }),
      extension({ upgradeConstraintPolicy: 'Any' }),
      extension({ version: `>=1.0.0${' '.repeat(64)}` }),
      extension({}, { namespace: 'Redis' }),
      extension({}, { namespace: 'a'.repeat(64) }),
      extension({}, { namespace: undefined }),
      extension({}, { serviceAccount: {} }),
      extension({}, { serviceAccount: { name: 'redis.installer' } }),
      extension({}, { serviceAccount: { name: '' } }),
      extension({}, { install: {} }),
      extension({}, { install: { preflight: {} } }),
      extension({}, { install: { preflight: { crdUpgradeSafety: { enforcement: 'None' } } } }),
      extension({}, { source: { sourceType: 'Catalog' } }),
    ];
    const verdicts = values.map((value) => [here(value), theirs(value), value]);
    expect(verdicts.filter(([ours, judge]) => ours !== judge)).toEqual([]);
    expect(verdicts.filter(([ours]) => ours)).toHaveLength(5);
  },
);

publishedTest(
  'the images of a ClusterCatalog are those that OLM accepts',
  fileOf(clusterCatalog),
  (published) => {
    const theirs = takes(published, 'v1');
    const here = takes(clusterCatalog, 'v1');
    const digest = `sha256:${'0a'.repeat(32)}`;
    const images = [
      { ref: 'quay.io/example/catalog:latest' },
      { ref: 'quay.io:5000/example/catalog:v1.2' },
      { ref: 'registry/catalog:a_b' },
      { ref: `quay.io/example/catalog@${digest}` },
      { ref: 'quay.io/example/catalog:latest', pollIntervalMinutes: 15 },
      { ref: `quay.io/example/catalog@${digest}`, pollIntervalMinutes: 15 },
      { ref: 'quay.io/example/catalog:latest', pollIntervalMinutes: 0 },
      { ref: 'quay.io/example/catalog' },
      { ref: 'catalog:latest' },
      { ref: 'quay.io/example/catalog@sha256:abc' },
      { ref: 'quay.io/example/catalog:-' },
      { ref: `quay.io/example/catalog:${'a'.repeat(128)}` },
      { ref: '' },
      {},
    ];
    const verdicts = images.map((image) => {
      const spec = { source: { type: 'Image', image } };
      return [image.ref, here(spec), theirs(spec)] as const;
    });
    expect(verdicts.filter(([, ours, judge]) => ours !== judge)).toEqual([]);
    expect(verdicts.filter(([, ours]) => ours)).toHaveLength(5);
  },
);
