import { join } from 'node:path';
import type { Definition } from '@tenantry/crd/definition';
import { definitionIn } from '@tenantry/crd/test/definition-in';
import { testUnless } from '../skipping.ts';
import { goModule } from './module.ts';

/** Defines tests that read CustomResourceDefinitions of a Go module; they are skipped if the module is missing. */
export function publishedTests(
  module: string,
): (sentence: string, path: string, body: (published: Definition) => void) => void {
  const { folder, reason } = goModule(module);
  return (sentence, path, body) =>
    testUnless(reason)(sentence, () => body(definitionIn(join(folder!, path))));
}
