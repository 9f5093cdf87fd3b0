import type { TicketRow } from './contract.ts'
import type { Copy } from './copy.ts'
import type { Alarm, KeptAlarms } from './store.ts'

export interface AlarmsParts {
  copy: () => Copy
  save(kept: KeptAlarms): Promise<void>
  onAlarm(alarm: Alarm): void
}

/** So many shown names are remembered. */
const MOST_NAMED = 1000

/** Holds the alarms until somebody confirms them. Each alarm is shown once, whichever answer brings it again. */
export class Alarms {
  readonly #parts: AlarmsParts
  #standing: readonly Alarm[] = []
  readonly #raised = new Set<string>()
  /** What was shown of tickets lately. It outlives no page, as a list without names has none. */
  readonly #named = new Map<string, TicketRow>()

  constructor(parts: AlarmsParts) {
    this.#parts = parts
  }

  /** Returns the alarms that nobody has confirmed, the oldest first. */
  get standing(): readonly Alarm[] {
    return this.#standing
  }

  load({ standing, told }: KeptAlarms): void {
    const { copy } = this.#parts
    for (const scanId of told) this.#raised.add(scanId)
    this.#standing = standing.map(alarm => ({
      ...alarm,
      row: copy().find(alarm.row?.[0] ?? '') ?? alarm.row,
    }))
  }

  /** Remembers whose ticket was shown, so that an alarm about it says whom to look for. */
  remember(row: TicketRow): void {
    if (row[3] === null) return
    this.#named.delete(row[0])
    this.#named.set(row[0], row)
    if (this.#named.size > MOST_NAMED) this.#named.delete(this.#named.keys().next().value as string)
  }

  /** Resolves once the alarm is kept. */
  async tell(told: Alarm): Promise<void> {
    const alarm = { ...told, row: this.#withName(told.row) }
    const about = aboutOf(alarm)
    if (this.#raised.has(about)) return
    this.#raised.add(about)
    this.#standing = [...this.#standing, alarm]
    this.#parts.onAlarm(alarm)
    await this.#save()
  }

  /** Removes the first alarm, which somebody has seen. */
  async confirm(): Promise<void> {
    this.#standing = this.#standing.slice(1)
    await this.#save()
  }

  /** Removes all alarms, because somebody has seen that there are many. */
  async confirmAll(): Promise<void> {
    this.#standing = []
    await this.#save()
  }

  forget(): void {
    this.#standing = []
    this.#named.clear()
    this.#raised.clear()
  }

  #withName(row: TicketRow | undefined): TicketRow | undefined {
    const named = row && row[3] === null ? this.#named.get(row[0]) : undefined
    if (row === undefined || named === undefined) return row
    return withHolder(row, named[3], named[4])
  }

  #save(): Promise<void> {
    const standing = this.#standing.map(({ row, ...alarm }): Alarm => {
      return { ...alarm, row: row && withHolder(row, null, null) }
    })
    return this.#parts.save({ standing, told: [...this.#raised] })
  }
}

/**
 * Returns what an alarm is about. A ticket that another door admitted raises one alarm for that door, however often it happens.
 * Otherwise a thief with a phone could keep the others from scanning.
 */
function aboutOf({ kind, scanId, row, other }: Alarm): string {
  return kind === 'other' && row !== undefined ? `other ${row[0]} ${other?.door ?? ''}` : scanId
}

function withHolder(row: TicketRow, name: string | null, seat: string | null): TicketRow {
  const [id, type, state, , , ...rest] = row
  return [id, type, state, name, seat, ...rest]
}
