import fc from 'fast-check';
import { at, either, someOf } from './attack.ts';
import * as dictionary from './dictionary.ts';

const holders = fc.record(
  {
    users: someOf(either(dictionary.subjectNames)),
    groups: someOf(either(dictionary.subjectNames)),
    serviceAccounts: fc.array(
      fc.record({
        name: fc.constantFrom('default', 'ci', 'release-bot', '*', 'argocd-application-controller'),
        namespace: either({
          harmless: ['mallory-dev', 'ci-release'],
          hostile: ['mallory', 'victim-prod', 'kube-system', 'argocd'],
        }),
      }),
      { minLength: 1, maxLength: 2 },
    ),
    bindingName: fc.constantFrom(
      '{namespace}-x',
      'system:x',
      'tenant-clusterrole-view',
      'a:b',
      '{namespace}',
    ),
  },
  { requiredKeys: [] },
);
const { groups, resources, verbs } = dictionary;
const harmless = {
  apiGroups: someOf(fc.constantFrom(...groups.harmless)),
  resources: someOf(fc.constantFrom(...resources.harmless)),
  verbs: someOf(fc.constantFrom(...verbs.harmless)),
};
/** At most one part of a rule is hostile; otherwise almost all would be refused. */
const rule = fc.oneof(
  fc.record(harmless),
  fc.record({ ...harmless, verbs: someOf(either(verbs)) }),
  fc.record({ ...harmless, resources: someOf(either(resources)) }),
  fc.record({ ...harmless, apiGroups: someOf(either(groups)) }),
  fc.record({
    apiGroups: fc.constantFrom(...groups.hostile).map((group) => [group]),
    resources: fc.constantFrom(...resources.hostile).map((resource) => [resource]),
    verbs: harmless.verbs,
    resourceNames: fc.constant(['x']),
  }),
);

/** Access: subjects, roles and rules. */
export const rights = fc.oneof(
  at('spec.access.admins', holders),
  at('spec.access.editors', holders),
  at('spec.namespaces.0.access.viewers', holders),
  at(
    'spec.access.clusterRoles',
    fc.tuple(holders, either(dictionary.clusterRoles)).map(([who, name]) => [{ name, ...who }]),
  ),
  at(
    'spec.access.roles',
    fc
      .tuple(
        fc.oneof({ weight: 4, arbitrary: fc.constant({ users: ['alice@example.com'] }) }, holders),
        fc.array(rule, { minLength: 1, maxLength: 2 }),
        fc.constantFrom('own', 'own', 'admin', 'deployer', 'system:x'),
      )
      .map(([who, rules, name]) => [{ name, rules, ...who }]),
  ),
  at(
    'spec.access.roles',
    fc
      .tuple(holders, fc.constantFrom('deployer', 'deployer', 'toString'))
      .map(([who, preset]) => [{ preset, ...who }]),
  ),
);
