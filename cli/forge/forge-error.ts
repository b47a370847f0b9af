/** Reports that the API of a forge did not do what was requested. */
export class ForgeError extends Error {
  override readonly name = 'ForgeError';
  /** The HTTP status; absent if the forge was too busy or gave no usable answer. */
  readonly status?: number;

  constructor(message: string, status?: number) {
    super(message);
    if (status !== undefined) this.status = status;
  }

  /** Whether the forge rejects what this token requests, or hides it. */
  get isDenied(): boolean {
    return this.status === 401 || this.status === 403 || this.status === 404;
  }

  /** Whether another token, address or setting can help. */
  get isUserError(): boolean {
    return this.status !== undefined;
  }
}
