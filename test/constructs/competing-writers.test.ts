import { expect, test } from '@jest/globals';
import type { PlatformSpec } from '../../crds/platform.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { desiredOf, objectsOf, specOf, type Given } from './given.ts';

const kinds: PlatformSpec['kinds'] = [
  ['keda.sh', 'ScaledObject'],
  ['flagger.app', 'Canary'],
  ['cert-manager.io', 'Certificate'],
  ['external-secrets.io', 'ExternalSecret'],
  ['bitnami.com', 'SealedSecret'],
].map(([group = '', kind = '']) => ({ group, kind, scope: 'Namespaced' as const }));

const given = (...manifests: readonly object[]): Given => ({
  platform: { kinds },
  tenant: { resources: manifests.map((manifest) => ({ manifest: manifest as KubeObject })) },
});
const object = (apiVersion: string, kind: string, spec: object, metadata: object = {}) => ({
  apiVersion,
  kind,
  metadata: { name: 'web', ...metadata },
  spec,
});
const deployment = (more: object = {}, metadata: object = {}) =>
  object(
    'apps/v1',
    'Deployment',
    {
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'web', image: 'registry.example.com/web:1' }] },
      },
      ...more,
    },
    metadata,
  );
const scaler = (reference: object) =>
  object('autoscaling/v2', 'HorizontalPodAutoscaler', {
    maxReplicas: 5,
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', ...reference },
  });

/** Returns the findings about fields that another writer changes, as `path message`. */
const competing = (world: Given): string[] =>
  desiredOf(world).findings.flatMap(({ rule, severity, path, message }) =>
    rule === 'competing-writer' ? [`${severity} ${path.join('.')} ${message}`] : [],
  );
const replicasOf = (world: Given): unknown =>
  specOf(objectsOf(world).find(({ kind }) => kind === 'Deployment'))['replicas'];

test.each<[string, object]>([
  ['a HorizontalPodAutoscaler', scaler({})],
  [
    'KEDA, which means a Deployment where it does not say',
    object('keda.sh/v1alpha1', 'ScaledObject', { scaleTargetRef: { name: 'web' } }),
  ],
  [
    'Flagger',
    object('flagger.app/v1beta1', 'Canary', {
      targetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    }),
  ],
])('%s changes the replicas of a Deployment: they are reported and not rendered', (_, one) => {
  const world = given(deployment({ replicas: 2 }), one);
  expect(competing(world)).toEqual([
    `warning spec.resources.0.manifest.spec.replicas should be left out, as ${(one as KubeObject).kind} web changes it: it is not rendered`,
  ]);
  expect(replicasOf(world)).toBeUndefined();
});

test('replicas without another writer are rendered', () => {
  for (const reference of [{ name: 'other' }, { kind: 'StatefulSet' }, { apiVersion: 'v1' }]) {
    const world = given(deployment({ replicas: 2 }), scaler(reference));
    expect([reference, competing(world), replicasOf(world)]).toEqual([reference, [], 2]);
  }
  expect(competing(given(deployment(), scaler({})))).toEqual([]);
});

test('a program that changes images of a declared workload is reported at its annotation', () => {
  for (const [key, program] of Object.entries({
    'keel.sh/policy': 'Keel',
    'image.openshift.io/triggers': 'OpenShift',
  })) {
    const world = given(deployment({}, { annotations: { [key]: 'x' } }));
    expect(competing(world)).toEqual([
      `warning spec.resources.0.manifest.metadata.annotations.${key} should be left out: ${program} changes the image of a container, and Argo CD changes it back to what Git declares`,
    ]);
  }
});

test('two writers of the same Secret are reported at the second one', () => {
  const certificate = object('cert-manager.io/v1', 'Certificate', { secretName: 'tls' });
  const ingress = (annotations: object) =>
    object(
      'networking.k8s.io/v1',
      'Ingress',
      {
        defaultBackend: { service: { name: 'web', port: { number: 80 } } },
        tls: [{ secretName: 'tls' }],
      },
      { annotations },
    );
  const issued = { 'cert-manager.io/cluster-issuer': 'letsencrypt' };
  const words = (path: string, by: string) =>
    `warning spec.resources.1.manifest.${path} should name a Secret that nothing else writes, got tls, which ${by} writes`;
  const issuers = {
    platform: { kinds },
    klass: { allow: { annotations: [{ key: 'cert-manager.io/cluster-issuer' }] } },
  };
  expect(competing({ ...given(certificate, ingress(issued)), ...issuers })).toEqual([
    words('spec.tls.0.secretName', 'Certificate web'),
  ]);
  expect(competing(given(certificate, ingress({})))).toEqual([]);
  const external = object('external-secrets.io/v1', 'ExternalSecret', { target: { name: 'tls' } });
  expect(competing(given(certificate, external))).toEqual([
    words('spec.target.name', 'Certificate web'),
  ]);
  const sealed = object('bitnami.com/v1alpha1', 'SealedSecret', {}, { name: 'tls' });
  expect(competing(given(external, sealed))).toEqual([
    words('metadata.name', 'ExternalSecret web'),
  ]);
  expect(competing(given(external, object('bitnami.com/v1alpha1', 'SealedSecret', {})))).toEqual(
    [],
  );
});
