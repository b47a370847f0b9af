import type { Findings } from '@tenantry/kube/finding';
import { show, type Path } from '@tenantry/kube/problem';
import { resolvePod } from '../resolved-pod.ts';
import { WATCHED, CONTAINER, CERTIFICATES, CERTIFICATES_PATH } from '../names.ts';
import type { OperatorSpec } from '../spec.ts';
import { watchedNamespaces } from '../rights.ts';
import { A_DNS_LABEL, isDnsLabel, A_SUBDOMAIN, isSubdomain } from '@tenantry/kube/names';
import { reportImage } from './names.ts';
import { reportProbes } from './ports.ts';
import { parseQuantity } from '@tenantry/kube/quantity';
import type {
  ContainerResource,
  EnvironmentSource,
  EnvironmentValue,
  AudienceToken,
  MountedFiles,
} from '../pod-spec.ts';
import { isDeepStrictEqual } from 'node:util';
import { buildVolume } from '../container.ts';

/** Reports errors in what the pods run, and in the number of replicas. */
export function reportPod(spec: OperatorSpec, findings: Findings): void {
  reportReplicas(spec, findings);
  reportResources([], spec, findings);
  reportEnvironment([], spec, findings);
  if (WATCHED in (spec.environment ?? {}) && watchedNamespaces(spec)) {
    const message = 'must be left out: watch sets it';
    findings.addError(['environment', WATCHED], message, 'environment');
  }
  reportFiles(spec, findings);
  reportPullSecrets(spec, findings);
  if (spec.priorityClass !== undefined) {
    reportObjectName(['priorityClass'], spec.priorityClass, findings);
  }
  const { gracePeriod, probes = {} } = spec;
  reportSeconds(['gracePeriod'], gracePeriod, findings);
  if (probes !== false) reportSeconds(['probes', 'startup'], probes.startup, findings);
}

/** Reports duplicate names: server-side apply identifies entries by name. */
function reportPullSecrets({ imagePullSecrets = [] }: OperatorSpec, findings: Findings): void {
  for (const [i, name] of imagePullSecrets.entries()) {
    const path = ['imagePullSecrets', i];
    reportObjectName(path, name, findings);
    if (imagePullSecrets.indexOf(name) === i) continue;
    findings.addError(path, `must be a name of its own, got ${show(name)} again`, 'pod');
  }
}

function reportSeconds(path: Path, seconds: number | undefined, findings: Findings): void {
  if (seconds === undefined || (Number.isInteger(seconds) && seconds > 0)) return;
  const message = `must be a whole number of seconds of at least 1, got ${show(seconds)}`;
  findings.addError(path, message, 'pod');
}

function reportReplicas(spec: OperatorSpec, findings: Findings): void {
  const { replicas, election } = resolvePod(spec);
  if (!Number.isInteger(replicas) || replicas < 0) {
    const message = `must be a whole number of at least 0, got ${show(replicas)}`;
    findings.addError(['replicas'], message, 'pod');
  } else if (election === 'None' && replicas > 1) {
    const message = `must be at most 1 without a leader election, got ${replicas}: all of them would do the same work`;
    findings.addError(['replicas'], message, 'pod');
  }
}

/** Reports errors in the sidecars. Their mounts and ports are validated together with those of all containers. */
export function reportSidecars({ sidecars = [] }: OperatorSpec, findings: Findings): void {
  const names = new Set([CONTAINER]);
  for (const [i, one] of sidecars.entries()) {
    const at = ['sidecars', i];
    const { name } = one;
    if (!isDnsLabel(name)) {
      findings.addError([...at, 'name'], `must be ${A_DNS_LABEL}, got ${show(name)}`, 'sidecar');
    } else if (names.has(name)) {
      const message = `must be a name of its own, got ${show(name)} again`;
      findings.addError([...at, 'name'], message, 'sidecar');
    }
    names.add(name);
    reportImage([...at, 'image'], one.image, findings);
    reportEnvironment(at, one, findings);
    reportResources(at, one, findings);
    if (one.probes) {
      const ports = (one.ports ?? []).map((port) => port.name);
      reportProbes([...at, 'probes'], one.probes, ['a port of the sidecar', ports], findings);
    }
  }
}

