import { valueAt } from '@tenantry/kube/mapping';
import type {
  Account,
  Approvals,
  ChangeRequest,
  CheckStatus,
  OwnComment,
} from './change-request.ts';
import { parseAccount, parseId, parseText } from './fields.ts';
import type { ForgeApi } from './forge-api.ts';
import { ForgeError } from './forge-error.ts';

/**
 * The name of the status of a commit. It belongs to the commit, not to the request: a request to another branch with the
 * same commit must not set the status that the default branch requires.
 */
const CONTEXT = 'tenantry/review';
/** The length that GitHub allows the description of a status. */
const MAX_DESCRIPTION = 140;

/** What reviewers see of a pull request. */
export interface ReviewedHead {
  readonly commit: string;
  readonly author: string;
}

/** What the event that started the workflow states about a pull request. */
export interface PullRequest {
  /** `owner/name`. */
  readonly repository: string;
  readonly number: number;
  /** The commit that the status is set on. */
  readonly commit: string;
  /** Absent in a merge queue, whose event does not state it. */
  readonly head?: ReviewedHead;
  /** The branch that it merges into; absent for the default branch of the repository. */
  readonly target?: string;
  readonly isFromFork: boolean;
  /** The page of the run, which the status links to. */
  readonly runUrl?: string;
}

/** The APIs of GitHub that a pull request needs, each with its token. */
export interface GitHubApis {
  readonly rest: ForgeApi;
  /** The REST API does not name the account of a workflow's token. */
  readonly graphql: ForgeApi;
  /** The REST API with a token that may read teams. */
  readonly teams: ForgeApi;
}

/** A pull request on GitHub. */
export class GitHubPullRequest implements ChangeRequest {
  readonly rights =
    'pull-requests: write and statuses: write in the permissions of the job, or of the token';
  readonly #api: ForgeApi;
  readonly #apis: GitHubApis;
  readonly #request: PullRequest;

  constructor(apis: GitHubApis, request: PullRequest) {
    this.#api = apis.rest;
    this.#apis = apis;
    this.#request = request;
  }

  get isFromFork(): boolean {
    return this.#request.isFromFork;
  }

  get isQueued(): boolean {
    return this.#request.head === undefined;
  }

  get commit(): string {
    return this.#request.commit;
  }

  /**
   * A comment does not change a reviewer's decision, so the last review of another kind counts. A bot does not count:
   * the author of a request can make a workflow approve it.
   */
  async readApprovals(): Promise<Approvals> {
    const { author, commit } = this.#request.head ?? (await this.#readHead());
    const reviews = await this.#api.list(`${this.#path}/reviews`);
    const decisions = new Map<number, Record<string, unknown> & { readonly account: Account }>();
    for (const review of reviews) {
      const account = parseAccount(review['user'], 'login');
      if (account === undefined || valueAt(review, ['user', 'type']) === 'Bot') continue;
      if (review['state'] === 'COMMENTED' || review['state'] === 'PENDING') continue;
      decisions.set(account.id, { ...review, account });
    }
    const approvals = [...decisions.values()].filter(
      ({ account, state }) =>
        state === 'APPROVED' && account.name.toLowerCase() !== author.toLowerCase(),
    );
    const isOutdated = (review: Record<string, unknown>): boolean => review['commit_id'] !== commit;
    return {
      accounts: approvals.filter((one) => !isOutdated(one)).map(({ account }) => account),
      notes: approvals
        .filter(isOutdated)
        .map(({ account }) => `@${account.name} approved an earlier commit: review this one`),
    };
  }

  mayBeGroup(owner: string): boolean {
    return owner.includes('/');
  }

  async listMembers(group: string): Promise<string[]> {
    const [organization = '', team = ''] = group.split('/').map(encodeURIComponent);
    const members = await this.#apis.teams.list(`/orgs/${organization}/teams/${team}/members`);
    return members.map(({ login }) => parseText(login));
  }

  async listOwnComments(): Promise<OwnComment[]> {
    const query = { query: 'query { viewer { databaseId } }' };
    const viewer = await this.#apis.graphql.send('POST', '', query);
    const own = parseId(valueAt(viewer, ['data', 'viewer', 'databaseId']), "the token's account");
    const comments = await this.#api.list(this.#comments);
    return comments
      .filter(({ user }) => parseAccount(user, 'login')?.id === own)
      .map((comment) => ({
        id: parseId(comment, 'a comment'),
        body: parseText(comment['body']),
      }));
  }

  async createComment(body: string): Promise<void> {
    await this.#api.send('POST', this.#comments, { body });
  }

  async updateComment(id: number, body: string): Promise<void> {
    await this.#api.send('PATCH', `${this.#repository}/issues/comments/${id}`, { body });
  }

  async deleteComment(id: number): Promise<void> {
    await this.#api.send('DELETE', `${this.#repository}/issues/comments/${id}`);
  }

  async publishStatus({ state, description }: CheckStatus): Promise<boolean> {
    const { runUrl, commit, target } = this.#request;
    await this.#api.send('POST', `${this.#repository}/statuses/${commit}`, {
      state,
      context: target === undefined ? CONTEXT : `${CONTEXT} (${target})`,
      description: [...description].slice(0, MAX_DESCRIPTION).join(''),
      ...(runUrl !== undefined && { target_url: runUrl }),
    });
    return true;
  }

  /** An approval is for a commit of the pull request, also while a merge queue tests another one. */
  async #readHead(): Promise<ReviewedHead> {
    const request = await this.#api.get(this.#path);
    const author = parseAccount(valueAt(request, ['user']), 'login')?.name;
    const commit = parseText(valueAt(request, ['head', 'sha']));
    if (author !== undefined && commit !== '') return { commit, author };
    throw new ForgeError('the pull request must have an author and a commit, got neither', 422);
  }

  get #path(): string {
    return `${this.#repository}/pulls/${this.#request.number}`;
  }

  get #repository(): string {
    return `/repos/${this.#request.repository}`;
  }

  get #comments(): string {
    return `${this.#repository}/issues/${this.#request.number}/comments`;
  }
}
