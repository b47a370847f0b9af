import { uncheckedDefinition } from '@tenantry/crd/definition';
import {
  condition,
  list,
  object,
  string,
  type Condition,
  type Schema,
} from '@tenantry/crd/schema/language';
import { named } from './shared-fields.ts';

/** A condition whose time is optional: an override needs none. */
type Override = Omit<Condition, 'lastTransitionTime'> & Partial<Condition>;

const override: Schema<Override> = {
  ...condition("A condition that overrides the operator's own."),
  required: ['type', 'status', 'reason', 'message'],
};

const words = (description: string) => list(description, string('A name.'));

const spec = named(
  'OperatorConditionSpec',
  object('The conditions of an operator for OLM, and their overrides.', {
    conditions: list(
      'The conditions that the operator reports; OLM acts on `Upgradeable`.',
      condition(),
    ),
    overrides: list(
      "The conditions of the cluster's administrator, which take precedence.",
      named('OperatorConditionOverride', override, "A condition that overrides an operator's own."),
    ),
    serviceAccounts: words('The ServiceAccounts that may write it; set by OLM.'),
    deployments: words('The Deployments whose pods get its name; set by OLM.'),
  }),
);

const status = named(
  'OperatorConditionStatus',
  object('The conditions that OLM observed.', { conditions: list('The conditions.', condition()) }),
);

/**
 * The kind by which an operator reports its conditions to OLM, such as whether it may be upgraded.
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
    v2: { schema: object('The conditions that an operator reports to OLM.', { spec, status }) },
  },
});
