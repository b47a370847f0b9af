import { show, type Path } from '../../kube/problem.ts';
import type {
  DecodedColumn,
  DecodedScale,
  DecodedSubresources,
} from '../fields/decodeddefinition.ts';
import type { Findings } from '../../kube/finding.ts';

const TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

/** The columns of `kubectl get`. */
export function checkColumns(
  columns: readonly DecodedColumn[],
  path: Path,
  findings: Findings,
): void {
  for (const [i, { name, type, format, jsonPath }] of columns.entries()) {
    const wrong = (field: string, must: string, got: unknown): void => {
      findings.error(
        [...path, i, field],
        `column-${ruleOf[field]}`,
        `must ${must}, got ${show(got)}`,
      );
    };
    if (name === undefined) wrong('name', 'not be empty', name);
    if (type === undefined || !TYPES.includes(type)) {
      wrong('type', `be one of ${TYPES.join(', ')}`, type);
    }
    if (format !== undefined && !FORMATS.includes(format)) {
      wrong('format', `be one of ${FORMATS.join(', ')}`, format);
    }
    if (!jsonPath?.startsWith('.'))
      wrong('jsonPath', "be a JSON path that starts with '.'", jsonPath);
  }
}

const ruleOf: Readonly<Record<string, string>> = {
  name: 'name',
  type: 'type',
  format: 'format',
  jsonPath: 'path',
};

/** The status and scale subresources; only the paths of scale can be wrong. */
export function checkSubresources(
  subresources: DecodedSubresources | undefined,
  path: Path,
  findings: Findings,
): void {
  const scale = subresources?.scale;
  if (!scale) return;
  for (const [field, roots] of Object.entries(scalePaths)) {
    const name = field as keyof DecodedScale;
    const value = scale[name];
    if (name === 'labelSelectorPath' && !value) continue;
    if (roots.some((root) => value?.startsWith(root))) continue;
    const message = `must be a JSON path that starts with '${roots.join("' or '")}', got ${show(value)}`;
    findings.error([...path, 'scale', name], 'scale-path', message);
  }
}

const scalePaths = {
  specReplicasPath: ['.spec.'],
  statusReplicasPath: ['.status.'],
  labelSelectorPath: ['.spec.', '.status.'],
} as const;
