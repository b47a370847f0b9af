import { expect } from '@jest/globals';
import type { Finding } from '../../kube/finding.ts';
import { validateDefinition } from '../../crds/validation/validate.ts';
import type { Client } from '../control-plane/client.ts';
import { sharedCluster } from '../control-plane/shared.ts';
import { definitionOf, type DefinitionCase } from './definitions-case.ts';
import { conversionCases } from './definitions-conversion.ts';
import { defaultCases } from './definitions-defaults.ts';
import { nameCases } from './definitions-names.ts';
import { ruleCases } from './definitions-rules.ts';
import { schemaCases } from './definitions-schemas.ts';
import { askServer, isNamed } from './definitions-server.ts';
import { versionCases } from './definitions-versions.ts';

const given = await sharedCluster();
const { test } = given;

/** The same on every minor of the matrix: nothing here depends on it. */
const tables = {
  'names and metadata': nameCases,
  'versions and what belongs to them': versionCases,
  conversions: conversionCases,
  schemas: schemaCases,
  defaults: defaultCases,
  'CEL rules': ruleCases,
};

/** What is not as the case says, or nothing. */
async function unexpected(client: Client, one: DefinitionCase): Promise<object[]> {
  const manifest = definitionOf(one.changes);
  const { errors, notChecked } = validateDefinition(manifest);
  const server = await askServer(client, manifest);
  const isOpen = one.unlike === 'not checked here';
  const rules = (findings: readonly Finding[]) => findings.map(({ rule }) => rule);
  const paths = [...errors, ...notChecked].map(({ path }) => path);
  const asSaid = {
    'our verdict': (errors.length === 0) === (one.rule === undefined || isOpen),
    'what is left open': (errors.length === 0 && notChecked.length > 0) === isOpen,
    'our rule': one.rule === undefined || rules(isOpen ? notChecked : errors).includes(one.rule),
    "the server's verdict":
      server.accepted === (one.rule === undefined || one.unlike === 'refused here alone'),
    'the paths': server.paths.every((path) => isNamed(path, paths)),
  };
  const wrong = Object.entries(asSaid).flatMap(([what, is]) => (is ? [] : [what]));
  return wrong.length > 0 ? [{ says: one.says, wrong, errors, notChecked, server }] : [];
}

for (const [subject, cases] of Object.entries(tables)) {
  test(`we and the API server say the same of definitions: ${subject}`, async () => {
    const found: object[] = [];
    for (const one of cases) found.push(...(await unexpected(given.cluster.admin, one)));
    expect(found).toEqual([]);
  });
}

test('a definition of more than 3 MiB is refused by us and by the API server', async () => {
  const description = 'a'.repeat(3 * 1024 * 1024);
  const manifest = definitionOf({ 'field.description': description });
  expect(validateDefinition(manifest).errors.map(({ rule }) => rule)).toEqual(['size']);
  expect(await askServer(given.cluster.admin, manifest)).toMatchObject({ accepted: false });
});
