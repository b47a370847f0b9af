import { expect, test } from '@jest/globals';
import { customResource } from '@tenantry/crd/constructs';
import { checkDefinition, define } from '@tenantry/crd/define';
import {
  crdManifest,
  definitionOf,
  listVersions,
  type DefinitionProps,
} from '@tenantry/crd/definition';
import { conditions } from '@tenantry/crd/schema/language/kubernetes';
import { InvalidInput } from '@tenantry/kube/problem';
import {
  integer,
  object,
  required,
  string,
  type Input,
  type Static,
} from '@tenantry/crd/schema/language';
import { sampleObject } from '@tenantry/crd/sample-object';
import { accessRequest } from '../../crds/access-request.ts';
import { platform } from '../../crds/platform.ts';
import { tenant } from '../../crds/tenant.ts';
import { tenantClass } from '../../crds/tenant-class.ts';

const names = {
  group: 'example.com',
  kind: 'Thing',
  plural: 'things',
  scope: 'Namespaced',
} as const;
const spec = object('What it should be.', {
  replicas: integer('How many.', { minimum: 0, maximum: 9, default: 1 }),
  image: required(string('The image.', { maxLength: 200 })),
});
const status = object('What it is.', {
  replicas: integer('How many there are.'),
  selector: string('Which pods they are.', { maxLength: 200 }),
  conditions: conditions(),
});

const redis = define({
  group: 'cache.example.com',
  kind: 'Redis',
  plural: 'redises',
  shortNames: ['rd'],
  categories: ['all'],
  scope: 'Namespaced',
  metadata: { labels: { team: 'caches' }, annotations: { 'example.com/a': 'b' } },
  versions: {
    v1: {
      schema: object('A Redis cache.', { spec: required(spec), status }),
      storage: true,
      subresources: {
        status: true,
        scale: {
          specReplicasPath: '.spec.replicas',
          statusReplicasPath: '.status.replicas',
          labelSelectorPath: '.status.selector',
        },
      },
      additionalPrinterColumns: [
        { name: 'Replicas', type: 'integer', jsonPath: '.status.replicas' },
        { name: 'Image', type: 'string', jsonPath: '.spec.image', priority: 1 },
      ],
      selectableFields: ['.spec.image'],
    },
    v1beta1: {
      schema: object('A Redis cache.', {
        spec: object('', { size: integer('How many.') }),
        status,
      }),
      deprecated: true,
      deprecationWarning: 'cache.example.com/v1beta1 Redis is deprecated; use v1',
    },
  },
  conversion: {
    strategy: 'Webhook',
    webhook: {
      clientConfig: { service: { namespace: 'caches', name: 'redis', path: '/convert' } },
      conversionReviewVersions: ['v1'],
    },
  },
});

test('a CustomResourceDefinition contains everything that the definition declares', () => {
  const { metadata, spec } = crdManifest(redis);
  expect(metadata).toEqual({
    name: 'redises.cache.example.com',
    labels: { team: 'caches' },
    annotations: { 'example.com/a': 'b' },
  });
  expect(spec).toMatchObject({
    group: 'cache.example.com',
    names: {
      kind: 'Redis',
      listKind: 'RedisList',
      plural: 'redises',
      singular: 'redis',
      shortNames: ['rd'],
      categories: ['all'],
    },
    scope: 'Namespaced',
    conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'] } },
  });
  expect(spec.versions).toMatchObject([
    {
      name: 'v1',
      served: true,
      storage: true,
      subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas' } },
      selectableFields: [{ jsonPath: '.spec.image' }],
    },
    {
      name: 'v1beta1',
      served: true,
      storage: false,
      deprecated: true,
      deprecationWarning: 'cache.example.com/v1beta1 Redis is deprecated; use v1',
      subresources: { status: {} },
    },
  ]);
  const { properties } = spec.versions[0]!.schema!.openAPIV3Schema!;
  expect(Object.keys(properties!)).toEqual(['apiVersion', 'kind', 'metadata', 'spec', 'status']);
});

test('a single version is the storage version by default, and a status gets its subresource', () => {
  const { versions } = define({
    group: 'example.com',
    kind: 'Thing',
    plural: 'things',
    scope: 'Cluster',
    versions: { v1: { schema: object('', { status: object('', {}) }) } },
  });
  expect(versions.v1).toMatchObject({
    storage: true,
    served: true,
    subresources: { status: true },
  });
});

