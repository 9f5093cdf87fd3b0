import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type PostgresServer, startPostgres } from '#test/support/postgres-server.ts'
import { bundle } from '../../build/bundle.mjs'
import { measureBadges } from './badges.ts'
import { measureBox } from './box.ts'
import { measureCall } from './call.ts'
import { LoadProcess, NetworkProcess } from './child.ts'
import { measureClicks } from './clicks.ts'
import { measureCheck, measureExport, measureFigures } from './commands.ts'
import { Contestant, type Floor, USUAL_FLOORS } from './contestant.ts'
import { measureDoor, measureDoorOnPostgres } from './door.ts'
import { type Filled, fill } from './fill.ts'
import { measureImport } from './import.ts'
import { describeRun } from './machine.ts'
import { measurePages, measureThroughput, type Settings } from './measures.ts'
import { measureOrders } from './orders.ts'
import { ensureMarkers, writePage } from './page.ts'
import { measureProgramme } from './programme.ts'
import { measureDeliveries, measureMemoryAfter, measureReport, measureStart } from './resources.ts'
import { measureScanners } from './scanners.ts'
import { measureSeries } from './series.ts'
import { type Row, toTable } from './table.ts'

// npm run bench -- [--size N | --large] [--rounds N] [--seconds N] [--floor bare,naive,packages,postgres]
//                  [--only report,export,check,figures,throughput,pages,clicks,door,badges,scanners,deliveries,orders,import,call,programme,series,box]
//                  [--network MS] [--write FILE] [--keep]
//
// Measures the built server against floors, all on copies of one filled database, and prints a table. It fails nothing:
// figures of another machine, or of a busy one, are worth their ratios alone. With --write, the table also goes between
// the markers of a Markdown file. With --network, what goes to PostgreSQL arrives that many milliseconds late.

const PARTS =
  'report,export,check,figures,throughput,pages,clicks,door,badges,scanners,deliveries,orders,import,call,programme,series,box'
/** The most tickets with real codes: each takes some time to sign. */
const MAX_SIGNED = 200_000

