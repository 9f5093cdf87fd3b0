import * as v from 'valibot'
import { faultsOf, say } from '#base/faults.ts'
import { email, personName } from '#base/fields.ts'
import { Problem } from '#base/problem.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { ButtonLink, Empty } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import {
  choiceField,
  emailField,
  type Field,
  numberField,
  textField,
  tickField,
} from '#machinery/web/forms/field.ts'
import { may } from '#product/administration/users/roles.ts'
import { ticketsAmong } from '#product/catalog/registration-types/kinds.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import * as questions from '#product/guests/questions/rules.ts'
import { amend } from '#product/guests/registrations/amendment.ts'
import { listAnswerKeys } from '#product/guests/registrations/answer-keys.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { MAX_QUANTITY } from '#product/guests/registrations/schemas.ts'
import { sendOfRegistration } from '#product/selling/guest-mails/send-tickets.ts'
import { type AnswerOfForm, type AnswersOfNew, answersOfNew } from './guest-answers.ts'
import { languageField, noteField } from './guest-fields.ts'

interface Holder {
  name: string
  email: string | null
}

/** Names the holders of the tickets: a name on each line, and an e-mail after its last comma, semicolon or tab. */
const namesField: Field<readonly Holder[]> = {
  label: texts => texts.guests.names,
  help: texts => texts.guests.namesHelp,
  control: { kind: 'area', rows: 4 },
  required: false,
  print: holders => [
    holders.map(({ name, email }) => (email === null ? name : `${name}, ${email}`)).join('\n'),
  ],
  parse: ([typed = '']) => {
    const lines = typed.split('\n').map((line, at) => ({ line: line.trim(), number: at + 1 }))
    const given = lines.filter(({ line }) => line !== '')
    if (given.length > MAX_QUANTITY) return { say: texts => texts.guests.tooManyNames(MAX_QUANTITY) }
    const holders: Holder[] = []
    for (const { line, number } of given) {
      const holder = v.safeParse(holderSchema, splitLine(line))
      if (!holder.success) {
        const [{ fault }] = faultsOf(holder.issues)
        return {
          say: ({ guests, faults }) =>
            guests.wrongLine(number, fault.key === 'addressInName' ? say(faults, fault) : undefined),
        }
      }
      holders.push(holder.output)
    }
    return { value: holders }
  },
}

const holderSchema = v.object({ name: personName, email: v.nullable(email) })

function splitLine(line: string): Holder {
  const at = Math.max(line.lastIndexOf(','), line.lastIndexOf(';'), line.lastIndexOf('\t'))
  const after = line.slice(at + 1).trim()
  return at > 0 && after.includes('@')
    ? { name: line.slice(0, at), email: after }
    : { name: line, email: null }
}

interface Loaded {
  types: readonly TypeDetails[]
  answers: AnswersOfNew
}

function fieldsOf({ types, answers }: Loaded) {
  const choices = (left: (type: TypeDetails) => string) =>
    types.map(type => ({ value: type.id, label: left(type) }))
  const fixed = {
    type: choiceField(
      types.map(({ id }) => id),
      texts => choices(({ name, available }) => texts.guests.typeLeft(name, available)),
      { label: texts => texts.guests.type },
    ),
    buyer_name: textField(personName, { label: texts => texts.guests.buyerName }),
    buyer_email: emailField({ label: texts => texts.guests.buyerEmail }),
    quantity: numberField(1, MAX_QUANTITY, { label: texts => texts.guests.quantity }),
    names: namesField,
    language: languageField,
    note: noteField,
    send: tickField({
      label: texts => texts.sending.tickAfterAdding,
      help: texts => texts.sending.tickAfterAddingHelp,
    }),
  }
  const answerFields = [...answers.order, ...answers.ticket].map(({ name, field }) => [name, field] as const)
  return { ...fixed, ...Object.fromEntries(answerFields) } as typeof fixed &
    Record<AnswerOfForm['name'], Field<string | null>>
}

