import { expect, test } from '@jest/globals';
import { Testing, type ApiObjectProps } from 'cdk8s';
import {
  newVolumes,
  reclaimedVolumes,
  imagePullPolicy,
  podVolumes,
} from '../../model/hardening/policies.ts';
import { hardenedClass } from '../../model/hardening/class.ts';
import { TenantHardening } from '../../constructs/tenant/admission-policies.ts';
import { hardeningLabel } from '../../model/hardening/policy.ts';
import { ofKind, collectFindings } from './given.ts';
import { refusals, type Request } from './policy-run.ts';

interface Rendered {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly failurePolicy: string;
    readonly matchConditions?: readonly { readonly name: string }[];
    readonly matchConstraints: { readonly namespaceSelector: object };
    readonly validationActions?: readonly string[];
    readonly policyName?: string;
  };
}

function rendered(kubernetesVersion?: string): Rendered[] {
  const chart = Testing.chart();
  new TenantHardening(chart, 'hardening', { ...(kubernetesVersion && { kubernetesVersion }) });
  return Testing.synth(chart) as Rendered[];
}

const labelsOf = (klass: object) =>
  ofKind({ klass }, 'Namespace').map(({ metadata }) => metadata.labels)[0]!;

test("a Namespace has exactly the labels of its class' hardening", () => {
  const keys = Object.values(hardeningLabel);
  expect(keys.filter((key) => key in labelsOf({}))).toEqual([]);
  expect(labelsOf({ hardening: { storage: 'Claims' } })).toMatchObject({
    'policy.tenantry.dev/storage': 'Claims',
  });
  const all = labelsOf({ hardening: { ...hardenedClass.hardening, imageVersion: 'Tag' } });
  expect(keys.map((key) => all[key])).toEqual(['Always', 'Claims', 'Restricted', 'Tag']);
});

test.each(Object.values(hardeningLabel))('a tenant cannot set %s', (key) => {
  const klass = { hardening: { ...hardenedClass.hardening, imageVersion: 'Tag' as const } };
  for (const value of ['', 'None']) {
    expect(collectFindings({ klass, tenant: { labels: { [key]: value } } })).toHaveLength(1);
  }
});

test('a tenant of the hardened class needs only a name, and cannot remove a bound', () => {
  expect(collectFindings({ klass: hardenedClass })).toEqual([]);
  const keys = Object.keys(hardenedClass.ceilings!.quota!);
  expect(keys.length).toBeGreaterThan(15);
  for (const key of keys) {
    const tenant = { quota: { hard: { [key]: 'unlimited' } } };
    expect(collectFindings({ klass: hardenedClass, tenant })).toHaveLength(1);
  }
  for (const preset of ['small', 'medium', 'large']) {
    expect(collectFindings({ klass: hardenedClass, tenant: { quota: { preset } } })).toEqual([]);
  }
});

test.each([undefined, '1.30', '1.35', '1.36', '1.40'])(
  'policies of version %s: each fails closed, and has a binding',
  (version) => {
    const objects = rendered(version);
    const policies = objects.filter(({ kind }) => kind.endsWith('Policy'));
    const fillsIn = version === '1.36' || version === '1.40';
    const kinds = policies.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind.startsWith('Validating'))).toHaveLength(5);
    expect(kinds.filter((kind) => kind.startsWith('Mutating'))).toHaveLength(fillsIn ? 2 : 0);
    for (const { kind, metadata, spec } of policies) {
      expect(spec.failurePolicy).toBe('Fail');
      const bindings = objects.filter((one) => one.kind === `${kind}Binding`);
      const own = bindings.filter((one) => one.spec.policyName === metadata.name);
      const denies = kind.startsWith('Validating') ? ['Deny'] : undefined;
      expect(own.map((one) => one.spec.validationActions)).toEqual([denies]);
    }
  },
);

test('a policy applies where the Namespace has its label, and exempts only the volume binder', () => {
  const policies = rendered('1.36').filter(({ kind }) => kind.endsWith('Policy'));
  const selected = policies.map(({ spec }) =>
    JSON.stringify(spec.matchConstraints.namespaceSelector),
  );
  const on = (key: string, value: string) => `{"matchLabels":{"${key}":"${value}"}}`;
  expect(new Set(selected)).toEqual(
    new Set([
      on('policy.tenantry.dev/image-pull-policy', 'Always'),
      // The value decides what is required.
      '{"matchExpressions":[{"key":"policy.tenantry.dev/image-version","operator":"Exists"}]}',
      on('policy.tenantry.dev/storage', 'Claims'),
      on('policy.tenantry.dev/pod-defaults', 'Restricted'),
    ]),
  );
  const conditions = policies.flatMap(({ spec }) => spec.matchConditions ?? []);
  expect(conditions.map(({ name }) => name).toSorted()).toEqual(['not-the-binder', 'not-windows']);
});

