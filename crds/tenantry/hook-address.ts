import { string } from '../../schema/language.ts';

/** The URL of a hook. A rule (`validateHooks`) requires https, and refuses a password in it. */
export const hookAddress = (description: string, example: string, absent?: string) =>
  string(description, {
    pattern: '^https?://[^\\s]+$',
    maxLength: 1024,
    must: 'an https address',
    example,
    ...(absent !== undefined && { absent }),
  });
