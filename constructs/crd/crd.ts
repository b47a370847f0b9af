import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { crdManifest, type Definition } from '../../crds/definition.ts';
import type { CustomResourceDefinitionManifest } from '../../crds/customresourcedefinition.ts';

/** How Argo CD treats the definition. */
export interface CustomResourceDefinitionProps {
  /**
   * Whether Argo CD asks a person before it prunes or deletes the definition, because every object
   * of the kind would go with it.
   * @default 'Confirm'
   */
  readonly deletion?: 'Confirm' | 'None';
}

const SYNC_OPTIONS = 'argocd.argoproj.io/sync-options';

/**
 * The CustomResourceDefinition of a kind.
 *
 * @example
 * ```ts
 * import { Chart } from 'cdk8s';
 * import { App } from 'tenantry';
 * import { CustomResourceDefinition } from 'tenantry/crd';
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
    super(scope, id, deletion === 'Confirm' ? confirmed(manifest) : manifest);
  }
}

/** Source: https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/ */
function confirmed(manifest: CustomResourceDefinitionManifest): CustomResourceDefinitionManifest {
  const { annotations } = manifest.metadata;
  const said = annotations?.[SYNC_OPTIONS]?.split(',') ?? [];
  const options = [...new Set([...said, 'Prune=confirm', 'Delete=confirm'])].join(',');
  return {
    ...manifest,
    metadata: { ...manifest.metadata, annotations: { ...annotations, [SYNC_OPTIONS]: options } },
  };
}
