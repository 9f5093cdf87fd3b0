import type { Attachment, Part } from '#machinery/mail/kind.ts'
import { keptQrPng } from '#machinery/web/qr-picture.ts'
import { textsIn } from '#texts/catalogue.ts'
import type { Language } from '#texts/languages.ts'
import type { OwnTicket, ValidTicket } from './documents.ts'

/** The most codes that a mail shows as pictures. The PDF has the codes of all tickets. */
export const MOST_PICTURES = 10

/**
 * Returns the parts of a letter for each ticket: its code as a picture, and the address of its own page if it has one. A letter
 * without HTML has the address alone, as a code that is text goes on with every answer and copy.
 */
export function showTickets(
  tickets: readonly (ValidTicket & { url?: string | undefined })[],
  language: Language,
): { parts: Part[]; attachments: Attachment[] } {
  const { checkout, mail } = textsIn(language)
  return {
    parts: tickets.map(({ id, holder, type, seat, url }) => ({
      html: (
        <div key={id} class="part" style="margin:24px 0 0;padding:24px 0 0;border-top:1px solid #dfe3ea">
          <p style="margin:0 0 8px">
            <strong>
              <bdi>{holder}</bdi>
            </strong>
            <br />
            <bdi>{[type, seat].filter(Boolean).join(' · ')}</bdi>
          </p>
          <img
            src={`cid:${id}`}
            alt={checkout.codeOf(holder ?? '')}
            width={240}
            height={240}
            style="background:#ffffff;border-radius:6px"
          />
          {url !== undefined && (
            <p class="prose" style="margin:8px 0 0">
              <a href={url}>{mail.buttons.ticket}</a>
            </p>
          )}
        </div>
      ),
      text: lineOf({ holder, type, seat, url }),
    })),
    attachments: tickets.map(({ id, code }) => ({
      ...{ filename: `${id}.png`, contentType: 'image/png', content: keptQrPng(code, 'Q'), cid: id },
    })),
  }
}

/** Returns `Ada Lovelace, Standard: https://…`, or without the address if a ticket has none here. */
function lineOf({
  holder,
  type,
  seat,
  url,
}: Pick<OwnTicket, 'holder' | 'type' | 'seat'> & { url?: string | undefined }): string {
  const what = [holder, type, seat].filter(Boolean).join(', ').replace(/\s+/g, ' ')
  return [what, url].filter(part => part !== undefined).join(': ')
}

/**
 * Returns the part for the buyer, whose letter has the link to the order as well. It says with which link to pass on a ticket.
 */
export function askToPassOn(language: Language): Part[] {
  const { passOn: text } = textsIn(language).mail
  return [{ html: <p key="pass-on">{text}</p>, text }]
}

/** Returns the part of a letter that lists tickets without their codes, one a line, each with its page if it has one. */
export function listTickets(
  tickets: readonly (Pick<OwnTicket, 'id' | 'holder' | 'type' | 'seat'> & { url?: string | undefined })[],
): Part[] {
  if (tickets.length === 0) return []
  const lines = tickets.map(({ holder, type, seat }) => [holder, type, seat].filter(Boolean).join(' · '))
  return [
    {
      html: (
        <ul key="tickets" class="prose">
          {lines.map((line, at) => (
            <li key={tickets[at]?.id}>
              {tickets[at]?.url === undefined ? (
                <bdi>{line}</bdi>
              ) : (
                <a href={tickets[at]?.url}>
                  <bdi>{line}</bdi>
                </a>
              )}
            </li>
          ))}
        </ul>
      ),
      text: tickets
        .map((ticket, at) => `- ${ticket.url === undefined ? lines[at] : lineOf(ticket)}`)
        .join('\n'),
    },
  ]
}
