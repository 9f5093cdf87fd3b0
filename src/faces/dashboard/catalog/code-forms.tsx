import { MAX_AMOUNT } from '#base/money.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { Rows } from '#faces/dashboard/frame/form-parts.tsx'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { ButtonLink } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import {
  choicesField,
  moneyField,
  numberField,
  optionalTextField,
  textField,
  tickField,
  timeField,
} from '#machinery/web/forms/field.ts'
import type { FormState, ValuesOf } from '#machinery/web/forms/form.ts'
import { optional } from '#machinery/web/forms/optional-field.ts'
import { codePrefix, generate, MAX_GENERATED } from '#product/catalog/codes/generate.ts'
import { createWithLater, updateWithLater } from '#product/catalog/codes/later-codes.ts'
import * as codes from '#product/catalog/codes/rules.ts'
import { type Code, codeFields, codeNote, MAX_TICKETS, type NewCode } from '#product/catalog/codes/schemas.ts'
import type { LaterDate } from '#product/catalog/events/later-dates.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import { CodeLink, readCodeLink } from './code-link.tsx'
import {
  chosenLater,
  flashOfSave,
  loadLater,
  NotCarried,
  onlyThis,
  saveForFields,
  saveForRows,
} from './later-dates.tsx'

interface Loaded {
  types: readonly TypeDetails[]
}

interface WithLater {
  later: readonly LaterDate[]
}

interface LoadedCode extends Loaded {
  code: Code
  isUsed: boolean
}

/** Returns the fields that all codes made at once share. */
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

/** Returns what the rule takes. No ticked type stands for all types. */
function toRule<Given extends { registration_type_ids?: readonly string[] | undefined }>(given: Given) {
  const { registration_type_ids: ids, ...rest } = given
  return {
    ...rest,
    ...(ids === undefined ? {} : { registration_type_ids: ids.length === 0 ? null : [...ids] }),
  } as Omit<Given, 'registration_type_ids'> & Pick<NewCode, 'registration_type_ids'>
}

const loadTypes = async (tx: ReadTx, { event }: EventRequest): Promise<Loaded> => ({
  types: await registrationTypes.listDetails(tx, event.id),
})

export async function loadCode(tx: ReadTx, request: EventRequest): Promise<LoadedCode> {
  const { event, params } = request
  const code = await codes.get(tx, event.id, params.code ?? '')
  return { ...(await loadTypes(tx, request)), code, isUsed: await codes.isUsed(tx, code) }
}

export const newCode = formPage('event', {
  path: '/e/{event}/tickets/codes/new',
  permission: 'events.edit',
  load: async (tx, request): Promise<Loaded & WithLater> => ({
    ...(await loadTypes(tx, request)),
    later: await loadLater(tx, request),
  }),
  fields: loaded => ({
    ...fieldsOf(loaded),
    ...saveForFields(
      loaded.later,
      ({ series }) => `${series.alsoNew} ${series.timesKept} ${series.typesByName}`,
    ),
  }),
  initial: () => ({ active: true, ...onlyThis }),
  parts: ({ later }, request, state) => {
    const { texts } = request.voice
    const { newCode: title, create: submit } = texts.codes
    return {
      ...{ title, submit, ...backToCodes(request) },
      above: <NotCarried state={state} texts={texts} />,
      rows: rowsOf(state, request, later),
    }
  },
  act: (tx, { event }, { values, loaded }) => {
    const { save_for, ...input } = values
    return createWithLater(tx, event.id, toRule(input), chosenLater(loaded.later, { save_for }))
  },
  entry: () => ({
    action: 'code.create',
    targetType: 'code',
    targetOf: ({ here }) => here.id,
    alsoOf: ({ others }) => others,
  }),
  next: ({ here: { code }, others }, { event }) => ({
    path: paths.codes(event.id),
    flash: flashOfSave(code, others, flash('ticketAdded', { name: code }), 'addedWithLater'),
  }),
})

