import type { VNode } from 'preact'
import type { ReadTx } from '#machinery/db/port.ts'
import type { Attachment, Part, Server } from '#machinery/mail/kind.ts'
import { filledText, Markdown, renderedLength } from '#machinery/web/components/markdown.tsx'
import { Format } from '#machinery/web/format.ts'
import { mailLink, safeLink } from '#machinery/web/link.ts'
import { legalPath } from '#product/administration/accounts/legal.ts'
import type { AccountDetails } from '#product/administration/accounts/schemas.ts'
import type { AboutEvent } from '#product/selling/orders/about.ts'
import * as orders from '#product/selling/orders/rules.ts'
import type { OrderDetails } from '#product/selling/orders/schemas.ts'
import { withdrawableUntil } from '#product/selling/orders/withdrawal.ts'
import { textsIn } from '#texts/catalogue.ts'
import type { Language } from '#texts/languages.ts'
import { describeInstant } from './event-time.ts'
import { joinLines, oneLine } from './plain-lines.ts'

/** Terms of more characters are attached. */
const MOST_CHARACTERS = 20_000
/**
 * Terms that take more bytes in both texts of a letter are attached, too. Some mail programs cut a letter of more than 100 KB
 * off.
 */
const MOST_BYTES = 60_000

/** What the contract of an order says beside what was ordered. */
interface Contract {
  order: OrderDetails
  about: AboutEvent
  server: Server
  /** The address of the order's page. */
  url: string
  language: Language
  /** The time of the letter, in milliseconds. */
  now: number
}

/**
 * Returns the part of a letter that confirms a contract on a durable medium (Directive 2011/83/EU, article 8 (7)): who sells,
 * whether and how the buyer may withdraw, and the terms as they were accepted.
 */
export async function readContract(
  tx: ReadTx,
  { order, about, server, url, language, now }: Contract,
): Promise<{ parts: Part[]; attachments: Attachment[] }> {
  const { orderMail: say, checkout } = textsIn(language)
  const name = checkout.order(order.reference)
  const page = { text: `${name}: ${url}`, html: <a href={url}>{name}</a> }
  const terms = order.terms === null ? undefined : await readTerms(tx, order, about, language)
  const sections = [
    sectionOf('own-page', say.ownPage, [page]),
    sectionOf('seller', say.seller, sellerItems(about, server, language)),
    sectionOf('withdrawal', say.withdrawal, withdrawalItems(order, about, language, now)),
  ]
  const parts = terms === undefined ? sections : [...sections, terms.part]
  return { parts: [inBox(parts)], attachments: terms?.attachments ?? [] }
}

/** A text of a letter, and what HTML shows instead of it. */
interface Item {
  text: string
  html?: VNode
}

const linkTo = (address: string): Item => {
  const href = safeLink(address)
  return href === undefined ? { text: address } : { text: address, html: <a href={href}>{address}</a> }
}

function sectionOf(key: string, title: string, items: readonly Item[]): Part {
  return {
    html: (
      <p key={key} style="margin:0 0 16px">
        <strong>{title}</strong>
        {items.map(({ text, html }) => (
          <>
            <br />
            {html ?? <bdi>{text}</bdi>}
          </>
        ))}
      </p>
    ),
    text: `${title}:\n${items.map(({ text }) => text).join('\n')}`,
  }
}

function inBox(parts: readonly Part[]): Part {
  return {
    html: (
      <div
        key="contract"
        class="part prose"
        style="margin:24px 0 0;padding:24px 0 0;border-top:1px solid #dfe3ea;font-size:14px"
      >
        {parts.map(part => part.html)}
      </div>
    ),
    text: parts.map(({ text }) => text).join('\n\n'),
  }
}

function sellerItems({ account, replyTo }: AboutEvent, { baseUrl }: Server, language: Language): Item[] {
  const { receipts, storefront } = textsIn(language)
  const { legal_name, name, address, tax_id } = account
  const facts = [
    oneLine(legal_name ?? name),
    joinLines(address ?? ''),
    tax_id === null ? '' : receipts.taxId(oneLine(tax_id)),
  ]
  const imprint = imprintOf(account, baseUrl)
  return [
    ...facts.filter(fact => fact !== '').map(text => ({ text })),
    { text: replyTo, html: <a href={mailLink(replyTo)}>{replyTo}</a> },
    ...(imprint === undefined
      ? []
      : [{ text: `${storefront.imprint}: ${imprint}`, html: <a href={imprint}>{storefront.imprint}</a> }]),
  ]
}

function imprintOf({ imprint_url, written, slug }: AccountDetails, baseUrl: string): string | undefined {
  if (imprint_url !== null) return safeLink(imprint_url)
  if (slug === null || !written.includes('imprint')) return undefined
  return baseUrl + legalPath(slug, 'imprint')
}

/** Says whether the buyer may withdraw, and until when they may cancel by the organizer's own rule. */
function withdrawalItems(
  order: OrderDetails,
  { event, replyTo }: AboutEvent,
  language: Language,
  now: number,
): Item[] {
  const { orderMail: say } = textsIn(language)
  const until = withdrawableUntil(order, event)
  const when = until === undefined ? '' : describeInstant(event, until, language)
  const { cancel_until, cancel_refund_basis_points: part } = event
  const percent = new Format(language, event.timezone).percent(part, 10_000)
  const withdrawal =
    until === undefined
      ? say.noWithdrawal
      : now < until
        ? say.withdrawUntil(when, replyTo)
        : say.withdrawOver(when)
  const mayCancel = cancel_until !== null && now < Date.parse(cancel_until)
  const cancel = mayCancel ? [say.cancelUntil(describeInstant(event, cancel_until, language))] : []
  const back = mayCancel && order.amount_total > 0 ? [say.cancelBack(percent)] : []
  return [withdrawal, [...cancel, ...back].join(' ')].filter(text => text !== '').map(text => ({ text }))
}

/** Returns the terms as they are kept with the order: in the letter, as a link if they are nothing else, or as a file. */
async function readTerms(
  tx: ReadTx,
  { id, terms: kept }: OrderDetails,
  { account }: AboutEvent,
  language: Language,
): Promise<{ part: Part; attachments: Attachment[] }> {
  const { orderMail: say } = textsIn(language)
  const terms = kept ?? ''
  const accepted = await orders.readAcceptedAt(tx, id)
  const title = say.terms(new Format(language, account.timezone).date(accepted))
  const link = /^<?(https?:\/\/[^\s<>]+)>?$/.exec(terms.trim())?.[1]
  if (link !== undefined) return { part: sectionOf('terms', title, [linkTo(link)]), attachments: [] }
  const text = filledText(terms, {})
  const bytes = Buffer.byteLength(text) + renderedLength(terms)
  if (terms.length > MOST_CHARACTERS || bytes > MOST_BYTES) {
    const filename = `${say.termsFile}.txt`
    const file = { filename, contentType: 'text/plain; charset=utf-8' }
    return {
      part: sectionOf('terms', title, [{ text: say.termsAttached(filename) }]),
      attachments: [{ ...file, content: Buffer.from(terms) }],
    }
  }
  const html = (
    <div key="terms">
      <p style="margin:0 0 8px">
        <strong>{title}</strong>
      </p>
      <Markdown text={terms} />
    </div>
  )
  return { part: { html, text: `${title}:\n\n${text}` }, attachments: [] }
}
