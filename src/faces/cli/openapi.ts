import type { Command } from 'commander'
import { describeApi } from '#faces/api/description/describe.ts'
import { dataFlag, jsonFlag } from './flags.ts'
import { printJson, type Terminal } from './terminal.ts'

export function addOpenapi(program: Command, terminal: Terminal): void {
  program
    .command('openapi')
    .description('print the OpenAPI description of the API')
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText('after', '\nExample:\n  $ turnout openapi > openapi.json')
    .action(() => printJson(terminal, describeApi()))
}
