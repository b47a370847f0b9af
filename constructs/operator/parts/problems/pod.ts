import type { Findings } from '../../../../kube/finding.ts';
import { A_DNS_LABEL, A_SUBDOMAIN, isDnsLabel, isSubdomain } from '../../../../kube/names.ts';
import { show, type Path } from '../../../../kube/problem.ts';
import { parseQuantity } from '../../../../kube/quantity.ts';
import { filledPod } from '../filled.ts';
import { CERTIFICATES, CERTIFICATES_PATH, WATCHED } from '../names.ts';
import type {
  AudienceToken,
  ContainerResource,
  EnvironmentValue,
  MountedFiles,
} from '../podspec.ts';
import type { OperatorSpec } from '../spec.ts';
import { watchedNamespaces } from '../watch.ts';

/** What runs: how often, with what. */
export function reportPod(spec: OperatorSpec, findings: Findings): void {
  reportReplicas(spec, findings);
  reportResources(spec, findings);
  for (const [name, value] of Object.entries(spec.environment ?? {})) {
    reportVariable(name, value, spec, findings);
  }
  reportFiles(spec.files ?? [], findings);
  const names = [
    ...(spec.imagePullSecrets ?? []).map((name, i) => [['imagePullSecrets', i], name] as const),
    ...(spec.priorityClass === undefined ? [] : [[['priorityClass'], spec.priorityClass] as const]),
  ];
  for (const [path, name] of names) reportName(path, name, findings);
  const { gracePeriod, probes = {} } = spec;
  reportSeconds(['gracePeriod'], gracePeriod, findings);
  if (probes !== false) reportSeconds(['probes', 'startup'], probes.startup, findings);
}

function reportSeconds(path: Path, seconds: number | undefined, findings: Findings): void {
  if (seconds === undefined || (Number.isInteger(seconds) && seconds > 0)) return;
  const message = `must be a whole number of seconds of at least 1, got ${show(seconds)}`;
  findings.error(path, message, 'pod');
}

function reportName(path: Path, name: string, findings: Findings): void {
  if (isSubdomain(name)) return;
  findings.error(path, `must be ${A_SUBDOMAIN}, got ${show(name)}`, 'pod');
}

function reportReplicas(spec: OperatorSpec, findings: Findings): void {
  const { replicas, election } = filledPod(spec);
  if (!Number.isInteger(replicas) || replicas < 0) {
    const message = `must be a whole number of at least 0, got ${show(replicas)}`;
    findings.error(['replicas'], message, 'pod');
  } else if (election === 'None' && replicas > 1) {
    const message = `must be at most 1 without a leader election, got ${replicas}: all of them would do the same work`;
    findings.error(['replicas'], message, 'pod');
  }
}

function reportResources({ resources = {} }: OperatorSpec, findings: Findings): void {
  for (const name of ['cpu', 'memory', 'ephemeral-storage'] as const) {
    const [request, limit] = (['requests', 'limits'] as const).map((part) => {
      const text = resources[part]?.[name];
      const amount = text === undefined ? undefined : parseQuantity(text);
      if (text !== undefined && (amount === undefined || amount < 0n)) {
        const message = `must be a quantity such as '500m' or '128Mi', got ${show(text)}`;
        findings.error(['resources', part, name], message, 'resources');
      }
      return amount;
    });
    if (request === undefined || limit === undefined || request <= limit) continue;
    const message = `must be at least what is requested (${resources.requests?.[name]}), got ${show(resources.limits?.[name])}`;
    findings.error(['resources', 'limits', name], message, 'resources');
  }
}

/** Source: k8s.io/apimachinery/pkg/util/validation, IsEnvVarName. */
const VARIABLE = /^[-._a-zA-Z][-._a-zA-Z0-9]*$/;

function reportVariable(
  name: string,
  value: EnvironmentValue,
  spec: OperatorSpec,
  findings: Findings,
): void {
  const path = ['environment', name];
  if (!VARIABLE.test(name)) {
    const message =
      "must have a name of letters, digits, '-', '_' and '.', not beginning with a digit";
    findings.error(path, message, 'environment');
  }
  if (name === WATCHED && watchedNamespaces(spec)) {
    findings.error(path, 'must be left out: it is what watch says', 'environment');
  }
  if (typeof value === 'string' || 'field' in value) return;
  if ('resource' in value) return reportDivisor([...path, 'divisor'], value, findings);
  const [kind, { name: of, key }] =
    'secret' in value
      ? (['secret', value.secret] as const)
      : (['configMap', value.configMap] as const);
  reportName([...path, kind, 'name'], of, findings);
  if (/^[-._a-zA-Z0-9]+$/.test(key)) return;
  const message = `must be a key of letters, digits, '-', '_' and '.', got ${show(key)}`;
  findings.error([...path, kind, 'key'], message, 'environment');
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
  findings.error(path, `must be one of ${known.join(', ')}, got ${show(divisor)}`, 'environment');
}

function reportFiles(files: readonly MountedFiles[], findings: Findings): void {
  const names = new Set([CERTIFICATES]);
  const paths = new Set([CERTIFICATES_PATH]);
  for (const [i, { name, path, from }] of files.entries()) {
    const at = ['files', i];
    if (!isDnsLabel(name)) {
      findings.error([...at, 'name'], `must be ${A_DNS_LABEL}, got ${show(name)}`, 'files');
    } else if (names.has(name)) {
      findings.error(
        [...at, 'name'],
        `must be a name of its own, got ${show(name)} again`,
        'files',
      );
    }
    if (!/^\/[^:]+$/.test(path) || path.split('/').includes('..')) {
      const message = `must be the path of a folder from '/' on, without ':' and '..', got ${show(path)}`;
      findings.error([...at, 'path'], message, 'files');
    } else if (paths.has(path)) {
      findings.error(
        [...at, 'path'],
        `must be a path of its own, got ${show(path)} again`,
        'files',
      );
    }
    names.add(name);
    paths.add(path);
    if ('configMap' in from) reportName([...at, 'from', 'configMap'], from.configMap, findings);
    if ('secret' in from) reportName([...at, 'from', 'secret'], from.secret, findings);
    if ('token' in from) reportToken([...at, 'from', 'token'], from.token, findings);
    const size = 'emptyDir' in from ? from.emptyDir.sizeLimit : undefined;
    if (size === undefined || parseQuantity(size) !== undefined) continue;
    const message = `must be a quantity such as '64Mi', got ${show(size)}`;
    findings.error([...at, 'from', 'emptyDir', 'sizeLimit'], message, 'files');
  }
}

/** Source: Kubernetes 1.36, pkg/apis/core/validation, validateProjectionSources */
function reportToken(at: Path, { audience, lifetime }: AudienceToken, findings: Findings): void {
  if (audience === '') {
    findings.error(
      [...at, 'audience'],
      'must say whom the token is for, got an empty text',
      'files',
    );
  }
  if (
    lifetime === undefined ||
    (Number.isInteger(lifetime) && lifetime >= 600 && lifetime <= 2 ** 32)
  )
    return;
  const message = `must be a whole number of seconds from 600 to ${2 ** 32}, got ${show(lifetime)}`;
  findings.error([...at, 'lifetime'], message, 'files');
}
