import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import {
  completePattern,
  hasVersion,
  isListedImage,
  resolveRepository,
} from '../../model/allow-lists/images.ts';
import { ALLOW_LISTS, type AllowListField } from '../../model/allow-lists/lists.ts';
import { LISTED } from '../../model/allow-lists/labels.ts';
import { imageVersion } from '../../model/hardening/policies.ts';
import { buildAllowListPolicies } from '../../model/policies/allow-lists.ts';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { collectFindings, ofKind } from './given.ts';
import { refusalBy, type PolicySpec } from './policy-request.ts';

type Allow = NonNullable<TenantClassSpec['allow']>;

const specs = new Map(
  buildAllowListPolicies()
    .filter(({ kind }) => kind === 'ValidatingAdmissionPolicy')
    .map((policy) => {
      const { spec } = policy as unknown as { spec: SelectedPolicy };
      return [Object.keys(spec.matchConstraints.namespaceSelector.matchLabels)[0]!, spec];
    }),
);

interface SelectedPolicy extends PolicySpec {
  readonly matchConstraints: {
    readonly namespaceSelector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly resourceRules: readonly {
      readonly apiGroups: readonly string[];
      readonly resources: readonly string[];
    }[];
  };
}

/** Returns the message with which the policies refuse an object in a namespace of the class, or undefined. */
function admit(allow: Allow, object: object, oldObject?: object): string | undefined {
  const [namespace] = ofKind({ klass: { allow } }, 'Namespace');
  const { apiVersion, kind } = object as KubeObject;
  for (const [label, { matchConditions = [], ...spec }] of specs) {
    if (namespace!.metadata.labels![label] !== LISTED) continue;
    const request = {
      kind: { group: groupOf(apiVersion), kind },
      operation: oldObject ? 'UPDATE' : 'CREATE',
    };
    const found = refusalBy(
      { ...spec, matchConditions },
      { object, oldObject: oldObject ?? null, request, namespaceObject: namespace! },
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the errors and warnings of an object in `resources` of a tenant of the class. */
const declare = (allow: Allow, object: object): string[] =>
  collectFindings({
    klass: { allow },
    tenant: { resources: [{ manifest: object as KubeObject }] },
  }).filter((one) => / allow\.(?!resources)/.test(one));

const of = (apiVersion: string, kind: string, more: object) => ({
  apiVersion,
  kind,
  metadata: { name: 'own' },
  ...more,
});
const pod = (spec: object) => of('v1', 'Pod', { spec });
const running = (...images: string[]) =>
  pod({ containers: images.map((image, i) => ({ name: `c${i}`, image })) });

describe('the repository of an image', () => {
  test.each([
    ['nginx', 'docker.io/library/nginx'],
    ['nginx:1.27', 'docker.io/library/nginx'],
    ['nginx@sha256:00', 'docker.io/library/nginx'],
    ['acme/web:1@sha256:00', 'docker.io/acme/web'],
    ['docker.io/nginx', 'docker.io/library/nginx'],
    ['index.docker.io/acme/web', 'docker.io/acme/web'],
    ['localhost/web', 'localhost/web'],
    ['registry:5000/web:1', 'registry:5000/web'],
    ['[::1]:5000/web', '[::1]:5000/web'],
    ['ghcr.io/acme/web__b/c.d-e', 'ghcr.io/acme/web__b/c.d-e'],
    // A first part in upper case is a registry.
    ['Evil/nginx', 'Evil/nginx'],
    ['docker.io.evil.io/library/nginx', 'docker.io.evil.io/library/nginx'],
  ])('%s is from %s', (image, repository) => {
    expect(resolveRepository(image)).toBe(repository);
  });

  test.each([
    ':1',
    '@sha256:00',
    // The id of an image: what another pod has left on the node.
    `sha256:${'0'.repeat(64)}`,
    'ghcr.io/acme/../other/web',
    'ghcr.io/acme//web',
    'ghcr.io/Acme/web',
    'ghcr.io/acme/',
    'ghcr.io/acme/web ',
    'ghcr.io/acme/we\nb',
    'https://ghcr.io/acme/web',
  ])('%j names none', (image) => {
    expect(resolveRepository(image)).toBeUndefined();
    expect(admit({ images: ['ghcr.io/*', 'docker.io/*'] }, running(image))).toContain(
      'allow.images',
    );
  });
});

const acme: Allow = { images: ['ghcr.io/acme/*', 'docker.io/nginx'] };

test('an image is allowed by its repository, whatever its tag or digest', () => {
  for (const image of ['ghcr.io/acme/web', 'ghcr.io/acme/a/b:1@sha256:00', 'nginx:1'])
    expect([admit(acme, running(image)), declare(acme, running(image))]).toEqual([undefined, []]);
  for (const image of [
    'ghcr.io/acme',
    'ghcr.io/acmeevil/web',
    'ghcr.io.evil.io/acme/web',
    'evil.io/ghcr.io/acme/web',
    'docker.io/library/nginx2',
    'docker.io/other/nginx',
    'GHCR.io/acme/web',
  ]) {
    expect(admit(acme, running('nginx', image))).toBe(
      `an image must be one that the class allows in allow.images (docker.io/library/nginx, ghcr.io/acme/*), got ${image}`,
    );
    expect(declare(acme, running('nginx', image))).toEqual([
      `spec.resources[0].manifest.spec.containers[1].image must be an image that class standard allows in allow.images (ghcr.io/acme/*, docker.io/nginx), got '${image}'`,
    ]);
  }
});

/** Every way to run a pod, each with a pod spec in it. */
const workloads: readonly [kind: string, build: (spec: object) => object][] = [
  ['Pod', pod],
  ['PodTemplate', (spec) => of('v1', 'PodTemplate', { template: { spec } })],
  ...[
    'v1 ReplicationController',
    'apps/v1 Deployment',
    'apps/v1 StatefulSet',
    'apps/v1 DaemonSet',
    'apps/v1 ReplicaSet',
    'batch/v1 Job',
  ].map((name): [string, (spec: object) => object] => {
    const [apiVersion, kind] = name.split(' ') as [string, string];
    return [kind, (spec) => of(apiVersion, kind, { spec: { template: { spec } } })];
  }),
  [
    'CronJob',
    (spec) =>
      of('batch/v1', 'CronJob', { spec: { jobTemplate: { spec: { template: { spec } } } } }),
  ],
];

/** Every field of a pod that has an image. */
const imageFields: readonly [field: string, build: (image: string) => object][] = [
  ['containers', (image) => ({ containers: [{ name: 'a', image }] })],
  ['initContainers', (image) => ({ initContainers: [{ name: 'a', image }] })],
  ['ephemeralContainers', (image) => ({ ephemeralContainers: [{ name: 'a', image }] })],
  ['volumes', (image) => ({ volumes: [{ name: 'a', image: { reference: image } }] })],
];

test.each(workloads)('a %s is refused for an image in each field', (kind, build) => {
  for (const [field, spec] of imageFields) {
    const [own, other] = ['ghcr.io/acme/web:1', 'evil.io/web:1'].map((image) => build(spec(image)));
    expect([kind, field, admit(acme, own!)]).toEqual([kind, field, undefined]);
    expect(admit(acme, other!)).toContain('got evil.io/web:1');
    expect(declare(acme, own!)).toEqual([]);
    expect(declare(acme, other!).join()).toContain(`${field}[0]`);
    // An object that had the image before stays usable, and another field does not get it.
    expect(admit(acme, other!, other!)).toBeUndefined();
    expect(admit(acme, other!, own!)).toContain('got evil.io/web:1');
  }
});

test('the policy selects every resource that runs pods, and the subresource that adds containers', () => {
  const spec = specs.get('policy.tenantry.dev/images')!;
  const rules = spec.matchConstraints.resourceRules.flatMap(({ apiGroups, resources }) =>
    resources.map((one) => `${apiGroups[0]}/${one}`),
  );
  expect(rules.toSorted()).toEqual([
    '/pods',
    '/pods/ephemeralcontainers',
    '/podtemplates',
    '/replicationcontrollers',
    'apps/daemonsets',
    'apps/deployments',
    'apps/replicasets',
    'apps/statefulsets',
    'batch/cronjobs',
    'batch/jobs',
  ]);
});

test('an empty list allows nothing, and no list allows everything', () => {
  expect(admit({ images: [] }, running('nginx'))).toBe(
    'an image must be one that the class allows in allow.images (none), got nginx',
  );
  expect(declare({ images: [] }, running('nginx'))).toHaveLength(1);
  for (const allow of [{}, { images: ['*'] }]) {
    const id = running(`sha256:${'0'.repeat(64)}`, 'evil.io/web');
    expect([admit(allow, id), declare(allow, id)]).toEqual([undefined, []]);
  }
});

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
    const key = [...specs.keys()].find((one) => one.endsWith(kebab(list.field)))!;
    for (const part of ['labels', 'annotations'])
      expect(collectFindings({ tenant: { [part]: { [key]: 'Listed' } } })).toHaveLength(1);
  }
});

