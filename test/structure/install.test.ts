import { expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { root } from './tracked.ts';

const lock = '{ "packages": { "": {} } }';
/** A stand-in for npm that records each call and waits for permission to continue. */
const npm = `#!/bin/sh
echo called >> calls
until [ -e go-on ]; do sleep 0.1; done
mkdir -p node_modules
cp package-lock.json node_modules/.package-lock.json
`;

/** Makes a checkout without installed packages, with the files that the start of a command reads. */
function checkout(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-install-'));
  mkdirSync(join(folder, 'bin'));
  mkdirSync(join(folder, 'scripts'));
  cpSync(join(root, 'scripts', 'run.js'), join(folder, 'scripts', 'run.js'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'package-lock.json'), lock);
  writeFileSync(join(folder, 'bin', 'npm'), npm);
  chmodSync(join(folder, 'bin', 'npm'), 0o755);
  return folder;
}

const letNpmContinue = (folder: string): void => writeFileSync(join(folder, 'go-on'), '');

/** Runs a command; `onStderr` receives its stderr so far. */
function run(
  folder: string,
  onStderr: (err: string) => void = () => {},
): Promise<{ code: number | null; err: string }> {
  const PATH = join(folder, 'bin') + delimiter + process.env['PATH'];
  const args = [join(folder, 'scripts', 'run.js'), '--version'];
  const child = spawn(process.execPath, args, { cwd: folder, env: { ...process.env, PATH } });
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => onStderr((err += text)));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, err })));
}

const calls = (folder: string): number =>
  existsSync(join(folder, 'node_modules'))
    ? readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n').length
    : 0;

test('of two concurrent commands one installs the packages and the other waits', async () => {
  const folder = checkout();
  try {
    const waits = (err: string): boolean => err.includes('another command installs');
    const onStderr = (err: string): void => {
      if (waits(err)) letNpmContinue(folder);
    };
    const both = await Promise.all([run(folder, onStderr), run(folder, onStderr)]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(calls(folder)).toBe(1);
    expect(both.filter(({ err }) => waits(err))).toHaveLength(1);
    expect(existsSync(join(folder, '.installing'))).toBe(false);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a command that was killed during an installation does not block others', async () => {
  const folder = checkout();
  try {
    const exited = spawn(process.execPath, ['-e', '']);
    await new Promise((resolve) => exited.on('close', resolve));
    writeFileSync(join(folder, '.installing'), String(exited.pid));
    letNpmContinue(folder);
    expect((await run(folder)).code).toBe(0);
    expect(calls(folder)).toBe(1);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
