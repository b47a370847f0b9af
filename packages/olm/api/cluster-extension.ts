import { DNS_LABEL, A_DNS_LABEL, DNS_SUBDOMAIN, A_SUBDOMAIN } from '@tenantry/kube/names';
import { uncheckedDefinition } from '@tenantry/crd/definition';
import {
  conditions,
  enumOf,
  immutable,
  labelSelector,
  list,
  object,
  required,
  string,
} from '@tenantry/crd/schema/language';
import { named } from './shared-fields.ts';

const NUMBER = '(0|[1-9][0-9]*)';
const REST = '(-[0-9A-Za-z-]+([.][0-9A-Za-z-]+)*)?([+][0-9A-Za-z-]+([.][0-9A-Za-z-]+)*)?';
const OPERATOR = '(=|!=|>|<|>=|=>|<=|=<|~|~>|\\^)?';

/**
 * Builds the pattern of a version whose parts can be left open. The allowed wildcards depend on its place in the list.
 */
const version = (minor: string, patch: string): string =>
  `\\s*${OPERATOR}\\s*v?(${NUMBER}|[xX*])([.](${NUMBER}|${minor}))?([.](${NUMBER}|${patch}))?${REST}\\s*`;

/**
 * The versions that the API server accepts as `version`, exactly as in OLM's definition.
 * Source: https://github.com/operator-framework/operator-controller, api/v1 CatalogFilter
 */
const VERSIONS = `^${version('[xX]', '[xX*]')}((\\s+|,\\s*|\\s*[|][|]\\s*)${version('[xX*]', '[xX]')})*$`;

const name = (description: string, example: string) =>
  string(description, { pattern: DNS_SUBDOMAIN, maxLength: 253, must: A_SUBDOMAIN, example });

const catalog = named(
  'CatalogFilter',
  object('The selection of a bundle from the catalogs of the cluster.', {
    packageName: required(immutable(name('The package; immutable.', 'redis-operator'))),
    version: string('The versions that may be installed; the highest one is.', {
      pattern: VERSIONS,
      maxLength: 64,
      must: "versions such as '1.2.3', '1.2.x' or '>=1.2.0, <2.0.0'",
      example: '>=1.2.0, <2.0.0',
      absent: 'any',
    }),
    channels: list('The channels from which it may be installed.', name('A channel.', 'stable'), {
      maxItems: 256,
      absent: 'any',
    }),
    selector: labelSelector('The ClusterCatalogs to install from. Default: all.'),
    upgradeConstraintPolicy: enumOf(
      'Whether only upgrades in the catalog are allowed, or any, including downgrades.',
      ['CatalogProvided', 'SelfCertified'],
      { default: 'CatalogProvided' },
    ),
  }),
);

const spec = named(
  'ClusterExtensionSpec',
  object('The extension to install, and its namespace.', {
    namespace: required(
      immutable(
        string('The namespace of the namespaced objects; it must exist and is immutable.', {
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
        'The ServiceAccount that installs it; newer releases of OLM ignore it.',
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
        object('The source of the extension.', {
          sourceType: required(enumOf('The only type.', ['Catalog'])),
          catalog: required(catalog),
        }),
      ),
    ),
    install: named(
      'ClusterExtensionInstall',
      object('The settings of the installation.', {
        preflight: required(
          named(
            'ClusterExtensionPreflight',
            object('The checks before an installation or an upgrade.', {
              crdUpgradeSafety: required(
                named(
                  'CrdUpgradeSafety',
                  object('The check that new definitions keep stored objects readable.', {
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
  object('The observed status.', {
    conditions: conditions('The conditions: `Installed`, `Progressing`, and deprecations.'),
    install: named(
      'ClusterExtensionInstalled',
      object('The installed bundle.', {
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
