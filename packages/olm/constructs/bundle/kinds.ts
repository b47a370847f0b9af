import type { AccessRule } from '@tenantry/kube/access';
import type { KubeObject } from '@tenantry/kube/object';
import { builtinNamespaced } from '@tenantry/kube/builtin-kinds';
import {
  definitionOf,
  listVersions,
  type Definition,
  type Version,
} from '@tenantry/crd/definition';
import { sampleObject } from '@tenantry/crd/sample-object';
import type {
  CustomResourceDescription,
  ResourceReference,
} from '../../bundle/cluster-service-version.ts';
import {
  applyDescriptorChanges,
  deriveDescriptors,
  displayName,
} from '../../descriptors/descriptors.ts';
import { NoSample } from '@tenantry/crd/schema/sample';
import { manifestOf } from '@tenantry/operator-kit/parts/names';
import type { OperatorKind, OperatorSpec } from '@tenantry/operator-kit/parts/spec';
import type { BundleProps, ShownKind } from './props.ts';

/** A kind that the bundle contains, by the name of its definition. */
interface OwnedKind {
  readonly name: string;
  readonly definition: Definition;
  readonly shown: ShownKind;
}

function listOwnedKinds({ operator, kinds = {} }: BundleProps): OwnedKind[] {
  return (operator.owned ?? []).map((kind) => {
    const { name } = manifestOf(kind).metadata;
    const shown = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    return { name, definition: toDefinition(kind), shown: shown ?? {} };
  });
}

function toDefinition(kind: OperatorKind): Definition {
  return 'spec' in kind ? definitionOf(kind) : kind;
}

/** Describes the kinds of a bundle, version by version, for display. */
export function describeOwnedKinds(
  props: BundleProps,
  access: readonly AccessRule[],
): CustomResourceDescription[] {
  const made = listCreatedResources(access);
  return listOwnedKinds(props).flatMap((owned) => {
    return listVersions(owned.definition).map((version) => describeKind(owned, version, made));
  });
}

function describeKind(
  { name, definition, shown }: OwnedKind,
  { name: version, schema, subresources }: Version,
  made: readonly ResourceReference[],
): CustomResourceDescription {
  const { kind } = definition;
  const { spec, status } = schema.properties ?? {};
  const { scale } = subresources;
  const replicas = (path: string | undefined, part: string): string | undefined =>
    path?.startsWith(`.${part}.`) === true ? path.slice(part.length + 2) : undefined;
  const specDescriptors = applyDescriptorChanges(
    spec ? deriveDescriptors(spec, 'spec', replicas(scale?.specReplicasPath, 'spec')) : [],
    shown.spec,
  );
  const statusDescriptors = applyDescriptorChanges(
    status
      ? deriveDescriptors(status, 'status', replicas(scale?.statusReplicasPath, 'status'))
      : [],
    shown.status,
  );
  const { resources = made, actions = [] } = shown;
  return {
    name,
    version,
    kind,
    displayName: shown.displayName ?? displayName(kind),
    description: shown.description ?? schema.description ?? displayName(kind),
    ...(resources.length > 0 && { resources }),
    ...(specDescriptors.length > 0 && { specDescriptors }),
    ...(statusDescriptors.length > 0 && { statusDescriptors }),
    ...(actions.length > 0 && { actionDescriptors: actions }),
  };
}

/** API groups of Kubernetes whose usual version is not v1. */
const versions: Readonly<Record<string, string>> = { autoscaling: 'v2' };

/** Lists the namespaced kinds of Kubernetes that the operator may create. */
function listCreatedResources(access: readonly AccessRule[]): ResourceReference[] {
  const created = new Set(
    access
      .filter(({ verbs }) => verbs.includes('create'))
      .map(({ group, resource }) => `${group}/${resource}`),
  );
  const references = [...builtinNamespaced].flatMap(([key, plural]) => {
    const slash = key.indexOf('/');
    const [group, kind] = [key.slice(0, slash), key.slice(slash + 1)];
    // The operator creates these to report and to elect a leader, not for a custom resource.
    if (!created.has(`${group}/${plural}`) || kind === 'Event' || kind === 'Lease') return [];
    return [{ name: '', kind, version: versions[group] ?? 'v1' }];
  });
  return references.toSorted((a, b) => (a.kind < b.kind ? -1 : 1));
}

/** Describes the kinds that another operator must bring, in their storage version. */
export function describeRequiredKinds(operator: OperatorSpec): CustomResourceDescription[] {
  return (operator.required ?? []).map((kind) => {
    const { metadata, spec } = manifestOf(kind);
    const version = spec.versions.find(({ storage }) => storage)?.name ?? '';
    return {
      name: metadata.name,
      version,
      kind: spec.names.kind,
      displayName: displayName(spec.names.kind),
    };
  });
}

/** Lists an example object of each kind in each served version, for people who try the operator. */
export function listExamples(props: BundleProps): object[] {
  return listOwnedKinds(props).flatMap(({ definition, shown }) => {
    const served = listVersions(definition).filter((version) => version.served);
    return served.flatMap(({ name }) => {
      const declared = shown.examples ?? {};
      return Object.hasOwn(declared, name) ? [declared[name]!] : buildSamples(definition, name);
    });
  });
}

/**
 * Builds a sample of a version, or none if no valid one is found. In that case a rule requires an
 * entry in `examples`.
 */
function buildSamples(definition: Definition, version: string): KubeObject[] {
  try {
    const sample = sampleObject(definition, version);
    // Scorecard does not accept an example without a spec.
    return ['spec' in sample ? sample : { ...sample, spec: {} }];
  } catch (error) {
    if (error instanceof NoSample) return [];
    throw error;
  }
}
