import { Alarms } from './alarms.ts'
import { DoorClock } from './clock.ts'
import type { ChangesAnswer, DeviceRow, ScansAnswer } from './contract.ts'
import { Copy } from './copy.ts'
import { Patience } from './decide.ts'
import { Hearing } from './hearing.ts'
import { ScanQueue } from './queue.ts'
import { Server } from './server.ts'
import {
  type Alarm,
  type Before,
  isFull,
  type Pairing,
  type Settings,
  Store,
  type StoredScan,
} from './store.ts'
import { type Reach, Sync } from './sync.ts'

export interface HoldingParts {
  date: () => number
  steady: () => number
  /** Returns whether somebody has the page in view. */
  isSeen: () => boolean
  onChange(): void
  onAlarm(alarm: Alarm): void
  onReach(reach: Reach): void
  onStorageFull(): void
}

/** A phone has to be paired again for one of these reasons. */
export type End = 'invalid_device' | 'device_revoked' | 'expired'

/** Scans stay on the phone for this many milliseconds, because the server may have been restored. */
const KEPT_FOR_RESTORED = 24 * 60 * 60 * 1000

/** The phone asks the server for the time for this many milliseconds before it forgets its list by its own clock. */
const UNSURE = 15_000

/** Holds everything that this phone has of an event, in memory and in storage: its pairing, the copy, the scans. */
export class Holding {
  readonly patience = new Patience()
  readonly clock: DoorClock
  readonly server: Server
  readonly sync: Sync
  readonly hearing: Hearing
  readonly alarms: Alarms
  settings: Settings = {}
  copy = new Copy()
  /** It is undefined before the phone is paired, and after the pairing has ended. */
  pairing: Pairing | undefined
  /** The phone only sends the scans that still wait. */
  isEnding = false
  end: End | undefined
  readonly #parts: HoldingParts
  #store: Store | undefined
  #queue: ScanQueue | undefined
  /** Whether the page has to fetch the copy, even if it has one. */
  #isStale = false
  #before: Before | undefined
  /** Since this instant of the steady clock, the list can admit nobody any more and somebody has the page in view. */
  #overSince: number | undefined
  #savedHead = ''

