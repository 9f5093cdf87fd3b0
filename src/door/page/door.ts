import { Camera } from './camera.ts'
import { type CodeFault, warmUp } from './codes.ts'
import type { TicketRow } from './contract.ts'
import { Decoder } from './decoder.ts'
import { Feedback } from './feedback.ts'
import { Holding } from './holding.ts'
import { newId } from './ids.ts'
import { holdLock } from './one-tab.ts'
import { findSecret, isElsewhere } from './pairing.ts'
import { Presenting, type Source } from './presenting.ts'
import { type Presented, Scanning, type Verdict } from './scanning.ts'
import { search } from './search.ts'
import { Refusal } from './server.ts'
import { beginState, type Phase, type Result, type Screen, type State } from './state.ts'
import type { StoredScan } from './store.ts'
import { type Language, textsIn } from './texts/texts.ts'
import { WakeLock } from './wake-lock.ts'

/** How long a result stands where nothing follows, in milliseconds. */
const SHOWN = { admitted: 5000, other: 15_000 }
const LAST_SCANS = 100
/** Within that time a phone takes back what it has let in. Milliseconds. */
export const UNDO_TIME = 10 * 60_000
const SECOND = 1000
const MINUTE = 60 * SECOND

const steady = () => performance.now()
const date = () => Date.now()

