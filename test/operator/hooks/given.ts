import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HookCall } from '../../../operator/hooks/sender.ts';

/** A signing key of the specification's own tests. */
export const signingKey = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
/** Another signing key. */
export const otherKey = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

export const call: HookCall = {
  key: '0123456789abcdef0123456789abcdef',
  event: 'Onboarded',
  at: '2026-01-01T00:00:00Z',
  tenant: {
    name: 'acme',
    uid: 'u1',
    className: 'standard',
    cluster: 'eu',
    namespaces: ['acme-dev', 'acme-prod'],
    contact: { team: 'Acme "quoted"\r\nx-evil: 1' },
    labels: { a: 'b' },
  },
};

/** A folder with mounted Secrets, as kubelet writes it; it exists until its disposal. */
export class MountedSecrets implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'hooks-'));

  /** Sets the current keys of the hook's Secret. */
  put(hook: string, data: Readonly<Record<string, string>>): this {
    rmSync(join(this.folder, hook), { recursive: true, force: true });
    mkdirSync(join(this.folder, hook));
    for (const [key, value] of Object.entries(data)) {
      writeFileSync(join(this.folder, hook, key), value);
    }
    return this;
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
