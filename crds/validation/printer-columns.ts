import { show, type Path } from '../../kube/problem.ts';
import type { DecodedColumn } from '../fields/decoded-definition.ts';
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
      findings.addError(
        [...path, i, field],
        `must ${must}, got ${show(got)}`,
        `column-${ruleOf[field]}`,
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
