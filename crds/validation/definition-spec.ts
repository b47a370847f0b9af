import { show, type Path } from '../../kube/problem.ts';
import { checkConversion } from './conversion-webhook.ts';
import type { DecodedSpec } from '../fields/decoded-definition.ts';
import type { Findings } from '../../kube/finding.ts';
import type { Leniency } from './leniency.ts';
import { checkGroup, checkNames } from './definition-names.ts';
import { checkVersions } from './definition-versions.ts';

export function checkSpec(spec: DecodedSpec, findings: Findings, leniency: Leniency): void {
  const path: Path = ['spec'];
  checkGroup(spec, path, findings);
  checkNames(spec.names ?? {}, [...path, 'names'], findings);
  checkVersions(spec.versions ?? [], [...path, 'versions'], findings, leniency);
  checkConversion(spec.conversion, [...path, 'conversion'], findings, leniency);
  const { strategy = 'None' } = spec.conversion ?? {};
  if (spec.preserveUnknownFields && strategy !== 'None') {
    const message = `must be None, since preserveUnknownFields is true, got ${show(strategy)}`;
    findings.addError([...path, 'conversion', 'strategy'], message, 'conversion-strategy');
  }
  if (spec.preserveUnknownFields && !leniency.preserveUnknownFields) {
    const message =
      "must be absent or false, got true; 'x-kubernetes-preserve-unknown-fields: true' in a schema does the same for one place";
    findings.addError([...path, 'preserveUnknownFields'], message, 'preserve-unknown-fields');
  }
}
