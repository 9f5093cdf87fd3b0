import type { CameraView } from './camera.ts'
import type { DeviceRow, EventRow, TicketRow } from './contract.ts'
import type { Verdict } from './scanning.ts'
import type { Alarm, StoredScan } from './store.ts'
import { chooseLanguage, type Language } from './texts/texts.ts'

export type Phase =
  | 'loading'
  /** Another tab has the scanner. */
  | 'elsewhere'
  /** No door yet. */
  | 'pairing'
  /** The list is on its way. */
  | 'fetching'
  /** Waits for the Start button. */
  | 'ready'
  | 'scanning'
  /** Revoked, or over: may only send what it holds. */
  | 'ending'
  /** Nothing can be kept on this phone. */
  | 'no-storage'

export type Screen = 'scan' | 'search' | 'scans' | 'settings'

/** What stands on the whole screen. */
export interface Result extends Pick<Verdict, 'reason' | 'first' | 'isOwn' | 'at'> {
  outcome: Verdict['outcome'] | 'undone'
  /** Undefined for what is no scan: a text that does not verify. */
  scanId: string | undefined
  row: TicketRow | undefined
  type: string | undefined
  /** From the picture with the code, or the last key, to here. Milliseconds. */
  took: number
}

export interface PairingTry {
  secret: string | undefined
  fault: 'ended' | 'unknown' | 'no-answer' | { host: string } | 'no-secret' | 'refused' | undefined
  isBusy: boolean
}

export interface State {
  phase: Phase
  screen: Screen
  language: Language
  event: EventRow | undefined
  device: DeviceRow | undefined
  /** Of the copy. */
  tickets: number
  /** When the server was last heard, in milliseconds, corrected. */
  heardAt: number | undefined
  waiting: number
  /** Scans that wait for another event. */
  others: number
  /** Undefined before anything was asked. */
  isReached: boolean | undefined
  /** Whether codes are decided without waiting for the server. */
  isAlone: boolean
  /** Milliseconds to add to the phone's clock, where it is more than a minute wrong. */
  wrongBy: number | undefined
  isStorageFull: boolean
  isMuted: boolean
  camera: CameraView
  result: Result | undefined
  alarms: readonly Alarm[]
  pairing: PairingTry
  /** The last scans, the newest first, while they are looked at. */
  scans: readonly StoredScan[]
  /** A question that a button has asked. */
  asks:
    | { kind: 'undo'; scanId: string }
    | { kind: 'forget' }
    | { kind: 'admit'; ticketId: string }
    | undefined
  search: { text: string; found: readonly TicketRow[] }
  /** Why this phone has to be paired again. */
  ended: 'invalid_device' | 'device_revoked' | 'expired' | undefined
  /** Whether the page opens without a network. */
  isOffline: 'yes' | 'no' | 'pending'
  /** Whether it was installed, or this browser keeps what is not. */
  isInstalled: boolean
  /** Installs it; undefined where the browser does not offer that. */
  install: (() => void) | undefined
  isApple: boolean
  isSecure: boolean
}

/** What is known before anything was read. */
export function beginState(): State {
  const agent = navigator.userAgent
  return {
    ...{ phase: 'loading', screen: 'scan', language: chooseLanguage(navigator.languages) },
    ...{
      event: undefined,
      device: undefined,
      tickets: 0,
      heardAt: undefined,
      waiting: 0,
      others: 0,
      isReached: undefined,
      isAlone: false,
    },
    ...{ wrongBy: undefined, isStorageFull: false, isMuted: false },
    camera: { state: 'off', choices: [], chosen: undefined, torch: 'missing' },
    ...{ result: undefined, alarms: [], scans: [], asks: undefined, ended: undefined },
    pairing: { secret: undefined, fault: undefined, isBusy: false },
    search: { text: '', found: [] },
    isOffline: 'pending',
    isInstalled:
      matchMedia('(display-mode: standalone)').matches ||
      ('standalone' in navigator && navigator.standalone === true),
    install: undefined,
    // An iPad says that it is a Mac, which has no touch.
    isApple: /iP(hone|ad|od)/.test(agent) || (agent.includes('Macintosh') && navigator.maxTouchPoints > 1),
    isSecure: globalThis.isSecureContext,
  }
}

/** What comes of what the phone holds. */
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
