import { expect } from '@jest/globals';
import { matchesLabels, parseLabelSelector } from '@tenantry/kube/label-selector';
import { newNamespace, sharedCluster } from '@tenantry/testing/test/controlplane/shared';

const given = await sharedCluster();

const labels: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  bare: {},
  till: { app: 'till', 'example.com/tier': 'front' },
  shelf: { app: 'shelf', old: '' },
  odd: { in: 'notin', app: 'a.b_c-d' },
};

const selectors = [
  '',
  'app',
  '!app',
  'app=till',
  'app==till',
  'app!=till',
  'old=',
  'app=',
  '! old',
  ' app , old ',
  'app in (till,shelf)',
  'app notin (till, shelf)',
  'app in(till)',
  'app in ( till )',
  'old in (,)',
  'example.com/tier=front,app',
  'app=till,app=shelf',
  'app=a.b_c-d',
  'app = till',
  'app in (,a)',
  'app=till,',
  ',app',
  'app=till shelf',
  'app in till',
  'app in ()',
  '-app',
  'app=-a',
  'a/b/c=d',
  '!app=till',
  'app till',
  'app!',
  'app=(till)',
  'app,,old',
  'app in (till',
  'app in till)',
  '()',
];

given.test('a label selector in one line selects the same as at the server', async () => {
  const namespace = await newNamespace(given.cluster, 'selectors');
  const { admin } = given.cluster;
  for (const [name, ofIt] of Object.entries(labels)) {
    const metadata = { namespace, name, labels: { ...ofIt, mine: 'yes' } };
    await admin.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
  }
  for (const selector of selectors) {
    const kind = { apiVersion: 'v1', kind: 'ConfigMap', namespace };
    const labelSelector = selector.trim() === '' ? 'mine' : `${selector},mine`;
    const { status, body } = await admin.list(kind, { labelSelector });
    const items = (body as { items?: { metadata: { name: string } }[] }).items ?? [];
    const theirs = status === 200 ? items.map(({ metadata }) => metadata.name).toSorted() : status;
    expect([selector, ours(labelSelector)]).toEqual([selector, theirs]);
  }
});

function ours(selector: string): string[] | number {
  try {
    const read = parseLabelSelector(selector);
    return Object.keys(labels)
      .filter((name) => matchesLabels(read, { ...labels[name], mine: 'yes' }))
      .toSorted();
  } catch {
    return 400;
  }
}
