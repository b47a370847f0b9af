import type { KubeObject } from '@tenantry/kube/object';
import { isMapping } from '@tenantry/kube/mapping';
import { isDeepEqual } from '@tenantry/kube/json';
import type { Bundle, BundleManifest } from '../../bundle/bundle.ts';
import {
  clusterServiceVersion,
  CSV_KIND,
  type ClusterServiceVersionSpec,
} from '../../bundle/cluster-service-version.ts';
import {
  findDefinitionsConvertedByOlm,
  normalizeBundle,
  normalizeDefinition,
  findDifferences,
} from '../../normalization/normalized-bundle.ts';
import { fillRequiredFields } from '../../normalization/normalized-fields.ts';
import { buildBundleAnnotations, buildScorecardConfig } from '../bundle/files.ts';
import { bundleName, type BundleProps } from '../bundle/props.ts';
import { parseAnnotationProps, parseMetadataProps, parseSpecProps } from './spec-props.ts';
import type { CustomResourceDefinitionManifest } from '@tenantry/crd/custom-resource-definition';
import { crdManifest, definitionOf } from '@tenantry/crd/definition';
import { importDefinitions } from '@tenantry/crd/import';
import { readDefinitions } from '@tenantry/crd/manifests';

/** A bundle as the props that reproduce it, as far as props can. */
export interface BundleAsProps {
  readonly props: BundleProps;
  /** The definitions of `owned`, in their order. */
  readonly definitions: readonly DefinitionModule[];
}

/** @param sourceOf returns from where the definitions in a file of the bundle can be imported again */
export function parseProps(bundle: Bundle, sourceOf: (file: string) => string): BundleAsProps {
  const { spec = {} } = fillRequiredFields(clusterServiceVersion, bundle.csv?.value ?? {}) as {
    readonly spec?: Partial<ClusterServiceVersionSpec>;
  };
  const metadata = bundle.csv?.value.metadata ?? {};
  const { definitions, manifests } = splitObjects(bundle, sourceOf);
  const name = findPackageName(bundle);
  const { version, install, webhookdefinitions: webhooks = [], displayName = '' } = spec;
  const { examples, ...annotated } = parseAnnotationProps(
    (metadata.annotations ?? {}) as Record<string, string>,
  );
  const { customResources, ...specProps } = parseSpecProps(spec);
  const props: BundleProps = {
    operator: {
      name,
      ...(version !== undefined && { version }),
      ...(definitions.length > 0 && { owned: definitions.map(({ manifest }) => manifest) }),
      install: install?.spec ?? { deployments: [] },
      ...(webhooks.length > 0 && { webhooks }),
    },
    displayName,
    ...specProps,
    ...annotated,
    ...parseMetadataProps(bundle),
    ...(customResources && { customResources }),
    ...(examples && { examples }),
    ...(manifests.length > 0 && { manifests }),
    ...(metadata.labels && { csvLabels: metadata.labels as Record<string, string> }),
    scorecard: bundle.scorecard?.value ?? false,
    ...(!/^\d[\w.+-]*$/.test(version ?? '') && {
      folder: `olm/bundle/${formatFolderName(bundle, name)}`,
    }),
  };
  return { props: addOverrides(bundle, props), definitions };
}

/** Formats a folder name for a bundle whose version is invalid. */
function formatFolderName({ csv }: Bundle, name: string): string {
  return (csv?.name || name).replaceAll(/[^\w-]+/g, '-');
}

/** Adds what differs from the defaults of the props. */
function addOverrides(bundle: Bundle, props: BundleProps): BundleProps {
  const name = bundle.csv?.name ?? '';
  const labels = normalizeBundle(bundle).labels as Record<string, string>;
  const usual = isDeepEqual(props.scorecard, buildScorecardConfig());
  const { scorecard: _, ...others } = props;
  const bare: BundleProps = usual ? others : props;
  const annotations = diffAnnotations(bundle, bare);
  return {
    ...bare,
    ...(name !== '' && name !== bundleName(props) && { name }),
    ...(Object.keys(annotations).length > 0 && { bundleAnnotations: annotations }),
    ...(Object.keys(labels).length > 0 && { imageLabels: labels }),
  };
}

/** The annotations about the paths of files, which Tenantry sets itself. */
const ownAnnotations = new Set([
  'operators.operatorframework.io.bundle.manifests.v1',
  'operators.operatorframework.io.bundle.metadata.v1',
  'operators.operatorframework.io.bundle.mediatype.v1',
  'operators.operatorframework.io.test.config.v1',
  'operators.operatorframework.io.test.mediatype.v1',
]);

