import { show } from '../../../kube/problem.ts';
import { parseOlmVersion } from '../../semver/tolerant.ts';
import { formatVersion } from '../../semver/format.ts';
import { locateInCsv, type BundleCheck, type BundleRule } from '../rule.ts';

const version: BundleRule = {
  id: 'version',
  severity: 'error',
  validators: ['operatorhubv2'],
  description: '`spec.version` is present, and not 0.0.0',
};

/** The rule for the version of an operator. */
export const versions: BundleCheck = {
  rules: [version],
  check(bundle, say) {
    const text = bundle.csv.value.spec?.version;
    const parsed = parseOlmVersion(text ?? '');
    const isSet = parsed !== undefined && formatVersion({ ...parsed, build: [] }) !== '0.0.0';
    if (isSet) return;
    const message = `must be a version above 0.0.0, got ${show(text)}`;
    say(version, locateInCsv(bundle, 'spec', 'version'), message);
  },
};
