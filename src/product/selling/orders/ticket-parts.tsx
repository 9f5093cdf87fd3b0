import type { Attachment, Part } from '../emails/kind.ts'
import { qrPng } from '../ticket-documents/qr-png.ts'
import { textsIn } from '../web/texts/catalogue.ts'
import type { Language } from '../web/texts/languages.ts'
import type { OwnTicket } from './documents.ts'

/** A ticket in a letter: its code as a picture. @param tickets with the address of its page, where the letter has more than one */
export function showTickets(
  tickets: readonly (OwnTicket & { url?: string | undefined })[],
  language: Language,
): { parts: Part[]; attachments: Attachment[] } {
  const { checkout, mail } = textsIn(language)
  return {
    parts: tickets.map(({ id, holder, type, seat, code, url }) => ({
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
      text: [[holder, type, seat].filter(Boolean).join(' · '), code, url].filter(Boolean).join('\n'),
    })),
    attachments: tickets.map(({ id, code }) => ({
      ...{ filename: `${id}.png`, contentType: 'image/png', content: qrPng(code), cid: id },
    })),
  }
}

/** Tickets in a letter, each in a line, with its page where it has one: without its code. */
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
      text: lines.map((line, at) => [`- ${line}`, tickets[at]?.url].filter(Boolean).join('\n  ')).join('\n'),
    },
  ]
}
