import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { installCdk8sCli } from '../cdk8s-cli/install.ts';
import { inProject, repository } from './project.ts';

const messages: string[] = [];
const cdk8s = await installCdk8sCli({ log: (line) => messages.push(line) });
const testWithCdk8s = cdk8s === undefined ? test.skip : test;
const reason = cdk8s === undefined ? ` [skipped: ${messages.at(-1)?.replaceAll(/\s+/g, ' ')}]` : '';

const page = readFileSync(join(repository, 'docs/crds.md'), 'utf8');
/** The settings that the page recommends for cdk8s.yaml. */
const [, settings = ''] = /```yaml\n(language: typescript\nimports:\n[^`]*)```/.exec(page) ?? [];
const environment = { CDK8S_CHECK_UPGRADE: 'false' };

testWithCdk8s(
  `cdk8s import accepts both definitions of Tenantry as documented${reason}`,
  inProject({ 'cdk8s.yaml': settings }, async (project) => {
    const crds = join(project.folder, 'dist/clusters/eu1/crds');
    cpSync(join(repository, 'dist/clusters/fra1/crds'), crds, { recursive: true });
    const { code, out, err } = await project.run(cdk8s!, ['import'], environment);
    expect({ code, words: out + err }).toMatchObject({ code: 0 });
    const imported = project.tree('imports');
    expect(Object.keys(imported).toSorted()).toEqual([
      'tenant-tenantry.dev.ts',
      'tenantclass-tenantry.dev.ts',
    ]);
    expect(imported['tenant-tenantry.dev.ts']).toContain('export class Tenant extends ApiObject');
    expect(imported['tenantclass-tenantry.dev.ts']).toContain(
      'export class TenantClass extends ApiObject',
    );
  }),
);
