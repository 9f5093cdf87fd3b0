import * as fields from '#base/fields.ts'
import type { Say } from '#machinery/web/forms/control-kinds.ts'
import {
  emailField,
  type Field,
  optionalTextField,
  textField,
  tickField,
} from '#machinery/web/forms/field.ts'
import type { Fields, SentForm } from '#machinery/web/forms/form.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import { type ApplicableQuestions, fieldOf, findApplicable } from '#product/guests/questions/answers.ts'
import { questionFields, ticketQuestionFields } from '#product/guests/questions/form.tsx'
import type { Question } from '#product/guests/questions/schemas.ts'
import type { Basket, WantedLine } from '#product/selling/orders/basket.ts'
import type { NewOrder } from '#product/selling/orders/place.ts'
import { MAX_TICKETS } from '#product/selling/orders/schemas.ts'
import type { Language } from '#texts/languages.ts'
import { givenFields, givenName, readGiven } from './given-price.ts'
import { invoiceFieldsOf, invoiceOf } from './invoice-form.ts'

/** The names of quantity fields begin with this and end with the id of a ticket type. */
export const QUANTITY = 'q.'
export const CODE = 'code'
/** A longer text is not a code. */
const MAX_ENTERED = 100

/** Reads the wanted quantity of each type from a query or a form. It ignores anything else. */
export function readQuantities(given: URLSearchParams): { typeId: string; quantity: number }[] {
  const wanted: { typeId: string; quantity: number }[] = []
  for (const [name, value] of given) {
    if (!name.startsWith(QUANTITY) || !/^\d{1,3}$/.test(value)) continue
    const quantity = Math.min(Number(value), MAX_TICKETS + 1)
    if (quantity > 0 && wanted.length <= MAX_TICKETS)
      wanted.push({ typeId: name.slice(QUANTITY.length), quantity })
  }
  return wanted
}

/** Does the same with what the buyer gives for each of an open price. @param types those of the event */
export function readWanted(given: URLSearchParams, types: readonly TypeDetails[]): WantedLine[] {
  return readQuantities(given).map(line => {
    const type = types.find(({ id }) => id === line.typeId)
    return { ...line, price: readGiven(given, type) }
  })
}

/**
 * Returns what the page of an event was asked for, where somebody who gives a sum without choosing how many takes the fewest: a
 * donation that is typed is meant. A least price that the page fills in by itself says nothing.
 */
export function takeGiven(given: URLSearchParams, types: readonly TypeDetails[]): URLSearchParams {
  const taken = new URLSearchParams(given)
  for (const type of types) {
    const sum = (given.get(givenName(type)) ?? '').trim()
    if (!type.open_price || type.price > 0 || sum === '' || readGiven(given, type) === 0) continue
    if (given.get(QUANTITY + type.id) === '0') taken.set(QUANTITY + type.id, String(type.min_per_order))
  }
  return taken
}

/** Returns whether the buyer was asked for quantities, even if the answer is none. */
export function hasChoice(given: URLSearchParams): boolean {
  return [...given.keys()].some(name => name.startsWith(QUANTITY))
}

/** Returns the code that the buyer entered, if any. */
export function readCode(given: URLSearchParams): string | undefined {
  const entered = (given.get(CODE) ?? '').trim().slice(0, MAX_ENTERED)
  return entered === '' ? undefined : entered
}

/** This is a basket with the questions to its buyer. */
export interface Filled {
  basket: Basket
  applicable: ApplicableQuestions
}

/**
 * Returns what is asked about a basket, for each of its tickets and extras in their order. A question of each ticket is asked of an
 * extra only if it names that.
 */
export function findQuestions(
  all: readonly Question[],
  { lines }: Pick<Basket, 'lines'>,
): ApplicableQuestions {
  const types = lines.flatMap(({ type, prices }) => prices.map(() => type))
  const { order, tickets } = findApplicable(
    all,
    types.map(({ id }) => id),
  )
  const isAsked = (question: Question, at: number) =>
    types[at]?.kind !== 'extra' || question.registration_type_ids !== null
  return { order, tickets: tickets.map((some, at) => some.filter(question => isAsked(question, at))) }
}

/** The form names a ticket or an extra of a basket like this. */
export interface FormTicket {
  /** The names of its fields begin with this key. */
  key: string
  /** Says which it is of those of its type. */
  name: Say
  /** Whether the form asks whose it is. */
  isNamed: boolean
}

/**
 * Returns the tickets and extras that the form tells apart, in their order. A single ticket is the buyer's, who may change that
 * later, and so are all extras.
 */
