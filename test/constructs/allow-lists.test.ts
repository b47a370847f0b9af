import { expect, test } from '@jest/globals';
import { listLabel } from '../../model/allow-lists/labels.ts';
import { ALLOW_LISTS, type AllowListField } from '../../model/allow-lists/lists.ts';
import { findNames } from '../../model/allow-lists/name-path.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { collectFindings } from './given.ts';
import { admit, declare, of, pod, running, specs, type Allow } from './listed-objects.ts';

const acme: Allow = { images: ['ghcr.io/acme/*', 'docker.io/nginx'] };

const claim = (spec: object, annotations = {}) =>
  of('v1', 'PersistentVolumeClaim', { metadata: { name: 'own', annotations }, spec });
const beta = { 'volume.beta.kubernetes.io/storage-class': 'slow' };
const ingress = (spec: object, annotations = {}) =>
  of('networking.k8s.io/v1', 'Ingress', { metadata: { name: 'own', annotations }, spec });
const devices = (...requests: object[]) => ({ devices: { requests } });
const inClaim = (spec: object) => of('resource.k8s.io/v1', 'ResourceClaim', { spec });
const stateful = (template: object) =>
  of('apps/v1', 'StatefulSet', { spec: { template: {}, volumeClaimTemplates: [template] } });
const ephemeral = (volumeClaimTemplate: object) =>
  pod({ volumes: [{ name: 'a', ephemeral: { volumeClaimTemplate } }] });

/** Objects that name `slow` where a class lists `gold` and `fast-*`, by the field of the class. */
const naming: readonly [field: AllowListField, what: string, object: object][] = [
  ['storageClasses', 'a claim', claim({ storageClassName: 'slow' })],
  ['storageClasses', 'a claim by the old annotation', claim({ storageClassName: 'gold' }, beta)],
  ['storageClasses', 'a StatefulSet', stateful({ spec: { storageClassName: 'slow' } })],
  ['storageClasses', 'a StatefulSet, old', stateful({ metadata: { annotations: beta } })],
  ['storageClasses', 'a pod', ephemeral({ spec: { storageClassName: 'slow' } })],
  ['storageClasses', 'a pod, old', ephemeral({ metadata: { annotations: beta } })],
  [
    'volumeSnapshotClasses',
    'a snapshot',
    of('snapshot.storage.k8s.io/v1', 'VolumeSnapshot', {
      spec: { volumeSnapshotClassName: 'slow' },
    }),
  ],
  ['volumeAttributesClasses', 'a claim', claim({ volumeAttributesClassName: 'slow' })],
  [
    'volumeAttributesClasses',
    'a StatefulSet',
    stateful({ spec: { volumeAttributesClassName: 'slow' } }),
  ],
  ['ingressClasses', 'an Ingress', ingress({ ingressClassName: 'slow' })],
  [
    'ingressClasses',
    'an Ingress by the old annotation',
    ingress({ ingressClassName: 'gold' }, { 'kubernetes.io/ingress.class': 'slow' }),
  ],
  [
    'gatewayClasses',
    'a Gateway',
    of('gateway.networking.k8s.io/v1', 'Gateway', { spec: { gatewayClassName: 'slow' } }),
  ],
  ['runtimeClasses', 'a pod', pod({ runtimeClassName: 'slow' })],
  ['deviceClasses', 'a claim', inClaim(devices({ exactly: { deviceClassName: 'slow' } }))],
  [
    'deviceClasses',
    'the second choice of a claim',
    inClaim(
      devices(
        { exactly: { deviceClassName: 'gold' } },
        { firstAvailable: [{ deviceClassName: 'gold' }, { deviceClassName: 'slow' }] },
      ),
    ),
  ],
  [
    'deviceClasses',
    'a claim of v1beta1',
    { ...inClaim(devices({ deviceClassName: 'slow' })), apiVersion: 'resource.k8s.io/v1beta1' },
  ],
  [
    'deviceClasses',
    'a template of claims',
    of('resource.k8s.io/v1', 'ResourceClaimTemplate', {
      spec: { spec: devices({ exactly: { deviceClassName: 'slow' } }) },
    }),
  ],
  ['schedulers', 'a pod', pod({ schedulerName: 'slow' })],
];

const rename = (object: object, name: string): object =>
  JSON.parse(JSON.stringify(object).replaceAll('"slow"', JSON.stringify(name))) as object;

test.each(naming)('%s bound %s', (field, _what, object) => {
  const allow = { [field]: ['gold', 'fast-*'] };
  for (const name of ['gold', 'fast-', 'fast-ssd']) {
    const own = rename(object, name);
    expect([admit(allow, own), declare(allow, own)]).toEqual([undefined, []]);
  }
  for (const name of ['slow', 'golden', 'fast', 'old-gold']) {
    const other = rename(object, name);
    expect(admit(allow, other)).toContain(`in allow.${field} (fast-*, gold), got ${name}`);
    expect(declare(allow, other).join()).toContain(`allow.${field} (gold, fast-*), got '${name}'`);
    expect(admit(allow, other, other)).toBeUndefined();
    expect(admit(allow, other, rename(object, 'gold'))).toContain(`got ${name}`);
    // Without the list nothing is bound.
    expect([admit({}, other), declare({}, other)]).toEqual([undefined, []]);
  }
});

