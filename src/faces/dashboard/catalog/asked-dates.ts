import { text } from '#base/fields.ts'
import { DAY, isLocalTime, toLocalTime } from '#base/time.ts'
import type { Format } from '#machinery/web/format.ts'
import {
  areaField,
  choicesField,
  type Field,
  numberField,
  optionalTextField,
} from '#machinery/web/forms/field.ts'
import type { FieldFault, ValuesOf } from '#machinery/web/forms/form.ts'
import { datesOf, readDates, readTime } from '#product/catalog/events/repeat-dates.ts'
import { MAX_REPEATED } from '#product/catalog/events/series-schemas.ts'

/** A Monday. The days of the week are named by those that follow it. */
const MONDAY = Date.parse('2024-01-01T12:00:00Z')
const DAYS = ['1', '2', '3', '4', '5', '6', '7'] as const
/** The most characters of pasted dates: hundreds of lines, each with several times. */
const MOST_PASTED = 20_000
const MOST_WEEKS = 52

const MOST_TIMES = 500

/** @param day `YYYY-MM-DD` */
const isDay = (day: string) => isLocalTime(`${day}T00:00`)

function dayField(options: Pick<Field<string | null>, 'label'>): Field<string | null> {
  return {
    ...options,
    control: { kind: 'input', type: 'date', size: 'short' },
    required: false,
    print: value => [value ?? ''],
    parse: ([typed = '']) => {
      if (typed.trim() === '') return { value: null }
      return isDay(typed.trim()) ? { value: typed.trim() } : { say: texts => texts.series.wrongDay }
    },
  }
}

/** The fields that say on which dates an event is repeated. */
export function askedFields(timezone: string, format: Format) {
  const nameOf = (value: string) => format.weekdayName(MONDAY + (Number(value) - 1) * DAY)
  return {
    weekdays: choicesField(DAYS, () => DAYS.map(value => ({ value, label: nameOf(value) })), {
      label: texts => texts.series.weekdays,
    }),
    times: optionalTextField(text(MOST_TIMES), {
      label: texts => texts.series.times,
      help: texts => texts.series.timesHelp(timezone),
    }),
    from: dayField({ label: texts => texts.series.from }),
    until: dayField({ label: texts => texts.series.until }),
    every: numberField(1, MOST_WEEKS, {
      label: texts => texts.series.every,
      help: texts => texts.series.everyHelp,
    }),
    pasted: areaField(MOST_PASTED, 5, {
      label: texts => texts.series.pasted,
      help: texts => texts.series.pastedHelp,
    }),
  }
}

export type AskedValues = ValuesOf<ReturnType<typeof askedFields>>

/** Returns what a form that asks for the first time says: the time of day of the event itself. */
export function initialAsked(startsAt: string, timezone: string): Partial<AskedValues> {
  return { times: toLocalTime(Date.parse(startsAt), timezone).slice(11), every: 1 }
}

/**
 * Returns the values as hidden fields, which travel from page to page: no address has them, as addresses have limits, and stay in
 * histories and logs.
 */
export function toHidden({ weekdays, every, ...values }: AskedValues): Record<string, string> {
  const { times, from, until, pasted } = values
  const given = { times, from, until, pasted, every: String(every), weekdays: weekdays.join('') }
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === null || value === '' ? [] : [[name, value]])),
  )
}

/** Reads the values of such fields, or of the form itself. What is none of its values is left out. */
export function readAsked(sent: URLSearchParams): AskedValues {
  const every = Number(sent.get('every'))
  const weekdays = sent.getAll('weekdays').join('')
  const dayIn = (name: string) => {
    const day = sent.get(name)
    return day !== null && isDay(day) ? day : null
  }
  return {
    weekdays: DAYS.filter(value => weekdays.includes(value)),
    times: (sent.get('times') ?? '').slice(0, MOST_TIMES) || null,
    from: dayIn('from'),
    until: dayIn('until'),
    every: Number.isInteger(every) && every >= 1 && every <= MOST_WEEKS ? every : 1,
    pasted: (sent.get('pasted') ?? '').slice(0, MOST_PASTED) || null,
  }
}

/** Returns a request that has these values where an address has its query, for pages that are only reached by a form. */
export function asking<Request extends { query: URLSearchParams }>(
  request: Request,
  sent: URLSearchParams,
): Request {
  return { ...request, query: new URLSearchParams(toHidden(readAsked(sent))) }
}

function timesOf({ times }: Partial<AskedValues>): (string | undefined)[] {
  return (times ?? '')
    .split(/[\s,;]+/)
    .filter(text => text !== '')
    .map(readTime)
}

/** Returns the local times that the values ask for, and the lines that are no dates. */
export function readLocals(values: AskedValues) {
  const times = timesOf(values).filter(time => time !== undefined)
  const { from, until, every, weekdays, pasted } = values
  const ofDays = from && until ? datesOf({ weekdays: weekdays.map(Number), times, from, until, every }) : []
  const read = readDates(pasted ?? '', times)
  return { locals: [...ofDays, ...read.dates], unread: read.unread }
}

/** Finds what only several fields together show to be wrong. */
export function faultsOfAsked(given: Partial<AskedValues>): Map<string, FieldFault> {
  const faults = new Map<string, FieldFault>()
  const values = { weekdays: [], times: null, from: null, until: null, every: 1, pasted: null, ...given }
  const { weekdays, from, until, pasted } = values
  const times = timesOf(values)
  const asksDays = weekdays.length > 0 || from !== null || until !== null
  if (times.includes(undefined) || (times.length === 0 && asksDays))
    faults.set('times', { say: ({ series }) => series.wrongTimes })
  if (!asksDays && pasted === null) faults.set('weekdays', { say: ({ series }) => series.nothingAsked })
  else if (asksDays && weekdays.length === 0)
    faults.set('weekdays', { say: ({ series }) => series.daysNeeded })
  if (weekdays.length > 0)
    for (const [name, value] of [
      ['from', from],
      ['until', until],
    ] as const)
      if (value === null) faults.set(name, { say: ({ series }) => series.endNeeded })
  if (from !== null && until !== null && until < from)
    faults.set('until', { say: ({ series }) => series.endBefore })
  const { locals, unread } = readLocals(values)
  const [first] = unread
  if (first !== undefined)
    faults.set('pasted', { say: ({ series }) => series.wrongLine(first.line, first.text.slice(0, 60)) })
  // Of the pasted lines, some may be past or there already. Far more than can be made are refused before they are judged.
  else if (locals.length > MAX_REPEATED)
    faults.set(weekdays.length > 0 ? 'until' : 'pasted', {
      say: ({ series }) => series.tooMany(locals.length, MAX_REPEATED),
    })
  return faults
}
