import { DAY, HOUR, MINUTE } from '#base/time.ts'
import type { Language } from '#texts/languages.ts'
import { DEMO_COMING_EVENT, DEMO_EVENT, DEMO_FREE_TYPE, emailOf, PEOPLE } from './demo-organization.ts'

/** An order that somebody made in the sandbox before it began. */
export interface DemoOrder {
  /** The slug of its event. */
  event: string
  buyer: { name: string; email: string }
  /** The name of its ticket type. */
  type: string
  quantity: number
  language: Language
  answers: Readonly<Record<string, string>>
  /** When it was placed, in milliseconds. */
  at: number
  /** How it is paid. It is undefined for an order that costs nothing. */
  method: 'test' | 'door' | undefined
  /** What became of it after it was placed. A fulfilled order is paid, if it costs anything. */
  outcome: 'fulfilled' | 'abandoned' | 'left unpaid' | 'refunded' | 'given back' | 'admitted'
}

/** Returns the orders of the sandbox, in the order in which they were placed. @param now in milliseconds */
export function demoOrders(now: number): readonly DemoOrder[] {
  return [...ordersOfToday(now), ...ordersOfComing(now)].sort((one, other) => one.at - other.at)
}

function ordersOfToday(now: number): DemoOrder[] {
  const paid = { method: 'test', outcome: 'fulfilled' } as const
  const free = { method: undefined, outcome: 'fulfilled' } as const
  return [
    ...PEOPLE.map((person, at) => order(now, person, at, at % 3 === 0 ? 'Student' : 'Standard', paid)),
    ...PEOPLE.slice(0, 6).map((person, at) => ({
      ...order(now, person, PEOPLE.length + at, 'Workshop', free),
      quantity: 2,
    })),
    ...PEOPLE.slice(6, 9).map((person, at) =>
      order(now, person, PEOPLE.length + 6 + at, DEMO_FREE_TYPE, { method: undefined, outcome: 'admitted' }),
    ),
    order(now, 'Late Payer', 31, 'Standard', { method: 'door', outcome: 'left unpaid' }),
    order(now, 'Lost Card', 32, 'Standard', { method: 'test', outcome: 'abandoned' }),
    order(now, 'Ill Guest', 33, 'Standard', { method: 'test', outcome: 'refunded' }),
    order(now, 'Double Booker', 34, DEMO_FREE_TYPE, { method: undefined, outcome: 'given back' }),
  ]
}

function ordersOfComing(now: number): DemoOrder[] {
  return PEOPLE.slice(0, 5).map((person, at) => ({
    ...order(now, person, at, 'Early bird', { method: 'test', outcome: 'fulfilled' }),
    event: DEMO_COMING_EVENT,
    at: now - 20 * DAY + at * 9 * HOUR,
    answers: {},
  }))
}

function order(
  now: number,
  name: string,
  at: number,
  type: string,
  rest: Pick<DemoOrder, 'method' | 'outcome'>,
): DemoOrder {
  return {
    event: DEMO_EVENT,
    buyer: { name, email: emailOf(at) },
    type,
    quantity: 1,
    language: at % 4 === 0 ? 'es' : 'en',
    answers: { diet: ['none', 'vegetarian', 'vegan'][at % 3] as string, shirt: at % 2 === 0 ? 'M' : 'L' },
    // Some minutes more each time, so that the list does not look as if a machine had bought.
    at: now - 30 * DAY + at * (19 * HOUR + 17 * MINUTE),
    ...rest,
  }
}
