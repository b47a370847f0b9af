import { isDeepStrictEqual } from 'node:util';
import {
  kindOf,
  metadataOf,
  setCondition,
  core,
  type Live,
  type ConditionInput,
  type Written,
} from '@tenantry/runtime';
import { portRule } from './definition.ts';

export const PortRule = kindOf(portRule, 'v1');

/** The kind Node with metadata only: a node has kilobytes of status, which change every few minutes. */
export const Node = metadataOf(core.Node);

export type Rule = Live<typeof PortRule>;
type ConfigMap = Live<typeof core.ConfigMap>;

/** The namespace of the operator and of the ConfigMaps. */
export const NAMESPACE = 'portrule-operator';

/** Returns the name of a host's ConfigMap. */
export const configMapName = (host: string) => ({ namespace: NAMESPACE, name: host });

/** Indexes rules by host. */
export const hostOf = ({ spec }: Rule): readonly string[] => [spec.host];

/** The observed state of a host. */
export interface Host {
  readonly name: string;
  readonly node: Live<typeof Node> | undefined;
  readonly rules: readonly Rule[];
  readonly configMap: ConfigMap | undefined;
}

/** The next write: one of these, or none. */
export interface Plan {
  /** The ConfigMap to create; the node is to be its owner. */
  readonly create?: Written<typeof core.ConfigMap>;
  /** The ConfigMap to update. Its resource version protects changes of others. */
  readonly update?: ConfigMap;
  /** The ConfigMap to delete, in this version. */
  readonly remove?: ConfigMap;
}

/**
 * Plans the write that makes the ConfigMap of a host list its open ports. A ConfigMap that the node
 * does not own is left alone. That of a deleted node is garbage-collected.
 */
export function planOf(host: Host): Plan {
  const { name, node, configMap } = host;
  if (!node || isTaken(host)) return {};
  const ports = [...inForce(host).values()].map(({ spec }) => spec);
  if (ports.length === 0) return configMap ? { remove: configMap } : {};
  const data = { rules: rulesOf(name, ports) };
  if (!configMap) return { create: { metadata: configMapName(name), data } };
  return isDeepStrictEqual(configMap.data, data) ? {} : { update: { ...configMap, data } };
}

/** Returns the merge patch for the status of a rule of the host; undefined where the status is up to date. */
export function statusPatchOf(rule: Rule, host: Host, date: Date) {
  const { generation: observedGeneration = 0, resourceVersion } = rule.metadata;
  const applied = { type: 'Applied', ...appliedTo(rule, host), observedGeneration };
  const conditions = setCondition(rule.status?.conditions, applied, date);
  const { namespace, name } = configMapName(host.name);
  const place = applied.status === 'True' ? { configMap: `${namespace}/${name}` } : {};
  if (isDeepStrictEqual(rule.status, { conditions, ...place })) return undefined;
  // With the resource version, a patch that arrives late is refused.
  return { metadata: { resourceVersion }, status: { configMap: null, conditions, ...place } };
}

function appliedTo(rule: Rule, host: Host): Omit<ConditionInput, 'type'> {
  const not = (reason: string, message: string) => ({ status: 'False', reason, message }) as const;
  const { port } = rule.spec;
  const where = `the ConfigMap ${NAMESPACE}/${host.name}`;
  if (!host.node) return not('NoSuchHost', `there is no node ${host.name}`);
  const holder = inForce(host).get(port);
  if (holder && holder.metadata.uid !== rule.metadata.uid) {
    return not('PortTaken', `${holder.metadata.name} has the port ${port} of ${host.name}`);
  }
  if (isTaken(host)) return not('NameTaken', `${where} is not of the node`);
  const lines = host.configMap?.data?.['rules']?.split('\n') ?? [];
  if (!lines.includes(lineOf(rule.spec))) return not('Pending', `${where} does not have it yet`);
  return { status: 'True', reason: 'Rendered', message: `${where} has it` };
}

/** Returns the rule in force for each port: the oldest one that is not being deleted. */
function inForce({ rules }: Host): ReadonlyMap<number, Rule> {
  const staying = rules.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const oldestLast = staying.toSorted((one, other) => (isOlder(one, other) ? 1 : -1));
  return new Map(oldestLast.map((rule) => [rule.spec.port, rule]));
}

function isOlder({ metadata: one }: Rule, { metadata: other }: Rule): boolean {
  const [since, until] = [one.creationTimestamp, other.creationTimestamp];
  return since === until ? one.name < other.name : since < until;
}

/** Whether another owner has the ConfigMap. */
function isTaken({ node, configMap }: Host): boolean {
  const owners = configMap?.metadata.ownerReferences ?? [];
  const isOurs = owners.some(({ controller, uid }) => controller && uid === node?.metadata.uid);
  return configMap !== undefined && !isOurs;
}

/** An open TCP port. */
export interface OpenPort {
  readonly name: string;
  readonly port: number;
  readonly isPermanent: boolean;
}

/**
 * Renders the open ports of a host for `iptables-restore --noflush`. It guarantees:
 *
 * - The rules are loaded as a whole or not at all, and other chains are not changed.
 * - The same ports give the same text, in whatever order; the numbers must be unique.
 * - Whatever a name contains, a port is one line, and the name only its comment.
 */
export function rulesOf(host: string, ports: readonly OpenPort[]): string {
  const lines = [
    `# The open ports of ${quoted(host)}`,
    '*filter',
    ':PORTS-PERMANENT - [0:0]',
    ':PORTS-RUNTIME - [0:0]',
    ...ports.toSorted((one, other) => one.port - other.port).map(lineOf),
    'COMMIT',
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** Renders the line of a port. */
export function lineOf({ name, port, isPermanent }: OpenPort): string {
  const chain = isPermanent ? 'PORTS-PERMANENT' : 'PORTS-RUNTIME';
  return `-A ${chain} -p tcp -m tcp --dport ${port} -m comment --comment ${quoted(name)} -j ACCEPT`;
}

/** Keeps letters, digits, punctuation and symbols; encodes the rest and quotation marks, as %0A. */
function quoted(text: string): string {
  const plain = text.toWellFormed();
  return `"${plain.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|["%\\]/gu, encodeURIComponent)}"`;
}
