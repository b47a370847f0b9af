import type { CustomResourceDefinitionManifest } from '../../../crds/custom-resource-definition.ts';
import type { Definition } from '../../../crds/definition.ts';

/** A kind: its definition, as `define` gives it and `crd import` writes it, or the CustomResourceDefinition itself. */
export type OperatorKind = Definition | CustomResourceDefinitionManifest;
