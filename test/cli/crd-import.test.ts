import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chmodSync, lstatSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { crd } from '../crds/import/project.ts';
import { commandLine, inProject, type Ended, type Project } from './project.ts';

const object = { type: 'object' };
const spec = (type: string): object => ({
  type: 'object',
  properties: { spec: { type: 'object', properties: { size: { type } } } },
});
const boxes = JSON.stringify(crd(spec('string')));
const cases = JSON.stringify(crd(spec('integer'), { names: { kind: 'Case', plural: 'cases' } }));
const pens = JSON.stringify(
  crd(object, { group: 'other.org', names: { kind: 'Pen', plural: 'pens' } }),
);
const service = '{"apiVersion":"v1","kind":"Service","metadata":{"name":"hook"}}';

const box = 'imports/example.com/boxes.ts';

test(
  'a file becomes a module, and a second run changes nothing',
  inProject({ 'crd.yaml': `${boxes}\n---\n${service}\n` }, async (project) => {
    const first = await project.tenantry('crd import crd.yaml');
    expect(first).toEqual({
      code: 0,
      err: '',
      out: expect.stringMatching(
        /^1 definition in imports \(\d+\.\d s\)\n1 object of other kinds skipped\n1 file written, 0 unchanged\n {2}\+ example\.com\/boxes\.ts\n$/,
      ),
    });
    const text = project.tree()[box]!;
    expect(text).toMatch(
      /^\/\/ boxes\.example\.com, imported by Tenantry\. .*\n\/\/ {5}tenantry crd import crd\.yaml\n/,
    );
    const { mtimeNs } = lstatSync(join(project.folder, box), { bigint: true });
    const second = await project.tenantry('crd import crd.yaml');
    expect(second.out).toContain('0 files written, 1 unchanged\n');
    expect(lstatSync(join(project.folder, box), { bigint: true }).mtimeNs).toBe(mtimeNs);
    expect(await project.tenantry('crd import crd.yaml --check --quiet')).toEqual({
      code: 0,
      out: '',
      err: '',
    });
  }),
);

test(
  'a folder is read recursively, apart from other objects and foreign files',
  inProject(
    {
      'crds/a/boxes.yaml': boxes,
      'crds/cases.json': cases,
      'crds/values.yaml': '{{ not: yaml',
      'crds/kustomization.yaml': 'patches: [{ target: { kind: CustomResourceDefinition } }]',
      'crds/README.md': 'CustomResourceDefinition',
      'crds/node_modules/x/crd.yaml': boxes.replace('Box', 'Other'),
    },
    async (project) => {
      const { code, err } = await project.tenantry('crd import crds --out src/types');
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(Object.keys(project.tree('src/types'))).toEqual([
        'OWNED/',
        'OWNED/example.com+boxes.ts.owned',
        'OWNED/example.com+cases.ts.owned',
        'example.com/',
        'example.com/boxes.ts',
        'example.com/cases.ts',
      ]);
    },
  ),
);

test(
  'an import keeps the files of other imports, and --only selects a group or a definition',
  inProject({ 'a.yaml': `${boxes}\n---\n${cases}`, 'b.yaml': pens }, async (project) => {
    await project.tenantry('crd import a.yaml');
    await project.tenantry('crd import b.yaml');
    expect(Object.keys(project.tree('imports')).filter((path) => path.endsWith('.ts'))).toEqual([
      'example.com/boxes.ts',
      'example.com/cases.ts',
      'other.org/pens.ts',
    ]);
    const only = ['crd', 'import', 'a.yaml', 'b.yaml', '--only', 'other.org'];
    await project.tenantry([...only, '--only', 'cases.example.com', '--out', 'some']);
    expect(Object.keys(project.tree('some')).filter((path) => path.endsWith('.ts'))).toEqual([
      'example.com/cases.ts',
      'other.org/pens.ts',
    ]);
    expect(await project.tenantry('crd import a.yaml --only example.org')).toEqual({
      code: 1,
      out: '',
      err: "error --only must be a group or a definition that was found, got 'example.org'; did you mean 'example.com'?\n",
    });
  }),
);

