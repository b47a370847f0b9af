import { expect, test } from '@jest/globals';
import {
  errorAt,
  Findings,
  formatFinding,
  notCheckedAt,
  toProblem,
  warningAt,
} from '../finding.ts';

const path = ['spec', 'ports', 0];

test('findings are sorted into errors, warnings and not-checked', () => {
  const findings = new Findings();
  const found = [errorAt, warningAt, notCheckedAt].map((at) => at(path, 'must be a', 'rule'));
  for (const finding of found) findings.add(finding);
  expect(findings).toMatchObject({
    errors: [{ severity: 'error' }],
    warnings: [{ severity: 'warning' }],
    notChecked: [{ severity: 'not-checked' }],
  });
  findings.addError(path, 'must be a', 'rule');
  findings.addWarning(path, 'must be a', 'rule');
  findings.addNotChecked(path, 'must be a', 'rule');
  expect([findings.errors[1], findings.warnings[1], findings.notChecked[1]]).toEqual(found);
});

test('a problem has the place of its finding, and the path as text', () => {
  const finding = { ...errorAt(path, "must be a port, got 'x'", 'port'), atKey: true };
  expect(toProblem(finding, { file: 'a.yaml', line: 3, column: 5 })).toEqual({
    file: 'a.yaml',
    line: 3,
    column: 5,
    path: 'spec.ports[0]',
    message: "must be a port, got 'x'",
    rule: 'port',
  });
  expect(formatFinding(finding)).toBe("spec.ports[0] must be a port, got 'x'");
  expect(formatFinding(errorAt([], 'must be a mapping', 'type'))).toBe('must be a mapping');
});
