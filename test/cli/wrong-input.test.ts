import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { commandLine, inProject, tenant, type Ended, type Project } from './project.ts';

/** Both commands refuse with the same message, without a stack, and nothing in the folder changes. */
async function refused(project: Project, words = ''): Promise<string> {
  const before = project.tree();
  const [synth, check] = await Promise.all(
    ['synth', 'check'].map((command) => project.tenantry(`${command} ${words}`)),
  );
  expect(synth).toMatchObject({ code: 1, out: '' });
  expect(check).toEqual(synth);
  expect(synth!.err).not.toContain('    at ');
  expect(project.tree()).toEqual(before);
  return synth!.err;
}

const spec = (yaml: string): string =>
  `${tenant('acme')}spec:\n  ${yaml.replaceAll('\n', '\n  ')}\n`;

test(
  'all problems of all files are reported at once, each with its place',
  inProject({ 'tenants/good.yaml': tenant('good') }, async (project) => {
    await project.tenantry('synth');
    project.write({
      'tenants/a.yaml': `${spec('quota:\n  hard:\n    pods: many')}---\n${tenant('good')}`,
      'tenants/b.yaml': `${tenant('Upper_Case')}---\n- x\n---\nkind: Tenat\n`,
      'tenants/c/d.yml': `apiVersion: tenantry.dev/v1beta1\nkind: Tenant\nmetadata: {name: x}\n`,
      'tenants/e.yaml': 'kind: Tenant\n  metadata: x\n',
      'tenants/f.yaml': spec('clas: standard').replace('acme', 'f'),
      'tenants/g.yaml': tenant('g', { className: 'defalt', namespaces: [{ name: 'good' }] }),
      'tenants/h.yaml': tenant('h', { namespaces: [{ name: 'kube-system' }] }),
      'tenants/k.yaml': tenant('k', { resources: [{ file: 'resources/none.yaml' }] }),
      'tenants/l.yaml': `${tenant('l')}metadata:\n  name: m\n`,
    });
    const lines = (await refused(project)).split('\n');
    const places = [
      /^error tenants\/a\.yaml:8:13 spec\.quota\.hard\.pods must be .*, got 'many' \(schema\)$/,
      /^error tenants\/b\.yaml:4:9 metadata\.name must be .*, got 'Upper_Case' \(schema\)$/,
      /^error tenants\/b\.yaml:6:1 must be a Tenant .*, got a list \(kind\)$/,
      /^error tenants\/b\.yaml:8:7 kind must be a Tenant .*, got kind 'Tenat' \(kind\)$/,
      /^error tenants\/c\/d\.yml:1:13 apiVersion must be 'tenantry.dev\/v1alpha1', got 'tenantry.dev\/v1beta1' \(kind\)$/,
      /^error tenants\/e\.yaml:2:\d+ must be YAML: .* \(yaml\)$/,
      /^error tenants\/f\.yaml:6:3 spec\.clas must be .*className.* \(schema\)$/,
      /^error tenants\/g\.yaml:5:\d+ spec\.className must be a declared TenantClass .*, got 'defalt'; did you mean 'default'\? \(class\)$/,
      /^error tenants\/g\.yaml:5:\d+ spec\.namespaces\[0\]\.name must be a namespace of one tenant only, got 'good'.* \(duplicate-namespace\)$/,
      /^error tenants\/h\.yaml:5:\d+ spec\.namespaces\[0\]\.name must .*, got 'kube-system'.* \(protected-namespace\)$/,
      /^error tenants\/k\.yaml:5:\d+ spec\.resources\[0\]\.file must be a file that can be read, got 'resources\/none.yaml'.* \(file\)$/,
      /^error tenants\/l\.yaml:5:1 must be a key of its own, got 'metadata' again \(yaml\)$/,
      /^error tenants\/good\.yaml:4:9 metadata\.name must be .* 'good', which .* \(duplicate-tenant\)$/,
    ];
    for (const place of places) expect(lines).toContainEqual(expect.stringMatching(place));
    const errors = lines.filter((line) => line.startsWith('error '));
    expect(errors.filter((line) => !places.some((place) => place.test(line)))).toEqual([]);
    expect(lines).toContain(`${errors.length} problems; dist is as it was`);
  }),
);

test(
  'a tenants folder or platform file of the wrong type is reported',
  inProject({ 'tenants/acme.yaml': tenant('acme'), 'file.yaml': 'x: y' }, async (project) => {
    const none = 'got nothing: create it, or name another with --tenants';
    expect(await refused(project, '--tenants gone')).toContain(
      `error gone must be a folder of tenants, ${none} (file)\n`,
    );
    expect(await refused(project, '--tenants file.yaml')).toContain(
      'error file.yaml must be a folder of tenants, got a file: ',
    );
    expect(await refused(project, '--platform gone.yaml')).toContain(
      'error gone.yaml must be a file with a Platform, got nothing (file)\n',
    );
    expect(await refused(project, '--platform tenants')).toContain(
      'error tenants must be a file with a Platform, got a folder (file)\n',
    );
    expect(await refused(project, '--out file.yaml')).toMatch(
      /^error the output .*file\.yaml must be a folder, got a file \(output\)\n/,
    );
  }),
);

