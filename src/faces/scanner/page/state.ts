import type { CameraView } from './camera.ts'
import type { DeviceRow, EventRow, LogoRow, TicketRow } from './contract.ts'
import type { Figures } from './head-count.ts'
import type { Verdict } from './scanning.ts'
import type { Alarm, StoredScan } from './store.ts'
import { chooseLanguage, type Language } from './texts/texts.ts'

export type Phase =
  | 'loading'
  /** Another tab has the scanner. */
  | 'elsewhere'
  /** The phone is not a door yet. */
  | 'pairing'
  /** The list is on its way. */
  | 'fetching'
  /** The page waits for the Start button. */
  | 'ready'
  | 'scanning'
  /** The pairing is revoked or over, and the phone may only send what it holds. */
  | 'ending'
  /** The phone cannot keep anything. */
  | 'no-storage'

export type Screen = 'scan' | 'search' | 'scans' | 'settings'

/** This result covers the whole screen. */
export interface Result
  extends Pick<Verdict, 'reason' | 'first' | 'extras' | 'isOwn' | 'isNewer' | 'at' | 'later'> {
  outcome: Verdict['outcome'] | 'undone'
  /** It is undefined for a text that does not verify, which is not a scan. */
  scanId: string | undefined
  ticketId: string | undefined
  row: TicketRow | undefined
  type: string | undefined
  isExit?: boolean
  /** Whether somebody has typed a name in place of a code. */
  isName?: boolean
  /** The title of the event whose ticket it is, if that is another and is known. */
  event?: string | undefined
  /** The milliseconds from the picture with the code, or from the last key, to the result. */
  took: number
  /** Whether the code was read again while this stands. */
  isAgain?: boolean
}

export interface PairingTry {
  secret: string | undefined
  fault: 'ended' | 'unknown' | 'no-answer' | 'busy' | { host: string } | 'no-secret' | 'refused' | undefined
  isBusy: boolean
}

export interface State {
  phase: Phase
  screen: Screen
  language: Language
  event: EventRow | undefined
  /** Of the organizer, if there is one. */
  logo: LogoRow | undefined
  device: DeviceRow | undefined
  /** The number of tickets in the copy. */
  tickets: number
  /** Who is in. It is undefined without a list. */
  figures: Figures | undefined
  /** When the server last answered, by the corrected clock, in milliseconds. */
  heardAt: number | undefined
  waiting: number
  /** The number of scans that wait for another event. */
  others: number
  /** It is undefined before the first request. */
  isReached: boolean | undefined
  /** Whether the server answers that it gets too many requests at once. */
  isBusy: boolean
  /** Whether the phone decides about codes without waiting for the server. */
  isAlone: boolean
  /** The milliseconds to add to the phone's clock, if it is more than a minute wrong. */
  wrongBy: number | undefined
  isStorageFull: boolean
  isMuted: boolean
  camera: CameraView
  result: Result | undefined
  alarms: readonly Alarm[]
  /** Whether a code came while an alarm stood, and was not read. */
  isUnread: boolean
  pairing: PairingTry
  /** The last scans, the newest first, while somebody looks at them. */
  scans: readonly StoredScan[]
  /** A button has asked this question. */
  asks:
    | { kind: 'undo'; scanId: string }
    | { kind: 'forget' }
    | { kind: 'admit'; ticketId: string }
    | undefined
  search: { text: string; found: readonly TicketRow[] }
  /** The reason why this phone has to be paired again. */
  ended: 'invalid_device' | 'device_revoked' | 'expired' | undefined
  /** Whether the page opens without a network. */
  isOffline: 'yes' | 'no' | 'pending'
  /** Whether the page runs as an installed app, or was just installed. */
  isInstalled: boolean
  /** Installs the page. It is undefined if the browser does not offer that. */
  install: (() => void) | undefined
  isApple: boolean
  isSecure: boolean
}

/** Returns the state before the page has read anything. */
export function beginState(): State {
  const agent = navigator.userAgent
  return {
    ...{ phase: 'loading', screen: 'scan', language: chooseLanguage(navigator.languages) },
    ...{
      event: undefined,
      logo: undefined,
      device: undefined,
      tickets: 0,
      figures: undefined,
      heardAt: undefined,
      waiting: 0,
      others: 0,
      isReached: undefined,
      isBusy: false,
      isAlone: false,
    },
    ...{ wrongBy: undefined, isStorageFull: false, isMuted: false },
    camera: { state: 'off', choices: [], chosen: undefined, torch: 'missing' },
    ...{ result: undefined, alarms: [], isUnread: false, scans: [], asks: undefined, ended: undefined },
    pairing: { secret: undefined, fault: undefined, isBusy: false },
    search: { text: '', found: [] },
    isOffline: 'pending',
    isInstalled:
      matchMedia('(display-mode: standalone)').matches ||
      ('standalone' in navigator && navigator.standalone === true),
    install: undefined,
    // An iPad says that it is a Mac, but a Mac has no touch.
    isApple: /iP(hone|ad|od)/.test(agent) || (agent.includes('Macintosh') && navigator.maxTouchPoints > 1),
    isSecure: globalThis.isSecureContext,
  }
}

/** Returns the phase that follows from what the phone holds. */
export function phaseAfter(
  { phase, pairing }: State,
  { isPaired, isEnding, isThere }: { isPaired: boolean; isEnding: boolean; isThere: boolean },
): Phase {
  if (phase === 'loading' || phase === 'elsewhere' || phase === 'no-storage') return phase
  if (!isPaired || (phase === 'pairing' && pairing.secret !== undefined)) return 'pairing'
  if (isEnding) return 'ending'
  if (!isThere) return 'fetching'
  return phase === 'scanning' ? phase : 'ready'
}
