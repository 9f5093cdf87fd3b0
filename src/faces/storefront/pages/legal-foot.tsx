import type { ComponentChildren } from 'preact'
import { safeLink } from '#machinery/web/link.ts'
import type { Voice } from '#machinery/web/voice.ts'
import type { LegalKind, LegalPage } from '#product/administration/accounts/legal.ts'
import type { LegalOrganizer } from '#product/catalog/event-pages/schemas.ts'
import { paths } from '../paths.ts'
import { inSpeech, type Speech } from '../voice.ts'

interface FootProps {
  organizer: LegalOrganizer
  speech: Speech
  voice: Voice
  /** The kind without a link, because the page itself has the text or is the text. */
  without?: LegalKind | undefined
  children?: ComponentChildren
}

/** Shows the links to what the law has an organizer publish, at the foot of each page for visitors. */
export function LegalFoot({ organizer, speech, voice, without, children }: FootProps) {
  const shown = organizer.legal.filter(({ kind }) => kind !== without)
  if (shown.length === 0 && children === undefined) return null
  return (
    <footer class="foot">
      {children}
      <p class="row">
        {shown.map(page => (
          <LegalLink key={page.kind} page={page} slug={organizer.slug} speech={speech} voice={voice} />
        ))}
      </p>
    </footer>
  )
}

interface LinkProps extends Pick<FootProps, 'speech' | 'voice'> {
  page: LegalPage
  /** The name of the account in addresses. */
  slug: string
}

function LegalLink({ page: { kind, url }, slug, speech, voice }: LinkProps) {
  const text = voice.texts.storefront[kind]
  if (url === null) return <a href={inSpeech(speech, paths.legal(slug, kind))}>{text}</a>
  const href = safeLink(url)
  if (href === undefined) return null
  return (
    <a href={href} rel="noopener">
      {text}
    </a>
  )
}
