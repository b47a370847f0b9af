import { buildGo } from './build.ts';

/** Returns the program `act`, which runs workflows of GitHub. Undefined, with the reason printed, if it cannot be built. */
export const act = (): Promise<string | undefined> =>
  buildGo('act', { package: 'github.com/nektos/act' });