test('each list is tried, and each place in it', () => {
  const tried = new Set(naming.map(([field]) => field));
  expect([...tried, 'images'].toSorted()).toEqual(ALLOW_LISTS.map(({ field }) => field).toSorted());
});

test('what names nothing is allowed where Kubernetes or its owner then decides', () => {
  const none: Allow = Object.fromEntries(
    ALLOW_LISTS.filter(({ field }) => field !== 'images').map(({ field }) => [field, []]),
  );
  for (const object of [
    running('nginx'),
    pod({ schedulerName: 'default-scheduler', runtimeClassName: '' }),
    claim({ volumeAttributesClassName: '' }),
    claim({}),
    inClaim({}),
    of('snapshot.storage.k8s.io/v1', 'VolumeSnapshot', { spec: {} }),
  ])
    expect([admit(none, object), declare(none, object)]).toEqual([undefined, []]);
});

test('a claim for a volume without a class names one that no class can list', () => {
  const [allow, empty] = [{ storageClasses: ['*'] }, claim({ storageClassName: '' })];
  expect(admit(allow, empty)).toContain("allow.storageClasses (*), got ''");
  expect(declare(allow, empty).join()).toContain("got ''");
});

test('an Ingress must have a class where the class of the tenant lists some', () => {
  const [allow, bare] = [{ ingressClasses: ['*'] }, ingress({})];
  expect(admit(allow, bare)).toBe(
    'an IngressClass must be named, one that the class allows in allow.ingressClasses (*)',
  );
  expect(declare(allow, bare)).toEqual([
    'spec.resources[0].manifest.spec must be an IngressClass that class standard allows in allow.ingressClasses (*), got none',
  ]);
  expect(admit(allow, bare, bare)).toBeUndefined();
  expect(admit(allow, bare, ingress({ ingressClassName: 'gold' }))).toContain('must be named');
  expect([admit({}, bare), declare({}, bare)]).toEqual([undefined, []]);
});

test('a custom resource with a pod template gets a warning', () => {
  const rollout = of('argoproj.io/v1alpha1', 'Rollout', {
    spec: { template: { spec: { containers: [{ name: 'a', image: 'evil.io/web' }] } } },
  });
  expect(declare(acme, rollout)).toEqual([
    "warning spec.resources[0].manifest.spec.template.spec.containers[0].image must be an image that class standard allows in allow.images (ghcr.io/acme/*, docker.io/nginx), got 'evil.io/web'",
  ]);
});

test('a kind of others is not taken for one of Kubernetes with the same name', () => {
  const allow = { ingressClasses: ['gold'], images: ['ghcr.io/acme/*'] };
  const route = { ...ingress({ ingressClassName: 'slow' }), apiVersion: 'example.com/v1' };
  expect(declare(allow, route)).toEqual([]);
  const template = { spec: { containers: [{ name: 'a', image: 'evil.io/web' }] } };
  const other = of('example.com/v1', 'Deployment', { spec: { template } });
  expect(declare(allow, other).join()).toMatch(/^warning .*got 'evil.io\/web'$/);
  // Kinds of the same group have no such names.
  const policy = of('networking.k8s.io/v1', 'IngressClass', { spec: { ingressClassName: 'slow' } });
  expect(declare(allow, policy)).toEqual([]);
  const noPod = of('example.com/v1', 'Deployment', {
    spec: { template: { spec: { initContainers: [{ name: 'a', image: 'evil.io/web' }] } } },
  });
  expect(declare(allow, noPod)).toEqual([]);
});

test('a value of another type is no name: schemas refuse it', () => {
  const path = ['spec', 'containers', '[]', 'image'];
  expect(findNames({ spec: { containers: { image: 'a' } } }, path)).toEqual([]);
  expect(findNames({ spec: { containers: [{ image: 5 }, 'a', { image: '' }] } }, path)).toEqual([]);
  expect(findNames({ spec: { containers: [{}, { image: 'a' }] } }, path)).toEqual([
    { path: ['spec', 'containers', 1, 'image'], name: 'a' },
  ]);
  expect(findNames({ spec: { name: '' } }, ['spec', 'name'])).toEqual([
    { path: ['spec', 'name'], name: '' },
  ]);
});

test('an exception adds to the lists of the class', () => {
  const declared = (exception: Allow, allow: Allow) =>
    collectFindings({
      klass: { allow, exceptions: [{ tenants: ['acme'], reason: 'x', allow: exception }] },
      tenant: { resources: [{ manifest: running('evil.io/web', 'nginx') as KubeObject }] },
    }).filter((one) => one.includes('allow.images'));
  expect(declared({ images: ['evil.io/*'] }, acme)).toEqual([]);
  expect(declared({ images: ['other.io/*'] }, acme)).toHaveLength(1);
});

test('a tenant cannot set the label or the annotation of a list', () => {
  for (const list of ALLOW_LISTS) {
    const key = listLabel(list);
    expect(specs.has(key)).toBe(true);
    for (const part of ['labels', 'annotations'])
      expect(collectFindings({ tenant: { [part]: { [key]: 'Listed' } } })).toHaveLength(1);
  }
});
