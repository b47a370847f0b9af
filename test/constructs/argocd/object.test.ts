import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { appProject, application, applicationSet } from '../../../model/argocd/api/definitions.ts';
import { omitZeros } from '../../../model/argocd/object.ts';
import { listVersions, type Definition } from '@tenantry/crd/definition';
import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import { arbitraryValue } from '@tenantry/crd/schema/arbitrary';
import { typesTest, type TypesQuestion } from '../../go/argocd-types.ts';

const specOf = (definition: Definition): JSONSchemaProps =>
  listVersions(definition)[0]!.schema.properties!['spec']!;

/** Samples values of a schema in which most scalars are zero values. */
function specsOf(definition: Definition, numRuns: number): object[] {
  return fc.sample(zeroed(specOf(definition)), { numRuns, seed: 7 }) as object[];
}

function zeroed(schema: JSONSchemaProps): fc.Arbitrary<unknown> {
  return fc
    .tuple(arbitraryValue(schema), fc.infiniteStream(fc.nat({ max: 3 })))
    .map(([value, dice]) => zeroedValue(schema, value, dice));
}

function zeroedValue(schema: JSONSchemaProps, value: unknown, dice: Iterator<number>): unknown {
  if (Array.isArray(value)) {
    return value.map((one: unknown) => zeroedValue(schema.items ?? {}, one, dice));
  }
  // Go reads these as 32-bit integers, or rejects them.
  if (schema['x-kubernetes-int-or-string']) return typeof value === 'number' ? 3 : value;
  if (typeof value !== 'object' || value === null || !schema.properties) return value;
  const fields = Object.entries(value).map(([name, field]) => {
    const of = schema.properties![name];
    const isZero = of && of.enum === undefined && dice.next().value === 0;
    return [name, (isZero ? zeroOf(of, field) : undefined) ?? zeroedValue(of ?? {}, field, dice)];
  });
  return Object.fromEntries(fields) as object;
}

function zeroOf(schema: JSONSchemaProps, value: unknown): unknown {
  if (schema['x-kubernetes-int-or-string']) return 3;
  if (typeof value === 'string') return '';
  if (typeof value === 'number') return 0;
  if (typeof value === 'boolean') return false;
  if (Array.isArray(value)) return [];
  return schema.required || !schema.type ? undefined : {};
}

/**
 * Removes what Go writes regardless of the value: structs that are not pointers, and the name of a
 * plugin parameter.
 */
function withoutStructs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutStructs);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, one]) => {
        const text = JSON.stringify(one);
        return !(
          (name === 'template' &&
            text === '{"metadata":{},"spec":{"destination":{},"project":""}}') ||
          (name === 'selector' && text === '{}') ||
          (name === 'name' && one === '')
        );
      })
      .map(([name, one]) => [name, withoutStructs(one)]),
  );
}

test.each([appProject, application, applicationSet])(
  'omitting zero values of $kind twice gives the same as once',
  (definition) => {
    const schema = specOf(definition);
    for (const spec of specsOf(definition, 30)) {
      const left = omitZeros(schema, spec);
      expect(omitZeros(schema, left)).toEqual(left);
    }
  },
);

for (const definition of [appProject, application, applicationSet]) {
  const kind = definition.kind as TypesQuestion['kind'];
  const schema = specOf(definition);
  const questionOf = (spec: object): TypesQuestion => ({
    kind,
    object: { metadata: { name: 'one', namespace: 'argocd' }, spec },
  });

  typesTest(`omitting zero values of ${kind} does not change its meaning for Argo CD`, (ask) => {
    const specs = specsOf(definition, 100);
    const before = ask(specs.map(questionOf));
    const after = ask(specs.map((spec) => questionOf(omitZeros(schema, spec))));
    const unread = [...before, ...after].filter(({ written }) => written === null);
    expect(unread.map(({ error }) => error)).toEqual([]);
    const normalizeAnswers = (answers: typeof before): unknown[] =>
      answers.map(({ written }) => withoutStructs(omitZeros(schema, written)));
    expect(normalizeAnswers(after)).toEqual(normalizeAnswers(before));
  });

  // Only its author writes an ApplicationSet.
  if (definition === applicationSet) continue;

  typesTest(`Argo CD would write ${kind} back exactly as it is in Git`, (ask) => {
    const ours = specsOf(definition, 100).map((spec) => omitZeros(schema, spec));
    const back = ask(ours.map(questionOf)).map(({ written }) => written);
    expect(back.map(withoutStructs)).toEqual(ours.map(withoutStructs));
  });
}

