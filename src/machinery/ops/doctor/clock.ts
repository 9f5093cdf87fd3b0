import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Clock, SECOND } from '#base/time.ts'
import type { Reader } from '#machinery/db/batches.ts'
import { FAR_BEHIND, readInstance } from '#machinery/db/instance.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { type Finding, finding } from './finding.ts'

/** How long the system's own answer is waited for, in milliseconds. */
const PATIENCE = 2 * SECOND

export interface ClockPatient {
  reader: Reader
  clock: Clock
  /** For tests: returns whether the system keeps its clock by others. It is undefined if nobody knows. */
  isSynchronized?: (() => Promise<boolean | undefined>) | undefined
}

/** Compares the clock with the newest write, and asks the system whether the clock is kept by others. */
export async function lookAtClock({
  reader,
  clock,
  isSynchronized = askSystem,
}: ClockPatient): Promise<Finding[]> {
  const { latest_write_at: newest } = await reader.read(INSTANCE, readInstance)
  const now = clock()
  if (newest - now > FAR_BEHIND) {
    return [
      finding('error', 'clock_behind', ({ texts, format }) =>
        texts.system.clockBehind(format.dateTime(now), format.dateTime(newest)),
      ),
    ]
  }
  if ((await isSynchronized()) === false)
    return [finding('warning', 'clock_unsynchronized', ({ texts }) => texts.doctor.clockUnsynchronized)]
  return [finding('ok', 'clock_right', ({ texts, format }) => texts.doctor.clockRight(format.dateTime(now)))]
}

/** Asks systemd, which knows it of each program that sets the clock. Other systems have no common answer. */
async function askSystem(): Promise<boolean | undefined> {
  try {
    const args = ['show', '--property=NTPSynchronized', '--value']
    const { stdout } = await promisify(execFile)('timedatectl', args, { timeout: PATIENCE })
    const answer = stdout.trim()
    return answer === 'yes' ? true : answer === 'no' ? false : undefined
  } catch {
    return undefined
  }
}
