import type { DoorClient, SentItem } from './door.ts'

/** A scan on a phone, and what of it the server has acknowledged. */
export interface Kept {
  item: SentItem
  acknowledged: 'nothing' | 'ask' | 'all'
}

/**
 * A scanner as a phone is one: it keeps what it has scanned until the server says that it has it, sends it again when it hears nothing
 * or of another database, and keeps a copy of the list by its changes.
 */
export class Phone {
  readonly id: string
  readonly client: DoorClient
  readonly pairedAt: number
  readonly kept: Kept[] = []
  /** The outcomes of its scans, as far as it received them. */
  readonly outcomes = new Map<string, string>()
  /** The rows of its copy, by ticket. */
  readonly copy = new Map<string, string>()
  /** Milliseconds by which its clock is wrong. */
  wrong = 0
  isRevoked = false
  #epoch: string | undefined
  #cursor: string | undefined

  constructor(id: string, client: DoorClient, pairedAt: number) {
    this.id = id
    this.client = client
    this.pairedAt = pairedAt
  }

  keep(item: SentItem): void {
    this.kept.push({ item, acknowledged: 'nothing' })
  }

  forget(): void {
    this.kept.length = 0
    this.outcomes.clear()
  }

  /** Returns what the server lacks. */
  get waiting(): Kept[] {
    return this.kept.filter(
      ({ item, acknowledged }) =>
        acknowledged === 'nothing' || (acknowledged === 'ask' && item.shown !== null),
    )
  }

  sendAgain(): void {
    for (const one of this.kept) one.acknowledged = 'nothing'
  }

  /** Sends some, and takes what is answered, if anything is. */
  async send(some: readonly Kept[]): Promise<void> {
    // The copy comes first, because a notice between the answer to a scan and the cursor of a copy would be lost.
    if (this.#cursor === undefined && !(await this.#copyAnew().catch(() => false))) return
    const items = some.map(({ item }) => ({ ...item }))
    const answer = await this.client.send(items, this.kept.length).catch(() => undefined)
    if (answer === undefined) return
    if (answer.status !== 200) throw new Error(`Scans were answered ${answer.status}.`)
    for (const [at, { scan_id, outcome }] of answer.body.results.entries()) {
      const one = some[at] as Kept
      if (scan_id !== one.item.scan_id) throw new Error('Results are in another order than scans.')
      one.acknowledged = items[at]?.shown === null && one.item.kind === 'scan' ? 'ask' : 'all'
      this.outcomes.set(scan_id, outcome)
    }
    this.#noteEpoch(answer.body.epoch)
  }

  /** Brings its copy up to date, and hears what has become of its scans. */
  async catchUp(): Promise<void> {
    for (;;) {
      if (this.#cursor === undefined) await this.#copyAnew()
      const { status, body } = await this.client.changes(this.#cursor as string)
      if (status === 410) {
        // The notices about its scans are lost with the changes, so it copies again.
        this.#cursor = undefined
        this.sendAgain()
        continue
      }
      if (this.#noteEpoch(body.epoch)) continue
      this.#cursor = body.cursor
      for (const row of body.tickets) this.copy.set(row[0], JSON.stringify(row))
      for (const { scan_id, outcome } of body.notices) {
        if (this.outcomes.has(scan_id)) this.outcomes.set(scan_id, outcome)
      }
      if (!body.more) return
    }
  }

  /** @returns whether it has a list; one that was revoked gets none */
  async #copyAnew(): Promise<boolean> {
    const { status, body } = await this.client.copy()
    if (status === 403) return true
    this.copy.clear()
    this.#noteEpoch(body.epoch)
    this.#cursor = body.cursor
    for (const row of body.tickets) this.copy.set(row[0], JSON.stringify(row))
    return true
  }

  /** @returns whether it is another database */
  #noteEpoch(epoch: string): boolean {
    const isOther = this.#epoch !== undefined && this.#epoch !== epoch
    this.#epoch = epoch
    if (isOther) {
      this.#cursor = undefined
      this.sendAgain()
    }
    return isOther
  }
}
