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
import { named } from './named.ts';
import {
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
  'What is changed in objects before they are applied.',
  named(
    'KustomizationPatch',
    object('What is changed, in which objects.', {
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
  'Images that are taken in place of others.',
  named(
    'KustomizationImage',
    object('An image.', {
      name: required(string('What it is called in the objects.')),
      newName: string('What it is called instead.'),
      newTag: string('Its tag.'),
      digest: string('Its digest, in place of a tag.'),
    }),
  ),
);

const dependsOn = list(
  'What has to be ready before: Kustomizations.',
  named(
    'KustomizationDependency',
    object('A Kustomization.', {
      name: required(string('Its name.')),
      namespace: string('Its namespace.', { absent: 'the same' }),
      readyExpr: string('When it is ready, in CEL, of `self` and `dep`.', {
        absent: 'when it says so, of the same revision',
      }),
    }),
  ),
);

const health = {
  healthChecks: list(
    'Objects that have to be healthy; not heeded beside `wait`.',
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
  wait: boolean('Whether all objects have to be healthy.', { absent: 'false' }),
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
      configMapRef: localReference('The ConfigMap that says how one comes in without one.'),
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
  object('What, from where, how often, and what goes.', {
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
    prune: required(boolean('Whether what left Git is deleted.')),
    deletionPolicy: enumOf(
      'What becomes of the objects when the Kustomization is deleted.',
      ['MirrorPrune', 'Delete', 'WaitForTermination', 'Orphan'],
      { absent: '`MirrorPrune`: they are deleted where `prune` is said' },
    ),
    interval: required(interval('How often objects are applied again.')),
    retryInterval: interval('How soon it is tried again after a failure.', '`interval`'),
    timeout: interval('How long an attempt may take.', '`interval`'),
    dependsOn,
    serviceAccountName: string('A ServiceAccount of the same namespace, as whom it applies.', {
      absent: "Flux' own",
    }),
    kubeConfig,
    targetNamespace: string('The namespace of all objects.', { minLength: 1, maxLength: 63 }),
    namePrefix: string('What all names begin with.', { minLength: 1, maxLength: 200 }),
    nameSuffix: string('What all names end with.', { minLength: 1, maxLength: 200 }),
    commonMetadata: named(
      'KustomizationMetadata',
      object('What all objects have.', {
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
    force: boolean('Whether what cannot be changed is made anew.', { default: false }),
    suspend: boolean('Whether all is left as it is.', { absent: 'false' }),
  }),
);

const status = named(
  'KustomizationStatus',
  object(
    'What came of it.',
    {
      conditions: statusConditions,
      lastAppliedRevision: string('The revision that was applied last.'),
      lastAppliedOriginRevision: string('What that was made of.'),
      lastAttemptedRevision: string('The revision that was tried last.'),
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
            lastReconciledStatus: required(string('What came of it.')),
            totalReconciliations: required(integer('How often it was.', { format: 'int64' })),
            metadata: texts('What else is known of it.'),
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
