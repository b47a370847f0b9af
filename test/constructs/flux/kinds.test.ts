import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitRepository } from '../../../constructs/flux/api/gitrepository.ts';
import { kustomization } from '../../../constructs/flux/api/kustomization.ts';
import { checkDefinition } from '../../../crds/define.ts';
import { definitionOf, type Definition } from '../../../crds/definition.ts';
import { readDefinitions } from '../../../crds/manifests.ts';
import { goModule } from '../../go/module.ts';
import { fieldsOf, wordsOf } from '../../schema/fields.ts';

const published: readonly (readonly [Definition, string])[] = [
  [kustomization, 'github.com/fluxcd/kustomize-controller@v1.7.3'],
  [gitRepository, 'github.com/fluxcd/source-controller@v1.7.0'],
];

const differences = (theirs: Map<string, unknown>, ours: Map<string, unknown>): string[] =>
  [...new Set([...theirs.keys(), ...ours.keys()])]
    .filter((path) => path !== 'metadata' && String(theirs.get(path)) !== String(ours.get(path)))
    .map((path) => `${path}: ${String(theirs.get(path))} there, ${String(ours.get(path))} here`);

for (const [kind, module] of published) {
  const { folder, reason } = goModule(module);
  const sentence = `every field of ${kind.kind} is as Flux publishes it`;
  const here = kind.versions['v1']!;

  if (folder === undefined) test.skip(`${sentence} [skipped: ${reason}]`, () => {});
  else {
    test(sentence, () => {
      const file = `${kind.group}_${kind.plural}.yaml`;
      const path = join(folder, 'config', 'crd', 'bases', file);
      const [found] = readDefinitions(path, readFileSync(path, 'utf8')).definitions;
      const { versions, metadata: _, ...names } = definitionOf(found!.manifest);
      const { schema, ...version } = versions['v1']!;
      expect(differences(fieldsOf(schema), fieldsOf(here.schema))).toEqual([]);
      expect(differences(wordsOf(schema), wordsOf(here.schema))).toEqual([]);
      const { versions: __, ...called } = kind;
      expect(called).toEqual(names);
      expect(here).toMatchObject(version);
    });
  }

  test(`an API server would take the definition of ${kind.kind}`, () => {
    expect(checkDefinition(kind).errors).toEqual([]);
  });
}
