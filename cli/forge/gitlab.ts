import { listAt, valueAt } from '@tenantry/kube/mapping';
import type { Approvals, ChangeRequest, OwnComment } from './change-request.ts';
import { parseAccount, parseId, parseText } from './fields.ts';
import type { ForgeApi } from './forge-api.ts';
import { ForgeError } from './forge-error.ts';

/** The lowest role that may approve. */
const DEVELOPER = 30;

/** What the variables of the job state about a merge request. */
export interface MergeRequest {
  /** The project that it merges into. */
  readonly project: number;
  readonly iid: number;
  readonly commit: string;
  readonly isFromFork: boolean;
}

/** A merge request on GitLab. */
export class GitLabMergeRequest implements ChangeRequest {
  readonly rights = 'the scope api and the role Reporter in the project';
  readonly #api: ForgeApi;
  readonly #request: MergeRequest;

  constructor(api: ForgeApi, request: MergeRequest) {
    this.#api = api;
    this.#request = request;
  }

  get isFromFork(): boolean {
    return this.#request.isFromFork;
  }

  /** A merge train runs the same pipeline as the merge request, and its job is the status. */
  get isQueued(): boolean {
    return false;
  }

  get commit(): string {
    return this.#request.commit;
  }

  /**
   * An approval counts if it is not older than the push of the commit. GitLab before 18.5 does not report when somebody
   * approved. There the approvals count if the project removes them at each push.
   */
  async readApprovals(): Promise<Approvals> {
    const author = parseAccount(valueAt(await this.#api.get(this.#path), ['author']), 'username');
    const answer = await this.#api.get(`${this.#path}/approvals`);
    const approvals = listAt(answer, ['approved_by']).flatMap((one) => {
      const account = parseAccount(valueAt(one, ['user']), 'username');
      const at = Date.parse(parseText(valueAt(one, ['approved_at'])));
      return account === undefined || account.id === author?.id ? [] : [{ account, at }];
    });
    if (approvals.length === 0) return { accounts: [], notes: [] };
    const pushed = await this.#findPush();
    const isDated = approvals.every(({ at }) => !Number.isNaN(at));
    if (!isDated && !(await this.#isResetOnPush())) {
      const note =
        'GitLab does not report when somebody approved: let the project remove all approvals when commits are added';
      return { accounts: [], notes: [note] };
    }
    const isOutdated = ({ at }: { readonly at: number }): boolean => at < pushed;
    return {
      accounts: approvals.filter((one) => !isOutdated(one)).map(({ account }) => account),
      notes: approvals
        .filter(isOutdated)
        .map(({ account }) => `@${account.name} approved an earlier commit: review this one`),
    };
  }

  /** Groups at the top are spelled like accounts. */
  mayBeGroup(): boolean {
    return true;
  }

  /** Direct members, as GitLab counts them for code owners. */
  async listMembers(group: string): Promise<string[]> {
    const members = await this.#api.list(`/groups/${encodeURIComponent(group)}/members`);
    return members
      .filter(({ state, access_level: role }) => state === 'active' && Number(role) >= DEVELOPER)
      .map(({ username }) => parseText(username));
  }

  async listOwnComments(): Promise<OwnComment[]> {
    const own = parseId(await this.#api.get('/user'), "the token's account");
    const notes = await this.#api.list(`${this.#path}/notes?sort=asc&order_by=created_at`);
    return notes
      .filter(({ author, system }) => {
        return system !== true && parseAccount(author, 'username')?.id === own;
      })
      .map((note) => ({ id: parseId(note, 'a comment'), body: parseText(note['body']) }));
  }

  async createComment(body: string): Promise<void> {
    await this.#api.send('POST', `${this.#path}/notes`, { body });
  }

  async updateComment(id: number, body: string): Promise<void> {
    await this.#api.send('PUT', `${this.#path}/notes/${id}`, { body });
  }

  async deleteComment(id: number): Promise<void> {
    await this.#api.send('DELETE', `${this.#path}/notes/${id}`);
  }

  publishStatus(): Promise<boolean> {
    return Promise.resolve(false);
  }

  /** The time of the push that added the commit, in milliseconds. */
  async #findPush(): Promise<number> {
    const versions = await this.#api.list(`${this.#path}/versions`);
    const times = versions
      .filter((version) => version['head_commit_sha'] === this.#request.commit)
      .map((version) => Date.parse(parseText(version['created_at'])));
    const pushed = Math.max(...times);
    if (Number.isFinite(pushed)) return pushed;
    throw new ForgeError(
      `GitLab has no version of the merge request with commit ${this.#request.commit}: run the job in a pipeline of the merge request`,
      404,
    );
  }

  /** Only some editions of GitLab have this setting. */
  async #isResetOnPush(): Promise<boolean> {
    try {
      const settings = await this.#api.get(`/projects/${this.#request.project}/approvals`);
      return valueAt(settings, ['reset_approvals_on_push']) === true;
    } catch (error) {
      if (error instanceof ForgeError && error.isDenied) return false;
      throw error;
    }
  }

  get #path(): string {
    return `/projects/${this.#request.project}/merge_requests/${this.#request.iid}`;
  }
}
