import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { inProject, tenant, type Project } from './project.ts';

const folder = 'clusters/in-cluster/tenants';

/** Returns every file with its times, so that a write of the same bytes is detected too. */
function state(project: Project): unknown {
  const tree = project.tree();
  const times = Object.keys(tree).map(
    (path) => lstatSync(join(project.folder, path), { bigint: true }).mtimeNs,
  );
  return [tree, times, lstatSync(project.folder, { bigint: true }).mtimeNs];
}

test(
  'check accepts the output of synth, and writes nothing to the project',
  inProject({ 'tenants/acme.yaml': tenant('acme') }, async (project) => {
    await project.tenantry('synth');
    const before = state(project);
    const { code, out, err } = await project.tenantry('check');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(
      /^1 tenant, 1 namespace, 72 objects: valid, and dist is up to date \(\d+\.\d s\)\nNothing is removed from dist without being retired or allowed\. There is no commit to compare with\.\n$/,
    );
    expect(await project.tenantry('check --quiet')).toEqual({ code: 0, out: '', err: '' });
    expect(state(project)).toEqual(before);
  }),
);

test(
  'check lists the exceptions, as text and as JSON',
  inProject(
    {
      'tenantry.yaml':
        'apiVersion: tenantry.dev/v1alpha1\nkind: Platform\nmetadata: {name: p}\nspec: {defaultClass: strict}\n',
      'tenants/classes/strict.yaml': [
        'apiVersion: tenantry.dev/v1alpha1',
        'kind: TenantClass',
        'metadata: { name: strict }',
        'spec:',
        '  ceilings: { quota: { pods: 50 } }',
        '  exceptions:',
        '    - tenants: [acme]',
        '      reason: End of year (PLAT-1)',
        '      ceilings: { quota: { pods: 810 } }',
        '      allow:',
        '        resources: [{ group: discovery.k8s.io, kind: EndpointSlice }]',
        '',
      ].join('\n'),
      'tenants/acme.yaml': tenant('acme', { quota: { preset: 'none', hard: { pods: 800 } } }),
    },
    async (project) => {
      await project.tenantry('synth');
      const { code, out, err } = await project.tenantry('check');
      expect(code).toBe(0);
      const file = 'tenants/classes/strict.yaml';
      expect(out.split('\n').slice(0, 3)).toEqual([
        '2 exceptions:',
        `  ${file}:9:34 spec.exceptions[0].ceilings.quota.pods 810 for acme: End of year (PLAT-1)`,
        `  ${file}:11:21 spec.exceptions[0].allow.resources[0] group 'discovery.k8s.io', kind 'EndpointSlice' for acme: End of year (PLAT-1)`,
      ]);
      expect(err).toBe(
        `warning ${file}:11:21 spec.exceptions[0].allow.resources[0] must be of use to a tenant, got something without which nothing is different (exception-unused)\n`,
      );
      const json = await project.tenantry('check --output json');
      const { exceptions } = JSON.parse(json.out) as { exceptions: unknown[] };
      expect(exceptions[0]).toEqual({
        tenant: 'acme',
        what: '810',
        file,
        line: 9,
        column: 34,
        path: 'spec.exceptions[0].ceilings.quota.pods',
        reason: 'End of year (PLAT-1)',
      });
    },
  ),
);

