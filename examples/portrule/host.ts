import { isDeepStrictEqual } from 'node:util';
import {
  kindOf,
  metadataOf,
  setCondition,
  core,
  type Live,
  type ConditionInput,
  type Written,
} from '../../runtime.ts';
import { portRule } from './definition.ts';
import { lineOf, rulesOf } from './iptables.ts';

export const PortRule = kindOf(portRule, 'v1');

/** A node has kilobytes of status, and says something new every few minutes: its name is enough. */
export const Node = metadataOf(core.Node);

export type Rule = Live<typeof PortRule>;
type ConfigMap = Live<typeof core.ConfigMap>;

/** Where the ConfigMaps lie, and the operator. */
export const NAMESPACE = 'portrule-operator';

/** The ConfigMap of a host. */
export const configMapName = (host: string) => ({ namespace: NAMESPACE, name: host });

/** By which rules are found in a cache. */
export const hostOf = ({ spec }: Rule): readonly string[] => [spec.host];

/** What there is of a host. */
export interface Host {
  readonly name: string;
  readonly node: Live<typeof Node> | undefined;
  readonly rules: readonly Rule[];
  readonly configMap: ConfigMap | undefined;
}

/** What is to be done: one thing, or nothing. */
export interface Plan {
  /** To be owned by the node. */
  readonly create?: Written<typeof core.ConfigMap>;
  /** This very state, so that no other change is lost. */
  readonly update?: ConfigMap;
  /** The same. */
  readonly remove?: ConfigMap;
}

/**
 * What makes the ConfigMap of a host say its open ports. One that the node does not own is left alone;
 * that of a node that is gone goes with it.
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

/** What is to be said of a rule of the host, as a merge patch; undefined where nothing is new. */
export function statusPatchOf(rule: Rule, host: Host, date: Date) {
  const { generation: observedGeneration = 0, resourceVersion } = rule.metadata;
  const applied = { type: 'Applied', ...appliedTo(rule, host), observedGeneration };
  const conditions = setCondition(rule.status?.conditions, applied, date);
  const { namespace, name } = configMapName(host.name);
  const place = applied.status === 'True' ? { configMap: `${namespace}/${name}` } : {};
  if (isDeepStrictEqual(rule.status, { conditions, ...place })) return undefined;
  // Of this very state: what was sent long ago, and comes late, is no news.
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

/** Of rules for one port, the oldest is in force. One that is to be deleted is no more. */
function inForce({ rules }: Host): ReadonlyMap<number, Rule> {
  const staying = rules.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const oldestLast = staying.toSorted((one, other) => (isOlder(one, other) ? 1 : -1));
  return new Map(oldestLast.map((rule) => [rule.spec.port, rule]));
}

function isOlder({ metadata: one }: Rule, { metadata: other }: Rule): boolean {
  const [since, until] = [one.creationTimestamp, other.creationTimestamp];
  return since === until ? one.name < other.name : since < until;
}

/** Whether the ConfigMap is somebody else's. */
function isTaken({ node, configMap }: Host): boolean {
  const owners = configMap?.metadata.ownerReferences ?? [];
  const isOurs = owners.some(({ controller, uid }) => controller && uid === node?.metadata.uid);
  return configMap !== undefined && !isOurs;
}