/** Registers a guest by hand, as the API does: confirmed, and free of charge. */
export const newGuest = formPage('event', {
  path: '/e/{event}/guests/new',
  permission: 'guests.edit',
  load: async (tx, { event, voice }): Promise<Loaded> => {
    const types = ticketsAmong(await registrationTypes.listDetails(tx, event.id))
    const all = await questions.list(tx, event.id)
    const existing = await listAnswerKeys(tx, event.id)
    return { types, answers: answersOfNew(all, existing, types, voice.format.language) }
  },
  fields: fieldsOf,
  initial: ({ types }, { event, user }) => ({
    ...(types.length === 1 ? { type: types[0]?.id as string } : {}),
    quantity: 1,
    language: user.language,
    send: event.status !== 'cancelled',
  }),
  parts: ({ types, answers }, { event, member, voice }) => {
    const { guests: labels } = voice.texts
    const toTickets = <ButtonLink href={paths.tickets(event.id)}>{labels.toTickets}</ButtonLink>
    const noTypes = (
      <Empty icon="tickets" title={labels.noTypes} action={toTickets}>
        {labels.noTypesAbout}
      </Empty>
    )
    return {
      ...{ title: labels.newTitle, crumbs: labels.title, leave: paths.guests(event.id) },
      submit: labels.newSubmit,
      rows: [
        ['type'],
        { legend: labels.buyer, names: ['buyer_name', 'buyer_email'], side: true },
        ['quantity', 'names'],
        ...groupOf(labels.answers, answers.order),
        ...groupOf(labels.answersOfEach, answers.ticket),
        ['language', 'note', ...(maySend(event, member) ? ['send'] : [])],
      ],
      instead: types.length === 0 ? noTypes : undefined,
    }
  },
  act: async (tx, { event, member }, { values, loaded }) => {
    const { names, note, language } = values
    const answered = (some: readonly AnswerOfForm[]) =>
      Object.fromEntries(
        some.flatMap(({ name, key }) => {
          const answer = values[name] ?? null
          return answer === null ? [] : [[key, answer] as const]
        }),
      )
    const input = {
      event_id: event.id,
      registration_type_id: values.type,
      buyer: { name: values.buyer_name, email: values.buyer_email },
      ...(names.length === 0 ? { quantity: values.quantity } : { attendees: [...names] }),
      answers: answered(loaded.answers.order),
      language,
    }
    // The field holds one until somebody changes it, so one does not conflict with names.
    if (names.length > 0 && values.quantity !== 1 && values.quantity !== names.length) {
      throw new Problem('invalid_parameter', { param: 'names', details: { reason: 'names_and_quantity' } })
    }
    const { resource } = await besideType(() => registrations.create(tx, input))
    const ofEach = answered(loaded.answers.ticket)
    const attendees = resource.attendees.map(({ id }) => ({ id, answers: ofEach }))
    const more = {
      ...(note === null ? {} : { note }),
      ...(Object.keys(ofEach).length > 0 ? { attendees } : {}),
    }
    if (Object.keys(more).length > 0) await amend(tx, resource.id, more)
    if (values.send && maySend(event, member)) await sendOfRegistration(tx, event.id, resource.id)
    return resource
  },
  entry: () => ({
    action: 'registration.create',
    targetType: 'registration',
    targetOf: ({ id }) => id,
  }),
  next: ({ id, buyer }, { event }) => ({
    path: paths.guest(event.id, id),
    flash: flash('guestAdded', { name: buyer.name }),
  }),
  fieldOf: param => (param === 'registration_type_id' ? 'type' : param),
})

function groupOf(legend: string, answers: readonly AnswerOfForm[]) {
  return answers.length === 0 ? [] : [{ legend, names: answers.map(({ name }) => name) }]
}

/** A cancelled event sends no ticket. */
function maySend({ status }: EventRequest['event'], { role }: EventRequest['member']): boolean {
  return status !== 'cancelled' && may(role, 'messages')
}

/** Shows that too few tickets are left beside the field of the type. */
async function besideType<Result>(create: () => Promise<Result>): Promise<Result> {
  try {
    return await create()
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'sold_out') throw error
    throw new Problem('sold_out', {
      param: 'registration_type_id',
      ...(error.details === undefined ? {} : { details: error.details }),
    })
  }
}
