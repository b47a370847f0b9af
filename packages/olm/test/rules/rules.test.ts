import { describe, expect, test } from '@jest/globals';
import { formatPath } from '@tenantry/kube/problem';
import { bundleRules } from '../../rules/validate-bundle.ts';
import { brokenContents, brokenHub, brokenOthers, brokenVersions } from './broken-bundles.ts';
import { brokenDefinitions } from './broken-definitions.ts';
import { everything, judge, sample } from './sample.ts';
import { soundBundles } from './sound-bundles.ts';

const broken = [...brokenVersions, ...brokenContents, ...brokenHub, ...brokenOthers];

test('a valid bundle has no findings from any rule', () => {
  expect(judge(sample(), everything)).toEqual([]);
});

describe('a broken bundle has exactly the expected findings', () => {
  test.each(broken)('$rule at $at', ({ rule, breaks, at, also = [] }) => {
    const given = sample();
    breaks(given);
    const findings = judge(given, everything);
    expect(new Set(findings.map((one) => one.rule))).toEqual(new Set([rule, ...also]));
    const own = findings.filter((one) => one.rule === rule);
    expect(own.map(({ path }) => formatPath(path))).toContain(at);
    const { severity } = bundleRules.find(({ id }) => id === rule)!;
    expect(new Set(own.map((one) => one.severity))).toEqual(new Set([severity]));
    expect(own.filter(({ message }) => !message.startsWith('must '))).toEqual([]);
  });
});

describe('an allowed variant close to a broken one is not reported', () => {
  test.each(soundBundles)('$rule: $what', ({ rule, changes, also = [] }) => {
    const given = sample();
    changes(given);
    const reportedRules = new Set(judge(given, everything).map((one) => one.rule));
    expect(bundleRules.map(({ id }) => id)).toContain(rule);
    expect([...reportedRules].toSorted()).toEqual([...also]);
  });
});

test('every rule is broken by a test', () => {
  const testedRules = new Set(broken.flatMap(({ rule, also = [] }) => [rule, ...also]));
  const definitions = new Set(brokenDefinitions.map(({ rule }) => `definition-${rule}`));
  const elsewhere = ['csv-kind', 'kubernetes-version', 'openshift-label'];
  const untestedRules = bundleRules
    .map(({ id }) => id)
    .filter((id) => !testedRules.has(id) && !definitions.has(id));
  expect(untestedRules).toEqual(elsewhere);
});

test('ids of rules are unique, and in kebab-case', () => {
  const ids = bundleRules.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[a-z]+(-[a-z]+)*$/.test(id))).toEqual([]);
});

test('a suite contains only its own rules', () => {
  const given = sample();
  given.csv.spec.icon = undefined;
  given.csv.spec.displayNam = 'x';
  given.csv.spec.installModes.push({ type: 'OwnNamespace', supported: false });
  delete given.csv.spec.customresourcedefinitions.owned[0].description;
  const rulesOf = (suite: 'default' | 'operatorhub' | 'community' | 'good-practices') =>
    judge(given, { suite }).map(({ rule }) => rule);
  expect(rulesOf('default')).toEqual(['install-mode-unique', 'unknown-field']);
  expect(rulesOf('operatorhub')).toEqual(['install-mode-unique', 'icon']);
  expect(rulesOf('good-practices')).toContain('definition-description');
});

test('missing annotations are reported once', () => {
  const given = sample();
  given.files['metadata/annotations.yaml'] = undefined;
  expect(judge(given).map(({ message }) => message)).toEqual([
    'must have metadata/annotations.yaml beside the folder of its manifests, got none',
  ]);
});

test('a misspelled field is reported with the likely name', () => {
  const given = sample();
  given.csv.spec.miniKubeVersion = '1.25.0';
  const [finding] = judge(given);
  expect(finding?.message).toBe(
    "must be a known field, got 'miniKubeVersion'; did you mean 'minKubeVersion'?",
  );
  expect(finding?.file).toBe('manifests/redis-operator.clusterserviceversion.yaml');
});

test('for a given version of Kubernetes, an API that it removed is an error', () => {
  const given = sample();
  given.csv.spec.minKubeVersion = '1.20.0';
  given.files['manifests/old.yaml'] = {
    apiVersion: 'rbac.authorization.k8s.io/v1beta1',
    kind: 'Role',
    metadata: { name: 'old' },
  };
  const rulesFor = (kubernetes: string) =>
    judge(given, { suite: 'operatorhub', kubernetes }).map(({ rule }) => rule);
  expect(rulesFor('1.21')).toEqual(['removed-api-later']);
  expect(rulesFor('1.22')).toEqual(['removed-api']);
  expect(rulesFor('new')).toEqual(['kubernetes-version', 'removed-api-later']);
});

