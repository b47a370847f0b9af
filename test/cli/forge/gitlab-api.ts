import {
  ApiDouble,
  created,
  ok,
  type Account,
  type Call,
  type Reply,
  type Route,
} from './api-double.ts';

interface Note {
  readonly id: number;
  readonly by: Account;
  readonly body: string;
  readonly isSystem?: boolean;
}

interface Member extends Account {
  readonly state: 'active' | 'blocked';
  readonly role: number;
}

const toUser = ({ id, name }: Account) => ({ id, username: name });
const NOT_FOUND: Reply = { status: 404, value: { message: '404 Not found' } };

/** The part of GitLab's API that a review uses, for merge request 7 of project 42. */
export class GitLabApi extends ApiDouble {
  readonly approvals: { by: Account; at?: string }[] = [];
  readonly versions: { commit: string; at: string }[] = [];
  readonly notes: Note[] = [];
  readonly groups = new Map<string, readonly Member[]>();
  author: Account = { id: 1, name: 'author' };
  /** The setting of the project; absent in editions without it. */
  isResetOnPush?: boolean;

  add(by: Account, body: string, isSystem = false): Note {
    const note = { id: 500 + this.notes.length, by, body, isSystem };
    this.notes.push(note);
    return note;
  }

  protected readonly routes: readonly Route[] = [
    ['GET', /^\/api\/v4\/user$/, ({ token }) => ok(toUser(token))],
    [
      'GET',
      /^\/api\/v4\/projects\/42\/merge_requests\/7$/,
      () => ok({ iid: 7, author: toUser(this.author) }),
    ],
    [
      'GET',
      /^\/api\/v4\/projects\/42\/merge_requests\/7\/approvals$/,
      () =>
        ok({
          approved_by: this.approvals.map(({ by, at }) => ({ user: toUser(by), approved_at: at })),
        }),
    ],
    [
      'GET',
      /^\/api\/v4\/projects\/42\/merge_requests\/7\/versions$/,
      () =>
        ok(this.versions.map(({ commit, at }) => ({ head_commit_sha: commit, created_at: at }))),
    ],
    [
      'GET',
      /^\/api\/v4\/projects\/42\/approvals$/,
      () =>
        this.isResetOnPush === undefined
          ? NOT_FOUND
          : ok({ reset_approvals_on_push: this.isResetOnPush }),
    ],
    [
      'GET',
      /^\/api\/v4\/groups\/([^/]+)\/members$/,
      ({ parts }) => {
        const members = this.groups.get(parts[0]!);
        return members
          ? ok(members.map((one) => ({ ...toUser(one), state: one.state, access_level: one.role })))
          : NOT_FOUND;
      },
    ],
    [
      'GET',
      /^\/api\/v4\/projects\/42\/merge_requests\/7\/notes$/,
      ({ query }) => {
        const all = this.notes.map(({ id, by, body, isSystem }) => ({
          id,
          author: toUser(by),
          body,
          system: isSystem,
        }));
        return ok(query.get('sort') === 'asc' ? all : all.toReversed());
      },
    ],
    [
      'POST',
      /^\/api\/v4\/projects\/42\/merge_requests\/7\/notes$/,
      ({ body, token }) =>
        this.#write(token, () => created({ id: this.add(token, String(body['body'])).id })),
    ],
    [
      'PUT',
      /^\/api\/v4\/projects\/42\/merge_requests\/7\/notes\/(\d+)$/,
      ({ parts, body, token }) =>
        this.#change(token, parts, (note) => [{ ...note, body: String(body['body']) }]),
    ],
    [
      'DELETE',
      /^\/api\/v4\/projects\/42\/merge_requests\/7\/notes\/(\d+)$/,
      ({ parts, token }) => this.#change(token, parts, () => []),
    ],
  ];

  #write({ rights }: Call['token'], then: () => Reply): Reply {
    return rights.includes('comments')
      ? then()
      : { status: 403, value: { message: '403 Forbidden' } };
  }

  #change(token: Call['token'], [id]: readonly string[], change: (note: Note) => Note[]): Reply {
    return this.#write(token, () => {
      const at = this.notes.findIndex((note) => note.id === Number(id));
      if (at < 0) return NOT_FOUND;
      this.notes.splice(at, 1, ...change(this.notes[at]!));
      return { status: 200, value: {} };
    });
  }
}
