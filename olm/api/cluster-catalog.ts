import { uncheckedDefinition } from '../../crds/definition.ts';
import {
  conditions,
  dateTime,
  enumOf,
  integer,
  object,
  required,
  string,
} from '../../schema/language.ts';
import { named } from './named.ts';

const LABEL = '([a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const HOST = `${LABEL}([.]${LABEL})*(:[0-9]+)?`;
const PART = '[a-z0-9]+(([._]|__|-+)[a-z0-9]+)*';
const TAG = ':[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,126}';
const DIGEST = '@[A-Za-z][A-Za-z0-9]*([-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';

/** An image as OLM v1 takes it: with its host, and a tag or a digest. */
const image = (description: string, identifier: string, must: string) =>
  string(description, {
    pattern: `^${HOST}(/${PART})+${identifier}$`,
    maxLength: 1000,
    must,
    example: `quay.io/example/catalog@sha256:${'0'.repeat(64)}`,
  });

const source = named(
  'ClusterCatalogSource',
  object('Where a catalog is.', {
    type: required(enumOf('There is one.', ['Image'])),
    image: required(
      named(
        'ClusterCatalogImage',
        object(
          'The image of a catalog.',
          {
            ref: required(
              image(
                'The image, with its host, and its tag or its digest.',
                `(${TAG}|${DIGEST})`,
                "an image with its host, and a tag or a digest, such as 'quay.io/example/catalog:latest'",
              ),
            ),
            pollIntervalMinutes: integer('How often a new image of the tag is looked for.', {
              minimum: 1,
              format: 'int64',
              absent: 'never',
            }),
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
  object('Where a catalog is, and whether it is used.', {
    source: required(source),
    priority: integer('Which catalog is taken where several have a package: the highest.', {
      minimum: -2_147_483_648,
      maximum: 2_147_483_647,
      default: 0,
    }),
    availabilityMode: enumOf('Whether it is used.', ['Available', 'Unavailable'], {
      default: 'Available',
    }),
  }),
);

const status = named(
  'ClusterCatalogStatus',
  object('How it is with a catalog.', {
    conditions: conditions('What is the case: `Serving`, `Progressing`.'),
    resolvedSource: named(
      'ResolvedCatalogSource',
      object('What was read.', {
        type: required(enumOf('There is one.', ['Image'])),
        image: required(
          named(
            'ResolvedCatalogImage',
            object('The image that was read.', {
              ref: required(image('It, by its digest.', DIGEST, 'an image by its digest')),
            }),
          ),
        ),
      }),
    ),
    urls: named(
      'ClusterCatalogUrls',
      object('Where it is served.', {
        base: required(string('Within the cluster; paths follow.', { maxLength: 525 })),
      }),
    ),
    lastUnpacked: dateTime('When it was read.'),
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
      schema: object('A catalog that OLM v1 takes bundles from.', { spec: required(spec), status }),
    },
  },
});
