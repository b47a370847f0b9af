import { uncheckedDefinition } from '../../crds/definition.ts';
import { condition, list, object, string, type Condition } from '../../schema/language.ts';
import type { Schema } from '../../schema/language.ts';
import { named } from './named.ts';

/** Somebody who overrides need not say since when. */
type Override = Omit<Condition, 'lastTransitionTime'> & Partial<Condition>;

const override: Schema<Override> = {
  ...condition('What holds in place of what the operator says.'),
  required: ['type', 'status', 'reason', 'message'],
};

const words = (description: string) => list(description, string('One of them.'));

const spec = named(
  'OperatorConditionSpec',
  object('What an operator tells OLM, and what its admin says instead.', {
    conditions: list('What the operator says; `Upgradeable` is what OLM heeds.', condition()),
    overrides: list(
      "What the cluster's admin says, and goes before it.",
      named('OperatorConditionOverride', override, 'What holds in place of what an operator says.'),
    ),
    serviceAccounts: words('The ServiceAccounts that may write it; OLM says which.'),
    deployments: words('The Deployments whose pods know its name; OLM says which.'),
  }),
);

const status = named(
  'OperatorConditionStatus',
  object('What OLM saw.', { conditions: list('What holds.', condition()) }),
);

/**
 * What an operator tells OLM of itself: whether it may be upgraded.
 * Source: https://olm.operatorframework.io/docs/concepts/crds/operatorcondition/
 */
export const operatorCondition = uncheckedDefinition({
  group: 'operators.coreos.com',
  kind: 'OperatorCondition',
  plural: 'operatorconditions',
  shortNames: ['condition'],
  categories: ['olm'],
  scope: 'Namespaced',
  versions: {
    v2: { schema: object('What an operator tells OLM of itself.', { spec, status }) },
  },
});
