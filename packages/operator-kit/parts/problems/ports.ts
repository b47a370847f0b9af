import type { Findings } from '@tenantry/kube/finding';
import { show, formatList, type Path } from '@tenantry/kube/problem';
import { resolvePod, resolveMetrics, webhookPort } from '../resolved-pod.ts';
import { HEALTH, METRICS, WEBHOOKS } from '../names.ts';
import type { OperatorPort } from '../pod-spec.ts';
import type { OperatorSpec } from '../spec.ts';

type At = readonly (string | number)[];

/** Source: k8s.io/apimachinery/pkg/util/validation, IsValidPortName. */
const PORT_NAME = /^(?=.*[a-z])(?!.*--)[a-z0-9]([-a-z0-9]{0,13}[a-z0-9])?$/;

/** Reports ports that need privileges, and ports with two purposes. */
export function reportPorts(spec: OperatorSpec, findings: Findings): void {
  const ports = listDeclaredPorts(spec);
  for (const [i, [path, , port]] of ports.entries()) {
    if (!Number.isInteger(port) || port < 1024 || port > 65_535) {
      const message = `must be a port from 1024 to 65535, got ${show(port)}`;
      findings.addError(path, message, 'port');
    }
    const same = ports.slice(0, i).find(([, , other]) => other === port);
    if (same) {
      findings.addError(
        path,
        `must be a port of its own, got ${port}, which is that of ${same[1]}`,
        'port',
      );
    }
  }
  reportPortNames(spec, findings);
  if (spec.probes) {
    const names = resolvePod(spec).containers[0].ports.map(({ name }) => name);
    reportProbes(['probes'], spec.probes, ['a declared port', names], findings);
  }
  reportMetricsPath(spec, findings);
}

/** Lists each port with its place in the spec and its name. */
function listDeclaredPorts(spec: OperatorSpec): readonly (readonly [At, string, number])[] {
  const { probes = {}, webhooks } = spec;
  const metrics = resolveMetrics(spec);
  const health = probes === false ? undefined : (probes.port ?? 8081);
  return [
    ...(metrics ? [[['metrics', 'port'], METRICS, metrics.port] as const] : []),
    ...(typeof health === 'number' ? [[['probes', 'port'], HEALTH, health] as const] : []),
    ...(webhooks ? [[['webhooks', 'port'], WEBHOOKS, webhookPort(spec)] as const] : []),
    ...listOtherPorts(spec).map(([at, { name, port }]) => [[...at, 'port'], name, port] as const),
  ];
}

/** Lists the ports that users name, in all containers. Containers of a pod share one address. */
function listOtherPorts({
  ports = [],
  sidecars = [],
}: OperatorSpec): readonly (readonly [At, OperatorPort])[] {
  return [
    ...ports.map((port, i) => [['ports', i], port] as const),
    ...sidecars.flatMap((one, i) =>
      (one.ports ?? []).map((port, j) => [['sidecars', i, 'ports', j], port] as const),
    ),
  ];
}

function reportPortNames(spec: OperatorSpec, findings: Findings): void {
  const taken = new Set([HEALTH, METRICS, WEBHOOKS]);
  for (const [at, { name }] of listOtherPorts(spec)) {
    const path = [...at, 'name'];
    if (!PORT_NAME.test(name)) {
      const message = `must be a name of at most 15 lower-case letters, digits and single '-', got ${show(name)}`;
      findings.addError(path, message, 'port');
    } else if (taken.has(name)) {
      findings.addError(path, `must be a name of its own, got ${show(name)} again`, 'port');
    }
    taken.add(name);
  }
}

function reportMetricsPath({ metrics }: OperatorSpec, findings: Findings): void {
  if (!metrics || metrics.path === undefined || metrics.path.startsWith('/')) return;
  const message = `must be a path from '/' on, got ${show(metrics.path)}`;
  findings.addError(['metrics', 'path'], message, 'metrics');
}

/** The probes of a container. */
interface ProbeSpec {
  /** The name of one of the container's ports, or the number of a port that it gets. */
  readonly port?: string | number;
  readonly live?: string;
  readonly ready?: string;
}

/**
 * Reports errors in the probes at `at`. `names` are the ports of the container, and `whose`
 * describes them in messages.
 */
export function reportProbes(
  at: Path,
  probes: ProbeSpec,
  [whose, names]: readonly [whose: string, names: readonly string[]],
  findings: Findings,
): void {
  const { port } = probes;
  if (typeof port === 'string' && !names.includes(port)) {
    const known = names.length === 0 ? 'none is declared' : `one of ${formatList(names)}`;
    const message = `must be ${whose} (${known}), got ${show(port)}`;
    findings.addError([...at, 'port'], message, 'probe');
  }
  for (const which of ['live', 'ready'] as const) {
    const path = probes[which];
    if (path === undefined || path.startsWith('/')) continue;
    findings.addError([...at, which], `must be a path from '/' on, got ${show(path)}`, 'probe');
  }
}