const pod = (spec: object): Request => ({ object: { spec: { containers: [], ...spec } } });
const always = { name: 'a', imagePullPolicy: 'Always' };
const claim = (spec: object, more: Partial<Request> = {}): Request => ({
  object: { spec },
  params: { metadata: { name: 'fast' }, reclaimPolicy: 'Delete' },
  ...more,
});
const kept = { params: { metadata: { name: 'kept' }, reclaimPolicy: 'Retain' } };
const update = (from: object): Partial<Request> => ({
  operation: 'UPDATE',
  oldObject: { spec: from },
});
const binder = 'system:serviceaccount:kube-system:persistent-volume-binder';
const fast = { storageClassName: 'fast' };

type Case = readonly [
  what: string,
  policy: readonly ApiObjectProps[],
  asked: Request,
  refusal?: string,
];
const cases: readonly Case[] = [
  ['Always', imagePullPolicy, pod({ containers: [always] })],
  ['no word of it', imagePullPolicy, pod({ containers: [{ name: 'a' }] }), 'spec.containers'],
  [
    'one container of two',
    imagePullPolicy,
    pod({ containers: [always, { name: 'b', imagePullPolicy: 'Never' }] }),
    'spec.containers',
  ],
  ['an init container', imagePullPolicy, pod({ initContainers: [{}] }), 'spec.initContainers'],
  ['a debugger', imagePullPolicy, pod({ ephemeralContainers: [{}] }), 'spec.ephemeralContainers'],
  ['an image as a volume', imagePullPolicy, pod({ volumes: [{ image: {} }] }), 'spec.volumes'],
  ['another volume', imagePullPolicy, pod({ volumes: [{ emptyDir: {} }] })],
  ['a claim', podVolumes, pod({ volumes: [{ persistentVolumeClaim: {} }, { secret: {} }] })],
  ['a driver', podVolumes, pod({ volumes: [{ secret: {} }, { csi: {} }] }), 'spec.volumes'],
  ['what nobody knows yet', podVolumes, pod({ volumes: [{ novel: {} }] }), 'spec.volumes'],
  ['a new volume', newVolumes, claim(fast)],
  ['a volume by name', newVolumes, claim({ ...fast, volumeName: 'v' }), 'spec.volumeName'],
  ['a volume by label', newVolumes, claim({ ...fast, selector: {} }), 'spec.selector'],
  ['no StorageClass', newVolumes, claim({ storageClassName: '' }), 'spec.storageClassName'],
  ['no word of one', newVolumes, claim({}), 'spec.storageClassName'],
  [
    'a volume named later',
    newVolumes,
    claim({ ...fast, volumeName: 'v' }, update(fast)),
    'spec.volumeName',
  ],
  [
    'a volume named by the binder',
    newVolumes,
    claim({ ...fast, volumeName: 'v' }, { ...update(fast), user: binder }),
  ],
  [
    'a claim of the binder',
    newVolumes,
    claim({ ...fast, volumeName: 'v' }, { user: binder }),
    'spec.volumeName',
  ],
  ['an old claim as it was', newVolumes, claim({ volumeName: 'v' }, update({ volumeName: 'v' }))],
  ['a volume that goes', reclaimedVolumes, claim(fast)],
  ['a volume that stays', reclaimedVolumes, claim({ storageClassName: 'kept' }, kept), 'Delete'],
  ['another class that keeps', reclaimedVolumes, claim(fast, kept)],
  [
    'a class that keeps, later',
    reclaimedVolumes,
    claim({ storageClassName: 'kept' }, { ...kept, ...update({}) }),
    'Delete',
  ],
  [
    'an old claim that is kept',
    reclaimedVolumes,
    claim({ storageClassName: 'kept' }, { ...kept, ...update({ storageClassName: 'kept' }) }),
  ],
];

for (const [what, [policy], asked, expected] of cases) {
  test(`${what}: ${expected ? 'refused' : 'accepted'}`, () => {
    const messages = refusals(policy!, asked);
    expect(messages).toHaveLength(expected === undefined ? 0 : 1);
    if (expected !== undefined) expect(messages[0]).toContain(expected);
  });
}
