import { codePrefix, generate, MAX_GENERATED } from '../../codes/generate.ts'
import * as codes from '../../codes/rules.ts'
import { type Code, codeFields, codeNote, MAX_TICKETS, type NewCode } from '../../codes/schemas.ts'
import type { ReadTx } from '../../db/port.ts'
import { MAX_AMOUNT } from '../../money.ts'
import * as registrationTypes from '../../registration-types/rules.ts'
import type { TypeDetails } from '../../registration-types/schemas.ts'
import { ButtonLink, Head } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import {
  choicesField,
  moneyField,
  numberField,
  optionalTextField,
  textField,
  tickField,
  timeField,
} from '../../web/forms/field.ts'
import type { FormState, ValuesOf } from '../../web/forms/form.ts'
import { FieldGroup, FieldRows, Form } from '../../web/forms/form-view.tsx'
import { optional } from '../../web/forms/optional-field.ts'
import type { OfEvent } from '../asked.ts'
import { CodeLink, readCodeLink } from '../code-link.tsx'
import { formPage } from '../form-page.ts'
import { paths } from '../paths.ts'

interface Loaded {
  types: readonly TypeDetails[]
}

interface LoadedCode extends Loaded {
  code: Code
  isUsed: boolean
}

/** What codes that are made at once have in common. */
function commonFields({ types }: Loaded) {
  const choices = types.map(({ id, name }) => ({ value: id, label: name }))
  return {
    percent: optional(numberField(1, 100, { label: texts => texts.codes.percent })),
    amount: optional(moneyField(MAX_AMOUNT, { label: texts => texts.codes.amount })),
    registration_type_ids: choicesField(
      choices.map(({ value }) => value),
      () => choices,
      { label: texts => texts.codes.types, help: texts => texts.codes.typesHelp },
    ),
    valid_from: timeField({ label: texts => texts.codes.from }),
    valid_until: timeField({ label: texts => texts.codes.until }),
    note: optionalTextField(codeNote, {
      label: texts => texts.codes.note,
      help: texts => texts.codes.noteHelp,
    }),
  }
}

function fieldsOf(loaded: Loaded) {
  return {
    code: textField(codeFields.code, {
      label: texts => texts.codes.code,
      help: texts => texts.codes.codeHelp,
    }),
    ...commonFields(loaded),
    max_tickets: optional(
      numberField(1, MAX_TICKETS, {
        label: texts => texts.codes.maxTickets,
        help: texts => texts.codes.maxTicketsHelp,
      }),
    ),
    active: tickField({ label: texts => texts.codes.active }),
  }
}

function generateFields(loaded: Loaded) {
  return {
    count: numberField(1, MAX_GENERATED, { label: texts => texts.codes.count }),
    prefix: optionalTextField(codePrefix, {
      label: texts => texts.codes.prefix,
      help: texts => texts.codes.prefixHelp,
    }),
    ...commonFields(loaded),
    max_tickets: optional(numberField(1, MAX_TICKETS, { label: texts => texts.codes.each })),
  }
}

/** What the rule takes: none that is ticked stands for all types. */
function toRule<Given extends { registration_type_ids?: readonly string[] | undefined }>(given: Given) {
  const { registration_type_ids: ids, ...rest } = given
  return {
    ...rest,
    ...(ids === undefined ? {} : { registration_type_ids: ids.length === 0 ? null : [...ids] }),
  } as Omit<Given, 'registration_type_ids'> & Pick<NewCode, 'registration_type_ids'>
}

const loadTypes = async (tx: ReadTx, { account, event }: OfEvent): Promise<Loaded> => ({
  types: await registrationTypes.listDetails(tx, account.id, event.id),
})

export async function loadCode(tx: ReadTx, asked: OfEvent): Promise<LoadedCode> {
  const { account, event, params } = asked
  const code = await codes.get(tx, account.id, event.id, params.code ?? '')
  return { ...(await loadTypes(tx, asked)), code, isUsed: await codes.isUsed(tx, account.id, code) }
}

export const newCode = formPage('event', {
  path: '/e/{event}/tickets/codes/new',
  permission: 'events.edit',
  load: loadTypes,
  fields: fieldsOf,
  initial: () => ({ active: true }),
  view: (_, asked, state) => {
    const { codes: texts } = asked.voice.texts
    const action = paths.newCode(asked.event.id)
    return {
      title: texts.newCode,
      body: (
        <>
          <Head title={texts.newCode} crumbs={<ToCodes asked={asked} />} />
          <CodeForm asked={asked} state={state} action={action} submit={texts.create} />
        </>
      ),
    }
  },
  act: (tx, { account, event }, { values }) => codes.create(tx, account.id, event.id, toRule(values)),
  entry: () => ({ action: 'code.create', targetType: 'code', targetOf: ({ id }) => id }),
  next: ({ code }, { event }) => ({
    path: paths.codes(event.id),
    flash: flash('ticketAdded', { name: code }),
  }),
})

