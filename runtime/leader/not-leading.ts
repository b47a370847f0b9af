/**
 * This replica is not certain to lead any more. It is the reason of the signal of the led work, and the rejection of an
 * election with `exit`.
 */
export class LeadershipLost extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = 'LeadershipLost';
  }
}

/** A write was not sent, because this replica is not certain to lead. */
export class NotLeading extends Error {
  constructor() {
    super('nothing is written: this replica is not sure to lead');
    this.name = 'NotLeading';
  }
}
