import { test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { definitionOf, type Definition } from '../../../crds/definition.ts';
import { readDefinitions } from '../../../crds/manifests.ts';
import { goModule } from '../../go/module.ts';

/** What Argo CD publishes, in the module of its release. */
export const argoCd = goModule('github.com/argoproj/argo-cd/v3@v3.5.7');

/** A test that reads a CustomResourceDefinition of Argo CD: skipped where its module is not there. */
export function publishedTest(
  sentence: string,
  { kind }: Definition,
  body: (published: Definition) => void,
): void {
  const { folder, reason } = argoCd;
  if (folder === undefined) {
    test.skip(`${sentence} [skipped: ${reason}]`, () => {});
    return;
  }
  test(sentence, () => {
    const path = join(folder, 'manifests', 'crds', `${kind.toLowerCase()}-crd.yaml`);
    const [found] = readDefinitions(path, readFileSync(path, 'utf8')).definitions;
    body(definitionOf(found!.manifest));
  });
}
