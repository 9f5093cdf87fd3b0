import { MAX_AMOUNT } from '../../money.ts'
import type { Problem } from '../../problem.ts'
import * as registrationTypes from '../../registration-types/rules.ts'
import {
  MAX_PER_ORDER,
  saleDefaults,
  type TypeDetails,
  typeFields,
} from '../../registration-types/schemas.ts'
import { ButtonLink, Head } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import {
  areaField,
  moneyField,
  numberField,
  percentField,
  textField,
  tickField,
  timeField,
} from '../../web/forms/field.ts'
import type { FormState, ValuesOf } from '../../web/forms/form.ts'
import { FieldGroup, FieldRows, Form } from '../../web/forms/form-view.tsx'
import { optional } from '../../web/forms/optional-field.ts'
import { tellProblem } from '../../web/texts/tell-problem.ts'
import type { Texts } from '../../web/texts/texts.ts'
import type { OfEvent } from '../asked.ts'
import { formPage } from '../form-page.ts'
import { paths } from '../paths.ts'
import { removalView } from '../removal.tsx'

const MAX_CAPACITY = 1_000_000

function fieldsIn({ currency }: OfEvent['event']) {
  return {
    name: textField(typeFields.name, {
      label: texts => texts.tickets.name,
      help: texts => texts.tickets.nameHelp,
    }),
    description: areaField(5000, 3, {
      label: texts => texts.tickets.description,
      help: texts => texts.tickets.descriptionHelp,
    }),
    price: moneyField(MAX_AMOUNT, {
      label: texts => texts.tickets.price,
      help: texts => texts.tickets.priceHelp(currency),
    }),
    capacity: numberField(0, MAX_CAPACITY, {
      label: texts => texts.tickets.capacity,
      help: texts => texts.tickets.capacityHelp,
    }),
    active: tickField({ label: texts => texts.tickets.active }),
    sales_start: timeField({ label: texts => texts.tickets.salesStart }),
    sales_end: timeField({ label: texts => texts.tickets.salesEnd }),
    min_per_order: numberField(1, MAX_PER_ORDER, { label: texts => texts.tickets.minPerOrder }),
    max_per_order: optional(numberField(1, MAX_PER_ORDER, { label: texts => texts.tickets.maxPerOrder })),
    hidden: tickField({ label: texts => texts.tickets.hidden, help: texts => texts.tickets.hiddenHelp }),
    tax_basis_points: percentField(10_000, {
      label: texts => texts.tickets.tax,
      help: texts => texts.tickets.taxHelp,
    }),
    valid_from: timeField({ label: texts => texts.tickets.validFrom }),
    valid_until: timeField({ label: texts => texts.tickets.validUntil }),
  }
}

type TypeFields = ReturnType<typeof fieldsIn>

export const newType = formPage('event', {
  path: '/e/{event}/tickets/new',
  permission: 'events.edit',
  load: async () => undefined,
  fields: (_, { event }) => fieldsIn(event),
  initial: () => ({ ...saleDefaults, active: true }),
  view: (_, asked, state) => {
    const { tickets: texts } = asked.voice.texts
    const action = paths.newType(asked.event.id)
    return {
      title: texts.newType,
      body: (
        <>
          <Head title={texts.newType} crumbs={<ToTickets asked={asked} />} />
          <TypeForm asked={asked} state={state} action={action} submit={texts.create} />
        </>
      ),
    }
  },
  act: (tx, { account, event }, { values }) => registrationTypes.create(tx, account.id, event.id, values),
  entry: () => ({
    action: 'registration_type.create',
    targetType: 'registration_type',
    targetOf: ({ id }) => id,
  }),
  next: ({ name }, { event }) => ({ path: paths.tickets(event.id), flash: flash('ticketAdded', { name }) }),
})

const loadType = (tx: Parameters<typeof registrationTypes.getDetails>[0], asked: OfEvent) =>
  registrationTypes.getDetails(tx, asked.account.id, asked.event.id, asked.params.type ?? '')