const { values: flags } = parseArgs({
  options: {
    size: { type: 'string', default: '100000' },
    large: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    floor: { type: 'string', default: USUAL_FLOORS.join(',') },
    only: { type: 'string', default: PARTS },
    network: { type: 'string' },
    write: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
})
const size = flags.large ? 1_000_000 : Number(flags.size)
const settings: Settings = { rounds: Number(flags.rounds), seconds: Number(flags.seconds) }
const parts = flags.only.split(',')
const floors = flags.floor.split(',') as Floor[]

if (flags.write !== undefined) refuseEarly(flags.write)
await buildPrograms()
const folder = mkdtempSync(join(tmpdir(), 'turnout-bench-'))
const load = new LoadProcess()
const other = new LoadProcess()
const contestants: Contestant[] = []
let postgres: PostgresServer | undefined
let network: NetworkProcess | undefined
try {
  say(`filling a database with ${size.toLocaleString('en')} registrations`)
  const filled = await fill(join(folder, 'filled'), size, Math.min(size, MAX_SIGNED))
  const beside = floors.includes('postgres') ? await fillPostgres(filled, folder) : undefined
  postgres = beside?.server
  contestants.push(
    ...(['turnout', ...floors] as const).map(
      name => new Contestant(name, filled, folder, [], name === 'postgres' ? beside : undefined),
    ),
  )
  const description = describeRun(folder, size, settings)
  const table = toTable(await measure(filled))
  process.stdout.write(`\n${machine()}\n\n${table}`)
  if (flags.write !== undefined) writePage(flags.write, `${description}\n${table}`)
} finally {
  await Promise.all(contestants.map(contestant => contestant.stop()))
  load.close()
  other.close()
  network?.close()
  postgres?.remove()
  if (flags.keep) say(`kept ${folder}`)
  else rmSync(folder, { recursive: true, force: true })
}

async function measure(filled: Filled): Promise<Row[]> {
  const [turnout, ...floors] = contestants as [Contestant, ...Contestant[]]
  const rows: Row[] = []
  const part = async (name: string, work: () => Promise<Row[]>) => {
    if (!parts.includes(name)) return
    say(`measuring: ${name}`)
    rows.push(...(await work()))
  }
  // This comes first, because it needs a server that has done nothing yet.
  const started = await measureStart(turnout, size, settings)
  await part('report', () => measureReport(turnout))
  // The export comes before anything is added, so that the database has as many rows as it was filled with.
  await part('export', () => measureExport(turnout, size, settings))
  await part('check', () => measureCheck(turnout, size))
  await part('figures', () => measureFigures(turnout, size, settings))
  for (const floor of floors) await floor.start()
  await part('throughput', () => measureThroughput(load, contestants, settings))
  await part('pages', () => measurePages(load, turnout, settings, size))
  await part('clicks', () => measureClicks(load, other, turnout, settings))
  await part('door', () => measureDoor(load, other, turnout, settings))
  const beside = floors.find(({ name }) => name === 'postgres')
  if (beside !== undefined)
    await part('door', () => measureDoorOnPostgres(load, other, { turnout, postgres: beside }, settings))
  await part('badges', () => measureBadges(load, turnout, settings))
  await part('scanners', () => measureScanners(load, other, turnout, settings))
  await part('deliveries', () => measureDeliveries(load, turnout, settings))
  const memory = measureMemoryAfter(contestants)
  // The orders come last, and have a server of their own.
  await part('orders', () => measureOrders(load, other, filled, join(folder, 'orders'), settings))
  await part('import', () => measureImport(load, other, filled, join(folder, 'import'), settings))
  await part('call', () => measureCall(load, other, filled, join(folder, 'call')))
  await part('programme', () => measureProgramme(load, other, filled, join(folder, 'programme'), settings))
  await part('series', () => measureSeries(load, other, filled, join(folder, 'series'), settings))
  await part('box', () => measureBox(load, filled, join(folder, 'box'), settings))
  return [...rows, ...started, ...memory]
}

/** The floors and the load generator are bundled as the program is, so that no loader counts in their memory. */
async function buildPrograms(): Promise<void> {
  await bundle({
    entryPoints: [
      'floor',
      'floor-packages',
      'load',
      'receiver',
      'mail-receiver',
      'rush',
      'authors',
      'peak',
      'network',
    ].map(name => `test/bench/${name}.ts`),
    outdir: 'dist/bench',
    outExtension: { '.js': '.cjs' },
  })
}

/** Moves the rows to a PostgreSQL that syncs, on the disk that the files are on. */
async function fillPostgres({ data }: Filled, folder: string) {
  chmodSync(folder, 0o755)
  const server = await startPostgres({ place: folder, settings: { shared_buffers: '256MB' } })
  const url = server.makeDatabase()
  say('moving its rows to PostgreSQL')
  // The source is held afterwards, so that of a copy is.
  const copied = join(folder, 'moved')
  cpSync(data, copied, { recursive: true })
  execFileSync(process.execPath, ['dist/turnout.cjs', 'copy', '--data', copied, '--to', url])
  server.psql('VACUUM ANALYZE', new URL(url).pathname.slice(1))
  return { server, url: await throughNetwork(url), pid: server.pid() }
}

/** Returns the address as it is reached by the network that was asked for. */
async function throughNetwork(url: string): Promise<string> {
  if (flags.network === undefined) return url
  const far = new URL(url)
  network = new NetworkProcess(Number(far.port), Number(flags.network))
  far.port = String(await network.port())
  return far.href
}

function refuseEarly(page: string): void {
  try {
    ensureMarkers(page)
  } catch (error) {
    process.stderr.write(`error: ${(error as Error).message}\n`)
    process.exit(1)
  }
}

function machine(): string {
  const [processor] = cpus()
  const busy = loadavg()[0]?.toFixed(1)
  return `Node ${process.version}, ${cpus().length} x ${processor?.model}, load average ${busy}; medians of ${settings.rounds} rounds of ${settings.seconds} s`
}

function say(text: string): void {
  process.stderr.write(`${text} …\n`)
}
