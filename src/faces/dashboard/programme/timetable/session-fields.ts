import { makeFault } from '#base/faults.ts'
import {
  areaField,
  check,
  choiceField,
  type Field,
  isBlank,
  numberField,
  textField,
  timeField,
} from '#machinery/web/forms/field.ts'
import { optional } from '#machinery/web/forms/optional-field.ts'
import {
  type Chair,
  MAX_ABOUT,
  MAX_CHAIRS,
  MAX_SLOT_MINUTES,
  type Room,
  sessionFields,
  slotFields,
} from '#product/programme/timetable/schemas.ts'
import type { Texts } from '#texts/texts.ts'

type Labels = Texts['timetable']

/** Returns a field for an instant that must be there. */
function instantField(label: (labels: Labels) => string, help?: (labels: Labels) => string): Field<number> {
  const named = { label: (texts: Texts) => label(texts.timetable) }
  const field = timeField(help === undefined ? named : { ...named, help: texts => help(texts.timetable) })
  return {
    ...field,
    required: true,
    parse: (typed, scale) =>
      isBlank(typed) ? { fault: makeFault('required') } : (field.parse(typed, scale) as { value: number }),
  }
}

/** One chair a line: the name, and the e-mail after a comma if it is known. */
const chairsField: Field<readonly Chair[]> = {
  label: texts => texts.timetable.chairs,
  help: texts => texts.timetable.chairsHelp(MAX_CHAIRS),
  control: { kind: 'area', rows: 3 },
  required: false,
  print: chairs => [
    chairs.map(({ name, email }) => (email === null ? name : `${name}, ${email}`)).join('\n'),
  ],
  parse: ([typed = '']) => {
    const lines = typed.split('\n').filter(line => line.trim() !== '')
    if (lines.length > MAX_CHAIRS) return { say: texts => texts.timetable.tooManyChairs(MAX_CHAIRS) }
    const chairs: Chair[] = []
    for (const line of lines) {
      const parsed = check(sessionFields.chairs, [readChair(line)])
      if (!('value' in parsed)) return { say: texts => texts.timetable.wrongChair(line.trim().slice(0, 200)) }
      chairs.push(...parsed.value)
    }
    return { value: chairs }
  },
}

/** Reads `Name, e-mail`, and also `Name <e-mail>`, as mail programs have it. */
function readChair(line: string): Chair {
  const [, name, email] = /^(.*?)[,;\s]+<?([^\s<>,;]+@[^\s<>,;]+)>?\s*$/.exec(line) ?? []
  return name === undefined || email === undefined
    ? { name: line.trim(), email: null }
    : { name: name.trim(), email }
}

/** Returns the fields of a session. @param rooms of the event, in their order */
export function sessionForm(rooms: readonly Room[]) {
  return {
    title: textField(sessionFields.title, { label: texts => texts.timetable.sessionTitle }),
    room_id: optional<string>(
      choiceField(
        rooms.map(({ id }) => id),
        () => rooms.map(({ id, name }) => ({ value: id, label: name })),
        { label: texts => texts.timetable.room },
      ),
    ),
    starts_at: instantField(
      labels => labels.begins,
      labels => labels.beginsHelp,
    ),
    ends_at: instantField(labels => labels.ends),
    chairs: chairsField,
    about: areaField(MAX_ABOUT, 4, {
      label: texts => texts.timetable.aboutSession,
      help: texts => texts.timetable.aboutSessionHelp,
    }),
  }
}

export const minutesField = numberField(0, MAX_SLOT_MINUTES, {
  label: texts => texts.timetable.length,
  help: texts => texts.timetable.lengthHelp(MAX_SLOT_MINUTES),
})

export const textOfSlot = textField(slotFields.title, {
  label: texts => texts.timetable.text,
  help: texts => texts.timetable.textHelp,
})
