import { email, personName, text } from '#base/fields.ts'
import { Problem } from '#base/problem.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { Rows } from '#faces/dashboard/frame/form-parts.tsx'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { NamedLink } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { emailField, type Field, optionalTextField, textField } from '#machinery/web/forms/field.ts'
import type { ValuesOf } from '#machinery/web/forms/form.ts'
import * as questions from '#product/guests/questions/rules.ts'
import { amendmentEntry } from '#product/guests/registrations/amendment.ts'
import { listAnswerKeys } from '#product/guests/registrations/answer-keys.ts'
import type { Details } from '#product/guests/registrations/details.ts'
import { withSameNames } from '#product/guests/registrations/same-names.ts'
import { type Amendment, MAX_SEAT } from '#product/guests/registrations/schemas.ts'
import { amendRegistration } from '#product/selling/orders/amendment.ts'
import type { Texts } from '#texts/texts.ts'
import { readGuest } from './guest.tsx'
import { type AnswerOfForm, type AnswersOfForm, answersOfForm } from './guest-answers.ts'
import { languageField, noteField } from './guest-fields.ts'

type TicketPart = 'name' | 'email' | 'seat'
const ticketParts: readonly TicketPart[] = ['name', 'email', 'seat']

const ticketName = (id: string, part: TicketPart) => `ticket.${id}.${part}` as const

interface Loaded {
  guest: Details
  answers: AnswersOfForm
}

function fieldsOf({ guest, answers }: Loaded) {
  const ofTickets = guest.attendees.flatMap(({ id }, at) => [
    [ticketName(id, 'name'), optionalTextField(personName, { label: texts => texts.guests.nameOf(at + 1) })],
    [
      ticketName(id, 'email'),
      optionalTextField(email, {
        label: texts => texts.guests.emailOf(at + 1),
        control: { kind: 'input', type: 'email' },
      }),
    ],
    [
      ticketName(id, 'seat'),
      optionalTextField(text(MAX_SEAT), { label: texts => texts.guests.seatOf(at + 1) }),
    ],
    ...(answers.tickets.get(id) ?? []).map(answer => [answer.name, answer.field]),
  ])
  const buyer = {
    buyer_name: textField(personName, {
      label: texts => texts.guests.buyerName,
      help: texts => texts.guests.sameNames,
    }),
    buyer_email: emailField({ label: texts => texts.guests.buyerEmail }),
  }
  const rest = { language: languageField, note: noteField }
  return {
    ...buyer,
    ...Object.fromEntries(ofTickets),
    ...Object.fromEntries(answers.order.map(answer => [answer.name, answer.field])),
    ...rest,
  } as typeof buyer & typeof rest & TextFields
}

/** The fields of tickets and of answers. */
type TextFields = Record<`ticket.${string}` | `answer.${string}`, Field<string | null>>

type Values = ValuesOf<ReturnType<typeof fieldsOf>>

/** Changes what the buyer has said, and the note. */
export const editGuest = formPage('event', {
  path: '/e/{event}/guests/{registration}/edit',
  permission: 'guests.edit',
  load: async (tx, request): Promise<Loaded> => {
    const guest = await readGuest(tx, request)
    if (guest.erased_at !== null) throw new Problem('registration_erased')
    const existing = await listAnswerKeys(tx, request.event.id)
    const all = await questions.list(tx, request.event.id)
    return { guest, answers: answersOfForm(guest, all, existing, request.voice.format.language) }
  },
  fields: fieldsOf,
  current: valuesOf,
  parts: ({ guest, answers }, { event, voice: { texts } }) => {
    const { id, buyer } = guest
    const leave = paths.guest(event.id, id)
    return {
      ...{ title: texts.guests.editTitle(buyer.name), isOfPeople: true },
      ...{ crumbs: <NamedLink href={leave} name={buyer.name} />, submit: texts.page.save, leave },
      rows: rowsOf({ guest, answers }, texts),
    }
  },
  act: async (tx, _, { values, changes, loaded }) =>
    amendRegistration(tx, loaded.guest.id, amendmentOf(loaded, values, new Set(Object.keys(changes)))),
  entry: ({ params }) => amendmentEntry(params.registration as string),
  next: ({ registration: { id, buyer } }, { event }) => ({
    path: paths.guest(event.id, id),
    flash: flash('guestSaved', { name: buyer.name }),
  }),
})

function rowsOf({ guest: { attendees }, answers }: Loaded, { guests: texts }: Texts): Rows[] {
  const ofTickets = attendees.map(({ id }, at) => ({
    legend: texts.ticketNumber(at + 1),
    names: [
      ...ticketParts.map(part => ticketName(id, part)),
      ...(answers.tickets.get(id) ?? []).map(({ name }) => name),
    ],
    side: true,
  }))
  const shown = answers.tickets.size
  const leftOut = <p class="quiet">{texts.answersLeftOut(shown)}</p>
  return [
    { legend: texts.buyer, names: ['buyer_name', 'buyer_email'], side: true },
    ...ofTickets,
    ...(shown < attendees.length ? [leftOut] : []),
    ...(answers.order.length > 0
      ? [{ legend: texts.answers, names: answers.order.map(({ name }) => name) }]
      : []),
    ['language', 'note'],
  ]
}

function valuesOf({ guest, answers }: Loaded): Values {
  const { buyer, attendees, language, note } = guest
  const ofTickets = attendees.flatMap(ticket =>
    ticketParts.map(part => [ticketName(ticket.id, part), ticket[part]] as const),
  )
  const all = [...answers.order, ...[...answers.tickets.values()].flat()]
  const ofAnswers = all.map(({ name, value }) => [name, value] as const)
  return {
    buyer_name: buyer.name,
    buyer_email: buyer.email,
    language,
    note,
    ...Object.fromEntries([...ofTickets, ...ofAnswers]),
  }
}

/** Returns what was changed in a registration, and nothing else. */
function amendmentOf({ guest, answers }: Loaded, values: Values, changed: ReadonlySet<string>): Amendment {
  const ticketsChanged = guest.attendees.flatMap(({ id }) => {
    const parts = ticketParts.filter(part => changed.has(ticketName(id, part)))
    const changedOfTicket = changedAnswers(answers.tickets.get(id) ?? [])
    if (parts.length === 0 && changedOfTicket === undefined) return []
    const given = Object.fromEntries(parts.map(part => [part, values[ticketName(id, part)] ?? null]))
    return [{ id, ...given, ...(changedOfTicket === undefined ? {} : { answers: changedOfTicket }) }]
  })
  const buyer = {
    ...(changed.has('buyer_name') ? { name: values.buyer_name } : {}),
    ...(changed.has('buyer_email') ? { email: values.buyer_email } : {}),
  }
  return {
    ...withSameNames(guest, { buyer, attendees: ticketsChanged }),
    answers: changedAnswers(answers.order) ?? {},
    ...(changed.has('language') ? { language: values.language } : {}),
    ...(changed.has('note') ? { note: values.note } : {}),
  }

  function changedAnswers(some: readonly AnswerOfForm[]): Record<string, string | null> | undefined {
    const own = some.filter(({ name }) => changed.has(name))
    if (own.length === 0) return undefined
    return Object.fromEntries(own.map(({ name, key }) => [key, values[name] ?? null]))
  }
}
