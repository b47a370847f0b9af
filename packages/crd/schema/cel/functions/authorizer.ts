import type { Functions } from '../overload.ts';

const signatures = [
  'authorizer.Authorizer::path(string): authorizer.PathCheck',
  'authorizer.Authorizer::group(string): authorizer.GroupCheck',
  'authorizer.Authorizer::serviceAccount(string, string): authorizer.Authorizer',
  'authorizer.GroupCheck::resource(string): authorizer.ResourceCheck',
  'authorizer.ResourceCheck::subresource(string): authorizer.ResourceCheck',
  'authorizer.ResourceCheck::namespace(string): authorizer.ResourceCheck',
  'authorizer.ResourceCheck::name(string): authorizer.ResourceCheck',
  'authorizer.ResourceCheck::fieldSelector(string): authorizer.ResourceCheck',
  'authorizer.ResourceCheck::labelSelector(string): authorizer.ResourceCheck',
  'authorizer.PathCheck::check(string): authorizer.Decision',
  'authorizer.ResourceCheck::check(string): authorizer.Decision',
  'authorizer.Decision::errored(): bool',
  'authorizer.Decision::error(): string',
  'authorizer.Decision::allowed(): bool',
  'authorizer.Decision::reason(): string',
];

/**
 * The functions of an authorizer, declared only because the type checker accepts a call of them on a value of any type.
 * Rules of a definition have no authorizer.
 */
export const authorizer: Functions = Object.fromEntries(signatures.map((one) => [one, null]));
