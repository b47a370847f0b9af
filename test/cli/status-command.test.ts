import { expect, test } from '@jest/globals';
import { inProject } from './project.ts';

/** Nothing listens on port 1. */
const kubeconfig = (user: object = {}): string =>
  JSON.stringify({
    'current-context': 'home',
    clusters: [{ name: 'home', cluster: { server: 'http://127.0.0.1:1' } }],
    users: [{ name: 'me', user }],
    contexts: [{ name: 'home', context: { cluster: 'home', user: 'me' } }],
  });

const files = {
  'platform.yaml':
    'apiVersion: tenantry.dev/v1alpha1\nkind: Platform\nmetadata: { name: p }\nspec: {}\n',
  config: kubeconfig(),
  program: kubeconfig({
    exec: { apiVersion: 'client.authentication.k8s.io/v1', command: './absent-login' },
  }),
};

test(
  'an unreachable cluster is a user error, in one line with the server and the reason',
  inProject(files, async (project) => {
    const cases: readonly (readonly [string, RegExp])[] = [
      [
        'tenant status --kubeconfig config',
        /^error the cluster must be reachable, got no answer from http:\/\/127\.0\.0\.1:1: .*ECONNREFUSED.*\n$/,
      ],
      [
        'tenant drift shop --kubeconfig config',
        /^error the cluster must be reachable, got no answer /,
      ],
      ['tenant status --watch --kubeconfig config', /^error the cluster must be reachable, /],
      [
        'tenant status --kubeconfig absent',
        /^error absent must be a kubeconfig, got no such file\n$/,
      ],
      [
        'tenant status --kubeconfig config --context work',
        /^error .*\bconfig contexts must have 'work', got home\n$/,
      ],
      [
        'tenant status --kubeconfig program',
        /^error credentials for http:\/\/127\.0\.0\.1:1: .*absent-login.*\n$/,
      ],
    ];
    for (const [words, message] of cases) {
      const { code, out, err } = await project.tenantry(words);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toMatch(message);
    }
  }),
);

test(
  'a contradictory command line is refused before any request',
  inProject(files, async (project) => {
    const cases: readonly (readonly [string | readonly string[], string])[] = [
      [
        'tenant status --fail-on drifts',
        "--fail-on must be one of drift, not-ready, undeclared, got 'drifts'",
      ],
      [
        'tenant status --fail-on drift,',
        "--fail-on must be one of drift, not-ready, undeclared, got ''",
      ],
      [
        'tenant status --watch --output markdown',
        '--watch must be given with --output table, wide or json, got markdown',
      ],
      ['tenant status a b', "too many arguments for 'status'"],
      ['tenant status --output yaml', 'Allowed choices are table, wide, json, markdown'],
      ['tenant drift', "missing required argument 'tenant'"],
      ['tenant drift a --output table', 'Allowed choices are text, json, markdown'],
      [
        'tenant drift a --cluster fra1',
        '--platform and --cluster must be given with --live, got them alone',
      ],
      [
        'tenant drift a --live --kubeconfig config',
        'tenantry.yaml must be a file with a Platform, got nothing',
      ],
      [
        'tenant drift a --live --cluster in-clustr --platform platform.yaml',
        "--cluster must be one of the platform's (in-cluster), got 'in-clustr'; did you mean 'in-cluster'?",
      ],
      [['tenant', 'status', '--context', ''], '--context must be a name, got an empty one'],
      [
        ['tenant', 'drift', 'A/../b', '--kubeconfig', 'config'],
        "the tenant must be the name of a Tenant, got 'A/../b'",
      ],
    ];
    for (const [words, message] of cases) {
      const { code, out, err } = await project.tenantry(words);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toContain(message);
      expect(err).not.toContain('    at ');
    }
  }),
);

test(
  'help explains what is read, the columns, the options and the exit codes',
  inProject({}, async (project) => {
    const { code, out } = await project.tenantry('tenant status --help');
    expect(code).toBe(0);
    for (const word of ['[tenant]', '--watch', '--fail-on <what>', 'UNDECLARED', 'Exit codes: 0']) {
      expect(out).toContain(word);
    }
    const drift = await project.tenantry('tenant drift --help');
    expect(drift.out).toMatch(/<tenant>.*--kubeconfig <file>.*--context <name>.*Exit codes: 0/s);
  }),
);