test('reading a CustomResourceDefinition as a definition and rendering it again gives the same', () => {
  const manifest = crdManifest(redis);
  const read = definitionOf(manifest);
  expect(listVersions(read).map(({ apiVersion }) => apiVersion)).toEqual([
    'cache.example.com/v1',
    'cache.example.com/v1beta1',
  ]);
  expect(crdManifest(read)).toEqual(manifest);
});

test('the manifest is a copy: changing it changes no definition', () => {
  const manifest = crdManifest(redis) as unknown as { spec: { versions: { schema: object }[] } };
  manifest.spec.versions[0]!.schema = {};
  expect(crdManifest(redis).spec.versions[0]!.schema).not.toEqual({});
});

test('declaring a definition reports everything that the API server would refuse, all at once', () => {
  const broken = () =>
    define({
      group: 'caches',
      kind: 'Redis',
      plural: 'Redises',
      scope: 'Namespaced',
      versions: {
        v1: {
          schema: object('', {
            spec: object(
              '',
              { size: string('', { pattern: '(?=a)' }) },
              { rules: [{ rule: 'self.sice == 1', message: 'two\nlines' }] },
            ),
          }),
        },
      },
    });
  expect(broken).toThrow(InvalidInput);
  expect(broken).toThrow(
    "Redises.caches spec.group must be a DNS subdomain with a dot, such as 'example.com', got 'caches'",
  );
  expect(broken).toThrow('Redises.caches spec.names.plural must be a DNS label');
  expect(broken).toThrow('properties.size.pattern must be a regular expression of Go (RE2)');
  expect(broken).toThrow("x-kubernetes-validations[0].message must be one line, got 'two\\nlines'");
});

test('our own kinds are valid', () => {
  for (const kind of [accessRequest, tenant, tenantClass, platform]) {
    expect(checkDefinition(kind).errors).toEqual([]);
  }
});

test('a status keeps its subresource beside scale unless it is disabled', () => {
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
  const subresourcesOf = (subresources: { scale: typeof scale; status?: boolean }) => {
    const versions = { v1: { schema: object('', { spec, status }), subresources } };
    const thing = define({ ...names, versions });
    return crdManifest(thing).spec.versions[0]?.subresources;
  };
  expect(subresourcesOf({ scale })).toEqual({ status: {}, scale });
  expect(subresourcesOf({ scale, status: false })).toEqual({ scale });
});

test('the error for a missing version names it and the existing ones', () => {
  const read = definitionOf(crdManifest(redis));
  const message = `The version of Redis must be one of ${Object.keys(read.versions).join(', ')}, got v9`;
  expect(() => sampleObject(read, 'v9')).toThrow(message);
  expect(() => customResource(read, 'v9')).toThrow(message);
});

test('two versions with the same name are refused', () => {
  const manifest = crdManifest(redis);
  const { versions } = manifest.spec;
  const twice = { ...manifest, spec: { ...manifest.spec, versions: [...versions, versions[0]!] } };
  expect(() => definitionOf(twice)).toThrow(
    new InvalidInput([
      {
        path: 'spec.versions[2].name',
        message: "must be a version of its own, got 'v1' again",
        rule: 'versions-unique',
      },
    ]),
  );
});

test('the types of a version are those of its schema', () => {
  type Object = Static<typeof redis.versions.v1.schema>;
  type Written = Input<typeof redis.versions.v1.schema>;
  const written: Written = { spec: { image: 'redis:8' } };
  const stored: Object = { spec: { image: 'redis:8', replicas: 1 }, status: { replicas: 0 } };
  // @ts-expect-error the default is filled in
  const incomplete: Object = { spec: { image: 'redis:8' } };
  // @ts-expect-error an image is required
  const nothing: Written = { spec: {} };
  // @ts-expect-error of another version
  const older: Written = { spec: { size: 1 } };
  expect([written, stored, incomplete, nothing, older]).toHaveLength(5);
});

test('the compiler refuses fields that a version does not have', () => {
  const names = { group: 'a.b', kind: 'A', plural: 'as', scope: 'Cluster' } as const;
  const schema = object('', {});
  const props: DefinitionProps[] = [
    // @ts-expect-error a typing mistake
    { ...names, versions: { v1: { schema, servd: true } } },
    // @ts-expect-error a version has a schema
    { ...names, versions: { v1: {} } },
    // @ts-expect-error one of two scopes
    { ...names, scope: 'Namespace', versions: { v1: { schema } } },
  ];
  expect(props).toHaveLength(3);
  // @ts-expect-error a typing mistake, where types are inferred
  const inferred = () => define({ ...names, versions: { v1: { schema, servd: true } } });
  expect(inferred).toBeInstanceOf(Function);
});
