import type { KubeObject } from '../../kube/object.ts';
import { buildGo } from './build.ts';
import { linesOf } from './lines.ts';

/** A pod; or, without a namespace, an address outside of the cluster. */
export interface End {
  readonly namespace?: string;
  readonly namespaceLabels?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly address: string;
}

/** A port of the destination, and the name that its container gives it. */
export interface EndPort {
  readonly port: number;
  readonly name: string;
  readonly protocol: string;
}

/** NetworkPolicies, and between whom and on which ports is asked. */
export interface World {
  readonly policies: readonly KubeObject[];
  readonly ends: readonly End[];
  readonly ports: readonly EndPort[];
}

/** Whether a connection is allowed, by the positions of source, destination and port in the world. */
export type IsAllowed = (from: number, to: number, port: number) => boolean;

/**
 * Asks cyclonus, which shares no code with us, about many worlds, in one process. Undefined where
 * the Go program cannot be built; the reason is then printed.
 */
export async function connectionJudge(): Promise<
  ((worlds: readonly World[]) => IsAllowed[]) | undefined
> {
  const program = await buildGo('connections');
  if (program === undefined) return undefined;
  return (worlds) => {
    const lines = linesOf(
      program,
      worlds.map((world) => ({ ...world, policies: world.policies.map(defaulted) })),
    );
    return worlds.map(({ ends, ports }, i) => {
      const line = lines[i]!;
      if (line.length !== ends.length ** 2 * ports.length) {
        throw new Error(`the judge must answer for every connection, got ${line.length} answers`);
      }
      return (from, to, port) => line[(from * ends.length + to) * ports.length + port] === '1';
    });
  };
}

/** With the types that the API server fills in. */
function defaulted(policy: KubeObject): KubeObject {
  const spec = policy['spec'] as { readonly egress?: readonly unknown[] };
  const policyTypes = spec.egress?.length ? ['Ingress', 'Egress'] : ['Ingress'];
  return { ...policy, spec: { policyTypes, ...spec } };
}
