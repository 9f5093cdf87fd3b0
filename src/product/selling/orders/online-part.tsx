import type { Part } from '#machinery/mail/kind.ts'
import { safeLink } from '#machinery/web/link.ts'
import { textsIn } from '#texts/catalogue.ts'
import type { Language } from '#texts/languages.ts'

/** Shows the link to an event that is online. Only those who have a ticket get it. */
export function showOnline(url: string | null, language: Language): Part[] {
  const href = safeLink(url ?? '')
  if (url === null || href === undefined) return []
  const { notice } = textsIn(language).mail
  return [
    {
      html: (
        <p key="online" class="prose" style="margin:0 0 16px">
          <strong>{notice.online}</strong>: <a href={href}>{url}</a>
        </p>
      ),
      text: `${notice.online}: ${url}`,
    },
  ]
}
