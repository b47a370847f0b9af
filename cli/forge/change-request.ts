/** Somebody with an account on the forge. */
export interface Account {
  readonly id: number;
  /** Without `@`. */
  readonly name: string;
}

/** A comment of the account that the token belongs to. */
export interface OwnComment {
  readonly id: number;
  readonly body: string;
}

/** Approvals of the commit, and what kept others from being counted. */
export interface Approvals {
  readonly accounts: readonly Account[];
  /** Sentences for people, without markup. */
  readonly notes: readonly string[];
}

/** The verdict on a change request, for the list of checks. */
export interface CheckStatus {
  readonly state: 'success' | 'failure' | 'error';
  /** One short sentence. */
  readonly description: string;
}

/** A pull request or merge request, through the API of its forge. */
export interface ChangeRequest {
  /** Whether its branch is in another repository, whose pipelines get no token that may write. */
  readonly isFromFork: boolean;
  /** Whether a merge queue tests it, on top of the base branch and of the requests ahead of it. */
  readonly isQueued: boolean;
  /** The commit that the pipeline runs for. In a merge queue it is not the one that reviewers see. */
  readonly commit: string;
  /** What the token needs to write comments and statuses, for messages. */
  readonly rights: string;

  /** Reads who approves the commit. The author does not count. */
  readApprovals(): Promise<Approvals>;
  /** Whether an owner, as CODEOWNERS spells it, can be a team or group. */
  mayBeGroup(owner: string): boolean;
  /** Reads the names of the members of a team or group, without `@`. */
  listMembers(group: string): Promise<string[]>;
  /** Reads the comments of the token's own account, the oldest first. */
  listOwnComments(): Promise<OwnComment[]>;
  createComment(body: string): Promise<void>;
  updateComment(id: number, body: string): Promise<void>;
  deleteComment(id: number): Promise<void>;
  /** Sets the status of the commit. False if the result of the job is the status. */
  publishStatus(status: CheckStatus): Promise<boolean>;
}