test(
  'after one bad definition nothing is written, and every problem is reported',
  inProject(
    {
      'good.yaml': boxes,
      'bad.yaml': cases.replace('Namespaced', 'Everywhere'),
      'old.yaml': pens.replace('io/v1', 'io/v1beta1'),
    },
    async (project) => {
      const before = project.tree();
      const { code, out, err } = await project.tenantry(
        'crd import good.yaml bad.yaml old.yaml no',
      );
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err.split('\n')).toEqual([
        expect.stringMatching(/^error bad\.yaml:1:\d+ spec\.scope must be one of Cluster, Name/),
        'error no must be a file, a folder, a URL, cluster, or - for standard input',
        expect.stringMatching(/^error old\.yaml:1:\d+ apiVersion must be 'apiextensions\.k8s\.io/),
        '',
        '3 problems; imports is as it was',
        '',
      ]);
      expect(project.tree()).toEqual(before);
      const json = await project.tenantry('crd import good.yaml bad.yaml --output json');
      expect({ code: json.code, err: json.err }).toEqual({ code: 1, err: '' });
      expect(JSON.parse(json.out)).toMatchObject({
        command: 'crd import',
        outcome: 'refused',
        problems: [{ file: 'bad.yaml', path: 'spec.scope', rule: 'shape' }],
      });
    },
  ),
);

test(
  'with --keep-going all other definitions are written, every problem is reported, and the exit code stays',
  inProject(
    {
      'crds/good.yaml': boxes,
      'crds/bad.yaml': cases.replace('Namespaced', 'Everywhere'),
      'crds/deep/broken.yaml': 'kind: CustomResourceDefinition\n  a: [',
      'crds/pens.yaml': pens,
    },
    async (project) => {
      const latin = Buffer.from([0x22, 0xe9, 0x22]);
      writeFileSync(join(project.folder, 'crds/latin.json'), latin);
      const none = await project.tenantry('crd import crds');
      expect(none).toMatchObject({ code: 1, out: '' });
      expect(none.err).toMatch(
        /^error crds\/bad\.yaml:1:\d+ spec\.scope must .*\nerror crds\/deep\/broken\.yaml:2:\d+ .*\nerror crds\/latin\.json must be text in UTF-8, got the byte 0xE9, which is 'é' in Latin-1: save the file as UTF-8\n\n3 problems; imports is as it was\n$/,
      );
      expect(project.tree()[box]).toBeUndefined();
      const { code, out, err } = await project.tenantry('crd import crds --keep-going');
      expect({ code, out }).toEqual({
        code: 1,
        out: expect.stringMatching(/^2 definitions in imports .*\n2 files written, 0 unchanged\n/),
      });
      expect(err).toBe(none.err.replace('imports is as it was', '2 other definitions imported'));
      expect(Object.keys(project.tree('imports')).filter((path) => path.endsWith('.ts'))).toEqual([
        'example.com/boxes.ts',
        'other.org/pens.ts',
      ]);
      const json = await project.tenantry('crd import crds --keep-going --check --output json');
      expect({ code: json.code, report: JSON.parse(json.out) }).toEqual({
        code: 1,
        report: expect.objectContaining({
          outcome: 'refused',
          definitions: 2,
          problems: [expect.anything(), expect.anything(), expect.anything()],
          files: expect.objectContaining({ added: [], unchanged: 2 }),
        }),
      });
      const all = await project.tenantry('crd import crds/bad.yaml --keep-going --out none');
      expect(all).toMatchObject({ code: 1, out: '' });
      expect(all.err).toMatch(/\n1 problem; none is as it was\n$/);
    },
  ),
);

