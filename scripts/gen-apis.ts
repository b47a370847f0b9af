/**
 * `npm run gen:apis` writes the kinds of Argo CD and Flux to model/argocd/api/ and model/flux/, from the
 * definitions of their releases, which `go` downloads. Run it after a change in scripts/apis/. A test
 * compares the files with the definitions.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { goModule } from '../test/go/module.ts';
import { publishedApis } from './published-apis.ts';
import { publishedModules } from './published-kinds.ts';
import { root } from './steps.ts';

for (const api of publishedApis.values()) {
  const modules = await publishedModules(api, downloaded);
  for (const [path, text] of modules) writeFileSync(join(root, path), text);
  console.log(`wrote ${[...modules.keys()].join(', ')}`);
}

function downloaded(module: string): string {
  const { folder, reason } = goModule(module, { download: true });
  if (folder === undefined) throw new Error(reason);
  return folder;
}
