import { expect, test } from '@jest/globals';
import { buildOperatorObjects } from '../../model/operator/operator-objects.ts';
import { renderPlatform } from '../../model/operator/platform-config-map.ts';
import type { PlatformSpec } from '../../model/declaration.ts';
import { resolvePlatform } from '../../model/platform.ts';
import { readDocuments } from '@tenantry/kube/yaml/read';

type Kinds = NonNullable<NonNullable<PlatformSpec['operator']>['comparedKinds']>;

const issuer = { group: 'cert-manager.io', kind: 'Issuer', scope: 'Namespaced' } as const;
const certificate = {
  group: 'cert-manager.io',
  kind: 'Certificate',
  scope: 'Namespaced',
  plural: 'certificates',
  version: 'v1',
} as const;
const cluster = { group: 'cert-manager.io', kind: 'ClusterIssuer', scope: 'Cluster' } as const;

const platformOf = (...comparedKinds: Kinds) =>
  resolvePlatform({ kinds: [issuer, certificate, cluster], operator: { comparedKinds } });

test('the operator compares the kinds that the platform lists, and may read no others', () => {
  const ofCertificates = { group: 'cert-manager.io', kind: 'Certificate' };
  const platform = platformOf(
    { kind: 'ConfigMap' },
    { group: 'apps', kind: 'Deployment' },
    ofCertificates,
  );
  expect(platform.comparedKinds).toEqual([
    { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps' },
    { group: 'apps', version: 'v1', kind: 'Deployment', plural: 'deployments' },
    { ...ofCertificates, version: 'v1', plural: 'certificates' },
  ]);
  const rulesOf = (one = platform): readonly string[] => {
    const objects = buildOperatorObjects({ platform: one, clusterRoles: [] });
    const { rules } = objects['cluster-role'] as unknown as {
      readonly rules: readonly Record<'apiGroups' | 'resources' | 'verbs', readonly string[]>[];
    };
    return rules.flatMap(({ apiGroups, resources, verbs }) =>
      resources.map((one) => `${apiGroups} ${one} ${verbs}`),
    );
  };
  expect(
    rulesOf()
      .filter((one) => !rulesOf(platformOf()).includes(one))
      .toSorted(),
  ).toEqual([
    ' configmaps get,list,watch',
    'apps deployments get,list,watch',
    'cert-manager.io certificates get,list,watch',
  ]);
});

test('the rendered operator lists the same kinds', () => {
  const platform = platformOf(
    { group: 'cert-manager.io', kind: 'Certificate' },
    { kind: 'Service' },
  );
  const [document] = readDocuments(renderPlatform(platform)).documents;
  const { spec } = document!.value as { readonly spec: PlatformSpec };
  expect(resolvePlatform(spec).comparedKinds).toEqual(platform.comparedKinds);
});

test.each<[string, Kinds[number]]>([
  ['must not be Secret, which the operator never reads', { kind: 'Secret' }],
  ['it is compared anyway', { group: 'policy', kind: 'PodDisruptionBudget' }],
  ['lie in namespaces, and are stored', { kind: 'Node' }],
  ['lie in namespaces, and are stored', { kind: 'Binding' }],
  ['whose objects lie in namespaces', { group: 'cert-manager.io', kind: 'ClusterIssuer' }],
  ['kinds has plural and version', { group: 'cert-manager.io', kind: 'Issuer' }],
  ['kinds has plural and version', { group: 'nobody.example.com', kind: 'Thing' }],
])('a kind that cannot be compared is refused: %s', (words, kind) => {
  expect(() => platformOf(kind)).toThrow(words);
  expect(() => platformOf(kind)).toThrow('spec.operator.comparedKinds[0].kind');
});

test('a kind may be listed only once', () => {
  expect(() =>
    platformOf({ kind: 'Job', group: 'batch' }, { kind: 'Job', group: 'batch' }),
  ).toThrow("spec.operator.comparedKinds[1].kind must be named once, got 'Job.batch'");
});
