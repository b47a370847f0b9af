/**
 * Writes the committed files that are generated from the sources: types and reference pages of
 * Tenantry's kinds, the Lua scripts of Argo CD beside their tests, and the public API of the package.
 * `--check` writes nothing and fails when one of them is outdated.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildCustomizations } from '../model/argocd/customizations/customizations.ts';
import { renderScriptFiles } from '../model/argocd/customizations/settings.ts';
import { buildAlertRules } from '../model/operator/monitoring/alerts.ts';
import { buildDashboard, formatDashboard } from '../model/operator/monitoring/dashboard.ts';
import { resolvePlatform } from '../model/platform.ts';
import { referencePage } from '@tenantry/crd/reference';
import { accessRequest } from '../crds/access-request.ts';
import { platform } from '../crds/platform.ts';
import { tenant } from '../crds/tenant.ts';
import { tenantClass } from '../crds/tenant-class.ts';
import { emitYaml } from '@tenantry/kube/yaml/write';
import { renderRulesPage } from '../model/findings/rule-page.ts';
import { definitionRulesPage } from './definition-rules-page.ts';
import { bundleRulesPage, submissionRulesPage, upgradeRulesPage } from './bundle-rule-pages.ts';
import { apiReport, reportPath } from './api-report.ts';
import { typesModules } from './kind-types.ts';
import { root } from './steps.ts';
import { readSurface } from './surface.ts';

const check = process.argv.includes('--check');

/**
 * Yields texts by their paths from the root. Texts that are derived from generated sources come after
 * those.
 */
async function* generated(): AsyncGenerator<readonly [path: string, text: string]> {
  for (const { folder, types, names } of await typesModules()) {
    yield [join(folder, 'types.ts'), types];
    yield [join(folder, 'types-by-name.ts'), names];
  }
  for (const definition of [tenant, tenantClass, platform, accessRequest]) {
    const name = `${definition.kind.toLowerCase()}.md`;
    yield [join('docs', 'reference', name), referencePage(definition)];
  }
  const rulesPage = join('docs', 'reference', 'rules.md');
  yield [rulesPage, renderRulesPage(readFileSync(join(root, rulesPage), 'utf8'))];
  yield [join('docs', 'reference', 'crd-rules.md'), definitionRulesPage()];
  yield [join('docs', 'reference', 'bundle-rules.md'), bundleRulesPage()];
  yield [join('docs', 'reference', 'submission-rules.md'), submissionRulesPage()];
  yield [join('docs', 'reference', 'upgrade-rules.md'), upgradeRulesPage()];
  const { operatorMonitoring } = resolvePlatform();
  const rules = emitYaml([{ groups: buildAlertRules(operatorMonitoring) }]);
  yield [join('docs', 'monitoring', 'tenantry-rules.yaml'), rules];
  const text = formatDashboard(buildDashboard(operatorMonitoring));
  yield [join('docs', 'monitoring', 'tenantry-dashboard.json'), text];
  const healing = resolvePlatform({
    operator: { driftPolicy: 'Heal', image: 'registry.example.com/tenantry:0.1.0' },
  });
  for (const [path, script] of renderScriptFiles(buildCustomizations(healing))) {
    yield [join('test', 'argocd', 'resource_customizations', path), script];
  }
  for (const entryPoint of readSurface())
    yield [reportPath(entryPoint), await apiReport(entryPoint)];
}

for await (const [path, text] of generated()) {
  const file = join(root, path);
  if (read(file) === text) continue;
  if (check) {
    console.error(`${file} must be what \`npm run gen\` writes, got something else`);
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(`wrote ${file}`);
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