/** Reports errors in the requests and limits of the container at `at`. */
function reportResources(
  at: Path,
  { resources = {} }: Pick<OperatorSpec, 'resources'>,
  findings: Findings,
): void {
  for (const name of ['cpu', 'memory', 'ephemeral-storage'] as const) {
    const [request, limit] = (['requests', 'limits'] as const).map((part) => {
      const text = resources[part]?.[name];
      const amount = text === undefined ? undefined : parseQuantity(text);
      if (text !== undefined && (amount === undefined || amount < 0n)) {
        const message = `must be a quantity such as '500m' or '128Mi', got ${show(text)}`;
        findings.addError([...at, 'resources', part, name], message, 'resources');
      }
      return amount;
    });
    if (request === undefined || limit === undefined || request <= limit) continue;
    const message = `must be at least what is requested (${resources.requests?.[name]}), got ${show(resources.limits?.[name])}`;
    findings.addError([...at, 'resources', 'limits', name], message, 'resources');
  }
}

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

/** Reports errors in the files that are mounted into the containers of the pods. */
export function reportFiles({ files = [], sidecars = [] }: OperatorSpec, findings: Findings): void {
  const volumes = new Map(files.map((one) => [one.name, one]));
  reportMounts(['files'], files, findings);
  for (const [i, sidecar] of sidecars.entries()) {
    const at = ['sidecars', i, 'files'];
    reportMounts(at, sidecar.files ?? [], findings);
    for (const [j, one] of (sidecar.files ?? []).entries()) {
      const other = volumes.get(one.name) ?? one;
      volumes.set(one.name, other);
      if (isDeepStrictEqual(buildVolume(one), buildVolume(other))) continue;
      const message = `must be what the volume ${show(one.name)} is of in the other container, got another one`;
      findings.addError([...at, j, 'from'], message, 'files');
    }
  }
}

/** Into one container. */
function reportMounts(all: Path, files: readonly MountedFiles[], findings: Findings): void {
  const names = new Set([CERTIFICATES]);
  const paths = new Set([CERTIFICATES_PATH]);
  for (const [i, { name, path, from }] of files.entries()) {
    const at = [...all, i];
    if (!isDnsLabel(name)) {
      findings.addError([...at, 'name'], `must be ${A_DNS_LABEL}, got ${show(name)}`, 'files');
    } else if (names.has(name)) {
      findings.addError(
        [...at, 'name'],
        `must be a name of its own, got ${show(name)} again`,
        'files',
      );
    }
    if (!/^\/[^:]+$/.test(path) || path.split('/').includes('..')) {
      const message = `must be the path of a folder from '/' on, without ':' and '..', got ${show(path)}`;
      findings.addError([...at, 'path'], message, 'files');
    } else if (paths.has(path)) {
      findings.addError(
        [...at, 'path'],
        `must be a path of its own, got ${show(path)} again`,
        'files',
      );
    }
    names.add(name);
    paths.add(path);
    if ('configMap' in from)
      reportObjectName([...at, 'from', 'configMap'], from.configMap, findings);
    if ('secret' in from) reportObjectName([...at, 'from', 'secret'], from.secret, findings);
    if ('token' in from) reportToken([...at, 'from', 'token'], from.token, findings);
    const size = 'emptyDir' in from ? from.emptyDir.sizeLimit : undefined;
    if (size === undefined || parseQuantity(size) !== undefined) continue;
    const message = `must be a quantity such as '64Mi', got ${show(size)}`;
    findings.addError([...at, 'from', 'emptyDir', 'sizeLimit'], message, 'files');
  }
}

/** Source: Kubernetes 1.36, pkg/apis/core/validation, validateProjectionSources */
function reportToken(at: Path, { audience, lifetime }: AudienceToken, findings: Findings): void {
  if (audience === '') {
    findings.addError(
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
  findings.addError([...at, 'lifetime'], message, 'files');
}

/** The name of an object that the pods use: a Secret, a ConfigMap. */
export function reportObjectName(path: Path, name: string, findings: Findings): void {
  if (isSubdomain(name)) return;
  findings.addError(path, `must be ${A_SUBDOMAIN}, got ${show(name)}`, 'pod');
}