export const editType = formPage('event', {
  path: '/e/{event}/tickets/{type}',
  permission: 'events.edit',
  load: loadType,
  fields: (_, { event }) => fieldsIn(event),
  current: valuesOf,
  view: (type, asked, state) => {
    const { texts } = asked.voice
    const { id, name, sold, available } = type
    return {
      title: name,
      body: (
        <>
          <Head
            title={<bdi>{name}</bdi>}
            crumbs={<ToTickets asked={asked} />}
            about={texts.tickets.soldAndLeft(sold, available)}
            actions={
              <ButtonLink href={paths.removeType(asked.event.id, id)}>{texts.tickets.remove}</ButtonLink>
            }
          />
          <TypeForm
            asked={asked}
            state={state}
            action={paths.editType(asked.event.id, id)}
            submit={texts.page.save}
          />
        </>
      ),
    }
  },
  act: (tx, { account, event, params }, { changes }) => {
    return registrationTypes.update(tx, account.id, event.id, params.type ?? '', changes)
  },
  entry: ({ params }) => ({
    action: 'registration_type.update',
    targetType: 'registration_type',
    targetId: params.type,
  }),
  next: ({ name }, { event }) => ({ path: paths.tickets(event.id), flash: flash('ticketSaved', { name }) }),
})

function valuesOf(type: TypeDetails): ValuesOf<TypeFields> {
  const at = (instant: string | null) => (instant === null ? null : Date.parse(instant))
  const { name, description, price, capacity, active } = type
  const { min_per_order, max_per_order, hidden, tax_basis_points } = type
  return {
    ...{ name, description, price, capacity, active },
    ...{ min_per_order, max_per_order, hidden, tax_basis_points },
    sales_start: at(type.sales_start),
    sales_end: at(type.sales_end),
    valid_from: at(type.valid_from),
    valid_until: at(type.valid_until),
  }
}

export function ToTickets({ asked: { event, voice } }: { asked: OfEvent }) {
  return <a href={paths.tickets(event.id)}>{voice.texts.tickets.title}</a>
}

interface TypeFormProps {
  asked: OfEvent
  state: FormState
  action: string
  submit: string
}

function TypeForm({ asked, state, action, submit }: TypeFormProps) {
  const { event, voice } = asked
  const { texts } = voice
  const rows = { state, texts }
  return (
    <Form {...rows} action={action} submit={submit} leave={paths.tickets(event.id)}>
      <FieldRows
        {...rows}
        names={['name', 'description', 'price', 'tax_basis_points', 'capacity', 'active', 'hidden']}
      />
      <FieldGroup
        {...rows}
        legend={texts.tickets.saleLegend}
        names={['sales_start', 'sales_end']}
        help={texts.tickets.saleHelp(event.timezone)}
        side
      />
      <FieldGroup
        {...rows}
        legend={texts.tickets.orderLegend}
        names={['min_per_order', 'max_per_order']}
        help={texts.tickets.orderHelp}
        side
      />
      <FieldGroup
        {...rows}
        legend={texts.tickets.validLegend}
        names={['valid_from', 'valid_until']}
        help={texts.tickets.validHelp(event.timezone)}
        side
      />
    </Form>
  )
}

/** A page that asks first, or says why it cannot be. */
export const removeType = formPage('event', {
  path: '/e/{event}/tickets/{type}/remove',
  permission: 'events.edit',
  load: async (tx, asked) => {
    const type = await loadType(tx, asked)
    const refusal = await registrationTypes.findRemovalRefusal(tx, asked.account.id, asked.event.id, type.id)
    return { type, refusal }
  },
  fields: () => ({}),
  seen: ({ type }) => type.name,
  view: ({ type, refusal }, asked, state) => {
    const { event, voice } = asked
    const { tickets: texts } = voice.texts
    return removalView({
      ...{ state, texts: voice.texts, crumbs: <ToTickets asked={asked} /> },
      title: refusal === undefined ? texts.removeTitle(type.name) : texts.cannotRemove(type.name),
      action: paths.removeType(event.id, type.id),
      submit: texts.removeSubmit,
      leave: paths.editType(event.id, type.id),
      will: [texts.removeNobody, texts.removeForGood],
      refusal: refusal && {
        because: [tellRefusal(refusal, voice.texts), texts.insteadOff],
        instead: <ButtonLink href={paths.editType(event.id, type.id)}>{texts.editInstead}</ButtonLink>,
      },
    })
  },
  act: (tx, { account, event }, { loaded }) =>
    registrationTypes.remove(tx, account.id, event.id, loaded.type.id).then(() => loaded.type),
  entry: ({ params }) => ({
    action: 'registration_type.remove',
    targetType: 'registration_type',
    targetId: params.type,
    details: (_, removed) => (removed === undefined ? {} : { name: removed.name }),
  }),
  next: ({ name }, { event }) => ({ path: paths.tickets(event.id), flash: flash('ticketRemoved', { name }) }),
})

function tellRefusal(refusal: Problem, texts: Texts): string {
  const isKnown = refusal.details?.more_than === undefined
  return isKnown ? texts.tickets.inUse : tellProblem(texts, refusal)
}
