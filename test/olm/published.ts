import { test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { definitionOf, type Definition } from '../../crds/definition.ts';
import { readDefinitions } from '../../crds/manifests.ts';
import type { JSONSchemaProps } from '../../schema/jsonschema.ts';

/** OLM's own CustomResourceDefinitions, as it publishes them, read in place. */
const folder = process.env['TENANTRY_OLM_CRDS'];

/** A test that reads a CustomResourceDefinition that OLM publishes: skipped where there is none. */
export function publishedTest(
  sentence: string,
  file: string,
  body: (published: Definition) => void,
): void {
  if (!folder) {
    test.skip(`${sentence} [skipped: TENANTRY_OLM_CRDS names no folder]`, () => {});
    return;
  }
  test(sentence, () => {
    const path = join(folder, `${file}.yaml`);
    const [found] = readDefinitions(path, readFileSync(path, 'utf8')).definitions;
    body(definitionOf(found!.manifest));
  });
}

/** Every field by its path, with its type; and a `!` where it must be there. */
export function fieldsOf(schema: JSONSchemaProps): Map<string, string> {
  const fields = new Map<string, string>();
  const visit = (schema: JSONSchemaProps, path: string, mandatory: boolean): void => {
    fields.set(path, `${typeOf(schema)}${mandatory ? '!' : ''}`);
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      visit(
        field,
        path === '' ? name : `${path}.${name}`,
        schema.required?.includes(name) ?? false,
      );
    }
    if (schema.items) visit(schema.items, `${path}[]`, false);
    const { additionalProperties } = schema;
    if (typeof additionalProperties === 'object') visit(additionalProperties, `${path}{}`, false);
  };
  visit(schema, '', false);
  return fields;
}

function typeOf(schema: JSONSchemaProps): string {
  if (schema['x-kubernetes-int-or-string']) return 'int-or-string';
  return schema.type ?? 'anything';
}
