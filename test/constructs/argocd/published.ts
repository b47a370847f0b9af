import type { Definition } from '../../../crds/definition.ts';
import { publishedTests } from '../../go/published.ts';

const test = publishedTests('github.com/argoproj/argo-cd/v3@v3.5.7');

/**
 * A test that reads a definition of Argo CD from the module of its release; skipped where the module is
 * missing.
 */
export const publishedTest = (
  sentence: string,
  { kind }: Definition,
  body: (published: Definition) => void,
): void => test(sentence, `manifests/crds/${kind.toLowerCase()}-crd.yaml`, body);
