import type { BundleFinding } from '../../bundle/bundle.ts';
import type { ClusterServiceVersion } from '../../bundle/clusterserviceversion.ts';
import type { Decoded } from '../../bundle/decoded.ts';
import { liftedRules } from '../../permissions/lifted.ts';
import { inVersion, type BundleCheck, type BundleRule } from '../rule.ts';

const lifted: BundleRule = {
  id: 'permissions-everywhere',
  severity: 'warning',
  validators: ['good-practices'],
  asks: 'where AllNamespaces is supported, a rule of `permissions` names its objects, or is of `leases` and `events`, of `get` of `pods`, or granted by `clusterPermissions` too: OLM grants it in all namespaces',
};

/** What an operator may do in its own namespace. */
export const permissions: BundleCheck = {
  rules: [lifted],
  check(bundle, say) {
    for (const { path, message } of permissionFindings(bundle.csv)) {
      say(lifted, inVersion(bundle, ...path), message);
    }
  },
};

/** What of the permissions of a ClusterServiceVersion is warned of, whatever suite is asked. */
export function permissionFindings({
  file,
  value,
}: {
  readonly file: string;
  readonly value: Decoded<ClusterServiceVersion>;
}): BundleFinding[] {
  return liftedRules(value).map(({ path, words }) => {
    const message = `must have resourceNames, or be said in clusterPermissions: installed for all namespaces, OLM grants it in all of them, got ${words}`;
    return { file, path, message, rule: lifted.id, severity: lifted.severity };
  });
}
