import {
  ApiDouble,
  created,
  ok,
  type Account,
  type Call,
  type Reply,
  type Route,
} from './api-double.ts';

interface Review {
  readonly by: Account | undefined;
  readonly state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'DISMISSED';
  readonly commit: string;
}

export interface Comment {
  readonly id: number;
  readonly by: Account;
  readonly body: string;
}

const DENIED: Reply = { status: 403, value: { message: 'Resource not accessible by integration' } };

/** The part of GitHub's API that a review uses, for pull request 7 of acme/tenants. */
export class GitHubApi extends ApiDouble {
  /** The commit of the pull request. */
  head = 'a'.repeat(40);
  readonly reviews: Review[] = [];
  readonly comments: Comment[] = [];
  readonly statuses: (Call['body'] & { readonly sha: string })[] = [];
  readonly teams = new Map<string, readonly string[]>();

  add(by: Account, body: string): Comment {
    const comment = { id: 100 + this.comments.length, by, body };
    this.comments.push(comment);
    return comment;
  }

  protected readonly routes: readonly Route[] = [
    // A token of a workflow cannot read /user: only the query names its account.
    ['GET', /^\/user$/, () => DENIED],
    [
      'POST',
      /^\/graphql$/,
      ({ body, token }) =>
        /^query \{ viewer \{ databaseId \} \}$/.test(String(body['query']))
          ? ok({ data: { viewer: { databaseId: token.id } } })
          : ok({ errors: [{ message: 'unknown query' }] }),
    ],
    [
      'GET',
      /^\/repos\/acme\/tenants\/pulls\/7$/,
      () => ok({ number: 7, user: toUser({ id: 1, name: 'author' }), head: { sha: this.head } }),
    ],
    [
      'GET',
      /^\/repos\/acme\/tenants\/pulls\/7\/reviews$/,
      () =>
        ok(
          this.reviews.map(({ by, state, commit }, id) => ({
            id,
            user: toUser(by),
            state,
            commit_id: commit,
          })),
        ),
    ],
    [
      'GET',
      /^\/orgs\/([^/]+)\/teams\/([^/]+)\/members$/,
      ({ parts, token }) => {
        if (!token.rights.includes('members')) return DENIED;
        const members = this.teams.get(parts.join('/'));
        return members
          ? ok(members.map((login) => ({ login })))
          : { status: 404, value: { message: 'Not Found' } };
      },
    ],
    [
      'GET',
      /^\/repos\/acme\/tenants\/issues\/7\/comments$/,
      () => ok(this.comments.map(({ id, by, body }) => ({ id, user: toUser(by), body }))),
    ],
    [
      'POST',
      /^\/repos\/acme\/tenants\/issues\/7\/comments$/,
      ({ body, token }) =>
        this.#write(token, body, (text) => created({ id: this.add(token, text).id })),
    ],
    [
      'PATCH',
      /^\/repos\/acme\/tenants\/issues\/comments\/(\d+)$/,
      ({ parts, body, token }) =>
        this.#write(token, body, (text) => {
          const at = this.comments.findIndex(({ id }) => id === Number(parts[0]));
          if (at < 0) return { status: 404, value: { message: 'Not Found' } };
          this.comments[at] = { ...this.comments[at]!, body: text };
          return ok({ id: Number(parts[0]) });
        }),
    ],
    [
      'DELETE',
      /^\/repos\/acme\/tenants\/issues\/comments\/(\d+)$/,
      ({ parts, token }) => {
        if (!token.rights.includes('comments')) return DENIED;
        const at = this.comments.findIndex(({ id }) => id === Number(parts[0]));
        if (at < 0) return { status: 404, value: { message: 'Not Found' } };
        this.comments.splice(at, 1);
        return { status: 204 };
      },
    ],
    [
      'POST',
      /^\/repos\/acme\/tenants\/statuses\/([\da-f]{40})$/,
      ({ parts, body, token }) => {
        if (!token.rights.includes('statuses')) return DENIED;
        if (String(body['description']).length > 140)
          return { status: 422, value: { message: 'description is too long' } };
        this.statuses.push({ ...body, sha: parts[0]! });
        return created({});
      },
    ],
  ];

  /** Who may write may write to comments of others, too. */
  #write({ rights }: Call['token'], { body }: Call['body'], then: (text: string) => Reply): Reply {
    if (!rights.includes('comments')) return DENIED;
    const text = String(body ?? '');
    if (text.length > 65_536)
      return { status: 422, value: { message: 'body is too long (maximum is 65536 characters)' } };
    return then(text);
  }
}

const toUser = (account: Account | undefined) =>
  account ? { id: account.id, login: account.name, type: account.isBot ? 'Bot' : 'User' } : null;