test(
  'a definition in a folder is found however YAML spells its kind',
  inProject(
    {
      'crds/boxes.yaml': boxes.replace('CustomResource', String.raw`Custom\u0052esource`),
      'crds/chart.yaml': String.raw`{{ print "\x41" }}`,
      'crds/service.json': service.replace('hook', String.raw`\u0068ook`),
    },
    async (project) => {
      const { code, out, err } = await project.tenantry('crd import crds');
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toMatch(/^1 definition in imports/);
      const scope = cases.replace('CustomResourceD', String.raw`CustomResource\x44`);
      project.write({ 'crds/cases.yaml': scope.replace('Namespaced', 'Everywhere') });
      expect((await project.tenantry('crd import crds')).err).toContain('cases.yaml:1:');
    },
  ),
);

test(
  'a fallback type is a warning, and --output json has all of them',
  inProject(
    { 'crd.yaml': JSON.stringify(crd({ type: 'object', properties: { spec: {} } })) },
    async (project) => {
      const { code, err } = await project.tenantry('crd import crd.yaml');
      expect(code).toBe(0);
      expect(err).toMatch(
        /^warning crd\.yaml:1:\d+ \S+\.properties\.spec\.type must be .*\(the API server would refuse it\)\nwarning crd\.yaml:1:\d+ \S+\.properties\.spec is imported as unknown, because the schema names no type\n$/,
      );
      const json = await project.tenantry('crd import crd.yaml --output json');
      expect(JSON.parse(json.out)).toMatchObject({
        outcome: 'done',
        definitions: 1,
        files: { added: [], changed: [], unchanged: 1 },
        warnings: [{}, { rule: 'import-fallback' }],
      });
    },
  ),
);

test(
  '--check reports files that were edited or are missing, and writes nothing',
  inProject({ 'crd.yaml': `${boxes}\n---\n${cases}` }, async (project) => {
    const none = await project.tenantry('crd import crd.yaml --check');
    expect(none.code).toBe(1);
    expect(none.err).toContain('  missing  imports/example.com/boxes.ts\n');
    await project.tenantry('crd import crd.yaml');
    project.write({ [box]: `${project.tree()[box]}// edited\n` });
    project.remove('imports/example.com/cases.ts');
    const before = project.tree();
    expect(await project.tenantry('crd import crd.yaml --check')).toEqual({
      code: 1,
      out: '',
      err: 'error imports must be what is imported, got 2 files that are not:\n  missing  imports/example.com/cases.ts\n  differs  imports/example.com/boxes.ts\nRun the same without --check and commit the result.\n',
    });
    expect(project.tree()).toEqual(before);
  }),
);

test(
  'a file that Tenantry did not write is not overwritten',
  inProject({ 'crd.yaml': boxes, [box]: 'mine' }, async (project) => {
    const { code, err } = await project.tenantry('crd import crd.yaml');
    expect(code).toBe(1);
    expect(err).toMatch(
      /must be new or marked in OWNED, got a file of someone else: example\.com\/boxes\.ts/,
    );
    expect(project.tree()[box]).toBe('mine');
  }),
);

test(
  'standard input is read to its end',
  inProject({ 'crd.yaml': boxes }, async (project) => {
    const script = `"$0" "$1" crd import - < crd.yaml && "$0" "$1" crd import - --check < /dev/null`;
    const { code, out, err } = await shell(project, script);
    expect({ code, out }).toEqual({
      code: 1,
      out: expect.stringMatching(/^1 definition in imports/),
    });
    expect(err).toContain(
      'error standard input must hold a CustomResourceDefinition, got nothing\n',
    );
  }),
);

function shell(project: Project, script: string): Promise<Ended> {
  return project.run('sh', ['-c', script, process.execPath, commandLine]);
}

