/** Reports that the command line or cdk8s.yaml cannot be used. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
