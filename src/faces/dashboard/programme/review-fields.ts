import type * as v from 'valibot'
import { makeFault } from '#base/faults.ts'
import { email } from '#base/fields.ts'
import {
  areaField,
  check,
  choiceField,
  type Field,
  isBlank,
  numberField,
  tickField,
  timeField,
} from '#machinery/web/forms/field.ts'
import { offered } from '#product/programme/calls/schemas.ts'
import { type NewReviewer, reviewerFields } from '#product/programme/reviews/reviewer-schemas.ts'
import {
  MAX_CRITERIA,
  MAX_REVIEWS,
  MAX_WEIGHT,
  type NewRound,
  type Round,
  roundFields,
} from '#product/programme/reviews/round-schemas.ts'
import { languageNames, languages } from '#texts/languages.ts'

const MAX_ABOUT = 20_000
/** One form invites at most so many people. */
export const MOST_INVITED = 100

const closes = timeField({
  label: texts => texts.reviewSettings.closes,
  help: texts => texts.reviewSettings.closesHelp,
})

export const roundForm = {
  closes_at: {
    ...closes,
    required: true,
    parse: (typed, scale) =>
      isBlank(typed) ? { fault: makeFault('required') } : (closes.parse(typed, scale) as { value: number }),
  } satisfies Field<number> as Field<number>,
  blind: tickField({
    label: texts => texts.reviewSettings.blind,
    help: texts => texts.reviewSettings.blindHelp,
  }),
  wanted: numberField(1, MAX_REVIEWS, {
    label: texts => texts.reviewSettings.wanted,
    help: texts => texts.reviewSettings.wantedHelp(MAX_REVIEWS),
  }),
  criteria: criteriaField(),
  about: areaField(MAX_ABOUT, 6, {
    label: texts => texts.reviewSettings.about,
    help: texts => texts.reviewSettings.aboutHelp,
  }),
}

type Criteria = NewRound['criteria']

/** One a line, with its weight after a comma. */
function criteriaField(): Field<Criteria> {
  return {
    label: texts => texts.reviewSettings.criteria,
    help: texts => texts.reviewSettings.criteriaHelp,
    control: { kind: 'area', rows: 4 },
    required: true,
    print: list => [list.map(({ name, weight }) => (weight === 1 ? name : `${name}, ${weight}`)).join('\n')],
    parse: ([typed = '']) => {
      const list = typed
        .split('\n')
        .filter(line => line.trim() !== '')
        .map(readCriterion)
      const wrong = list.find(({ weight }) => weight < 1 || weight > MAX_WEIGHT)
      if (wrong !== undefined)
        return { say: texts => texts.reviewSettings.wrongWeight(wrong.name, MAX_WEIGHT) }
      const parsed = check(roundFields.criteria, list)
      return 'fault' in parsed && parsed.fault.key === 'choices'
        ? { say: texts => texts.reviewSettings.wrongCriteria(MAX_CRITERIA) }
        : parsed
    },
  }
}

function readCriterion(line: string): Criteria[number] {
  const [, name, digits] = /^(.+),\s*(\d{1,3})\s*$/.exec(line) ?? []
  return name === undefined ? { name: line, weight: 1 } : { name, weight: Number(digits) }
}

/** Returns what the form shows of a review. */
export function toNewRound({ closes_at, blind, wanted, criteria, about }: Round): NewRound {
  return {
    ...{ closes_at: Date.parse(closes_at), blind, wanted, about },
    criteria: offered(criteria).map(({ name, weight }) => ({ name, weight })),
  }
}

type Person = Omit<NewReviewer, 'language'>

/** One person a line: the name, the e-mail, and the affiliation if it is known. */
const peopleField: Field<readonly Person[]> = {
  label: texts => texts.reviewSettings.people,
  help: texts => texts.reviewSettings.peopleHelp(MOST_INVITED),
  control: { kind: 'area', rows: 8 },
  required: true,
  print: people => [
    people
      .map(person => [person.name, person.email, person.affiliation].filter(Boolean).join(', '))
      .join('\n'),
  ],
  parse: ([typed = '']) => {
    const lines = typed.split('\n').filter(line => line.trim() !== '')
    if (lines.length === 0) return { say: texts => texts.reviewSettings.noPeople }
    if (lines.length > MOST_INVITED) return { say: texts => texts.reviewSettings.tooManyPeople(MOST_INVITED) }
    const people = lines.map(readPerson)
    const wrong = people.indexOf(undefined)
    if (wrong >= 0)
      return { say: texts => texts.reviewSettings.wrongPeople((lines[wrong] ?? '').trim().slice(0, 200)) }
    return { value: people as Person[] }
  },
}

/** Reads `Name, e-mail, affiliation`, and also `Name <e-mail>, affiliation`, as mail programs have it. Tabs come from tables. */
function readPerson(line: string): Person | undefined {
  const parts = line.replace(/\s*<([^<>]+)>/, ',$1').split(/[,;\t]/)
  const at = parts.findIndex(part => 'value' in check(email, part.trim()))
  const of = <Value>(schema: v.GenericSchema<unknown, Value>, value: unknown) => {
    const parsed = check(schema, value)
    return 'value' in parsed ? parsed.value : undefined
  }
  const name = of(reviewerFields.name, parts.slice(0, Math.max(0, at)).join(', ').replaceAll('"', '').trim())
  const address = of(reviewerFields.email, parts[at]?.trim())
  const rest = parts
    .slice(at + 1)
    .join(',')
    .trim()
  const affiliation = rest === '' ? null : of(reviewerFields.affiliation, rest)
  if (name === undefined || address === undefined || affiliation === undefined) return undefined
  return { name, email: address, affiliation }
}

export const inviteForm = {
  people: peopleField,
  language: choiceField(
    languages,
    () => languages.map(value => ({ value, label: languageNames[value] })),
    { label: texts => texts.reviewSettings.inviteLanguage },
    'radios',
  ),
}
