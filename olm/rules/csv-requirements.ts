import { show } from '../../kube/problem.ts';
import { trimSpace } from '../../kube/names.ts';
import { A_VERSION, parseVersion } from '../../kube/semver.ts';
import { locateInCsv, type BundleCheck, type BundleRule } from './rule.ts';

const missing: BundleRule = {
  id: 'install-modes',
  severity: 'error',
  validators: ['csv'],
  description: '`spec.installModes` has entries',
};

const unsupported: BundleRule = {
  id: 'install-mode-supported',
  severity: 'error',
  validators: ['csv'],
  description: 'at least one install mode is supported',
};

const conversion: BundleRule = {
  id: 'install-mode-conversion',
  severity: 'error',
  validators: ['csv'],
  description:
    'where a webhook converts custom resources, AllNamespaces is the only install mode that is supported',
};

const repeated: BundleRule = {
  id: 'install-mode-unique',
  severity: 'error',
  validators: ['csv'],
  description:
    'each install mode occurs once in the list; otherwise OLM fails the ClusterServiceVersion',
  isDeadUpstream: true,
};

/** The rules for the install modes of an operator. */
export const installModes: BundleCheck = {
  rules: [missing, unsupported, conversion, repeated],
  check(bundle, say) {
    const { installModes: modes = [], webhookdefinitions = [] } = bundle.csv.value.spec ?? {};
    const at = locateInCsv(bundle, 'spec', 'installModes');
    if (modes.length === 0) return say(missing, at, 'must have entries, got none');
    const seen = new Set<string>();
    for (const [i, { type = '' }] of modes.entries()) {
      if (seen.has(type)) {
        const place = locateInCsv(bundle, 'spec', 'installModes', i, 'type');
        say(repeated, place, `must be unique in the list, got ${show(type)} again`);
      }
      seen.add(type);
    }
    const isAllOnly = modes.every(({ type, supported = false }) => {
      return (type === 'AllNamespaces') === supported;
    });
    for (const [i, { conversionCRDs = [] }] of webhookdefinitions.entries()) {
      if (conversionCRDs.length === 0 || isAllOnly) continue;
      const place = locateInCsv(bundle, 'spec', 'webhookdefinitions', i, 'conversionCRDs');
      const message =
        'must be absent unless AllNamespaces is the only install mode that is supported, got entries';
      say(conversion, place, message);
    }
    if (!modes.some(({ supported }) => supported)) {
      say(unsupported, at, 'must have an entry that is supported, got none');
    }
  },
};

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
