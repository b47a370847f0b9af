import { expect, test } from '@jest/globals';
import { appProject, application, applicationSet } from '../../../model/argocd/api/definitions.ts';
import { checkDefinition } from '@tenantry/crd/define';
import type { Definition } from '@tenantry/crd/definition';
import { differing, fieldsOf, wordsOf } from '@tenantry/crd/test/schema/fields';
import { publishedTest } from './published.ts';

const kinds: readonly Definition[] = [appProject, application, applicationSet];

/** Fields whose values Argo CD's definitions do not restrict, but its code and selectors do. */
const closed =
  /^spec\.(strategy\.(deletionOrder|type)|syncWindows\[\]\.kind|sourceIntegrity\..*\.mode)$|\.matchExpressions\[\]\.operator$/;

for (const kind of kinds) {
  const { v1alpha1: here } = kind.versions;
  const { schema } = here!;

  publishedTest(`every field of ${kind.kind} is as Argo CD publishes it`, kind, (published) => {
    const theirs = fieldsOf(published.versions['v1alpha1']!.schema);
    const ours = fieldsOf(schema);
    const differences = differing(theirs, ours)
      .filter((path) => path !== 'metadata')
      .map((path) => `${path}: ${theirs.get(path)} there, ${ours.get(path)} here`);
    expect(differences).toEqual([]);
    expect(theirs.size).toBeGreaterThan(80);
  });

  publishedTest(`the words that ${kind.kind} takes are Argo CD's`, kind, (published) => {
    const theirs = wordsOf(published.versions['v1alpha1']!.schema);
    const ours = wordsOf(schema);
    const differences = differing(theirs, ours).filter(
      (path) => !(closed.test(path) && !theirs.has(path)),
    );
    expect(differences).toEqual([]);
  });

  publishedTest(`${kind.kind} is called and shown as Argo CD has it`, kind, (published) => {
    const { versions, metadata: _, ...names } = published;
    const { versions: __, ...called } = kind;
    expect(called).toEqual(names);
    const { schema: ___, ...version } = versions['v1alpha1']!;
    expect(here).toMatchObject(version);
  });

  test(`an API server would accept the definition of ${kind.kind}`, () => {
    expect(checkDefinition(kind).errors).toEqual([]);
  });
}
