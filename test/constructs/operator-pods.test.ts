import { expect, test } from '@jest/globals';
import { buildOperatorInstallation } from '../../model/operator/operator-objects.ts';
import { resolvePlatform } from '../../model/platform.ts';
import { platform as platformKind, type PlatformSpec } from '../../crds/platform.ts';
import { readDeclarations } from '../../crds/declarations.ts';

type Operator = NonNullable<PlatformSpec['operator']>;

const podOf = (operator: Operator) => {
  const platform = resolvePlatform({
    operator: { image: 'registry.example.com/t:1', ...operator },
  });
  const deployment = buildOperatorInstallation(platform, 'in-cluster', [])['deployment'];
  const { spec } = deployment as unknown as {
    readonly spec: { readonly template: { readonly spec: Record<string, unknown> } };
  };
  const { imagePullSecrets, tolerations } = spec.template.spec;
  return { imagePullSecrets, tolerations };
};

test('the pods of the operator have the pull secrets and tolerations of the Platform', () => {
  const tolerations = [
    { key: 'dedicated', value: 'platform', effect: 'NoSchedule' },
    { operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 },
  ] as const;
  expect(podOf({ imagePullSecrets: ['registry'], tolerations })).toEqual({
    imagePullSecrets: [{ name: 'registry' }],
    tolerations,
  });
  expect(podOf({})).toEqual({ imagePullSecrets: undefined, tolerations: undefined });
});

const refused = (toleration: string): readonly string[] => {
  const text = `apiVersion: tenantry.dev/v1alpha1\nkind: Platform\nmetadata: {name: a}\nspec: {operator: {tolerations: [${toleration}]}}\n`;
  const none = () => {
    throw new Error('no file');
  };
  return readDeclarations('t.yaml', text, [platformKind], none).problems.map(
    ({ path, message }) => `${path} ${message}`,
  );
};

test.each([
  ['{}', "must have a key, or the operator 'Exists'"],
  ['{key: a, operator: Exists, value: b}', "must have no value where the operator is 'Exists'"],
  ['{key: a, tolerationSeconds: 5}', "must have the effect 'NoExecute'"],
  ['{key: a, effect: NoStart}', 'spec.operator.tolerations[0].effect must be'],
])('a toleration that the API server would refuse is refused in the Platform: %s', (one, why) => {
  expect(refused(one)).toEqual([expect.stringContaining(why)]);
});

test.each([
  '{key: a}',
  '{operator: Exists}',
  '{key: a, value: b, effect: NoExecute, tolerationSeconds: 0}',
])('a toleration that it accepts is accepted: %s', (one) => {
  expect(refused(one)).toEqual([]);
});
