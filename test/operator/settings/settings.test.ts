import { expect, test } from '@jest/globals';
import { resolvePlatform } from '../../../model/platform.ts';
import { computePlatformDigest } from '../../../model/operator/platform-config-map.ts';
import { formatProblem } from '@tenantry/kube/problem';
import { readSettings, resolveCluster } from '../../../operator/settings/read-settings.ts';
import {
  formatFlag,
  settingNames,
  settings,
  formatVariable,
} from '../../../operator/settings/settings.ts';

interface Inputs {
  readonly flags?: Record<string, string>;
  readonly environment?: Record<string, string>;
  readonly file?: string;
}

function read({ flags = {}, environment = {}, file }: Inputs) {
  return readSettings({
    flags: { ...(file !== undefined && { config: 'operator.yaml' }), ...flags },
    environment,
    readFile: (path) => {
      if (path === 'operator.yaml' && file !== undefined) return file;
      throw Object.assign(new Error(`no ${path}`), { code: 'ENOENT' });
    },
  });
}

const wrong = (inputs: Inputs): string[] => read(inputs).problems.map(formatProblem);

test('without settings the operator runs with the defaults of its help', () => {
  const { settings: run, problems } = read({});
  expect(problems).toEqual([]);
  expect(run).toEqual({
    platform: 'tenantry.yaml',
    concurrency: 4,
    rolloutDeadline: 600_000,
    hookCredentials: '/etc/tenantry-hooks',
    leaderElection: true,
    leaseName: 'tenantry-operator',
    gracefulStop: 30_000,
    metricsAddress: { host: undefined, port: 8080 },
    healthAddress: { host: undefined, port: 8081 },
    logLevel: 'info',
  });
});

test('every default is a valid value of its setting', () => {
  for (const name of settingNames) {
    const { taker, absent, absence } = settings[name] as (typeof settings)['concurrency'] & {
      readonly absence?: string;
    };
    const defaultValue = absent === undefined ? absence : taker.take(absent);
    expect([name, defaultValue]).not.toEqual([name, undefined]);
  }
});

test('a flag overrides a variable, and a variable overrides the file', () => {
  const file = 'cluster: c\nconcurrency: 3\nlogLevel: warn\n';
  const environment = { TENANTRY_CLUSTER: 'b', TENANTRY_CONCURRENCY: '2' };
  const { settings: run, problems } = read({ flags: { cluster: 'a' }, environment, file });
  expect(problems).toEqual([]);
  expect(run).toMatchObject({ cluster: 'a', concurrency: 2, logLevel: 'warn' });
});

test('a variable can name the file, and an empty variable counts as not set', () => {
  const given = { TENANTRY_CONFIG: 'operator.yaml', TENANTRY_LOG_LEVEL: '' };
  const readFile = () => 'logLevel: debug';
  const { settings: run } = readSettings({ flags: {}, environment: given, readFile });
  expect(run.logLevel).toBe('debug');
});

test("flags and variables have the names of the file's settings", () => {
  expect(formatFlag('rolloutDeadline')).toBe('rollout-deadline');
  expect(formatVariable('rolloutDeadline')).toBe('TENANTRY_ROLLOUT_DEADLINE');
  const flags = new Set(settingNames.map(formatFlag));
  expect(flags.size).toBe(settingNames.length);
});

test('all errors are reported at once with their source, even for overridden values', () => {
  const inputs = {
    flags: { concurrency: '0', logLevel: 'info' },
    environment: { TENANTRY_GRACEFUL_STOP: '30', TENANTRY_LOG_LEVEL: 'loud' },
    file: 'clutser: fra1\nmetricsAddress: 8080\nleaderElection: maybe\n',
  };
  expect(wrong(inputs).toSorted()).toEqual([
    "--concurrency must be a whole number from 1 to 100, got '0'",
    "TENANTRY_GRACEFUL_STOP must be a duration from 1s to 10m, such as 30s or 1h30m, got '30'",
    "TENANTRY_LOG_LEVEL must be one of debug, info, warn, error, got 'loud'",
    "operator.yaml:1:1 clutser must be a setting; did you mean 'cluster'?",
    "operator.yaml:2:17 metricsAddress must be an address such as ':8080' or '127.0.0.1:8080', or off, got 8080",
    "operator.yaml:3:17 leaderElection must be true or false, got 'maybe'",
  ]);
});

test('a file that is missing, not YAML or not a mapping is reported by name', () => {
  expect(wrong({ flags: { config: 'gone.yaml' } })).toEqual([
    "--config must be a file that can be read, got 'gone.yaml' (ENOENT)",
  ]);
  expect(wrong({ file: '- fra1' })).toEqual([
    'operator.yaml:1:1 must be a mapping of settings, got a list',
  ]);
  expect(wrong({ file: 'a: {' })[0]).toMatch(/^operator\.yaml:1:\d/);
  expect(wrong({ file: 'cluster: a\n---\ncluster: b\n' })).toEqual([
    'operator.yaml must be one document, got 2',
  ]);
  expect(wrong({ file: '' })).toEqual([]);
});

test.each([
  ['platform', '', undefined],
  ['leaderElection', 'constructor', undefined],
  ['leaderElection', 'false', false],
  ['leaseNamespace', 'Not_A_Name', undefined],
  ['concurrency', '100', 100],
  ['concurrency', '101', undefined],
  ['concurrency', '1e1', undefined],
  ['rolloutDeadline', '1h30m', 5_400_000],
  ['rolloutDeadline', '24h', 86_400_000],
  ['rolloutDeadline', '25h', undefined],
  ['gracefulStop', '500ms', undefined],
  ['gracefulStop', '-5s', undefined],
  ['metricsAddress', 'off', 'off'],
  ['metricsAddress', '127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
  ['metricsAddress', '[::1]:8080', { host: '::1', port: 8080 }],
  ['metricsAddress', ':65536', undefined],
  ['metricsAddress', '8080', undefined],
  ['metricsAddress', '::1:8080', undefined],
] as const)('%s takes %j as %j', (name, given, taken) => {
  expect(settings[name].taker.take(given)).toEqual(taken);
});

const platform = resolvePlatform({ clusters: [{ name: 'fra1' }, { name: 'arn1' }] });
const start = (flags: Record<string, string>, of = platform) => {
  const { cluster, problems } = resolveCluster(read({ flags }), { platform: of, text: 'spec' });
  return cluster ?? problems.map(formatProblem);
};

test('the cluster must be one of the Platform, and is optional if the Platform has one', () => {
  expect(start({ cluster: 'arn1' })).toBe('arn1');
  expect(start({}, resolvePlatform({ clusters: [{ name: 'eu1' }] }))).toBe('eu1');
  expect(start({})).toEqual([
    "--cluster must be one of the Platform's clusters (fra1, arn1), got nothing",
  ]);
  expect(start({ cluster: 'fra' })).toEqual([
    "--cluster must be one of the Platform's clusters (fra1, arn1), got 'fra'; did you mean 'fra1'?",
  ]);
});

test('a Platform with another digest than the deployed one is refused, even for the right cluster', () => {
  const digest = computePlatformDigest('spec');
  const given = (platformDigest: string) =>
    resolveCluster(read({ flags: { cluster: 'fra1', platformDigest } }), {
      platform,
      text: 'spec',
    });
  expect(given(digest).problems).toEqual([]);
  expect(given('other').problems.map(formatProblem)).toEqual([
    `--platform-digest must be the digest of tenantry.yaml, which is '${digest}', got 'other': the ConfigMap and the Deployment are not of one rendering, or somebody edited one of them`,
  ]);
});
