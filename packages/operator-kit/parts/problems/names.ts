import type { Findings } from '@tenantry/kube/finding';
import {
  A_DNS_1035_LABEL,
  A_DNS_LABEL,
  A_LABEL_VALUE,
  A_QUALIFIED_NAME,
  isDns1035Label,
  isDnsLabel,
  isLabelValue,
  isQualifiedName,
  lowerCase,
} from '@tenantry/kube/names';
import { show, type Path } from '@tenantry/kube/problem';
import { selectorOf, webhookName } from '../names.ts';
import type { OperatorSpec } from '../spec.ts';

/** An image with a tag or a digest, or both; the registry may be the default one. */
const IMAGE =
  /^[a-z0-9]([-._a-z0-9]*[a-z0-9])?(:[0-9]{1,5}(?=\/))?(\/[a-z0-9]+([-._]+[a-z0-9]+)*)*(?<tag>:[A-Za-z0-9_][-.A-Za-z0-9_]{0,127})?(?<digest>@sha256:[a-f0-9]{64})?$/;

/** Source: https://semver.org */
const SEMVER =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*)(\.(0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*))*)?(\+[\dA-Za-z-]+(\.[\dA-Za-z-]+)*)?$/;

export function reportNames(spec: OperatorSpec, findings: Findings): void {
  const { name, version, image, namespace } = spec;
  if (!isDns1035Label(name)) {
    findings.addError(['name'], `must be ${A_DNS_1035_LABEL}, got ${show(name)}`, 'name');
  } else if (spec.webhooks && !isDns1035Label(webhookName(spec))) {
    const most = 63 - webhookName({ name: '' }).length;
    const message = `must have at most ${most} characters where there are webhooks, whose Service is ${show(webhookName(spec))}`;
    findings.addError(['name'], message, 'name');
  }
  if (version !== undefined && !SEMVER.test(version)) {
    findings.addError(
      ['version'],
      `must be a version such as '1.2.3', got ${show(version)}`,
      'version',
    );
  } else if (version !== undefined && !isLabelValue(version)) {
    findings.addError(['version'], `must be ${A_LABEL_VALUE}, got ${show(version)}`, 'version');
  }
  reportImage(['image'], image, findings);
  if (namespace !== undefined && !isDnsLabel(namespace)) {
    findings.addError(['namespace'], `must be ${A_DNS_LABEL}, got ${show(namespace)}`, 'namespace');
  }
  for (const field of ['labels', 'podLabels'] as const) reportLabels(spec, field, findings);
  for (const key of Object.keys(spec.podAnnotations ?? {})) {
    if (isQualifiedName(lowerCase(key))) continue;
    findings.addError(['podAnnotations', key], `must have ${A_QUALIFIED_NAME} as its key`, 'label');
  }
}

/** An image that stays what it is. */
export function reportImage(path: Path, image: string, findings: Findings): void {
  const { tag, digest } = IMAGE.exec(image)?.groups ?? {};
  if ((tag !== undefined && tag !== ':latest') || digest !== undefined) return;
  const message = `must be an image with a tag that stays, or a digest, such as 'registry.example.com/shops:1.0.0', got ${show(image)}`;
  findings.addError(path, message, 'image');
}

function reportLabels(spec: OperatorSpec, field: 'labels' | 'podLabels', findings: Findings): void {
  for (const [key, value] of Object.entries(spec[field] ?? {})) {
    const path = [field, key];
    if (!isQualifiedName(key)) {
      findings.addError(path, `must have ${A_QUALIFIED_NAME} as its key`, 'label');
    } else if (key in selectorOf(spec)) {
      findings.addError(path, 'must be left out: the pods are found by it', 'label');
    } else if (!isLabelValue(value)) {
      findings.addError(path, `must be ${A_LABEL_VALUE}, got ${show(value)}`, 'label');
    }
  }
}
