import type { Database, ReadTx, WriteTx } from '#machinery/db/port.ts'
import { importLine } from '#product/entrance/check-ins/door-history.ts'
import type { HistoryLine } from '#product/entrance/check-ins/door-history-schemas.ts'

class TakenBack extends Error {}

/** A database that knows the tickets and nothing that doors did with them, until it takes lines that another one carries to it. */
export class DoorsAtHome {
  readonly #ticketIds: readonly string[]
  readonly #lines: readonly HistoryLine[]

  constructor(ticketIds: readonly string[], lines: readonly HistoryLine[]) {
    this.#ticketIds = ticketIds
    this.#lines = lines
  }

  #scans() {
    return this.#lines.filter(line => line.kind !== 'entries')
  }

  /** Returns the state of the tickets and of the scans that are carried. */
  async read(tx: ReadTx) {
    const tickets = []
    for (const id of this.#ticketIds) {
      const holder = await tx.one<{ id: string; scan_id: string | null }>(
        'SELECT id, scan_id FROM check_ins WHERE attendee_id = $1',
        [id],
      )
      const entries = await tx.all<{ slot: string; scan_id: string | null; left_scan_id: string | null }>(
        'SELECT slot, scan_id, left_scan_id FROM entries WHERE attendee_id = $1 ORDER BY entered_at, slot',
        [id],
      )
      tickets.push({
        holder: holder && (holder.scan_id ?? holder.id),
        entries: entries.map(({ slot, scan_id, left_scan_id }) => [
          slot,
          scan_id ?? holder?.id,
          left_scan_id,
        ]),
      })
    }
    const scans: unknown[] = []
    for (const { id, kind } of this.#scans()) {
      const row = await tx.one<{ outcome: string }>('SELECT outcome FROM scans WHERE id = $1', [id])
      // A check-in of a program comes as a scan.
      if (kind !== 'undo' && !id.startsWith('chk_')) scans.push([id, row?.outcome])
    }
    return { tickets, scans }
  }

  /** Takes the lines, and forgets all of it again. @returns the state in between */
  async take(db: Database, accountId: string, times: number) {
    let found: Awaited<ReturnType<DoorsAtHome['read']>> | undefined
    const work = async (tx: WriteTx) => {
      for (const id of this.#ticketIds) {
        for (const table of ['entries', 'check_ins', 'scans'])
          await tx.run(`DELETE FROM ${table} WHERE attendee_id = $1`, [id])
      }
      for (const { id } of this.#scans()) await tx.run('DELETE FROM scans WHERE id = $1', [id])
      for (let time = 0; time < times; time++) for (const line of this.#lines) await importLine(tx, line)
      found = await this.read(tx)
      throw new TakenBack()
    }
    await db.write(accountId, work).catch((error: unknown) => {
      if (!(error instanceof TakenBack)) throw error
    })
    return found
  }
}
