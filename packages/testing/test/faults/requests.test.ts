import { expect, test } from '@jest/globals';
import { ConfigMap, Namespace } from '@tenantry/runtime/kinds/core';
import { Deployment } from '@tenantry/runtime/kinds/apps';
import { isList, isStreamedList, isWatch, isWrite, nth, of } from '../../faults/requests.ts';
import type { Received } from '../../faults/scripted-server.ts';

const asked = (request: string): Received => {
  const [method = '', url = ''] = request.split(' ');
  return { method, url, headers: {}, body: '' };
};

const rows: [request: string, is: string][] = [
  ['GET /api/v1/configmaps?limit=500', 'list'],
  ['GET /api/v1/namespaces', 'list'],
  ['GET /api/v1/namespaces/n/configmaps?limit=5&continue=abc', 'list'],
  ['GET /apis/apps/v1/deployments', 'list'],
  ['GET /apis/apps/v1/namespaces/n/deployments', 'list'],
  ['GET /api/v1/namespaces/n', ''],
  ['GET /api/v1/namespaces/n/status', ''],
  ['GET /api/v1/namespaces/n/configmaps/a', ''],
  ['GET /apis/apps/v1/namespaces/n/deployments/a/scale', ''],
  ['GET /api/v1/configmaps?watch=true&resourceVersion=7', 'watch'],
  ['GET /api/v1/configmaps?watch=1', 'watch'],
  ['GET /api/v1/configmaps?watch=true&sendInitialEvents=true', 'watch streamed'],
  ['GET /api/v1/configmaps?watch=false', 'list'],
  ['POST /api/v1/namespaces/n/configmaps', 'write'],
  ['PATCH /apis/apps/v1/namespaces/n/deployments/a/status', 'write'],
  ['PUT /api/v1/namespaces/n', 'write'],
  ['DELETE /api/v1/namespaces/n/configmaps', 'write'],
];

test.each(rows)('%s is a %s', (request, is) => {
  const matching = { list: isList, watch: isWatch, streamed: isStreamedList, write: isWrite };
  const names = Object.entries(matching).flatMap(([name, matches]) =>
    matches(asked(request)) ? [name] : [],
  );
  expect(names.join(' ')).toBe(is);
});

test('requests of a kind match by resource, group and subresources', () => {
  const requests = [
    'GET /api/v1/namespaces/n/configmaps/a',
    'GET /apis/example.com/v1/configmaps',
    'GET /apis/apps/v1/namespaces/n/deployments/a/scale',
    'GET /api/v1/namespaces/n/status',
    'POST /api/v1/namespaces',
  ].map(asked);
  const places = [ConfigMap, Deployment, Namespace].map((kind) =>
    requests.flatMap((one, i) => (of(kind)(one) ? [i] : [])),
  );
  expect(places).toEqual([[0], [2], [3, 4]]);
  expect(requests.filter(of(Namespace, isWrite))).toEqual([requests[4]]);
});

test('the third match is the third one and no other', () => {
  const third = nth(3, isWrite);
  const all = ['POST /a', 'GET /a', 'PUT /a', 'DELETE /a', 'PATCH /a'].map(asked);
  expect(all.map(third)).toEqual([false, false, false, true, false]);
});
