import { findReplacementApi } from '../../../kube/builtin-kinds.ts';
import { show } from '../../../kube/problem.ts';
import { parseOlmVersion } from '../../semver/tolerant.ts';
import { removedKinds } from '../operatorhub/removed-kinds.ts';
import type { BundleCheck, BundleRule } from '../rule.ts';

const notServed: BundleRule = {
  id: 'api-not-served',
  severity: 'error',
  validators: ['fields'],
  description:
    'no object is of a further API that Kubernetes removed at or below `spec.minKubeVersion`: its install plan can never succeed',
};

/**
 * The rule against objects of APIs that the oldest Kubernetes of the bundle does not serve, beyond those of
 * `removed-api`.
 */
export const servedApis: BundleCheck = {
  rules: [notServed],
  check(bundle, say) {
    const oldest = parseOlmVersion(bundle.csv.value.spec?.minKubeVersion ?? '');
    if (!oldest) return;
    const minor = `${oldest.major}.${oldest.minor}`;
    for (const { file, apiVersion, kind } of bundle.objects) {
      const instead = findReplacementApi(apiVersion, kind, minor);
      if (instead === undefined || isOfRemovedApi(apiVersion, kind)) continue;
      const message = `must be ${instead}, got ${show(apiVersion)}, which Kubernetes ${minor} does not serve`;
      say(notServed, { file, path: ['apiVersion'] }, message);
    }
  },
};

function isOfRemovedApi(apiVersion: string, kind: string): boolean {
  if (apiVersion === 'apiextensions.k8s.io/v1beta1') return true;
  return Object.values(removedKinds).some((kinds) => kinds[apiVersion]?.includes(kind) === true);
}
