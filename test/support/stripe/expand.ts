import { authorize, type Key, type Permission } from './accounts.ts'
import type { Books, Kind } from './books.ts'
import { invalid } from './errors.ts'

interface Link {
  to: Kind
  /** The kind of the object, by which it can be expanded in turn. */
  kind: string
  permission: Permission
}

const charge: Link = { to: 'charges', kind: 'charge', permission: 'charge_read' }
const intent: Link = { to: 'intents', kind: 'payment_intent', permission: 'payment_intent_read' }
const transaction: Link = { to: 'transactions', kind: 'balance_transaction', permission: 'balance_read' }

/** The links of an object of a kind, which it names by id and can show in full. */
const LINKS: Record<string, Record<string, Link>> = {
  'checkout.session': { payment_intent: intent },
  payment_intent: { latest_charge: charge },
  charge: { balance_transaction: transaction, payment_intent: intent },
  refund: {
    balance_transaction: transaction,
    charge,
    failure_balance_transaction: transaction,
    payment_intent: intent,
  },
  dispute: { charge, payment_intent: intent },
  payout: { balance_transaction: transaction, failure_balance_transaction: transaction },
  balance_transaction: {},
}
const MOST_LEVELS = 4

type Open = Record<string, unknown>

/**
 * Reads what `expand` names, before anything is done. https://docs.stripe.com/expand: up to four levels, with `data.` before them in lists.
 * A key must be allowed to read each object that it expands.
 */
export function expandSteps(
  paths: string[],
  { kind, inList, key }: { kind: string | null; inList: boolean; key: Key },
): string[][] {
  return paths.map(path => {
    const refused = () => invalid(`This property cannot be expanded (${path}).`, 'expand')
    const [first, ...rest] = path.split('.')
    if (inList && first !== 'data') throw refused()
    const steps = inList ? rest : path.split('.')
    if (kind === null || steps.length === 0) throw refused()
    if (steps.length > MOST_LEVELS) {
      throw invalid(`You cannot expand more than ${MOST_LEVELS} levels of a property. (${path})`, 'expand')
    }
    checkPath(kind, steps, key, refused)
    return steps
  })
}

/** Shows in an answer what the steps lead to. */
export function expandAnswer(answer: object, kind: string | null, all: string[][], books: Books): object {
  const shown = structuredClone(answer) as Open
  const objects = shown.object === 'list' ? (shown.data as Open[]) : [shown]
  for (const steps of all) {
    for (const object of objects) expandOne(object, kind ?? '', steps, books)
  }
  return shown
}

function checkPath(kind: string, steps: string[], key: Key, refused: () => Error): void {
  let here = kind
  for (const step of steps) {
    const link = LINKS[here]?.[step]
    if (!link) throw refused()
    authorize(key, link.permission)
    here = link.kind
  }
}

function expandOne(object: Open, kind: string, [step, ...rest]: string[], books: Books): void {
  const link = step === undefined ? undefined : LINKS[kind]?.[step]
  if (step === undefined || !link) return
  const value = object[step]
  const expanded = typeof value === 'string' ? structuredClone(books[link.to].get(value)) : value
  if (expanded === null || expanded === undefined || typeof expanded !== 'object') return
  object[step] = expanded
  expandOne(expanded as Open, link.kind, rest, books)
}
