import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { emitYaml, formatCompactYaml } from '@tenantry/kube/yaml/write';
import type { PlatformSpec } from '../../crds/platform.ts';
import { editPlatformText } from '../../import/platform-text.ts';

const text = `# The platform
apiVersion: tenantry.dev/v1alpha1
kind: Platform
metadata:
  name: platform
spec:
  # One for now
  clusters:
    - name: eu1
  environments: [dev, prod] # all of them
  # argocd:
  #   source: ...
`;

test('a platform file keeps its comments and its order, and gets what it lacks', () => {
  const spec: PlatformSpec = {
    clusters: [{ name: 'eu1' }],
    environments: ['dev', 'prod', 'test'],
    metadataKeys: { owner: 'example.com/owner' },
  };
  expect(editPlatformText(text, spec)).toBe(`# The platform
apiVersion: tenantry.dev/v1alpha1
kind: Platform
metadata:
  name: platform
spec:
  # One for now
  clusters:
    - name: eu1
  environments: [dev, prod, test]
  metadataKeys: { owner: example.com/owner }
  # argocd:
  #   source: ...
`);
});

test('a platform file that has the spec already is not changed', () => {
  const spec: PlatformSpec = { environments: ['dev', 'prod'], clusters: [{ name: 'eu1' }] };
  expect(editPlatformText(text, spec)).toBe(text);
});

test('a text whose spec is in braces is not edited', () => {
  const braces = 'apiVersion: a/v1\nkind: Platform\nmetadata: { name: p }\nspec: { kinds: [] }\n';
  expect(editPlatformText(braces, { environments: ['dev'] })).toBeUndefined();
});

const value = fc.oneof(
  fc.array(fc.constantFrom('dev', 'prod', 'a b', '#x'), { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('x', 'multi\nline\n'), {
    minKeys: 1,
  }),
);
const spec = fc.dictionary(fc.constantFrom('kinds', 'environments', 'dns', 'monitoring'), value, {
  minKeys: 1,
});

test('an edited file has exactly the wanted spec, whatever it had and in whatever style', () => {
  fc.assert(
    fc.property(spec, spec, fc.boolean(), (before, more, isCompact) => {
      const platform = { kind: 'Platform', metadata: { name: 'p' }, spec: before };
      const written = isCompact ? formatCompactYaml(platform) : emitYaml([platform]);
      const wanted = { ...before, ...more } as PlatformSpec;
      const edited = editPlatformText(written, wanted);
      expect(edited).toBeDefined();
      expect(readDocuments(edited!).documents[0]?.value).toEqual({ ...platform, spec: wanted });
    }),
    runs(500),
  );
});
