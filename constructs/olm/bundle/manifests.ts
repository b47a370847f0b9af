import { groupOf, type KubeObject } from '../../../kube/object.ts';
import type { CustomResourceDefinitionManifest } from '../../../crds/customresourcedefinition.ts';
import { manifestOf } from '../../operator/parts/names.ts';
import type { OperatorParts } from '../../operator/parts/parts.ts';
import type { BundleProps } from './props.ts';

/** A manifest of a bundle, and the name of its file. */
export interface BundleObject {
  readonly file: string;
  readonly object: KubeObject;
}

/** What a bundle holds beside its ClusterServiceVersion: definitions, and what stands around the Deployment. */
export function bundleObjects({ operator }: BundleProps, parts: OperatorParts): BundleObject[] {
  const definitions = (operator.owned ?? []).map((kind) => bareDefinition(manifestOf(kind)));
  const { workload } = parts;
  const around = [
    workload.service,
    workload['service-monitor'],
    workload['network-policy'],
    workload['disruption-budget'],
  ].filter((object) => object !== undefined);
  return [
    ...definitions.map((object) => {
      const { group, names } = object.spec;
      return { file: `${group}_${names.plural}.yaml`, object };
    }),
    ...around.map((object) => ({ file: fileOf(object), object: withoutNamespace(object) })),
  ];
}

/** Without what OLM fills in: how a webhook of the bundle converts, and where it is asked. */
function bareDefinition(
  manifest: CustomResourceDefinitionManifest,
): CustomResourceDefinitionManifest {
  const { conversion: _, ...spec } = manifest.spec;
  return { ...manifest, spec };
}

/** OLM puts everything where the operator is. */
function withoutNamespace({ metadata, ...rest }: KubeObject): KubeObject {
  const { namespace: _, ...others } = metadata;
  const { apiVersion, kind, ...more } = rest;
  return { apiVersion, kind, metadata: others, ...more };
}

/** `<name>_<group>_<version>_<kind>.yaml`, without a group for the core group. */
function fileOf({ apiVersion, kind, metadata }: KubeObject): string {
  const group = groupOf(apiVersion);
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  const parts = [metadata.name, group, version, kind.toLowerCase()];
  return `${parts.filter((part) => part !== '').join('_')}.yaml`;
}
