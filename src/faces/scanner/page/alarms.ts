import type { Copy } from './copy.ts'
import type { Alarm, KeptAlarms } from './store.ts'

export interface AlarmsParts {
  copy: () => Copy
  save(kept: KeptAlarms): Promise<void>
  onAlarm(alarm: Alarm): void
}

/** What somebody has to look at, until they say that they have. Each is told once, whoever brings it again. */
export class Alarms {
  readonly #parts: AlarmsParts
  #standing: readonly Alarm[] = []
  readonly #told = new Set<string>()

  constructor(parts: AlarmsParts) {
    this.#parts = parts
  }

  /** Those that nobody has confirmed, the oldest first. */
  get standing(): readonly Alarm[] {
    return this.#standing
  }

  load({ standing, told }: KeptAlarms): void {
    const { copy } = this.#parts
    for (const scanId of told) this.#told.add(scanId)
    this.#standing = standing.map(alarm => ({
      ...alarm,
      row: copy().find(alarm.row?.[0] ?? '') ?? alarm.row,
    }))
  }

  /** Ends once it is kept. */
  async tell(alarm: Alarm): Promise<void> {
    if (this.#told.has(alarm.scanId)) return
    this.#told.add(alarm.scanId)
    this.#standing = [...this.#standing, alarm]
    this.#parts.onAlarm(alarm)
    await this.#save()
  }

  /** Somebody has seen the first. */
  async confirm(): Promise<void> {
    this.#standing = this.#standing.slice(1)
    await this.#save()
  }

  forget(): void {
    this.#standing = []
    this.#told.clear()
  }

  #save(): Promise<void> {
    const standing = this.#standing.map(({ row, ...alarm }): Alarm => {
      if (row === undefined) return { ...alarm, row }
      const [id, type, state, , , owes, usedAt, usedBy] = row
      return { ...alarm, row: [id, type, state, null, null, owes, usedAt, usedBy] }
    })
    return this.#parts.save({ standing, told: [...this.#told] })
  }
}