/** Source: https://kubernetes.io/docs/reference/using-api/deprecation-guide, of 1.22, 1.25 and 1.26. */
const gone = [
  [22, 'admissionregistration.k8s.io/v1beta1', 'ValidatingWebhookConfiguration'],
  [22, 'admissionregistration.k8s.io/v1beta1', 'MutatingWebhookConfiguration'],
  [22, 'apiregistration.k8s.io/v1beta1', 'APIService'],
  [22, 'authentication.k8s.io/v1beta1', 'TokenReview'],
  [22, 'authorization.k8s.io/v1beta1', 'SubjectAccessReview'],
  [22, 'certificates.k8s.io/v1beta1', 'CertificateSigningRequest'],
  [22, 'coordination.k8s.io/v1beta1', 'Lease'],
  [22, 'extensions/v1beta1', 'Ingress'],
  [22, 'networking.k8s.io/v1beta1', 'Ingress'],
  [22, 'networking.k8s.io/v1beta1', 'IngressClass'],
  [22, 'rbac.authorization.k8s.io/v1beta1', 'ClusterRole'],
  [22, 'rbac.authorization.k8s.io/v1beta1', 'ClusterRoleBinding'],
  [22, 'rbac.authorization.k8s.io/v1beta1', 'Role'],
  [22, 'rbac.authorization.k8s.io/v1beta1', 'RoleBinding'],
  [22, 'scheduling.k8s.io/v1beta1', 'PriorityClass'],
  [22, 'storage.k8s.io/v1beta1', 'StorageClass'],
  [25, 'batch/v1beta1', 'CronJob'],
  [25, 'discovery.k8s.io/v1beta1', 'EndpointSlice'],
  [25, 'events.k8s.io/v1beta1', 'Event'],
  [25, 'autoscaling/v2beta1', 'HorizontalPodAutoscaler'],
  [25, 'policy/v1beta1', 'PodDisruptionBudget'],
  [25, 'policy/v1beta1', 'PodSecurityPolicy'],
  [25, 'node.k8s.io/v1beta1', 'RuntimeClass'],
  [26, 'autoscaling/v2beta2', 'HorizontalPodAutoscaler'],
] as const;

test.each(gone)(
  'an API that Kubernetes 1.%i removed is an error from there on, and a warning before (%s %s)',
  (minor, apiVersion, kind) => {
    const rulesAt = (minKubeVersion: string, at = apiVersion as string) => {
      const given = sample();
      given.csv.spec.minKubeVersion = minKubeVersion;
      given.files['manifests/old.yaml'] = { apiVersion: at, kind, metadata: { name: 'old' } };
      return judge(given, { suite: 'operatorhub' }).map(({ rule }) => rule);
    };
    expect(rulesAt(`1.${minor}.0`)).toEqual(['removed-api']);
    expect(rulesAt(`1.${minor + 1}.3`)).toEqual(['removed-api']);
    expect(rulesAt(`1.${minor - 1}.9`)).toEqual(['removed-api-later']);
    expect(rulesAt('1.30.0', apiVersion.replace(/v\d\w+$/, 'v9'))).toEqual([]);
  },
);

test.each(['default', 'community', 'good-practices'] as const)(
  'an API that the oldest Kubernetes of a bundle does not serve is an error of the suite %s',
  (suite) => {
    const rulesAt = (minKubeVersion: string | undefined) => {
      const given = sample();
      if (minKubeVersion === undefined) delete given.csv.spec.minKubeVersion;
      else given.csv.spec.minKubeVersion = minKubeVersion;
      given.files['manifests/pdb.yaml'] = {
        apiVersion: 'policy/v1beta1',
        kind: 'PodDisruptionBudget',
        metadata: { name: 'x' },
        spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } },
      };
      return judge(given, { suite })
        .filter(({ severity }) => severity === 'error')
        .map(({ rule }) => rule);
    };
    expect(rulesAt('1.30.0')).toEqual(['removed-api']);
    expect(rulesAt('1.25.0')).toEqual(['removed-api']);
    expect(rulesAt('1.24.0')).toEqual([]);
  },
);

test('an upgrade graph of other bundles, up to the version itself, is valid', () => {
  const given = sample();
  given.csv.spec.replaces = 'redis-operator.v1.2.2';
  given.csv.spec.skips = ['redis-operator.v1.2.1'];
  given.csv.metadata.annotations['olm.skipRange'] = '>=1.0.0 <1.2.3';
  expect(judge(given).map(({ rule }) => rule)).toEqual([]);
});

test('a bundle with old APIs declares its last OpenShift', () => {
  const given = sample();
  given.files['manifests/old.yaml'] = {
    apiVersion: 'rbac.authorization.k8s.io/v1beta1',
    kind: 'Role',
    metadata: { name: 'old' },
  };
  given.csv.metadata.annotations['olm.properties'] =
    '[{"type":"olm.maxOpenShiftVersion","value":"4.8"}]';
  const rulesFor = (label: string) =>
    judge(given, {
      suite: 'community',
      indexFile: `FROM scratch\nLABEL com.redhat.openshift.versions=${label}`,
    })
      .map(({ rule }) => rule)
      .filter((rule) => rule.startsWith('openshift'));
  expect(rulesFor('v4.6-v4.8')).toEqual([]);
  expect(rulesFor('"=v4.8"')).toEqual([]);
  expect(rulesFor('v4.6-v4.9')).toEqual(['openshift-label']);
  expect(rulesFor('v4.6')).toEqual(['openshift-label']);
});

test('custom categories replace those of OperatorHub', () => {
  const given = sample();
  given.csv.metadata.annotations['categories'] = 'Kitchen';
  const questions = { optional: ['categories'], categories: ['Kitchen'] };
  expect(judge(given, questions)).toEqual([]);
  expect(judge(given, { optional: ['categories'] })).toHaveLength(1);
});

test('an unknown validator is an error of the caller', () => {
  for (const name of ['operatorhubv3', 'constructor']) {
    expect(() => judge(sample(), { optional: [name] })).toThrow(
      `optional must be of operatorhub, operatorhubv2, capabilities, categories, community, alpha-deprecated-apis, good-practices, objects, scorecard, got '${name}'`,
    );
  }
});
