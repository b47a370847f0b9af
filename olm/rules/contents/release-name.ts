import { show } from '../../../kube/problem.ts';
import { parseOlmVersion } from '../../semver/tolerant.ts';
import { formatVersion } from '../../semver/format.ts';
import { locateInCsv, type BundleCheck, type BundleRule } from '../rule.ts';

const releaseName: BundleRule = {
  id: 'release-name',
  severity: 'error',
  validators: ['bundle'],
  description: 'with `spec.release`, `metadata.name` is `<package>-v<version>-<release>`',
};

/** The rule for the name of a bundle that has a release. */
export const releaseNames: BundleCheck = {
  rules: [releaseName],
  check(bundle, say) {
    const { release, version = '' } = bundle.csv.value.spec ?? {};
    if (release === undefined) return;
    const parsed = parseOlmVersion(version);
    const shown = parsed === undefined ? '0.0.0' : formatVersion(parsed);
    const wanted = `${bundle.packageName}-v${shown}-${release}`;
    if (bundle.name === wanted) return;
    const place = locateInCsv(bundle, 'metadata', 'name');
    say(releaseName, place, `must be ${show(wanted)}, got ${show(bundle.name)}`);
  },
};
