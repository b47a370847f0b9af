import { expect } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';
import type { CustomResourceDefinitionManifest } from '../custom-resource-definition.ts';
import { crdManifest, definitionOf } from '../definition.ts';
import { importDefinitions } from '../import.ts';
import { readDefinitions } from '../manifests.ts';
import { corpusTests } from './corpus-tests.ts';
import { meaningOf } from './import/meaning.ts';
import { UserProject } from '@tenantry/test-tools/surface/user-project';
import { hasAny } from './import/project.ts';

const given = await corpusTests();
const manifests = new Map(given.crds.map(({ manifest }) => [manifest.metadata.name, manifest]));

function expectSame(
  emitted: CustomResourceDefinitionManifest,
  read: CustomResourceDefinitionManifest,
): void {
  const [after, before] = [meaningOf(emitted), meaningOf(read)];
  // Far faster than to tell how they differ.
  if (!isDeepStrictEqual(after, before)) expect(after).toEqual(before);
}

given.test('a real definition, read and emitted again, means the same', () => {
  for (const manifest of manifests.values()) {
    expectSame(crdManifest(definitionOf(manifest)), manifest);
  }
});

given.test(
  'all real definitions as TypeScript compile, and emit the same definitions again',
  async () => {
    const found = given.crds.map((located) => ({ located, source: 'corpus' }));
    const { modules, problems, warnings } = importDefinitions(found);
    expect(problems).toEqual([]);
    expect(warnings).toEqual([]);
    expect(modules).toHaveLength(manifests.size);
    expect(modules.filter(({ text }) => hasAny(text)).map(({ path }) => path)).toEqual([]);
    const lines = modules.map(
      ({ path }, i) => `import * as module${i} from './${path}';\nprint(module${i});\n`,
    );
    const project = new UserProject({
      ...Object.fromEntries(modules.map(({ path, text }) => [path, text])),
      'main.ts': `
import { crdManifest, type Definition } from '@tenantry/crd';
function print(module: object): void {
  const values = Object.values(module) as unknown[];
  const definitions = values.filter((value) => typeof value === 'object') as Definition[];
  const classes = values.filter((value) => typeof value === 'function');
  for (const one of classes) if (!('GVK' in one)) throw new Error(one.name);
  for (const one of definitions) {
    const served = Object.values(one.versions).filter((version) => version.served);
    if (classes.length !== served.length) throw new Error(one.kind);
    console.log(JSON.stringify(crdManifest(one)));
  }
}
${lines.join('')}`,
    });
    try {
      const started = performance.now();
      expect(await project.compile()).toBe('');
      // 20 seconds for 50 definitions is what is promised; here are more, on whatever machine.
      expect(performance.now() - started).toBeLessThan(240_000);
      const emitted = (await project.run('main.ts')).trim().split('\n');
      expect(emitted).toHaveLength(manifests.size);
      for (const line of emitted) {
        const [one] = readDefinitions('emitted', line).definitions;
        expectSame(one!.manifest, manifests.get(one!.manifest.metadata.name)!);
      }
    } finally {
      project.remove();
    }
  },
);
