import type { ComponentChildren } from 'preact'
import type { State } from '../state.ts'

const marks = {
  held: 'M17 18a7 7 0 1 1 9 7c-2 .8-2 2-2 4M24 35v.5',
  left: 'M20 12H12V36H20M18 24H37M30 17L37 24L30 31',
  stays: 'M14 24H34',
  undone: 'M14 20h14a7 7 0 0 1 0 14h-9M20 13l-7 7 7 7',
  again: 'M33 17a12 12 0 1 0 3 8M35 9v9h-9',
  alarm: 'M24 12V27M24 34V34.5',
} as const

const frames = {
  held: <rect x="4" y="4" width="40" height="40" rx="6" />,
  left: <rect x="4" y="4" width="40" height="40" rx="6" />,
  stays: <rect x="4" y="4" width="40" height="40" rx="6" />,
  undone: <rect x="4" y="4" width="40" height="40" rx="20" />,
  again: <rect x="4" y="4" width="40" height="40" rx="6" />,
  alarm: <path d="M24 4 46 43H2Z" />,
} as const

/** The three answers are filled, so that each is one figure from some steps away, also where nobody tells colours apart. */
const answers = {
  admitted: (
    <>
      <circle class="figure" cx="24" cy="24" r="23" />
      <path class="cut" d="M13 25 21 33 36 15" />
    </>
  ),
  used: (
    <>
      <path class="figure" d="M12 5h33v9a4 4 0 0 0 0 8v9H36V14H12Z" />
      <path class="figure" d="M3 17h30v9a4 4 0 0 0 0 8v9H3v-9a4 4 0 0 0 0-8Z" />
    </>
  ),
  refused: (
    <>
      <path class="figure" d="M14.5 1h19L47 14.5v19L33.5 47h-19L1 33.5v-19Z" />
      <path class="cut" d="M15 15 33 33M33 15 15 33" />
    </>
  ),
} as const

type Answer = keyof typeof answers

/** A disc, two tickets and an octagon stand for the answers. What is none has a thin frame. */
export function Shape({ kind }: { kind: Answer | keyof typeof marks }) {
  return (
    <svg class="shape" viewBox="0 0 48 48" aria-hidden="true">
      {kind in answers ? (
        answers[kind as Answer]
      ) : (
        <g
          fill="none"
          stroke="currentColor"
          stroke-width="3.2"
          stroke-linecap="round"
          stroke-linejoin="round"
        >
          {frames[kind as keyof typeof frames]}
          <path stroke-width="4.6" d={marks[kind as keyof typeof marks]} />
        </g>
      )}
    </svg>
  )
}

export function Page({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <main class="plain">
      <h1>{title}</h1>
      {children}
    </main>
  )
}

/** Returns an instant in the time zone of the event, with its day if that is not today. @param second whether to the second */
export function when(state: State, at: number | string, second?: '2-digit'): string {
  const instant = new Date(at)
  if (Number.isNaN(instant.getTime())) return ''
  const timeZone = state.event?.timezone
  const zone = timeZone === undefined ? {} : { timeZone }
  const day = (date: Date) => new Intl.DateTimeFormat('en', { ...zone, dateStyle: 'short' }).format(date)
  const isToday = day(instant) === day(new Date(Date.now() + (state.wrongBy ?? 0)))
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const options: Intl.DateTimeFormatOptions = isToday
    ? { ...time, second }
    : { weekday: 'short', day: 'numeric', month: 'short', ...time, second }
  return new Intl.DateTimeFormat(state.language, { ...zone, ...options }).format(instant)
}

export function count(state: State, number: number): string {
  return new Intl.NumberFormat(state.language).format(number)
}

const UNITS = [
  ['second', 1000],
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
] as const

/** Returns how long ago an instant was by the corrected clock, in whole units: "40 seconds ago". */
export function ago(state: State, at: string): string {
  const passed = Math.max(1000, Date.now() + (state.wrongBy ?? 0) - Date.parse(at))
  const [unit, length] = UNITS.findLast(([, least]) => passed >= least) ?? UNITS[0]
  const format = new Intl.RelativeTimeFormat(state.language, { numeric: 'always' })
  const text = format.format(-Math.floor(passed / length), unit)
  // It begins a sentence.
  return text.charAt(0).toLocaleUpperCase(state.language) + text.slice(1)
}
