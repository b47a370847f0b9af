import { uncheckedDefinition } from '../../crds/definition.ts';
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
} from '../../schema/language.ts';
import { named } from './named.ts';
import { objectReference } from './object-reference.ts';

const spec = named(
  'OperatorGroupSpec',
  object(
    'Which namespaces the operators of a namespace watch.',
    {
      targetNamespaces: set('The namespaces that they watch.', string('A namespace.'), {
        absent: 'those of `selector`; without one, all',
      }),
      selector: labelSelector(
        'Labels of the namespaces that they watch; not heeded beside `targetNamespaces`.',
      ),
      serviceAccountName: string(
        'A ServiceAccount of the namespace whose rights bound what OLM installs for them.',
        { absent: "OLM's own rights" },
      ),
      staticProvidedAPIs: boolean(
        'Whether the annotation with the kinds that they serve is left as it is.',
        { absent: 'OLM writes it' },
      ),
      upgradeStrategy: enumOf(
        'Whether an upgrade may go on past a version that failed.',
        ['Default', 'TechPreviewUnsafeFailForward'],
        { default: 'Default' },
      ),
    },
    { default: { upgradeStrategy: 'Default' } },
  ),
);

const status = named(
  'OperatorGroupStatus',
  object('What came of it.', {
    namespaces: set(
      'The namespaces that are watched; one empty text for all.',
      string('A namespace.'),
    ),
    serviceAccountRef: objectReference('The ServiceAccount whose rights bound.'),
    conditions: list('What is the case.', condition()),
    lastUpdated: required(dateTime('When this was written.')),
  }),
);

/**
 * Which namespaces the operators of a namespace watch; there is one in a namespace.
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
      schema: object('Which namespaces the operators of a namespace watch.', { spec, status }),
    },
  },
});
