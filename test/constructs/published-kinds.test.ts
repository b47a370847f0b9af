import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { publishedApis } from '../../scripts/published-apis.ts';
import { publishedModules } from '../../scripts/published-kinds.ts';
import { goModule, type Found } from '../go/module.ts';
import { testUnless } from '../skipping.ts';
import { root } from '../structure/tracked.ts';

for (const [name, api] of publishedApis) {
  const found = new Map(
    Object.values(api.kinds).map(({ source }): [string, Found] => [source, goModule(source)]),
  );
  const reason = [...found.values()].find((one) => one.reason !== undefined)?.reason;

  testUnless(reason)(`\`npm run gen:apis\` has written the kinds of ${name}`, async () => {
    const modules = await publishedModules(api, (module) => found.get(module)!.folder!);
    for (const [path, text] of modules) {
      expect({ path, text: readFileSync(join(root, path), 'utf8') }).toEqual({ path, text });
    }
    expect(modules.size).toBe(2);
  });
}