const kebab = (field: string) => field.replaceAll(/[A-Z]/g, (one) => `-${one.toLowerCase()}`);

const word = fc.constantFrom(
  'acme',
  'web',
  'a',
  'Web',
  'docker.io',
  'ghcr.io',
  'library',
  '..',
  '',
);
const separator = fc.constantFrom('/', '/', '/', ':', '@', '.', '-', 'sha256:');
const image = fc
  .tuple(word, fc.array(fc.tuple(separator, word), { maxLength: 4 }))
  .map(([first, rest]) => first + rest.flat().join(''));
const pattern = fc.constantFrom(
  '*',
  'docker.io/*',
  'docker.io/library/*',
  'docker.io/acme/*',
  'docker.io/web',
  'ghcr.io/*',
  'ghcr.io/acme/web',
  'ghcr.io/acme/*',
  'index.docker.io/acme/web',
);

test('Git and the cluster decide alike about any image', () => {
  fc.assert(
    fc.property(fc.array(pattern, { maxLength: 3 }), image, (images, one) => {
      fc.pre(one !== '');
      const isAdmitted = admit({ images: [...new Set(images)] }, running(one)) === undefined;
      expect([one, images, isListedImage(images, one)]).toEqual([one, images, isAdmitted]);
    }),
    runs(1000),
  );
});

