import { join } from 'node:path';
import type { Definition } from '../../crds/definition.ts';
import { definitionIn } from '../crds/definition-in.ts';
import { testUnless } from '../skipping.ts';
import { goModule } from './module.ts';

/** Tests that read CustomResourceDefinitions of a module of Go: skipped where the module is not there. */
export function publishedTests(
  module: string,
): (sentence: string, path: string, body: (published: Definition) => void) => void {
  const { folder, reason } = goModule(module);
  return (sentence, path, body) =>
    testUnless(reason)(sentence, () => body(definitionIn(join(folder!, path))));
}