/** The scanner: what its parts make together, and what its buttons do. */
export class Door {
  state: State = beginState()
  readonly camera: Camera
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
      onAlarm: alarm => {
        this.#feedback.give('alarm')
        this.set({ alarms: [...this.state.alarms, alarm], asks: undefined })
      },
      onReach: isReached => this.set({ isReached }),
      onStorageFull: () => this.set({ isStorageFull: true }),
    })
    this.#holding = holding
    this.#scanning = new Scanning({
      ...{ clock: holding.clock, date, newId, server: holding.server, patience: holding.patience },
      queue: () => holding.queue,
      copy: () => holding.copy,
      sendSoon: () => void holding.sync.send(),
      onAnswer: ({ epoch }) => void holding.compareEpoch(epoch),
      onLate: (scan, result) => holding.hearing.takeLate(scan, result),
      onRefusal: code => void holding.takeRefusal(code),
      onStorageFull: () => this.set({ isStorageFull: true }),
    })
    this.#presenting = new Presenting({
      steady,
      keys: () => holding.copy.head?.keys ?? [],
      onTicket: (presented, seenAt) => void this.#scan(presented, seenAt),
      onFault: (fault, seenAt) => this.#showFault(fault, seenAt),
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

  /** @param takeOver from another tab */
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
    this.readAddress()
    this.#ticking ??= setInterval(() => this.#look(), SECOND)
  }

  /** The secret of a pairing is in the address: it is used by a button alone. */
  readAddress(): void {
    const secret = findSecret(location.hash)
    if (secret === undefined || this.state.phase === 'scanning') return
    this.set({ phase: 'pairing', pairing: { secret, fault: undefined, isBusy: false } })
  }

  async pair(): Promise<void> {
    const { secret } = this.state.pairing
    if (secret === undefined) return
    this.#unlock()
    this.set({ pairing: { secret, fault: undefined, isBusy: true } })
    try {
      await this.#holding.pair(secret)
      history.replaceState(null, '', '/door/')
      this.camera.stop()
      this.set({ pairing: { secret: undefined, fault: undefined, isBusy: false }, phase: 'fetching' })
      this.#refresh()
      void navigator.storage?.persist?.().catch(() => undefined)
    } catch (error) {
      const fault = error instanceof Refusal ? faultOf(error.code) : 'no-answer'
      this.set({ pairing: { secret: fault === 'no-answer' ? secret : undefined, fault, isBusy: false } })
    }
  }

  forgetSecret(): void {
    if (location.hash !== '') history.replaceState(null, '', '/door/')
    this.set({ pairing: { secret: undefined, fault: undefined, isBusy: false }, phase: 'ready' })
    this.#refresh()
  }

  /** The touch without which there is no camera and no sound. */
  start(): void {
    this.#unlock()
    this.set({ phase: 'scanning', screen: 'scan', result: undefined })
    this.#wake.want(true)
    void this.camera.start()
    warmUp()
  }

  stop(): void {
    this.camera.stop()
    this.#wake.want(false)
    this.set({ phase: 'ready', screen: 'scan', result: undefined, asks: undefined })
    this.#refresh()
  }

  startCamera(chosen?: string): void {
    this.#unlock()
    if (chosen !== undefined) void this.#holding.saveSettings({ camera: chosen })
    void this.camera.start(chosen)
  }

  /** Takes texts of the camera, of a scanner that types, or of the field; `texts` is all that one code may mean. */
  takeTexts(texts: readonly string[], source: Source, seenAt: number): void {
    const { phase, alarms } = this.state
    if (phase === 'pairing') this.#takeSecret(texts)
    // What lies before the camera while somebody searches is nobody's ticket.
    if (phase !== 'scanning' || (source === 'camera' && this.state.screen !== 'scan')) return
    // Somebody has to look at it first; a scanner that types goes on as if nothing were there.
    if (alarms.length > 0) {
      if (source !== 'camera') this.#feedback.give('refused')
      return
    }
    this.camera.touch()
    this.#presenting.take(texts, source, seenAt)
  }

  #takeSecret(texts: readonly string[]): void {
    if (this.state.pairing.secret !== undefined) return
    for (const text of texts) {
      const secret = findSecret(text)
      const host = secret === undefined ? undefined : isElsewhere(text, location.origin)
      if (secret === undefined) continue
      const pairing =
        host === undefined ? { secret, fault: undefined } : { secret: undefined, fault: { host } }
      this.#feedback.give('key')
      if (host === undefined) this.camera.stop()
      this.set({ pairing: { ...pairing, isBusy: false } })
      return
    }
    this.set({ pairing: { secret: undefined, fault: 'no-secret', isBusy: false } })
  }

  show(screen: Screen): void {
    this.set({ screen, asks: undefined, search: { text: '', found: [] } })
    if (screen === 'scans') void this.#listScans()
  }

  search(text: string): void {
    this.camera.touch()
    const { copy } = this.#holding
    const found = search(copy.rows(), text).map(row => copy.find(row[0]) ?? row)
    this.set({ search: { text, found } })
  }

  /** By name, without a code. */
  admit(ticketId: string): void {
    this.set({ asks: undefined, screen: 'scan' })
    void this.#scan({ ticketId, code: undefined }, steady())
  }

  async undo(scanId: string): Promise<void> {
    const { queue, copy, clock, sync } = this.#holding
    this.set({ asks: undefined })
    const scan = await queue.find(scanId)
    if (scan === undefined) return
    const about = { at: new Date(date()).toISOString(), offset: clock.offset, shown: null }
    const reason = textsIn(this.state.language).undo.reason
    const undo = queue.make({ scan_id: newId(), kind: 'undo', of: scanId, ...about, reason }, scan.ticketId)
    const cleared = copy.clearUse(scan.ticketId, scanId)
    await queue
      .keep(undo, true, cleared === undefined ? [] : [cleared])
      .catch(() => this.set({ isStorageFull: true }))
    if (this.state.result?.scanId === scanId)
      this.set({ result: { ...this.state.result, outcome: 'undone' } })
    this.#feedback.give('key')
    this.#refresh()
    await this.#listScans()
    await sync.send()
    await this.#listScans()
  }

  async sendNow(): Promise<void> {
    this.#holding.sync.hurry()
    await this.#holding.sync.send()
    await this.#listScans()
  }

  seeAlarm(): void {
    this.set({ alarms: this.state.alarms.slice(1) })
  }

  clearResult(): void {
    clearTimeout(this.#clearing)
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

  /** The network is back, or somebody looks again. */
  hurry(): void {
    this.#look()
    this.#holding.sync.hurry()
  }

  typeOf(row: TicketRow | undefined) {
    return row && this.#holding.copy.typeOf(row)
  }

  ticket(id: string): TicketRow | undefined {
    return this.#holding.copy.find(id)
  }

  mayUndo({ at, offset, shown, kind, outcome }: StoredScan): boolean {
    const age = this.#holding.clock.now() - Date.parse(at) - offset
    return kind === 'scan' && shown === 'admitted' && (outcome ?? shown) === 'admitted' && age < UNDO_TIME
  }

  async #scan(presented: Presented, seenAt: number): Promise<void> {
    const verdict = await this.#scanning.scan(presented)
    this.#showVerdict(verdict, seenAt)
    this.#refresh()
  }

  #showVerdict(verdict: Verdict, seenAt: number): void {
    const type = this.typeOf(verdict.row)?.name
    this.#showResult({ ...verdict, type, took: steady() - seenAt })
  }

  #showFault(reason: CodeFault, seenAt: number): void {
    const took = steady() - seenAt
    const nothing = { scanId: undefined, row: undefined, type: undefined, first: null, isOwn: true }
    this.#showResult({ outcome: 'refused', reason, at: this.#holding.clock.now(), ...nothing, took })
  }

  #showResult(result: Result): void {
    this.set({ result, asks: undefined, screen: 'scan' })
    const isUsed = result.reason === 'already_checked_in'
    this.#feedback.give(result.outcome === 'admitted' ? 'admitted' : isUsed ? 'used' : 'refused')
    clearTimeout(this.#clearing)
    const time = result.outcome === 'admitted' ? SHOWN.admitted : SHOWN.other
    this.#clearing = setTimeout(() => {
      if (this.state.asks === undefined) this.set({ result: undefined })
    }, time)
  }

  async #listScans(): Promise<void> {
    if (this.state.screen === 'scans') this.set({ scans: await this.#holding.queue.last(LAST_SCANS) })
  }

  #unlock(): void {
    this.#feedback.unlock()
  }

  #leave(): void {
    this.#holding.sync.stop()
    this.camera.stop()
    this.#wake.want(false)
    this.set({ phase: 'elsewhere', result: undefined })
  }

  /** Every second, as clocks are set without a word. */
  #look(): void {
    const { clock } = this.#holding
    const jump = clock.look(this.#wasHidden || document.hidden)
    this.#wasHidden = document.hidden
    if (jump !== 0) this.#refresh()
    if (Math.floor(steady() / MINUTE) !== Math.floor((steady() - SECOND) / MINUTE))
      void this.#holding.endInTime()
  }

  /** Tells again what the phone holds. */
  #refresh(): void {
    const { copy, clock, patience, pairing, end, waiting } = this.#holding
    this.set({
      ...{ event: copy.head?.event, device: pairing && copy.device, tickets: copy.size, waiting, ended: end },
      wrongBy: clock.isWrong ? clock.offset : undefined,
      isAlone: !patience.waits,
      phase: this.#phase(),
    })
  }

  #phase(): Phase {
    const { pairing, isEnding, copy } = this.#holding
    const { phase, pairing: attempt } = this.state
    if (phase === 'loading' || phase === 'elsewhere' || phase === 'no-storage') return phase
    const isHeld = pairing !== undefined
    if (isHeld && phase === 'pairing' && attempt.secret !== undefined) return 'pairing'
    const next = !isHeld ? 'pairing' : isEnding ? 'ending' : !copy.isThere ? 'fetching' : 'ready'
    if (phase === 'scanning' && next === 'ready') return phase
    if (phase === 'scanning') {
      this.camera.stop()
      this.#wake.want(false)
    }
    return next
  }
}

function faultOf(code: string): State['pairing']['fault'] {
  if (code === 'pairing_ended') return 'ended'
  return code === 'not_found' ? 'unknown' : 'refused'
}
