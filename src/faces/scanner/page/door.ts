import { Camera } from './camera.ts'
import { type CodeFault, warmUp } from './codes.ts'
import type { TicketRow } from './contract.ts'
import type { Copy } from './copy.ts'
import { Decoder } from './decoder.ts'
import { Feedback } from './feedback.ts'
import { Holding } from './holding.ts'
import { newId } from './ids.ts'
import { againResult, faultResult, kindOf, signalOf } from './kinds.ts'
import { holdLock } from './one-tab.ts'
import { PairingDesk } from './pairing-desk.ts'
import { type FaultAbout, Presenting, type Source } from './presenting.ts'
import { ScanList } from './scan-list.ts'
import { type Presented, Scanning } from './scanning.ts'
import { search } from './search.ts'
import { shownOf } from './shown.ts'
import { beginState, type Phase, phaseAfter, type Result, type Screen, type State } from './state.ts'
import type { Language } from './texts/texts.ts'
import { WakeLock } from './wake-lock.ts'

/** A result stands this many milliseconds if nothing follows. */
const SHOWN = { admitted: 5000, again: 5000, left: 5000, other: 15_000 }
const SECOND = 1000

const steady = () => performance.now()
const date = () => Date.now()

/** Joins the parts of the scanner, and carries out what its buttons do. */
export class Door {
  state: State = beginState()
  readonly camera: Camera
  readonly desk: PairingDesk
  readonly scans: ScanList
  readonly #onChange: () => void
  readonly #feedback = new Feedback()
  readonly #wake = new WakeLock()
  readonly #holding: Holding
  readonly #scanning: Scanning
  readonly #presenting: Presenting
  #clearing: ReturnType<typeof setTimeout> | undefined
  #wasHidden = false
  #ticking: ReturnType<typeof setInterval> | undefined

