import { makeFault } from '#base/faults.ts'
import { fromLocalTime, isLocalTime, toLocalTime } from '#base/time.ts'
import {
  areaField,
  check,
  choiceField,
  type Field,
  isBlank,
  type Named,
  numberField,
  timeField,
} from '#machinery/web/forms/field.ts'
import type { ValuesOf } from '#machinery/web/forms/form.ts'
import { linesField } from '#machinery/web/forms/lines-field.ts'
import {
  ANYWHERE_ON_EARTH,
  type Call,
  callFields,
  MAX_FILE_MIB,
  MAX_KINDS,
  MAX_MINUTES,
  MAX_PER_PERSON,
  MAX_SECTIONS,
  MAX_TOPICS,
  MAX_WORDS,
  type NewCall,
  offered,
} from '#product/programme/calls/schemas.ts'
import { fileModes } from '#product/programme/calls/states.ts'

const MAX_ABOUT = 20_000
/** The value of the deadline's zone that stands for the zone of the event, whichever it is. */
const ZONE_OF_EVENT = 'event'

type Kinds = NewCall['kinds']
type Talk = Pick<Kinds[number], 'name' | 'minutes'>

/** Returns the zone in which a deadline is typed and read. @param typed the value of its field */
export function zoneOf(typed: string, timezone: string): string {
  return typed === ZONE_OF_EVENT ? timezone : typed
}

/**
 * Returns the fields of a call. Its beginning is typed by the clocks of the event; its end by those by which authors read it, so
 * that nobody has to reckon.
 *
 * @param timezone of the event
 */
export function callFieldsIn(timezone: string, call: Call | undefined) {
  return {
    opens_at: timeIn(timezone, {
      label: texts => texts.callSettings.opens,
      help: texts => texts.callSettings.opensHelp(timezone),
    }),
    closes_at: deadlineField,
    zone: zoneField(timezone, call),
    about: areaField(MAX_ABOUT, 8, {
      label: texts => texts.callSettings.about,
      help: texts => texts.callSettings.aboutHelp,
    }),
    max_words: numberField(1, MAX_WORDS, { label: texts => texts.callSettings.words }),
    sections: namesField(callFields.sections, MAX_SECTIONS, 4, {
      label: texts => texts.callSettings.sections,
      help: texts => texts.callSettings.sectionsHelp,
    }),
    topics: namesField(callFields.topics, MAX_TOPICS, 6, {
      label: texts => texts.callSettings.topics,
      help: texts => texts.callSettings.topicsHelp,
    }),
    talks: talksField,
    posters: namesField(callFields.sections, MAX_KINDS, 2, {
      label: texts => texts.callSettings.posters,
      help: texts => texts.callSettings.postersHelp,
    }),
    file: choiceField(
      fileModes,
      ({ callSettings: { files } }) => fileModes.map(value => ({ value, label: files[value] })),
      { label: texts => texts.callSettings.file, help: texts => texts.callSettings.fileHelp },
      'radios',
    ),
    max_file_mib: numberField(1, MAX_FILE_MIB, {
      label: texts => texts.callSettings.fileSize,
      help: texts => texts.callSettings.fileSizeHelp(MAX_FILE_MIB),
    }),
    per_person: numberField(1, MAX_PER_PERSON, {
      label: texts => texts.callSettings.perPerson,
      help: texts => texts.callSettings.perPersonHelp,
    }),
  }
}

export type CallValues = ValuesOf<ReturnType<typeof callFieldsIn>>

/** Returns what the form shows of a call, or of what a new one says at first. */
export function valuesOf(call: NewCall, timezone: string): CallValues {
  const { opens_at, closes_at, zone, about, sections, max_words, per_person, topics, kinds } = call
  const { file, max_file_mib } = call
  return {
    ...{ opens_at, about, sections, max_words, per_person, topics, file, max_file_mib },
    closes_at: toLocalTime(closes_at, zone ?? timezone),
    zone: zone ?? ZONE_OF_EVENT,
    talks: kinds.filter(({ poster }) => !poster),
    posters: kinds.flatMap(({ name, poster }) => (poster ? [name] : [])),
  }
}

/** Returns a call as the rule takes it. */
export function toNewCall(call: Call): NewCall {
  const { event_id: _, updated_at: __, ...rest } = call
  return {
    ...rest,
    opens_at: Date.parse(call.opens_at),
    closes_at: Date.parse(call.closes_at),
    topics: offered(call.topics).map(({ name }) => name),
    kinds: offered(call.kinds).map(({ name, minutes, poster }) => ({ name, minutes, poster })),
  }
}

/** Returns the zone that a call keeps of what was typed. It is null for that of the event. */
export function keptZone(typed: string): string | null {
  return typed === ZONE_OF_EVENT ? null : typed
}

