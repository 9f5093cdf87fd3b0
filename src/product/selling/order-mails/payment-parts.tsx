import { printCreditorReference } from '#base/creditor-reference.ts'
import type { Attachment, Part } from '#machinery/mail/kind.ts'
import { Format } from '#machinery/web/format.ts'
import { keptQrPng } from '#machinery/web/qr-picture.ts'
import type { Bank } from '#product/selling/payments/methods.ts'
import { lackingOf } from '#product/selling/payments/rules.ts'
import type { Payment } from '#product/selling/payments/schemas.ts'
import { transferCode } from '#product/selling/payments/transfer-code.ts'
import { textsIn } from '#texts/catalogue.ts'
import type { Language } from '#texts/languages.ts'

/** Returns the part of a letter that says how to pay without a processor: where the money goes, and with which reference. */
export function showHowToPay(
  payment: Payment,
  bank: Bank | undefined,
  language: Language,
): { parts: Part[]; attachments: Attachment[] } {
  const { payment: say } = textsIn(language)
  const { method, currency } = payment
  const reference = payment.reference ?? ''
  const amount = lackingOf(payment)
  const isTransfer = method === 'transfer' && bank !== undefined
  const facts: [string, string][] = isTransfer
    ? [
        [say.holder, bank.holder],
        [say.account, bank.account],
        ...(bank.code === null ? [] : [[say.code, bank.code] as [string, string]]),
      ]
    : []
  facts.push([say.amount, new Format(language, 'UTC').money(amount, currency)])
  facts.push([say.reference, printCreditorReference(reference)])
  const about = isTransfer ? say.transferTo : method === 'door' ? say.atDoorMail : ''
  const note = isTransfer ? (bank.note ?? '') : ''
  const code = isTransfer ? transferCode(bank, { amount, currency, reference }) : undefined
  const part: Part = {
    html: (
      <div key="pay" class="part" style="margin:24px 0 0;padding:24px 0 0;border-top:1px solid #dfe3ea">
        {about !== '' && <p style="margin:0 0 8px">{about}</p>}
        <table role="presentation" cellpadding="0" cellspacing="0">
          {facts.map(([label, value]) => (
            <tr key={label}>
              <td style="padding:2px 16px 2px 0;vertical-align:top">{label}</td>
              <td style="padding:2px 0">
                <strong>
                  <bdi>{value}</bdi>
                </strong>
              </td>
            </tr>
          ))}
        </table>
        {note !== '' && (
          <p style="margin:8px 0 0;white-space:pre-line">
            <bdi>{note}</bdi>
          </p>
        )}
        {code !== undefined && (
          <p style="margin:16px 0 0">
            <img
              src={`cid:${payment.id}`}
              alt=""
              width={200}
              height={200}
              style="background:#ffffff;border-radius:6px"
            />
            <br />
            {say.scan}
          </p>
        )}
      </div>
    ),
    text: [about, facts.map(([label, value]) => `${label}: ${value}`).join('\n'), note]
      .filter(text => text !== '')
      .join('\n\n'),
  }
  const picture = code && { content: keptQrPng(code, 'M'), cid: payment.id }
  return {
    parts: [part],
    attachments: picture ? [{ ...picture, filename: 'transfer.png', contentType: 'image/png' }] : [],
  }
}