export const generateCodes = formPage('event', {
  path: '/e/{event}/tickets/codes/generate',
  permission: 'events.edit',
  load: loadTypes,
  fields: generateFields,
  initial: () => ({ max_tickets: 1 }),
  parts: (_, request, state) => {
    const { generateTitle: title, generateAbout: about, generateSubmit: submit } = request.voice.texts.codes
    return { title, about, submit, ...backToCodes(request), rows: rowsOf(state, request) }
  },
  act: (tx, { event }, { values }) =>
    generate(tx, event.id, {
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
  load: async (tx, request, services) => {
    const loaded = await loadCode(tx, request)
    const link = await readCodeLink(tx, request, services, loaded.code.code)
    return { ...loaded, link, later: await loadLater(tx, request) }
  },
  fields: loaded => ({
    ...fieldsOf(loaded),
    ...saveForFields(
      loaded.later,
      ({ series }) => `${series.alsoCodes} ${series.timesKept} ${series.typesByName}`,
    ),
  }),
  current: loaded => ({ ...valuesOf(loaded), ...onlyThis }),
  parts: ({ code: { id, code }, link, later }, request, state) => {
    const { texts } = request.voice
    const remove = paths.ofCode(request.event.id, id, 'remove')
    return {
      ...{ title: code, isOfPeople: true, submit: texts.page.save },
      ...backToCodes(request),
      actions: (
        <ButtonLink href={remove} isDestructive>
          {texts.codes.remove}
        </ButtonLink>
      ),
      first: <CodeLink link={link} request={request} />,
      above: <NotCarried state={state} texts={texts} />,
      rows: rowsOf(state, request, later),
    }
  },
  act: (tx, { event }, { changes, values, loaded }) => {
    const of = { eventId: event.id, id: loaded.code.id }
    return updateWithLater(tx, of, toRule(changes), chosenLater(loaded.later, values))
  },
  entry: ({ params }) => ({
    action: 'code.update',
    targetType: 'code',
    targetId: params.code,
    alsoOf: ({ others }) => others,
  }),
  next: ({ here: { code }, others }, { event }) => ({
    path: paths.codes(event.id),
    flash: flashOfSave(code, others, flash('ticketSaved', { name: code })),
  }),
})

function valuesOf({ code: is, types }: LoadedCode): ValuesOf<ReturnType<typeof fieldsOf>> {
  const at = (instant: string | null) => (instant === null ? null : Date.parse(instant))
  const { code, percent, amount, max_tickets, active, note, registration_type_ids: ids } = is
  return {
    ...{ code, percent, amount, max_tickets, active, note },
    // The types stand in the order of the form.
    registration_type_ids: types.flatMap(({ id }) => (ids?.includes(id) ? [id] : [])),
    valid_from: at(is.valid_from),
    valid_until: at(is.valid_until),
  }
}

export function ToCodes({ request: { event, voice } }: { request: EventRequest }) {
  return <a href={paths.codes(event.id)}>{voice.texts.codes.title}</a>
}

function backToCodes({ event, voice }: EventRequest) {
  return { leave: paths.codes(event.id), crumbs: voice.texts.codes.title }
}

function rowsOf(
  { fields }: FormState,
  { event, voice }: EventRequest,
  later: readonly LaterDate[] = [],
): Rows[] {
  const { codes: texts } = voice.texts
  const has = (names: readonly string[]) => names.filter(name => name in fields)
  return [
    has(['code', 'count', 'prefix']),
    { legend: texts.discount, names: ['percent', 'amount'], help: texts.discountHelp, side: true },
    ['registration_type_ids', 'max_tickets'],
    {
      legend: texts.when,
      names: ['valid_from', 'valid_until'],
      help: texts.whenHelp(event.timezone),
      side: true,
    },
    has(['note', 'active']),
    ...saveForRows(later),
  ]
}
