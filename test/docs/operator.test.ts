import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getVersion } from '@tenantry/crd/definition';
import { validate } from '@tenantry/crd/schema/validate';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { accessRequest } from '../../crds/access-request.ts';
import { reasons as requestReasons } from '../../operator/break-glass/decision.ts';
import { reasons } from '../../operator/tenant/observation.ts';
import { root } from './pages.ts';

test.each([
  ['operator.md', reasons],
  ['break-glass.md', requestReasons],
])('docs/%s has all reasons of conditions, with the descriptions in the code', (name, known) => {
  const page = readFileSync(join(root, 'docs', name), 'utf8');
  const rows = [...page.matchAll(/^\| `([A-Z]\w+)` +\| (.+?) +\|$/gm)].map(([, reason, means]) => [
    reason,
    means,
  ]);
  expect(Object.fromEntries(rows)).toMatchObject(known);
});

test('the AccessRequest of docs/break-glass.md fits its definition', () => {
  const page = readFileSync(join(root, 'docs/break-glass.md'), 'utf8');
  const [, text = ''] = /<<EOF\n(.*?)\nEOF/s.exec(page) ?? [];
  const [document] = readDocuments(text).documents;
  const { schema } = getVersion(accessRequest, 'v1alpha1');
  const { kind, spec } = document!.value as { readonly kind: string; readonly spec: object };
  expect(kind).toBe('AccessRequest');
  expect(validate(schema.properties!['spec']!, spec, ['spec'])).toEqual([]);
});
