import { expect, test } from '@jest/globals';
import { resolvePlatform } from '../../../model/platform.ts';
import {
  decidingKeys,
  isDecidingAnnotation,
  isDecidingLabel,
} from '../../../operator/drift/undeclared-metadata.ts';
import { diffMetadata } from '../../../operator/drift/expected.ts';
import { platform } from '../given.ts';

test.each([
  'istio-injection',
  'istio.io/rev',
  'field.cattle.io/projectId',
  'argocd.argoproj.io/managed-by',
  'admission.gatekeeper.sh/ignore',
])('a label by which a program decides: %s', (key) => {
  expect(isDecidingLabel(platform, key, 'x')).toBe(true);
});

test.each([
  'openshift.io/node-selector',
  'iam.amazonaws.com/permitted',
  'hnc.x-k8s.io/subnamespace-of',
  'config.linkerd.io/default-inbound-policy',
  'janitor/ttl',
])('an annotation by which a program decides: %s', (key) => {
  expect(isDecidingAnnotation(key)).toBe(true);
});

test.each([
  'kubernetes.io/metadata.name',
  'team',
  'app.kubernetes.io/instance',
  'kustomize.toolkit.fluxcd.io/name',
  'openshift.io/sa.scc.uid-range',
  'argocd.argoproj.io/tracking-id',
  'kubectl.kubernetes.io/last-applied-configuration',
])('a key that decides nothing or that a program writes everywhere: %s', (key) => {
  expect([isDecidingLabel(platform, key, 'x'), isDecidingAnnotation(key)]).toEqual([false, false]);
});

test('a trusted label decides with any value, and a selected label with the selected value', () => {
  const trusting = resolvePlatform({
    trustedLabels: ['example.com/trusted'],
    ingressControllers: [{ namespaceSelector: { matchLabels: { component: 'ingress' } } }],
  });
  const asked = [
    ['example.com/trusted', 'x'],
    ['component', 'ingress'],
    ['component', 'checkout'],
  ] as const;
  expect(asked.map(([key, value]) => isDecidingLabel(trusting, key, value))).toEqual([
    true,
    true,
    false,
  ]);
  expect(asked.map(([key, value]) => isDecidingLabel(platform, key, value))).toEqual([
    false,
    false,
    false,
  ]);
});

test('the name label of a namespace cannot be forged and is not reported', () => {
  expect(isDecidingLabel(platform, 'kubernetes.io/metadata.name', 'ingress-nginx')).toBe(false);
});

test('a key that is reported as drift is not reported as undeclared as well', () => {
  for (const { labels = [], annotations = [] } of decidingKeys) {
    const metadata = {
      labels: Object.fromEntries(labels.map((key) => [key, 'x'])),
      annotations: Object.fromEntries(annotations.map((key) => [key, 'x'])),
    };
    expect(diffMetadata({}, metadata)).toEqual([]);
  }
});

test('each program has deciding keys and a document that explains them', () => {
  for (const { labels = [], annotations = [], source } of decidingKeys) {
    expect(labels.length + annotations.length).toBeGreaterThan(0);
    expect(source).toMatch(/^https:\/\/\S+(, https:\/\/\S+)*$/);
  }
});
