import type { Part } from '#machinery/mail/kind.ts'
import { buttonStyle } from '#machinery/mail/letter.tsx'
import { textsIn } from '#texts/catalogue.ts'
import type { Language } from '#texts/languages.ts'

/**
 * Returns the part of a letter that asks a buyer to confirm that others shall get their tickets, with the link that does it.
 * Somebody who gets the letter without having ordered does nothing, and nobody else is mailed.
 *
 * @param others their e-mails
 */
export function askForOthers(others: readonly string[], url: string, language: Language): Part[] {
  if (others.length === 0) return []
  const { othersWait: texts } = textsIn(language).checkout
  const about = texts.confirmFirst(others.length)
  return [
    {
      html: (
        <div
          key="others"
          class="part"
          style="margin:24px 0 0;padding:16px;border:1px solid #dfe3ea;border-radius:10px"
        >
          <p style="margin:0 0 8px">
            <strong>{texts.title(others.length)}</strong>
          </p>
          <p style="margin:0 0 8px">{about}</p>
          <ul style="margin:0 0 16px;padding:0 0 0 20px">
            {others.map(email => (
              <li key={email}>
                <bdi>{email}</bdi>
              </li>
            ))}
          </ul>
          <p style="margin:0">
            <a class="button" href={url} style={buttonStyle()}>
              {texts.open}
            </a>
          </p>
        </div>
      ),
      text: [
        texts.title(others.length),
        about,
        ...others.map(email => `- ${email}`),
        `${texts.open}:\n${url}`,
      ].join('\n'),
    },
  ]
}
