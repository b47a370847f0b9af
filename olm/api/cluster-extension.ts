import { DNS_LABEL, A_DNS_LABEL, DNS_SUBDOMAIN, A_SUBDOMAIN } from '../../kube/names.ts';
import { uncheckedDefinition } from '../../crds/definition.ts';
import {
  conditions,
  enumOf,
  immutable,
  labelSelector,
  list,
  object,
  required,
  string,
} from '../../schema/language.ts';
import { named } from './named.ts';

const NUMBER = '(0|[1-9][0-9]*)';
const REST = '(-[0-9A-Za-z-]+([.][0-9A-Za-z-]+)*)?([+][0-9A-Za-z-]+([.][0-9A-Za-z-]+)*)?';
const OPERATOR = '(=|!=|>|<|>=|=>|<=|=<|~|~>|\\^)?';

/** A version of which parts may be left open. Where `*` may stand depends on its place in the list. */
const version = (minor: string, patch: string): string =>
  `\\s*${OPERATOR}\\s*v?(${NUMBER}|[xX*])([.](${NUMBER}|${minor}))?([.](${NUMBER}|${patch}))?${REST}\\s*`;

/**
 * What the API server takes as `version`: what OLM's definition asks of it, and no more.
 * Source: https://github.com/operator-framework/operator-controller, api/v1 CatalogFilter
 */
const VERSIONS = `^${version('[xX]', '[xX*]')}((\\s+|,\\s*|\\s*[|][|]\\s*)${version('[xX*]', '[xX]')})*$`;

const name = (description: string, example: string) =>
  string(description, { pattern: DNS_SUBDOMAIN, maxLength: 253, must: A_SUBDOMAIN, example });

const catalog = named(
  'CatalogFilter',
  object('Which bundle of the catalogs of the cluster.', {
    packageName: required(immutable(name('The package; it never changes.', 'redis-operator'))),
    version: string('Which versions of it may be installed: the highest of them is.', {
      pattern: VERSIONS,
      maxLength: 64,
      must: "versions such as '1.2.3', '1.2.x' or '>=1.2.0, <2.0.0'",
      example: '>=1.2.0, <2.0.0',
      absent: 'any',
    }),
    channels: list('The channels that it may be of.', name('A channel.', 'stable'), {
      maxItems: 256,
      absent: 'any',
    }),
    selector: labelSelector('The ClusterCatalogs that are asked. Default: all.'),
    upgradeConstraintPolicy: enumOf(
      'Whether only upgrades that the catalog provides for are made, or any, back to older versions too.',
      ['CatalogProvided', 'SelfCertified'],
      { default: 'CatalogProvided' },
    ),
  }),
);

const spec = named(
  'ClusterExtensionSpec',
  object('What is installed, and where.', {
    namespace: required(
      immutable(
        string('The namespace of what lies in namespaces; it must be there, and never changes.', {
          pattern: DNS_LABEL,
          maxLength: 63,
          must: A_DNS_LABEL,
          example: 'redis-operator',
        }),
      ),
    ),
    serviceAccount: named(
      'InstallerAccount',
      object(
        'Who installs it; releases that do not know it any more pass over it.',
        {
          name: required(
            immutable(name('A ServiceAccount of the namespace.', 'redis-operator-installer')),
          ),
        },
        { minProperties: 1 },
      ),
    ),
    source: required(
      named(
        'ClusterExtensionSource',
        object('Where it comes from.', {
          sourceType: required(enumOf('There is one.', ['Catalog'])),
          catalog: required(catalog),
        }),
      ),
    ),
    install: named(
      'ClusterExtensionInstall',
      object('How it is installed.', {
        preflight: required(
          named(
            'ClusterExtensionPreflight',
            object('What is asked before.', {
              crdUpgradeSafety: required(
                named(
                  'CrdUpgradeSafety',
                  object('Whether new definitions keep what is stored readable.', {
                    enforcement: required(
                      enumOf('Whether an unsafe upgrade is refused.', ['None', 'Strict']),
                    ),
                  }),
                ),
              ),
            }),
          ),
        ),
      }),
    ),
  }),
);

const status = named(
  'ClusterExtensionStatus',
  object('What came of it.', {
    conditions: conditions('What is the case: `Installed`, `Progressing`, and what is deprecated.'),
    install: named(
      'ClusterExtensionInstalled',
      object('What is installed.', {
        bundle: required(
          named(
            'InstalledBundle',
            object('The bundle.', {
              name: required(string('Its name in the catalog.')),
              version: required(string('Its version.')),
            }),
          ),
        ),
      }),
    ),
  }),
);

/**
 * A bundle that OLM v1 installs and keeps up to date.
 * Source: https://operator-framework.github.io/operator-controller/api-reference/olmv1-api-reference/
 */
export const clusterExtension = uncheckedDefinition({
  group: 'olm.operatorframework.io',
  kind: 'ClusterExtension',
  plural: 'clusterextensions',
  scope: 'Cluster',
  versions: {
    v1: {
      schema: object('A bundle that OLM v1 installs and keeps up to date.', { spec, status }),
    },
  },
});
