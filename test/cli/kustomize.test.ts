import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { buildKustomizations, type BuildLimits } from '../../cli/commands/bundle/kustomize.ts';

const { PATH } = process.env;
let bin: string;
beforeEach(() => {
  bin = mkdtempSync(join(tmpdir(), 'kustomize-'));
  process.env['PATH'] = [bin, PATH].join(delimiter);
});
afterEach(() => {
  process.env['PATH'] = PATH;
  rmSync(bin, { recursive: true, force: true });
});

/** Builds two folders with this script as kustomize. */
function build(script: string, limits?: BuildLimits) {
  const program = join(bin, 'kustomize');
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  const { built, findings } = buildKustomizations('project', ['a', 'b; c'], limits);
  return {
    built,
    findings: findings.map(({ severity, file, message }) => `${severity} ${file} ${message}`),
  };
}

const patient = 60_000;

test('each folder is built by itself, without a shell', () => {
  const { built, findings } = build('echo "$#: $@"');
  expect(findings).toEqual([]);
  expect(built).toEqual([
    { folder: 'a', text: `2: build ${join(process.cwd(), 'project', 'a')}\n` },
    { folder: 'b; c', text: `2: build ${join(process.cwd(), 'project', 'b; c')}\n` },
  ]);
});

test('a kustomize that may not be executed is passed over, as by a shell', () => {
  writeFileSync(join(bin, 'kustomize'), '#!/bin/sh\n', { mode: 0o644 });
  writeFileSync(join(bin, 'kubectl'), '#!/bin/sh\necho "kubectl $1"\n', { mode: 0o755 });
  const { built, findings } = buildKustomizations('project', ['a'], undefined);
  expect({ built, findings }).toEqual({
    built: [{ folder: 'a', text: 'kubectl kustomize\n' }],
    findings: [],
  });
});

test('a kustomization that takes too long is stopped and refused', () => {
  expect(build('while :; do :; done', { milliseconds: 50, bytes: 2 ** 20 })).toEqual({
    built: [],
    findings: ['a', 'b; c'].map(
      (folder) => `error ${folder} must be built in 0.05 s, got no result from kustomize`,
    ),
  });
});

test('a kustomization with too much output is refused', () => {
  expect(build('exec yes', { milliseconds: patient, bytes: 2 ** 20 })).toEqual({
    built: [],
    findings: ['a', 'b; c'].map((folder) => `error ${folder} must give at most 1 MiB, got more`),
  });
});

test('the error output of kustomize is an error on failure, and otherwise a warning', () => {
  expect(build('echo "# Warning: old" >&2').findings).toEqual([
    'warning a kustomize warns: Warning: old',
    'warning b; c kustomize warns: Warning: old',
  ]);
  const logged = 'E1127 22:33:03.878711   30674 run.go:72] "command failed" err="no such file"';
  expect(build(`echo '${logged}' >&2; exit 1`).findings[0]).toBe(
    'error a must be a kustomization that kustomize builds, got: "no such file"',
  );
});
