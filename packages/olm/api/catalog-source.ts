import { uncheckedDefinition } from '@tenantry/crd/definition';
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
} from '@tenantry/crd/schema/language';
import { named, affinity, tolerations } from './shared-fields.ts';

const grpcPodConfig = named(
  'GrpcPodConfig',
  object('The settings of the pod that serves a catalog, for `image` only.', {
    nodeSelector: map('Labels of the nodes on which it may run.', string('A value.')),
    tolerations,
    affinity,
    priorityClassName: string('Its PriorityClass.'),
    securityContextConfig: enumOf(
      'Whether the pod satisfies Pod Security `restricted`, or runs as old catalogs require.',
      ['legacy', 'restricted'],
    ),
    memoryTarget: quantity('The memory request of the pod, and the memory target of its program.'),
    extractContent: named(
      'ExtractContent',
      object(
        "Serves the catalog of the image with OLM's own program instead of the program of the image.",
        {
          catalogDir: required(string('The folder of the image with the catalog.')),
          cacheDir: string('The folder of the image with its cache.', { absent: 'none' }),
        },
      ),
    ),
  }),
);

const spec = named(
  'CatalogSourceSpec',
  object('The location of a catalog, and its description.', {
    sourceType: required(
      enumOf(
        'The source of the catalog: a program that runs from an image or at an address, or a ConfigMap.',
        ['grpc', 'configmap', 'internal'],
      ),
    ),
    image: string('The image of the catalog, for `grpc`.', {
      example: 'quay.io/example/catalog:latest',
    }),
    address: string('The address of a running catalog, for `grpc` without an image.', {
      example: 'catalog.example.com:50051',
    }),
    configMap: string('The ConfigMap with the catalog, for `configmap` and `internal`.'),
    displayName: string('The name for people.'),
    description: string('The description of the catalog.'),
    publisher: string('The publisher of the catalog.'),
    icon: named(
      'CatalogSourceIcon',
      object('The icon of the catalog.', {
        base64data: required(string('The image in base64.')),
        mediatype: required(string('The media type of the image.', { example: 'image/svg+xml' })),
      }),
    ),
    priority: integer('The priority among catalogs with the same package: the highest wins.', {
      format: 'int64',
      absent: '0',
    }),
    secrets: list(
      'Secrets of its namespace with which the images of its bundles are pulled.',
      string('A name.'),
    ),
    updateStrategy: named(
      'CatalogUpdateStrategy',
      object('When OLM looks for a new image of the catalog.', {
        registryPoll: named(
          'RegistryPoll',
          object('Polls for a new image; for an image with a tag.', {
            interval: duration('The polling interval.'),
          }),
        ),
      }),
    ),
    grpcPodConfig,
  }),
);

const status = named(
  'CatalogSourceStatus',
  object('The status of a catalog.', {
    conditions: conditions(),
    message: string('The error as a text for people.'),
    reason: string('The error as one word for programs.'),
    latestImageRegistryPoll: dateTime('When OLM last looked for a new image.'),
    connectionState: named(
      'CatalogConnection',
      object('The connection of OLM to the catalog.', {
        address: string('The address.'),
        lastConnect: dateTime('When OLM last tried to connect.'),
        lastObservedState: required(string('The last state: `READY`, `TRANSIENT_FAILURE`.')),
      }),
    ),
    registryService: named(
      'CatalogService',
      object('The Service in front of its pod.', {
        serviceName: string('Its name.'),
        serviceNamespace: string('Its namespace.'),
        port: string('Its port.'),
        protocol: string('Its protocol.'),
        createdAt: dateTime('When it was created.'),
      }),
    ),
    configMapReference: named(
      'CatalogConfigMap',
      object('The ConfigMap that was read.', {
        name: required(string('Its name.')),
        namespace: required(string('Its namespace.')),
        uid: string('Its UID.'),
        resourceVersion: string('Its resourceVersion when it was read.'),
        lastUpdateTime: dateTime('When it was read.'),
      }),
    ),
  }),
);

/**
 * The kind of a catalog from which OLM installs operators.
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
      schema: object('A catalog from which OLM installs operators.', {
        spec: required(spec),
        status,
      }),
    },
  },
});