export const generateCodes = formPage('event', {
  path: '/e/{event}/tickets/codes/generate',
  permission: 'events.edit',
  load: loadTypes,
  fields: generateFields,
  initial: () => ({ max_tickets: 1 }),
  view: (_, asked, state) => {
    const { codes: texts } = asked.voice.texts
    const action = paths.generateCodes(asked.event.id)
    return {
      title: texts.generateTitle,
      body: (
        <>
          <Head title={texts.generateTitle} about={texts.generateAbout} crumbs={<ToCodes asked={asked} />} />
          <CodeForm asked={asked} state={state} action={action} submit={texts.generateSubmit} />
        </>
      ),
    }
  },
  act: (tx, { account, event }, { values }) =>
    generate(tx, account.id, event.id, {
      ...toRule(values),
      prefix: values.prefix ?? '',
      active: true,
    }),
  entry: ({ event }) => ({
    action: 'code.generate',
    targetType: 'event',
    targetId: event.id,
    details: (_, made) => ({ count: made?.length }),
  }),
  next: (made, { event }) => ({
    path: paths.codes(event.id),
    flash: flash('codesMade', { count: made.length }),
  }),
})

export const editCode = formPage('event', {
  path: '/e/{event}/tickets/codes/{code}',
  permission: 'events.edit',
  load: async (tx, asked, services) => {
    const loaded = await loadCode(tx, asked)
    return { ...loaded, link: await readCodeLink(tx, asked, services, loaded.code.code) }
  },
  fields: fieldsOf,
  current: valuesOf,
  view: ({ code, link }, asked, state) => {
    const { texts } = asked.voice
    const { id } = code
    const remove = paths.ofCode(asked.event.id, id, 'remove')
    return {
      title: code.code,
      body: (
        <>
          <Head
            title={<bdi>{code.code}</bdi>}
            crumbs={<ToCodes asked={asked} />}
            actions={<ButtonLink href={remove}>{texts.codes.remove}</ButtonLink>}
          />
          <div class="stack">
            <CodeLink link={link} asked={asked} />
            <CodeForm
              asked={asked}
              state={state}
              action={paths.code(asked.event.id, id)}
              submit={texts.page.save}
            />
          </div>
        </>
      ),
    }
  },
  act: (tx, { account, event }, { changes, loaded }) =>
    codes.update(tx, account.id, event.id, loaded.code.id, toRule(changes)),
  entry: ({ params }) => ({ action: 'code.update', targetType: 'code', targetId: params.code }),
  next: ({ code }, { event }) => ({
    path: paths.codes(event.id),
    flash: flash('ticketSaved', { name: code }),
  }),
})

function valuesOf({ code: is, types }: LoadedCode): ValuesOf<ReturnType<typeof fieldsOf>> {
  const at = (instant: string | null) => (instant === null ? null : Date.parse(instant))
  const { code, percent, amount, max_tickets, active, note, registration_type_ids: ids } = is
  return {
    ...{ code, percent, amount, max_tickets, active, note },
    // In the order of the form.
    registration_type_ids: types.flatMap(({ id }) => (ids?.includes(id) ? [id] : [])),
    valid_from: at(is.valid_from),
    valid_until: at(is.valid_until),
  }
}

export function ToCodes({ asked: { event, voice } }: { asked: OfEvent }) {
  return <a href={paths.codes(event.id)}>{voice.texts.codes.title}</a>
}

interface CodeFormProps {
  asked: OfEvent
  state: FormState
  action: string
  submit: string
}

function CodeForm({ asked: { event, voice }, ...form }: CodeFormProps) {
  const { texts } = voice
  const rows = { state: form.state, texts }
  const has = (names: readonly string[]) => names.filter(name => name in form.state.fields)
  return (
    <Form {...form} texts={texts} leave={paths.codes(event.id)}>
      <FieldRows {...rows} names={has(['code', 'count', 'prefix'])} />
      <FieldGroup
        {...rows}
        legend={texts.codes.discount}
        names={['percent', 'amount']}
        help={texts.codes.discountHelp}
        side
      />
      <FieldRows {...rows} names={['registration_type_ids', 'max_tickets']} />
      <FieldGroup
        {...rows}
        legend={texts.codes.when}
        names={['valid_from', 'valid_until']}
        help={texts.codes.whenHelp(event.timezone)}
        side
      />
      <FieldRows {...rows} names={has(['note', 'active'])} />
    </Form>
  )
}
