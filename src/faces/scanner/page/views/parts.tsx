import type { ComponentChildren } from 'preact'
import type { State } from '../state.ts'

const shapes = {
  admitted: 'M12 25.5 21 34.5 37 14.5',
  used: 'M24 12V27M24 34V34.5',
  refused: 'M14 14 34 34M34 14 14 34',
  held: 'M17 18a7 7 0 1 1 9 7c-2 .8-2 2-2 4M24 35v.5',
  undone: 'M14 20h14a7 7 0 0 1 0 14h-9M20 13l-7 7 7 7',
  again: 'M33 17a12 12 0 1 0 3 8M35 9v9h-9',
  alarm: 'M24 12V27M24 34V34.5',
} as const

const frames = {
  admitted: <circle cx="24" cy="24" r="21" />,
  used: <path d="M24 4 46 43H2Z" />,
  refused: <path d="M15 3h18l12 12v18L33 45H15L3 33V15Z" />,
  held: <rect x="4" y="4" width="40" height="40" rx="6" />,
  undone: <rect x="4" y="4" width="40" height="40" rx="20" />,
  again: <rect x="4" y="4" width="40" height="40" rx="6" />,
  alarm: <path d="M24 4 46 43H2Z" />,
} as const

/** A circle, a triangle, an octagon and a square are told apart without colours. */
export function Shape({ kind }: { kind: keyof typeof shapes }) {
  return (
    <svg class="shape" viewBox="0 0 48 48" aria-hidden="true">
      <g fill="none" stroke="currentColor" stroke-width="3.2" stroke-linecap="round" stroke-linejoin="round">
        {frames[kind]}
        <path stroke-width="4.6" d={shapes[kind]} />
      </g>
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

/** Returns an instant in the time zone of the event, with its day if that is not today. */
export function when(state: State, at: number | string): string {
  const instant = new Date(at)
  if (Number.isNaN(instant.getTime())) return ''
  const timeZone = state.event?.timezone
  const zone = timeZone === undefined ? {} : { timeZone }
  const day = (date: Date) => new Intl.DateTimeFormat('en', { ...zone, dateStyle: 'short' }).format(date)
  const isToday = day(instant) === day(new Date(Date.now() + (state.wrongBy ?? 0)))
  const options: Intl.DateTimeFormatOptions = isToday
    ? { hour: 'numeric', minute: '2-digit' }
    : { weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' }
  return new Intl.DateTimeFormat(state.language, { ...zone, ...options }).format(instant)
}

export function count(state: State, number: number): string {
  return new Intl.NumberFormat(state.language).format(number)
}
