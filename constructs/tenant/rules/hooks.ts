import { errorAt, type Finding } from '../../../kube/finding.ts';
import { formatList, show, type Path } from '../../../kube/problem.ts';
import type { PlatformSpec } from '../../../crds/tenantry/platform.ts';
import type { Hook } from '../../../crds/tenantry/types.ts';

/**
 * Validates hooks beyond their schema. The messages do not contain addresses, because some addresses contain passwords.
 */
export function validateHooks({ operator, clusters }: PlatformSpec): Finding[] {
  const known = (clusters ?? [{ name: 'in-cluster' }]).map(({ name }) => name);
  return (operator?.hooks ?? []).flatMap((hook, i) => {
    const at = ['spec', 'operator', 'hooks', i];
    const unknown = (hook.clusters ?? []).flatMap((name, j) => {
      if (known.includes(name)) return [];
      const message = `must be one of the clusters (${formatList(known)}), got ${show(name)}`;
      return [errorAt([...at, 'clusters', j], message, 'hook')];
    });
    return [...validateHookAddresses(hook, at), ...unknown];
  });
}

function validateHookAddresses({ webhook, jenkins, slack, plainHttp }: Hook, at: Path): Finding[] {
  const places: readonly (readonly [Path, string | undefined])[] = [
    [[...at, 'webhook', 'url'], webhook?.url],
    [[...at, 'jenkins', 'url'], jenkins?.url],
    [[...at, 'slack', 'url'], slack?.url],
  ];
  return places.flatMap(([path, address]) => {
    if (address === undefined) return [];
    const fault =
      findAddressFault(address, plainHttp) ?? findQueryFault(address, path.includes('webhook'));
    return fault === undefined ? [] : [errorAt(path, fault, 'hook')];
  });
}

/**
 * Finds the problem with a query in an address. The addresses of Jenkins and Slack are base addresses, and the path of
 * a call is appended.
 */
function findQueryFault(address: string, mayHaveQuery: boolean): string | undefined {
  if (mayHaveQuery || !address.includes('?')) return undefined;
  return "must have no part after a '?', got one";
}

function findAddressFault(address: string, plainHttp = false): string | undefined {
  if (!URL.canParse(address)) return 'must be an address, got something else';
  const { protocol, username, password, hash } = new URL(address);
  if (username !== '' || password !== '') {
    return 'must have no user and no password, which belong in the Secret';
  }
  if (hash !== '') return "must have no part after a '#', got one";
  if (protocol === 'https:' || plainHttp) return undefined;
  return 'must be an https address, or plainHttp must be set (others can then read and change what is sent), got an http address';
}
