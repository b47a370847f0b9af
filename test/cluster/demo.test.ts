import { expect } from '@jest/globals';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@tenantry/testing/waiting/until';
import { root } from '../structure/tracked.ts';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';
import { DemoProgram } from './demo-program.ts';

const { test } = await ownClusters();

/** Returns the lines with placeholders for what differs between runs: times and the version. */
function steady(text: string): string[] {
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:]+Z \(\d+s ago\)/g, 'T')
    .replaceAll(/ *\d+\.\d+ s\b/g, ' N s')
    .replaceAll(/Kubernetes [\d.]+/g, 'Kubernetes V')
    .split('\n')
    .map((line) => line.trim());
}

/** Returns the transcript in the README. */
function transcript(): string[] {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const block = /```text\n\$ npm run demo\n([\s\S]*?)```/.exec(readme)?.[1];
  if (block === undefined) throw new Error('the README must show a transcript of the demo');
  return steady(block).filter((line) => line !== '' && line !== '...');
}

const gone = (demo: DemoProgram) => until('nothing is left', () => demo.left().length === 0);

test('the demo reports who changed what, heals it, prints the transcript of the README, and leaves nothing behind', async () => {
  await using demo = await DemoProgram.start([]);
  expect([await demo.end(), demo.err]).toEqual([0, expect.stringMatching(/^tenantry: Kubernetes/)]);
  const lines = steady(demo.out);
  const from = lines.indexOf('ResourceQuota pay-prod/tenant-quota');
  expect(lines.slice(from, from + 9)).toEqual([
    'ResourceQuota pay-prod/tenant-quota',
    'spec.hard.pods',
    'declared  "120"',
    'live      "999"',
    'by        kubectl-patch (Update)',
    'changed   T',
    'seen      T',
    '',
    'RoleBinding pay-prod/tenant-role-auditor is missing',
  ]);
  expect(lines.findLast((line) => line.startsWith('payments:'))).toBe('payments: no drift');
  const missing = transcript().filter((line) => !lines.includes(line));
  expect(missing).toEqual([]);
  expect(demo.out).not.toContain('\u001b');
  await gone(demo);
});

for (const [signal, text, code] of [
  ['SIGINT', 'starts on this machine', 130],
  ['SIGTERM', 'The operator starts', 143],
  ['SIGKILL', 'tenantry tenant drift', 'SIGKILL'],
] as const) {
  test(`a demo that ${signal} ends after '${text}' leaves nothing behind`, async () => {
    await using demo = await DemoProgram.start([]);
    await demo.waitForOutput(text);
    demo.signal(signal);
    expect(await demo.end()).toBe(code);
    await gone(demo);
  });
}

test('with --keep the demo keeps running, and Ctrl-C ends it cleanly', async () => {
  await using demo = await DemoProgram.start(['--keep']);
  await demo.waitForOutput('export KUBECONFIG=');
  const [, kubeconfig] = /export KUBECONFIG=(\S+)/.exec(demo.out)!;
  expect(readFileSync(kubeconfig!, 'utf8')).toContain('https://127.0.0.1:');
  expect(demo.left().some((line) => line.includes('serve'))).toBe(true);
  demo.signal('SIGINT');
  expect(await demo.end()).toBe(0);
  await gone(demo);
});

test('the demo reports why a control plane does not start, and leaves nothing behind', async () => {
  const assets = mkdtempSync(join(tmpdir(), 'assets-'));
  try {
    const etcd = join(assets, 'etcd');
    writeFileSync(etcd, '#!/bin/sh\necho no room for etcd\nexit 3\n');
    chmodSync(etcd, 0o755);
    await using demo = await DemoProgram.start([], { KUBEBUILDER_ASSETS: assets });
    expect(await demo.end()).toBe(1);
    expect(demo.err).toContain('tenantry: etcd ended (exit 3):\nno room for etcd');
    await gone(demo);
  } finally {
    rmSync(assets, { recursive: true });
  }
});

test('--help describes the demo and its options, and an unknown option is refused', async () => {
  await using helped = await DemoProgram.start(['--help']);
  expect([await helped.end(), helped.out]).toEqual([0, expect.stringContaining('--keep')]);
  await using refused = await DemoProgram.start(['--kep']);
  expect([await refused.end(), refused.err]).toEqual([
    1,
    expect.stringMatching(/^tenantry: Unknown option '--kep'.*\(see npm run demo -- --help\)/s),
  ]);
});
