import { expect, test } from '@jest/globals';
import { readManifests } from '../../../import/manifests.ts';
import type { TenancySystem } from '../../../import/systems/tenancy-system.ts';
import { translateSystems } from '../../../import/systems/translate-systems.ts';
import type { Translation } from '../../../import/systems/translation.ts';
import { importSystem } from './import-system.ts';

const source = `
apiVersion: v1
kind: Namespace
metadata: { name: web }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: same }
rules: [{ apiGroups: [''], resources: [secrets], verbs: ['*'] }]
---
apiVersion: v1
kind: ConfigMap
metadata: { name: same }
data: { a: b }
---
apiVersion: v1
kind: ResourceQuota
metadata: { name: same, namespace: web }
spec: { hard: { pods: 3 } }
`;

/** Translates the source with a system that only calls the function. */
function translate(act: (translation: Translation) => void) {
  const system: TenancySystem = {
    name: 'Test',
    kinds: [],
    translate: (_source, translation) => act(translation),
  };
  const { objects } = readManifests([{ file: 'web/all.yaml', text: source }]);
  return translateSystems(objects, [system]);
}

const origin = { found: readManifests([{ file: 'x.yaml', text: source }]).objects[0]! };

test('a translated Role never gets the name of another one, for bindings would grant that', () => {
  const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
  const role = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'same' },
    rules,
  };
  const { problems, derived } = translate((one) => one.addObject('web', role, origin));
  expect(problems).toMatchObject([
    { file: 'x.yaml', message: 'Role same must be unique: namespace web has another Role same' },
  ]);
  expect(derived.size).toBe(0);
});

test('a translated object to which others refer by name is left out if the name is taken', () => {
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'same' }, data: { a: 'c' } };
  const { made, derived } = translate((one) => one.addObject('web', map, origin));
  expect(made).toMatchObject([
    {
      found: { object: { data: { a: 'c' } } },
      reason: 'namespace web has another ConfigMap same',
    },
  ]);
  expect(derived.size).toBe(0);
});

test('a translated quota whose name is taken gets another one', () => {
  const quota = {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'same' },
    spec: { hard: { pods: 2 } },
  };
  const { derived } = translate((one) => one.addObject('web', quota, origin));
  expect([...derived].map(({ object }) => object.metadata.name)).toEqual(['same-2']);
});

test('a total for some namespaces is refused by a tenant that has others', () => {
  const text = ['web', 'api', 'pay']
    .map(
      (name) =>
        `---\napiVersion: v1\nkind: Namespace\nmetadata: { name: ${name}, labels: { team: '${name}' } }\n`,
    )
    .join('');
  const quota = `---
apiVersion: quota.openshift.io/v1
kind: ClusterResourceQuota
metadata: { name: shop }
spec: { selector: { labels: { matchExpressions: [{ key: team, operator: In, values: [web, api] }] } }, quota: { hard: { pods: '9' } } }
`;
  const outcomeWith = (pinned: readonly [string, string][]): unknown => {
    const { report } = importSystem(text + quota, [], undefined, new Map(pinned));
    return report.translated[0]!.fields.find(({ field }) => field === 'spec.quota.hard');
  };
  expect(outcomeWith([])).toMatchObject({ outcome: 'changed' });
  expect(outcomeWith([['pay', 'shop']])).toEqual({
    field: 'spec.quota.hard',
    outcome: 'left',
    text: 'the tenant shop also has pay, for which it is not meant',
  });
  expect(outcomeWith([['web', 'other']])).toMatchObject({
    outcome: 'left',
    text: 'web is not declared for the tenant shop',
  });
});

test('a second import of the same source writes the same files', () => {
  const whole = `${source}
---
apiVersion: hnc.x-k8s.io/v1alpha2
kind: SubnamespaceAnchor
metadata: { name: web-dev, namespace: web }
---
apiVersion: project.openshift.io/v1
kind: Project
metadata: { name: web, annotations: { openshift.io/display-name: Web } }
`;
  const files = { 'web/all.yaml': whole };
  expect(importSystem(files).result.files).toEqual(importSystem(files).result.files);
});
