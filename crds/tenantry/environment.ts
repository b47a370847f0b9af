import { string, type Schema } from '../../schema/language.ts';

/** The name of an environment, which a label holds as it is spelled. */
export const environmentName = (description: string, example?: string): Schema<string> =>
  string(description, {
    pattern: '^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$',
    maxLength: 63,
    must: "a name of letters, digits, '-', '_' and '.', at most 63 characters; upper and lower case are different",
    ...(example !== undefined && { example }),
  });
