import { listMap, set } from './schema-builders.ts';
import {
  boolean,
  intOrString,
  object,
  enumOf,
  required,
  string,
  annotations,
  objectName,
  labelSelector,
} from '@tenantry/crd/schema/language';
import { named } from './named.ts';
import { filledLabels, filledName, PLACEHOLDERS } from './placeholders.ts';

const levels = ['privileged', 'baseline', 'restricted'] as const;

/** Pod Security Standards, from the most open to the strictest. */
export const podSecurityLevels: readonly string[] = levels;

const level = (description: string, absent: string) =>
  enumOf(description, [...levels, 'none'], { absent });

/** https://kubernetes.io/docs/concepts/security/pod-security-admission/ */
export const podSecurity = named(
  'PodSecurity',
  object(
    "The Pod Security labels of the namespaces; 'none' takes away what an earlier layer said.",
    {
      enforce: level('Pods below this level are refused.', '`baseline`'),
      audit: level('Pods below this level are noted in the audit log.', 'no label'),
      warn: level('Whoever creates pods below this level is warned.', 'no label'),
      version: string('The Kubernetes minor whose definition of the levels applies.', {
        pattern: '^(latest|none|v1\\.(0|[1-9][0-9]{0,2}))$',
        maxLength: 8,
        must: "'latest' or a minor such as 'v1.36'",
        absent: 'no label, which is the version of the cluster',
      }),
    },
  ),
);

const amount = (description: string) =>
  intOrString(description, {
    pattern: '^(100|[1-9]?[0-9])%$',
    maxLength: 4,
    minimum: 0,
    maximum: 2147483647,
    must: "a whole number or a percentage such as '50%'",
  });

export const disruptionBudgets = listMap(
  'PodDisruptionBudgets; two that select the same pod make every eviction of it fail.',
  'name',
  named(
    'DisruptionBudget',
    object(
      'A PodDisruptionBudget.',
      {
        name: required(filledName('Its name, in which placeholders may stand.')),
        selector: required(labelSelector()),
        minAvailable: amount('How many pods have to stay.'),
        maxUnavailable: amount('How many pods may be missing.'),
        unhealthyPodEvictionPolicy: enumOf('When pods that are not ready may be evicted.', [
          'IfHealthyBudget',
          'AlwaysAllow',
        ]),
      },
      {
        rules: [
          {
            rule: 'has(self.minAvailable) != has(self.maxUnavailable)',
            message: 'must have either minAvailable or maxUnavailable',
          },
          {
            rule: "!(has(self.maxUnavailable) && (self.maxUnavailable == 0 || self.maxUnavailable == '0%')) && !(has(self.minAvailable) && self.minAvailable == '100%')",
            message: 'must let at least one pod be evicted, or no node can ever be drained',
          },
          {
            rule: '(has(self.selector.matchLabels) && self.selector.matchLabels.size() > 0) || (has(self.selector.matchExpressions) && self.selector.matchExpressions.size() > 0)',
            message: 'must select some pods by label: an empty selector is for all of them',
          },
        ],
      },
    ),
  ),
  { maxItems: 50 },
);

const pullSecrets = set('Names of Secrets of type dockerconfigjson.', objectName('A Secret.'), {
  maxItems: 20,
});

export const imagePullSecrets = pullSecrets;

export const serviceAccounts = listMap(
  'ServiceAccounts in the namespaces.',
  'name',
  named(
    'ServiceAccountSettings',
    object('A ServiceAccount.', {
      name: required(
        filledName(
          'Its name, in which placeholders may stand; `default` is the one that pods use when they name none.',
        ),
      ),
      labels: filledLabels('Its labels.'),
      annotations: annotations(
        `Its annotations, such as those of a cloud identity. ${PLACEHOLDERS}`,
      ),
      imagePullSecrets: pullSecrets,
      automountServiceAccountToken: boolean('Whether pods get its token.', {
        absent: 'not set, which Kubernetes reads as true',
      }),
    }),
  ),
  { maxItems: 50 },
);

export const protection = named(
  'Protection',
  object('What stands between a mistake and the data.', {
    deletion: enumOf(
      'Whether a namespace goes by the word of a person only. `None`: Argo CD deletes it with its declaration.',
      ['Confirm', 'None'],
      { absent: '`Confirm`' },
    ),
  }),
);

export type { DisruptionBudget, PodSecurity, ServiceAccountSettings } from './types.ts';
