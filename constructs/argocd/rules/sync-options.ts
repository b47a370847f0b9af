import { errorAt, type Finding } from '../../../kube/finding.ts';
import { didYouMean, formatList, findNearest, show, type Path } from '../../../kube/problem.ts';

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
export function validateSyncOptions(options: readonly string[], path: Path): Finding[] {
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
