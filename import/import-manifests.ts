import type { Problem } from '@tenantry/kube/problem';
import type { TenantClassDeclaration } from '../model/declaration.ts';
import { findProtection } from '../model/protected.ts';
import { resolveServer } from '../model/argocd-names.ts';
import { resolvePlatform } from '../model/platform.ts';
import { declareFleet, type ImportChoices, type ImportedFleet } from './declare.ts';
import {
  formatClass,
  formatPlatform,
  formatTenant,
  ManifestFiles,
  type OutputFile,
} from './declaration-texts.ts';
import {
  readManifests,
  type ManifestFile,
  type OtherDocument,
  type ReadManifests,
} from './manifests.ts';
import { mergeNamespaces } from './merge-namespaces.ts';
import { sortByNamespace } from './namespaces.ts';
import { observe, type Observation } from './observations.ts';
import { prove, type Proof } from './proof.ts';
import { listComments } from './comments.ts';
import { applySettings, recordSettings, type PlacedSettings } from './tenant-settings.ts';
import {
  tenancySystems,
  translateSystems,
  type TranslatedSource,
} from './systems/translate-systems.ts';
import { createMatcher } from './text-patterns.ts';

/** The result of an import: the files to write, and the proof that they render the source. */
export interface ImportResult {
  readonly namespaces: number;
  /** The platform file. */
  readonly platform: string;
  /** The files of the folder of tenants. */
  readonly files: readonly OutputFile[];
  readonly fleet: ImportedFleet;
  readonly proof: Proof;
  readonly observations: readonly Observation[];
  /** Errors of texts that were left out (`keepGoing`). */
  readonly problems: readonly Problem[];
  /** Documents of the source that are no objects of a cluster. */
  readonly others: readonly OtherDocument[];
  /** What became of the objects of other tenancy systems. */
  readonly translated: TranslatedSource;
  /** What other tenancy systems state about a tenant as a whole. */
  readonly settings: PlacedSettings;
}

/** The texts of a source have errors; nothing can be imported. */
export interface UnreadableSource {
  readonly problems: readonly Problem[];
}

/**
 * Declares the namespaces of manifests as Tenants, with one class and a platform. It is pure: the same manifests in the
 * same order give the same files.
 * @returns the problems of all texts if any of them has one, unless the choice is to keep going
 */
export function importManifests(
  sources: Iterable<ManifestFile>,
  choices: ImportChoices,
): ImportResult | UnreadableSource {
  const read = readManifests(sources);
  if (read.problems.length > 0 && !choices.keepGoing) return { problems: read.problems };
  const result = importObjects(read, choices);
  const isRefused = result.problems.length > 0 && !choices.keepGoing;
  return isRefused ? { problems: result.problems } : result;
}

/** What is known about a cluster besides the objects that are imported from it. */
export interface LiveChoices {
  /** All namespaces of the cluster. */
  readonly existing: ReadonlySet<string>;
  /** Patterns of other managers than the Namespace's whose objects are imported too. Default: none. */
  readonly managedBy?: readonly string[];
}

/**
 * Declares the namespaces of objects as `importManifests` does those of manifests. Objects with an error are left out, and
 * the result has the problem.
 */
export function importObjects(
  { objects, others, problems: broken }: ReadManifests,
  choices: ImportChoices,
  { existing, managedBy = [] }: LiveChoices = { existing: new Set() },
): ImportResult {
  const translated = translateSystems(objects, tenancySystems, listClusters(choices));
  const problems = [...broken, ...translated.problems];
  const platform = resolvePlatform(choices.platform);
  const { namespaces, leftOut } = sortByNamespace(translated.objects, {
    isProtected: (name) => {
      const protection = findProtection(platform, name);
      return protection && `the namespace is protected (${protection.pattern})`;
    },
    isManagerAccepted: createMatcher(managedBy),
    derived: translated.derived,
  });
  const pinned = new Map([...translated.tenants, ...choices.pinned]);
  const fleet = declareFleet(namespaces, { ...choices, pinned }, translated.settings);
  const { settings } = fleet;
  recordSettings(translated.settings, settings);
  const manifests = new ManifestFiles();
  const tenants = fleet.tenants.map(
    ({ name, spec: { className }, namespaces: members }): OutputFile => {
      const entries = members.map(({ entry, found }) =>
        manifests.moveManifests(entry!, found.objects),
      );
      const spec = applySettings(
        mergeNamespaces(name, entries, className),
        settings.placed.get(name),
      );
      const comments = members.flatMap(({ found }) => listComments(found));
      return { path: `${name}.yaml`, text: formatTenant(name, spec, comments) };
    },
  );
  const declarations = tenants.length === 0 ? [] : [...fleet.classes.map(toClassFile), ...tenants];
  const text = formatPlatform(fleet.platform);
  const written = { platform: text, declarations, manifests: manifests.files };
  const left = [...leftOut, ...fleet.leftOut, ...translated.made];
  const proof = prove(written, namespaces, left, fleet.trials);
  return {
    namespaces: namespaces.length,
    platform: text,
    files: [...declarations, ...manifests.files],
    fleet,
    proof,
    observations: observe(namespaces, leftOut, existing),
    problems,
    others,
    translated,
    settings,
  };
}

const toClassFile = (klass: TenantClassDeclaration): OutputFile => ({
  path: `classes/${klass.name}.yaml`,
  text: formatClass(klass),
});

/** Lists the clusters on which tenants will be: those of the platform file, if it has any. */
function listClusters({ platform, cluster }: ImportChoices) {
  return (platform?.clusters ?? [{ name: cluster }]).map(({ name, ...rest }) => {
    const server = resolveServer({ name, ...rest });
    return server === undefined ? { name } : { name, server };
  });
}
