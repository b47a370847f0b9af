import { uncheckedDefinition } from '../../crds/definition.ts';
import {
  conditions,
  dateTime,
  duration,
  enumOf,
  integer,
  list,
  map,
  object,
  quantity,
  required,
  string,
} from '../../schema/language.ts';
import { named } from './named.ts';
import { affinity, tolerations } from './pod-fields.ts';

const grpcPodConfig = named(
  'GrpcPodConfig',
  object('How the pod of a catalog runs; for `image` alone.', {
    nodeSelector: map('Labels of the nodes that it may run on.', string('A value.')),
    tolerations,
    affinity,
    priorityClassName: string('Its PriorityClass.'),
    securityContextConfig: enumOf(
      'Whether the pod passes Pod Security `restricted`, or runs as old catalogs need it.',
      ['legacy', 'restricted'],
    ),
    memoryTarget: quantity('How much memory the pod asks for, and its program aims at.'),
    extractContent: named(
      'ExtractContent',
      object("Serves the catalog of the image by OLM's own program in place of the image's.", {
        catalogDir: required(string('The folder of the image with the catalog.')),
        cacheDir: string('The folder of the image with its cache.', { absent: 'none' }),
      }),
    ),
  }),
);

const spec = named(
  'CatalogSourceSpec',
  object('Where a catalog is, and how it is called.', {
    sourceType: required(
      enumOf('What serves it: a program, of an image or at an address; or a ConfigMap.', [
        'grpc',
        'configmap',
        'internal',
      ]),
    ),
    image: string('The image of the catalog, for `grpc`.', {
      example: 'quay.io/example/catalog:latest',
    }),
    address: string('Where a catalog is served already, for `grpc` without an image.', {
      example: 'catalog.example.com:50051',
    }),
    configMap: string('The ConfigMap with the catalog, for `configmap` and `internal`.'),
    displayName: string('How it is called where people read.'),
    description: string('What it is.'),
    publisher: string('Who stands behind it.'),
    icon: named(
      'CatalogSourceIcon',
      object('A picture.', {
        base64data: required(string('The picture, in base64.')),
        mediatype: required(string('What picture it is.', { example: 'image/svg+xml' })),
      }),
    ),
    priority: integer('Which catalog is taken where several have a package: the highest.', {
      format: 'int64',
      absent: '0',
    }),
    secrets: list(
      'Secrets of its namespace by which the images of its bundles are pulled.',
      string('A name.'),
    ),
    updateStrategy: named(
      'CatalogUpdateStrategy',
      object('When a new image of the catalog is looked for.', {
        registryPoll: named(
          'RegistryPoll',
          object('Looks for one from time to time; for an image by its tag.', {
            interval: duration('How often.'),
          }),
        ),
      }),
    ),
    grpcPodConfig,
  }),
);

const status = named(
  'CatalogSourceStatus',
  object('How it is with a catalog.', {
    conditions: conditions(),
    message: string('What is wrong, for people.'),
    reason: string('What is wrong, as one word for programs.'),
    latestImageRegistryPoll: dateTime('When a new image was last looked for.'),
    connectionState: named(
      'CatalogConnection',
      object('How OLM reaches what serves it.', {
        address: string('Where.'),
        lastConnect: dateTime('When it last tried to.'),
        lastObservedState: required(string('How it was: `READY`, `TRANSIENT_FAILURE`.')),
      }),
    ),
    registryService: named(
      'CatalogService',
      object('The Service in front of its pod.', {
        serviceName: string('Its name.'),
        serviceNamespace: string('Its namespace.'),
        port: string('Its port.'),
        protocol: string('What is spoken there.'),
        createdAt: dateTime('When it was made.'),
      }),
    ),
    configMapReference: named(
      'CatalogConfigMap',
      object('The ConfigMap that was read.', {
        name: required(string('Its name.')),
        namespace: required(string('Its namespace.')),
        uid: string('Its UID.'),
        resourceVersion: string('As of when.'),
        lastUpdateTime: dateTime('When it was read.'),
      }),
    ),
  }),
);

/**
 * A catalog that OLM takes operators from.
 * Source: https://olm.operatorframework.io/docs/concepts/crds/catalogsource/
 */
export const catalogSource = uncheckedDefinition({
  group: 'operators.coreos.com',
  kind: 'CatalogSource',
  plural: 'catalogsources',
  shortNames: ['catsrc'],
  categories: ['olm'],
  scope: 'Namespaced',
  versions: {
    v1alpha1: {
      schema: object('A catalog that OLM takes operators from.', { spec: required(spec), status }),
    },
  },
});
