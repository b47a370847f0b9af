import { runInThisContext } from 'node:vm';
import type { DefinitionProps } from '../definition.ts';
import * as language from '../schema/language.ts';
import type { JSONSchemaProps } from '../schema/json-schema.ts';
import { readPage } from '@tenantry/test-tools/docs/pages';

const { integer, object, string } = language;

/** A row of a table: the marker, our notation for it, and the result in the CRD. */
export interface Row {
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

/** Evaluates the text of a cell with the words of the schema language. */
export function evaluate(text: string): unknown {
  const words = Object.keys(language).join(', ');
  return runInThisContext(`({ ${words} }) => (${text})`)(language);
}

/** Copies data into plain objects of this realm. */
export const plain = (value: unknown): Record<string, unknown> =>
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

export const fieldRows = rowsBelow('Fields');
export const kindRows = rowsBelow('Kinds');
export const versionRows = rowsBelow('Versions');

/** Returns the field of a row in our notation. */
export const fieldOf = ({ spelling }: Row): JSONSchemaProps =>
  evaluate(spelling) as JSONSchemaProps;

export function kindWithField(row: Row): DefinitionProps {
  const spec = object('', { field: fieldOf(row) });
  return { ...base, versions: { v1: { schema: object('', { spec }) } } };
}

/** Builds a kind with the properties of a row. */
export function buildKindWithProps({ spelling }: Row): DefinitionProps {
  const props = plain(evaluate(spelling)) as Partial<DefinitionProps>;
  return { ...base, versions: { v1: { schema } }, ...props };
}

/** Builds a kind whose version has the properties of a row. */
export function kindWithVersion({ spelling }: Row): DefinitionProps {
  return { ...base, versions: { v1: { schema, ...plain(evaluate(spelling)) } } };
}
