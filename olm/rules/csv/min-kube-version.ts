import { trimSpace } from '../../../kube/names.ts';
import { show } from '../../../kube/problem.ts';
import { A_VERSION, parseVersion } from '../../../kube/semver.ts';
import { locateInCsv, type BundleCheck, type BundleRule } from '../rule.ts';

const absent: BundleRule = {
  id: 'min-kube-version',
  severity: 'warning',
  validators: ['csv', 'operatorhubv2'],
  description:
    '`spec.minKubeVersion` is present: without it the operator is offered to clusters of any version',
};

const format: BundleRule = {
  id: 'min-kube-version-format',
  severity: 'error',
  validators: ['csv', 'operatorhubv2'],
  description: '`spec.minKubeVersion` is a version of semver.org',
};

/** The rules for the minimum Kubernetes version of an operator. */
export const minKubeVersion: BundleCheck = {
  rules: [absent, format],
  check(bundle, say) {
    const { minKubeVersion: text = '' } = bundle.csv.value.spec ?? {};
    const place = locateInCsv(bundle, 'spec', 'minKubeVersion');
    if (trimSpace(text) === '') {
      say(absent, place, `must be the oldest version of Kubernetes that it runs on, got nothing`);
    } else if (parseVersion(text) === undefined) {
      say(format, place, `must be ${A_VERSION}, got ${show(text)}`);
    }
  },
};
