import { expect, test as plainTest } from '@jest/globals';
import { runInThisContext } from 'node:vm';
import { define } from '../../crds/define.ts';
import { crdManifest, type DefinitionProps } from '../../crds/definition.ts';
import * as language from '../../schema/language.ts';
import type { JSONSchemaProps } from '../../schema/jsonschema.ts';
import { openApi } from '../../schema/openapi.ts';
import type { Body } from '../control-plane/objects.ts';
import { sharedCluster } from '../control-plane/shared.ts';
import { TRIAL } from './crds.ts';
import { readPage } from '../docs/pages.ts';

const given = await sharedCluster();
const { test } = given;
const { integer, object, string } = language;

/** A row of a table: the marker, our spelling of it, and what is then in the CRD. */
interface Row {
  readonly marker: string;
  readonly spelling: string;
  readonly expected: string;
}

const page = readPage('docs/crds.md').text;

function rowsBelow(heading: string): Row[] {
  const [, after = ''] = page.split(`#### ${heading}\n`);
  const lines = after.split(/\n#/)[0]!.split('\n');
  return lines
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => {
      const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
      const [, marker = '', spelling = '', expected = ''] = cells;
      return { marker, spelling: code(spelling), expected: code(expected) };
    });
}

const code = (cell: string): string => /^`(.*)`$/.exec(cell)![1]!;

/** What the text of a cell says, with the words of the schema language. */
function evaluate(text: string): unknown {
  const words = Object.keys(language).join(', ');
  return runInThisContext(`({ ${words} }) => (${text})`)(language);
}

/** Plain data of this realm. */
const plain = (value: unknown): Record<string, unknown> =>
  JSON.parse(JSON.stringify(value)) as Record<string, unknown>;

const base: DefinitionProps = {
  group: 'markers.example.com',
  kind: 'Box',
  plural: 'boxes',
  scope: 'Namespaced',
  versions: {},
};

const fields = object('', { a: integer(''), b: string('', { maxLength: 9 }) });
const schema = object('A box.', { spec: fields, status: fields });

/** The API server's verdict on a definition: nothing, or why it is refused. */
async function refusal(props: DefinitionProps): Promise<string | undefined> {
  const manifest = crdManifest(define(props)) as unknown as Body;
  const { status, body } = await given.cluster.admin.create(manifest, TRIAL);
  return status === 201 ? undefined : `${status} ${body.message}`;
}

const fieldRows = rowsBelow('Fields');
const kindRows = rowsBelow('Kinds');
const versionRows = rowsBelow('Versions');

plainTest('every marker that controller-gen has for a CRD is in the tables', () => {
  const markers = [...fieldRows, ...kindRows, ...versionRows].map(({ marker }) => marker).join(' ');
  const all =
    'Maximum Minimum ExclusiveMaximum ExclusiveMinimum MultipleOf MaxProperties MinProperties ' +
    'MaxLength MinLength Pattern MaxItems MinItems Enum Format Type PreserveUnknownFields ' +
    'EmbeddedResource XIntOrString XValidation:rule message messageExpression reason fieldPath ' +
    'optionalOldSelf required optional nullable default example immutable AtMostOneOf ' +
    'ExactlyOneOf AtLeastOneOf title listType listMapKey mapType structType externalDocs ' +
    'resource:path shortName categories singular scope subresource:status subresource:scale ' +
    'specpath statuspath selectorpath printcolumn JSONPath description format priority ' +
    'storageversion unservedversion deprecatedversion:warning metadata:labels ' +
    'metadata:annotations selectablefield';
  expect(all.split(' ').filter((marker) => !markers.includes(marker))).toEqual([]);
});

for (const { marker, spelling, expected } of fieldRows) {
  test(`${marker} is ${spelling}`, async () => {
    const field = evaluate(spelling) as JSONSchemaProps;
    expect(plain(openApi(field))).toMatchObject(plain(evaluate(expected)));
    const versions = { v1: { schema: object('', { spec: object('', { field }) }) } };
    expect(await refusal({ ...base, versions })).toBeUndefined();
  });
}

for (const { marker, spelling, expected } of kindRows) {
  test(`${marker} is ${spelling} of a kind`, async () => {
    const said = plain(evaluate(spelling)) as Partial<DefinitionProps>;
    const props = { ...base, versions: { v1: { schema } }, ...said };
    const manifest = plain(crdManifest(define(props)));
    expect(manifest['spec']).toMatchObject(plain(evaluate(expected)));
    expect(manifest['metadata']).toMatchObject(said.metadata ?? {});
    expect(await refusal(props)).toBeUndefined();
  });
}

for (const { marker, spelling, expected } of versionRows) {
  test(`${marker} is ${spelling} of a version`, async () => {
    const said = plain(evaluate(spelling));
    const versions = { v1: { schema, ...said } };
    const props = { ...base, versions };
    const [version] = crdManifest(define(props)).spec.versions;
    expect(plain(version)).toMatchObject(plain(evaluate(expected)));
    expect(await refusal(props)).toBeUndefined();
  });
}