test(
  'check names files that were edited, are missing, are left over or are not rendered yet',
  inProject(
    { 'tenants/acme.yaml': tenant('acme'), 'tenants/shop.yaml': tenant('shop') },
    async (project) => {
      await project.tenantry('synth');
      const edited = `dist/${folder}/acme/namespace-acme.yaml`;
      const text = project.tree()[edited]!;
      project.write({ [edited]: text.replace('baseline', 'privileged') });
      const before = state(project);
      const one = await project.tenantry('check');
      expect(one).toMatchObject({ code: 1, out: '' });
      expect(one.err).toContain('error dist must be what is declared, got 1 file that is not:\n');
      expect(one.err).toContain(`  differs  ${edited}\n`);
      expect(state(project)).toEqual(before);

      project.write({
        [edited]: text,
        'tenants/shop.yaml': tenant('shop', { namespaces: [{ name: 'shop' }, { name: 'new' }] }),
      });
      project.remove('dist/README.md', 'tenants/acme.yaml');
      const many = await project.tenantry('check --allow-removal acme');
      expect(many.code).toBe(1);
      expect(many.err.split('\n').filter((line) => line.startsWith('  '))).toEqual([
        '  missing  dist/README.md',
        `  missing  dist/${folder}/shop/namespace-new.yaml`,
        `  missing  dist/${folder}/shop/rbac/namespace-new.yaml`,
        `  missing  dist/${folder}/shop/resources/namespace-new.yaml`,
        `  differs  dist/${folder}/shop/namespace-shop.yaml`,
        `  differs  dist/${folder}/shop/tenant.yaml`,
        `  left over  dist/${folder}/acme/namespace-acme.yaml`,
        `  left over  dist/${folder}/acme/rbac/namespace-acme.yaml`,
        `  left over  dist/${folder}/acme/resources/namespace-acme.yaml`,
        `  left over  dist/${folder}/acme/tenant.yaml`,
      ]);
      const json = await project.tenantry('check --output json --allow-removal acme');
      expect({ code: json.code, err: json.err }).toEqual({ code: 1, err: '' });
      expect(JSON.parse(json.out)).toMatchObject({
        command: 'check',
        outcome: 'refused',
        files: {
          added: [
            'README.md',
            ...['', 'rbac/', 'resources/'].map(
              (part) => `${folder}/shop/${part}namespace-new.yaml`,
            ),
          ],
        },
        problems: [],
      });
      await project.tenantry('synth');
      expect((await project.tenantry('check')).code).toBe(0);
    },
  ),
);

test(
  'a project that was never rendered is not up to date',
  inProject({ 'tenants/acme.yaml': tenant('acme') }, async (project) => {
    const before = state(project);
    const { code, err } = await project.tenantry('check');
    expect(code).toBe(1);
    expect(err).toContain(
      'got 24 files that are not:\n  missing  dist/.gitattributes\n  missing  dist/README.md\n',
    );
    expect(state(project)).toEqual(before);
  }),
);

test(
  'check and synth name unexpected files: the first fifty, and in JSON all of them',
  inProject({ 'tenants/acme.yaml': tenant('acme') }, async (project) => {
    await project.tenantry('synth');
    const paths = Array.from({ length: 51 }, (_, i) => `${folder}/x/${100 + i}.yaml`);
    project.write(Object.fromEntries(paths.map((path) => [`dist/${path}`, 'x'])));
    const advice =
      "Remove files that Tenantry did not render; the platform's own manifests belong in a folder beside dist, such as manifests.";
    for (const [words, must] of [
      ['check', 'error dist must be what is declared, got 51 files that are not:'],
      [
        'synth',
        'error dist was written, and must hold nothing else where it is rendered, got 51 files that nobody rendered:',
      ],
    ] as const) {
      const { code, err } = await project.tenantry(words);
      const lines = err.split('\n');
      expect([code, lines[0], lines[50], lines[51]]).toEqual([
        1,
        must,
        `  not rendered  dist/${folder}/x/149.yaml`,
        '  and 1 more',
      ]);
      expect(lines.slice(52)).toEqual([advice, '']);
      const json = await project.tenantry(`${words} --output json`);
      expect(json).toMatchObject({ code: 1, err: '' });
      const report = JSON.parse(json.out) as object;
      expect(report).toMatchObject({
        outcome: 'refused',
        problems: [],
        files: { unexpected: paths },
      });
      expect('written' in report).toBe(words === 'synth');
    }
  }),
);

test(
  'a foreign file at the top of the output does not concern check',
  inProject({ 'tenants/acme.yaml': tenant('acme') }, async (project) => {
    await project.tenantry('synth');
    project.write({ 'dist/kustomization.yaml': 'mine' });
    expect((await project.tenantry('check')).code).toBe(0);
  }),
);
