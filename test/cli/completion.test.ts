import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { inProject } from './project.ts';

/** What bash offers after these words, the last of which is being typed. */
function completed(script: string, words: readonly string[]): readonly string[] {
  const quoted = words.map((word) => `'${word}'`).join(' ');
  const ask = `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _tenantry; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout } = spawnSync('bash', ['-c', `${script}\n${ask}`], { encoding: 'utf8' });
  expect(status).toBe(0);
  return stdout.split('\n').filter(Boolean);
}

test(
  'bash completes commands, groups and options, and falls back to files',
  inProject({ 'tenants-of-ours/.keep': '' }, async (project) => {
    const { code, out } = await project.tenantry('completion bash');
    expect(code).toBe(0);
    const after = (...words: readonly string[]) => completed(out, ['tenantry', ...words]);
    expect(after('')).toEqual(expect.arrayContaining(['synth', 'tenant', 'serve', '--version']));
    expect(after('bundle', 'in')).toEqual(['init', 'install-file']);
    expect(after('tenant', '')).toEqual(expect.arrayContaining(['list', 'status', 'drift']));
    expect(after('bundle', 'diff', 'old', '--al')).toEqual(['--allow']);
    expect(after('synth', '--warn')).toEqual(['--warnings-as-errors']);
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
    expect(fish!.out).toContain(
      "complete -c tenantry -n '__fish_seen_subcommand_from crd; and __fish_seen_subcommand_from diff' -l base",
    );
    const wrong = await project.tenantry('completion tcsh');
    expect(wrong.code).toBe(1);
    expect(wrong.err).toContain('Allowed choices are bash, zsh, fish');
  }),
);
