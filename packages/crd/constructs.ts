/** What `import ... from '@tenantry/crd/constructs'` gives: definitions and custom objects as cdk8s constructs. */
import { ApiObject, type ApiObjectMetadata, type GroupVersionKind } from 'cdk8s';
import type { Construct } from 'constructs';
import { requireDeletionConfirmation } from '@tenantry/kube/argocd-directives';
import { crdManifest, getVersion, type Definition, type Schemas } from './definition.ts';
import type { Input } from './schema/language.ts';
import { addSchemaValidation } from './constructs/error-validation.ts';

/** How Argo CD treats the definition. */
export interface CustomResourceDefinitionProps {
  /**
   * Whether Argo CD requires a person's confirmation before it prunes or deletes the definition.
   * Deleting a definition deletes every object of the kind.
   * @default 'Confirm'
   */
  readonly deletion?: 'Confirm' | 'None';
}

/**
 * The CustomResourceDefinition of a kind.
 *
 * @example
 * ```ts
 * import { Chart } from 'cdk8s';
 * import { App } from 'tenantry';
 * import { CustomResourceDefinition } from '@tenantry/crd/constructs';
 * import { redis } from './redis.ts';
 *
 * const app = new App();
 * new CustomResourceDefinition(new Chart(app, 'redis'), 'crd', redis);
 * app.synth();
 * ```
 */
export class CustomResourceDefinition extends ApiObject {
  constructor(
    scope: Construct,
    id: string,
    definition: Definition,
    { deletion = 'Confirm' }: CustomResourceDefinitionProps = {},
  ) {
    const manifest = crdManifest(definition);
    super(scope, id, deletion === 'Confirm' ? requireDeletionConfirmation(manifest) : manifest);
  }
}

/** The fields of a custom resource that are declared: all but the status. */
export type CustomResourceProps<In> = {
  /** Name, namespace, labels, annotations. @default - a name made of the construct's path */
  readonly metadata?: ApiObjectMetadata;
} & {
  readonly [K in keyof In as Exclude<K, 'apiVersion' | 'kind' | 'metadata' | 'status'>]: In[K];
};

/** The class of the objects of one version of a kind. */
export interface CustomResourceClass<Props> {
  new (
    scope: Construct,
    id: string,
    ...props: Record<string, never> extends Props ? [props?: Props] : [props: Props]
  ): ApiObject;
  readonly GVK: GroupVersionKind;
}

/**
 * The typed construct of a kind: wrong fields are refused by the compiler, and whatever else the
 * API server would refuse is reported when the app is synthesized, with lazy values and patches
 * resolved.
 *
 * @example
 * ```ts
 * import { Chart } from 'cdk8s';
 * import { App } from 'tenantry';
 * import { customResource } from '@tenantry/crd/constructs';
 * import { redis } from './redis.ts';
 *
 * class Redis extends customResource(redis, 'v1') {}
 *
 * const app = new App();
 * new Redis(new Chart(app, 'caches'), 'sessions', { spec: { image: 'redis:8', replicas: 3 } });
 * app.synth();
 * ```
 */
export function customResource<S extends Schemas, N extends keyof S & string>(
  definition: Definition<S>,
  version: N,
): CustomResourceClass<CustomResourceProps<Input<S[N]>>> {
  const { kind } = definition;
  const { apiVersion } = getVersion(definition, version);
  return class extends ApiObject {
    static readonly GVK = { apiVersion, kind };

    constructor(scope: Construct, id: string, props: object = {}) {
      super(scope, id, { ...props, apiVersion, kind });
      addSchemaValidation(this, definition);
    }
  };
}
