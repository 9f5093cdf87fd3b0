import * as v from 'valibot'
import { email, name } from '../../fields.ts'
import { Problem } from '../../problem.ts'
import * as registrationTypes from '../../registration-types/rules.ts'
import type { TypeDetails } from '../../registration-types/schemas.ts'
import { amend } from '../../registrations/amendment.ts'
import { listAnswerKeys } from '../../registrations/answer-keys.ts'
import * as registrations from '../../registrations/rules.ts'
import { MAX_QUANTITY } from '../../registrations/schemas.ts'
import { ButtonLink, Empty, Head } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import { choiceField, emailField, type Field, numberField, textField } from '../../web/forms/field.ts'
import { FieldGroup, FieldRows, Form } from '../../web/forms/form-view.tsx'
import { formPage } from '../form-page.ts'
import { answerFields, answerName, keysOfForm, languageField, noteField } from '../guest-fields.ts'
import { paths } from '../paths.ts'

interface Holder {
  name: string
  email: string | null
}

/** Who the tickets are for: a name on each line, and an e-mail after its last comma, semicolon or tab. */
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
      if (!holder.success) return { say: texts => texts.guests.wrongLine(number) }
      holders.push(holder.output)
    }
    return { value: holders }
  },
}

const holderSchema = v.object({ name: name(), email: v.nullable(email) })

function splitLine(line: string): Holder {
  const at = Math.max(line.lastIndexOf(','), line.lastIndexOf(';'), line.lastIndexOf('\t'))
  const after = line.slice(at + 1).trim()
  return at > 0 && after.includes('@')
    ? { name: line.slice(0, at), email: after }
    : { name: line, email: null }
}

function fieldsOf(types: readonly TypeDetails[], answerKeys: readonly string[]) {
  const choices = (left: (type: TypeDetails) => string) =>
    types.map(type => ({ value: type.id, label: left(type) }))
  const fixed = {
    type: choiceField(
      types.map(({ id }) => id),
      texts => choices(({ name, available }) => texts.guests.typeLeft(name, available)),
      { label: texts => texts.guests.type },
    ),
    buyer_name: textField(name(), { label: texts => texts.guests.buyerName }),
    buyer_email: emailField({ label: texts => texts.guests.buyerEmail }),
    quantity: numberField(1, MAX_QUANTITY, { label: texts => texts.guests.quantity }),
    names: namesField,
    language: languageField,
    note: noteField,
  }
  const answers = answerFields(answerKeys)
  return { ...fixed, ...answers } as typeof fixed & typeof answers
}

/** Registers a guest by hand, as the API does: confirmed, and without charge. */
export const newGuest = formPage('event', {
  path: '/e/{event}/guests/new',
  permission: 'guests.edit',
  load: async (tx, { account, event }) => ({
    types: await registrationTypes.listDetails(tx, account.id, event.id),
    answerKeys: keysOfForm([], await listAnswerKeys(tx, account.id, event.id)),
  }),
  fields: ({ types, answerKeys }) => fieldsOf(types, answerKeys),
  initial: ({ types }, { user }) => ({
    ...(types.length === 1 ? { type: types[0]?.id as string } : {}),
    quantity: 1,
    language: user.language,
  }),
  view: ({ types, answerKeys }, asked, state) => {
    const { event, voice } = asked
    const { texts } = voice
    const { newTitle: title } = texts.guests
    const list = paths.guests(event.id)
    const rows = { state, texts }
    return {
      title,
      body: (
        <>
          <Head title={title} crumbs={<a href={list}>{texts.guests.title}</a>} />
          {types.length === 0 ? (
            <Empty
              icon="tickets"
              title={texts.guests.noTypes}
              action={<ButtonLink href={paths.tickets(event.id)}>{texts.guests.toTickets}</ButtonLink>}
            >
              {texts.guests.noTypesAbout}
            </Empty>
          ) : (
            <Form {...rows} action={paths.newGuest(event.id)} submit={texts.guests.newSubmit} leave={list}>
              <FieldRows {...rows} names={['type']} />
              <FieldGroup {...rows} legend={texts.guests.buyer} names={['buyer_name', 'buyer_email']} side />
              <FieldRows {...rows} names={['quantity', 'names']} />
              {answerKeys.length > 0 && (
                <FieldGroup {...rows} legend={texts.guests.answers} names={answerKeys.map(answerName)} />
              )}
              <FieldRows {...rows} names={['language', 'note']} />
            </Form>
          )}
        </>
      ),
    }
  },
  act: async (tx, { account, event }, { values, loaded: { answerKeys } }) => {
    const { names, note, language } = values
    const answers = answerKeys.flatMap(key => {
      const answer = values[answerName(key)] ?? null
      return answer === null ? [] : [[key, answer] as const]
    })
    const input = {
      event_id: event.id,
      registration_type_id: values.type,
      buyer: { name: values.buyer_name, email: values.buyer_email },
      ...(names.length === 0 ? { quantity: values.quantity } : { attendees: [...names] }),
      answers: Object.fromEntries(answers),
      language,
    }
    // One is what stands there before somebody writes names.
    if (names.length > 0 && values.quantity !== 1 && values.quantity !== names.length) {
      throw new Problem('invalid_parameter', { param: 'names', details: { reason: 'names_and_quantity' } })
    }
    const { resource } = await besideType(() => registrations.create(tx, account.id, input))
    if (note !== null) await amend(tx, account.id, resource.id, { note })
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

/** A type that has too little left is told beside it. */
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
