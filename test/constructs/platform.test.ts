import { expect, test } from '@jest/globals';
import { resolvePlatform } from '../../model/platform.ts';
import { InvalidInput } from '@tenantry/kube/problem';
import type { PlatformSpec } from '../../crds/platform.ts';
import type { Hook, JenkinsHook, SlackHook } from '../../crds/types.ts';

function problems(spec: PlatformSpec): string[] {
  try {
    resolvePlatform(spec);
    return [];
  } catch (error) {
    if (error instanceof InvalidInput) return error.message.split('\n');
    throw error;
  }
}

test('a platform in TypeScript is validated like a platform file', () => {
  expect(problems({})).toEqual([]);
  expect(problems({ clusters: [{ name: 'eu1' }], defaultClusters: ['eu1'] })).toEqual([]);
  expect(problems({ defaultClusters: ['in-cluster'] })).toEqual([]);
  expect(problems({ clusters: [] })).toEqual(['spec.clusters must have 1 to 100 items, got 0']);
  expect(problems({ clusters: [{ name: 'eu 1' }], environments: ['prod', '-Prod'] })).toEqual([
    expect.stringMatching(/^spec\.clusters\[0\]\.name must be .*, got 'eu 1'$/),
    expect.stringMatching(/^spec\.environments\[1\] must be .*, got '-Prod'$/),
  ]);
});

test('a default cluster in TypeScript must be one of the clusters', () => {
  const clusters = [{ name: 'eu1' }, { name: 'us1' }];
  expect(problems({ clusters, defaultClusters: ['us1', 'us2'] })).toEqual([
    `spec.defaultClusters[1] must be one of the clusters (eu1, us1), got 'us2'; did you mean 'us1'?`,
  ]);
});

test('folders that can match the same path are refused, and so are invalid keys', () => {
  const folders = [{ folder: 'a/*' }, { folder: '*/b' }];
  expect(problems({ delegation: { folders }, trustedLabels: ['-'] })).toEqual([
    expect.stringMatching(/^spec\.delegation\.folders\[1\]\.folder must be more or less specific /),
    `spec.trustedLabels[0] must be a key such as 'example.com/name', got '-'`,
  ]);
});

const hook = { name: 'cmdb', events: ['Onboarded'], secret: 'cmdb' } as const;
const hooked = (url: string, more: Partial<Hook> = {}): string[] =>
  problems({
    clusters: [{ name: 'eu1' }],
    operator: { hooks: [{ ...hook, webhook: { url }, ...more }] },
  });

test('a hook requires https unless it sets otherwise, and its clusters must exist in the platform', () => {
  expect(hooked('https://cmdb.example.com/tenants?of=eu1', { clusters: ['eu1'] })).toEqual([]);
  expect(hooked('http://cmdb.example.com')).toEqual([
    expect.stringMatching(
      /^spec\.operator\.hooks\[0\]\.webhook\.url must be an https address, or plainHttp /,
    ),
  ]);
  expect(hooked('http://cmdb.example.com', { plainHttp: true })).toEqual([]);
  expect(hooked('https://cmdb.example.com', { clusters: ['us1'] })).toEqual([
    `spec.operator.hooks[0].clusters[0] must be one of the clusters (eu1), got 'us1'`,
  ]);
  expect(hooked('https://cmdb.example.com/#a')).toEqual([
    expect.stringContaining("must have no part after a '#'"),
  ]);
  expect(hooked('https://[')).toEqual([expect.stringContaining('must be an address')]);
});

test('a password in the address of a hook is refused, and not printed', () => {
  for (const url of ['https://me:hunter2@cmdb.example.com', 'https://:hunter2@cmdb.example.com']) {
    const [problem, ...others] = hooked(url);
    expect(problem).toContain('must have no user and no password');
    expect(problem).not.toContain('hunter2');
    expect(others).toEqual([]);
  }
});

test('a hook needs one receiver and at least one event', () => {
  expect(problems({ operator: { hooks: [hook] } })).toEqual([
    expect.stringMatching(/^spec\.operator\.hooks\[0\] must have exactly one of webhook/),
  ]);
  expect(hooked('https://cmdb.example.com', { events: [] })).toEqual([
    expect.stringContaining('spec.operator.hooks[0].events must have 1 to 2 items'),
  ]);
});

const jenkins = (jenkins: Partial<JenkinsHook>): string[] =>
  problems({
    operator: {
      hooks: [{ ...hook, jenkins: { url: 'https://ci.example.com/ci', job: 'a', ...jenkins } }],
    },
  });
const slack = (slack: Partial<SlackHook>): string[] =>
  problems({ operator: { hooks: [{ ...hook, slack: { channel: 'team-{tenant}', ...slack } }] } });

test('a job of Jenkins is named by its folders, and its parameters may use fields of the tenant', () => {
  const facts = { TENANT: 'tenant', TEAM: 'contact.team', ZONE: 'label.example.com/zone' };
  expect(jenkins({ job: 'platform/on board/feature%2Fa', parameters: facts })).toEqual([]);
  for (const job of ['', '/a', 'a/', 'a//b', '../a', 'a/..', 'a/.', 'a?b', 'a\\b', 'a#b']) {
    expect(jenkins({ job })).toEqual([expect.stringContaining('.jenkins.job must ')]);
  }
  for (const fact of ['', 'password', 'tenants', 'contact', 'contact.', 'spec.quota', '{tenant}']) {
    expect(jenkins({ parameters: { A: fact } })).toEqual([
      expect.stringContaining('.jenkins.parameters.A must be one of key, event, at, tenant'),
    ]);
  }
  expect(jenkins({ url: 'https://ci.example.com/?a' })).toEqual([
    expect.stringContaining("jenkins.url must have no part after a '?'"),
  ]);
  expect(jenkins({ url: 'http://ci.example.com' })).toEqual([
    expect.stringContaining('jenkins.url must be an https address'),
  ]);
});

test('the channel of a tenant contains its name, and texts may use fields of the tenant', () => {
  expect(slack({ channel: '{cluster}_{class}-{tenant}' })).toEqual([]);
  for (const channel of ['team', 'team-{namespace}-{tenant}', 'Team-{tenant}', '#{tenant}']) {
    expect(slack({ channel })).toEqual([expect.stringContaining('.slack.channel must be ')]);
  }
  expect(slack({ topic: 'Of {contact.team}: {tenant}', onboarded: 'Hello\n{namespaces}' })).toEqual(
    [],
  );
  for (const text of ['{}', '{ tenant }', '{tenant', 'tenant}', '{{tenant}}', '{secret}']) {
    expect(slack({ offboarding: text })).toEqual([
      expect.stringContaining('.slack.offboarding must be a text '),
    ]);
  }
  expect(slack({ invite: ['a@example.com'] })).toEqual([]);
  expect(slack({ invite: ['a'] })).toEqual([expect.stringContaining('must be an e-mail address')]);
  expect(slack({ url: 'https://slack.example.com/api?a' })).toEqual([
    expect.stringContaining("slack.url must have no part after a '?'"),
  ]);
});
