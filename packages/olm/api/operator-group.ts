import { uncheckedDefinition } from '@tenantry/crd/definition';
import {
  boolean,
  condition,
  dateTime,
  enumOf,
  labelSelector,
  list,
  object,
  required,
  set,
  string,
} from '@tenantry/crd/schema/language';
import { named, objectReference } from './shared-fields.ts';

const spec = named(
  'OperatorGroupSpec',
  object(
    'The namespaces that the operators of a namespace watch.',
    {
      targetNamespaces: set('The namespaces that they watch.', string('A namespace.'), {
        absent: 'those of `selector`; without one, all',
      }),
      selector: labelSelector(
        'Labels of the namespaces that they watch; ignored with `targetNamespaces`.',
      ),
      serviceAccountName: string(
        'A ServiceAccount of the namespace whose rights limit what OLM installs for them.',
        { absent: "OLM's own rights" },
      ),
      staticProvidedAPIs: boolean('Whether OLM leaves the annotation with their kinds unchanged.', {
        absent: 'OLM writes it',
      }),
      upgradeStrategy: enumOf(
        'Whether an upgrade may continue past a failed version.',
        ['Default', 'TechPreviewUnsafeFailForward'],
        { default: 'Default' },
      ),
    },
    { default: { upgradeStrategy: 'Default' } },
  ),
);

const status = named(
  'OperatorGroupStatus',
  object('The observed status.', {
    namespaces: set(
      'The watched namespaces; a single empty string for all.',
      string('A namespace.'),
    ),
    serviceAccountRef: objectReference('The ServiceAccount whose rights are the limit.'),
    conditions: list('The conditions.', condition()),
    lastUpdated: required(dateTime('When the status was last updated.')),
  }),
);

/**
 * The kind that sets the namespaces that the operators of a namespace watch. A namespace has at most one.
 * Source: https://olm.operatorframework.io/docs/concepts/crds/operatorgroup/
 */
export const operatorGroup = uncheckedDefinition({
  group: 'operators.coreos.com',
  kind: 'OperatorGroup',
  plural: 'operatorgroups',
  shortNames: ['og'],
  categories: ['olm'],
  scope: 'Namespaced',
  versions: {
    v1: {
      schema: object('The namespaces that the operators of a namespace watch.', { spec, status }),
    },
  },
});
