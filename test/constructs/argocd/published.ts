import type { Definition } from '@tenantry/crd/definition';
import { publishedApis } from '../../../scripts/published-apis.ts';
import { publishedTests } from '../../go/published.ts';

const kinds = Object.values(publishedApis.get('argocd')!.kinds);

/**
 * A test that reads a definition of Argo CD from the module of its release; skipped where the module is
 * missing.
 */
export const publishedTest = (
  sentence: string,
  { kind }: Definition,
  body: (published: Definition) => void,
): void => {
  const { source, file } = kinds.find((one) => one.file.includes(`/${kind.toLowerCase()}-`))!;
  publishedTests(source)(sentence, file, body);
};
