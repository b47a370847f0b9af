import { expect, test } from '@jest/globals';
import { gitRepository, kustomization } from '../../../model/flux/definitions.ts';
import { checkDefinition } from '@tenantry/crd/define';
import type { Definition } from '@tenantry/crd/definition';
import { publishedApis } from '../../../scripts/published-apis.ts';
import { publishedTests } from '../../go/published.ts';
import { differing, fieldsOf, wordsOf } from '@tenantry/crd/test/schema/fields';

const { kinds } = publishedApis.get('flux')!;

const published = [
  [kustomization, kinds['kustomization']!],
  [gitRepository, kinds['gitRepository']!],
] as const;

const differences = (theirs: Map<string, unknown>, ours: Map<string, unknown>): string[] =>
  differing(theirs, ours)
    .filter((path) => path !== 'metadata')
    .map((path) => `${path}: ${String(theirs.get(path))} there, ${String(ours.get(path))} here`);

for (const [kind, { source, file }] of published) {
  const here = (kind as Definition).versions['v1']!;

  publishedTests(source)(`every field of ${kind.kind} is as Flux publishes it`, file, (theirs) => {
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
