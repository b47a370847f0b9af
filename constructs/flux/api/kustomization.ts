import { uncheckedDefinition } from '../../../crds/definition.ts';
import {
  boolean,
  dateTime,
  enumOf,
  integer,
  list,
  object,
  required,
  string,
} from '../../../schema/language.ts';
import {
  named,
  handled,
  interval,
  localReference,
  observedGeneration,
  readyColumns,
  statusConditions,
  strings,
  texts,
} from './parts.ts';

const patches = list(
  'Patches of objects before they are applied.',
  named(
    'KustomizationPatch',
    object('A patch, and the objects that it changes.', {
      patch: required(string('A strategic merge patch, or a JSON patch, as YAML.')),
      target: named(
        'KustomizationPatchTarget',
        object('Which objects.', {
          group: string('Their API group, a regular expression.'),
          version: string('The version of their API, a regular expression.'),
          kind: string('Their kind, a regular expression.'),
          name: string('Their name, a regular expression.'),
          namespace: string('Their namespace, a regular expression.'),
          labelSelector: string('Labels that they have.'),
          annotationSelector: string('Annotations that they have.'),
        }),
      ),
    }),
  ),
);

const images = list(
  'Images that replace others.',
  named(
    'KustomizationImage',
    object('An image.', {
      name: required(string('The name in the objects.')),
      newName: string('The new name.'),
      newTag: string('Its tag.'),
      digest: string('Its digest, in place of a tag.'),
    }),
  ),
);

const dependsOn = list(
  'Kustomizations that must be ready first.',
  named(
    'KustomizationDependency',
    object('A Kustomization.', {
      name: required(string('Its name.')),
      namespace: string('Its namespace.', { absent: 'the same' }),
      readyExpr: string('When it is ready, as CEL over `self` and `dep`.', {
        absent: 'when its status is ready, for the same revision',
      }),
    }),
  ),
);

const health = {
  healthChecks: list(
    'Objects that must be healthy; ignored if `wait` is set.',
    named(
      'KustomizationHealthCheck',
      object('An object.', {
        apiVersion: string('Its apiVersion.'),
        kind: required(string('Its kind.')),
        name: required(string('Its name.')),
        namespace: string('Its namespace.'),
      }),
    ),
  ),
  healthCheckExprs: list(
    'When objects of a kind are healthy.',
    named(
      'KustomizationHealthCheckExpression',
      object('When objects of a kind are healthy, in CEL.', {
        apiVersion: required(string('Their apiVersion.')),
        kind: required(string('Their kind.')),
        current: required(string('They are.')),
        inProgress: string('They will be.'),
        failed: string('They are not.'),
      }),
    ),
  ),
  wait: boolean('Whether all objects must be healthy.', { absent: 'false' }),
};

const kubeConfig = named(
  'KustomizationKubeConfig',
  object(
    'Another cluster.',
    {
      secretRef: named(
        'KustomizationKubeConfigSecret',
        object('The Secret with a kubeconfig.', {
          name: required(string('Its name.')),
          key: string('The key.', { absent: '`value`, or `value.yaml`' }),
        }),
      ),
      configMapRef: localReference(
        'The ConfigMap with the access to the cluster, if there is no kubeconfig.',
      ),
    },
    {
      rules: [
        {
          rule: 'has(self.configMapRef) || has(self.secretRef)',
          message:
            'exactly one of spec.kubeConfig.configMapRef or spec.kubeConfig.secretRef must be specified',
        },
        {
          rule: '!has(self.configMapRef) || !has(self.secretRef)',
          message:
            'exactly one of spec.kubeConfig.configMapRef or spec.kubeConfig.secretRef must be specified',
        },
      ],
    },
  ),
);

const decryption = named(
  'KustomizationDecryption',
  object('How Secrets are decrypted.', {
    provider: required(enumOf('By what.', ['sops'])),
    secretRef: localReference('The Secret with keys.'),
    serviceAccountName: string('A ServiceAccount of the same namespace, for keys of a cloud.'),
  }),
);

const postBuild = named(
  'KustomizationPostBuild',
  object('Variables such as `${cluster}` that are filled in.', {
    substitute: texts('Their values.'),
    substituteFrom: list(
      'Where their values are; those that come later win.',
      named(
        'KustomizationSubstituteReference',
        object('Where values are.', {
          kind: required(enumOf('Its kind.', ['Secret', 'ConfigMap'])),
          name: required(string('Its name.', { minLength: 1, maxLength: 253 })),
          optional: boolean('Whether it may be missing.', { default: false }),
        }),
      ),
    ),
  }),
);

