import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { crdManifest, type Definition } from '../../crds/definition.ts';
import { requireDeletionConfirmation } from './confirmed.ts';

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
    super(scope, id, deletion === 'Confirm' ? requireDeletionConfirmation(manifest) : manifest);
  }
}
