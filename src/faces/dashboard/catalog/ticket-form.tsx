import { MAX_AMOUNT } from '#base/money.ts'
import type { Problem } from '#base/problem.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { type Rows, removal } from '#faces/dashboard/frame/form-parts.tsx'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { ButtonLink } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import {
  areaField,
  choiceField,
  moneyField,
  numberField,
  percentField,
  textField,
  tickField,
  timeField,
} from '#machinery/web/forms/field.ts'
import type { ValuesOf } from '#machinery/web/forms/form.ts'
import { optional } from '#machinery/web/forms/optional-field.ts'
import type { LaterDate } from '#product/catalog/events/later-dates.ts'
import { typeKinds } from '#product/catalog/registration-types/kinds.ts'
import { createWithLater, updateWithLater } from '#product/catalog/registration-types/later-types.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import {
  entryDefaults,
  MAX_PER_ORDER,
  saleDefaults,
  type TypeDetails,
  typeFields,
} from '#product/catalog/registration-types/schemas.ts'
import { entryModes } from '#product/catalog/registration-types/states.ts'
import { describeProblem } from '#texts/describe-problem.ts'
import type { Texts } from '#texts/texts.ts'
import {
  chosenLater,
  flashOfSave,
  loadLater,
  NotCarried,
  onlyThis,
  saveForFields,
  saveForRows,
} from './later-dates.tsx'

const MAX_CAPACITY = 1_000_000

