import { expect, test } from '@jest/globals';
import { gitRepository } from '../../../constructs/flux/api/git-repository.ts';
import { kustomization } from '../../../constructs/flux/api/kustomization.ts';
import { checkDefinition } from '../../../crds/define.ts';
import type { Definition } from '../../../crds/definition.ts';
import { publishedTests } from '../../go/published.ts';
import { differing, fieldsOf, wordsOf } from '../../schema/fields.ts';

const published: readonly (readonly [Definition, string])[] = [
  [kustomization, 'github.com/fluxcd/kustomize-controller@v1.7.3'],
  [gitRepository, 'github.com/fluxcd/source-controller@v1.7.0'],
];

const differences = (theirs: Map<string, unknown>, ours: Map<string, unknown>): string[] =>
  differing(theirs, ours)
    .filter((path) => path !== 'metadata')
    .map((path) => `${path}: ${String(theirs.get(path))} there, ${String(ours.get(path))} here`);

for (const [kind, module] of published) {
  const here = kind.versions['v1']!;
  const path = `config/crd/bases/${kind.group}_${kind.plural}.yaml`;

  publishedTests(module)(`every field of ${kind.kind} is as Flux publishes it`, path, (theirs) => {
    const { versions, metadata: _, ...names } = theirs;
    const { schema, ...version } = versions['v1']!;
    expect(differences(fieldsOf(schema), fieldsOf(here.schema))).toEqual([]);
    expect(differences(wordsOf(schema), wordsOf(here.schema))).toEqual([]);
    const { versions: __, ...called } = kind;
    expect(called).toEqual(names);
    expect(here).toMatchObject(version);
  });

  test(`an API server would accept the definition of ${kind.kind}`, () => {
    expect(checkDefinition(kind).errors).toEqual([]);
  });
}
