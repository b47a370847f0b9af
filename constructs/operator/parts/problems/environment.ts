import type { Findings } from '../../../../kube/finding.ts';
import { show, type Path } from '../../../../kube/problem.ts';
import type { ContainerResource, EnvironmentSource, EnvironmentValue } from '../pod-spec.ts';
import type { OperatorSpec } from '../spec.ts';
import { reportObjectName } from './name-of-object.ts';

/** Source: k8s.io/apimachinery/pkg/util/validation, IsEnvVarName. */
const VARIABLE = /^[-._a-zA-Z][-._a-zA-Z0-9]*$/;

/** The variables of a container, which is at `at`. */
export function reportEnvironment(at: Path, container: Variables, findings: Findings): void {
  const { environment = {}, environmentFrom = [] } = container;
  for (const [name, value] of Object.entries(environment)) {
    reportVariable([...at, 'environment', name], name, value, findings);
  }
  for (const [i, source] of environmentFrom.entries()) {
    reportSource([...at, 'environmentFrom', i], source, findings);
  }
}

type Variables = Pick<OperatorSpec, 'environment' | 'environmentFrom'>;

function reportVariable(
  path: Path,
  name: string,
  value: EnvironmentValue,
  findings: Findings,
): void {
  if (!VARIABLE.test(name)) {
    const message =
      "must have a name of letters, digits, '-', '_' and '.', not beginning with a digit";
    findings.addError(path, message, 'environment');
  }
  if (typeof value === 'string' || 'field' in value) return;
  if ('resource' in value) return reportDivisor([...path, 'divisor'], value, findings);
  const [kind, { name: of, key }] =
    'secret' in value
      ? (['secret', value.secret] as const)
      : (['configMap', value.configMap] as const);
  reportObjectName([...path, kind, 'name'], of, findings);
  if (/^[-._a-zA-Z0-9]+$/.test(key)) return;
  const message = `must be a key of letters, digits, '-', '_' and '.', got ${show(key)}`;
  findings.addError([...path, kind, 'key'], message, 'environment');
}

function reportSource(path: Path, source: EnvironmentSource, findings: Findings): void {
  const { prefix = '' } = source;
  const [kind, name] =
    'secret' in source ? ['secret', source.secret] : ['configMap', source.configMap];
  reportObjectName([...path, kind], name, findings);
  if ('secret' in source && 'configMap' in source) {
    findings.addError(path, 'must be of a ConfigMap or of a Secret, got both', 'environment');
  }
  if (prefix === '' || VARIABLE.test(prefix)) return;
  const message = `must begin a name of letters, digits, '-', '_' and '.', not with a digit, got ${show(prefix)}`;
  findings.addError([...path, 'prefix'], message, 'environment');
}

/** Source: Kubernetes 1.36, pkg/apis/core/validation, validateContainerResourceDivisor */
const CPU_DIVISORS = ['1m', '1'];
const BYTE_DIVISORS = [
  '1',
  ...[...'kMGTPE', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((unit) => `1${unit}`),
];

function reportDivisor(
  path: Path,
  { resource, divisor }: { readonly resource: ContainerResource; readonly divisor?: string },
  findings: Findings,
): void {
  const known = resource.endsWith('.cpu') ? CPU_DIVISORS : BYTE_DIVISORS;
  if (divisor === undefined || known.includes(divisor)) return;
  findings.addError(
    path,
    `must be one of ${known.join(', ')}, got ${show(divisor)}`,
    'environment',
  );
}