test('a pattern allows what is below it, and never another registry', () => {
  fc.assert(
    fc.property(pattern, image, (allowed, one) => {
      if (!isListedImage([allowed], one) || allowed === '*') return;
      const found = resolveRepository(one)!;
      expect(found.split('/')[0]).toBe(completePattern(allowed).split('/')[0]);
    }),
    runs(1000),
  );
});

describe('the version of an image', () => {
  const [policy] = imageVersion;
  const { spec } = policy as unknown as { spec: PolicySpec };

  /** Returns the message with which the policy refuses an object, or undefined. */
  function admitVersion(least: 'Tag' | 'Digest', object: object, oldObject?: object) {
    const [namespace] = ofKind({ klass: { hardening: { imageVersion: least } } }, 'Namespace');
    const { apiVersion, kind } = object as KubeObject;
    const request = {
      kind: { group: groupOf(apiVersion), kind },
      operation: oldObject ? 'UPDATE' : 'CREATE',
    };
    return refusalBy(
      { ...spec, matchConditions: [] },
      { object, oldObject: oldObject ?? null, request, namespaceObject: namespace! },
    );
  }

  const declareVersion = (least: 'Tag' | 'Digest', object: object): string[] =>
    collectFindings({
      klass: { hardening: { imageVersion: least } },
      tenant: { resources: [{ manifest: object as KubeObject }] },
    }).filter((one) => one.includes('imageVersion'));

  test.each([
    ['nginx', false, false],
    ['nginx:latest', false, false],
    ['registry:5000/web', false, false],
    ['registry:5000/web:latest', false, false],
    ['nginx:1.27', true, false],
    ['nginx:latest@sha256:00', true, true],
    ['registry:5000/web@sha256:00', true, true],
  ])('of %s is a tag: %j, a digest: %j', (one, isTagged, hasDigest) => {
    for (const [least, isEnough] of [
      ['Tag', isTagged],
      ['Digest', hasDigest],
    ] as const) {
      const message = admitVersion(least, running(one));
      expect(message === undefined).toBe(isEnough);
      if (!isEnough) expect(message).toContain(`got ${one}`);
      expect(declareVersion(least, running(one))).toHaveLength(isEnough ? 0 : 1);
    }
  });

  test.each(workloads)('is required in a %s, in each field', (_kind, build) => {
    for (const [, place] of imageFields) {
      const old = build(place('nginx'));
      expect(admitVersion('Tag', old)).toBe(
        'an image must have a tag other than latest, or a digest, got nginx',
      );
      expect(declareVersion('Tag', old)).toHaveLength(1);
      expect(admitVersion('Tag', old, old)).toBeUndefined();
      expect(admitVersion('Tag', build(place('nginx:1')))).toBeUndefined();
    }
  });

  test('is judged alike in Git and in the cluster', () => {
    fc.assert(
      fc.property(fc.constantFrom('Tag', 'Digest'), image, (least, one) => {
        fc.pre(one !== '');
        const isAdmitted = admitVersion(least, running(one)) === undefined;
        expect([one, hasVersion(one, least)]).toEqual([one, isAdmitted]);
      }),
      runs(500),
    );
  });
});
