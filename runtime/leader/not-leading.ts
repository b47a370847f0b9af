/**
 * This replica could no longer be sure to lead. It is the reason of the signal of what led, and what an
 * election that exits rejects with.
 */
export class LeadershipLost extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = 'LeadershipLost';
  }
}

/** A write was not sent, because this replica is not sure to lead. */
export class NotLeading extends Error {
  constructor() {
    super('nothing is written: this replica is not sure to lead');
    this.name = 'NotLeading';
  }
}
