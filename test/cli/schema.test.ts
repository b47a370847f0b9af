import { expect, test } from '@jest/globals';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { inProject, repository } from './project.ts';
import { YamlLanguageServer } from './yaml-language-server.ts';

interface Written {
  readonly files: readonly string[];
  readonly settings: object;
}

const broken = `apiVersion: tenantry.dev/v1alpha1
kind: Tenant
metadata:
  name: shop
spec:
  clasName: standard
  network:
    isolation: SameTenat
  quota:
    hard:
      pods: [3]
  
`;

const brokenClass = `apiVersion: tenantry.dev/v1alpha1
kind: TenantClass
metadata:
  name: standard
spec:
  exteds: base
`;

test(
  'yaml-language-server completes fields, and marks misspelled fields and wrong values',
  inProject({ 'tenants/shop.yaml': broken, 'tenants/class.yaml': brokenClass }, async (project) => {
    const { code, out } = await project.tenantry('schema --output json');
    expect(code).toBe(0);
    const { settings } = JSON.parse(out) as Written;
    const server = await YamlLanguageServer.start(project.folder, settings);
    try {
      const found = (await server.open('tenants/shop.yaml')).map(
        ({ message, range }) => `${range.start.line + 1} ${message}`,
      );
      expect(found.toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))).toEqual([
        expect.stringMatching(/^6 Property clasName is not allowed/),
        expect.stringMatching(/^8 .*SameTenant/),
        expect.stringMatching(/^11 /),
      ]);
      const inClass = await server.open('tenants/class.yaml');
      expect(inClass.map(({ message }) => message)).toEqual(['Property exteds is not allowed.']);
      const offered = await server.complete('tenants/shop.yaml', 11, 2);
      const labels = offered.map(({ label }) => label);
      expect(labels).toEqual(expect.arrayContaining(['className', 'access', 'namespaces']));
      expect(labels).not.toContain('network');
      const className = offered.find(({ label }) => label === 'className');
      expect(JSON.stringify(className)).toContain('The TenantClass.');
    } finally {
      server.stop();
    }
  }),
);

test(
  'yaml-language-server accepts every tenant, class and platform of this repository',
  inProject({}, async (project) => {
    for (const path of ['tenants', 'tenantry.yaml']) {
      cpSync(join(repository, path), join(project.folder, path), { recursive: true });
    }
    const { settings } = JSON.parse(
      (await project.tenantry('schema --output json')).out,
    ) as Written;
    const files = readdirSync(join(repository, 'tenants'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.yaml') && !name.split('/').includes('resources'))
      .map((name) => join('tenants', name));
    expect(files.length).toBeGreaterThan(20);
    const server = await YamlLanguageServer.start(project.folder, settings);
    try {
      for (const file of [...files, 'tenantry.yaml']) {
        const marked = await server.open(file);
        expect([
          file,
          marked.map(({ message, range }) => `${range.start.line + 1} ${message}`),
        ]).toEqual([file, []]);
      }
    } finally {
      server.stop();
    }
  }),
);

test(
  'schemas are written to their own folder, and settings of users stay as they are',
  inProject({ '.vscode/settings.json': '{}' }, async (project) => {
    const { code, out } = await project.tenantry('schema --out editor');
    expect(code).toBe(0);
    expect(Object.keys(project.tree()).toSorted()).toEqual([
      '.vscode/',
      '.vscode/settings.json',
      'editor/',
      'editor/platform.schema.json',
      'editor/tenant.schema.json',
      'editor/tenantclass.schema.json',
      'editor/tenants.schema.json',
    ]);
    expect(project.tree()['.vscode/settings.json']).toBe('{}');
    expect(out).toContain('"./editor/tenants.schema.json"');
    const schemas = ['editor/tenant.schema.json', 'editor/tenantclass.schema.json'];
    for (const file of schemas) expect(project.tree()[file]).not.toContain('"x-kubernetes-');
    const refused = await project.tenantry('schema --out .vscode/settings.json');
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain('--out must be a folder that can be written to');
  }),
);