const spec = named(
  'KustomizationSpec',
  object('What is applied, from where, how often, and what is pruned.', {
    sourceRef: required(
      named(
        'KustomizationSource',
        object('Where objects come from.', {
          apiVersion: string('Its apiVersion.'),
          kind: required(
            enumOf('Its kind.', ['OCIRepository', 'GitRepository', 'Bucket', 'ExternalArtifact']),
          ),
          name: required(string('Its name.')),
          namespace: string('Its namespace.', { absent: 'the same' }),
        }),
      ),
    ),
    path: string('The folder in it.', { example: './dist/clusters/eu1/tenants', absent: 'all' }),
    prune: required(boolean('Whether objects that left Git are deleted.')),
    deletionPolicy: enumOf(
      'What happens to the objects when the Kustomization is deleted.',
      ['MirrorPrune', 'Delete', 'WaitForTermination', 'Orphan'],
      { absent: '`MirrorPrune`: they are deleted if `prune` is set' },
    ),
    interval: required(interval('How often objects are applied again.')),
    retryInterval: interval('The delay before a retry.', '`interval`'),
    timeout: interval('How long an attempt may take.', '`interval`'),
    dependsOn,
    serviceAccountName: string('The ServiceAccount of the same namespace that applies objects.', {
      absent: "Flux' own",
    }),
    kubeConfig,
    targetNamespace: string('The namespace of all objects.', { minLength: 1, maxLength: 63 }),
    namePrefix: string('The prefix of all names.', { minLength: 1, maxLength: 200 }),
    nameSuffix: string('The suffix of all names.', { minLength: 1, maxLength: 200 }),
    commonMetadata: named(
      'KustomizationMetadata',
      object('Metadata of all objects.', {
        labels: texts('Labels.'),
        annotations: texts('Annotations.'),
      }),
    ),
    components: strings('Components of Kustomize.'),
    ignoreMissingComponents: boolean('Whether components may be missing.', { absent: 'false' }),
    patches,
    images,
    postBuild,
    decryption,
    ...health,
    force: boolean('Whether objects that cannot be changed are created again.', { default: false }),
    suspend: boolean('Whether it is suspended.', { absent: 'false' }),
  }),
);

const status = named(
  'KustomizationStatus',
  object(
    'The status.',
    {
      conditions: statusConditions,
      lastAppliedRevision: string('The revision that was applied last.'),
      lastAppliedOriginRevision: string('The source revision of it.'),
      lastAttemptedRevision: string('The revision that was attempted last.'),
      inventory: named(
        'KustomizationInventory',
        object('What was applied.', {
          entries: required(
            list(
              'Objects.',
              named(
                'KustomizationInventoryEntry',
                object('An object.', {
                  id: required(string('Which, as namespace_name_group_kind.')),
                  v: required(string('The version of its API.')),
                }),
              ),
            ),
          ),
        }),
      ),
      history: list(
        'What was applied before.',
        named(
          'KustomizationSnapshot',
          object('What was applied.', {
            digest: required(string('Its digest.')),
            firstReconciled: required(dateTime('When it was applied first.')),
            lastReconciled: required(dateTime('When it was applied last.')),
            lastReconciledDuration: required(string('How long that took.')),
            lastReconciledStatus: required(string('The status.')),
            totalReconciliations: required(
              integer('The number of reconciliations.', { format: 'int64' }),
            ),
            metadata: texts('Further metadata.'),
          }),
        ),
      ),
      observedGeneration,
      lastHandledReconcileAt: handled,
    },
    { default: { observedGeneration: -1 } },
  ),
);

/**
 * Objects of a source that Flux keeps in a cluster.
 * Source: https://fluxcd.io/flux/components/kustomize/kustomizations/
 */
export const kustomization = uncheckedDefinition({
  group: 'kustomize.toolkit.fluxcd.io',
  kind: 'Kustomization',
  plural: 'kustomizations',
  shortNames: ['ks'],
  scope: 'Namespaced',
  versions: {
    v1: {
      schema: object('Objects of a source that Flux keeps in a cluster.', { spec, status }),
      additionalPrinterColumns: [
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ...readyColumns,
      ],
    },
  },
});
