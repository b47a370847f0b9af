import { escapeForTerminal } from '@tenantry/kube/printable';
import type { ExitCode } from '../failure-report.ts';
import type { ChangeRequest } from './change-request.ts';
import { findChangeRequest } from './environment.ts';
import { ForgeError } from './forge-error.ts';

/** What became of a write: it was made, or skipped for this reason. */
export type Written<T> =
  | { readonly done: T; readonly skipped?: undefined }
  | { readonly skipped: string; readonly done?: undefined };

/**
 * Uses the API of the change request that the pipeline runs for. A pipeline of a fork may lack the rights: then nothing is
 * done, for the reason that is returned.
 * @throws {ForgeError} when the forge rejects the request for another reason, or does not answer
 */
export async function useForge<T>(
  action: (request: ChangeRequest) => Promise<T>,
): Promise<Written<T>> {
  const { request, reason } = findChangeRequest(process.env);
  if (!request) return { skipped: reason };
  try {
    return { done: await action(request) };
  } catch (error) {
    if (!(error instanceof ForgeError && error.isDenied)) throw error;
    if (request.isFromFork) {
      return {
        skipped: `the request is from a fork, whose token lacks the right (${error.status})`,
      };
    }
    throw new ForgeError(`${error.message}: the token needs ${request.rights}`, error.status);
  }
}

/** Runs a command, and prints an error of the forge: exit code 1 if the user can correct it, otherwise 2. */
export async function reportForgeErrors(command: () => Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await command();
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    console.error(escapeForTerminal(`error ${error.message}`));
    return error.isUserError ? 1 : 2;
  }
}
