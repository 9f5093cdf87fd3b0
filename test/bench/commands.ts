import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabaseForCommand } from '#machinery/db/sqlite/data-folder.ts'
import { countEvent } from '#product/reporting/figures/count.ts'
import type { Contestant } from './contestant.ts'
import type { Settings } from './measures.ts'
import { figure, median, type Row } from './table.ts'

interface Ran {
  seconds: number
  /** The peak of its resident memory, in MiB. */
  peak: number
}

/** Measures the export of the whole organization into a file, by a process of its own beside an idle server. */
export async function measureExport(
  { filled }: Contestant,
  size: number,
  settings: Settings,
): Promise<Row[]> {
  const file = join(filled.data, 'organization.json')
  const runs: Ran[] = []
  for (let round = 0; round < settings.rounds; round++) {
    runs.push(await runCommand(['export', '--data', filled.data], file))
    rmSync(file)
  }
  const seconds = median(runs.map(run => run.seconds))
  return [
    {
      what: `turnout export of ${size.toLocaleString('en')} registrations, s`,
      turnout: figure(seconds),
      target: '',
    },
    { what: '  its rows a second', turnout: figure(size / seconds), target: '' },
    {
      what: '  its peak memory (VmHWM), MiB',
      turnout: figure(median(runs.map(run => run.peak))),
      target: '',
    },
  ]
}

/** Measures the look for damage once only, because it verifies the signature of each ticket and takes long. */
export async function measureCheck({ filled }: Contestant, size: number): Promise<Row[]> {
  const row = { what: 'turnout check, rows a second', target: '' }
  // It would stop at the first hundred tickets that nobody has signed, and so be measured too fast.
  if (filled.codes.length < size)
    return [{ ...row, turnout: figure(Number.NaN), compared: 'not all tickets are signed at this size' }]
  const { seconds, peak } = await runCommand(['check', '--data', filled.data])
  return [
    {
      ...row,
      turnout: figure(size / seconds),
      compared: `${figure(seconds)} s, at its peak ${figure(peak)} MiB, once`,
    },
  ]
}

/** Measures the counting of the figures that the dashboard shows of an event, which a server does in the background if it is large. */
export async function measureFigures(
  { filled }: Contestant,
  size: number,
  settings: Settings,
): Promise<Row[]> {
  const db = openDatabaseForCommand(filled.data, Date.now)
  const times: number[] = []
  try {
    // The first round is not counted: in it the engine still compiles what is hot.
    for (let round = -1; round < settings.rounds; round++) {
      const began = performance.now()
      const counted = await countEvent(db, filled.accountId, {
        id: filled.eventId,
        timezone: 'Europe/Madrid',
      })
      if (round >= 0) times.push(performance.now() - began)
      if (counted.registrations.confirmed !== size) throw new Error('The figures lack registrations.')
    }
  } finally {
    await db.close()
  }
  const time = median(times)
  return [
    {
      what: `the figures of ${size.toLocaleString('en')} registrations, counted anew, ms`,
      turnout: figure(time),
      compared: `${figure(size / (time / 1000))} rows a second`,
      target: '',
    },
  ]
}

/** @param file what the command prints goes there */
async function runCommand(args: readonly string[], file = '/dev/null'): Promise<Ran> {
  const output = openSync(file, 'w')
  try {
    const began = performance.now()
    const child = spawn(
      process.execPath,
      ['--require', './dist/bench/peak.cjs', 'dist/turnout.cjs', ...args],
      { stdio: ['ignore', output, 'inherit', 'pipe'] },
    )
    let peak = ''
    child.stdio[3]?.on('data', text => {
      peak += text
    })
    const [code] = await once(child, 'close')
    const seconds = (performance.now() - began) / 1000
    if (code !== 0) throw new Error(`turnout ${args[0]} has ended with ${code}.`)
    return { seconds, peak: Number(peak) }
  } finally {
    closeSync(output)
  }
}