/** Returns all kinds of contributions, the talks first. */
export function kindsOf({ talks, posters }: Pick<CallValues, 'talks' | 'posters'>): Kinds {
  return [
    ...talks.map(({ name, minutes }) => ({ name, minutes, poster: false })),
    ...posters.map(name => ({ name, minutes: null, poster: true })),
  ]
}

/** Returns a field for an instant by the clocks of a zone, whatever the zone of the form. It is null if it stays open. */
export function timeFieldIn(timezone: string, options: Named): Field<number | null> {
  const field = timeField(options)
  return {
    ...field,
    isLocal: false,
    print: (value, scale) => field.print(value, { ...scale, timezone }),
    parse: (typed, scale) => field.parse(typed, { ...scale, timezone }),
  }
}

function timeIn(timezone: string, options: Named): Field<number> {
  const field = timeFieldIn(timezone, options)
  return {
    ...field,
    required: true,
    parse: (typed, scale) => {
      if (isBlank(typed)) return { fault: makeFault('required') }
      return field.parse(typed, scale) as { value: number }
    },
  }
}

const ofDeadline = timeField({
  label: texts => texts.callSettings.closes,
  help: texts => texts.callSettings.closesHelp,
})

/** Its value is what the clocks show, so that a deadline that is read elsewhere keeps its day and hour. */
const deadlineField: Field<string> = {
  ...ofDeadline,
  required: true,
  isLocal: false,
  print: value => [value],
  parse: (typed, scale) => {
    if (isBlank(typed)) return { fault: makeFault('required') }
    const parsed = ofDeadline.parse(typed, scale)
    return 'value' in parsed ? { value: toLocalTime(parsed.value as number, scale.timezone) } : parsed
  },
}

function zoneField(timezone: string, call: Call | undefined): Field<string> {
  const zones = [ZONE_OF_EVENT, ANYWHERE_ON_EARTH]
  // A program may have set another.
  if (call?.zone && !zones.includes(call.zone)) zones.push(call.zone)
  return choiceField(
    zones,
    ({ callSettings: texts }) => [
      { value: ZONE_OF_EVENT, label: texts.zoneOfEvent(timezone) },
      { value: ANYWHERE_ON_EARTH, label: texts.zoneAnywhere },
      ...zones.slice(2).map(value => ({ value, label: value })),
    ],
    { label: texts => texts.callSettings.zone, help: texts => texts.callSettings.zoneHelp },
    'radios',
  )
}

/** Returns a field for different names, one a line. */
function namesField(
  schema: typeof callFields.topics,
  most: number,
  rows: number,
  options: Named,
): Field<readonly string[]> {
  const field = linesField(schema, rows, options)
  return {
    ...field,
    parse: (typed, scale) => {
      const parsed = field.parse(typed, scale)
      const isOfList = 'fault' in parsed && parsed.fault.key === 'choices'
      return isOfList ? { say: texts => texts.callSettings.wrongLines(most) } : parsed
    },
  }
}

/** One a line, with its minutes after a comma. */
const talksField: Field<readonly Talk[]> = {
  label: texts => texts.callSettings.talks,
  help: texts => texts.callSettings.talksHelp,
  control: { kind: 'area', rows: 4 },
  required: false,
  print: talks => [
    talks.map(({ name, minutes }) => (minutes === null ? name : `${name}, ${minutes}`)).join('\n'),
  ],
  parse: ([typed = '']) => {
    const talks = typed
      .split('\n')
      .filter(line => line.trim() !== '')
      .map(readTalk)
    const wrong = talks.find(({ minutes }) => minutes !== null && (minutes < 1 || minutes > MAX_MINUTES))
    if (wrong !== undefined) return { say: texts => texts.callSettings.wrongMinutes(wrong.name, MAX_MINUTES) }
    const parsed = check(callFields.kinds, kindsOf({ talks, posters: [] }))
    const isOfList = 'fault' in parsed && parsed.fault.key === 'choices'
    return isOfList ? { say: texts => texts.callSettings.wrongLines(MAX_KINDS) } : parsed
  },
}

/** Reads `Talk, 15`, and also `Talk, 15 min`. What does not end so is the name as a whole. */
function readTalk(line: string): Talk {
  const comma = line.lastIndexOf(',')
  const digits = /^\s*(\d{1,9})\s*(?:min\w*\.?)?\s*$/i.exec(line.slice(comma + 1))?.[1]
  if (comma <= 0 || digits === undefined) return { name: line, minutes: null }
  return { name: line.slice(0, comma), minutes: Number(digits) }
}

/** Returns the instant of a typed deadline. @returns undefined if it is none */
export function instantOf(local: string, zone: string): number | undefined {
  return isLocalTime(local) ? fromLocalTime(local, zone) : undefined
}
