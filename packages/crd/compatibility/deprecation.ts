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
import { buildSides, type Change, type Judgement } from './change.ts';
import { isLessStable, stabilityOf } from './version-priority.ts';

type ChangeReporter = (version: string, field: string, judgement: Judgement) => void;

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
  const report: ChangeReporter = (version, field, judgement) => {
    found.push({ version, path: field, ...judgement });
  };
  const olds = new Map(before.spec.versions.map((version) => [version.name, version]));
  const news = new Map(after.spec.versions.map((version) => [version.name, version]));
  for (const [name, old] of olds) {
    const now = news.get(name);
    if (!now) reportRemovedVersion(old, stored, report);
    else {
      compareServed(old, now, report);
      compareDeprecated(old, now, after.spec.versions, report);
    }
  }
  for (const [name, version] of news)
    if (!olds.has(name)) reportAddedVersion(version, after, report);
  for (const name of stored ?? []) {
    if (olds.has(name) || news.has(name)) continue;
    const message = 'objects are stored in it, and it is in neither definition';
    report(name, '', { rule: 'stored-version', verdict: 'breaking', message, before: true });
  }
  compareStorage(olds, news, report);
  return found;
}

function reportRemovedVersion(
  old: CustomResourceDefinitionVersion,
  stored: readonly string[] | undefined,
  report: ChangeReporter,
): void {
  const { name } = old;
  const isStored = old.storage || (stored?.includes(name) ?? false);
  if (isStored) {
    const why = old.storage ? 'it is the storage version of OLD' : 'status.storedVersions has it';
    const message = `objects are stored in it (${why}): the API server refuses to drop it until they are migrated`;
    report(name, '', { rule: 'stored-version', verdict: 'breaking', message, before: true });
  }
  if (old.served) report(name, '', judgeEndOfService(old, 'version-removed', 'removed'));
  else if (!isStored) {
    const message = 'it was not served';
    report(name, '', { rule: 'version-removed', verdict: 'compatible', message });
  }
}

function compareServed(
  old: CustomResourceDefinitionVersion,
  now: CustomResourceDefinitionVersion,
  report: ChangeReporter,
): void {
  if (old.served === now.served) return;
  if (old.served)
    report(old.name, 'served', judgeEndOfService(old, 'version-served', 'not served any more'));
  else {
    const message = 'clients may use it';
    const change = { rule: 'version-served', before: false, after: true };
    report(old.name, 'served', { ...change, verdict: 'compatible', message });
  }
}

/** Judges the removal of a version: it must have been deprecated before, and a stable version must stay. */
function judgeEndOfService(
  { name, deprecated }: CustomResourceDefinitionVersion,
  rule: string,
  how: string,
): Judgement {
  const change = { rule, before: true, after: false };
  if (stabilityOf(name) === 'ga') {
    const message = `${how}: a stable version may be deprecated, and stays`;
    return { ...change, verdict: 'breaking', message };
  }
  if (deprecated !== true) {
    const message = `${how}, and was not deprecated before: its clients were not warned`;
    return { ...change, verdict: 'breaking', message };
  }
  const term =
    stabilityOf(name) === 'beta'
      ? '; for a beta the policy requires 9 months or 3 releases in between'
      : '';
  return {
    ...change,
    verdict: 'compatible',
    message: `${how}, as its deprecation announced${term}`,
  };
}

function compareDeprecated(
  old: CustomResourceDefinitionVersion,
  now: CustomResourceDefinitionVersion,
  versions: readonly CustomResourceDefinitionVersion[],
  report: ChangeReporter,
): void {
  const [a, b] = [old.deprecated ?? false, now.deprecated ?? false];
  if (a !== b) {
    const change = { rule: 'deprecated', before: a, after: b };
    const others = versions.filter(
      ({ name, served, deprecated }) => name !== now.name && served && deprecated !== true,
    );
    if (!b) {
      const message = 'clients are not warned any more';
      report(now.name, 'deprecated', { ...change, verdict: 'compatible', message });
    } else if (others.some(({ name }) => !isLessStable(name, now.name))) {
      const message = 'clients are warned, and have another version that is as stable';
      report(now.name, 'deprecated', { ...change, verdict: 'compatible', message });
    } else {
      const have = others.length === 0 ? 'no other version' : 'less stable versions only';
      const message = `must have a version beside it that is served, not deprecated and at least as stable; there ${others.length === 0 ? 'is' : 'are'} ${have}`;
      report(now.name, 'deprecated', { ...change, verdict: 'breaking', message });
    }
  }
  const [from, to] = [old.deprecationWarning, now.deprecationWarning];
  if (from === to) return;
  const message = 'words for people';
  const change = { rule: 'documentation', ...buildSides(from, to) };
  report(now.name, 'deprecationWarning', { ...change, verdict: 'compatible', message });
}

function reportAddedVersion(
  version: CustomResourceDefinitionVersion,
  after: CustomResourceDefinitionManifest,
  report: ChangeReporter,
): void {
  const { name, served } = version;
  const converts = after.spec.conversion?.strategy === 'Webhook' ? ' through the webhook' : '';
  const message = served
    ? `the version is new; objects of others are read in it${converts}`
    : 'the version is new, and not served';
  report(name, '', { rule: 'version-added', verdict: 'compatible', message });
}

function compareStorage(
  olds: ReadonlyMap<string, CustomResourceDefinitionVersion>,
  news: ReadonlyMap<string, CustomResourceDefinitionVersion>,
  report: ChangeReporter,
): void {
  const [from, to] = [olds, news].map((all) => [...all.values()].find(({ storage }) => storage));
  if (from?.name === to?.name) return;
  const change = { rule: 'storage-version', ...buildSides(from?.name, to?.name) };
  if (!from || !to) {
    const message = 'one of the two definitions has no storage version';
    report((from ?? to)!.name, 'storage', { ...change, verdict: 'unknown', message });
    return;
  }
  const known = olds.get(to.name);
  const left = news.get(from.name);
  if (!known?.served) {
    const message = `objects are stored in ${to.name} at once: OLD must have served it beside ${from.name} for one release, so that going back to it loses nothing`;
    report(to.name, 'storage', { ...change, verdict: 'breaking', message });
  } else if (from.served && left?.served === false) {
    const message = `objects are stored in ${to.name} now, and ${from.name} is not served any more: both must be served in the release that moves the storage`;
    report(to.name, 'storage', { ...change, verdict: 'breaking', message });
  } else {
    const message = `objects are stored in ${to.name} from their next write on; OLD served both`;
    report(to.name, 'storage', { ...change, verdict: 'compatible', message });
  }
}
