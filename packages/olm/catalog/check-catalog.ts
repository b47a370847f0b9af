import { CatalogFindings, type Catalog, type CatalogFinding } from './catalog.ts';
import { checkBundles } from './rules/bundles.ts';
import { checkChannels } from './rules/channels.ts';
import { checkDeprecations, indexPackages, checkPackages } from './rules/packages.ts';

/**
 * Validates a catalog, object by object: OLM serves no catalog with an error. The rules are those of `opm validate`,
 * which stops at the first error.
 *
 * Source: https://github.com/operator-framework/operator-registry/tree/master/alpha/declcfg
 *
 * @example
 * ```ts
 * import { checkCatalog } from '@tenantry/olm';
 *
 * const redis = { schema: 'olm.package', name: 'redis', defaultChannel: 'stable' } as const;
 * const nothing = { channels: [], bundles: [], deprecations: [], others: [] };
 * const [finding] = checkCatalog({ ...nothing, packages: [redis] });
 * console.log(finding?.rule); // catalog-package-channels
 * ```
 */
export function checkCatalog(catalog: Catalog): readonly CatalogFinding[] {
  const packages = indexPackages(catalog);
  const findings = new CatalogFindings();
  checkPackages(catalog, packages, findings);
  checkChannels(catalog, packages, findings);
  checkBundles(catalog, packages, findings);
  checkDeprecations(catalog, packages, findings);
  return findings.all;
}
