import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { commandLine, inProject, tenant } from './project.ts';

/** Returns arguments of Node that run a program before the command line. */
const first = (program: string): string[] => [
  '--import',
  `data:text/javascript,${encodeURIComponent(program)}`,
  commandLine,
];

test(
  'an older Node prints the required version',
  inProject({}, async (project) => {
    for (const [version, code] of [
      ['20.19.0', 1],
      ['22.17.1', 1],
      ['22.18.0', 0],
    ] as const) {
      const versions = `{ ...process.versions, node: '${version}' }`;
      const older = `Object.defineProperty(process, 'versions', { value: ${versions} });`;
      const ended = await project.run(process.execPath, [...first(older), '--version']);
      expect(ended.code).toBe(code);
      expect(ended.err).toBe(
        code === 0 ? '' : `error Node must be 22.18 or later, got ${version}\n`,
      );
    }
  }),
);

test(
  'the command keeps its compiled code for the next run',
  inProject({ 'kept/.keep': '' }, async (project) => {
    const environment = {
      TMPDIR: join(project.folder, 'kept'),
      NODE_COMPILE_CACHE: undefined,
      NODE_DISABLE_COMPILE_CACHE: undefined,
    };
    const { code } = await project.spawnTenantry(['--version'], environment);
    expect(code).toBe(0);
    const kept = readdirSync(join(project.folder, 'kept'), { recursive: true });
    expect(
      kept.filter((path) => String(path).startsWith('node-compile-cache')).length,
    ).toBeGreaterThan(10);
  }),
);

test(
  'a run that stops too early is an internal error',
  inProject(
    { 'cdk8s.yaml': 'app: exit 0\n', 'tenants/acme.yaml': tenant('acme') },
    async (project) => {
      const silent = `
        import children from 'node:child_process';
        import { EventEmitter } from 'node:events';
        import { syncBuiltinESMExports } from 'node:module';
        children.spawn = () => new EventEmitter();
        syncBuiltinESMExports();`;
      const { code, err } = await project.run(process.execPath, [...first(silent), 'check']);
      expect({ code, err }).toEqual({
        code: 2,
        err: 'error Tenantry stopped before it was done: internal error\n',
      });
    },
  ),
);