  constructor(onChange: () => void) {
    this.#onChange = onChange
    const holding = new Holding({
      ...{ date, steady, isSeen: () => !document.hidden, onChange: () => this.#refresh() },
      onAlarm: () => {
        this.#feedback.give('alarm')
        this.set({ alarms: holding.alarms.standing, asks: undefined })
      },
      onReach: reach => this.set({ isReached: reach !== 'no', isBusy: reach === 'busy' }),
      onStorageFull: () => this.set({ isStorageFull: true }),
    })
    this.#holding = holding
    this.#scanning = new Scanning({
      ...{ clock: holding.clock, date, newId, server: holding.server, patience: holding.patience },
      queue: () => holding.queue,
      copy: () => holding.copy,
      sendSoon: () => void holding.sync.send(),
      onAnswer: ({ epoch }) => void holding.compareEpoch(epoch),
      onLate: (scan, result) => void holding.hearing.takeLate(scan, result),
      onRefusal: code => void holding.takeRefusal(code),
      onStored: isKept => this.set({ isStorageFull: !isKept }),
    })
    this.#presenting = new Presenting({
      steady,
      keys: () => holding.copy.head?.keys ?? [],
      others: () => holding.copy.head?.other_events ?? [],
      onTicket: (presented, seenAt) => void this.#scan(presented, seenAt),
      onFault: (fault, seenAt, about) => this.#showFault(fault, seenAt, about),
      onAgain: ticketId => this.#showAgain(ticketId),
      onStill: () => this.#feedback.give('key'),
    })
    this.scans = new ScanList({
      ...{ holding, date, state: () => this.state, set: part => this.set(part) },
      onChange: () => this.#refresh(),
    })
    this.desk = new PairingDesk({
      holding,
      state: () => this.state,
      set: part => this.set(part),
      onRead: () => {
        this.#feedback.give('key')
        this.camera.stop()
      },
      onPaired: () => this.#refresh(),
    })
    this.camera = new Camera({
      decoder: new Decoder(),
      steady,
      onTexts: (texts, seenAt) => this.takeTexts(texts, 'camera', seenAt),
      onChange: camera => this.set({ camera }),
    })
  }

  set(part: Partial<State>): void {
    this.state = { ...this.state, ...part }
    this.#onChange()
  }

  /** @param takeOver whether to take the scanner over from another tab */
  async begin(takeOver: boolean): Promise<void> {
    if (!(await holdLock(takeOver, () => this.#leave()))) {
      this.set({ phase: 'elsewhere' })
      return
    }
    try {
      await this.#holding.open(() => this.set({ phase: 'no-storage' }))
    } catch {
      this.set({ phase: 'no-storage' })
      return
    }
    const { language, camera, isMuted = false } = this.#holding.settings
    this.#feedback.isMuted = isMuted
    if (camera !== undefined) this.camera.prefer(camera)
    this.set({ ...(language && { language }), isMuted, phase: 'ready' })
    this.#refresh()
    this.desk.readAddress()
    this.#ticking ??= setInterval(() => this.#look(), SECOND)
  }

  pair(): Promise<void> {
    this.#feedback.unlock()
    return this.desk.pair()
  }

  forgetSecret(): void {
    this.desk.forgetSecret()
    this.set({ phase: 'ready' })
    this.#refresh()
  }

  /** Starts scanning at a touch. Without one, the phone gives no camera and no sound. */
  start(): void {
    this.#feedback.unlock()
    this.set({ phase: 'scanning', screen: 'scan', result: undefined })
    this.#wake.want(true)
    void this.camera.start()
    warmUp()
  }

  stop(): void {
    this.#rest()
    this.set({ phase: 'ready', screen: 'scan', result: undefined, asks: undefined })
    this.#refresh()
  }

  startCamera(chosen?: string): void {
    this.#feedback.unlock()
    if (chosen !== undefined) void this.#holding.saveSettings({ camera: chosen })
    void this.camera.start(chosen)
  }

  /** Takes texts of the camera, of a keyboard scanner, or of the field. `texts` is everything that one code may mean. */
  takeTexts(texts: readonly string[], source: Source, seenAt: number): void {
    const { phase, alarms } = this.state
    if (phase === 'pairing') this.desk.take(texts)
    // While somebody searches, the code in front of the camera belongs to nobody.
    if (phase !== 'scanning' || (source === 'camera' && this.state.screen !== 'scan')) return
    // Somebody has to look at the alarm first. A keyboard scanner would go on as if no alarm were there.
    if (alarms.length > 0) {
      if (source === 'camera') return
      this.#feedback.give('refused')
      this.set({ isUnread: true })
      return
    }
    this.camera.touch()
    this.#presenting.take(texts, source, seenAt)
  }

  show(screen: Screen): void {
    this.clearResult()
    this.set({ screen, asks: undefined, search: { text: '', found: [] } })
    if (screen === 'scans') void this.scans.list()
  }

  search(text: string): void {
    this.camera.touch()
    const { copy } = this.#holding
    const found = search(copy.rows(), text).map(row => copy.find(row[0]) ?? row)
    this.set({ search: { text, found } })
  }

  /** Admits a ticket by name, without a code. */
  admit(ticketId: string): void {
    this.set({ asks: undefined, screen: 'scan' })
    void this.#scan({ ticketId, code: undefined }, steady())
  }

  async undo(scanId: string): Promise<void> {
    this.#feedback.give('key')
    const ticketId = await this.scans.undo(scanId)
    if (ticketId !== undefined) this.#presenting.letAgain(ticketId)
  }

  /** @param isAll nobody reads each of many alarms; their scans are in the dashboard */
  seeAlarm(isAll = false): void {
    const { alarms } = this.#holding
    void (isAll ? alarms.confirmAll() : alarms.confirm())
    this.set({ alarms: alarms.standing, isUnread: false })
  }

  clearResult(): void {
    clearTimeout(this.#clearing)
    this.#presenting.goOn()
    this.set({ result: undefined })
  }

  speak(language: Language): void {
    this.set({ language })
    void this.#holding.saveSettings({ language })
  }

  mute(isMuted: boolean): void {
    this.#feedback.isMuted = isMuted
    this.set({ isMuted })
    void this.#holding.saveSettings({ isMuted })
    this.#feedback.give('admitted')
  }

  async forget(): Promise<void> {
    this.stop()
    await this.#holding.wipe()
  }

  /** Continues at once, because the network is back or somebody looks at the page again. */
  hurry(): void {
    this.#look()
    this.#holding.sync.hurry()
  }

  typeOf(row: TicketRow | undefined) {
    return row && this.#holding.copy.typeOf(row)
  }

  get copy(): Copy {
    return this.#holding.copy
  }

  async #scan(presented: Presented, seenAt: number): Promise<void> {
    const verdict = await this.#scanning.scan(presented)
    if (verdict.row !== undefined) this.#holding.alarms.remember(verdict.row)
    this.#showResult({ ...verdict, type: this.typeOf(verdict.row)?.name, took: steady() - seenAt })
    this.#refresh()
  }

  #showFault(reason: CodeFault, seenAt: number, about: FaultAbout): void {
    this.#showResult({ ...faultResult(reason, this.#holding.clock.now(), steady() - seenAt), ...about })
  }

  #showAgain(ticketId: string | undefined): void {
    const row = this.copy.find(ticketId ?? '')
    const read = { ...faultResult('just_read', this.#holding.clock.now(), 0), ticketId, row }
    this.#showResult(againResult(this.state.result, { ...read, type: this.typeOf(row)?.name }))
  }

  #showResult(result: Result): void {
    this.set({ result, asks: undefined, screen: 'scan' })
    const kind = kindOf(result)
    this.#feedback.give(signalOf(result))
    clearTimeout(this.#clearing)
    const time = kind === 'admitted' || kind === 'again' || kind === 'left' ? SHOWN[kind] : SHOWN.other
    this.#clearing = setTimeout(() => {
      if (this.state.asks === undefined) this.set({ result: undefined })
    }, time)
  }

  #rest(): void {
    this.camera.stop()
    this.#wake.want(false)
  }

  #leave(): void {
    this.#holding.sync.stop()
    this.#rest()
    this.set({ phase: 'elsewhere', result: undefined })
  }

  /** Runs every second, because nothing announces that a clock was set. */
  #look(): void {
    const jump = this.#holding.clock.look(this.#wasHidden || document.hidden)
    this.#wasHidden = document.hidden
    if (jump !== 0) this.#refresh()
    void this.#holding.endInTime()
  }

  /** Shows again what the phone holds. */
  #refresh(): void {
    this.set({ ...shownOf(this.#holding), phase: this.#phase() })
    void this.scans.list()
  }

  #phase(): Phase {
    const { pairing, isEnding, copy } = this.#holding
    const next = phaseAfter(this.state, { isPaired: pairing !== undefined, isEnding, isThere: copy.isThere })
    if (this.state.phase === 'scanning' && next !== 'scanning') this.#rest()
    return next
  }
}
