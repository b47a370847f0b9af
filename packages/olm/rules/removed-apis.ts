import { show } from '@tenantry/kube/problem';
import { compareVersions, parseVersion, type Version } from '@tenantry/kube/semver';
import { findReplacementApi } from '@tenantry/kube/builtin-kinds';
import { decodeAs } from '../decoding/decode.ts';
import type { LoadedBundle, LoadedVersion, BundleLocation } from '../loader/loaded-bundle.ts';
import { parseOlmVersion } from '../semver/version.ts';
import { locateInCsv, type BundleCheck, type BundleRule, type RuleOptions } from './rule.ts';

const removed: BundleRule = {
  id: 'removed-api',
  severity: 'error',
  validators: ['operatorhubv2', 'alpha-deprecated-apis', 'fields'],
  description:
    'no object is of an API that Kubernetes removed in 1.22, 1.25 or 1.26, at or below `spec.minKubeVersion` or the given version',
};

const removedLater: BundleRule = {
  id: 'removed-api-later',
  severity: 'warning',
  validators: ['operatorhubv2', 'alpha-deprecated-apis'],
  description:
    'no object is of an API that was removed later, and no rule grants rights to an API that was removed completely',
};

const unusable: BundleRule = {
  id: 'min-kube-version-removed',
  severity: 'error',
  validators: ['operatorhubv2', 'alpha-deprecated-apis'],
  description:
    '`spec.minKubeVersion` is a version with at least major and minor, so that it can be compared',
};

const givenVersion: BundleRule = {
  id: 'kubernetes-version',
  severity: 'error',
  validators: ['operatorhubv2', 'alpha-deprecated-apis'],
  description: 'the given version of Kubernetes is valid',
};

/** The rules for APIs that do not exist on the Kubernetes versions of an operator. */
export const removedApisCheck: BundleCheck = {
  rules: [removed, removedLater, unusable, givenVersion],
  check(bundle, report, options) {
    const { minKubeVersion: text } = bundle.csv.value.spec ?? {};
    const oldest = oldestVersions(text, options);
    if (options.kubernetes !== undefined && parseOlmVersion(options.kubernetes) === undefined) {
      const message = `must be validated for a version of Kubernetes, got ${show(options.kubernetes)}`;
      report(givenVersion, { path: [] }, message);
    }
    if (text !== undefined && parseOlmVersion(text) === undefined) {
      const place = locateInCsv(bundle, 'spec', 'minKubeVersion');
      report(unusable, place, `must be a version such as '1.25.0', got ${show(text)}`);
    }
    for (const [version, kinds] of Object.entries(removedKinds)) {
      const minimum = parseVersion(version)!;
      const isGone = oldest.some((one) => compareVersions(one, minimum) >= 0);
      for (const { place, apiVersion, kind, isRight } of findUses(bundle, version, kinds)) {
        const minor = `${minimum.major}.${minimum.minor}`;
        const message = `must be of an API that Kubernetes ${minor} has, got ${kind} of ${apiVersion}`;
        report(isGone && !isRight ? removed : removedLater, place, message);
      }
    }
  },
};

/** Whether the bundle uses an API that a version of Kubernetes removed. */
export function hasRemovedApis(bundle: LoadedBundle, version: keyof typeof removedKinds): boolean {
  return !findUses(bundle, version, removedKinds[version]!).next().done;
}

function oldestVersions(minKube: string | undefined, { kubernetes }: RuleOptions): Version[] {
  return [minKube, kubernetes]
    .map((text) => (text === undefined ? undefined : parseOlmVersion(text)))
    .filter((version) => version !== undefined);
}

interface Use {
  readonly place: BundleLocation;
  readonly apiVersion: string;
  readonly kind: string;
  /** Whether the bundle only has a right to it. */
  readonly isRight?: boolean;
}

type Kinds = (typeof removedKinds)[string];

function* findUses(bundle: LoadedBundle, version: string, kinds: Kinds): Generator<Use> {
  if (version === '1.22.0') {
    for (const { file } of bundle.betaDefinitions) {
      const apiVersion = 'apiextensions.k8s.io/v1beta1';
      const place = { file, path: ['apiVersion'] };
      yield { place, apiVersion, kind: 'CustomResourceDefinition' };
    }
  }
  for (const { file, apiVersion, kind } of bundle.objects) {
    if (!(kinds[apiVersion] ?? []).includes(kind)) continue;
    yield { place: { file, path: ['apiVersion'] }, apiVersion, kind };
  }
  if (version !== '1.25.0') return;
  for (const { file, apiVersion, kind, value } of bundle.objects) {
    if (apiVersion !== 'operators.coreos.com/v1alpha1' || kind !== 'ClusterServiceVersion')
      continue;
    const version = decodeAs<LoadedVersion>('ClusterServiceVersion', value).value;
    for (const use of usesIn(version, kinds)) yield { ...use, place: { file, ...use.place } };
  }
}

