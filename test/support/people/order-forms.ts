import { randomUUID } from 'node:crypto'
import type { TestContext } from 'node:test'
import { Agent, request } from 'undici'
import { SECOND } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { organization } from '../organization.ts'
import type { ServerOptions } from '../server.ts'
import { startDashboard } from './dashboard.ts'

export interface FormAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  location: string | undefined
}

/** Sends forms as a program does: any bytes, at any time, and never led on. */
export class OrderForms {
  readonly #origin: string
  readonly #agent: Agent

  constructor(t: Pick<TestContext, 'after'>, origin: string, connections = 20) {
    this.#origin = origin
    this.#agent = new Agent({ connections })
    t.after(() => this.#agent.close())
  }

  get(path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
    return this.#ask(method, path, undefined, headers)
  }

  post(path: string, form: URLSearchParams | string, headers: Record<string, string> = {}) {
    return this.#ask('POST', path, form.toString(), {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      ...headers,
    })
  }

  async #ask(
    method: 'GET' | 'HEAD' | 'POST',
    path: string,
    body: string | undefined,
    headers: Record<string, string>,
  ): Promise<FormAnswer> {
    const answer = await request(this.#origin + path, {
      method,
      dispatcher: this.#agent,
      headers: { accept: 'text/html', ...headers },
      ...(body === undefined ? {} : { body }),
    })
    const text = await answer.body.text()
    const { location } = answer.headers
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text,
      location: location as string | undefined,
    }
  }
}

/** Returns the hidden fields, which a page sends along with what is typed. */
export function hiddenOf({ text }: Pick<FormAnswer, 'text'>): URLSearchParams {
  const fields = text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)
  const plain = (value: string) =>
    value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')
  return new URLSearchParams([...fields].map(([, name = '', value = '']) => [name, plain(value)]))
}

/** The same form, changed: a list stands for a field that is there more than once, null for one that is not. */
export function changed(
  form: URLSearchParams,
  changes: Record<string, string | string[] | null>,
): URLSearchParams {
  const copy = new URLSearchParams(form)
  for (const [name, value] of Object.entries(changes)) {
    copy.delete(name)
    for (const each of value === null ? [] : [value].flat()) copy.append(name, each)
  }
  return copy
}

/** Makes a form that nobody has sent yet. */
export function fresh(form: URLSearchParams, email = 'grace@example.org'): URLSearchParams {
  return changed(form, { 'form.id': randomUUID(), 'buyer.email': email })
}

export const PATH = '/ada/spring-meeting/'

/** Starts a server that sells an event, and a review that may be sent. */
export async function startSale(t: TestContext, event: object = {}, options?: ServerOptions) {
  const file = organization({
    event: {
      starts_at: '2026-12-01T09:00:00Z',
      ends_at: '2026-12-02T18:00:00Z',
      registration_types: [{ name: 'Guest', price: 0, capacity: 50 }],
      ...event,
    },
  })
  const server = await startDashboard(t, file, options)
  const { db, accountId, app, types, clock, eventId } = server
  await db.write(accountId, tx => accounts.update(tx, { slug: 'ada' }))
  const forms = new OrderForms(t, app.siteUrl)
  /** Fills in the form, and gives what its review would send. @param query of the form, as `q.ID=2` */
  const review = async (
    query = `q.${types.Guest}=1`,
    typed: Record<string, string> = { 'buyer.name': 'Grace', 'buyer.email': 'grace@example.org' },
  ): Promise<URLSearchParams> => {
    const form = hiddenOf(await forms.get(`${PATH}register?${query}`))
    clock.advance(SECOND)
    return hiddenOf(await forms.post(`${PATH}register`, changed(form, typed)))
  }
  const order = (form: URLSearchParams | string, headers?: Record<string, string>) =>
    forms.post(`${PATH}register/order`, form, headers)
  /** Reads what an order takes: orders, tickets that stand, the number of sold places, and mails. */
  const taken = () =>
    db.read(INSTANCE, async tx => {
      const count = async (sql: string, params: string[] = []) =>
        (await tx.one<{ n: number }>(`SELECT ${sql}`, params))?.n
      return {
        orders: await count('count(*) AS n FROM orders'),
        tickets: await count('count(*) AS n FROM attendees WHERE voided = 0'),
        sold: await count('coalesce(sum(sold), 0) AS n FROM registration_types WHERE event_id = $1', [
          eventId,
        ]),
        mails: await count('count(*) AS n FROM emails'),
      }
    })
  return { ...server, forms, review, order, taken }
}

export const NOTHING_TAKEN = { orders: 0, tickets: 0, sold: 0, mails: 0 }
