import type { App } from '../../synth/app.ts';
import { InvalidInput } from '@tenantry/kube/problem';

/** The messages of what an app is refused for; none where it is rendered. */
export function problemsOf(app: App): string[] {
  try {
    app.synth();
  } catch (error) {
    if (error instanceof InvalidInput) return error.problems.map(({ message }) => message);
    throw error;
  }
  return [];
}
