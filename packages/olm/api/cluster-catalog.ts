import { uncheckedDefinition } from '@tenantry/crd/definition';
import {
  conditions,
  dateTime,
  enumOf,
  integer,
  object,
  required,
  string,
} from '@tenantry/crd/schema/language';
import { named } from './shared-fields.ts';

const LABEL = '([a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const HOST = `${LABEL}([.]${LABEL})*(:[0-9]+)?`;
const PART = '[a-z0-9]+(([._]|__|-+)[a-z0-9]+)*';
const TAG = ':[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,126}';
const DIGEST = '@[A-Za-z][A-Za-z0-9]*([-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';

/** Builds the schema of an image as OLM v1 accepts it: with its host, and a tag or a digest. */
const image = (description: string, identifier: string, must: string) =>
  string(description, {
    pattern: `^${HOST}(/${PART})+${identifier}$`,
    maxLength: 1000,
    must,
    example: `quay.io/example/catalog@sha256:${'0'.repeat(64)}`,
  });

const source = named(
  'ClusterCatalogSource',
  object('The location of a catalog.', {
    type: required(enumOf('The only type.', ['Image'])),
    image: required(
      named(
        'ClusterCatalogImage',
        object(
          'The image of a catalog.',
          {
            ref: required(
              image(
                'The image with its host, and with a tag or a digest.',
                `(${TAG}|${DIGEST})`,
                "an image with its host, and a tag or a digest, such as 'quay.io/example/catalog:latest'",
              ),
            ),
            pollIntervalMinutes: integer(
              'How often OLM looks for a new image of the tag, in minutes.',
              {
                minimum: 1,
                format: 'int64',
                absent: 'never',
              },
            ),
          },
          {
            rules: [
              {
                rule: "!has(self.pollIntervalMinutes) || !self.ref.contains('@')",
                message:
                  'must have no pollIntervalMinutes beside a digest, which is always the same image',
              },
            ],
          },
        ),
      ),
    ),
  }),
);

const spec = named(
  'ClusterCatalogSpec',
  object('The location of a catalog, and whether it is used.', {
    source: required(source),
    priority: integer('The priority among catalogs with the same package: the highest wins.', {
      minimum: -2_147_483_648,
      maximum: 2_147_483_647,
      default: 0,
    }),
    availabilityMode: enumOf('Whether the catalog is used.', ['Available', 'Unavailable'], {
      default: 'Available',
    }),
  }),
);

const status = named(
  'ClusterCatalogStatus',
  object('The status of a catalog.', {
    conditions: conditions('The conditions: `Serving`, `Progressing`.'),
    resolvedSource: named(
      'ResolvedCatalogSource',
      object('The catalog that was read.', {
        type: required(enumOf('The only type.', ['Image'])),
        image: required(
          named(
            'ResolvedCatalogImage',
            object('The image that was read.', {
              ref: required(image('The image with its digest.', DIGEST, 'an image by its digest')),
            }),
          ),
        ),
      }),
    ),
    urls: named(
      'ClusterCatalogUrls',
      object('The URLs of the served catalog.', {
        base: required(
          string('The base URL within the cluster; paths are appended to it.', { maxLength: 525 }),
        ),
      }),
    ),
    lastUnpacked: dateTime('When the catalog was last unpacked.'),
  }),
);

/**
 * A catalog that OLM v1 takes bundles from.
 * Source: https://operator-framework.github.io/operator-controller/api-reference/olmv1-api-reference/
 */
export const clusterCatalog = uncheckedDefinition({
  group: 'olm.operatorframework.io',
  kind: 'ClusterCatalog',
  plural: 'clustercatalogs',
  scope: 'Cluster',
  versions: {
    v1: {
      schema: object('A catalog from which OLM v1 installs bundles.', {
        spec: required(spec),
        status,
      }),
    },
  },
});
