import { string } from '../../schema/language.ts';

/** Where a hook calls. Whether it is https, and has no password in it, is a rule (`validateHooks`). */
export const hookAddress = (description: string, example: string, absent?: string) =>
  string(description, {
    pattern: '^https?://[^\\s]+$',
    maxLength: 1024,
    must: 'an https address',
    example,
    ...(absent !== undefined && { absent }),
  });
