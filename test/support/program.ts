import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Set by the runner: where the programs are plain JavaScript. */
const bundle = process.env.TURNOUT_TEST_PROGRAMS

/** Tests run these programs in processes of their own, and load some modules into them first. */
export const programs = [
  'src/main.ts',
  'test/durability/early-answers.ts',
  'test/durability/small-log.ts',
  'test/durability/without-sync.ts',
  'test/support/broken-postgres.ts',
  'test/support/cluster/set-clock.ts',
  'test/support/file-process.ts',
  'test/support/forgetting-process.ts',
  'test/support/job-process.ts',
  'test/support/killed-server.ts',
  'test/support/loop-watch.ts',
  'test/support/mail-process.ts',
  'test/support/mark-process.ts',
  'test/support/payments-process.ts',
  'test/support/sending-process.ts',
  'test/support/stripe/run.ts',
] as const

export type Program = (typeof programs)[number]

/**
 * Returns the arguments by which node runs one of them. From its sources each start takes the processor two seconds, so the runner
 * makes them ready with the tests.
 *
 * @param first modules that are loaded before it, or addresses of such
 */
export function argumentsFor(
  program: Program,
  first: readonly (Program | `data:${string}`)[] = [],
): string[] {
  const preloads = first.flatMap(module => ['--import', addressOf(module)])
  return bundle === undefined
    ? ['--import', 'tsx', ...preloads, program]
    : ['--enable-source-maps', ...preloads, bundled(bundle, program)]
}

function addressOf(module: string): string {
  if (module.startsWith('data:')) return module
  return bundle === undefined ? `./${module}` : pathToFileURL(bundled(bundle, module)).href
}

function bundled(folder: string, module: string): string {
  return join(resolve(folder), module.replace(/\.ts$/, '.mjs'))
}
