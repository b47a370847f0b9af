import { errorAt, prefixFinding, type Finding } from '@tenantry/kube/finding';
import { show, didYouMean, formatList, findNearest, type Path } from '@tenantry/kube/problem';
import type { ApplicationSource, ApplicationSpec } from '../api/types.ts';

/**
 * Validates what Argo CD would not sync of an Application, and what it would ignore. Paths begin at the spec.
 * Source: ValidatePermissions in util/argo/argo.go of argo-cd
 */
export function validateApplication(spec: ApplicationSpec): Finding[] {
  const { automated } = spec.syncPolicy ?? {};
  const findings = [
    ...validateProjectName(spec),
    ...validateDestination(spec),
    ...validateSources(spec),
    ...validateSyncOptions(spec.syncPolicy?.syncOptions ?? [], ['syncPolicy', 'syncOptions']),
  ];
  const { managedNamespaceMetadata, syncOptions = [] } = spec.syncPolicy ?? {};
  if (managedNamespaceMetadata && !syncOptions.includes('CreateNamespace=true')) {
    const message =
      "must be left out without 'CreateNamespace=true', without which it is passed over";
    const path = ['syncPolicy', 'managedNamespaceMetadata'];
    findings.push(errorAt(path, message, 'application-sync-option'));
  }
  if (automated?.allowEmpty && !automated.prune) {
    const message = 'must be left out where nothing is pruned';
    const path = ['syncPolicy', 'automated', 'allowEmpty'];
    findings.push(errorAt(path, message, 'application-sync-option'));
  }
  return findings;
}

function validateProjectName({ project }: ApplicationSpec): Finding[] {
  if (project !== '' && project !== 'default') return [];
  const message = `must be an AppProject of its own, got ${show(project)}: the project 'default' lets in everything`;
  return [errorAt(['project'], message, 'application-project')];
}

function validateDestination({ destination }: ApplicationSpec): Finding[] {
  const { server = '', name = '' } = destination;
  if ((server === '') !== (name === '')) return [];
  const got = server === '' ? 'neither' : 'both';
  const message = `must have server or name, got ${got}`;
  return [errorAt(['destination'], message, 'application-destination')];
}

function validateSources({ source, sources, sourceHydrator }: ApplicationSpec): Finding[] {
  const given = [source, sources, sourceHydrator].filter((one) => one !== undefined);
  if (given.length !== 1) {
    const got = given.length === 0 ? 'none' : 'several, of which one counts';
    const message = `must have one of source, sources and sourceHydrator, got ${got}`;
    return [errorAt([], message, 'application-source')];
  }
  if (sources?.length === 0) {
    return [errorAt(['sources'], 'must hold a source, got an empty list', 'application-source')];
  }
  if (source) return validateSource(source, false).map((one) => prefixFinding(['source'], one));
  return (sources ?? []).flatMap((one, i) =>
    validateSource(one, true).map((fault) => prefixFinding(['sources', i], fault)),
  );
}

/** @param isOfMany whether other sources may take values from it */
function validateSource(source: ApplicationSource, isOfMany: boolean): Finding[] {
  const { repoURL, path = '', chart = '', ref = '', targetRevision = '' } = source;
  const findings: Finding[] = [];
  const add = (at: Path, message: string): void => {
    findings.push(errorAt(at, message, 'application-source'));
  };
  if (repoURL === '') add(['repoURL'], `must be the address of a repository, got ''`);
  if (path === '' && chart === '' && !(isOfMany && ref !== '')) {
    add([], `must have path or chart${isOfMany ? ', or ref' : ''}, got neither`);
  }
  if (path !== '' && chart !== '') add(['chart'], 'must be left out beside path');
  if (path.startsWith('/')) add(['path'], `must be relative to the repository, got ${show(path)}`);
  if (chart !== '' && targetRevision === '') {
    add(['targetRevision'], 'must be the version of the chart, got nothing');
  }
  return findings;
}

/**
 * The options of an Application's syncs, with their allowed values.
 * Source: https://argo-cd.readthedocs.io/en/release-3.5/user-guide/sync-options/
 */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  ApplyOutOfSyncOnly: ['true', 'false'],
  ClientSideApplyMigration: ['true', 'false'],
  CreateNamespace: ['true', 'false'],
  Delete: ['true', 'false', 'confirm'],
  FailOnSharedResource: ['true', 'false'],
  Force: ['true', 'false'],
  Prune: ['true', 'false', 'confirm'],
  PruneLast: ['true', 'false'],
  PrunePropagationPolicy: ['foreground', 'background', 'orphan'],
  Replace: ['true', 'false'],
  RespectIgnoreDifferences: ['true', 'false'],
  ServerSideApply: ['true', 'false'],
  SkipDryRunOnMissingResource: ['true', 'false'],
  Validate: ['true', 'false'],
};

/** Validates sync options: those that Argo CD would silently ignore, and those that override each other. */
function validateSyncOptions(options: readonly string[], path: Path): Finding[] {
  const findings = options.flatMap((option, i) => {
    const fault = findOptionFault(option);
    return fault === undefined ? [] : [errorAt([...path, i], fault, 'application-sync-option')];
  });
  const replaces = options.indexOf('Replace=true');
  if (replaces >= 0 && options.includes('ServerSideApply=true')) {
    const message = "must be left out beside 'ServerSideApply=true', which it takes the place of";
    findings.push(errorAt([...path, replaces], message, 'application-sync-option'));
  }
  return findings;
}

function findOptionFault(option: string): string | undefined {
  const at = option.indexOf('=');
  const name = at < 0 ? option : option.slice(0, at);
  const values = Object.hasOwn(OPTIONS, name) ? OPTIONS[name]! : undefined;
  if (!values) {
    const meant = didYouMean(findNearest(name, Object.keys(OPTIONS)));
    return `must be an option that Argo CD knows, got ${show(option)}${meant}`;
  }
  if (values.includes(option.slice(at + 1))) return undefined;
  return `must be ${formatList(
    values.map((value) => `'${name}=${value}'`),
    ' or ',
  )}, got ${show(option)}`;
}
