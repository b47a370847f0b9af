import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { crdManifest, type Definition } from '../../crds/definition.ts';

/**
 * The CustomResourceDefinition of a kind. Argo CD asks a person before it prunes or deletes it,
 * because every object of the kind would go with it.
 */
export class CustomResourceDefinition extends ApiObject {
  constructor(scope: Construct, id: string, definition: Definition<unknown>) {
    super(scope, id, crdManifest(definition));
  }
}
