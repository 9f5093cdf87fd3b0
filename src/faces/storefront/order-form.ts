import * as fields from '../fields.ts'
import type { Basket } from '../orders/basket.ts'
import type { NewOrder } from '../orders/place.ts'
import { MAX_TICKETS } from '../orders/schemas.ts'
import { type Asked, fieldOf } from '../questions/answers.ts'
import { questionFields } from '../questions/form.tsx'
import type { Question } from '../questions/schemas.ts'
import { emailField, type Field, optionalTextField, textField, tickField } from '../web/forms/field.ts'
import type { Fields, SentForm } from '../web/forms/form.ts'
import type { Language } from '../web/texts/languages.ts'
import { invoiceForm, invoiceOf } from './invoice-form.ts'

/** Names how many of a type are wanted. */
export const QUANTITY = 'q.'
export const CODE = 'code'
/** More is no code. */
const MAX_ENTERED = 100

/** How many of which type somebody wants, from a query or a form. Anything else is nothing. */
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

/** Whether somebody was asked how many, if only to choose none. */
export function hasChoice(given: URLSearchParams): boolean {
  return [...given.keys()].some(name => name.startsWith(QUANTITY))
}

/** The code that somebody has entered, if any. */
export function readCode(given: URLSearchParams): string | undefined {
  const entered = (given.get(CODE) ?? '').trim().slice(0, MAX_ENTERED)
  return entered === '' ? undefined : entered
}

/** A basket, with what its buyer is asked. */
export interface Filled {
  basket: Basket
  asked: Asked
}

/** Of the type of each ticket, in their order. */
export function typeIdsOf({ lines }: Basket): string[] {
  return lines.flatMap(({ type, prices }) => prices.map(() => type.id))
}

/** A ticket of a basket, as the form names it. */
export interface FormTicket {
  /** Names its fields. */
  key: string
  typeName: string
  /** From 1, among those of its type. */
  n: number
  of: number
}

/** The tickets that holders are asked for, in their order: a single one is the buyer's, who may change that later. */
export function ticketsOf({ lines, quantity }: Basket): FormTicket[] {
  if (quantity === 1) return []
  return lines.flatMap(({ type, prices }) =>
    prices.map((_, at) => ({
      ...{ key: keyOf(type, at), typeName: type.name, n: at + 1, of: prices.length },
    })),
  )
}

/** By type, so that what was typed stays with its ticket when another type is taken out. */
function keyOf({ id }: { id: string }, at: number): string {
  return `ticket.${id}.${at}`
}

/** The fields of an order of this basket. */
export function orderFields({ basket, asked }: Filled, language: Language): Fields {
  const held = ticketsOf(basket).flatMap((ticket): [string, Field<string | null>][] => [
    [
      `${ticket.key}.name`,
      optionalTextField(fields.name(), {
        label: ({ checkout }) => checkout.holderName,
        of: ({ checkout }) => checkout.ticket(ticket.typeName, ticket.n, ticket.of),
      }),
    ],
    [
      `${ticket.key}.email`,
      optionalTextField(fields.email, {
        label: ({ checkout }) => checkout.holderEmail,
        of: ({ checkout }) => checkout.ticket(ticket.typeName, ticket.n, ticket.of),
        control: { kind: 'input', type: 'email' },
      }),
    ],
  ])
  return {
    'buyer.name': textField(fields.name(), {
      label: ({ checkout }) => checkout.name,
      control: { kind: 'input', type: 'text', autocomplete: 'name' },
    }),
    'buyer.email': emailField(
      { label: ({ checkout }) => checkout.email, help: ({ checkout }) => checkout.emailHelp },
      'email',
    ),
    ...Object.fromEntries(held),
    ...(basket.total > 0 ? invoiceForm : {}),
    ...questionFields(asked, language),
    ...(basket.event.terms === null ? {} : { terms: mustTick }),
  }
}

const mustTick: Field<boolean> = {
  ...tickField({ label: ({ checkout }) => checkout.accept }),
  required: true,
  parse: typed => (typed[0] === undefined ? { say: ({ checkout }) => checkout.mustAccept } : { value: true }),
}

/** The order that a form has sent. @param values as its fields have parsed them */
export function toOrder(
  { basket, asked }: Filled,
  values: Readonly<Record<string, unknown>>,
  sent: Pick<SentForm, 'formId' | 'seen'> & { code: string | undefined },
  language: Language,
): NewOrder {
  let ticket = 0
  const buyer = { name: values['buyer.name'] as string, email: values['buyer.email'] as string }
  return {
    formId: sent.formId ?? '',
    seen: sent.seen ?? '',
    buyer,
    invoice: invoiceOf(values),
    language,
    code: sent.code,
    answers: answersOf(asked.order, values),
    lines: basket.lines.map(({ type, prices }) => ({
      typeId: type.id,
      tickets: prices.map((_, at) => ({
        answers: answersOf(asked.tickets[ticket] ?? [], values, ticket++),
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
  // Of entries, so that `__proto__` is a key like any other.
  return Object.fromEntries(
    questions.flatMap(question => {
      const answer = values[fieldOf(question, ticket)] as string | null | undefined
      return answer === null || answer === undefined ? [] : [[question.key, answer]]
    }),
  )
}