function diffAnnotations({ annotations }: Bundle, props: BundleProps) {
  const { values } = annotations;
  const usual = buildBundleAnnotations(props);
  const left = Object.keys(usual).filter((key) => !ownAnnotations.has(key) && !(key in values));
  const differing = Object.entries(values).filter(
    ([key, value]) =>
      usual[key] !== value && (!ownAnnotations.has(key) || isOtherMedium(key, value)),
  );
  return {
    ...Object.fromEntries(left.map((key) => [key, false as const])),
    ...Object.fromEntries(differing),
  };
}

function isOtherMedium(key: string, value: string): boolean {
  return key === 'operators.operatorframework.io.bundle.mediatype.v1' && value !== 'registry+v1';
}

/** Reads the package's name from the annotations, or derives it from the name of the ClusterServiceVersion. */
function findPackageName({ annotations, csv }: Bundle): string {
  const annotated = annotations.values['operators.operatorframework.io.bundle.package.v1'];
  const name = (csv?.name ?? '').replace(/[.-]v?\d.*$/, '');
  return annotated || name || 'operator';
}

/** Separates the definitions that become modules from all other objects, which stay as they are. */
function splitObjects(bundle: Bundle, sourceOf: (file: string) => string) {
  const csv = bundle.manifests.find(({ kind }) => kind === CSV_KIND);
  const converted = findDefinitionsConvertedByOlm(csv?.value ?? {});
  const definitions: DefinitionModule[] = [];
  const manifests: KubeObject[] = [];
  for (const manifest of bundle.manifests) {
    if (manifest === csv) continue;
    const module =
      manifest.kind === 'CustomResourceDefinition'
        ? buildDefinitionModule(manifest, sourceOf(manifest.file), converted)
        : undefined;
    if (module && !definitions.some(({ path }) => path === module.path)) definitions.push(module);
    else if (isObject(manifest)) manifests.push(withoutTimestamp(manifest.value));
  }
  return { definitions, manifests };
}

/** Returns whether a manifest has a name. An object without one cannot be created, and gets no file. */
function isObject(manifest: BundleManifest): manifest is BundleManifest<KubeObject> {
  return manifest.apiVersion !== '' && manifest.name !== '';
}

/** Removes `creationTimestamp: null`, which Go writes if there is no timestamp. */
function withoutTimestamp({ metadata, ...object }: KubeObject): KubeObject {
  const { apiVersion, kind, ...rest } = object;
  const kept = Object.entries(metadata).filter(
    ([key, value]) => isMapping(metadata) && !(key === 'creationTimestamp' && value === null),
  );
  return {
    apiVersion,
    kind,
    metadata: Object.fromEntries(kept) as KubeObject['metadata'],
    ...rest,
  } as KubeObject;
}

/** A definition of a bundle as a module of TypeScript. */
export interface DefinitionModule {
  readonly manifest: CustomResourceDefinitionManifest;
  readonly path: string;
  readonly text: string;
  /** The name under which it exports the definition. */
  readonly name: string;
}

/**
 * Renders a CustomResourceDefinition as a module, as `crd import` writes it. Returns undefined if
 * the module would not define the same: another version of the format, names that are not file
 * names, or fields that the reader of definitions drops.
 * @param source from where the definition can be imported again
 * @param converted the definitions whose conversion OLM fills in
 */
function buildDefinitionModule(
  { file, value }: BundleManifest,
  source: string,
  converted: ReadonlySet<unknown>,
): DefinitionModule | undefined {
  const { definitions, problems } = readDefinitions(file, JSON.stringify(value));
  const [located] = definitions;
  if (!located || definitions.length > 1 || problems.length > 0) return undefined;
  const { modules } = importDefinitions([{ located, source }]);
  const [module] = modules;
  if (!module) return undefined;
  const manifest = crdManifest(definitionOf(located.manifest));
  const bare = { ...manifest, spec: { ...manifest.spec } };
  delete bare.spec.conversion;
  const [one, other] = [value, bare as unknown as typeof value].map((each) =>
    normalizeDefinition(each, converted),
  );
  if (findDifferences(one, other).length > 0) return undefined;
  return { manifest, path: module.path, text: module.text, name: module.definition };
}
