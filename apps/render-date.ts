import { statSync } from 'node:fs';
import { formatDate } from '../model/end-dates.ts';
import type { FleetInput } from './fleet-input.ts';
import { runGit } from './git.ts';

/** The day for which a fleet is rendered, and where it is from. */
export interface RenderDate {
  /** `2027-01-31`, in UTC. */
  readonly date: string;
  readonly source: 'input' | 'commit' | 'clock';
}

/**
 * Returns the day for which a fleet is rendered: that of the input, else the committer date of HEAD in the repository
 * of the declarations, so that a commit always gives the same output. Without a commit it is the current day.
 */
export function resolveRenderDate({ date, tenants }: FleetInput): RenderDate {
  if (date !== undefined) return { date, source: 'input' };
  const seconds = readCommitTime(tenants);
  if (seconds === undefined) return { date: formatDate(new Date()), source: 'clock' };
  return { date: formatDate(new Date(seconds * 1000)), source: 'commit' };
}

/** Returns the seconds since 1970 at which HEAD was committed; undefined without Git or a commit. */
function readCommitTime(folder: string): number | undefined {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  const asked = ['log', '-1', '--no-show-signature', '--format=%ct', 'HEAD'];
  const { out } = runGit(asked, isFolder ? folder : '.');
  const text = out?.toString().trim() ?? '';
  return /^\d{1,11}$/.test(text) ? Number(text) : undefined;
}
