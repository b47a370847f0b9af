import { expect, test } from '@jest/globals';
import { countRequests, countWrites } from '../../../bench/runtime/audit.ts';

const entry = (verb: string, userAgent: string, username = 'admin') =>
  `${JSON.stringify({ verb, userAgent, user: { username } })}\n`;

test('only writes of the operator count, not reads, nor requests of the benchmark or the server itself', () => {
  const lines = [
    entry('create', 'operator/v0.0.0 (linux/amd64)'),
    entry('patch', 'tenantry'),
    entry('get', 'tenantry'),
    entry('watch', 'operator/v0.0.0'),
    entry('delete', 'tenantry-bench'),
    entry('update', 'kube-apiserver/v1.36.3', 'system:apiserver'),
  ];
  expect(countWrites(lines.join(''), 'tenantry-bench')).toBe(2);
});

test('an incomplete line is left for later', () => {
  const whole = entry('create', 'tenantry');
  expect(countWrites(whole + whole.slice(0, 20), 'tenantry-bench')).toBe(1);
  expect(countWrites('', 'tenantry-bench')).toBe(0);
});

const asked = (auditID: string, verb: string, requestURI = '/api', username = 'ours') =>
  `${JSON.stringify({ auditID, verb, requestURI, user: { username } })}\n`;

test('a request counts once, a dry run is no write, and requests of others do not count', () => {
  const lines = [
    asked('1', 'watch'),
    asked('1', 'watch'),
    asked('2', 'patch', '/apis/tenantry.dev/v1alpha1/tenants/a/status'),
    asked('3', 'patch', '/api/v1/namespaces/a?dryRun=All&force=true'),
    asked('4', 'patch', '/api/v1/namespaces/a', 'dry-runs'),
  ];
  expect(countRequests(lines.join(''), 'ours')).toEqual({ requests: 3, writes: 1 });
});
