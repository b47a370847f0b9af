import { join } from 'node:path';
import type { Definition } from '@tenantry/crd/definition';
import { definitionIn } from '@tenantry/crd/test/definition-in';
import { testUnless } from '@tenantry/test-tools/skipping';

/** OLM's own CustomResourceDefinitions, as it publishes them, read in place. */
const folder = process.env['TENANTRY_OLM_CRDS'];
const test = testUnless(folder ? undefined : 'TENANTRY_OLM_CRDS names no folder');

/** Defines a test that reads a CustomResourceDefinition that OLM publishes; it is skipped if there is none. */
export const publishedTest = (
  sentence: string,
  file: string,
  body: (published: Definition) => void,
): void => test(sentence, () => body(definitionIn(join(folder!, `${file}.yaml`))));
