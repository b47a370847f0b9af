import type { ChangeRequest } from './change-request.ts';
import { ForgeError } from './forge-error.ts';

/** The number of teams and groups whose members are read. */
const MAX_GROUPS = 100;

/** Who approves, as CODEOWNERS spells them, and what kept others from being counted. */
export interface Approvers {
  readonly names: readonly string[];
  /** Sentences for people, without markup. */
  readonly notes: readonly string[];
}

/**
 * Reads who approves the commit: accounts, and those teams and groups of which one is a member.
 * @param owners the owners whose approval the plan needs, as CODEOWNERS spells them
 * @throws {ForgeError} when the approvals cannot be read
 */
export async function findApprovers(
  request: ChangeRequest,
  owners: readonly string[],
): Promise<Approvers> {
  const { accounts, notes } = await request.readApprovals();
  const approvers = new Set(accounts.map(({ name }) => name.toLowerCase()));
  const found = { names: accounts.map(({ name }) => `@${name}`), notes: [...notes] };
  if (approvers.size === 0) return found;
  const others = [...new Set(owners)].filter((one) => !approvers.has(one.slice(1).toLowerCase()));
  const groups = others.filter((one) => one.startsWith('@') && request.mayBeGroup(one));
  for (const owner of others.filter((one) => !one.startsWith('@'))) {
    found.notes.push(
      `${owner} is an email address, which no approval names: write the account in the platform file`,
    );
  }
  for (const group of groups.slice(0, MAX_GROUPS)) {
    const members = await readMembers(request, group);
    if (typeof members === 'string') found.notes.push(members);
    else if (members.some((name) => approvers.has(name.toLowerCase()))) found.names.push(group);
  }
  if (groups.length > MAX_GROUPS) {
    found.notes.push(`only the first ${MAX_GROUPS} of ${groups.length} teams were read`);
  }
  return found;
}

/** Returns the members, or why they are unknown. A name that may be an account need not be a group. */
async function readMembers(request: ChangeRequest, group: string): Promise<string[] | string> {
  try {
    return await request.listMembers(group.slice(1));
  } catch (error) {
    if (!(error instanceof ForgeError && error.isDenied)) throw error;
    if (error.status === 404 && !group.includes('/')) return [];
    return `the members of ${group} cannot be read with this token (${error.status}): their approvals do not count for it`;
  }
}
