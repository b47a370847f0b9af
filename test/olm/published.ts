import { test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { definitionOf, type Definition } from '../../crds/definition.ts';
import { readDefinitions } from '../../crds/manifests.ts';

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
