import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { testUnless } from '../skipping.ts';
import { commandScript } from './command-client.ts';
import { inProject, platform, tenant, type Project } from './project.ts';

const files = {
  'tenantry.yaml': platform({ clusters: [{ name: 'eu1' }] }),
  'tenants/shop.yaml': tenant('shop'),
  'tenants/ship.yaml': tenant('ship'),
  'tenants/broken.yaml': 'kind: [',
  'elsewhere/bank.yaml': tenant('bank'),
};

/** Runs a script in a shell, with `tenantry` on its path. */
function runShell(project: Project, program: string, args: readonly string[]): string {
  project.write({ '.bin/tenantry': commandScript() });
  chmodSync(join(project.folder, '.bin/tenantry'), 0o755);
  const env = {
    ...process.env,
    PATH: [join(project.folder, '.bin'), process.env['PATH']].join(delimiter),
    HOME: project.folder,
  };
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: project.folder,
    encoding: 'utf8',
    env,
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

/** Returns what bash offers after these words, the last of which is being typed. */
function completeInBash(
  project: Project,
  script: string,
  words: readonly string[],
): readonly string[] {
  const quoted = words.map((word) => `'${word}'`).join(' ');
  const show = `printf '%s\\n' "\${COMPREPLY[@]}"`;
  const run = `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _tenantry; ${show}`;
  return runShell(project, 'bash', ['-c', `${script}\n${run}`])
    .split('\n')
    .filter(Boolean);
}

const isInstalled = (shell: string): boolean =>
  spawnSync(shell, ['--version'], { encoding: 'utf8' }).status === 0;

test(
  'bash completes commands, groups and options, and falls back to files',
  inProject({ 'tenants-of-ours/.keep': '' }, async (project) => {
    const { code, out } = await project.tenantry('completion bash');
    expect(code).toBe(0);
    const after = (...words: readonly string[]) =>
      completeInBash(project, out, ['tenantry', ...words]);
    expect(after('')).toEqual(expect.arrayContaining(['synth', 'tenant', 'serve', '--version']));
    expect(after('')).not.toContain('names');
    expect(after('bundle', 'in')).toEqual(['init', 'install-file']);
    expect(after('tenant', '')).toEqual(expect.arrayContaining(['list', 'status', 'drift']));
    expect(after('bundle', 'diff', 'old', '--al')).toEqual(['--allow']);
    expect(after('synth', '--warn')).toEqual(['--warnings-as-errors']);
  }),
);

test(
  'bash completes the names of tenants that can be read, values of options, files and folders',
  inProject(files, async (project) => {
    const { out } = await project.tenantry('completion bash');
    const after = (...words: readonly string[]) =>
      completeInBash(project, out, ['tenantry', ...words]);
    expect(after('explain', 's')).toEqual(['ship', 'shop']);
    expect(after('tenant', 'network', 'sho')).toEqual(['shop']);
    expect(after('explain', '--output', 'json', 'sho')).toEqual(['shop']);
    expect(after('explain', '--tenants', 'elsewhere', 'b')).toEqual(['bank']);
    expect(after('explain', 'shop', 's')).toEqual([]);
    expect(after('explain', '--output', '')).toEqual(['text', 'json']);
    expect(after('explain', '--tenants', 'e')).toEqual(['elsewhere']);
    expect(after('explain', '--tenants', 'tenantry')).toEqual([]);
    expect(after('explain', '--platform', 'tenantry')).toEqual(['tenantry.yaml']);
    expect(after('completion', 'z')).toEqual(['zsh']);
    expect((await project.tenantry('names classes')).out).toBe('default\n');
  }),
);

test(
  'zsh gets the same script in its emulation of bash, and fish one line for each word',
  inProject({}, async (project) => {
    const [bash, zsh, fish] = await Promise.all(
      ['bash', 'zsh', 'fish'].map((shell) => project.tenantry(`completion ${shell}`)),
    );
    expect(zsh!.out).toContain('bashcompinit');
    expect(zsh!.out.endsWith(bash!.out)).toBe(true);
    const inDiff = '__fish_seen_subcommand_from crd; and __fish_seen_subcommand_from diff';
    expect(fish!.out).toContain(`complete -c tenantry -n '${inDiff}' -l base -r -F`);
    expect(fish!.out).toContain("-l output -x -a 'text json'");
    const wrong = await project.tenantry('completion tcsh');
    expect(wrong.code).toBe(1);
    expect(wrong.err).toContain('Allowed choices are bash, zsh, fish');
  }),
);

const inFish = testUnless(isInstalled('fish') ? undefined : 'fish is not installed');
inFish(
  'fish completes names of tenants and values of options',
  inProject(files, async (project) => {
    const { out } = await project.tenantry('completion fish');
    project.write({ 'completion.fish': out });
    const after = (line: string): readonly string[] =>
      runShell(project, 'fish', [
        '--no-config',
        '-c',
        `source completion.fish; complete -C '${line}'`,
      ])
        .split('\n')
        .filter(Boolean);
    expect(after('tenantry explain s')).toEqual(['ship', 'shop']);
    expect(after('tenantry explain --output ')).toEqual(['json', 'text']);
    expect(after('tenantry tenant li')).toEqual(['list']);
  }),
);

/**
 * Types words and Tab into an interactive zsh, and prints what it shows until a text is there or 20 s have passed.
 * `$1` has the words, `$2` the text.
 */
const interactiveZsh = `zmodload zsh/zpty zsh/datetime
zpty shell zsh -f -i
zpty -w shell "PS1=; autoload -U compinit; compinit -u; source completion.zsh; echo rea''dy"
typeset -F deadline=$(( EPOCHREALTIME + 20 ))
wait_for() {
  local seen= out=
  while [[ $seen != *$1* ]] && (( EPOCHREALTIME < deadline )); do
    if zpty -r -t shell out; then seen+=$out; else zselect -t 5; fi
  done
  print -rn -- "$seen"
}
zmodload zsh/zselect
wait_for ready > /dev/null
zpty -w -n shell "$1"$'\t\t'
wait_for "$2"
`;

const inZsh = testUnless(isInstalled('zsh') ? undefined : 'zsh is not installed');
inZsh(
  'an interactive zsh completes commands, names of tenants and values of options',
  inProject(files, async (project) => {
    const { out } = await project.tenantry('completion zsh');
    project.write({ 'completion.zsh': out });
    const after = (words: string, shown: string): string =>
      runShell(project, 'zsh', ['-f', '-c', interactiveZsh, 'zsh', words, shown]);
    expect(after('tenantry tenant li', 'tenant list')).toContain('tenant list');
    expect(after('tenantry explain s', 'ship  shop')).toContain('ship  shop');
    expect(after('tenantry explain --output ', 'json  text')).toContain('json  text');
  }),
);
