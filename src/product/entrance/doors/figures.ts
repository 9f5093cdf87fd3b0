import { dayOf } from '#product/entrance/check-ins/entry-rule.ts'
import { ticketState } from '#product/entrance/check-ins/validity.ts'
import type { Frame } from './frame.ts'
import type { TicketWithEntries } from './tickets.ts'

/** Says how many guests are in, as the list has it. */
export interface Figures {
  /** Those who are inside: nobody is since an earlier day where a type admits each day. */
  inside: number
  /** The tickets that are good, or were used. */
  expected: number
  /** Those of the ones inside who came in at this door. */
  here: number
}

/** Counts the tickets of a door's list as they are read. Extras count only at a door that hands out nothing else. */
export class DoorFigures {
  readonly counted: Figures = { inside: 0, expected: 0, here: 0 }
  readonly #types: ReadonlySet<string>
  readonly #deviceId: string
  readonly #today: string
  readonly #timezone: string

  /** @param now milliseconds */
  constructor({ types, event }: Pick<Frame, 'types' | 'event'>, deviceId: string, now: number) {
    const hasExtras = types.some(({ extra }) => extra === true)
    const here = types.filter(type => type.admitted_here)
    const isOfExtras = here.every(({ extra }) => extra === true)
    const isCounted = (type: Frame['types'][number]) =>
      !hasExtras || (isOfExtras ? type.admitted_here : type.extra !== true)
    this.#types = new Set(types.filter(isCounted).map(({ id }) => id))
    this.#deviceId = deviceId
    this.#timezone = event.timezone
    this.#today = dayOf({ entries: 'each_day' }, now, event.timezone)
  }

  add(row: TicketWithEntries): void {
    if (!this.#types.has(row.registration_type_id)) return
    const isGood = ticketState(row.status, row.voided === 1, row.exchanged === 1) === 'ok'
    if (isGood || row.checked_in_at !== null) this.counted.expected++
    const doorId = this.#insideBy(row)
    if (doorId === undefined) return
    this.counted.inside++
    if (doorId === this.#deviceId) this.counted.here++
  }

  /** Returns the door by which a guest who is inside came in, or undefined for anybody else. */
  #insideBy({
    latest,
    checked_in_at: at,
    door_id: doorId,
    entries,
  }: TicketWithEntries): string | null | undefined {
    const entry = latest ?? (at === null ? undefined : { at, doorId, slot: undefined })
    if (entry === undefined || entry.slot?.[2] === false) return undefined
    const isOfNow = entries === 'once' || dayOf({ entries }, entry.at, this.#timezone) === this.#today
    return isOfNow ? entry.doorId : undefined
  }
}
