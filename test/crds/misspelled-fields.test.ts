import { expect, test } from '@jest/globals';
import { readDeclarations } from '../../crds/declarations.ts';
import { platform } from '../../crds/platform.ts';
import { tenant } from '../../crds/tenant.ts';
import { tenantClass } from '../../crds/tenant-class.ts';
import { isMapping } from '@tenantry/kube/mapping';
import { formatPath, formatProblem } from '@tenantry/kube/problem';
import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import { sampleValue } from '@tenantry/crd/schema/sample';
import { validate } from '@tenantry/crd/schema/validate';

const kinds = [tenant, tenantClass, platform];

const collectProblems = (text: string): string[] =>
  readDeclarations('t.yaml', text, kinds, () => {
    throw new Error('no file');
  }).problems.map(formatProblem);

/** Returns a schema and those within it, each with its place. */
function within(schema: JSONSchemaProps, place: string): [string, JSONSchemaProps][] {
  const { properties = {}, items, additionalProperties } = schema;
  return [
    [place, schema],
    ...Object.entries(properties).flatMap(([name, one]) => within(one, `${place}.${name}`)),
    ...(items ? within(items, `${place}[]`) : []),
    ...(isMapping(additionalProperties) ? within(additionalProperties, `${place}.*`) : []),
  ];
}

const demanding = kinds.flatMap(({ kind, file }) =>
  within(file, kind).filter(([, { required = [] }]) => required.length > 0),
);

test.each(demanding)(
  'a field that must be there and is misspelt is one error: of %s',
  (_place, schema) => {
    const sample = sampleValue(schema, { full: true }) as Record<string, unknown>;
    for (const field of schema.required ?? []) {
      const { [field]: value, ...rest } = sample;
      const errors = validate(schema, { ...rest, [`${field}x`]: value });
      expect(errors.map(({ path }) => formatPath(path))).toEqual([`${field}x`]);
      expect(errors[0]!.message).toMatch(new RegExp(`; did you mean '${field}'\\?$`));
    }
  },
);

test('every kind has such fields', () => {
  for (const { kind } of kinds) {
    expect(demanding.filter(([place]) => place.startsWith(kind)).length).toBeGreaterThan(3);
  }
});

const head = (kind: string) => `apiVersion: tenantry.dev/v1alpha1\nkind: ${kind}\n`;

test.each<[string, string, string]>([
  [
    'of a hook in the platform file',
    `${head('Platform')}metadata: {name: a}\nspec:\n  operator:\n    hooks:\n      - name: chat\n        events: [Onboarded]\n        secret: chat\n        slack:\n          chanel: team-{tenant}\n`,
    "t.yaml:11:11 spec.operator.hooks[0].slack.chanel must be a known field, got 'chanel'; did you mean 'channel'?",
  ],
  [
    'of a namespace',
    `${head('Tenant')}metadata: {name: a}\nspec:\n  namespaces:\n    - nmae: b\n`,
    "t.yaml:6:7 spec.namespaces[0].nmae must be a known field, got 'nmae'; did you mean 'name'?",
  ],
  [
    'of a preset of a class',
    `${head('TenantClass')}metadata: {name: a}\nspec:\n  presets:\n    quotas: [{nam: small, hard: {pods: 3}}]\n`,
    "t.yaml:6:15 spec.presets.quotas[0].nam must be a known field, got 'nam'; did you mean 'name'?",
  ],
  [
    'of the metadata',
    `${head('Tenant')}metadata: {nam: a}\n`,
    "t.yaml:3:12 metadata.nam must be a known field, got 'nam'; did you mean 'name'?",
  ],
  [
    'of the document',
    `${head('Tenant')}metdata: {name: a}\n`,
    "t.yaml:3:1 metdata must be a known field, got 'metdata'; did you mean 'metadata'?",
  ],
])('in a file the error is at the misspelled field: %s', (_what, text, problem) => {
  expect(collectProblems(text)).toEqual([problem]);
});

test('a missing field that is unrelated to the unknown one is reported too', () => {
  expect(
    collectProblems(
      `${head('Tenant')}metadata: {name: a}\nspec:\n  namespaces:\n    - colour: b\n`,
    ),
  ).toEqual([
    expect.stringMatching(/^t\.yaml:6:\d+ spec\.namespaces\[0\]\.name must be .*, got nothing$/),
    expect.stringMatching(/^t\.yaml:6:7 spec\.namespaces\[0\]\.colour must be a known field/),
  ]);
  // A field that is misspelled in one item is not missing in another one.
  expect(
    collectProblems(`${head('Tenant')}metadata: {name: a}\nspec:\n  namespaces: [{nmae: b}, {}]\n`),
  ).toEqual([
    expect.stringMatching(/ spec\.namespaces\[0\]\.nmae must be a known field/),
    expect.stringMatching(/ spec\.namespaces\[1\]\.name must be .*, got nothing$/),
  ]);
});