  constructor(parts: HoldingParts) {
    this.#parts = parts
    const { steady, isSeen, onAlarm, onReach } = parts
    this.clock = new DoorClock(parts)
    this.server = new Server(this.clock, steady)
    const copy = () => this.copy
    this.alarms = new Alarms({ copy, onAlarm, save: kept => this.#quietly(store => store.saveAlarms(kept)) })
    this.hearing = new Hearing({ copy, queue: () => this.queue, tell: alarm => this.alarms.tell(alarm) })
    this.sync = new Sync({
      ...{ server: this.server, patience: this.patience, steady, onReach },
      queue: () => this.queue,
      cursor: () => (this.#isStale ? undefined : this.copy.head?.cursor),
      isActive: () => isSeen() && this.pairing !== undefined && !this.isEnding,
      fetchCopy: () => this.fetchCopy(),
      onChanges: answer => this.#takeChanges(answer),
      onResults: (sent, answer) => this.#takeResults(sent, answer),
      onRefusal: code => this.takeRefusal(code),
    })
  }

  get queue(): ScanQueue {
    if (this.#queue === undefined) throw new Error('The storage is not open yet.')
    return this.#queue
  }

  /** Returns how many scans wait. */
  get waiting(): number {
    return this.#queue?.count ?? 0
  }

  /** Returns how many scans of another event wait until the phone is paired with that event again. */
  get others(): number {
    return this.#queue?.others().length ?? 0
  }

  /** Reads what the storage has. Rejects if the phone cannot keep anything. */
  async open(onGone: () => void): Promise<void> {
    this.#store ??= await Store.open(onGone)
    const { pairing, before, settings, head, tickets, alarms } = await this.#store.load()
    this.#queue = new ScanQueue(this.#store)
    await this.#queue.load()
    this.settings = settings
    this.clock.begin(settings.offset ?? 0)
    this.pairing = pairing
    this.#before = before
    if (pairing !== undefined) {
      this.server.token = pairing.token
      this.queue.event = pairing.device.event_id ?? head?.event.id
      this.copy = new Copy(pairing.device, head, tickets, pairing.names)
    }
    if (alarms !== undefined) this.alarms.load(alarms)
    if (pairing === undefined) {
      const isOver = before !== undefined && this.clock.now() > before.endedAt + KEPT_FOR_RESTORED
      if (isOver) await this.#quietly(store => store.wipeCopy())
      return
    }
    this.#isStale = head !== undefined && head.epoch !== pairing.epoch
    for (const scan of this.#queue.waiting()) this.copy.markAgain(scan)
    this.sync.start()
    await this.endInTime()
  }

  /** Pairs this phone. Throws NoAnswer or Refusal. */
  async pair(secret: string): Promise<void> {
    // Only the old pairing's token can bring the waiting scans to their event.
    if (this.pairing !== undefined && this.waiting > 0) await this.sync.send()
    const { token, device, epoch } = await this.server.pair(secret)
    const before = this.#whatWas()
    const isSame = before !== undefined && before.eventId === device.event_id
    this.pairing = { token, device, epoch }
    this.server.token = token
    this.queue.event = device.event_id
    this.isEnding = false
    this.end = undefined
    this.copy = new Copy(device)
    this.#isStale = true
    for (const scan of this.queue.waiting()) this.copy.markAgain(scan)
    await this.#quietly(store => store.wipeCopy(isSame ? before : undefined))
    if (isSame && before.epoch !== epoch) await this.#sendAllAgain()
    await this.#quietly(store => store.savePairing({ token, device, epoch }))
    this.#parts.onChange()
    this.sync.start()
    this.sync.hurry()
  }

  async fetchCopy(): Promise<void> {
    const answer = await this.server.copy()
    const { pairing } = this
    if (pairing === undefined || this.isEnding) return
    if (answer.epoch !== pairing.epoch) await this.#beginEpoch(answer.epoch)
    this.#isStale = false
    this.queue.event = answer.event.id
    const head = this.copy.replace(answer, this.clock.now())
    this.#parts.onChange()
    // The notices come before the saved cursor, as with changes.
    await this.hearing.takeNotices(answer)
    await this.#quietly(store => store.saveCopy(head, answer.tickets))
    if (answer.device !== undefined) await this.#saveDevice(answer.device)
  }

  async saveSettings(part: Partial<Settings>): Promise<void> {
    this.settings = { ...this.settings, ...part }
    await this.#quietly(store => store.saveSettings(this.settings))
  }

  async takeRefusal(code: string): Promise<void> {
    if (code === 'device_revoked') await this.#beginEnd('device_revoked')
    else if (code === 'invalid_device') {
      this.end = 'invalid_device'
      this.#before = this.#whatWas()
      this.#dropPairing()
      await this.#quietly(store => store.wipeCopy(this.#before))
      await this.#quietly(store => store.forgetPairing())
    } else if (code === 'copy_again') {
      // The server may be older than this phone's copy, so the phone sends everything again.
      this.#isStale = true
      await this.#sendAllAgain()
      this.sync.hurry()
    }
    this.#parts.onChange()
  }

  /** Starts anew if the epoch has changed, because the server was restored, or is another one. */
  async compareEpoch(epoch: string): Promise<void> {
    if (this.pairing === undefined || epoch === this.pairing.epoch) return
    await this.#beginEpoch(epoch)
    this.sync.hurry()
  }

  /** Wipes the list once it can no longer admit anybody. */
  async endInTime(): Promise<void> {
    const { isSeen, steady } = this.#parts
    const isOver = this.clock.now() >= this.copy.endsAt
    if (!isOver || !isSeen()) this.#overSince = undefined
    if (!isOver || this.pairing === undefined || this.isEnding) return
    if (isSeen()) this.#overSince ??= steady()
    // A wrong date ends nothing before the server has had time to send a better one.
    const since = this.#overSince ?? Number.POSITIVE_INFINITY
    if (this.clock.isSure || steady() - since >= UNSURE) await this.#beginEnd('expired')
  }

  /** Removes everything from the phone, including the scans that wait. @param others the scans of another event, which stay */
  async wipe(others: readonly StoredScan[] = []): Promise<void> {
    this.#dropPairing()
    this.isEnding = false
    this.queue.forgetAll(others)
    this.alarms.forget()
    await this.#quietly(store => store.wipe(others))
    this.#parts.onChange()
  }

  #whatWas(): Before | undefined {
    const eventId = this.copy.head?.event.id
    if (this.pairing === undefined || eventId === undefined) return this.#before
    return { epoch: this.pairing.epoch, eventId, endedAt: this.clock.now() }
  }

  #dropPairing(): void {
    this.sync.stop()
    this.pairing = undefined
    this.server.token = undefined
    this.queue.event = undefined
    this.copy = new Copy()
  }

  async #beginEnd(end: End): Promise<void> {
    if (this.isEnding || this.pairing === undefined) return
    this.isEnding = true
    this.end = end
    this.copy = new Copy(this.pairing.device)
    await this.#quietly(store => store.wipeCopy())
    if (this.queue.count === 0) await this.wipe(this.queue.others())
    this.#parts.onChange()
    if (this.queue.count > 0) void this.sync.send()
  }

  async #beginEpoch(epoch: string): Promise<void> {
    if (this.pairing === undefined) return
    this.pairing = { ...this.pairing, epoch }
    this.#isStale = true
    // The scans come before the saved epoch. If the page ends between the two, it finds a new epoch again.
    await this.#sendAllAgain()
    await this.#quietly(store => store.savePairing(this.pairing as Pairing))
  }

  async #sendAllAgain(): Promise<void> {
    await this.#quietly(() => this.queue.resendAll())
    for (const scan of this.queue.waiting()) this.copy.markAgain(scan)
  }