export function ticketsOf(basket: Basket): FormTicket[] {
  if (basket.quantity === 1) return []
  const areNamed = countOf(basket).tickets > 1
  return basket.lines.flatMap(({ type, prices }) =>
    prices.map((_, at) => ({
      key: keyOf(type, at),
      name: ({ checkout }) => checkout[type.kind](type.name, at + 1, prices.length),
      isNamed: areNamed && type.kind === 'ticket',
    })),
  )
}

/** Counts the tickets and the extras of a basket, each apart. */
export function countOf({ lines }: Pick<Basket, 'lines'>): { tickets: number; extras: number } {
  const count = (kind: TypeDetails['kind']) =>
    lines.reduce((sum, { type, prices }) => sum + (type.kind === kind ? prices.length : 0), 0)
  return { tickets: count('ticket'), extras: count('extra') }
}

/** The key has the type, so that the typed values stay with their ticket if the buyer takes another type out. */
function keyOf({ id }: { id: string }, at: number): string {
  return `ticket.${id}.${at}`
}

/** Returns the fields of an order of this basket, in the order in which the page shows them. */
export function orderFields({ basket, applicable }: Filled, language: Language): Fields {
  const tickets = ticketsOf(basket)
  return {
    'buyer.name': textField(fields.personName, {
      label: ({ checkout }) => checkout.name,
      control: { kind: 'input', type: 'text', autocomplete: 'name' },
    }),
    'buyer.email': emailField(
      { label: ({ checkout }) => checkout.email, help: ({ checkout }) => checkout.emailHelp },
      'email',
    ),
    ...givenFields(basket),
    ...(basket.total > 0 ? invoiceFieldsOf(basket.isAddressNeeded) : {}),
    ...Object.assign(
      {},
      ...tickets.map((ticket, at) => ticketFields(ticket, at, applicable.tickets[at] ?? [], language)),
    ),
    ...questionFields(tickets.length > 0 ? { order: applicable.order, tickets: [] } : applicable, language),
    ...(basket.event.terms === null ? {} : { terms: mustTick }),
  }
}

/** Returns the fields of one of several tickets: its holder, and the questions about it. */
function ticketFields(
  { key, name, isNamed }: FormTicket,
  ticket: number,
  questions: readonly Question[],
  language: Language,
): Fields {
  const asked = ticketQuestionFields(questions, { ticket, name, language })
  if (!isNamed) return asked
  return {
    [`${key}.name`]: optionalTextField(fields.personName, {
      label: ({ checkout }) => checkout.holderName,
      of: name,
    }),
    [`${key}.email`]: optionalTextField(fields.email, {
      label: ({ checkout }) => checkout.holderEmail,
      of: name,
      control: { kind: 'input', type: 'email' },
    }),
    ...asked,
  }
}

const mustTick: Field<boolean> = {
  ...tickField({ label: ({ checkout }) => checkout.accept }),
  required: true,
  parse: typed => (typed[0] === undefined ? { say: ({ checkout }) => checkout.mustAccept } : { value: true }),
}

/** Returns the order that a form has sent. @param values the parsed values of its fields */
export function toOrder(
  { basket, applicable }: Filled,
  values: Readonly<Record<string, unknown>>,
  sent: Pick<SentForm, 'formId' | 'preview'> & { code: string | undefined },
  language: Language,
): NewOrder {
  let ticket = 0
  const buyer = { name: values['buyer.name'] as string, email: values['buyer.email'] as string }
  return {
    formId: sent.formId ?? '',
    agreement: sent.preview ?? '',
    buyer,
    invoice: invoiceOf(values),
    language,
    code: sent.code,
    answers: answersOf(applicable.order, values),
    lines: basket.lines.map(({ type, prices }) => ({
      typeId: type.id,
      price: values[givenName(type)] as number | undefined,
      tickets: prices.map((_, at) => ({
        answers: answersOf(applicable.tickets[ticket] ?? [], values, ticket++),
        name: (values[`${keyOf(type, at)}.name`] as string | null | undefined) ?? buyer.name,
        email: (values[`${keyOf(type, at)}.email`] as string | null | undefined) ?? null,
      })),
    })),
  }
}

function answersOf(
  questions: readonly Question[],
  values: Readonly<Record<string, unknown>>,
  ticket?: number,
): Record<string, string> {
  // `fromEntries` makes `__proto__` a key like any other.
  return Object.fromEntries(
    questions.flatMap(question => {
      const answer = values[fieldOf(question, ticket)] as string | null | undefined
      return answer === null || answer === undefined ? [] : [[question.key, answer]]
    }),
  )
}
