import fc from 'fast-check';
import { annotations, anyNamespace, at, labels } from './attack.ts';
import * as dictionary from './dictionary.ts';
import { classes } from './worlds.ts';

/** Names of objects, and their destinations. */
export const names = fc.oneof(
  at(
    'spec.namespaces',
    anyNamespace.map((name) => [{ name }]),
  ),
  at('spec.namespaces.0.name', anyNamespace),
  at('spec.namespacePrefix', fc.constantFrom(...dictionary.prefixes)),
  at(
    'metadata.name',
    fc.constantFrom(
      'mallory',
      'victim',
      'kube-system',
      'platform-x',
      'mallory-dev',
      '..',
      'a/b',
      'bystander',
      'open',
    ),
  ),
  at('spec.clusters', fc.constantFrom(['eu1'], ['eu2'], ['eu1', 'eu2'], ['nowhere'], ['..'])),
  at('spec.namespaces.0.clusters', fc.constantFrom(['eu1'], ['eu2'], ['eu1', 'eu2'])),
  at('spec.className', fc.constantFrom(...Object.keys(classes), 'default', 'none', 'constructor')),
  at('spec.environment', fc.constantFrom('prod', 'dev', 'other', '__proto__')),
  at('spec.namespaces.0.environment', fc.constantFrom('prod', 'dev', 'x', 'constructor')),
  at('spec.namespaces.0.lifecycle', fc.constantFrom('Active', 'Suspended', 'Retired')),
  at('spec.description', fc.constantFrom(...dictionary.annotationValues)),
);

/** Labels, annotations and other metadata. */
export const metadata = fc.oneof(
  at('metadata.labels', labels),
  at('metadata.annotations', annotations),
  at(
    'metadata',
    fc.constantFrom(
      { finalizers: ['x/y'] },
      { ownerReferences: [] },
      { namespace: 'victim' },
      { generateName: 'x' },
      { uid: 'x' },
    ),
  ),
  at('status', fc.constant({ phase: 'Ready' })),
  at('spec.labels', labels),
  at('spec.annotations', annotations),
  at('spec.namespaces.0.labels', labels),
  at('spec.namespaces.0.annotations', annotations),
  at(
    'spec.contact',
    fc.dictionary(
      fc.constantFrom('team', 'channel', 'owner', 'constructor', 'argocd.argoproj.io/hook'),
      fc.constantFrom(...dictionary.annotationValues),
      { minKeys: 1, noNullPrototype: true },
    ),
  ),
  at(
    'spec.serviceAccounts',
    fc
      .record(
        {
          name: fc.constantFrom('default', 'x', 'argocd-application-controller'),
          labels,
          annotations,
        },
        { requiredKeys: ['name'] },
      )
      .map((one) => [one]),
  ),
);
