import { expect } from '@jest/globals';
import fc from 'fast-check';
import { operatorParts } from '@tenantry/operator-kit/parts/parts';
import type { OperatorSpec } from '@tenantry/operator-kit/parts/spec';
import { InvalidInput, formatProblem } from '@tenantry/kube/problem';
import { least } from '../constructs/operator-specs.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { newNamespace, sharedCluster } from '@tenantry/testing/test/controlplane/shared';

const given = await sharedCluster();

/** Generates mostly valid values: of a value with ten mistakes nobody could see which one was found. */
const mostly = <T>(right: readonly T[], wrong: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...right) },
    { weight: 1, arbitrary: fc.constantFrom(...wrong) },
  );

const key = mostly(
  ['app', 'example.com/tier', 'kubernetes.io/hostname'],
  ['', 'a b', 'a/b/c', '-a'],
);
const value = mostly(['', 'a', 'A_1.b'], ['a b', '-', 'a'.repeat(64)]);
const values = fc.array(value, { maxLength: 2 });
const selector = fc.record(
  {
    matchLabels: fc.dictionary(key, value, { maxKeys: 2 }),
    matchExpressions: fc.array(
      fc.oneof(
        fc.record({ key, operator: fc.constantFrom('In', 'NotIn'), values }),
        fc.record({ key, operator: mostly(['Exists', 'DoesNotExist'], ['Gt', 'in']) }),
        fc.record({ key, operator: fc.constantFrom('Exists'), values }),
      ),
      { maxLength: 1 },
    ),
  },
  { requiredKeys: [] },
);

const toleration = fc.record(
  {
    key,
    operator: mostly(['Equal', 'Exists'], ['exists', 'In']),
    value,
    effect: mostly(['NoSchedule', 'PreferNoSchedule', 'NoExecute'], ['', 'Never']),
    tolerationSeconds: fc.constantFrom(-1, 0, 60),
  },
  { requiredKeys: [] },
);

const nodeTerm = fc.record(
  {
    matchExpressions: fc.array(
      fc.oneof(
        fc.record({ key, operator: fc.constantFrom('In', 'NotIn'), values }),
        fc.record({ key, operator: mostly(['Exists', 'DoesNotExist'], ['In', 'gt']) }),
        fc.record({
          key,
          operator: fc.constantFrom('Gt', 'Lt'),
          values: mostly([['1'], ['30']], [[], ['1', '2']]),
        }),
      ),
      { maxLength: 2 },
    ),
    matchFields: fc.array(
      fc.record({
        key: mostly(['metadata.name'], ['name', 'metadata.uid']),
        operator: mostly(['In', 'NotIn'], ['Exists', 'Gt']),
        values: mostly([['node-1']], [[], ['a', 'b']]),
      }),
      { maxLength: 1 },
    ),
  },
  { requiredKeys: [] },
);

const podTerm = fc.record(
  {
    topologyKey: key,
    labelSelector: selector,
    namespaceSelector: selector,
    namespaces: fc.array(mostly(['shops', 'bank'], ['', 'A', 'a.b']), { maxLength: 1 }),
  },
  { requiredKeys: ['topologyKey'] },
);

const weight = mostly([1, 100], [0, 101]);

const pods = fc.record(
  {
    requiredDuringSchedulingIgnoredDuringExecution: fc.array(podTerm, { maxLength: 2 }),
    preferredDuringSchedulingIgnoredDuringExecution: fc.array(
      fc.record({ weight, podAffinityTerm: podTerm }),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: [] },
);

const affinity = fc.record(
  {
    nodeAffinity: fc.record(
      {
        requiredDuringSchedulingIgnoredDuringExecution: fc.record({
          nodeSelectorTerms: fc.array(nodeTerm, { maxLength: 2 }),
        }),
        preferredDuringSchedulingIgnoredDuringExecution: fc.array(
          fc.record({ weight, preference: nodeTerm }),
          { maxLength: 2 },
        ),
      },
      { requiredKeys: [] },
    ),
    podAffinity: pods,
    podAntiAffinity: pods,
  },
  { requiredKeys: [] },
);

const spread = fc.record(
  {
    maxSkew: mostly([1, 5], [0, -1]),
    // The API server accepts any text here, even of labels that no node can have. Validation does not.
    topologyKey: mostly(['app', 'kubernetes.io/hostname'], ['']),
    whenUnsatisfiable: mostly(['DoNotSchedule', 'ScheduleAnyway'], ['', 'Never']),
    minDomains: mostly([1, 2], [0]),
    nodeAffinityPolicy: mostly(['Honor', 'Ignore'], ['', 'Never']),
    nodeTaintsPolicy: mostly(['Honor', 'Ignore'], ['Never']),
    labelSelector: selector,
  },
  { requiredKeys: ['maxSkew', 'topologyKey', 'whenUnsatisfiable'] },
);

/** Sets one of the fields, so that each is tested as often as the others. */
const scheduling = fc.oneof(
  fc.record({ nodeSelector: fc.dictionary(key, value, { maxKeys: 2 }) }),
  fc.record({ tolerations: fc.array(toleration, { maxLength: 2 }) }),
  fc.record({ affinity }),
  fc.record({ topologySpreadConstraints: fc.array(spread, { maxLength: 2 }) }),
) as fc.Arbitrary<Partial<OperatorSpec>>;

/** Returns all errors that validation reports for a spec. */
function collectErrors(spec: OperatorSpec): readonly string[] {
  try {
    operatorParts(spec);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    return error.problems.map(formatProblem);
  }
}

given.test('scheduling fields are refused exactly where an API server refuses them', async () => {
  const { admin } = given.cluster;
  const namespace = await newNamespace(given.cluster, 'scheduling');
  const whole = operatorParts(least).workload.deployment;
  const pod = whole.spec.template.spec;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(scheduling, async (some) => {
      const { topologySpreadConstraints: constraints = [], ...others } = some;
      const labelSelector = whole.spec.selector;
      const fields = {
        ...others,
        topologySpreadConstraints: constraints.map((one) => ({ labelSelector, ...one })),
      };
      const template = { ...whole.spec.template, spec: { ...pod, ...fields } };
      const { status, body } = await admin.request({
        method: 'POST',
        path: `/apis/apps/v1/namespaces/${namespace}/deployments`,
        query: { dryRun: 'All', fieldValidation: 'Strict' },
        body: {
          ...whole,
          metadata: { name: 'shops', namespace },
          spec: { ...whole.spec, template },
        },
      });
      const errors = collectErrors({ ...least, ...some });
      refused += errors.length > 0 ? 1 : 0;
      expect([errors, status, body.message]).toEqual(
        errors.length > 0 ? [errors, 422, body.message] : [[], 201, undefined],
      );
    }),
    runs(120),
  );
  expect(refused).toBeGreaterThan(0);
});