/** Runs a server on this machine while the body runs. The body gets its address without a path. */
async function serving(answer: RequestListener, body: (address: string) => Promise<void>) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await body(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test(
  'a URL is downloaded, and its query, which may hold tokens, is never printed',
  inProject({}, async (project) => {
    const answer: RequestListener = (request, response) => {
      if (request.url === '/moved?token=secret') response.writeHead(302, { location: '/crd.yaml' });
      else if (request.url === '/crd.yaml') response.write(boxes);
      else if (request.url === '/page') {
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      } else if (request.url === '/loop') response.writeHead(302, { location: '/loop' });
      else if (request.url === '/away') response.writeHead(302, { location: 'http://192.0.2.1/' });
      else response.writeHead(404);
      response.end();
    };
    await serving(answer, async (address) => {
      const found = await project.tenantry(`crd import ${address}/moved?token=secret`);
      expect({ code: found.code, err: found.err }).toEqual({ code: 0, err: '' });
      expect(project.tree()[box]).toContain(`//     tenantry crd import ${address}/moved\n`);
      const wrong = ['gone?token=secret', 'page', 'loop', 'away'].map(
        (path) => `${address}/${path}`,
      );
      const userinfo = address.replace('//', '//user:secret@');
      const { code, out, err } = await project.tenantry(
        ['crd', 'import', ...wrong, userinfo].concat('http://example.com/crd.yaml', 'ftp://a/b'),
      );
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).not.toContain('secret');
      const errors = err.replaceAll(address, 'URL').split('\n').slice(0, 7).toSorted();
      expect(errors).toEqual([
        'error URL/ must have no user and password in it; download it yourself',
        'error URL/away must be https, got http://192.0.2.1',
        'error URL/gone must answer with status 200, got 404',
        'error URL/loop must answer after at most 5 redirects, got more',
        'error URL/page must be YAML or JSON, got a web page; take the address of the raw file',
        'error ftp://a/b must be https, got ftp://a',
        'error http://example.com/crd.yaml must be https, got http://example.com',
      ]);
    });
  }),
);

test(
  'the cluster is read through kubectl without a shell, and a missing or failing kubectl is reported',
  inProject(
    { 'list.json': `{"kind":"List","apiVersion":"v1","items":[${boxes}]}` },
    async (project) => {
      const nowhere = { PATH: dirname(process.execPath) };
      const missing = await project.tenantry('crd import cluster', nowhere);
      expect(missing).toMatchObject({
        code: 1,
        err: 'error cluster is read by kubectl, which must be on the PATH\n\n1 problem; imports is as it was\n',
      });
      const bin = join(project.folder, 'kubectl');
      const PATH = [project.folder, process.env['PATH']].join(delimiter);
      const writeKubectl = (script: string): void => {
        writeFileSync(bin, `#!/bin/sh\n${script}\n`);
        chmodSync(bin, 0o755);
      };
      writeKubectl('echo "$@" > asked\ncat list.json');
      const context = 'a b; rm -rf *';
      const asked = await project.tenantry(['crd', 'import', 'cluster', '--context', context], {
        PATH,
      });
      expect(asked.code).toBe(0);
      expect(project.tree()['asked']).toBe(
        `get customresourcedefinitions.apiextensions.k8s.io --output=json --request-timeout=60s --context=${context}\n`,
      );
      expect(project.tree()[box]).toContain('//     tenantry crd import cluster\n');
      writeKubectl('echo "E1121 noise" >&2\necho "error: context is not there" >&2\nexit 1');
      expect((await project.tenantry('crd import cluster', { PATH })).err).toBe(
        'error cluster must answer kubectl, got exit code 1: error: context is not there\n\n1 problem; imports is as it was\n',
      );
    },
  ),
);

test.each([
  ['crd import', "missing required argument 'source'"],
  ['crd import - -', 'one source may be standard input, got - twice'],
  ['crd import a --context b', '--context is for the source cluster'],
  ['crd import a --outt b', "unknown option '--outt'"],
])('the mistake in %s is reported', (words, message) =>
  inProject({}, async (project) => {
    const { code, out, err } = await project.tenantry(words);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(message);
  })(),
);
