import type { KubeObject } from '@tenantry/kube/object';
import { buildGo } from './build.ts';
import { linesOf } from './lines.ts';

/** A pod or, without a namespace, an address outside the cluster. */
export interface End {
  readonly namespace?: string;
  readonly namespaceLabels?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly address: string;
}

/** A port of the destination, and the name of the port in its container. */
export interface EndPort {
  readonly port: number;
  readonly name: string;
  readonly protocol: string;
}

/** NetworkPolicies, and the ends and ports whose connections are evaluated. */
export interface World {
  readonly policies: readonly KubeObject[];
  readonly ends: readonly End[];
  readonly ports: readonly EndPort[];
}

/** Returns whether a connection is allowed, by the positions of source, destination and port in the world. */
export type IsAllowed = (from: number, to: number, port: number) => boolean;

/**
 * Starts cyclonus, which shares no code with Tenantry, to evaluate many worlds in one process. Returns undefined and
 * prints the reason if the Go program cannot be built.
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

/** Returns the policy with the types that the API server sets by default. */
function defaulted(policy: KubeObject): KubeObject {
  const spec = policy['spec'] as { readonly egress?: readonly unknown[] };
  const policyTypes = spec.egress?.length ? ['Ingress', 'Egress'] : ['Ingress'];
  return { ...policy, spec: { policyTypes, ...spec } };
}