test('an empty automation means on, and a disabled one means off', () => {
  const schema = specOf(application);
  const spec = (automated: object): object => ({
    project: 'shop',
    destination: { name: 'eu1' },
    source: { repoURL: 'a', path: '.', kustomize: {}, directory: { recurse: false }, helm: {} },
    syncPolicy: { automated, retry: { limit: 0 }, syncOptions: [] },
  });
  const left = { repoURL: 'a', path: '.' };
  expect(omitZeros(schema, spec({ prune: false, allowEmpty: false }))).toEqual({
    project: 'shop',
    destination: { name: 'eu1' },
    source: left,
    // No retries; without `retry` there would be five.
    syncPolicy: { automated: {}, retry: {} },
  });
  expect(omitZeros(schema, spec({ enabled: false }))).toMatchObject({
    syncPolicy: { automated: { enabled: false } },
  });
});

const deployed = { project: 'shop', destination: { name: 'eu1' }, source: { repoURL: 'a' } };
const git = { repoURL: 'a', revision: 'main', directories: [{ path: '*' }] };
const generated = (...generators: object[]): object => ({
  generators,
  template: { metadata: { name: '{{.a}}' }, spec: deployed },
});
const step = { matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }], maxUpdate: 0 };

/** Zero values that are significant. */
const significantZeroValues: readonly [string, Definition, object][] = [
  ['who is warned of orphans', appProject, { orphanedResources: {} }],
  ['that nobody is', appProject, { orphanedResources: { warn: false } }],
  [
    'a plugin that knows the source',
    application,
    { ...deployed, source: { repoURL: 'a', plugin: {} } },
  ],
  ['no history', application, { ...deployed, revisionHistoryLimit: 0 }],
  [
    'attempts at once',
    application,
    { ...deployed, syncPolicy: { retry: { backoff: { factor: 0 } } } },
  ],
  [
    'common labels, and what holds of them',
    application,
    {
      ...deployed,
      source: {
        repoURL: 'a',
        kustomize: {
          commonAnnotations: { a: '$b' },
          commonAnnotationsEnvsubst: true,
          commonLabels: { a: 'b' },
          forceCommonAnnotations: true,
          forceCommonLabels: true,
          labelIncludeTemplates: true,
          labelWithoutSelector: true,
        },
      },
    },
  ],
  ['no look again', applicationSet, generated({ git: { ...git, requeueAfterSeconds: 0 } })],
  [
    'a step that waits for a person',
    applicationSet,
    { ...generated({ git }), strategy: { type: 'RollingSync', rollingSync: { steps: [step] } } },
  ],
  [
    'no projects that are shared',
    applicationSet,
    generated({ scmProvider: { gitlab: { group: 'a', includeSharedProjects: false } } }),
  ],
  [
    'the account of the controller',
    applicationSet,
    generated({ scmProvider: { awsCodeCommit: {} } }),
  ],
];

test.each(significantZeroValues)(
  'a significant zero value is rendered: %s',
  (_, definition, spec) => {
    expect(omitZeros(specOf(definition), spec)).toEqual(spec);
  },
);

typesTest('Argo CD keeps significant zero values', (ask) => {
  const questions = significantZeroValues.map(([, { kind }, spec]): TypesQuestion => {
    const metadata = { name: 'one', namespace: 'argocd' };
    return { kind: kind as TypesQuestion['kind'], object: { metadata, spec } };
  });
  ask(questions).forEach(({ written }, i) =>
    expect(written).toMatchObject(significantZeroValues[i]![2]),
  );
});

test.each([
  'commonAnnotationsEnvsubst',
  'forceCommonAnnotations',
  'forceCommonLabels',
  'labelIncludeTemplates',
  'labelWithoutSelector',
])('%s alone has no meaning in a source', (field) => {
  const spec = { ...deployed, source: { repoURL: 'a', kustomize: { [field]: true } } };
  expect(omitZeros(specOf(application), spec)).toEqual(deployed);
});
