import { show } from '../../../kube/problem.ts';
import type { BundleCheck, BundleRule } from '../rule.ts';

const serviceAccount: BundleRule = {
  id: 'service-account',
  severity: 'error',
  validators: ['bundle'],
  description:
    'the bundle contains no ServiceAccount that a deployment of the ClusterServiceVersion runs under: OLM creates that',
};

/** The rule against ServiceAccounts that OLM creates itself. */
export const serviceAccounts: BundleCheck = {
  rules: [serviceAccount],
  check(bundle, say) {
    const { deployments = [] } = bundle.csv.value.spec?.install?.spec ?? {};
    const used = new Set(
      deployments.map(({ spec }) => spec?.template?.spec?.serviceAccountName ?? ''),
    );
    for (const { file, apiVersion, kind, name } of bundle.objects) {
      if (apiVersion !== 'v1' || kind !== 'ServiceAccount' || !used.has(name)) continue;
      const message = `must not be one that the ClusterServiceVersion names, got ${show(name)}`;
      say(serviceAccount, { file, path: ['metadata', 'name'] }, message);
    }
  },
};
