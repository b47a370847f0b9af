import { layout } from '../constructs/layout.ts';
import { renderTenantClass } from '../constructs/tenant/declared-objects.ts';
import type { Fleet } from '../constructs/tenant/fleet.ts';
import type { Source } from '../synth/files.ts';

/**
 * Renders the classes of a fleet on every cluster. It runs late, so that it includes classes in TypeScript.
 * @param originOf the file that declares a class, if one does
 */
export function tenantClassFiles(
  fleet: Fleet,
  originOf: (className: string) => string | undefined,
): Source {
  return {
    synthesize(sink) {
      for (const klass of fleet.classes) {
        const content = [renderTenantClass(klass)];
        const files = fleet.platform.clusters.map(({ name }) => ({
          path: layout.tenantClass(name, klass.name),
          content,
        }));
        const origin = originOf(klass.name);
        const unit = { id: `TenantClass ${klass.name}`, files, namespaces: [] };
        sink.add({ ...unit, ...(origin !== undefined && { origin }) });
      }
    },
  };
}
