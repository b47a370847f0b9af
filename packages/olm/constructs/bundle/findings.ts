import { errorAt, prefixFinding, type Finding } from '@tenantry/kube/finding';
import { formatList, show, type Path } from '@tenantry/kube/problem';
import { A_VERSION } from '@tenantry/kube/semver';
import { validateOperatorSpec } from '@tenantry/operator-kit/parts/problems';
import { namespaceOf } from '@tenantry/operator-kit/parts/names';
import { watchedNamespaces } from '@tenantry/operator-kit/parts/rights';
import type { OperatorAdmission, OperatorSpec } from '@tenantry/operator-kit/parts/spec';
import { adaptForOlm } from './install.ts';
import { isInstalledOperator, type BundleProps } from './props.ts';

const RULE = 'bundle-operator';

/** Reports what a bundle cannot express about an operator, and what a bundle lacks. */
export function validateBundleProps(props: BundleProps): Finding[] {
  const { operator } = props;
  const versionFindings = validateVersion(props);
  if (isInstalledOperator(operator)) return versionFindings;
  const wrong = validateOperatorSpec(adaptForOlm(props, operator));
  return [
    ...wrong.map((finding) => prefixFinding(['operator'], finding)),
    ...versionFindings,
    ...validateWebhooks(operator),
    ...validateAccess(operator),
  ];
}

/** Requires a version and a channel, unless the props accept a bundle without them. */
function validateVersion({ operator, channels, accepts = [] }: BundleProps): Finding[] {
  if (accepts.includes(RULE)) return [];
  const findings: Finding[] = [];
  const { version } = operator;
  if (version === undefined) {
    findings.push(
      errorAt(['operator', 'version'], `must be ${A_VERSION}, got ${show(version)}`, RULE),
    );
  }
  if (channels.length === 0) {
    findings.push(errorAt(['channels'], "must name a channel, such as 'stable', got none", RULE));
  }
  return findings;
}

function validateWebhooks({ webhooks }: OperatorSpec): Finding[] {
  if (!webhooks) return [];
  const path: Path = ['operator', 'webhooks'];
  const findings: Finding[] = [];
  if (webhooks.certificates === 'operator') {
    const message = `must be 'cert-manager', got 'operator': OLM creates the certificate and mounts it at the path of cert-manager's`;
    findings.push(errorAt([...path, 'certificates'], message, RULE));
  }
  for (const list of ['validating', 'mutating'] as const) {
    for (const [i, webhook] of (webhooks[list] ?? []).entries()) {
      findings.push(...validateUnsupportedFields(webhook, [...path, list, i]));
    }
  }
  return findings;
}

/**
 * Refuses fields that a webhook of OLM does not have: OLM sets the namespace selector from the
 * OperatorGroup, and supports no match conditions.
 */
function validateUnsupportedFields(webhook: OperatorAdmission, path: Path): Finding[] {
  return (['namespaceSelector', 'matchConditions'] as const).flatMap((field) => {
    if (webhook[field] === undefined) return [];
    const message = 'must be left out: a webhook of OLM has none';
    return [errorAt([...path, field], message, RULE)];
  });
}

/**
 * Refuses rights in namespaces where OLM cannot grant them. OLM grants rights in the whole cluster,
 * or in the operator's namespace and the watched ones.
 */
function validateAccess(operator: OperatorSpec): Finding[] {
  const known = new Set([namespaceOf(operator), ...(watchedNamespaces(operator) ?? [])]);
  return operator.access.flatMap(({ namespaces = [] }, i) => {
    const others = namespaces.filter((namespace) => !known.has(namespace));
    if (others.length === 0) return [];
    const message = `must be the operator's own namespace, or those that it watches, got ${formatList(others)}: OLM grants no rights in other namespaces`;
    return [errorAt(['operator', 'access', i, 'namespaces'], message, RULE)];
  });
}