  async #takeChanges(answer: ChangesAnswer): Promise<void> {
    if (answer.epoch !== this.pairing?.epoch) {
      await this.compareEpoch(answer.epoch)
      return
    }
    const head = this.copy.change(answer, this.clock.now())
    // The notices come before the saved cursor, after which they do not come again.
    await this.hearing.takeNotices(answer)
    const state = JSON.stringify({ ...head, now: '', heardAt: Math.floor(head.heardAt / 60_000) })
    if (state !== this.#savedHead) await this.#quietly(store => store.saveChanges(head, answer.tickets))
    this.#savedHead = state
    if (answer.device !== undefined) await this.#saveDevice(answer.device)
    if (Math.abs((this.settings.offset ?? 0) - this.clock.offset) > 500) {
      await this.saveSettings({ offset: this.clock.offset })
    }
    this.#parts.onChange()
  }

  async #takeResults(sent: readonly StoredScan[], answer: ScansAnswer): Promise<number> {
    const listed = await this.hearing.takeResults(sent, answer)
    await this.compareEpoch(answer.epoch)
    if (this.isEnding && this.queue.count === 0) await this.wipe(this.queue.others())
    this.#parts.onChange()
    return listed
  }

  async #saveDevice(changes: DeviceRow): Promise<void> {
    const device = { ...this.pairing?.device, ...changes }
    if (this.pairing === undefined || JSON.stringify(this.pairing.device) === JSON.stringify(device)) return
    // The copy has to gain or lose its names.
    if (this.pairing.device.search !== device.search) this.#isStale = true
    this.pairing = { ...this.pairing, device, names: this.copy.names }
    await this.#quietly(store => store.savePairing(this.pairing as Pairing))
  }

  /** Keeps in memory what the storage cannot take for now, and reports a full storage. */
  async #quietly(act: (store: Store) => Promise<unknown>): Promise<void> {
    if (this.#store === undefined) return
    try {
      await act(this.#store)
    } catch (error) {
      if (isFull(error)) this.#parts.onStorageFull()
    }
  }
}
