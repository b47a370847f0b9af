/**
 * The rules for whole versions: which may be removed, stored or deprecated.
 *
 * Source:
 * https://kubernetes.io/docs/reference/using-api/deprecation-policy/#deprecating-parts-of-the-api
 * and
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/#upgrade-existing-objects-to-a-new-stored-version
 */
import type {
  CustomResourceDefinitionManifest,
  CustomResourceDefinitionVersion,
} from '../custom-resource-definition.ts';
import { buildChangesOf, type Change, type ChangeBuilder, type Difference } from './change.ts';
import { isLessStable, parseStability } from './version-priority.ts';

/**
 * Judges every change in the life of a version by the deprecation policy of Kubernetes and the API
 * server's requirements for stored versions.
 * @param stored the versions in which objects of OLD may be stored (`status.storedVersions`), if
 * known
 */
export function compareLifecycles(
  before: CustomResourceDefinitionManifest,
  after: CustomResourceDefinitionManifest,
  stored: readonly string[] | undefined,
): Change[] {
  const found: Change[] = [];
  const olds = new Map(before.spec.versions.map((version) => [version.name, version]));
  const news = new Map(after.spec.versions.map((version) => [version.name, version]));
  for (const [name, old] of olds) {
    const changeAt = buildChangesOf(found, name);
    const now = news.get(name);
    if (now) {
      compareServed(old, now, changeAt);
      compareDeprecated(old, now, after.spec.versions, changeAt);
    } else reportRemovedVersion(old, stored, changeAt);
  }
  for (const [name, version] of news) {
    if (!olds.has(name)) reportAddedVersion(version, after, buildChangesOf(found, name));
  }
  for (const name of stored ?? []) {
    if (olds.has(name) || news.has(name)) continue;
    const change = buildChangesOf(found, name)('', 'stored-version', true);
    change.breaking('objects are stored in it, and it is in neither definition');
  }
  compareStorage(olds, news, found);
  return found;
}

function reportRemovedVersion(
  old: CustomResourceDefinitionVersion,
  stored: readonly string[] | undefined,
  changeAt: ChangeBuilder,
): void {
  const isStored = old.storage || (stored?.includes(old.name) ?? false);
  if (isStored) {
    const why = old.storage ? 'it is the storage version of OLD' : 'status.storedVersions has it';
    changeAt('', 'stored-version', true).breaking(
      `objects are stored in it (${why}): the API server refuses to drop it until they are migrated`,
    );
  }
  if (old.served) judgeEndOfService(old, changeAt('', 'version-removed', true, false), 'removed');
  else if (!isStored) changeAt('', 'version-removed').compatible('it was not served');
}

function compareServed(
  old: CustomResourceDefinitionVersion,
  now: CustomResourceDefinitionVersion,
  changeAt: ChangeBuilder,
): void {
  if (old.served === now.served) return;
  const change = changeAt('served', 'version-served', old.served, now.served);
  if (old.served) judgeEndOfService(old, change, 'not served any more');
  else change.compatible('clients may use it');
}

/** Judges the removal of a version: it must have been deprecated before, and a stable version must stay. */
function judgeEndOfService(
  { name, deprecated }: CustomResourceDefinitionVersion,
  change: Difference,
  how: string,
): void {
  if (parseStability(name) === 'ga') {
    change.breaking(`${how}: a stable version may be deprecated, and stays`);
  } else if (deprecated !== true) {
    change.breaking(`${how}, and was not deprecated before: its clients were not warned`);
  } else {
    const term =
      parseStability(name) === 'beta'
        ? '; for a beta the policy requires 9 months or 3 releases in between'
        : '';
    change.compatible(`${how}, as its deprecation announced${term}`);
  }
}

function compareDeprecated(
  old: CustomResourceDefinitionVersion,
  now: CustomResourceDefinitionVersion,
  versions: readonly CustomResourceDefinitionVersion[],
  changeAt: ChangeBuilder,
): void {
  const [a, b] = [old.deprecated ?? false, now.deprecated ?? false];
  if (a !== b) {
    const change = changeAt('deprecated', 'deprecated', a, b);
    const others = versions.filter(
      ({ name, served, deprecated }) => name !== now.name && served && deprecated !== true,
    );
    if (!b) change.compatible('clients are not warned any more');
    else if (others.some(({ name }) => !isLessStable(name, now.name))) {
      change.compatible('clients are warned, and have another version that is as stable');
    } else {
      const have = others.length === 0 ? 'is no other version' : 'are less stable versions only';
      change.breaking(
        `must have a version beside it that is served, not deprecated and at least as stable; there ${have}`,
      );
    }
  }
  const [from, to] = [old.deprecationWarning, now.deprecationWarning];
  if (from === to) return;
  changeAt('deprecationWarning', 'documentation', from, to).compatible('words for people');
}

function reportAddedVersion(
  { served }: CustomResourceDefinitionVersion,
  after: CustomResourceDefinitionManifest,
  changeAt: ChangeBuilder,
): void {
  const converts = after.spec.conversion?.strategy === 'Webhook' ? ' through the webhook' : '';
  const message = served
    ? `the version is new; objects of others are read in it${converts}`
    : 'the version is new, and not served';
  changeAt('', 'version-added').compatible(message);
}

function compareStorage(
  olds: ReadonlyMap<string, CustomResourceDefinitionVersion>,
  news: ReadonlyMap<string, CustomResourceDefinitionVersion>,
  found: Change[],
): void {
  const [from, to] = [olds, news].map((all) => [...all.values()].find(({ storage }) => storage));
  if (from?.name === to?.name) return;
  const { name } = (to ?? from)!;
  const change = buildChangesOf(found, name)('storage', 'storage-version', from?.name, to?.name);
  if (!from || !to) return change.unknown('one of the two definitions has no storage version');
  if (!olds.get(name)?.served) {
    change.breaking(
      `objects are stored in ${name} at once: OLD must have served it beside ${from.name} for one release, so that going back to it loses nothing`,
    );
  } else if (from.served && news.get(from.name)?.served === false) {
    change.breaking(
      `objects are stored in ${name} now, and ${from.name} is not served any more: both must be served in the release that moves the storage`,
    );
  } else {
    change.compatible(`objects are stored in ${name} from their next write on; OLD served both`);
  }
}
