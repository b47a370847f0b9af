import { posix } from 'node:path';
import { isMapping, listAt } from '@tenantry/kube/mapping';

const SCHEMA =
  'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** A report in the Static Analysis Results Interchange Format, and what it cannot hold. */
export interface SarifReport {
  readonly log: object;
  /** The number of problems without a file in the repository. Code scanning accepts none. */
  readonly left: number;
}

/**
 * Converts the problems and warnings of a JSON report to SARIF 2.1.0.
 * @param report what `--output json` of `check`, `synth` or `plan` printed
 * @param folder the folder that its paths are relative to, from the root of the repository
 */
export function buildSarif(report: unknown, folder: string, version: string): SarifReport {
  const found = [
    ...listAt(report, ['problems']).map((problem) => buildResult(problem, 'error', folder)),
    ...listAt(report, ['warnings']).map((problem) => buildResult(problem, 'warning', folder)),
  ];
  const results = found.flatMap((one) => one ?? []);
  const rules = [...new Set(results.map(({ ruleId }) => ruleId))].toSorted();
  const driver = { name: 'tenantry', version, rules: rules.map((id) => ({ id })) };
  return {
    log: {
      $schema: SCHEMA,
      version: '2.1.0',
      runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results }],
    },
    left: found.length - results.length,
  };
}

function buildResult(problem: unknown, level: 'error' | 'warning', folder: string) {
  if (!isMapping(problem)) return undefined;
  const { file, line, column, path, message, rule } = problem;
  if (typeof file !== 'string' || typeof message !== 'string' || typeof rule !== 'string') {
    return undefined;
  }
  const place = posix.join(folder, file.replaceAll('\\', '/'));
  if (place.startsWith('../') || posix.isAbsolute(file)) return undefined;
  const uri = place.split('/').map(encodeURIComponent).join('/');
  // Code scanning needs a line: a problem of the whole file is at its first.
  const region = {
    startLine: isPlace(line) ? line : 1,
    ...(isPlace(line) && isPlace(column) && { startColumn: column }),
  };
  const text = typeof path === 'string' && path !== '' ? `${path} ${message}` : message;
  return {
    ruleId: rule,
    level,
    message: { text },
    locations: [
      { physicalLocation: { artifactLocation: { uri, uriBaseId: '%SRCROOT%' }, region } },
    ],
  };
}

const isPlace = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) > 0;