/** Yields the kinds that a ClusterServiceVersion creates, and those to which it has rights. */
function* usesIn({ spec }: LoadedVersion, kinds: Kinds): Generator<Use> {
  const made = new Set<string>();
  for (const list of ['owned', 'required'] as const) {
    for (const [i, one] of (spec?.customresourcedefinitions?.[list] ?? []).entries()) {
      for (const [j, { kind = '', version = '' }] of (one.resources ?? []).entries()) {
        made.add(`${kind.toLowerCase()}s`);
        if (!(kinds[version] ?? []).includes(kind)) continue;
        const path = ['spec', 'customresourcedefinitions', list, i, 'resources', j];
        yield { place: { path }, apiVersion: version, kind };
      }
    }
  }
  for (const list of ['clusterPermissions', 'permissions'] as const) {
    for (const [i, { rules = [] }] of (spec?.install?.spec?.[list] ?? []).entries()) {
      for (const [j, { apiGroups = [], resources = [] }] of rules.entries()) {
        if (!apiGroups.includes('policy') || !resources.includes(POLICIES) || made.has(POLICIES)) {
          continue;
        }
        const path = ['spec', 'install', 'spec', list, i, 'rules', j];
        const apiVersion = 'policy/v1beta1';
        yield { place: { path }, apiVersion, kind: 'PodSecurityPolicy', isRight: true };
      }
    }
  }
}

/** The only resource that no version of its group has any longer. */
const POLICIES = 'podsecuritypolicies';

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
export const servedApisCheck: BundleCheck = {
  rules: [notServed],
  check(bundle, report) {
    const oldest = parseOlmVersion(bundle.csv.value.spec?.minKubeVersion ?? '');
    if (!oldest) return;
    const minor = `${oldest.major}.${oldest.minor}`;
    for (const { file, apiVersion, kind } of bundle.objects) {
      const instead = findReplacementApi(apiVersion, kind, minor);
      if (instead === undefined || isOfRemovedApi(apiVersion, kind)) continue;
      const message = `must be ${instead}, got ${show(apiVersion)}, which Kubernetes ${minor} does not serve`;
      report(notServed, { file, path: ['apiVersion'] }, message);
    }
  },
};

function isOfRemovedApi(apiVersion: string, kind: string): boolean {
  if (apiVersion === 'apiextensions.k8s.io/v1beta1') return true;
  return Object.values(removedKinds).some((kinds) => kinds[apiVersion]?.includes(kind) === true);
}

/** The kinds that a version of Kubernetes removed, by apiVersion, as far as OperatorHub checks them. */
const removedKinds: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  '1.22.0': {
    'scheduling.k8s.io/v1beta1': ['PriorityClass'],
    'rbac.authorization.k8s.io/v1beta1': [
      'Role',
      'RoleBinding',
      'ClusterRole',
      'ClusterRoleBinding',
    ],
    'apiregistration.k8s.io/v1beta1': ['APIService'],
    'authentication.k8s.io/v1beta1': ['TokenReview'],
    'authorization.k8s.io/v1beta1': [
      'LocalSubjectAccessReview',
      'SelfSubjectAccessReview',
      'SubjectAccessReview',
    ],
    'admissionregistration.k8s.io/v1beta1': [
      'MutatingWebhookConfiguration',
      'ValidatingWebhookConfiguration',
    ],
    'coordination.k8s.io/v1beta1': ['Lease'],
    'extensions/v1beta1': ['Ingress'],
    'networking.k8s.io/v1beta1': ['Ingress', 'IngressClass'],
    'storage.k8s.io/v1beta1': ['CSIDriver', 'CSINode', 'StorageClass', 'VolumeAttachment'],
    'certificates.k8s.io/v1beta1': ['CertificateSigningRequest'],
  },
  '1.25.0': {
    'batch/v1beta1': ['CronJob'],
    'discovery.k8s.io/v1beta1': ['EndpointSlice'],
    'events.k8s.io/v1beta1': ['Event'],
    'autoscaling/v2beta1': ['HorizontalPodAutoscaler'],
    'policy/v1beta1': ['PodDisruptionBudget', 'PodSecurityPolicy'],
    'node.k8s.io/v1beta1': ['RuntimeClass'],
  },
  '1.26.0': { 'autoscaling/v2beta2': ['HorizontalPodAutoscaler'] },
};
