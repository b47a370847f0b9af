import fc from 'fast-check';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import { LISTED } from '../../model/allow-lists/labels.ts';
import { buildAllowListPolicies } from '../../model/policies/allow-lists.ts';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { collectFindings, ofKind } from './given.ts';
import { refusalBy, type PolicySpec } from './policy-request.ts';

export type Allow = NonNullable<TenantClassSpec['allow']>;

/** The specs of the policies by the label that each selects. */
export const specs = new Map(
  buildAllowListPolicies()
    .filter(({ kind }) => kind === 'ValidatingAdmissionPolicy')
    .map((policy) => {
      const { spec } = policy as unknown as { spec: SelectedPolicy };
      return [Object.keys(spec.matchConstraints.namespaceSelector.matchLabels)[0]!, spec];
    }),
);

interface SelectedPolicy extends PolicySpec {
  readonly matchConstraints: {
    readonly namespaceSelector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly resourceRules: readonly {
      readonly apiGroups: readonly string[];
      readonly resources: readonly string[];
    }[];
  };
}

/** Returns the message with which the policies refuse an object in a namespace of the class, or undefined. */
export function admit(allow: Allow, object: object, oldObject?: object): string | undefined {
  const [namespace] = ofKind({ klass: { allow } }, 'Namespace');
  const { apiVersion, kind } = object as KubeObject;
  for (const [label, { matchConditions = [], ...spec }] of specs) {
    if (namespace!.metadata.labels![label] !== LISTED) continue;
    const request = {
      kind: { group: groupOf(apiVersion), kind },
      operation: oldObject ? 'UPDATE' : 'CREATE',
    };
    const found = refusalBy(
      { ...spec, matchConditions },
      { object, oldObject: oldObject ?? null, request, namespaceObject: namespace! },
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the errors and warnings of an object in `resources` of a tenant of the class. */
export const declare = (allow: Allow, object: object): string[] =>
  collectFindings({
    klass: { allow },
    tenant: { resources: [{ manifest: object as KubeObject }] },
  }).filter((one) => / allow\.(?!resources)/.test(one));

export const of = (apiVersion: string, kind: string, more: object) => ({
  apiVersion,
  kind,
  metadata: { name: 'own' },
  ...more,
});
export const pod = (spec: object) => of('v1', 'Pod', { spec });
export const running = (...images: string[]) =>
  pod({ containers: images.map((image, i) => ({ name: `c${i}`, image })) });

/** Every way to run a pod, each with a pod spec in it. */
export const workloads: readonly [kind: string, build: (spec: object) => object][] = [
  ['Pod', pod],
  ['PodTemplate', (spec) => of('v1', 'PodTemplate', { template: { spec } })],
  ...[
    'v1 ReplicationController',
    'apps/v1 Deployment',
    'apps/v1 StatefulSet',
    'apps/v1 DaemonSet',
    'apps/v1 ReplicaSet',
    'batch/v1 Job',
  ].map((name): [string, (spec: object) => object] => {
    const [apiVersion, kind] = name.split(' ') as [string, string];
    return [kind, (spec) => of(apiVersion, kind, { spec: { template: { spec } } })];
  }),
  [
    'CronJob',
    (spec) =>
      of('batch/v1', 'CronJob', { spec: { jobTemplate: { spec: { template: { spec } } } } }),
  ],
];

/** Every field of a pod that has an image. */
export const imageFields: readonly [field: string, build: (image: string) => object][] = [
  ['containers', (image) => ({ containers: [{ name: 'a', image }] })],
  ['initContainers', (image) => ({ initContainers: [{ name: 'a', image }] })],
  ['ephemeralContainers', (image) => ({ ephemeralContainers: [{ name: 'a', image }] })],
  ['volumes', (image) => ({ volumes: [{ name: 'a', image: { reference: image } }] })],
];

const word = fc.constantFrom(
  'acme',
  'web',
  'a',
  'Web',
  'docker.io',
  'ghcr.io',
  'library',
  '..',
  '',
);
const separator = fc.constantFrom('/', '/', '/', ':', '@', '.', '-', 'sha256:');
/** Texts that look like images. */
export const image = fc
  .tuple(word, fc.array(fc.tuple(separator, word), { maxLength: 4 }))
  .map(([first, rest]) => first + rest.flat().join(''));
