import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  completePattern,
  hasVersion,
  isListedImage,
  resolveRepository,
} from '../../model/allow-lists/images.ts';
import { imageVersion } from '../../model/hardening/policies.ts';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { collectFindings, ofKind } from './given.ts';
import {
  admit,
  declare,
  image,
  imageFields,
  running,
  specs,
  workloads,
  type Allow,
} from './listed-objects.ts';
import { refusalBy, type PolicySpec } from './policy-request.ts';

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

test('a pattern of a whole registry includes what is in no folder', () => {
  for (const image of ['nginx', 'acme/web', 'docker.io/acme/web', 'index.docker.io/a/b/c'])
    for (const entry of ['docker.io/*', 'index.docker.io/*']) {
      const allow = { images: [entry] };
      expect([admit(allow, running(image)), declare(allow, running(image))]).toEqual([
        undefined,
        [],
      ]);
    }
});

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

  test('is not required unless the class requires it', () => {
    const tenant = { resources: [{ manifest: running('nginx') as KubeObject }] };
    expect(collectFindings({ tenant }).filter((one) => one.includes('imageVersion'))).toEqual([]);
  });

  test('is named in the message, which is a warning in a custom resource', () => {
    const at = (path: string) => `spec.resources[0].manifest.${path}.image must have`;
    const got = "(hardening.imageVersion of class standard), got 'nginx'";
    expect(declareVersion('Tag', running('nginx'))).toEqual([
      `${at('spec.containers[0]')} a tag other than 'latest', or a digest ${got}`,
    ]);
    expect(declareVersion('Digest', running('nginx'))).toEqual([
      `${at('spec.containers[0]')} a digest ${got}`,
    ]);
    const rollout = {
      ...running(),
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Rollout',
      spec: { template: { spec: { containers: [{ name: 'a', image: 'nginx' }] } } },
    };
    expect(declareVersion('Digest', rollout)).toEqual([
      `warning ${at('spec.template.spec.containers[0]')} a digest ${got}`,
    ]);
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
