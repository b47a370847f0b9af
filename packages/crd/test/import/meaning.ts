import type { CustomResourceDefinitionManifest } from '../../custom-resource-definition.ts';

/**
 * Returns a definition with the API server's defaults and without fields that have no effect:
 * equivalent definitions are equal.
 */
export function meaningOf({ metadata, spec }: CustomResourceDefinitionManifest): object {
  const { preserveUnknownFields = false, conversion, names, versions, ...others } = spec;
  const { name, labels, annotations } = metadata;
  const { kind } = names;
  return {
    metadata: { name, labels: labels ?? {}, annotations: annotations ?? {} },
    spec: {
      ...others,
      preserveUnknownFields,
      names: { singular: kind.toLowerCase(), listKind: `${kind}List`, ...names },
      conversion: conversion ?? { strategy: 'None' },
      versions: versions.map(({ subresources, ...version }) => ({
        ...version,
        ...(Object.keys(subresources ?? {}).length > 0 && { subresources }),
      })),
    },
  };
}
