import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { readPage, readPages, root } from './pages.ts';

const execute = promisify(execFile);
/** The names that the package exports, and the sources behind them. */
const doors = Object.entries(
  (
    JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      exports: Record<string, string | { default: string }>;
    }
  ).exports,
).flatMap(([name, target]) =>
  typeof target === 'string'
    ? []
    : [{ name, source: join(root, target.default.replace(/^\.\/build\/(.*)\.js$/, '$1.ts')) }],
);
const minute = 60_000;

/** A block that is no program of its own is marked with `<!-- fragment -->`. */
const programs = readPages()
  .flatMap(({ blocks }) => blocks)
  .filter(({ language, hints }) => language === 'ts' && !hints.has('fragment'))
  .map((block, i) => ({ ...block, name: `program${i}` }));

let folder: string;

/** Each program in a folder of its own, with the platform and the class of docs/classes.md. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenantry-docs-'));
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, 'tenantry'), { recursive: true });
  for (const name of ['cdk8s', 'cdk8s-plus-28', 'constructs', '@types']) {
    await symlink(join(root, 'node_modules', name), join(modules, name), 'junction');
  }
  const exports: Record<string, string> = {};
  for (const [i, { name, source }] of doors.entries()) {
    exports[name] = `./door${i}.js`;
    const through = `export * from ${JSON.stringify(pathToFileURL(source).href)};\n`;
    await writeFile(join(modules, 'tenantry', `door${i}.js`), through);
  }
  const manifest = { name: 'tenantry', type: 'module', exports };
  await writeFile(join(modules, 'tenantry', 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n');
  const { blocks } = readPage(join('docs', 'classes.md'));
  const whole = (kind: string): string =>
    blocks.find(({ text }) => text.includes(`\nkind: ${kind}\n`))!.text;
  for (const { name, text } of programs) {
    await mkdir(join(folder, name, 'tenants', 'classes'), { recursive: true });
    await writeFile(join(folder, name, 'main.ts'), text);
    await writeFile(join(folder, name, 'tenantry.yaml'), whole('Platform'));
    await writeFile(
      join(folder, name, 'tenants', 'classes', 'standard.yaml'),
      whole('TenantClass'),
    );
  }
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function node(cwd: string, ...args: string[]): Promise<string> {
  try {
    return (await execute(process.execPath, args, { cwd })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

test(
  'the types of every program on the pages are right',
  async () => {
    const config = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        paths: Object.fromEntries(
          doors.map(({ name, source }) => [`tenantry${name.slice(1)}`, [source]]),
        ),
      },
      include: ['program*/main.ts'],
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    expect(await node(folder, tsc, '-p', 'tsconfig.json')).toBe('');
  },
  2 * minute,
);

test.each(programs)(
  'the program of $place runs and renders what it declares',
  async ({ name, text }) => {
    const cwd = join(folder, name);
    const said = await node(cwd, 'main.ts');
    if (!text.includes('.synth()')) return expect(said).not.toBe('');
    const out = /outdir: '(\w+)'/.exec(text)?.[1] ?? 'dist';
    expect(await readdir(join(cwd, out))).toContain('FILES');
  },
  minute,
);
