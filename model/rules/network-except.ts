import type { PeerRule } from '../../crds/network.ts';
import { contains, describeInvalidCidr, parseCidr, type InvalidCidr } from '@tenantry/kube/address';
import { formatList, show, type Path } from '@tenantry/kube/problem';

/** A problem with an excluded part of address blocks, and its place in the rule. */
interface ExceptFault extends InvalidCidr {
  readonly at: Path;
}

/**
 * Lists the parts that lie in none of a rule's blocks, or that exclude a whole block: Kubernetes accepts only a part of
 * the block.
 */
export function listExceptFaults({ peers = [], ...rule }: PeerRule): ExceptFault[] {
  const groups = [
    { at: [] as Path, group: rule },
    ...peers.map((group, i) => ({ at: ['peers', i] as Path, group })),
  ];
  return groups.flatMap(({ at, group: { cidrs = [], except = [] } }) =>
    except.flatMap((text, i) => {
      const path = [...at, 'except', i];
      const part = parseCidr(text);
      if (!part) return [{ at: path, ...describeInvalidCidr(text) }];
      const blocks = cidrs.flatMap((one) => parseCidr(one) ?? []);
      const isWhole = blocks.some((block) => contains(part, block));
      const isPart = blocks.some((block) => contains(block, part));
      // An invalid block is reported as an error of its own.
      if ((isPart && !isWhole) || blocks.length < cidrs.length) return [];
      const message = `must be a part of a block in cidrs (${formatList(cidrs) || 'none'}), got ${show(text)}`;
      return [{ at: path, message }];
    }),
  );
}
