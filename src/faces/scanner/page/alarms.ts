import type { Copy } from './copy.ts'
import type { Alarm, KeptAlarms } from './store.ts'

export interface AlarmsParts {
  copy: () => Copy
  save(kept: KeptAlarms): Promise<void>
  onAlarm(alarm: Alarm): void
}

/** Holds the alarms until somebody confirms them. Each alarm is shown once, whichever answer brings it again. */
export class Alarms {
  readonly #parts: AlarmsParts
  #standing: readonly Alarm[] = []
  readonly #raised = new Set<string>()

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

  /** Resolves once the alarm is kept. */
  async tell(alarm: Alarm): Promise<void> {
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
    this.#raised.clear()
  }

  #save(): Promise<void> {
    const standing = this.#standing.map(({ row, ...alarm }): Alarm => {
      if (row === undefined) return { ...alarm, row }
      const [id, type, state, , , owes, usedAt, usedBy] = row
      return { ...alarm, row: [id, type, state, null, null, owes, usedAt, usedBy] }
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