test(
  'a broken platform is reported together with mistakes in the tenants themselves',
  inProject({ 'tenants/acme.yaml': spec('quota: 3') }, async (project) => {
    const kind = 'apiVersion: tenantry.dev/v1alpha1\nkind: Platform\nmetadata: {name: p}\n';
    const cases: [string, RegExp][] = [
      [
        `${kind}spec: {clusters: []}\n`,
        /^error tenantry\.yaml:4:\d+ spec\.clusters must .* \(schema\)$/m,
      ],
      [`${kind}spec: [`, /^error tenantry\.yaml:\d+:\d+ must be YAML: .* \(yaml\)$/m],
      ['', /^error tenantry\.yaml must hold a Platform, got no document \(platform\)$/m],
      [
        `${kind}---\n${kind}`,
        /^error tenantry\.yaml:5:1 must be the only Platform in the file.* \(platform\)$/m,
      ],
      [
        tenant('x'),
        /^error tenantry\.yaml:2:7 kind must be a Platform .*got kind 'Tenant' \(kind\)$/m,
      ],
      [
        `${kind}spec:\n  clusters: [{name: eu1}]\n  defaultClusters: [us1]\n`,
        /^error tenantry\.yaml:6:\d+ spec\.defaultClusters\[0\] must be one of the clusters \(eu1\), got 'us1' \(cluster\)$/m,
      ],
      [
        `${kind}spec:\n  crdFiles: [none]\n`,
        /^error tenantry\.yaml:5:\d+ spec\.crdFiles\[0\] must be a file or folder of .*, got 'none'.* \(file\)$/m,
      ],
    ];
    for (const [text, place] of cases) {
      project.write({ 'tenantry.yaml': text });
      const err = await refused(project);
      expect(err).toMatch(place);
      expect(err).toMatch(
        /^error tenants\/acme\.yaml:6:10 spec\.quota must be .*, got 3; such as \{ preset: a \} \(schema\)$/m,
      );
    }
  }),
);

test(
  'a missing included file is refused, also when the tenant is remembered',
  inProject(
    {
      'tenants/acme.yaml': spec('resources:\n  - file: resources/map.yaml'),
      'tenants/resources/map.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\n',
    },
    async (project) => {
      expect(await project.tenantry('synth')).toMatchObject({ code: 0, err: '' });
      project.remove('tenants/resources/map.yaml');
      expect(await refused(project)).toMatch(
        /^error tenants\/acme\.yaml:7:13 spec\.resources\[0\]\.file must be a file that can be read.* \(file\)$/m,
      );
    },
  ),
);

test(
  'a link is reported together with the other problems',
  inProject({ 'tenants/acme.yaml': spec('quota: 3') }, async (project) => {
    symlinkSync('nowhere', join(project.folder, 'tenants/b.yaml'));
    const err = await refused(project);
    expect(err).toMatch(
      /^error tenants\/b\.yaml must be a file or a folder, got a symbolic link \(file\)$/m,
    );
    expect(err).toMatch(/^error tenants\/acme\.yaml:6:10 spec\.quota must .* \(schema\)$/m);
  }),
);

/** Root may read everything, so another user runs the command. */
const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
const asNobody = (project: Project, command: string): Ended => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [commandLine, command], {
    cwd: project.folder,
    env: { TENANTRY_CACHE: 'off' },
    encoding: 'utf8',
    ...(isRoot && { uid: nobody, gid: nobody }),
  });
  return { code: status, out: stdout, err: stderr };
};

test(
  'a file without permission is refused with the reason',
  inProject({ 'tenants/acme.yaml': tenant('acme') }, (project) => {
    const { folder } = project;
    mkdirSync(join(folder, 'tenants/closed'));
    chmodSync(join(folder, 'tenants/closed'), 0);
    chmodSync(join(folder, '..'), 0o755);
    if (isRoot) chownSync(folder, nobody, nobody);
    const unread = asNobody(project, 'synth');
    expect(unread).toMatchObject({ code: 1, out: '' });
    expect(unread.err).toMatch(/^error tenants\/closed must be readable, got EACCES.* \(file\)$/m);
    chmodSync(join(folder, 'tenants/closed'), 0o755);
    chmodSync(folder, 0o555);
    const unwritten = asNobody(project, 'synth');
    expect(unwritten).toMatchObject({ code: 1, out: '' });
    expect(unwritten.err).toMatch(/^error .*dist could not be written .*EACCES.* \(output\)\n/);
    chmodSync(folder, 0o755);
  }),
);
