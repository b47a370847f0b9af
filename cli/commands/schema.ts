import type { Command } from 'commander';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { show } from '@tenantry/kube/problem';
import { defaultInput } from '../../apps/fleet-input.ts';
import {
  buildEditorSchemas,
  DECLARATIONS_SCHEMA,
  PLATFORM_SCHEMA,
} from '../../crds/editor-schemas.ts';
import { count, printJson } from '../console-output.ts';
import { choice } from '../options.ts';
import { UsageError } from '../usage-error.ts';

interface SchemaOptions {
  readonly out: string;
  readonly tenants: string;
  readonly platform: string;
  readonly output: 'text' | 'json';
}

/** `tenantry schema`: writes JSON Schemas of the declarations for editors. */
export function configure(command: Command): void {
  command
    .option('--out <dir>', 'the folder of the schemas', '.tenantry/schemas')
    .option('--tenants <dir>', 'the folder of tenants and classes', defaultInput.tenants)
    .option('--platform <file>', 'the platform file', defaultInput.platform)
    .addOption(choice('--output <format>', 'the output format', 'text', 'json'))
    .addHelpText(
      'after',
      `
Writes the JSON Schemas of Tenant, TenantClass and Platform, and prints the settings with which the YAML
extension of Red Hat (yaml-language-server) completes fields, shows their descriptions and marks errors in
VS Code and other editors. It never changes settings: you add what it prints. Add the folder to .gitignore, or
commit it so that everybody has it.

The rules that need classes and the platform are not in a schema: \`tenantry check\` applies them.

Examples:
  tenantry schema
  tenantry schema --out schemas

Exit codes: 0 done; 1 user error; 2 internal error.`,
    )
    .action((options: SchemaOptions) => {
      process.exitCode = writeSchemas(options);
    });
}

/** @throws {UsageError} when the folder cannot be written to */
function writeSchemas({ out, tenants, platform, output }: SchemaOptions): 0 {
  if (out === '') throw new UsageError('--out must be a folder, got an empty name');
  const files = [...buildEditorSchemas()].map(([name, schema]) => ({
    file: join(out, name),
    text: `${JSON.stringify(schema, undefined, 2)}\n`,
  }));
  try {
    mkdirSync(out, { recursive: true });
    for (const { file, text } of files) if (readText(file) !== text) writeFileSync(file, text);
  } catch (cause) {
    const why = (cause as Error).message;
    throw new UsageError(`--out must be a folder that can be written to, got ${show(out)}: ${why}`);
  }
  const settings = {
    'yaml.schemas': {
      [formatReference(join(out, DECLARATIONS_SCHEMA))]: [
        `${tenants}/**/*.yaml`,
        `${tenants}/**/*.yml`,
      ],
      [formatReference(join(out, PLATFORM_SCHEMA))]: platform,
    },
  };
  if (output === 'json') {
    printJson('schema', { outcome: 'done', files: files.map(({ file }) => file), settings });
    return 0;
  }
  console.log(`${count(files.length, 'schema')} in ${out}`);
  console.log('\nFor VS Code with the YAML extension of Red Hat, add to .vscode/settings.json:\n');
  console.log(JSON.stringify(settings, undefined, 2));
  console.log('\nFor other editors with yaml-language-server, begin a file with this line:\n');
  console.log(`# yaml-language-server: $schema=<path to ${DECLARATIONS_SCHEMA} from the file>`);
  return 0;
}

/** Formats the path of a schema as the settings of VS Code need it: relative to the workspace. */
function formatReference(path: string): string {
  const plain = path.replaceAll('\\', '/');
  return /^(\/|\.\.?\/|[A-Za-z]:)/.test(plain) ? plain : `./${plain}`;
}

function readText(file: string): string | undefined {
  return statSync(file, { throwIfNoEntry: false })?.isFile()
    ? readFileSync(file, 'utf8')
    : undefined;
}
