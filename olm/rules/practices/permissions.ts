import type { BundleFinding } from '../../bundle/bundle.ts';
import type { ClusterServiceVersion, StrategyRule } from '../../bundle/cluster-service-version.ts';
import type { Decoded } from '../../bundle/decoded.ts';
import { decodeAs } from '../../decoding/decode.ts';
import { explainIneffectiveVerbs } from '../../../kube/access.ts';
import type { LoadedBundle, BundleLocation } from '../../loader/loaded.ts';
import { findWidenedRules } from '../../permissions/lifted.ts';
import { locateInCsv, type BundleCheck, type BundleRule } from '../rule.ts';

const permissionsEverywhere: BundleRule = {
  id: 'permissions-everywhere',
  severity: 'warning',
  validators: ['good-practices'],
  description:
    'if AllNamespaces is supported, a rule of `permissions` names its objects, grants only `leases`, `events` or `get` of `pods`, or is also granted by `clusterPermissions`: OLM grants it in all namespaces',
};

const resourceNames: BundleRule = {
  id: 'resource-names',
  severity: 'warning',
  validators: ['good-practices'],
  description:
    'no rule of `permissions`, `clusterPermissions`, a Role or a ClusterRole combines `resourceNames` with `create` or `deletecollection`: such requests carry no name, so the rule allows none',
};

/** The rules for the permissions of an operator. */
export const permissions: BundleCheck = {
  rules: [permissionsEverywhere, resourceNames],
  check(bundle, say) {
    for (const { path, message } of checkPermissions(bundle.csv)) {
      say(permissionsEverywhere, locateInCsv(bundle, ...path), message);
    }
    for (const { place, rule } of rulesOf(bundle)) {
      for (const message of explainIneffectiveVerbs(rule)) say(resourceNames, place, message);
    }
  },
};

/** Returns the warnings about the permissions of a ClusterServiceVersion, in every suite. */
export function checkPermissions({
  file,
  value,
}: {
  readonly file: string;
  readonly value: Decoded<ClusterServiceVersion>;
}): BundleFinding[] {
  return findWidenedRules(value).map(({ path, words }) => {
    const message = `must have resourceNames, or be declared in clusterPermissions: if installed for all namespaces, OLM grants it in all of them, got ${words}`;
    return {
      file,
      path,
      message,
      rule: permissionsEverywhere.id,
      severity: permissionsEverywhere.severity,
    };
  });
}

/** Returns the rules that a bundle grants, in its ClusterServiceVersion and in its own roles. */
function rulesOf(
  bundle: LoadedBundle,
): { readonly place: BundleLocation; readonly rule: Decoded<StrategyRule> }[] {
  const { permissions = [], clusterPermissions = [] } = bundle.csv.value.spec?.install?.spec ?? {};
  const ofVersion = Object.entries({ permissions, clusterPermissions }).flatMap(([field, grants]) =>
    grants.flatMap(({ rules = [] }, i) =>
      rules.map((rule, j) => ({
        place: locateInCsv(bundle, 'spec', 'install', 'spec', field, i, 'rules', j),
        rule,
      })),
    ),
  );
  const ofRoles = bundle.objects
    .filter(({ kind }) => kind === 'Role' || kind === 'ClusterRole')
    .flatMap(({ file, value }) => {
      const { rules = [] } = decodeAs<Decoded<{ rules: StrategyRule[] }>>(ROLE, value).value;
      return rules.map((rule, i) => ({ place: { file, path: ['rules', i] }, rule }));
    });
  return [...ofVersion, ...ofRoles];
}

const ROLE = 'rbac.authorization.k8s.io/v1/Role';
