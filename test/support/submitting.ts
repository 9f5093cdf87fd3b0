import type { TestContext } from 'node:test'
import { SECOND } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as emails from '#machinery/mail/rules.ts'
import { submissionUrl, submitterUrl } from '#product/programme/submissions/links.ts'
import type { ReadPage } from './people/page-reader.ts'
import { startSale } from './people/sale.ts'
import type { ServerOptions } from './server.ts'
import { begin, openCall } from './submissions.ts'

type Changes = Parameters<typeof openCall>[1]

/** Starts a server with an open call, and reads its pages as authors do. */
export async function startSubmitting(t: TestContext, changes: Changes = {}, options?: ServerOptions) {
  const sale = await startSale(t, {}, { takes_abstracts: true }, options)
  await openCall(sale, changes)
  const { clock, visitor, path, db, accountId } = sale
  const server = { baseUrl: '', secret: await readSecret(sale) }
  /** Opens the form of a new abstract, as long ago as a person takes to fill it in. */
  const openForm = async (language = 'en') => {
    const form = await visitor(language).open(`${path}abstracts/new`)
    clock.advance(2 * SECOND)
    return form
  }
  /** Begins one by the domain, and opens its form. */
  const beginOne = async (more: Parameters<typeof begin>[1] = {}) => {
    const { submission, submitter } = await begin(sale, more)
    const own = submissionUrl(server, submitter, submission)
    const all = submitterUrl(server, submitter)
    return { submission, submitter, own, all }
  }
  const mails = async () => {
    const rows = await db.read(accountId, tx => emails.list(tx, {}, { limit: 100 }))
    return rows.map(({ recipient, kind }) => `${kind} ${recipient}`)
  }
  const abstracts = async () => (await sale.client.get('/abstracts')).body.data
  return { ...sale, server, openForm, beginOne, mails, abstracts }
}

async function readSecret({ db }: Awaited<ReturnType<typeof startSale>>): Promise<string> {
  const row = await db.read(INSTANCE, tx =>
    tx.one<{ cursor_secret: string }>('SELECT cursor_secret FROM instance'),
  )
  return row?.cursor_secret as string
}

/** Who writes, by the labels of the form. */
export const whole = { 'Your name': 'Lin Mei', 'Your e-mail': 'lin@example.org' }

/** Fills in what a call without sections, topics and kinds asks for. */
export function fillWhole(page: ReadPage, title = 'On rooms'): ReadPage {
  const given = page.document.getElementById('author.0.given') as HTMLInputElement
  given.value = 'Lin'
  const [radio] = page.document.getElementsByName('presenter')
  ;(radio as HTMLInputElement).checked = true
  return page.fill({ Title: title, Text: 'They fill.', 'Affiliation 1': 'Institute' })
}