function fieldsIn({ currency }: EventRequest['event']) {
  return {
    name: textField(typeFields.name, {
      label: texts => texts.tickets.name,
      help: texts => texts.tickets.nameHelp,
    }),
    kind: choiceField(
      typeKinds,
      texts => typeKinds.map(kind => ({ value: kind, label: texts.tickets.kinds[kind] })),
      { label: texts => texts.tickets.kind, help: texts => texts.tickets.kindHelp },
    ),
    description: areaField(5000, 3, {
      label: texts => texts.tickets.description,
      help: texts => texts.tickets.descriptionHelp,
    }),
    price: moneyField(MAX_AMOUNT, {
      label: texts => texts.tickets.price,
      help: texts => texts.tickets.priceHelp(currency),
    }),
    open_price: tickField({
      label: texts => texts.tickets.openPrice,
      help: texts => texts.tickets.openPriceHelp,
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
    entries: choiceField(
      entryModes,
      texts => entryModes.map(value => ({ value, label: texts.tickets.entryModes[value] })),
      { label: texts => texts.tickets.entries, help: texts => texts.tickets.entriesHelp },
      'radios',
    ),
    reentry: tickField({ label: texts => texts.tickets.reentry, help: texts => texts.tickets.reentryHelp }),
  }
}

type TypeFields = ReturnType<typeof fieldsIn>

interface Loaded {
  later: readonly LaterDate[]
}

interface LoadedType extends Loaded {
  type: TypeDetails
}

export const newType = formPage('event', {
  path: '/e/{event}/tickets/new',
  keepsTyped: true,
  permission: 'events.edit',
  load: async (tx, request): Promise<Loaded> => ({ later: await loadLater(tx, request) }),
  fields: ({ later }, { event }) => ({
    ...fieldsIn(event),
    ...saveForFields(later, ({ series }) => `${series.alsoNew} ${series.timesKept}`),
  }),
  initial: () => ({ ...saleDefaults, ...entryDefaults, ...onlyThis, active: true }),
  parts: ({ later }, request, state) => {
    const { texts } = request.voice
    const { newType: title, create: submit } = texts.tickets
    return {
      ...{ title, submit, ...backToTickets(request) },
      above: <NotCarried state={state} texts={texts} />,
      rows: rowsOf(request, later),
    }
  },
  act: (tx, { event }, { values, loaded }) => {
    const { save_for, ...input } = values
    return createWithLater(tx, event.id, input, chosenLater(loaded.later, { save_for }))
  },
  entry: () => ({
    action: 'registration_type.create',
    targetType: 'registration_type',
    targetOf: ({ here }) => here.id,
    alsoOf: ({ others }) => others,
  }),
  next: ({ here: { name }, others }, { event }) => ({
    path: paths.tickets(event.id),
    flash: flashOfSave(name, others, flash('ticketAdded', { name }), 'addedWithLater'),
  }),
})

const loadType = (tx: ReadTx, request: EventRequest): Promise<TypeDetails> =>
  registrationTypes.getDetails(tx, request.event.id, request.params.type ?? '')

export const editType = formPage('event', {
  path: '/e/{event}/tickets/{type}',
  keepsTyped: true,
  permission: 'events.edit',
  load: async (tx, request): Promise<LoadedType> => ({
    type: await loadType(tx, request),
    later: await loadLater(tx, request),
  }),
  fields: ({ later }, { event }) => ({
    ...fieldsIn(event),
    ...saveForFields(later, ({ series }) => `${series.alsoTypes} ${series.timesKept}`),
  }),
  current: ({ type }) => ({ ...valuesOf(type), ...onlyThis }),
  parts: ({ type: { id, name, sold, available }, later }, request, state) => {
    const { texts } = request.voice
    const remove = paths.removeType(request.event.id, id)
    return {
      ...{ title: name, isOfPeople: true, submit: texts.page.save },
      ...backToTickets(request),
      about: texts.tickets.soldAndLeft(sold, available),
      actions: (
        <ButtonLink href={remove} isDestructive>
          {texts.tickets.remove}
        </ButtonLink>
      ),
      above: <NotCarried state={state} texts={texts} />,
      rows: rowsOf(request, later),
    }
  },
  act: (tx, { event }, { changes, values, loaded }) => {
    const of = { eventId: event.id, id: loaded.type.id }
    return updateWithLater(tx, of, changes, chosenLater(loaded.later, values))
  },
  entry: ({ params }) => ({
    action: 'registration_type.update',
    targetType: 'registration_type',
    targetId: params.type,
    alsoOf: ({ others }) => others,
  }),
  next: ({ here: { name }, others }, { event }) => ({
    path: paths.tickets(event.id),
    flash: flashOfSave(name, others, flash('ticketSaved', { name })),
  }),
})

function valuesOf(type: TypeDetails): ValuesOf<TypeFields> {
  const at = (instant: string | null) => (instant === null ? null : Date.parse(instant))
  const { name, kind, description, price, capacity, active } = type
  const { min_per_order, max_per_order, hidden, tax_basis_points, open_price, entries, reentry } = type
  return {
    ...{ name, kind, description, price, capacity, active },
    ...{ min_per_order, max_per_order, hidden, tax_basis_points, open_price, entries, reentry },
    sales_start: at(type.sales_start),
    sales_end: at(type.sales_end),
    valid_from: at(type.valid_from),
    valid_until: at(type.valid_until),
  }
}

export function ToTickets({ request: { event, voice } }: { request: EventRequest }) {
  return <a href={paths.tickets(event.id)}>{voice.texts.tickets.title}</a>
}

/** Returns the way back from a form. */
export function backToTickets({ event, voice }: EventRequest) {
  return { leave: paths.tickets(event.id), crumbs: voice.texts.tickets.title }
}

function rowsOf({ event, voice }: EventRequest, later: readonly LaterDate[]): Rows[] {
  const { tickets: texts } = voice.texts
  return [
    [
      'name',
      'kind',
      'description',
      'price',
      'open_price',
      'tax_basis_points',
      'capacity',
      'active',
      'hidden',
    ],
    {
      legend: texts.saleLegend,
      names: ['sales_start', 'sales_end'],
      help: texts.saleHelp(event.timezone),
      side: true,
    },
    {
      legend: texts.orderLegend,
      names: ['min_per_order', 'max_per_order'],
      help: texts.orderHelp,
      side: true,
    },
    {
      legend: texts.validLegend,
      names: ['valid_from', 'valid_until'],
      help: texts.validHelp(event.timezone),
      side: true,
    },
    { legend: texts.entriesLegend, names: ['entries', 'reentry'] },
    ...saveForRows(later),
  ]
}

/** Asks before it removes a type, or says why that is impossible. */
export const removeType = formPage('event', {
  path: '/e/{event}/tickets/{type}/remove',
  permission: 'events.edit',
  load: async (tx, request) => {
    const type = await loadType(tx, request)
    const refusal = await registrationTypes.findRemovalRefusal(tx, request.event.id, type.id)
    return { type, refusal }
  },
  fields: () => ({}),
  preview: ({ type }) => type.name,
  parts: ({ type, refusal }, request) => {
    const { texts } = request.voice
    const { tickets: labels } = texts
    const leave = paths.editType(request.event.id, type.id)
    return removal({
      keeps: 'type',
      title: refusal === undefined ? labels.removeTitle(type.name) : labels.cannotRemove(type.name),
      crumbs: <ToTickets request={request} />,
      submit: labels.removeSubmit,
      leave,
      will: [labels.removeNobody, labels.removeForGood],
      refusal: refusal && {
        because: [tellRefusal(refusal, texts), labels.insteadOff],
        instead: <ButtonLink href={leave}>{labels.editInstead}</ButtonLink>,
      },
    })
  },
  act: (tx, { event }, { loaded }) =>
    registrationTypes.remove(tx, event.id, loaded.type.id).then(() => loaded.type),
  entry: ({ params }) => ({
    action: 'registration_type.remove',
    targetType: 'registration_type',
    targetId: params.type,
    details: (_, removed) => (removed === undefined ? {} : { name: removed.name }),
  }),
  next: ({ name }, { event }) => ({ path: paths.tickets(event.id), flash: flash('ticketRemoved', { name }) }),
})

function tellRefusal(refusal: Problem, texts: Texts): string {
  const isInUse = refusal.details?.more_than === undefined
  return isInUse ? texts.tickets.inUse : describeProblem(texts, refusal)
}
