import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDefinitions } from '../../../crds/manifests.ts';
import type { JSONSchemaProps } from '../../../schema/jsonschema.ts';
import { clusterServiceVersion } from '../../../olm/bundle/clusterserviceversion.ts';

/** OLM's own CustomResourceDefinitions, as it publishes them, read in place. */
const folder = process.env['TENANTRY_OLM_CRDS'];

function crdTest(sentence: string, body: (published: JSONSchemaProps) => void): void {
  if (!folder) {
    test.skip(`${sentence} [skipped: TENANTRY_OLM_CRDS names no folder]`, () => {});
    return;
  }
  test(sentence, () => {
    const file = join(folder, 'operators.coreos.com_clusterserviceversions.yaml');
    const [found] = readDefinitions(file, readFileSync(file, 'utf8')).definitions;
    const [version] = found?.manifest.spec.versions ?? [];
    body(version!.schema!.openAPIV3Schema!.properties!['spec']!);
  });
}

const DEPLOYMENT = 'install.spec.deployments[].spec';

/** Every field by its path, with its type; and a `!` where it must be there. */
function fieldsOf(schema: JSONSchemaProps, path = ''): Map<string, string> {
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
  visit(schema, path, false);
  return fields;
}

function typeOf(schema: JSONSchemaProps): string {
  if (schema['x-kubernetes-int-or-string']) return 'int-or-string';
  return schema.type ?? 'anything';
}

const below = (path: string): boolean => path.startsWith(`${DEPLOYMENT}.`);

crdTest('every field that OLM publishes is typed here, and the reverse', (published) => {
  const theirs = fieldsOf(published);
  const ours = fieldsOf(clusterServiceVersion.properties!['spec']!);
  const differences = [...new Set([...theirs.keys(), ...ours.keys()])]
    .filter((path) => !below(path) && theirs.get(path) !== ours.get(path))
    .map((path) => `${path}: ${theirs.get(path)} there, ${ours.get(path)} here`)
    // OLM reads any JSON there; its definition takes strings alone.
    .filter((line) => !line.includes('Descriptors[].value: string there, anything here'));
  expect(differences).toEqual([]);
});

crdTest('every field of the Deployment that OLM publishes is typed here', (published) => {
  const ours = fieldsOf(clusterServiceVersion.properties!['spec']!);
  const missing = [...fieldsOf(published).keys()].filter((path) => below(path) && !ours.has(path));
  expect(missing).toEqual([]);
});
