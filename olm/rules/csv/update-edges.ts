import { entryOf } from '../../../kube/mapping.ts';
import { show } from '../../../kube/problem.ts';
import { parseVersion } from '../../../kube/semver.ts';
import { A_RANGE, parseRange } from '../../semver/range.ts';
import { locateInCsv, type BundleCheck, type BundleRule } from '../rule.ts';

const SKIP_RANGE = 'olm.skipRange';

const replacesItself: BundleRule = {
  id: 'replaces-itself',
  severity: 'error',
  validators: ['fields'],
  description:
    '`spec.replaces` is not the name of the bundle itself: its channel would have no head',
};

const skipsItself: BundleRule = {
  id: 'skips-itself',
  severity: 'error',
  validators: ['fields'],
  description:
    '`spec.skips` does not have the name of the bundle itself: its channel would have no head',
};

const rangeHasItself: BundleRule = {
  id: 'skip-range-itself',
  severity: 'warning',
  validators: ['fields'],
  description:
    '`olm.skipRange` ends below `spec.version`: OLM offers the bundle as an upgrade of itself otherwise',
};

const rangeFormat: BundleRule = {
  id: 'skip-range-format',
  severity: 'error',
  validators: ['fields'],
  description: '`olm.skipRange` is a range of versions: a catalog with another one is refused',
};

/** The rules for the bundles from which an upgrade to this one starts. */
export const updateEdges: BundleCheck = {
  rules: [replacesItself, skipsItself, rangeHasItself, rangeFormat],
  check(bundle, say) {
    const { metadata, spec } = bundle.csv.value;
    const name = metadata?.name ?? '';
    const must = `must be another bundle than ${show(name)} itself, got ${show(name)}`;
    if (name !== '' && spec?.replaces === name) {
      say(replacesItself, locateInCsv(bundle, 'spec', 'replaces'), must);
    }
    for (const [i, skipped] of (spec?.skips ?? []).entries()) {
      if (name === '' || skipped !== name) continue;
      say(skipsItself, locateInCsv(bundle, 'spec', 'skips', i), must);
    }
    const text = entryOf(metadata?.annotations, SKIP_RANGE) ?? '';
    if (text === '') return;
    const place = locateInCsv(bundle, 'metadata', 'annotations', SKIP_RANGE);
    const range = parseRange(text);
    const version = parseVersion(spec?.version ?? '');
    if (!range) say(rangeFormat, place, `must be ${A_RANGE}, got ${show(text)}`);
    else if (version && range(version)) {
      const message = `must not have the version of the bundle itself, ${spec?.version}, got ${show(text)}`;
      say(rangeHasItself, place, message);
    }
  },
};
