import { DAY } from '../time.ts'
import type { ReadTx } from './port.ts'

/** How far the clock may be behind the newest write before it is a fault, in milliseconds: less is mended by time alone. */
export const FAR_BEHIND = DAY

/** What belongs to the whole database. */
export interface Instance {
  /** Signs the cursors of lists. */
  cursor_secret: string
  /** The instant of the latest write, in milliseconds. */
  latest_write_at: number
}

export async function readInstance(tx: ReadTx): Promise<Instance> {
  const row = await tx.one<Instance>('SELECT cursor_secret, latest_write_at FROM instance')
  if (row === undefined) throw new Error('The database lacks its instance row.')
  return row
}
