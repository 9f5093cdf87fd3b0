import { email, name, text } from '../../fields.ts'
import { amendRegistration } from '../../orders/amendment.ts'
import { Problem } from '../../problem.ts'
import * as questions from '../../questions/rules.ts'
import { amendmentEntry } from '../../registrations/amendment.ts'
import { listAnswerKeys } from '../../registrations/answer-keys.ts'
import type { Details } from '../../registrations/details.ts'
import { type Amendment, MAX_SEAT } from '../../registrations/schemas.ts'
import { Head } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import { emailField, type Field, optionalTextField, textField } from '../../web/forms/field.ts'
import type { FormState, ValuesOf } from '../../web/forms/form.ts'
import { FieldGroup, FieldRows, Form } from '../../web/forms/form-view.tsx'
import type { Texts } from '../../web/texts/texts.ts'
import { formPage } from '../form-page.ts'
import { type AnswerOfForm, type AnswersOfForm, answersOfForm } from '../guest-answers.ts'
import { languageField, noteField } from '../guest-fields.ts'
import { paths } from '../paths.ts'
import { readGuest } from './guest.tsx'

type TicketPart = 'name' | 'email' | 'seat'
const ticketParts: readonly TicketPart[] = ['name', 'email', 'seat']

const ticketName = (id: string, part: TicketPart) => `ticket.${id}.${part}` as const

interface Loaded {
  guest: Details
  answers: AnswersOfForm
}

function fieldsOf({ guest, answers }: Loaded) {
  const ofTickets = guest.attendees.flatMap(({ id }, at) => [
    [ticketName(id, 'name'), optionalTextField(name(), { label: texts => texts.guests.nameOf(at + 1) })],
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
    buyer_name: textField(name(), { label: texts => texts.guests.buyerName }),
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

/** Of tickets and answers. */
type TextFields = Record<`ticket.${string}` | `answer.${string}`, Field<string | null>>

type Values = ValuesOf<ReturnType<typeof fieldsOf>>

/** Changes what the buyer has said, and the note. */
export const editGuest = formPage('event', {
  path: '/e/{event}/guests/{registration}/edit',
  permission: 'guests.edit',
  load: async (tx, asked): Promise<Loaded> => {
    const guest = await readGuest(tx, asked)
    if (guest.erased_at !== null) throw new Problem('registration_erased')
    const known = await listAnswerKeys(tx, asked.account.id, asked.event.id)
    const all = await questions.list(tx, asked.account.id, asked.event.id)
    return { guest, answers: answersOfForm(guest, all, known, asked.voice.format.language) }
  },
  fields: fieldsOf,
  current: valuesOf,
  view: (loaded, asked, state) => {
    const { event, voice } = asked
    const { texts } = voice
    const { guest } = loaded
    const title = texts.guests.editTitle(guest.buyer.name)
    const back = paths.guest(event.id, guest.id)
    return {
      title,
      body: (
        <>
          <Head
            title={<bdi>{title}</bdi>}
            crumbs={
              <a href={back}>
                <bdi>{guest.buyer.name}</bdi>
              </a>
            }
          />
          <Form
            state={state}
            texts={texts}
            action={paths.editGuest(event.id, guest.id)}
            submit={texts.page.save}
            leave={back}
          >
            <EditFields {...loaded} state={state} texts={texts} />
          </Form>
        </>
      ),
    }
  },
  act: async (tx, { account }, { values, changes, loaded }) =>
    amendRegistration(
      tx,
      account.id,
      loaded.guest.id,
      amendmentOf(loaded, values, new Set(Object.keys(changes))),
    ),
  entry: ({ params }) => amendmentEntry(params.registration as string),
  next: ({ registration: { id, buyer } }, { event }) => ({
    path: paths.guest(event.id, id),
    flash: flash('guestSaved', { name: buyer.name }),
  }),
})

function EditFields({ guest, answers, state, texts }: Loaded & { state: FormState; texts: Texts }) {
  const rows = { state, texts }
  return (
    <>
      <FieldGroup {...rows} legend={texts.guests.buyer} names={['buyer_name', 'buyer_email']} side />
      {guest.attendees.map(({ id }, at) => (
        <FieldGroup
          key={id}
          {...rows}
          legend={texts.guests.ticketNumber(at + 1)}
          names={[
            ...ticketParts.map(part => ticketName(id, part)),
            ...(answers.tickets.get(id) ?? []).map(({ name }) => name),
          ]}
          side
        />
      ))}
      {answers.tickets.size < guest.attendees.length && (
        <p class="quiet">{texts.guests.answersLeftOut(answers.tickets.size)}</p>
      )}
      {answers.order.length > 0 && (
        <FieldGroup
          {...rows}
          legend={texts.guests.answers}
          names={answers.order.map(answer => answer.name)}
        />
      )}
      <FieldRows {...rows} names={['language', 'note']} />
    </>
  )
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

/** What of a registration was changed, and nothing else. */
function amendmentOf({ guest, answers }: Loaded, values: Values, changed: ReadonlySet<string>): Amendment {
  const ticketsChanged = guest.attendees.flatMap(({ id }) => {
    const parts = ticketParts.filter(part => changed.has(ticketName(id, part)))
    const said = changedAnswers(answers.tickets.get(id) ?? [])
    if (parts.length === 0 && said === undefined) return []
    const given = Object.fromEntries(parts.map(part => [part, values[ticketName(id, part)] ?? null]))
    return [{ id, ...given, ...(said === undefined ? {} : { answers: said }) }]
  })
  return {
    buyer: {
      ...(changed.has('buyer_name') ? { name: values.buyer_name } : {}),
      ...(changed.has('buyer_email') ? { email: values.buyer_email } : {}),
    },
    ...(ticketsChanged.length > 0 ? { attendees: ticketsChanged } : {}),
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
